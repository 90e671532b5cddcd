"""Fu Bacc by symmetry: only point values matter, so 550 information sets stand for all starts.

With three cards gone, the numbers of cards left of each value give every continuation as a
product. Nothing here asks the referee; the two share the points of cards alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.games.fu_bacc.rules import SETTLEMENTS, Rules
from engine.hands.baccarat import CARDS_OF_VALUE, FACES, POINTS
from engine.kernels import njit

Int = NDArray[np.int64]


def offers(low: Int, high: Int, both_faces: Int, up: Int, rules: Rules) -> Int:
    """Bonus offered at each start: 0 none, 1 nine, 2 eight, 3 pair of zeros against a nine."""
    total = (low + high) % 10
    pair = (low + high == 0) & (up == 9)
    if rules.bonus_faces_only:
        pair &= both_faces == 1
    return np.select([total == 9, total == 8, pair], [1, 2, 3], 0)


def information(cards: Int, rules: Rules) -> tuple[Int, Int, Int, Int]:
    """Player's low and high value, dealer's up-card value and offer of starts, each shape (n,)."""
    first, second, up = (POINTS[cards[:, k]] for k in range(3))
    low, high = np.minimum(first, second), np.maximum(first, second)
    both = FACES[cards[:, 0]] * FACES[cards[:, 1]]
    return low, high, up, offers(low, high, both, up, rules)


def open_actions(two: Int, offer: Int, rules: Rules) -> NDArray[np.bool_]:
    """Which of the six actions each information set has, shape (n, 6)."""
    offered = offer > 0
    free = np.ones_like(offered)
    draws = two < 8 if rules.naturals_stand else np.ones_like(offered)
    after = draws & bool(rules.tie_plays_on)
    return np.stack([free, offered, free, draws, after, offered & after], axis=1)


@njit
def continuations(low: Int, high: Int, up: Int, decks: int, to: int) -> Int:
    """Count the ordered ways to go on from each information set, standing and drawing.

    `low`, `high`, `up` have shape (n,); the dealer draws to `to`. Returns shape (n, 2, 200), int64:
    settlement code 20 × player's total + 2 × dealer's total + (dealer drew). Every entry counts
    three further cards, at most 413·412·411.
    """
    found = np.zeros((len(low), 2, SETTLEMENTS), dtype=np.int64)
    unseen = 52 * decks - 5
    for place in range(len(low)):
        left = CARDS_OF_VALUE * decks
        left[low[place]] -= 1
        left[high[place]] -= 1
        left[up[place]] -= 1
        two = low[place] + high[place]
        for second in range(10):
            ways = left[second]
            left[second] -= 1
            dealer = (up[place] + second) % 10
            for third in range(10):
                pairs = ways * left[third]
                end = 2 * ((dealer + third) % 10) + 1 if dealer <= to else 2 * dealer
                found[place, 0, 20 * (two % 10) + end] += pairs * unseen
                left[third] -= 1
                for drawn in range(10):
                    code = 20 * ((two + drawn) % 10) + end
                    found[place, 1, code] += pairs * left[drawn]
                left[third] += 1
            left[second] += 1
    return found
