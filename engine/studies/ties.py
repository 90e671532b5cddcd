"""How far edges depend on the choice among actions that a strategy's criterion holds equal.

An optimum loses nothing by taking another of its best actions, a strategy by preference may: what
it compares is not what the bet pays. Here every such choice is left open, and the least and the
greatest edge of each wager over all of them are summed up set by set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from engine.analysis.analysis import Analysis
from engine.contract.strategy import Strategy, View, equal_by
from engine.exact.tables import Codes, Counts, exact_sums, exact_total, group
from engine.program.bound import BoundStrategy, BoundWager
from engine.solving.optimum import allowed_rows, gather, scores

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Tied:
    """Where a strategy's criterion does not decide.

    `sets`: information sets (or groups of sets that have to act alike) with more than one best
    action; `edges`: least and greatest expected loss of each priced wager, in base units, over
    every choice among these; None where decisions come in sequence.
    """

    sets: int
    edges: Mapping[str, tuple[Fraction, Fraction]] | None


@dataclass(frozen=True)
class _Choice:
    """What may be taken, and what is equal by the criterion: both of shape (sets, actions).

    `groups`, shape (sets,), numbers sets that have to act alike.
    """

    open: Flags
    criteria: list[Counts] = field(repr=False)
    groups: Codes | None = None

    def gathered(self, worth: Counts) -> Counts:
        """Sum worths, shape (sets, actions), over the sets that act alike."""
        if self.groups is None:
            return worth
        size = int(self.groups.max()) + 1
        columns = [exact_sums(self.groups, size, column) for column in worth.T]
        return np.stack([np.asarray(column, dtype=object) for column in columns], axis=1)

    def equal(self) -> Flags:
        """Actions that the criterion holds best, shape (sets or groups, actions)."""
        open_ = self.open
        if self.groups is not None:
            open_ = np.ones((int(self.groups.max()) + 1, self.open.shape[1]), dtype=bool)
            np.logical_and.at(open_, self.groups, self.open)
        return equal_by(map(self.gathered, self.criteria), open_)


def tied(analysis: Analysis, rule: BoundStrategy) -> Tied | None:
    """Find where a solved strategy's criterion does not decide, and what that can change.

    None for strategies that name an action for every hand, and for those bound together (`by`)
    where decisions come in sequence.
    """
    strategy = analysis.strategy(rule.name)
    if rule.choose is not None or (rule.by is not None and strategy.reach is not None):
        return None
    view = analysis.view(rule.space.name)
    choice = _choice(analysis, rule, strategy, view)
    equal = choice.equal()
    several = equal.sum(axis=1) > 1
    if strategy.reach is not None:
        several &= np.array(strategy.reached > 0, dtype=bool)
        return Tied(int(several.sum()), None)
    edges = {}
    for result in analysis.results:
        if result.strategy is rule and result.wager.priced:
            worth, unit = _worth(analysis, result.wager, rule, view)
            worth = choice.gathered(worth)
            least, most = worth.min() - 1, worth.max() + 1
            high = exact_total(np.where(equal, worth, least).max(axis=1))
            low = exact_total(np.where(equal, worth, most).min(axis=1))
            scale = unit * strategy.deals_total
            edges[result.wager.name] = Fraction(-high, scale), Fraction(-low, scale)
    return Tied(int(several.sum()), edges)


def _choice(
    analysis: Analysis, rule: BoundStrategy, strategy: Strategy, view: View | None
) -> _Choice:
    space = rule.space
    if view is not None:
        index = strategy.locate(view)
        criteria = [strategy.ev_sum[index]]
        if rule.prefers is not None:
            compared = scores(rule, view.table)
            criteria = [view.sums(value) for value in compared]
        return _Choice(strategy.allowed[index], criteria, gather(rule, view))
    groups = None
    if rule.by is not None:
        sets = space.sets()
        groups = group([sets.feature(name) for name in rule.by], sets.codes)[1]
    if rule.prefers is None and rule.spec.removal:
        return _Choice(strategy.allowed, [strategy.ev_sum], groups)
    seen = space if rule.spec.removal else space.without_removal()
    outcomes = analysis.outcomes(space)
    rows = outcomes.table
    allowed = allowed_rows(rule, rows)
    nothing = np.zeros(len(rows), dtype=np.int64)
    if rule.prefers is None:
        values = [outcomes.value(rule.objective).net]
    else:
        values = list(scores(rule, rows))
    solved = [seen.solve(rule.name, one, nothing, allowed) for one in values]
    return _Choice(strategy.allowed, [each.ev_sum for each in solved], groups)


def _worth(
    analysis: Analysis, wager: BoundWager, rule: BoundStrategy, view: View | None
) -> tuple[Counts, int]:
    """Net × deals of a wager by set and action, shape (sets, actions), and its unit."""
    if view is not None:
        value = analysis.pricer(rule.space.name).worth([(wager, Fraction(1))])
        return value.net.reshape(view.allowed.shape), value.net_unit
    outcomes = analysis.outcomes(rule.space)
    value = outcomes.value([(wager, Fraction(1))])
    allowed = allowed_rows(rule, outcomes.table)
    nothing = np.zeros(len(allowed), dtype=np.int64)
    return rule.space.solve(rule.name, value.net, nothing, allowed).ev_sum, value.net_unit
