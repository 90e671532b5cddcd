"""Whole shoes of Punto Banco: shuffled, burnt and dealt through the referee to the cut card."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.cards.deck import DECK
from engine.contract.shoes import BLOCK, Procedure, Shoes
from engine.exact.errors import DealproofError
from engine.exact.kernels import njit
from engine.exact.tables import Table, pack
from engine.games.punto_banco import columns
from engine.games.punto_banco.hand_classes import Lens, compare, lens
from engine.games.punto_banco.playout import draw
from engine.games.punto_banco.rules import DEAL, Rules

Int = NDArray[np.int64]

#: Cards whose places one random word decides: 624·623·622·621·620·619 < 2^56.
_GROUP = 6
#: Words of a block beyond one a group. With twelve decks fewer than 200 are expected to be refused.
_SPARE = 1 << 14
#: Cards that burning can take.
_BURNT = 11
#: The round in which the cut card shows and one more can use so many cards behind it.
LEAST_BEHIND = 11


@njit
def divide(
    number: int | np.int64, by: int, inverse: float
) -> tuple[int | np.int64, int | np.int64]:
    """Divide a number below 2^62, given 1 / `by`; returns quotient and remainder, exactly.

    Multiplying is faster than dividing; the rounded product misses the quotient by little, which
    the remainder shows and mends.
    """
    quotient = int(number * inverse)
    rest = number - quotient * by
    while rest < 0:
        quotient -= 1
        rest += by
    while rest >= by:
        quotient += 1
        rest -= by
    return quotient, rest


@njit
def _shuffle(
    words: NDArray[np.uint64],
    at: int,
    last: NDArray[np.uint64],
    product: NDArray[np.uint64],
    inverse: NDArray[np.float64],
    shoe: Int,
) -> int:
    """Put a shoe into random order; returns the place of the next word, −1 if words run out.

    Word g decides six places: it is uniform on 0 … `last[g]`, a multiple of `product[g]` values.
    """
    cards = len(shoe)
    for group in range(len(last)):
        while at < len(words) and words[at] > last[group]:
            at += 1
        if at == len(words):
            return -1
        part: int | np.int64 = np.int64(words[at] % product[group])
        at += 1
        for k in range(group * _GROUP, min(group * _GROUP + _GROUP, cards)):
            part, choice = divide(part, cards - k, inverse[k])
            shoe[k], shoe[k + choice] = shoe[k + choice], shoe[k]
    return at


@njit
def _play(
    words: NDArray[np.uint64],
    last: NDArray[np.uint64],
    product: NDArray[np.uint64],
    fresh: Int,
    points: Int,
    player_looks: Int,
    banker_looks: Int,
    row_of: Int,
    nets: Int,
    cut: int,
    fixed: int,
    burns: bool,
    first: int,
    rounds: Int,
    net: Int,
    head: Int,
) -> bool:
    """Play shoes, adding to `rounds`, shape (shoes,), and `net` and `head`, shape (shoes, bets).

    A shoe ends with the cut card or, where `fixed` is not 0, after so many rounds; `head` takes the
    first `first` rounds. `nets` has shape (rows, bets). False if words run out.
    """
    inverse = 1.0 / (len(fresh) - np.arange(len(fresh)))
    shoe = fresh.copy()
    word = 0
    for number in range(len(rounds)):
        shoe[:] = fresh
        word = _shuffle(words, word, last, product, inverse, shoe)
        if word < 0:
            return False
        at = 0
        if burns:
            value = points[shoe[0]]
            at = 1 + (value if value > 0 else 10)
        dealt, final = 0, False
        won = net[number]
        while True:
            ending = final or at >= cut
            x, y, used = draw(shoe, at, points)
            left = player_looks[shoe[at], shoe[at + 2], x]
            right = banker_looks[shoe[at + 1], shoe[at + 3], y]
            paid = nets[row_of[left, right]]
            for bet in range(len(paid)):
                won[bet] += paid[bet]
            dealt += 1
            if dealt == first:
                head[number] = won
            at += used
            if ending or dealt == fixed:
                break
            final = at > cut
        rounds[number] = dealt
    return True


def _rows(seen: Lens, outcomes: Table) -> Int:
    """Number the row of `outcomes` for each pair of classes that a deal can end in."""
    left, right = (grid.reshape(-1) for grid in np.indices(seen.empty().shape))
    codes = pack(outcomes.features, outcomes.codes)
    player, banker = seen.sides(left, right)
    keys = pack(seen.features, columns.beside(seen.features, player, banker, compare))
    if codes is None or keys is None:
        raise ValueError("too many columns to number their rows")
    return np.searchsorted(codes, keys).reshape(seen.empty().shape)


def play(
    rules: Rules, outcomes: Table, nets: Int, blocks: range, seed: int, procedure: Procedure
) -> Shoes:
    """Deal whole shoes and add up what some bets net in each.

    `outcomes`: the space's table of the columns that settle the bets; `nets`: whole numbers of any
    unit, shape (bets, rows of `outcomes`). Each of `blocks` is 4,096 shoes from a stream of its
    own, so that more blocks keep the earlier shoes. Raises DealproofError for a procedure that
    deals no whole round, or more cards than there are.
    """
    cards = DECK * rules.decks
    cut, first = _ends(cards, procedure)
    seen = lens(outcomes.features)
    fresh = np.tile(seen.type_of, rules.decks)
    products = [
        math.prod(range(cards - k, max(cards - k - _GROUP, 0), -1)) for k in range(0, cards, _GROUP)
    ]
    last = np.array([(1 << 64) // p * p - 1 for p in products], dtype=np.uint64)
    product = np.array(products, dtype=np.uint64)
    row_of = _rows(seen, outcomes)
    paid = np.ascontiguousarray(nets.T, dtype=np.int64)
    parts = []
    for block in blocks:
        stream = np.random.Philox(np.random.SeedSequence(entropy=seed, spawn_key=(block, cards)))
        words = stream.random_raw(BLOCK * len(products) + _SPARE)
        rounds = np.zeros(BLOCK, dtype=np.int64)
        net, head = np.zeros((2, BLOCK, len(nets)), dtype=np.int64)
        enough = _play(
            words, last, product, fresh, seen.points, seen.player.of, seen.banker.of, row_of,
            paid, cut, procedure.rounds or 0, procedure.burns, first, rounds, net, head,
        )  # fmt: skip
        if not enough:
            raise RuntimeError(f"block {block}: more random words were refused than can be")
        parts.append(Shoes(rounds, net.T, first, head.T))
    return Shoes.merge(parts)


def _ends(cards: int, procedure: Procedure) -> tuple[int, int]:
    """The cut card's place, and how many rounds every shoe gives however its cards fall."""
    burnt = _BURNT if procedure.burns else 0
    if procedure.rounds is not None:
        most = (cards - burnt) // DEAL
        if not 1 <= procedure.rounds <= most:
            raise DealproofError(f"rounds = {procedure.rounds}: a shoe gives 1 … {most} for sure")
        return cards, 0
    most = cards - burnt - DEAL
    if not LEAST_BEHIND <= procedure.behind <= most:
        raise DealproofError(f"behind = {procedure.behind}: allowed: {LEAST_BEHIND} … {most}")
    cut = cards - procedure.behind
    return cut, (cut - burnt) // DEAL
