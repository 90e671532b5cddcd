"""The first four cards without going through them in order: two cards each, as unordered hands."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.cards.deck import DECK

Int = NDArray[np.int64]

#: The 1,378 hands of two card types, lower type first.
LOW, HIGH = (side.astype(np.int64) for side in np.triu_indices(DECK))


def describe() -> dict[str, Int]:
    """Columns of the 1,378 hands, each of shape (1378,)."""
    return {
        "low": LOW // 4 + 1,
        "high": HIGH // 4 + 1,
        "low_suit": LOW % 4,
        "high_suit": HIGH % 4,
        "suited": (LOW % 4 == HIGH % 4).astype(np.int64),
    }


def classes(names: tuple[str, ...]) -> tuple[Int, dict[str, Int]]:
    """Sort hands into classes by these columns: class of each, shape (1378,), and their columns."""
    columns = describe()
    rows = np.stack([columns[name] for name in names] or [np.zeros_like(LOW)], axis=1)
    distinct, member = np.unique(rows, axis=0, return_inverse=True)
    return member.reshape(-1), {name: distinct[:, k] for k, name in enumerate(names)}


def count(starts: Int, copies: Int, player: Int, banker: Int) -> Int:
    """Count ordered deals of four cards by the classes of both hands.

    `starts`: ordered ways of dealing Player's two cards, shape (52, 52); `copies`: cards of each
    type in the shoe, shape (52,); `player`, `banker`: class
    of each hand, shape (1378,). Returns int64, shape (Player's classes, Banker's classes); all
    together at most 624·623·622·621 < 2^38.
    """
    ways = np.where(LOW == HIGH, starts[LOW, HIGH], starts[LOW, HIGH] + starts[HIGH, LOW])
    hands = np.flatnonzero(ways)
    left = np.tile(copies, (len(hands), 1))
    np.subtract.at(left, (np.arange(len(hands)), LOW[hands]), 1)
    np.subtract.at(left, (np.arange(len(hands)), HIGH[hands]), 1)
    times = ways[hands, None] * np.where(LOW == HIGH, 1, 2)
    deals = times * left[:, LOW] * (left[:, HIGH] - (LOW == HIGH))
    by_banker = np.zeros((int(banker.max()) + 1, len(hands)), dtype=np.int64)
    np.add.at(by_banker, banker, deals.T)
    counts = np.zeros((int(player.max()) + 1, len(by_banker)), dtype=np.int64)
    np.add.at(counts, player[hands], by_banker.T)
    return counts
