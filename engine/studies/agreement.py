"""Enumeration beside exhaustion, cell by cell; under another setting on a sample of deals.

Readings and variants are priced by enumeration. So that none of them rests on one method alone, a
few ranges of starts, drawn by seed, are played deal by deal through the referee as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

from engine.analysis.analysis import Analysis
from engine.analysis.binding import bind
from engine.contract.game import RuleValue, Space, Wanted
from engine.contract.strategy import Strategy
from engine.exact.digest import digest
from engine.exact.errors import DealproofError
from engine.exact.tables import Table, same
from engine.games import family
from engine.spec.model import Spec

#: A sample takes this many ranges of starts, one from each equal stretch of a space.
RANGES = 8
#: It is so many times as large where no deal of any space tells the change from the certified
#: rules: an enumeration that overlooks a rule says so too.
WIDER = 8

Change = tuple[str, RuleValue]
Ranges = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Sample:
    """Some starts of one table under one change of the rules, enumerated and exhausted.

    `ranges` of starts hold `deals` of the table's `deals_total`. `cells`: rows compared. `read`:
    whether dealing or play reads the rule, or wagers alone. `telling`: whether the change moves a
    cell on these ranges; None where the certified rules cannot play the same strategy.
    `difference`: the first cell in which the methods differ, in words; empty where they agree.
    """

    rule: str
    value: RuleValue
    space: str
    strategy: str | None
    ranges: Ranges
    deals: int
    deals_total: int
    cells: int
    read: bool
    telling: bool | None
    difference: str


def difference(enumerated: Table, exhausted: Table) -> str:
    """The first cell in which two canonical tables differ, in words; empty where they agree."""
    if same(enumerated, exhausted):
        return ""
    ours, theirs = _cells(enumerated), _cells(exhausted)
    for row in {**ours, **theirs}:
        if ours.get(row, 0) != theirs.get(row, 0):
            at = ", ".join(f"{name} = {value}" for name, value in row)
            return f"enumerate {ours.get(row, 0):,}, exhaust {theirs.get(row, 0):,} at {at}"
    return "columns differ"


def _cells(table: Table) -> dict[tuple[tuple[str, str | int], ...], int]:
    return {tuple(table.row(i).items()): int(table.combinations[i]) for i in range(len(table))}


def drawn(starts: int, count: int, seed: int, *names: RuleValue) -> Ranges:
    """Draw about `count` of all starts by SHA-256 of the seed and some names, in `RANGES`."""
    size = -(-count // RANGES)
    ranges = []
    for number in range(RANGES):
        lo, hi = starts * number // RANGES, starts * (number + 1) // RANGES
        if hi > lo:
            free = max(hi - lo - size, 0)
            lo += int(digest([seed, *names, number]), 16) % (free + 1)
            ranges.append((lo, min(lo + size, hi)))
    return tuple(ranges)


def sample(
    spec: Spec,
    change: Change,
    seed: int,
    counts: Mapping[str, int],
    strategies: Mapping[str, Strategy] | None = None,
) -> tuple[Sample, ...]:
    """Exhaust a sample of every table that a spec needs under one change of its rules.

    `counts`: starts to take of each space, by its name. Where the change moves any cell of a
    space, a range that holds such a deal is among those taken. `strategies`: those that spaces
    solved for themselves under the change; without them they are solved here. A pure function.
    """
    samples = _sample(spec, change, seed, counts, strategies or {})
    if any(one.read for one in samples) and not any(one.telling for one in samples):
        wider = {name: count * WIDER for name, count in counts.items()}
        return _sample(spec, change, seed, wider, strategies or {})
    return samples


def _sample(
    spec: Spec,
    change: Change,
    seed: int,
    counts: Mapping[str, int],
    strategies: Mapping[str, Strategy],
) -> tuple[Sample, ...]:
    program = bind(spec.under(dict([change])))
    game, certified = program.game, bind(spec).game
    analysis = Analysis(program, {}, strategies)
    read = change[0] in {rule_spec.name for rule_spec in family(spec.family).RULE_SPECS}
    tables: dict[str, list[str | None]] = {}
    for name, under in program.needs():
        tables.setdefault(name, []).append(under)
    samples: list[Sample] = []
    for name, names in tables.items():
        space = game.space(name)
        played = [None if each is None else analysis.strategy(each) for each in names]
        columns = program.columns(space)
        pairs = [_Pair(certified.space(name), space, strategy, columns) for strategy in played]
        ranges = drawn(space.starts, counts[name], seed, *change, name)
        if read and pairs[0].differ(ranges) is False:
            ranges = joined(ranges, pairs[0].telling(ranges, [seed, *change, name]))
        exhausted = [space.exhaust_each(*part, played, columns) for part in ranges]
        for number, pair in enumerate(pairs):
            enumerated = Table.merge(pair.after(part) for part in ranges)
            samples.append(
                Sample(
                    *change,
                    name,
                    names[number],
                    ranges,
                    sum(space.deals_in(*part) for part in ranges),
                    space.deals,
                    len(enumerated),
                    read,
                    pair.differ(ranges) if read else False,
                    difference(enumerated, Table.merge(part[number] for part in exhausted)),
                )
            )
    return tuple(samples)


def joined(ranges: Ranges, more: Ranges) -> Ranges:
    """Lay ranges together: in order, none of them meeting another."""
    merged: list[tuple[int, int]] = []
    for lo, hi in sorted((*ranges, *more)):
        if merged and lo <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(hi, merged[-1][1])
        else:
            merged.append((lo, hi))
    return tuple(merged)


class _Pair:
    """A space under the certified rules and under changed ones, enumerated side by side."""

    def __init__(
        self, certified: Space, changed: Space, strategy: Strategy | None, wanted: Wanted
    ) -> None:
        self.certified, self.changed = certified, changed

        def enumerated(space: Space, part: tuple[int, int]) -> Table:
            return space.enumerate(*part, strategy, wanted)

        self.before = cache(partial(enumerated, certified))
        self.after = cache(partial(enumerated, changed))

    def differ(self, ranges: Ranges) -> bool | None:
        """Whether some range gives another table; None where the strategy cannot be played."""
        if self.certified.starts != self.changed.starts:
            return True
        try:
            return not all(same(self.before(part), self.after(part)) for part in ranges)
        except DealproofError:
            return None

    def telling(self, ranges: Ranges, names: Sequence[RuleValue]) -> Ranges:
        """A range of the same size on which the change moves a cell, halving from all starts.

        Which half is looked at first is drawn from `names`. Empty where no deal tells the change.
        """
        lo, hi, size = 0, self.changed.starts, max(hi - lo for lo, hi in ranges)
        if not self.differ(((lo, hi),)):
            return ()
        while hi - lo > size:
            middle = (lo + hi) // 2
            halves = [(lo, middle), (middle, hi)]
            if int(digest([*names, lo, hi]), 16) % 2:
                halves.reverse()
            lo, hi = halves[0] if self.differ((halves[0],)) else halves[1]
        return ((lo, hi),)
