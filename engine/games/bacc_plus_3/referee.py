"""Baccarat + 3 as its rule sheet reads. `exhaust`, `simulate` and `play` ask here."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.games.bacc_plus_3.rules import Rules
from engine.hands.baccarat import add
from engine.hands.three_card import PAIR, STRAIGHT, ThreeCard, index
from engine.kernels import njit

Int = NDArray[np.int64]


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
def house_step(step: int, baccarat: int, category: int, rules: Rules) -> bool:
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
def better(baccarat: int, held: int, other_baccarat: int, other_held: int) -> bool:
    """Tell whether a split comes before another of the same step of the house way."""
    if baccarat != other_baccarat:
        return baccarat > other_baccarat
    return held > other_held


@njit
def house_way(hands: Int, poker: ThreeCard, rules: Rules) -> int:
    """Choose the dealer's split out of the ten hands that `set_hands` laid out.

    The first step that any split serves decides: a straight or better in the poker hand; a nine in
    the baccarat hand; a pair in the poker hand; anything. Among its splits the highest baccarat
    total is taken, then the highest poker hand.
    """
    for step in range(1, 5):
        best = -1
        for split in range(len(hands)):
            baccarat, held = hands[split]
            if not house_step(step, baccarat, poker.category[held], rules):
                continue
            if best < 0 or better(baccarat, held, hands[best, 0], hands[best, 1]):
                best = split
        if best >= 0:
            return best
    return -1


@njit
def baccarat_winner(player: int, dealer: int, rules: Rules) -> int:
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
    """Whose poker class is higher: 0 player, 1 dealer, 2 neither (a copy)."""
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
