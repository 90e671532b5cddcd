"""Baccarat values: an ace counts 1, 2–9 their pips, 10 J Q K nothing; a hand modulo 10."""

from __future__ import annotations

import numpy as np

from engine.cards.deck import DECK
from engine.exact.kernels import njit

#: Point value of each of the 52 cards, shape (52,), int64.
POINTS = np.array(
    [rank + 1 if rank < 9 else 0 for rank in range(13) for _ in range(4)], dtype=np.int64
)
#: Whether each of the 52 cards is a jack, queen or king, shape (52,), int64.
FACES = np.array([int(card // 4 >= 10) for card in range(DECK)], dtype=np.int64)
#: Number of cards of each point value in one deck, shape (10,), int64.
CARDS_OF_VALUE = np.bincount(POINTS, minlength=10).astype(np.int64)


@njit
def add(total: int, points: int) -> int:
    """Add a card's points (0–9) to a hand's total (0–9); the tens digit is dropped."""
    total += points
    return total - 10 if total > 9 else total


def shared_counts() -> dict[str, int]:
    """What can be counted in this module, for `Shared.counts`."""
    others = set(CARDS_OF_VALUE[1:].tolist())
    if not np.array_equal(CARDS_OF_VALUE, np.bincount(POINTS, minlength=10)):
        raise ValueError("CARDS_OF_VALUE does not count POINTS")
    return {
        "cards that count nothing": int(CARDS_OF_VALUE[0]),
        "cards of every other value": others.pop() if len(others) == 1 else -1,
        "jacks, queens and kings": int(FACES[40:52].sum()),
    }
