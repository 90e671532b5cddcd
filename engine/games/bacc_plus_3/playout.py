"""Every dealer hand against every player hand, and random rounds, through the referee."""

from __future__ import annotations

import functools
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards.deck import DECK
from engine.cards.hands.baccarat import POINTS
from engine.cards.hands.suits import next_set, suit_classes, unrank
from engine.cards.hands.three_card import CATEGORIES, CLASSES, ThreeCard
from engine.exact.kernels import njit
from engine.games.bacc_plus_3.referee import (
    Numbers,
    best_poker,
    house_way,
    numbers,
    order,
    poker_winner,
    set_hands,
)
from engine.games.bacc_plus_3.rules import SPLITS, WINNERS, Rules

Int = NDArray[np.int64]

#: Five-card hands of a whole deck, and of the 47 cards that one player's hand leaves.
HANDS = comb(DECK, 5)
DEALER_HANDS = comb(DECK - 5, 5)
#: Random rounds that are played side by side.
BATCH = 2048
#: Player's hands that meet the dealer's together, and dealer's hands at a time.
TOGETHER, BLOCK = 32, 2048
#: Played deals are counted by player's cell, dealer's total, dealer's category, poker winner.
SHAPE = (10 * CLASSES, 10, len(CATEGORIES), len(WINNERS))


class House(NamedTuple):
    """The dealer's setting of each of the 2,598,960 hands, by the referee.

    `code[r]`: number of the setting of the hand of rank r, shape (2598960,), uint16; `poker`,
    `baccarat`: poker class and baccarat total of each setting, int64.
    """

    code: NDArray[np.uint16]
    poker: Int
    baccarat: Int


class DealerHands(NamedTuple):
    """All hands as sets of bits, card c being bit c, sorted by the dealer's setting.

    Those of setting number s are `masks[first[s] : first[s + 1]]`; `masks`: shape (2598960,),
    `first`: shape (settings + 1,), both int64.
    """

    masks: Int
    first: Int


@njit
def _set_all(splits: Int, points: Int, poker: ThreeCard, rules: Numbers, cell: Int) -> None:
    hands = np.empty((10, 2), dtype=np.int64)
    cards = np.arange(4, -1, -1)
    for rank in range(len(cell)):
        set_hands(cards, splits, points, poker, hands)
        split = house_way(hands, poker, rules)
        cell[rank] = 10 * hands[split, 1] + hands[split, 0]
        next_set(cards)


