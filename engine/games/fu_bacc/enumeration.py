"""Fu Bacc by symmetry: only point values matter, so 550 information sets stand for all starts.

With three cards gone, the numbers of cards left of each value give every continuation as a
product. Nothing here asks the referee; the two share the points of cards alone.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from engine.cards.hands.baccarat import FACES, POINTS
from engine.games.fu_bacc.rules import ACTIONS, DECISIONS, SETTLEMENTS, Labels, Rules

Int = NDArray[np.int64]

_VALUES, _ONE = np.arange(10), np.eye(10, dtype=np.int64)


def offers(low: Int, high: Int, both_faces: Int, up: Int, rules: Rules) -> Int:
    """Bonus offered at each start: 0 none, 1 nine, 2 eight, 3 pair of zeros against a nine."""
    total = (low + high) % 10
    pair = (low + high == 0) & (up == 9)
    if rules.bonus_pair == "face":
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
    draws = two < 8 if rules.naturals == "stand" else np.ones_like(offered)
    after = draws & (rules.tie_after_end == "plays")
    return np.stack([free, offered, free, draws, after, offered & after], axis=1)


def labels() -> Labels:
    """What the columns say of the actions and of the settlements."""
    played = [name.split(" and ") for name in ACTIONS]
    decided = [DECISIONS.index(words[0]) if words[0] in DECISIONS else 2 for words in played]
    drawn = [int(words[-1] == "draw") for words in played]
    margin = _VALUES[:, None, None] - _VALUES[:, None]
    winners = np.broadcast_to(1 - np.sign(margin), (10, 10, 2)).reshape(SETTLEMENTS)
    return Labels(np.array(decided), np.array(drawn), winners)


def continuations(low: Int, high: Int, up: Int, shoe: Int, to: int) -> Int:
    """Count the ordered ways to go on from each information set, standing and drawing.

    `low`, `high`, `up` have shape (n,); `shoe`: cards of each value, shape (10,); the dealer draws
    to `to`. Returns shape (n, 2, 200), int64:
    settlement code 20 × player's total + 2 × dealer's total + (dealer drew). Every entry counts
    three further cards, at most 413·412·411.

    With L cards left of each value, the dealer's second and third card are of values s and t in
    L(s) · (L(t) − [s = t]) ways, and the player's of value d then in L(d) − [d = s] − [d = t].
    """
    order = np.argsort(up, kind="stable")
    starts = np.searchsorted(up[order], np.arange(11))
    left = shoe - sum(_ONE[value[order]] for value in (low, high, up))
    ways = left[:, :, None] * (left[:, None, :] - _ONE)
    by_second = np.zeros((len(up), 10, 20), dtype=np.int64)
    by_third = np.zeros_like(by_second)
    for shown, second in product(range(10), range(10)):
        sets = slice(starts[shown], starts[shown + 1])
        dealer = (shown + second) % 10
        here = ways[sets, second]
        if dealer <= to:
            end = 2 * ((dealer + _VALUES) % 10) + 1
            by_second[sets, second, end] = here
            by_third[sets, _VALUES, end] += here
        else:
            by_second[sets, second, 2 * dealer] = here.sum(axis=1)
            by_third[sets, :, 2 * dealer] += here
    stands = by_second.sum(axis=1)
    draws = left[:, :, None] * stands[:, None, :] - by_second - by_third
    counts = np.zeros((len(up), 2, 10, 20), dtype=np.int64)
    two = ((low + high) % 10)[order]
    counts[order, 0, two] = stands * (int(shoe.sum()) - 5)
    counts[order[:, None], 1, (two[:, None] + _VALUES) % 10] = draws
    return counts.reshape(len(up), 2, SETTLEMENTS)
