"""What a spec tells beside its wagers: distributions of columns, and what decisions are worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from engine.analysis.analysis import Analysis
from engine.contract.strategy import Strategy
from engine.exact.tables import Codes, Counts, Table, exact_sums, exact_total, group
from engine.program.bound import BoundDistribution, BoundValues
from engine.spec import expressions

Labels = Mapping[str, str | int]


@dataclass(frozen=True)
class Share:
    """Deals that end in these values, out of `deals`: all, or those with the values given."""

    row: Labels
    column: Labels
    combinations: int
    deals: int

    @property
    def probability(self) -> Fraction:
        """Share of all deals, or of those with the values given."""
        return Fraction(self.combinations, self.deals)


def distribute(analysis: Analysis, distribution: BoundDistribution) -> tuple[Share, ...]:
    """Count the deals behind every value of a distribution's columns."""
    wanted, strategy = distribution.spec, distribution.strategy
    table = analysis.table(distribution.space.name, strategy.name if strategy else None)
    features = [table.feature(name) for name in (*wanted.rows, *wanted.columns)]
    first, member = group(features, table.codes)
    counts = exact_sums(member, len(first), table.combinations)
    given = [table.feature(name) for name in wanted.given]
    group_of = group(given, {f.name: table.codes[f.name][first] for f in given})[1]
    if not given:
        group_of = np.zeros(len(first), dtype=np.int64)
    sums = exact_sums(group_of, int(group_of.max()) + 1, counts)

    def labels(names: tuple[str, ...], row: int) -> Labels:
        return {name: table.feature(name).label(int(table.codes[name][row])) for name in names}

    return tuple(
        Share(labels(wanted.rows, row), labels(wanted.columns, row), int(count), int(sums[whole]))
        for row, count, whole in zip(first.tolist(), counts, group_of, strict=True)
    )


@dataclass(frozen=True)
class Worth:
    """Information sets that share some values, and what each action is worth there.

    Two measures weigh the sets. *By cards*: the chance that the cards make the hand for a player
    who only ever draws. *Reached*: the chance that a round under the strategy comes there. They are
    the same where each deal has one decision.

    `sets`: how many there are; `by_cards`, `reached`: both chances that one of them comes up;
    `taken`: the actions that the strategy takes, the most frequent by cards first; `ev`,
    `ev_reached`: expected net of every action by either measure, None where the action is not open
    in all of the sets, and for all actions where the strategy never comes there.
    """

    information: Labels
    sets: int
    by_cards: Fraction
    reached: Fraction
    taken: tuple[str, ...]
    ev: Mapping[str, Fraction | None]
    ev_reached: Mapping[str, Fraction | None]


def worths(strategy: Strategy, values: BoundValues) -> tuple[Worth, ...]:
    """Sum up a strategy's information sets by some of their columns."""
    table = Table(strategy.information, strategy.sets, np.ones(len(strategy), dtype=np.int64))
    by = [table.feature(name) for name in values.spec.by]
    rows = np.flatnonzero(expressions.mask(values.where, table, values.strategy.constants))
    codes = {f.name: strategy.sets[f.name][rows] for f in by}
    first, member = group(by, codes)
    tables = []
    for number, one in enumerate(first.tolist()):
        inside = rows[member == number]
        weight = exact_total(strategy.deals[inside])
        reached = exact_total(strategy.reached[inside])
        taken: dict[int, int] = {}
        for index in inside.tolist():
            action = int(strategy.action[index])
            taken[action] = taken.get(action, 0) + int(strategy.deals[index])
        tables.append(
            Worth(
                {f.name: f.label(int(codes[f.name][one])) for f in by},
                len(inside),
                Fraction(weight, strategy.deals_total),
                Fraction(reached, strategy.deals_total),
                tuple(strategy.actions[a] for a in sorted(taken, key=lambda a: (-taken[a], a))),
                _evs(strategy, inside, strategy.deals),
                _evs(strategy, inside, strategy.reached),
            )
        )
    return tuple(tables)


def _evs(strategy: Strategy, inside: Codes, measure: Counts) -> dict[str, Fraction | None]:
    """Expected net of every action in some sets, weighed by deals of `measure`, shape (n,)."""
    total = exact_total(measure[inside])
    evs: dict[str, Fraction | None] = dict.fromkeys(strategy.actions)
    for a, action in enumerate(strategy.actions):
        if total and strategy.allowed[inside, a].all():
            parts = (strategy.ev(i, a) * int(measure[i]) for i in inside.tolist() if measure[i])
            evs[action] = sum(parts, Fraction()) / total
    return evs