@functools.lru_cache(maxsize=8)
def house(rules: Rules) -> House:
    """Ask the referee once how the dealer sets every hand."""
    cell = np.empty(HANDS, dtype=np.int64)
    _set_all(SPLITS, POINTS, order(rules), numbers(rules), cell)
    present = np.flatnonzero(np.bincount(cell))
    number = np.zeros(present[-1] + 1, dtype=np.uint16)
    number[present] = np.arange(len(present))
    return House(number[cell], present // 10, present % 10)


@njit
def _lay_out(cards: Int, splits: Int, points: Int, poker: ThreeCard, hands: Int) -> None:
    for hand in range(len(cards)):
        set_hands(cards[hand], splits, points, poker, hands[hand])


def lay_out(cards: Int, rules: Rules) -> Int:
    """Baccarat total and poker class of all ten splits of some hands, shape (n, 10, 2)."""
    hands = np.empty((len(cards), len(SPLITS), 2), dtype=np.int64)
    _lay_out(cards, SPLITS, POINTS, order(rules), hands)
    return hands


@njit
def _sort_hands(code: NDArray[np.uint16], first: Int, masks: Int) -> None:
    following = first.copy()
    cards = np.arange(4, -1, -1)
    for rank in range(len(code)):
        mask = 0
        for card in cards:
            mask |= 1 << int(card)
        masks[following[code[rank]]] = mask
        following[code[rank]] += 1
        next_set(cards)


@functools.lru_cache(maxsize=2)
def dealer_hands(rules: Rules) -> DealerHands:
    """Sort every hand by the way that the dealer sets it."""
    code = house(rules).code
    first = np.append(0, np.cumsum(np.bincount(code)))
    masks = np.empty(HANDS, dtype=np.int64)
    _sort_hands(code, first, masks)
    return DealerHands(masks, first)


@njit
def _count_apart(masks: Int, mine: int) -> int:
    """Count the hands that share no card with one hand, all given by bits."""
    apart = 0
    for k in range(len(masks)):
        if masks[k] & mine == 0:
            apart += 1
    return apart


@njit
def meet_all(cards: Int, dealt: DealerHands, met: NDArray[np.int32]) -> None:
    """Hold all 2,598,960 hands against some player's hands, shape (n, 5), one by one.

    Writes to `met`, shape (n, settings), how many of the 1,533,939 hands that share no card with a
    player's hand the dealer sets in each way. Hands set alike stand side by side, so that the
    compiler holds several against a player's hand at once; a block of them meets every player's
    hand while it is in the cache.
    """
    mine = np.zeros(len(cards), dtype=np.int64)
    for hand in range(len(cards)):
        for card in cards[hand]:
            mine[hand] |= 1 << card
    met[: len(cards)] = 0
    for setting in range(len(dealt.first) - 1):
        end = dealt.first[setting + 1]
        for begin in range(dealt.first[setting], end, BLOCK):
            block = dealt.masks[begin : min(begin + BLOCK, end)]
            for hand in range(len(mine)):
                met[hand, setting] += _count_apart(block, mine[hand])


@njit
def exhaust_hands(
    cards: Int,
    weight: Int,
    cells: Int,
    cell_index: Int,
    dealer: House,
    dealt: DealerHands,
    poker: ThreeCard,
    counts: Int,
) -> None:
    """Play some hands against every dealer hand, each in several ways.

    `cell_index[hand, way]`: number in `cells` of the player's cell. Adds deals to `counts`, shape
    (ways, cells, 10, 6, 3), int64, below 4e12.
    """
    settings = len(dealer.poker)
    met = np.empty((TOGETHER, settings), dtype=np.int32)
    for begin in range(0, len(cards), TOGETHER):
        end = min(begin + TOGETHER, len(cards))
        meet_all(cards[begin:end], dealt, met)
        for hand in range(begin, end):
            for setting in range(settings):
                deals = met[hand - begin, setting] * weight[hand]
                if deals == 0:
                    continue
                other, total = dealer.poker[setting], dealer.baccarat[setting]
                category = poker.category[other]
                for way in range(cell_index.shape[1]):
                    player_cell = cell_index[hand, way]
                    won = poker_winner(cells[player_cell] // 10, other)
                    counts[way, player_cell, total, category, won] += deals


@njit
def dealer_rank(player: int, places: int, choose: Int) -> int:
    """Rank of the dealer's hand in the deck.

    `player`: the player's packed cards; `places`: the packed places that the dealer's cards have
    among the 47 that are left.
    """
    # A place moves up by one for every player's card that lies at or below the card it ends at.
    t0 = player & 63
    t1 = (player >> 6 & 63) - 1
    t2 = (player >> 12 & 63) - 2
    t3 = (player >> 18 & 63) - 3
    t4 = (player >> 24 & 63) - 4
    rank = 0
    for k in range(5):
        q = places >> 6 * k & 63
        rank += choose[q + (q >= t0) + (q >= t1) + (q >= t2) + (q >= t3) + (q >= t4), k + 1]
    return rank


@njit
def simulate_rounds(
    words: NDArray[np.uint64],
    packed: NDArray[np.uint32],
    cells: NDArray[np.int16],
    best: NDArray[np.int16],
    dealer: House,
    poker: ThreeCard,
    choose: Int,
    counts: Int,
    best_counts: Int,
) -> None:
    """Play random rounds under several strategies, all on the same cards.

    A word below C(52, 5) · C(47, 5) is the rank of the player's hand × 1,533,939 + the rank of the
    dealer's places among the cards left. `cells[s, rank]`: cell that strategy s sets the player's
    hand to; `best`: its highest poker class, shape (2598960,). Adds to `counts`, shape
    (strategies, 7410, 10, 6, 3), and to `best_counts`, shape (741,).

    Rounds go through each step by the thousand: tables of millions of hands are slow to reach, and
    reaching for many entries at a time hides it.
    """
    ranks, places = np.empty(BATCH, dtype=np.int64), np.empty(BATCH, dtype=np.int64)
    dealer_hand, setting = np.empty(BATCH, dtype=np.int64), np.empty(BATCH, dtype=np.int64)
    for begin in range(0, len(words), BATCH):
        rounds = min(BATCH, len(words) - begin)
        for i in range(rounds):
            rank = words[begin + i] // np.uint64(DEALER_HANDS)
            ranks[i] = rank
            places[i] = packed[words[begin + i] - rank * np.uint64(DEALER_HANDS)]
        for i in range(rounds):
            dealer_hand[i] = packed[ranks[i]]
        for i in range(rounds):
            setting[i] = dealer_rank(dealer_hand[i], places[i], choose)
        for i in range(rounds):
            setting[i] = dealer.code[setting[i]]
        for i in range(rounds):
            best_counts[best[ranks[i]]] += 1
        for s in range(len(cells)):
            for i in range(rounds):
                dealer_hand[i] = cells[s, ranks[i]]
            for i in range(rounds):
                other = dealer.poker[setting[i]]
                won = poker_winner(dealer_hand[i] // 10, other)
                dealer_hand[i] = (
                    (dealer_hand[i] * 10 + dealer.baccarat[setting[i]]) * 6 + poker.category[other]
                ) * 3 + won
            flat = counts[s].reshape(-1)
            for i in range(rounds):
                flat[dealer_hand[i]] += 1


@functools.cache
def packed_hands() -> NDArray[np.uint32]:
    """Cards of every five-card hand by rank, six bits each, lowest first, shape (2598960,)."""
    cards = unrank(np.arange(HANDS), 5)
    packed: NDArray[np.uint32] = (cards << 6 * np.arange(4, -1, -1)).sum(axis=1).astype(np.uint32)
    return packed


@functools.lru_cache(maxsize=8)
def laid_out(rules: Rules) -> Int:
    """All ten splits of every canonical hand, by the referee, shape (134459, 10, 2)."""
    return lay_out(suit_classes(5).cards, rules)


@njit
def _best_classes(laid: Int, best: NDArray[np.int16]) -> None:
    for hand in range(len(laid)):
        best[hand] = best_poker(laid[hand])


@functools.lru_cache(maxsize=8)
def best_classes(rules: Rules) -> NDArray[np.int16]:
    """Highest poker class in every hand by rank, by the referee, shape (2598960,)."""
    best = np.empty(len(laid_out(rules)), dtype=np.int16)
    _best_classes(laid_out(rules), best)
    return best[suit_classes(5).of_rank]
