"""Red/Green by symmetry: suits never matter, so 455 hands by rank stand for all three cards.

Each hand is set once, each pair of hands is compared once, and the number of deals behind the
pair is a product of binomials. Nothing here asks the referee.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from itertools import combinations_with_replacement
from math import comb

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


def weights(decks: int, ranks: Collection[int] = range(13)) -> Int:
    """Count the ways to deal one rank hand after another, shape (455, 455), int64.

    The shoe holds some of the ranks.

    Entry [r, g]: ways to take hand g's three cards from a shoe that hand r has left. At most
    32·31·30/6 for equal ranks and 32^3 otherwise, before a division by 2 or 6 below 2^17.
    """
    hands = rank_hands()
    shoe = np.where(np.isin(np.arange(13), list(ranks)), 4 * decks, 0)
    left = np.tile(shoe, (len(hands), 1))
    np.subtract.at(left, (np.arange(len(hands))[:, None], hands), 1)
    a, b, c = hands.T
    ways = left[:, a] * (left[:, b] - (b == a)) * (left[:, c] - (c == b) - (c == a))
    same = 1 + (a == b).astype(np.int64) + (b == c)
    orders = np.array([0, 1, 2, 6])[same]
    counted: Int = np.maximum(ways, 0) // orders
    return counted


def _aces_split(other: Int, rules: Rules) -> Bool:
    always = np.ones_like(other, dtype=bool)
    split: dict[str, Bool] = {
        "unless king": other != _KING,
        "always": always,
        "never": ~always,
        "only with king": other == _KING,
        "below queen": other < _QUEEN,
        "below jack": other < _JACK,
    }
    return split[rules.aces_split]


def _kings_split(other: Int, rules: Rules) -> Bool:
    always, ace = np.ones_like(other, dtype=bool), other == _ACE
    ten, jack, queen = (~ace & (other < limit) for limit in (_JACK, _QUEEN, _KING))
    split: dict[str, Bool] = {
        "to ten": ten,
        "to jack": jack,
        "to queen": queen,
        "to ten or ace": ten | ace,
        "to jack or ace": jack | ace,
        "always": always,
        "never": ~always,
    }
    return split[rules.kings_split]


def set_hands(rules: Rules) -> tuple[Int, Int, Int]:
    """Set the 455 hands: what each is, its front rank, and its back as a sortable score.

    Each has shape (455,). Strengths run from 0 to 13; a back without a pair scores
    14 × higher + lower, and a pair of strength s scores 196 + s.
    """
    order = np.arange(13)
    order[_ACE] = 13 if rules.ace == "high" else 0
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
    alone, first, second = {
        "middle": (middle, high, low),
        "lowest": (low, high, middle),
        "highest": (high, middle, low),
    }[rules.no_pair_front]
    front = np.select([three | split, pair], [middle, other], alone)
    first = np.select([split & (low == middle), split, pair], [high, high, middle], first)
    second = np.select([split & (low == middle), split, pair], [middle, low, middle], second)
    back = np.where(first == second, _BACK + order[first], 14 * order[first] + order[second])
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
    order[_ACE] = 13 if rules.ace == "high" else 0
    single = order[front]
    fronts = _compare(single[:, None], single)
    if rules.lone_deuce == "beats":
        _deuces_up(fronts, front == _DEUCE, front == _ACE)
    backs = _compare(back[:, None], back)
    if rules.pair_of_deuces == "beats":
        _deuces_up(backs, back == _BACK + order[_DEUCE], back == _BACK + order[_ACE])
    if rules.three_of_a_kind != "pair":
        three = hand == 0
        ranked = rules.three_of_a_kind == "ranked"
        value = np.where(three, 1 + single * ranked, 0)
        threes = _compare(value[:, None], value)
        if rules.three_deuces == "beats" and ranked:
            _deuces_up(threes, three & (front == _DEUCE), three & (front == _ACE))
        special = three[:, None] | three
        fronts, backs = (np.where(special, threes, usual) for usual in (fronts, backs))
    return fronts, backs


@cache
def rank_sixes() -> Int:
    """List the 18,564 multisets of six ranks (0 ace … 12 king), sorted, shape (18564, 6)."""
    return np.array(list(combinations_with_replacement(range(13), 6)), dtype=np.int64)


def _runs(multiplicities: Int) -> Int:
    """Best straight among the ranks of some hands, shape (n, 13): 0 none, 1 one, 2 ten to ace."""
    mask = (multiplicities > 0) @ (1 << np.arange(13))
    mask |= (mask & 1) << 13
    low = mask & mask >> 1 & mask >> 2 & mask >> 3 & mask >> 4
    return np.where(low >> 9 & 1, 2, np.minimum(low, 1))


def bonus(sixes: Int, decks: int) -> tuple[dict[str, Int], Int]:
    """Count the physical hands of six behind multisets of ranks, told apart by suits.

    `sixes` has shape (n, 6). At most one suit holds five or six of six cards, so that four times
    the hands of one suit are all that may be flushes: all six cards in it, or five of them and
    one card of its rank outside. Returns the columns of the bonus space as codes and the numbers
    of hands, shape (rows,), int64: below C(416, 6) < 2^43.
    """
    multiplicities = np.stack([(sixes == rank).sum(axis=1) for rank in range(13)], axis=1)
    in_suit, in_all = (
        np.array([comb(cards, k) for k in range(7)], dtype=np.int64) for cards in (decks, 4 * decks)
    )
    most, next_ = np.sort(multiplicities, axis=1)[:, :-3:-1].T
    kind = np.select(
        [most >= 4, (most == 3) & (next_ >= 2), most == 3, (most == 2) & (next_ == 2), most == 2],
        [6 - most, 3, 4, 5, 6],
        7,
    )
    run = _runs(multiplicities)
    rows = np.arange(len(sixes))
    suited = [(rows, 6, run, 4 * in_suit[multiplicities].prod(axis=1))]
    for rank in range(13):
        has = np.flatnonzero(multiplicities[:, rank])
        inside = multiplicities[has]
        inside[:, rank] -= 1
        suited.append((has, 5, _runs(inside), 12 * decks * in_suit[inside].prod(axis=1)))
    plain = in_all[multiplicities].prod(axis=1)
    for at, _, _, ways in suited:
        plain[at] -= ways
    parts = [(rows, 0, np.zeros_like(run), plain), *suited]
    at, straight_flush, ways = (np.concatenate([part[k] for part in parts]) for k in (0, 2, 3))
    flush = np.repeat([cards for _, cards, _, _ in parts], [len(part[0]) for part in parts])
    kind, run = kind[at], run[at]
    category = np.select(
        [straight_flush == 2, straight_flush == 1, kind <= 1, kind <= 3, flush > 0, run > 0],
        [0, 1, 2, kind + 1, 5, 6],
        kind + 3,
    )
    codes = {
        "category": category,
        "rank_pattern": kind,
        "flush_cards": flush,
        "straight": (run > 0).astype(np.int64),
        "straight_flush": straight_flush,
    }
    return codes, ways
