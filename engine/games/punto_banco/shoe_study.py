"""Whole shoes, dealt to a cut card: what burning and the cut do to each bet.

A shoe is one observation. Rounds of one shoe are not independent, and their number depends on the
cards, so that an average over rounds is a ratio of two sums over shoes. This stands outside the
agreement check, which deals every round from a fresh shoe.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK
from engine.games.punto_banco import columns
from engine.games.punto_banco.playout import Lens, divide, draw, lens
from engine.games.punto_banco.rules import Rules
from engine.kernels import njit
from engine.tables import Table, pack

Int = NDArray[np.int64]

#: Shoes that share one random stream.
BLOCK = 1 << 12
#: Cards whose places one random word decides: 624·623·622·621·620·619 < 2^56.
_GROUP = 6
#: Words of a block beyond one a group. With twelve decks fewer than 200 are expected to be refused.
_SPARE = 1 << 14
#: The round in which the cut card shows and one more can use so many cards behind it.
LEAST_BEHIND = 11


@dataclass(frozen=True)
class Procedure:
    """How a shoe is begun and ended.

    `behind`: cards behind the cut card; `burns`: the first card is shown and as many more are
    burnt as it counts, ten for a card that counts nothing. Once the cut card shows in a round, that
    round is finished and one more is dealt; where it shows before a round's first card, that round
    is the last.
    """

    behind: int = 14
    burns: bool = True


@dataclass(frozen=True)
class Shoes:
    """Exact sums of some shoes: `rounds`, shape (shoes,), and `net`, shape (bets, shoes), int64."""

    rounds: Int
    net: Int

    def mean(self, bet: int) -> Fraction:
        """Average net a round over all shoes together, in the units of the nets given."""
        return Fraction(int(self.net[bet].sum()), int(self.rounds.sum()))

    def error(self, bet: int) -> float:
        """Standard error of `mean`, a ratio of sums over shoes: by the deviations of shoes from it.

        Each shoe's deviation is its net minus `mean` × its rounds.
        """
        shoes = len(self.rounds)
        ratio = float(self.mean(bet))
        deviation = self.net[bet] - ratio * self.rounds
        return float(
            math.sqrt(float(deviation @ deviation) * shoes / (shoes - 1)) / self.rounds.sum()
        )


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
    burns: bool,
    rounds: Int,
    net: Int,
) -> bool:
    """Play shoes to the cut card, adding to `rounds` and `net`; False if words run out."""
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
        final = False
        while True:
            ending = final or at >= cut
            x, y, used = draw(shoe, at, points)
            left = player_looks[shoe[at], shoe[at + 2], x]
            right = banker_looks[shoe[at + 1], shoe[at + 3], y]
            row = row_of[left, right]
            rounds[number] += 1
            for bet in range(len(nets)):
                net[bet, number] += nets[bet, row]
            at += used
            if ending:
                break
            final = at > cut
    return True


def _rows(seen: Lens, outcomes: Table) -> Int:
    """Number the row of `outcomes` for each pair of looks that a deal can end in."""
    left, right = (grid.reshape(-1) for grid in np.indices(seen.empty().shape))
    own = pack(outcomes.features, outcomes.codes)
    keys = pack(seen.features, columns.beside(seen.features, *seen.sides(left, right)))
    if own is None or keys is None:
        raise ValueError("too many columns to number their rows")
    return np.searchsorted(own, keys).reshape(seen.empty().shape)


def play(
    rules: Rules,
    outcomes: Table,
    nets: Int,
    blocks: range,
    seed: int,
    procedure: Procedure | None = None,
) -> Shoes:
    """Deal whole shoes and add up what some bets net in each.

    `outcomes`: the space's table of the columns that settle the bets; `nets`: whole numbers of any
    unit, shape (bets, rows of `outcomes`). Each of `blocks` is 4,096 shoes from a stream of its
    own, so that more blocks keep the earlier shoes.
    """
    procedure = procedure or Procedure()
    cards = DECK * rules.decks
    if not LEAST_BEHIND <= procedure.behind <= cards - LEAST_BEHIND - 5:
        raise ValueError(
            f"behind = {procedure.behind}: at least {LEAST_BEHIND}, and a round before"
        )
    seen = lens(outcomes.features)
    fresh = np.tile(seen.type_of, rules.decks)
    products = [
        math.prod(range(cards - k, max(cards - k - _GROUP, 0), -1)) for k in range(0, cards, _GROUP)
    ]
    last = np.array([(1 << 64) // p * p - 1 for p in products], dtype=np.uint64)
    product = np.array(products, dtype=np.uint64)
    row_of = _rows(seen, outcomes)
    parts = []
    for block in blocks:
        stream = np.random.Philox(np.random.SeedSequence(entropy=seed, spawn_key=(block, cards)))
        words = stream.random_raw(BLOCK * len(products) + _SPARE)
        rounds = np.zeros(BLOCK, dtype=np.int64)
        net = np.zeros((len(nets), BLOCK), dtype=np.int64)
        cut = cards - procedure.behind
        enough = _play(
            words, last, product, fresh, seen.points, seen.player.of, seen.banker.of, row_of,
            np.ascontiguousarray(nets, dtype=np.int64), cut, procedure.burns, rounds, net,
        )  # fmt: skip
        if not enough:
            raise RuntimeError(f"block {block}: more random words were refused than can be")
        parts.append((rounds, net))
    return Shoes(
        np.concatenate([rounds for rounds, _ in parts]),
        np.concatenate([net for _, net in parts], axis=1),
    )
