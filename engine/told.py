"""What a spec tells beside its wagers: distributions of columns, and what decisions are worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from engine import predicates
from engine.analysis import Analysis
from engine.errors import DealproofError
from engine.game import RuleValue
from engine.spec import Distribution, Values
from engine.strategy import Strategy
from engine.tables import Table, exact_sums, exact_total, group

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


def distribute(analysis: Analysis, asked: Distribution) -> tuple[Share, ...]:
    """Count the deals behind every value of the columns asked for; raise DealproofError."""
    place = f"distributions[{asked.name}]"
    table = analysis.held(asked.space, asked.strategy)
    names = (*asked.rows, *asked.columns)
    try:
        features = [table.feature(name) for name in names]
    except DealproofError as error:
        raise DealproofError(f"{place}: {error}") from None
    first, member = group(features, table.codes)
    counts = exact_sums(member, len(first), table.combinations)
    given = [table.feature(name) for name in asked.given]
    held = group(given, {f.name: table.codes[f.name][first] for f in given})[1]
    if not given:
        held = np.zeros(len(first), dtype=np.int64)
    sums = exact_sums(held, int(held.max()) + 1, counts)

    def labels(names: tuple[str, ...], row: int) -> Labels:
        return {name: table.feature(name).label(int(table.codes[name][row])) for name in names}

    return tuple(
        Share(labels(asked.rows, row), labels(asked.columns, row), int(count), int(sums[whole]))
        for row, count, whole in zip(first.tolist(), counts, held, strict=True)
    )


@dataclass(frozen=True)
class Worth:
    """Information sets that share some values, and what each action is worth there.

    `sets`: how many there are; `probability`: that a round comes to one of them; `taken`: the
    actions that the strategy takes, the most frequent first; `ev`: expected net of every action,
    sets weighed by the cards alone, None where the action is not open in all of them.
    """

    information: Labels
    sets: int
    probability: Fraction
    taken: tuple[str, ...]
    ev: Mapping[str, Fraction | None]


def worths(
    strategy: Strategy, asked: Values, constants: Mapping[str, RuleValue]
) -> tuple[Worth, ...]:
    """Sum up a strategy's information sets by some of their columns; raise DealproofError."""
    place = f"values[{asked.title}]"
    table = Table(strategy.information, strategy.sets, np.ones(len(strategy), dtype=np.int64))
    try:
        by = [table.feature(name) for name in asked.by]
        rows = np.flatnonzero(predicates.mask(asked.where, table, constants))
    except DealproofError as error:
        raise DealproofError(f"{place}: {error}") from None
    codes = {f.name: strategy.sets[f.name][rows] for f in by}
    first, member = group(by, codes)
    found = []
    for number, one in enumerate(first.tolist()):
        inside = rows[member == number]
        weight = exact_total(strategy.weight[inside])
        taken: dict[int, int] = {}
        for index in inside.tolist():
            action = int(strategy.chosen[index])
            taken[action] = taken.get(action, 0) + int(strategy.weight[index])
        ev = {
            action: Fraction(exact_total(strategy.worth[inside, a]), strategy.unit * weight)
            if weight and strategy.open[inside, a].all()
            else None
            for a, action in enumerate(strategy.actions)
        }
        found.append(
            Worth(
                {f.name: f.label(int(codes[f.name][one])) for f in by},
                len(inside),
                Fraction(exact_total(strategy.reached[inside]), strategy.deals),
                tuple(strategy.actions[a] for a in sorted(taken, key=lambda a: (-taken[a], a))),
                ev,
            )
        )
    return tuple(found)
