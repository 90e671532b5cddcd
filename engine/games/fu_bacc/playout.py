"""Every deal of a range of starts, and random rounds, played out through the referee."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK, pairs
from engine.draw import six
from engine.games.fu_bacc.referee import bonus_offer, may, play_out
from engine.games.fu_bacc.rules import ACTIONS, SETTLEMENTS, Rules
from engine.hands.baccarat import FACES, POINTS
from engine.kernels import njit

#: Pairs of values (55) by dealer's up-card (10), and once more for hands offered the pair bonus.
SETS = 2 * 550

Int = NDArray[np.int64]


@njit
def set_number(first: int, second: int, up: int, offer: int) -> int:
    """Number the information set of two player values, the up-card and the offer."""
    low, high = min(first, second), max(first, second)
    pair = high * (high + 1) // 2 + low
    return 10 * pair + up + (550 if offer == 3 else 0)


@njit
def known_at(rules: Rules) -> Int:
    """Low and high value, up-card and offer of every numbered set, shape (4, SETS)."""
    known = np.empty((4, SETS), dtype=np.int64)
    for high in range(10):
        for low in range(high + 1):
            for up in range(10):
                for faces in (0, 2):
                    offer = bonus_offer(low, high, faces, up, rules)
                    place = set_number(low, high, up, offer)
                    known[0, place], known[1, place] = low, high
                    known[2, place], known[3, place] = up, offer
    return known


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
    the product of the copies that are left. A player who stands leaves the third further card in
    the shoe; his hand counts once for each card it could be.
    """
    left = np.empty(DECK, dtype=np.int64)
    stood = np.empty(SETTLEMENTS, dtype=np.int64)
    drawn = np.empty(SETTLEMENTS, dtype=np.int64)
    to = rules.dealer_draws_to
    unseen = DECK * rules.decks - 5
    for start in range(len(cards)):
        left[:] = rules.decks
        for k in range(3):
            left[cards[start, k]] -= 1
        first, second, up = (
            points[cards[start, 0]],
            points[cards[start, 1]],
            points[cards[start, 2]],
        )
        held_faces = faces[cards[start, 0]] + faces[cards[start, 1]]
        stood[:] = 0
        drawn[:] = 0
        for a in range(DECK):
            if left[a] == 0:
                continue
            p, weight_a = points[a], weight[start] * left[a]
            left[a] -= 1
            for b in range(DECK):
                if left[b] == 0:
                    continue
                q, weight_b = points[b], weight_a * left[b]
                left[b] -= 1
                stood[play_out(first, second, up, p, q, 0, False, to)] += weight_b * unseen
                for c in range(DECK):
                    settled = play_out(first, second, up, p, q, points[c], True, to)
                    drawn[settled] += weight_b * left[c]
                left[b] += 1
            left[a] += 1
        offer = bonus_offer(first, second, held_faces, up, rules)
        place = set_number(first, second, up, offer)
        for code in range(SETTLEMENTS):
            counts[place, 0, code] += stood[code]
            counts[place, 1, code] += drawn[code]


@njit
def simulate_rounds(
    words: NDArray[np.uint64],
    by: NDArray[np.uint64],
    points: Int,
    faces: Int,
    rules: Rules,
    counts: Int,
) -> None:
    """Play random rounds both ways; adds to `counts`, shape (SETS, 2, SETTLEMENTS), int64.

    Rounds are tallied in int32 first (a block has 2^20), in a table small enough for the cache.
    """
    shoe = np.uint64(len(points))
    stood = np.zeros((SETS, 20), dtype=np.int32)
    drawn = np.zeros((SETS, SETTLEMENTS), dtype=np.int32)
    player = np.zeros(SETS, dtype=np.int64)
    to = rules.dealer_draws_to
    for word in words:
        a, b, c, d, e, f = six(word, by, shoe)
        first, second, up = points[a], points[b], points[c]
        p, q, r = points[d], points[e], points[f]
        offer = bonus_offer(first, second, faces[a] + faces[b], up, rules)
        place = set_number(first, second, up, offer)
        standing = play_out(first, second, up, p, q, r, False, to)
        player[place] = standing // 20
        stood[place, standing - 20 * player[place]] += 1
        drawn[place, play_out(first, second, up, p, q, r, True, to)] += 1
    for place in range(SETS):
        for code in range(20):
            counts[place, 0, 20 * player[place] + code] += stood[place, code]
        for code in range(SETTLEMENTS):
            counts[place, 1, code] += drawn[place, code]


@njit
def open_actions(offer: Int, two: Int, rules: Rules) -> NDArray[np.bool_]:
    """Ask the referee which actions are open, shape (sets, 6), by offer and two-card total."""
    opened = np.empty((len(offer), len(ACTIONS)), dtype=np.bool_)
    for place in range(len(offer)):
        for action in range(len(ACTIONS)):
            opened[place, action] = may(action, offer[place], two[place], rules)
    return opened


def empty_counts() -> Int:
    """Allocate the counts that both kernels add to."""
    return np.zeros((SETS, 2, SETTLEMENTS), dtype=np.int64)


def shoe_values(decks: int) -> tuple[Int, Int]:
    """Points and face flags of every physical card of a shoe, shape (52 × decks,)."""
    return np.tile(POINTS, decks), np.tile(FACES, decks)
