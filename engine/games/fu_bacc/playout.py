"""Every deal of a range of starts, and random rounds, played out through the referee."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK, pairs
from engine.games.fu_bacc.referee import bonus_offer, play_out
from engine.games.fu_bacc.rules import SETTLEMENTS, Rules
from engine.hands.baccarat import FACES, POINTS
from engine.kernels import njit

#: Random rounds are drawn from one deck's ordered deals of six cards.
ROUND_CARDS = 6
#: Information sets are numbered densely: pair of values (55) × dealer's up-card (10) × offer (4).
SETS = 55 * 10 * 4

Int = NDArray[np.int64]


@njit
def set_number(first: int, second: int, up: int, offer: int) -> int:
    """Number the information set of two player values, the up-card and the offer."""
    low, high = min(first, second), max(first, second)
    pair = high * (high + 1) // 2 + low
    return (pair * 10 + up) * 4 + offer


def starts(decks: int) -> tuple[Int, Int]:
    """List all starts: the player's two cards in no order, then the dealer's up-card.

    Returns (`cards`, `weight`): card types, shape (n, 3), and the number of physical starts
    behind each, shape (n,). One deck has 66,300 starts of weight 1.
    """
    held = pairs(DECK, decks)
    first, second = np.repeat(held, DECK, axis=0).T
    up = np.tile(np.arange(DECK), len(held))
    same = first == second
    left = decks - (up == first) - (up == second)
    weight = np.where(same, decks * (decks - 1) // 2, decks * decks) * left
    dealt = weight > 0
    return np.stack([first, second, up], axis=1)[dealt], weight[dealt]


@njit
def exhaust_starts(
    cards: Int, weight: Int, points: Int, faces: Int, rules: Rules, counts: Int
) -> None:
    """Play every ordered deal of some starts both ways, standing and drawing.

    Adds to `counts`, shape (SETS, 2, SETTLEMENTS), int64: at most 2.6e15 deals with eight decks,
    far below 2^63. Cards of one type are counted, not told apart: each sequence of types weighs
    the product of the copies that are left.
    """
    left = np.empty(DECK, dtype=np.int64)
    stood = np.empty(SETTLEMENTS, dtype=np.int64)
    drawn = np.empty(SETTLEMENTS, dtype=np.int64)
    for start in range(len(cards)):
        left[:] = rules.decks
        for k in range(3):
            left[cards[start, k]] -= 1
        first, second, up = points[cards[start, 0]], points[cards[start, 1]], points[cards[start, 2]]
        held_faces = faces[cards[start, 0]] + faces[cards[start, 1]]
        stood[:] = 0
        drawn[:] = 0
        for a in range(DECK):
            weight_a = weight[start] * left[a]
            if weight_a == 0:
                continue
            left[a] -= 1
            for b in range(DECK):
                weight_b = weight_a * left[b]
                if weight_b == 0:
                    continue
                left[b] -= 1
                for c in range(DECK):
                    deals = weight_b * left[c]
                    p, q, r = points[a], points[b], points[c]
                    to = rules.dealer_draws_to
                    stood[play_out(first, second, up, p, q, r, False, to)] += deals
                    drawn[play_out(first, second, up, p, q, r, True, to)] += deals
                left[b] += 1
            left[a] += 1
        offer = bonus_offer(first, second, held_faces, up, rules)
        place = set_number(first, second, up, offer)
        for code in range(SETTLEMENTS):
            counts[place, 0, code] += stood[code]
            counts[place, 1, code] += drawn[code]


@njit
def deal_cards(word: int, shoe: Int, taken: Int) -> None:
    """Turn a number below 52·51·50·49·48·47 into six different places of a shoe in order.

    `shoe` holds a permutation and is left as it was; `taken` receives the six cards.
    """
    cards = len(shoe)
    for k in range(6):
        choice = word % np.uint64(cards - k)
        word = word // np.uint64(cards - k)
        other = k + np.int64(choice)
        taken[k] = other
        shoe[k], shoe[other] = shoe[other], shoe[k]
    for k in range(5, -1, -1):
        other = taken[k]
        card = shoe[k]
        shoe[k], shoe[other] = shoe[other], shoe[k]
        taken[k] = card


@njit
def simulate_rounds(
    words: NDArray[np.uint64], points: Int, faces: Int, rules: Rules, counts: Int
) -> None:
    """Play random rounds both ways; adds to `counts`, shape (SETS, 2, SETTLEMENTS), int64."""
    shoe = np.arange(len(points))
    cards = np.empty(6, dtype=np.int64)
    for word in words:
        deal_cards(word, shoe, cards)
        first, second, up = points[cards[0]], points[cards[1]], points[cards[2]]
        p, q, r = points[cards[3]], points[cards[4]], points[cards[5]]
        offer = bonus_offer(first, second, faces[cards[0]] + faces[cards[1]], up, rules)
        place = set_number(first, second, up, offer)
        to = rules.dealer_draws_to
        counts[place, 0, play_out(first, second, up, p, q, r, False, to)] += 1
        counts[place, 1, play_out(first, second, up, p, q, r, True, to)] += 1


def empty_counts() -> Int:
    """Allocate the counts that both kernels add to."""
    return np.zeros((SETS, 2, SETTLEMENTS), dtype=np.int64)


def shoe_values(decks: int) -> tuple[Int, Int]:
    """Points and face flags of every physical card of a shoe, shape (52 × decks,)."""
    return np.tile(POINTS, decks), np.tile(FACES, decks)

