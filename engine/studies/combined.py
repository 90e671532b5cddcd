"""Several bets on one deal taken as one: what they lose together, and per which unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from engine.analysis.analysis import Analysis
from engine.program.bound import BoundStrategy, key_of


@dataclass(frozen=True)
class Combined:
    """Bets that a strategy maximises at once.

    `units`: base units on each wager; `loss`: expected loss of all, in base units; `put_up`: the
    base units of those wagers on which something is at risk in every deal; `staked`: expected units
    at risk on all of them, raises included (None where the strategy has no table).
    """

    units: Mapping[str, Fraction]
    loss: Fraction
    put_up: Mapping[str, Fraction]
    staked: Fraction | None

    @property
    def edge(self) -> Fraction | None:
        """Expected loss per unit put up before the deal; None where nothing is."""
        return per_unit(self.loss, sum(self.put_up.values(), Fraction()))

    @property
    def element_of_risk(self) -> Fraction | None:
        """Expected loss per unit staked on all bets; None where that is nothing, or not known."""
        return per_unit(self.loss, self.staked or Fraction())


def per_unit(loss: Fraction, units: Fraction) -> Fraction | None:
    """Loss over units; None where there are none."""
    return loss / units if units else None


def combined(analysis: Analysis, strategy: BoundStrategy) -> Combined | None:
    """What the bets lose that a solved strategy maximises; None for one bet alone, or none."""
    weighted = [(wager, units) for wager, units in strategy.objective if units]
    if strategy.spec.maximises is None or len(weighted) < 2:
        return None
    staked = None
    if analysis.has(key_of(strategy.space, strategy)):
        priced = (analysis.price(wager.name, strategy.name).priced for wager, _ in weighted)
        units = (units for _, units in weighted)
        staked = sum((p.average_wager * u for p, u in zip(priced, units, strict=True)), Fraction())
    return Combined(
        {wager.name: units for wager, units in weighted},
        -analysis.strategy(strategy.name).mean,
        {w.name: units for w, units in weighted if analysis.always_staked(w, strategy.space)},
        staked,
    )
