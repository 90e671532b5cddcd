"""Several bets on one deal taken as one: what they lose together, and per which unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from engine.analysis import Analysis
from engine.asked import strategy_space
from engine.solving import objective
from engine.spec import StrategyRule


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


def combined(analysis: Analysis, rule: StrategyRule) -> Combined | None:
    """What the bets lose that a solved strategy maximises; None for one bet alone, or none."""
    if rule.maximises is None:
        return None
    space = strategy_space(analysis.game, rule)
    weighted = [(wager, u) for wager, u in objective(analysis.spec, rule, space) if u]
    if len(weighted) < 2:
        return None
    priced = [analysis.price(wager, rule) for wager, _ in weighted]
    stakes = [
        units * found.average_wager
        for found, (_, units) in zip(priced, weighted, strict=True)
        if found is not None
    ]
    return Combined(
        {wager.name: units for wager, units in weighted},
        -analysis.strategies[rule.name].mean,
        {w.name: units for w, units in weighted if analysis.always_staked(w, space)},
        sum(stakes, Fraction()) if len(stakes) == len(weighted) else None,
    )
