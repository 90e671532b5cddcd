"""Every statistic of a priced wager, each declared in one place.

Certificates, data, reports, commands and figures in print take them from here: what is added to
`STATISTICS` is certified, printed, queried and compared without a further line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from engine.exact.rendering import decimal, percent
from engine.exact.roots import Real, root
from engine.pricing.pricer import Priced

Unit = Literal["share", "units", "units²", "number"]
#: Standard normal deviate of the volatility index, as the industry rounds 1.645: nine sessions of
#: ten lie within.
DEVIATE = Fraction("1.65")


@dataclass(frozen=True)
class Statistic:
    """A statistic: its name in data, its label in print, its unit, and how it is worked out.

    `of` gives None where the wager has none. Shares are printed in per cent, units are base units.
    `derived`: a plain multiple or complement of another, whose exact value is not printed again.
    """

    name: str
    label: str
    unit: Unit
    meaning: str
    of: Callable[[Priced], Real | None]
    derived: bool = False

    def text(self, value: Real, places: int = 6) -> str:
        """A value in print, to so many decimals (of per cent, for a share)."""
        if self.unit == "share":
            return percent(value, places)
        return decimal(value, places)


def _house_edge(priced: Priced) -> Fraction | None:
    return priced.house_edge if priced.average_wager else None


def _paid(priced: Priced) -> Fraction | None:
    return None if priced.average_wager else priced.mean


def _skewness(priced: Priced) -> Real | None:
    third, variance = priced.third_moment, priced.variance
    if not variance:
        return None
    return root(third**2 / variance**3, -1 if third < 0 else 1)


STATISTICS = (
    Statistic(
        "house_edge", "House edge", "share", "expected loss per base unit", _house_edge
    ),
    Statistic(
        "rtp", "Return to player", "share", "1 minus the house edge", lambda p: p.rtp, True
    ),
    Statistic(
        "element_of_risk", "Element of risk", "share",
        "expected loss per unit at risk; a push counts as staked", lambda p: p.element_of_risk,
    ),
    Statistic(
        "edge_per_resolved", "Edge per resolved bet", "share",
        "house edge given that the bet does not push", lambda p: p.edge_per_resolved,
    ),
    Statistic(
        "average_wager", "Average wager", "units",
        "expected units at risk per base unit, pushes included", lambda p: p.average_wager,
    ),
    Statistic(
        "hit_frequency", "Hit frequency", "share", "probability of a positive net",
        lambda p: p.hit_frequency,
    ),
    Statistic(
        "standard_deviation", "Standard deviation", "units",
        "square root of the variance, per base unit", lambda p: root(p.variance),
    ),
    Statistic(
        "variance", "Variance", "units²", "variance of the net, per base unit",
        lambda p: p.variance,
    ),
    Statistic(
        "volatility_index", "Volatility index", "units",
        "1.65 standard deviations: nine bets of ten net no further from their mean, were the net "
        "normal",
        lambda p: root(DEVIATE**2 * p.variance),
        True,
    ),
    Statistic(
        "skewness", "Skewness", "number",
        "third central moment of the net over the cube of its standard deviation", _skewness,
    ),
    Statistic(
        "paid_per_round", "Paid out per round", "units",
        "expected units paid where nothing is staked", _paid,
    ),
)  # fmt: skip
#: The same by their names.
BY_NAME: Mapping[str, Statistic] = {statistic.name: statistic for statistic in STATISTICS}


@dataclass(frozen=True)
class Shown:
    """A statistic as a reader meets it: its label there, its value, and whether it leads.

    `repeats`: the exact value needs no line of its own, since one before it says the same.
    """

    statistic: Statistic
    label: str
    value: Real
    leads: bool
    repeats: bool

    def text(self, places: int = 6) -> str:
        """The value in print."""
        return self.statistic.text(self.value, places)


def shown(values: Mapping[str, Real | None], headline: str | None) -> tuple[Shown, ...]:
    """Put the statistics that a wager has in the order of print: the headline first.

    Where a bet is known by its loss per unit staked, its loss per base unit is not a house edge
    that a source would print, and its return to the player none either.
    """
    labels = {statistic.name: statistic.label for statistic in STATISTICS}
    if headline == "element_of_risk":
        labels |= {"element_of_risk": "Edge per unit staked", "house_edge": "Loss per base unit"}
        del labels["rtp"]
    if headline == "paid_per_round":
        labels = {"paid_per_round": labels["paid_per_round"]}
    rows: list[Shown] = []
    for statistic in sorted(STATISTICS, key=lambda s: s.name != headline):
        value = values.get(statistic.name)
        if value is not None and statistic.name in labels:
            leads, label = statistic.name == headline, labels[statistic.name]
            again = value == 1 or statistic.derived or value in (one.value for one in rows)
            rows.append(Shown(statistic, label, value, leads, again))
    return tuple(rows)


def statistics(priced: Priced) -> dict[str, Real | None]:
    """Work out every statistic of a priced wager, by name; None where it has none."""
    return {statistic.name: statistic.of(priced) for statistic in STATISTICS}
