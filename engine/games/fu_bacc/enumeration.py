"""Fu Bacc by symmetry: only point values matter, so 550 information sets stand for all starts.

With three cards gone, the numbers of cards left of each value give every continuation as a
product. Nothing here asks the referee; the two share the points of cards alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.games.fu_bacc.rules import SETTLEMENTS, Rules
from engine.hands.baccarat import CARDS_OF_VALUE, FACES, POINTS

Int = NDArray[np.int64]

VALUES = np.arange(10)


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


def _dealer(up: Int, rules: Rules) -> Int:
    """Dealer's part of the settlement code by second and third card, shape (n, 10, 10)."""
    two = (up[:, None] + VALUES) % 10
    three = (two[:, :, None] + VALUES) % 10
    draws = two <= rules.dealer_draws_to
    return np.where(draws[:, :, None], 2 * three + 1, 2 * two[:, :, None])


def continuations(low: Int, high: Int, up: Int, rules: Rules) -> Int:
    """Count the ordered ways to go on from each information set, standing and drawing.

    `low`, `high`, `up` have shape (n,). Returns shape (n, 2, 200), int64: settlement code
    20 × player's total + 2 × dealer's total + (dealer drew). Every entry counts three further
    cards, at most 413·412·411 < 2^27, so that sums in float64 are exact.
    """
    n = len(low)
    left = np.tile(CARDS_OF_VALUE * rules.decks, (n, 1))
    for held in (low, high, up):
        np.subtract.at(left, (np.arange(n), held), 1)
    same = np.eye(10, dtype=np.int64)
    once = left[:, None, :] - same
    two = left[:, :, None] * once
    three = two[:, :, :, None] * (once[:, :, None, :] - same)
    unseen = 52 * rules.decks - 5
    dealer = _dealer(up, rules)
    place = 2 * SETTLEMENTS * np.arange(n)
    total = (low + high) % 10
    stand = (place + 20 * total)[:, None, None] + dealer
    drawn = (place[:, None] + SETTLEMENTS + 20 * ((total[:, None] + VALUES) % 10))[
        :, :, None, None
    ] + dealer[:, None]
    size = 2 * SETTLEMENTS * n
    counts = np.bincount(stand.ravel(), (two * unseen).ravel(), size)
    counts += np.bincount(drawn.ravel(), three.ravel(), size)
    return counts.astype(np.int64).reshape(n, 2, SETTLEMENTS)
