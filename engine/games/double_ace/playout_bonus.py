"""The bonus bets hand by hand: every multiset of card types, every own hand of six in order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.cards.hands.bonus_poker import CODES, describe, hand_code
from engine.exact.kernels import njit
from engine.games.double_ace import referee
from engine.games.double_ace.rules import HIT, Rules

Int = NDArray[np.int64]
#: The player hits totals up to here, where an own hand of six cards matters.
HITS = 6


def category(
    pattern: str, straight: int, flush: int, straight_flush: int, flush_beats: str = "straight"
) -> str:
    """Best category of a hand, by what a flush beats: a straight, a full house, or four of a kind.

    A hand can be two of them at once: a full house of one suit is a flush as well.
    """
    if straight_flush:
        return "straight flush"
    largest = pattern[0]
    house = pattern in ("3-2", "3-2-1", "3-3")
    if flush and house and flush_beats != "straight":
        return "flush"
    if flush and largest == "4" and flush_beats == "four of a kind":
        return "flush"
    if largest in "654":
        return {"6": "six", "5": "five", "4": "four"}[largest] + " of a kind"
    if house:
        return "full house"
    if flush:
        return "flush"
    if straight:
        return "straight"
    if largest == "3":
        return "three of a kind"
    names = ("high card", "pair", "two pair", "three pair")
    return names[pattern.split("-").count("2")]


#: Categories of five cards, best first, by what a flush beats.
_BEST_FIRST = {
    "straight": (
        "five of a kind", "straight flush", "four of a kind", "full house", "flush", "straight",
    ),
    "full house": (
        "five of a kind", "straight flush", "four of a kind", "flush", "full house", "straight",
    ),
    "four of a kind": (
        "five of a kind", "straight flush", "flush", "four of a kind", "full house", "straight",
    ),
}  # fmt: skip
_LOWER = ("three of a kind", "two pair", "pair", "high card")


@cache
def ranking(flush_beats: str) -> Int:
    """Place of the category of every five-card `hand_code`, best first, shape (CODES,)."""
    best_first = (*_BEST_FIRST[flush_beats], *_LOWER)
    rank = np.full(CODES, len(best_first), dtype=np.int64)
    for code in range(CODES):
        try:
            rank[code] = best_first.index(category(*describe(code, 5), flush_beats))
        except ValueError:
            continue
    return rank


@njit
def best_five(cards: Int, ranks: Int) -> int:
    """Code of the best five of six cards; among equals, those that leave out the last card."""
    five = cards[:5].copy()
    best: int = hand_code(five, 5)
    for omitted in range(4, -1, -1):
        five[omitted] = cards[5]
        code: int = hand_code(five, 5)
        if ranks[code] < ranks[best]:
            best = code
        five[omitted] = cards[omitted]
    return best


@njit
def sixth_cards(five: Int, types: int, ranks: Int) -> Int:
    """Code of the best five after every sixth card, shape (types,)."""
    cards = np.empty(6, dtype=np.int64)
    cards[:5] = five
    codes = np.empty(types, dtype=np.int64)
    for last in range(types):
        cards[5] = last
        codes[last] = best_five(cards, ranks)
    return codes


@njit
def multisets(
    lo: int, hi: int, number: int, types: int, decks: int, orders: int, counts: Int
) -> None:
    """Add the weight of every multiset of `number` card types whose lowest lies in lo … hi − 1.

    The shoe holds the types below `types`. A type that comes m times weighs C(decks, m); with no
    decks a multiset weighs its orders, of `orders` = number!. Adds to `counts`, shape (CODES,): at
    most C(480,6) < 1.7e13 < 2^63.
    """
    cards = np.zeros(number, dtype=np.int64)
    run = np.zeros(number, dtype=np.int64)
    weight = np.zeros(number, dtype=np.int64)
    depth = 0
    cards[0] = lo - 1
    while depth >= 0:
        cards[depth] += 1
        if cards[depth] >= (hi if depth == 0 else types):
            depth -= 1
            continue
        before = 1 if decks > 0 else orders
        same = 0
        if depth > 0:
            before = weight[depth - 1]
            same = run[depth - 1] if cards[depth] == cards[depth - 1] else 0
        run[depth] = same + 1
        weight[depth] = before * (decks - same if decks > 0 else 1) // (same + 1)
        if weight[depth] == 0:
            continue
        if depth == number - 1:
            counts[hand_code(cards, number)] += weight[depth]
        else:
            depth += 1
            cards[depth] = cards[depth - 1] - 1


def own_hands(decks: int, types: int, rules: Rules) -> Iterator[tuple[tuple[int, ...], int]]:
    """Deal every five cards in order that the player hits once more, with their ordered ways.

    The player doubles an ace, hits 6 or less and stands on 7 or more; the referee is asked.
    """
    left = np.full(types, decks or 1)
    yield from _dealt((), left, 1, decks, referee.numbers(rules))


def _dealt(
    cards: tuple[int, ...], left: Int, ways: int, decks: int, rules: referee.Numbers
) -> Iterator[tuple[tuple[int, ...], int]]:
    values = [card // 4 + 1 for card in cards]
    ace = 1 in values
    if cards:
        total = referee.player_total(len(cards), sum(values), ace, False, rules)
        may = referee.may(HIT, len(cards), sum(values), ace, len(cards) + 1, rules)
        if values == [1] or total > HITS or not may:
            return
    if len(cards) == 5:
        yield cards, ways
        return
    for card in range(len(left)):
        copies = int(left[card])
        if copies:
            left[card] -= decks > 0
            yield from _dealt((*cards, card), left, ways * copies, decks, rules)
            left[card] += decks > 0
