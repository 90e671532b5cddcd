"""All deals by point values: 55 pairs against 55 pairs, then third cards as products.

Nothing here asks the referee; the two share the points of cards alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.games.punto_banco.enumeration.tableau import (
    BANKER_DRAWS_ALONE,
    BANKER_DRAWS_ON,
    NOBODY_DRAWS,
    PLAYER_DRAWS,
    final,
)

Int = NDArray[np.int64]

#: The 55 unordered pairs of values, sorted by total, and where each total begins.
_PAIRS = sorted(zip(*np.triu_indices(10), strict=True), key=lambda pair: sum(pair) % 10)
LOW, HIGH = (np.array(side, dtype=np.int64) for side in zip(*_PAIRS, strict=True))
_BEGINS = np.searchsorted((LOW + HIGH) % 10, np.arange(10))
_ONE = np.eye(10, dtype=np.int64)


def _by_totals(counts: Int) -> Int:
    """Sum counts of (Player's pair, Banker's pair, …) to (Player's total, Banker's total, …)."""
    return np.add.reduceat(np.add.reduceat(counts, _BEGINS, axis=0), _BEGINS, axis=1)


def count(starts: Int, shoe: Int) -> Int:
    """Count the deals of six cards from a shoe of any composition.

    `shoe`: cards of each value, shape (10,), at least six in all; `starts`: ordered ways of dealing
    Player's first two cards, by their values, shape (10, 10). Returns shape (10, 11, 10, 11),
    int64: Player's two-card total, Player's third card + 1 (0 for none), the same for Banker. All
    counts together are at most 624·623·622·621·620·619 < 2^56 (twelve decks), and every product on
    the way counts deals too.
    """
    cards = int(shoe.sum())
    both = np.where(LOW == HIGH, 1, 2)
    ways = np.where(LOW == HIGH, starts[LOW, HIGH], starts[LOW, HIGH] + starts[HIGH, LOW])
    left = shoe - _ONE[LOW] - _ONE[HIGH]
    banker = left[:, LOW] * (left[:, HIGH] - (LOW == HIGH)) * both
    four = ways[:, None] * banker
    third = left[:, None, :] - (_ONE[LOW] + _ONE[HIGH])[None, :, :]
    five = four[:, :, None] * third
    six = five[..., :, None] * (third[:, :, None, :] - _ONE)

    counts = np.zeros((10, 11, 10, 11), dtype=np.int64)
    stand = counts[:, 0, :, 0]
    stand += _by_totals(four) * NOBODY_DRAWS * ((cards - 4) * (cards - 5))
    one = _by_totals(five) * (cards - 5)
    counts[:, 0, :, 1:] += one * BANKER_DRAWS_ALONE[:, :, None]
    player = PLAYER_DRAWS[:, :, None] & BANKER_DRAWS_ON[None]
    only = PLAYER_DRAWS[:, :, None] & ~BANKER_DRAWS_ON[None]
    counts[:, 1:, :, 0] += (one * only).transpose(0, 2, 1)
    counts[:, 1:, :, 1:] += (_by_totals(six) * player[..., None]).transpose(0, 2, 1, 3)
    return counts


def describe(two: Int, third: Int) -> dict[str, Int]:
    """Columns of hands by their two-card totals and third cards (−1 for none)."""
    return {
        "total": final(two, third),
        "cards": 2 + (third >= 0),
        "initial_total": two,
        "natural": (two >= 8).astype(np.int64),
        "third_value": third,
    }


def hands(counts: Int) -> tuple[dict[str, Int], dict[str, Int], Int]:
    """List what `count` found as rows: Player's columns, Banker's columns, deals of each row."""
    player, player_third_value, banker, banker_third_value = np.nonzero(counts)
    deals = counts[player, player_third_value, banker, banker_third_value]
    return describe(player, player_third_value - 1), describe(banker, banker_third_value - 1), deals
