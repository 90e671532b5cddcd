"""Every deal of a range of starts, and random rounds, played out through the referee."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from engine.cards.deck import DECK, pairs
from engine.cards.draw import BATCH, Radix, sixes, unpack
from engine.cards.hands.baccarat import FACES, POINTS, add
from engine.exact.kernels import njit
from engine.games.fu_bacc.referee import (
    Numbers,
    bonus_offer,
    decision,
    may,
    play_out,
    takes_third,
    winner,
)
from engine.games.fu_bacc.rules import ACTIONS, SETTLEMENTS, Labels

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
def known_at(rules: Numbers) -> Int:
    """Low and high value, up-card and offer of every numbered set, shape (4, SETS)."""
    known = np.empty((4, SETS), dtype=np.int64)
    for high in range(10):
        for low in range(high + 1):
            for up in range(10):
                for faces in (0, 2):
                    offer = bonus_offer(low, high, faces, up, rules)
                    index = set_number(low, high, up, offer)
                    known[0, index], known[1, index] = low, high
                    known[2, index], known[3, index] = up, offer
    return known


def labels() -> Labels:
    """Ask the referee what every action is and who wins at every settlement."""
    actions, codes = range(len(ACTIONS)), range(SETTLEMENTS)
    return Labels(
        np.array([decision(action) for action in actions]),
        np.array([int(takes_third(action)) for action in actions]),
        np.array([winner(code // 20, code // 2 % 10) for code in codes]),
    )


def starts(decks: int, ranks: Collection[int] = range(13)) -> tuple[Int, Int]:
    """List all starts from a shoe of some ranks: player's two cards in no order, then the up-card.

    Returns (`cards`, `weight`): card types, shape (n, 3), and the number of physical starts
    behind each, shape (n,). One deck has 66,300 starts of weight 1.
    """
    hands = pairs(DECK, decks)
    first, second = np.repeat(hands, DECK, axis=0).T
    up = np.tile(np.arange(DECK), len(hands))
    same = first == second
    left = decks - (up == first) - (up == second)
    weight = np.where(same, decks * (decks - 1) // 2, decks * decks) * left
    cards = np.stack([first, second, up], axis=1)
    dealt = (weight > 0) & np.isin(cards // 4, list(ranks)).all(axis=1)
    return cards[dealt], weight[dealt]


@njit
def exhaust_starts(
    cards: Int, weight: Int, copies: Int, points: Int, faces: Int, rules: Numbers, counts: Int
) -> None:
    """Play every ordered deal of some starts both ways, standing and drawing.

    `copies`: cards of each type in the shoe, shape (52,). Adds to `counts`, shape
    (SETS, 2, SETTLEMENTS), int64: at most 2.6e15 deals with eight decks, far below 2^63. Cards of
    one type are counted, not told apart: each sequence of types weighs the product of the copies
    that are left. A player who stands leaves the third further card in the shoe; their hand counts
    once for each card it could be.
    """
    left = np.empty(DECK, dtype=np.int64)
    stood = np.empty(SETTLEMENTS, dtype=np.int64)
    drawn = np.empty(SETTLEMENTS, dtype=np.int64)
    to = rules.dealer_draws_to
    unseen = copies.sum() - 5
    for start in range(len(cards)):
        left[:] = copies
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
        index = set_number(first, second, up, offer)
        for code in range(SETTLEMENTS):
            counts[index, 0, code] += stood[code]
            counts[index, 1, code] += drawn[code]


@njit
def _look(packed: Int, points: Int, faces: Int, seen: NDArray[np.int8]) -> None:
    """Read the points of each round's six cards, and the faces of the first two, shape (7, n)."""
    for k in range(len(packed)):
        a, b, c, d, e, f = unpack(packed[k])
        seen[0, k], seen[1, k], seen[2, k] = points[a], points[b], points[c]
        seen[3, k], seen[4, k], seen[5, k] = points[d], points[e], points[f]
        seen[6, k] = faces[a] + faces[b]


@njit
def _settle(seen: NDArray[np.int8], rules: Numbers, cells: Int) -> None:
    """Play rounds out both ways: the place of each in one set's 400 counts, drawing's above."""
    first, second, up, next_, then = seen[0], seen[1], seen[2], seen[3], seen[4]
    last, faces = seen[5], seen[6]
    to = rules.dealer_draws_to
    for k in range(len(cells)):
        one, two, shown, p, q, r = first[k], second[k], up[k], next_[k], then[k], last[k]
        offer = bonus_offer(one, two, faces[k], shown, rules)
        base = 2 * SETTLEMENTS * set_number(one, two, shown, offer)
        stood = base + play_out(one, two, shown, p, q, r, False, to)
        drawn = base + play_out(one, two, shown, p, q, r, True, to) + SETTLEMENTS
        cells[k] = drawn << 32 | stood


@njit
def simulate_rounds(
    words: NDArray[np.uint64], by: Radix, points: Int, faces: Int, rules: Numbers, counts: Int
) -> None:
    """Play random rounds both ways; adds to `counts`, shape (SETS, 2, SETTLEMENTS), int64.

    `by` is the shoe's `radix`. Rounds go through each step a batch at a time, so that a loop only
    looks up, only calculates, or only counts: then the compiler lets several rounds run at once.
    """
    flat = counts.reshape(-1)
    tally = np.zeros(len(flat), dtype=np.int32)
    for begin in range(0, len(words), BATCH):
        packed = sixes(words[begin : begin + BATCH], by)
        seen = np.empty((7, len(packed)), dtype=np.int8)
        _look(packed, points, faces, seen)
        _settle(seen, rules, packed)
        for cells in packed:
            tally[cells & 0xFFFFFFFF] += 1
            tally[cells >> 32] += 1
    for cell in range(len(flat)):
        flat[cell] += tally[cell]


@njit
def open_actions(offer: Int, two: Int, rules: Numbers) -> NDArray[np.bool_]:
    """Ask the referee which actions are open, shape (sets, 6), by offer and two-card total."""
    opened = np.empty((len(offer), len(ACTIONS)), dtype=np.bool_)
    for index in range(len(offer)):
        for action in range(len(ACTIONS)):
            opened[index, action] = may(action, offer[index], two[index], rules)
    return opened


def added(low: Int, high: Int) -> Int:
    """Totals of two cards, shape (n,), added as the referee adds them."""
    pairs = zip(low.tolist(), high.tolist(), strict=True)
    return np.array([add(one, other) for one, other in pairs], dtype=np.int64)


def empty_counts() -> Int:
    """Allocate the counts that both kernels add to."""
    return np.zeros((SETS, 2, SETTLEMENTS), dtype=np.int64)


def shoe_values(decks: int) -> tuple[Int, Int]:
    """Points and face flags of every physical card of a shoe, shape (52 × decks,)."""
    return np.tile(POINTS, decks), np.tile(FACES, decks)
