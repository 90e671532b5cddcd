"""Red/Green by symmetry: suits never matter, so 455 hands by rank stand for all three cards.

Each hand is set once, each pair of hands is compared once, and the number of deals behind the
pair is a product of binomials. Nothing here asks the referee.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from engine.games.red_green.rules import Rules

Int = NDArray[np.int64]
Bool = NDArray[np.bool_]

_ACE, _DEUCE, _JACK, _QUEEN, _KING = 0, 1, 10, 11, 12
_BACK = 14 * 14


@cache
def rank_hands() -> Int:
    """List the 455 hands of three ranks (0 ace … 12 king), sorted, shape (455, 3)."""
    return np.array(list(combinations_with_replacement(range(13), 3)), dtype=np.int64)


def number_hands(cards: Int) -> Int:
    """Number hands of three cards (0–51), sorted within the hand, shape (n, 3) → (n,)."""
    index = np.zeros((13, 13, 13), dtype=np.int64)
    index[tuple(rank_hands().T)] = np.arange(len(rank_hands()))
    ranks = cards // 4
    number: Int = index[ranks[:, 0], ranks[:, 1], ranks[:, 2]]
    return number


def weights(decks: int) -> Int:
    """Count the ways to deal one rank hand after another, shape (455, 455), int64.

    Entry [r, g]: ways to take hand g's three cards from a shoe that hand r has left. At most
    32·31·30/6 for equal ranks and 32^3 otherwise, before a division by 2 or 6 below 2^17.
    """
    hands = rank_hands()
    left = np.full((len(hands), 13), 4 * decks, dtype=np.int64)
    np.subtract.at(left, (np.arange(len(hands))[:, None], hands), 1)
    a, b, c = hands.T
    ways = left[:, a] * (left[:, b] - (b == a)) * (left[:, c] - (c == b) - (c == a))
    same = 1 + (a == b).astype(np.int64) + (b == c)
    return np.maximum(ways, 0) // np.array([0, 1, 2, 6])[same]


def _aces_split(other: Int, rules: Rules) -> Bool:
    always = np.ones_like(other, dtype=bool)
    return (
        other != _KING, always, ~always, other == _KING, other < _QUEEN, other < _JACK,
    )[rules.aces_split]  # fmt: skip


def _kings_split(other: Int, rules: Rules) -> Bool:
    always, ace = np.ones_like(other, dtype=bool), other == _ACE
    ten, jack, queen = (~ace & (other < limit) for limit in (_JACK, _QUEEN, _KING))
    return (ten, jack, queen, ten | ace, jack | ace, always, ~always)[rules.kings_split]


def set_hands(rules: Rules) -> tuple[Int, Int, Int]:
    """Set the 455 hands: what each is, its front rank, and its back as a sortable score.

    Each has shape (455,). Strengths run from 0 to 13; a back without a pair scores
    14 × higher + lower, and a pair of strength s scores 196 + s.
    """
    order = np.arange(13)
    order[_ACE] = 13 if rules.ace == 0 else 0
    hands = rank_hands()
    sorted_ = np.take_along_axis(hands, np.argsort(order[hands], axis=1), axis=1)
    low, middle, high = sorted_.T
    three = low == high
    pair = (low == middle) | (middle == high)
    other = np.where(low == middle, high, low)
    split = pair & ~three
    split &= ((middle == _ACE) & _aces_split(other, rules)) | (
        (middle == _KING) & _kings_split(other, rules)
    )
    hand = np.select([three, split, pair], [0, 2, 1], 3)
    front = np.select(
        [three | split, pair], [middle, other], (middle, low, high)[rules.no_pair_front]
    )
    first, second = [
        (high, low), (high, middle), (middle, low),
    ][rules.no_pair_front]  # fmt: skip
    first = np.select(
        [split & (low == middle), split, pair], [high, high, middle], first
    )
    second = np.select(
        [split & (low == middle), split, pair], [middle, low, middle], second
    )
    back = np.where(
        first == second, _BACK + order[first], 14 * order[first] + order[second]
    )
    return hand, front, back


def _compare(left: Int, right: Int) -> Int:
    """0 where left is higher, 1 where right is, 2 where they are equal."""
    return np.select([left > right, left < right], [0, 1], 2)


def _deuces_up(result: Int, deuces: Bool, aces: Bool) -> None:
    """Let every hand of deuces beat every hand of aces."""
    result[np.ix_(deuces, aces)] = 0
    result[np.ix_(aces, deuces)] = 1


def compare(hand: Int, front: Int, back: Int, rules: Rules) -> tuple[Int, Int]:
    """Compare every hand with every other: winners in front and at the back, shape (455, 455)."""
    order = np.arange(13)
    order[_ACE] = 13 if rules.ace == 0 else 0
    single = order[front]
    fronts = _compare(single[:, None], single)
    if rules.lone_deuce:
        _deuces_up(fronts, front == _DEUCE, front == _ACE)
    backs = _compare(back[:, None], back)
    if rules.pair_of_deuces:
        _deuces_up(backs, back == _BACK + order[_DEUCE], back == _BACK + order[_ACE])
    if rules.three_of_a_kind < 2:
        three = hand == 0
        value = np.where(three, 1 + single * (rules.three_of_a_kind == 0), 0)
        threes = _compare(value[:, None], value)
        if rules.three_deuces and rules.three_of_a_kind == 0:
            _deuces_up(threes, three & (front == _DEUCE), three & (front == _ACE))
        special = three[:, None] | three
        fronts, backs = (np.where(special, threes, usual) for usual in (fronts, backs))
    return fronts, backs
