"""Baccarat + 3 as its rule sheet reads. `exhaust`, `simulate` and `play` ask here."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards.hands.baccarat import add
from engine.cards.hands.three_card import (
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    ThreeCard,
    index,
    three_card,
)
from engine.exact.kernels import njit
from engine.games.bacc_plus_3.rules import Rules

Int = NDArray[np.int64]


class Numbers(NamedTuple):
    """The rules as compiled code takes them.

    Who wins equal totals and nines: 0 player, 1 dealer, 2 nobody; `pair_only` is 0 or 1.
    """

    equal_totals: int
    nine_nine: int
    pair_only: int


def numbers(rules: Rules) -> Numbers:
    """Read the words of a setting."""
    winner = {"player": 0, "dealer": 1, "push": 2}
    return Numbers(
        winner[rules.equal_totals],
        winner[rules.nine_nine],
        {"at least a pair": 0, "pair only": 1}[rules.house_step_3],
    )


def order(rules: Rules) -> ThreeCard:
    """The order of poker hands under a setting."""
    return three_card({"lowest": False, "second": True}[rules.ace_two_three])


@njit
def set_hands(cards: Int, splits: Int, points: Int, poker: ThreeCard, hands: Int) -> None:
    """Lay five cards (descending) out in all ten ways.

    `hands`, shape (10, 2), receives each split's baccarat total (0–9) and poker class (0–740).
    """
    for split in range(len(splits)):
        first, second, a, b, c = splits[split]
        hands[split, 0] = add(points[cards[first]], points[cards[second]])
        hands[split, 1] = poker.class_of[index(cards[a], cards[b], cards[c])]


@njit
def house_step(step: int, baccarat: int, category: int, rules: Numbers) -> bool:
    """Tell whether a split serves a step of the dealer's house way."""
    if step == 1:
        return category >= STRAIGHT
    if step == 2:
        return baccarat == 9
    if step == 3:
        if rules.pair_only == 1:
            return category == PAIR
        return category >= PAIR
    return True


@njit
def better(baccarat: int, poker: int, other_baccarat: int, other_poker: int) -> bool:
    """Tell whether a split comes before another of the same step of the house way."""
    if baccarat != other_baccarat:
        return baccarat > other_baccarat
    return poker > other_poker


@njit
def house_way(hands: Int, poker: ThreeCard, rules: Numbers) -> int:
    """Choose the dealer's split out of the ten hands that `set_hands` laid out.

    The first step that any split serves decides: a straight or better in the poker hand; a nine in
    the baccarat hand; a pair in the poker hand; anything. Among its splits the highest baccarat
    total is taken, then the highest poker hand.
    """
    for step in range(1, 5):
        best = -1
        for split in range(len(hands)):
            baccarat, poker_class = hands[split]
            if not house_step(step, baccarat, poker.category[poker_class], rules):
                continue
            if best < 0 or better(baccarat, poker_class, hands[best, 0], hands[best, 1]):
                best = split
        if best >= 0:
            return best
    return -1


@njit
def baccarat_winner(player: int, dealer: int, rules: Numbers) -> int:
    """Who wins with these baccarat totals: 0 player, 1 dealer, 2 nobody."""
    if player > dealer:
        return 0
    if player < dealer:
        return 1
    if player == 9:
        return rules.nine_nine
    return rules.equal_totals


@njit
def poker_winner(player: int, dealer: int) -> int:
    """Whose poker class is higher: 0 player, 1 dealer, 2 neither: a copy."""
    if player > dealer:
        return 0
    if player < dealer:
        return 1
    return 2


@njit
def best_poker(hands: Int) -> int:
    """Highest poker class among the ten hands that `set_hands` laid out, for the poker bet."""
    best = 0
    for split in range(len(hands)):
        best = max(best, int(hands[split, 1]))
    return best


@njit
def poker_bet(poker_class: int, poker: ThreeCard) -> int:
    """What the poker bet is settled by: the category, and 6 for ace, king, queen of one suit."""
    if poker.category[poker_class] == STRAIGHT_FLUSH and poker.high[poker_class] == 14:
        return 6
    return int(poker.category[poker_class])
