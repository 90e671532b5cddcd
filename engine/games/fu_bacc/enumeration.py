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


def continuations(low: Int, high: Int, up: Int, rules: Rules) -> Int:
    """Count the ordered ways to go on from each information set, standing and drawing.

    `low`, `high`, `up` have shape (n,). Returns shape (n, 2, 200), int64: settlement code
    20 × player's total + 2 × dealer's total + (dealer drew). Every entry counts three further
    cards, at most 413·412·411 < 2^27.
    """
    n = len(low)
    rows = np.arange(n)
    left = np.tile(CARDS_OF_VALUE * rules.decks, (n, 1))
    for held in (low, high, up):
        np.subtract.at(left, (rows, held), 1)
    once = left[:, None, :] - np.eye(10, dtype=np.int64)
    two = left[:, :, None] * once
    three = two[:, :, :, None] * (once[:, :, None, :] - np.eye(10, dtype=np.int64)[None, None])
    unseen = 52 * rules.decks - 5
    counts = np.zeros((n, 2 * SETTLEMENTS), dtype=np.int64)
    player = ((low + high) % 10)[:, None, None, None]
    one, second, third = np.meshgrid(VALUES, VALUES, VALUES, indexing="ij")

    def code(player_total: Int, dealer_two: Int, dealer_third: Int) -> Int:
        draws = dealer_two <= rules.dealer_draws_to
        final = np.where(draws, (dealer_two + dealer_third) % 10, dealer_two)
        return 20 * player_total + 2 * final + draws

    base = (rows * 2 * SETTLEMENTS)[:, None, None]
    stand = code(
        player[..., 0],
        (up[:, None, None] + VALUES[:, None]) % 10,
        np.broadcast_to(VALUES[None, None, :], (n, 10, 10)),
    )
    flat = counts.reshape(-1)
    np.add.at(flat, base + stand, two * unseen)
    drawn = code(
        (player + one) % 10,
        (up[:, None, None, None] + second) % 10,
        np.broadcast_to(third, (n, 10, 10, 10)),
    )
    np.add.at(flat, base[..., None] + SETTLEMENTS + drawn, three)
    return counts.reshape(n, 2, SETTLEMENTS)
