"""Priced wagers: pay tables with their counts, and every statistic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import Field, create_model

from engine.pricing.statistics import STATISTICS
from tasks.certificate.model.base import Count, Exact, Model, Text


class Line(Model):
    """One line of a pay table; what depends on pays is None where the table is not known."""

    event: str
    pays: str | None
    staked: Text | None
    net: Text | None
    combinations: Count
    probability: Exact
    returned: Exact | None = Field(alias="return")
    true_odds: Exact | None


class Event(Line):
    """A line of a pay table with its condition. The first event that holds settles the bet.

    `number`: of the event among those of the wager, as `case` gives it; an event whose stake
    differs from deal to deal has several lines. `condition`: as the spec writes it; `sql`,
    `staked_sql`: it and the stake over the columns of the space's outcome table, with the rules in
    place.
    """

    number: int
    condition: str
    sql: str
    staked_sql: str


class Total(Model):
    """The lines of a pay table added up."""

    combinations: Count
    probability: Exact
    returned: Exact | None = Field(alias="return")


class Figures(Model):
    """What a wager's printed figures come to."""

    printed: int
    tried: int
    met: int
    recovered: int
    worst: str
    edge: str
    verdict: str


class WagerFields(Model):
    """A wager priced under one strategy; statistics that it does not have are None.

    `headline` names the statistic that the wager is known by, `headline_reason` why that is not
    the house edge. `case`: SQL over the space's outcome table that gives the number of the event
    that settles every row.
    """

    wager: str
    title: str
    rule: str
    strategy: str | None
    strategy_title: str | None
    method: str
    space: str
    basis: str
    deals: Count
    priced: bool
    case: str
    events: tuple[Event, ...]
    headline: str | None
    headline_reason: str
    total: Total

    def statistic(self, name: str) -> Exact | None:
        """A statistic by its name in `STATISTICS`; None where the wager does not have it."""
        value = getattr(self, name)
        if value is not None and not isinstance(value, Exact):
            raise AttributeError(f"{name} is no statistic")
        return value


_STATISTICS: Any = {
    statistic.name: (Exact | None, Field(description=f"{statistic.meaning} ({statistic.unit})"))
    for statistic in STATISTICS
}
if TYPE_CHECKING:

    class PricedWager(WagerFields):
        """A priced wager, with a field for each of `engine.pricing.statistics.STATISTICS`."""
else:
    PricedWager = create_model("PricedWager", __base__=WagerFields, **_STATISTICS)


class CertifiedWager(PricedWager):
    """A certified wager, with what its printed figures come to."""

    recovered_from: tuple[str, ...]
    figures: Figures
