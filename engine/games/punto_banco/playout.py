"""Every deal of a range of starts, and random rounds, played through the referee.

Cards are *types*: the 52 cards, the 13 ranks, or the ten point values, as the columns need.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.cards.deck import DECK
from engine.cards.draw import BATCH, Radix, sixes, unpack
from engine.cards.hands.baccarat import add
from engine.exact.kernels import njit
from engine.games.punto_banco import referee
from engine.games.punto_banco.rules import NONE

Int = NDArray[np.int64]


@njit
def exhaust_starts(
    first: Int,
    second: Int,
    weight: Int,
    copies: Int,
    points: Int,
    player_looks: Int,
    banker_looks: Int,
    counts: Int,
) -> None:
    """Play every ordered deal of some starts; `first` and `second` are Player's first two types.

    `weight`: physical ways to deal each start, shape (n,); `copies`: cards of each type in the
    shoe. A sequence of types weighs the product of the copies left, and the cards that nobody
    draws are counted all the same, so that every deal has six. Adds to `counts`, shape (Player's
    classes, Banker's), int64: at most 624·623·622·621·620·619 < 2^56 in all.
    """
    types = len(copies)
    cards = copies.sum()
    left = copies.copy()
    for start in range(len(weight)):
        p, q = first[start], second[start]
        left[:] = copies
        left[p] -= 1
        left[q] -= 1
        player_initial_total = add(points[p], points[q])
        for b in range(types):
            three = weight[start] * left[b]
            if three == 0:
                continue
            left[b] -= 1
            for c in range(types):
                four = three * left[c]
                if four == 0:
                    continue
                left[c] -= 1
                banker_initial_total = add(points[b], points[c])
                if referee.player_draws(player_initial_total, banker_initial_total):
                    for x in range(types):
                        five = four * left[x]
                        if five == 0:
                            continue
                        seen = counts[player_looks[p, q, x]]
                        if referee.banker_draws(
                            player_initial_total, banker_initial_total, points[x]
                        ):
                            left[x] -= 1
                            for y in range(types):
                                seen[banker_looks[b, c, y]] += five * left[y]
                            left[x] += 1
                        else:
                            seen[banker_looks[b, c, types]] += five * (cards - 5)
                else:
                    seen = counts[player_looks[p, q, types]]
                    if referee.banker_draws(player_initial_total, banker_initial_total, NONE):
                        for y in range(types):
                            seen[banker_looks[b, c, y]] += four * left[y] * (cards - 5)
                    else:
                        seen[banker_looks[b, c, types]] += four * (cards - 4) * (cards - 5)
                left[c] += 1
            left[b] += 1


@njit
def thirds(
    player_initial_total: int, banker_initial_total: int, fifth: int, sixth: int, points: Int
) -> tuple[int, int]:
    """Say which of the two next cards Player and Banker draw; `len(points)` for none."""
    none = len(points)
    if referee.player_draws(player_initial_total, banker_initial_total):
        if referee.banker_draws(player_initial_total, banker_initial_total, points[fifth]):
            return fifth, sixth
        return fifth, none
    if referee.banker_draws(player_initial_total, banker_initial_total, NONE):
        return none, fifth
    return none, none


@njit
def draw(cards: Int, at: int, points: Int) -> tuple[int, int, int]:
    """Finish a round whose cards begin at place `at`: Player, Banker, Player, Banker, then draws.

    Returns the types of Player's and Banker's third cards (`len(points)` for none) and the number
    of cards used, 4–6.
    """
    player_initial_total = add(points[cards[at]], points[cards[at + 2]])
    banker_initial_total = add(points[cards[at + 1]], points[cards[at + 3]])
    x, y = thirds(player_initial_total, banker_initial_total, cards[at + 4], cards[at + 5], points)
    return x, y, 4 + (x < len(points)) + (y < len(points))


@njit
def simulate_rounds(
    words: NDArray[np.uint64],
    by: Radix,
    shoe: Int,
    points: Int,
    player_looks: Int,
    banker_looks: Int,
    counts: Int,
) -> None:
    """Play one round from a fresh shoe for each word; adds to `counts` as `exhaust_starts` does.

    `shoe` holds the type of every physical card, `by` is its `radix`.
    """
    for begin in range(0, len(words), BATCH):
        for packed in sixes(words[begin : begin + BATCH], by):
            a, b, c, d, e, f = unpack(packed)
            p, q, r, s = shoe[a], shoe[c], shoe[b], shoe[d]
            x, y = thirds(
                add(points[p], points[q]), add(points[r], points[s]), shoe[e], shoe[f], points
            )
            counts[player_looks[p, q, x], banker_looks[r, s, y]] += 1


@njit
def exhaust_four(
    first: Int, second: Int, weight: Int, copies: Int, classes: Int, counts: Int
) -> None:
    """Deal Banker's first two cards after every start, by types 0–51.

    `copies`: cards of each type in the shoe, shape (52,); `classes` numbers what two cards in order
    look like, shape (52, 52); adds to `counts`, shape (classes, classes), int64: at most
    624·623·622·621 deals.
    """
    left = np.empty(DECK, dtype=np.int64)
    for start in range(len(weight)):
        left[:] = copies
        left[first[start]] -= 1
        left[second[start]] -= 1
        seen = counts[classes[first[start], second[start]]]
        for b in range(DECK):
            three = weight[start] * left[b]
            left[b] -= 1
            for c in range(DECK):
                seen[classes[b, c]] += three * left[c]
            left[b] += 1


@njit
def simulate_four(
    words: NDArray[np.uint64], by: Radix, shoe: Int, classes: Int, counts: Int
) -> None:
    """See the first four cards of one round for each word; adds to `counts`."""
    for begin in range(0, len(words), BATCH):
        for packed in sixes(words[begin : begin + BATCH], by):
            a, b, c, d, _, _ = unpack(packed)
            counts[classes[shoe[a], shoe[c]], classes[shoe[b], shoe[d]]] += 1
