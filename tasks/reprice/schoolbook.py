"""Statistics of a pay table, written out as a schoolbook has them, over integers and fractions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Line:
    """Deals that one event settles with one stake: `net` and `staked` in base units."""

    event: int
    name: str
    net: Fraction
    staked: Fraction
    count: int


@dataclass(frozen=True)
class PayTable:
    """All lines of a wager out of `deals` deals."""

    lines: tuple[Line, ...]
    deals: int

    def moment(self, power: int) -> Fraction:
        """Σ count × net^power over deals."""
        return Fraction(sum(x.count * x.net**power for x in self.lines), self.deals)

    @property
    def mean(self) -> Fraction:
        """Expected net."""
        return self.moment(1)

    @property
    def staked(self) -> Fraction:
        """Expected units at risk."""
        return Fraction(sum(x.count * x.staked for x in self.lines), self.deals)

    @property
    def variance(self) -> Fraction:
        """E(X²) − E(X)²."""
        return self.moment(2) - self.mean**2

    @property
    def third(self) -> Fraction:
        """Third central moment: E(X³) − 3·E(X)·E(X²) + 2·E(X)³."""
        return self.moment(3) - 3 * self.mean * self.moment(2) + 2 * self.mean**3

    def share(self, wanted: Sequence[Line]) -> Fraction:
        """Probability of some lines."""
        return Fraction(sum(x.count for x in wanted), self.deals)

    def rationals(self) -> dict[str, Fraction | None]:
        """Every statistic that is a fraction, by its name; None where the wager has none."""
        loss, staked = -self.mean, self.staked
        decided = self.share([x for x in self.lines if x.net != 0])
        return {
            "house_edge": loss if staked else None,
            "rtp": 1 - loss if staked else None,
            "element_of_risk": loss / staked if staked else None,
            "edge_per_resolved": loss / decided if staked and decided else None,
            "average_wager": staked,
            "hit_frequency": self.share([x for x in self.lines if x.net > 0]),
            "variance": self.variance,
            "paid_per_round": None if staked else self.mean,
        }

    def roots(self) -> dict[str, tuple[Fraction | None, int]]:
        """Every statistic that is a square root: name → its square and its sign."""
        variance, third = self.variance, self.third
        skewness = third**2 / variance**3 if variance else None
        return {
            "standard_deviation": (variance, 1),
            "volatility_index": (Fraction("1.65") ** 2 * variance, 1),
            "skewness": (skewness, -1 if third < 0 else 1),
        }

    @property
    def headline(self) -> str:
        """The statistic that the wager is known by."""
        dealt = [x for x in self.lines if x.count]
        if all(x.staked == 0 for x in dealt):
            return "paid_per_round"
        unusual = any(x.staked == 0 or x.net < -x.staked for x in dealt)
        return "element_of_risk" if unusual else "house_edge"

    @property
    def shares(self) -> dict[tuple[str, Fraction, Fraction], Fraction]:
        """Probability of everything that happens: (event, net, stake) → share of all deals."""
        shares: dict[tuple[str, Fraction, Fraction], Fraction] = {}
        for x in self.lines:
            if x.count:
                key = x.name, x.net, x.staked
                shares[key] = shares.get(key, Fraction()) + Fraction(x.count, self.deals)
        return shares
