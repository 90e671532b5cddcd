"""Whole shoes, dealt to a cut card: how they are dealt, and what one learns from them.

A shoe is one observation. Rounds of one shoe are not independent, and their number depends on the
cards, so that an average over rounds is a ratio of two sums over shoes. This stands outside the
agreement check, which deals every round from a fresh shoe.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Int = NDArray[np.int64]

#: Shoes that share one random stream.
BLOCK = 1 << 12


@dataclass(frozen=True)
class Procedure:
    """How a shoe is begun and ended.

    `behind`: cards behind the cut card; `burns`: the first card is shown and as many more are
    burnt as it counts, ten for a card that counts nothing. Once the cut card shows in a round, that
    round is finished and one more is dealt; where it shows before a round's first card, that round
    is the last. With `rounds` there is no cut card: every shoe gives so many rounds, and then the
    average over rounds is exactly that of a fresh shoe.
    """

    behind: int = 14
    burns: bool = True
    rounds: int | None = None


@dataclass(frozen=True)
class Shoes:
    """Exact sums of some shoes: `rounds`, shape (shoes,), and `net`, shape (bets, shoes), int64.

    `head` sums the nets of the first `first` rounds of each shoe, which every shoe gives.
    """

    rounds: Int
    net: Int
    first: int
    head: Int

    @classmethod
    def merge(cls, parts: Sequence[Shoes]) -> Shoes:
        """Set shoes of one procedure and one list of bets side by side, in their order."""
        if len({part.first for part in parts}) != 1:
            raise ValueError("shoes of different procedures cannot be merged")
        return cls(
            np.concatenate([part.rounds for part in parts]),
            np.concatenate([part.net for part in parts], axis=1),
            parts[0].first,
            np.concatenate([part.head for part in parts], axis=1),
        )

    def mean(self, bet: int) -> Fraction:
        """Average net a round over all shoes together, in the units of the nets given."""
        return Fraction(int(self.net[bet].sum()), int(self.rounds.sum()))

    def error(self, bet: int) -> float:
        """Standard error of `mean`, a ratio of sums over shoes: by the deviations of shoes from it.

        Each shoe's deviation is its net minus `mean` × its rounds.
        """
        return self._error(self.net[bet] - float(self.mean(bet)) * self.rounds)

    def effect(self, bet: int, fresh: Fraction) -> tuple[Fraction, float]:
        """What whole shoes add to the average net a round, and the standard error of that.

        `fresh` is the exact average from a fresh shoe. The first rounds of a shoe have exactly that
        average, so what they missed it by is luck, and is taken out (a control variate).
        """
        rounds, shoes = int(self.rounds.sum()), len(self.rounds)
        luck = (int(self.head[bet].sum()) - shoes * self.first * fresh) / rounds
        left = self.net[bet] - self.head[bet]
        ratio = float(self.mean(bet))
        deviation = left - ratio * self.rounds + self.first * float(fresh)
        return self.mean(bet) - fresh - luck, self._error(deviation)

    def _error(self, deviation: NDArray[np.float64]) -> float:
        """Standard error of Σ deviation / Σ rounds, shoes being independent."""
        shoes = len(deviation)
        spread = deviation - deviation.mean()
        square = float(spread @ spread) * shoes / (shoes - 1)
        return math.sqrt(square) / float(self.rounds.sum())
