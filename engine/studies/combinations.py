"""All combinations of a game's readings, and which of them reproduce every figure in print.

A figure speaks of one wager, and a wager reads some of the rules only. So wagers are parted into
groups that share no reading, each group is tried in all combinations of its own readings, and what
reproduces every figure is the product of what does so in each group. Which readings a wager reads
is found by trial: each is varied in several contexts, the certified one and others drawn by seed.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from engine.analysis.analysis import Analysis
from engine.analysis.binding import bind
from engine.contract.game import RuleValue
from engine.games import family
from engine.spec.figures import Published
from engine.spec.model import Spec
from engine.studies.printed import MET
from engine.studies.published import compare

Values = Mapping[str, RuleValue]
#: Contexts in which a reading is varied to see whether a wager reads it, the certified one first.
CONTEXTS = 5


@dataclass(frozen=True)
class Group:
    """Wagers that share readings, with these, and the figures that are printed of them."""

    wagers: tuple[str, ...]
    readings: tuple[str, ...]
    figures: tuple[Published, ...]


@dataclass(frozen=True)
class Tried:
    """One combination of a group's readings.

    `missed`: figures that it does not meet; `edges`: headline of each wager and strategy.
    """

    values: Values
    missed: tuple[Published, ...]
    edges: Mapping[tuple[str, str | None], Fraction | None]


@dataclass(frozen=True)
class Found:
    """A group with all its combinations, in the order of their values."""

    group: Group
    tried: tuple[Tried, ...]

    @property
    def meeting(self) -> tuple[Tried, ...]:
        """Combinations that reproduce every figure of the group."""
        return tuple(one for one in self.tried if not one.missed)


def figures_to_meet(spec: Spec) -> tuple[Published, ...]:
    """Figures that a reading has to reproduce: printed for this run's rules, and no misprint."""
    readings = {rule.name for rule in spec.rules if rule.reading}
    values = spec.rule_values
    recovered = {(w.name, text) for w in spec.wagers for text in w.recovered_from}
    return tuple(
        figure.model_copy(update={"others": {}})
        for figure in spec.published
        if not figure.refuted_because
        and (figure.wager, figure.printed) not in recovered
        and all(values[rule] == v for rule, v in figure.rules.items() if rule not in readings)
    )


def narrowed(spec: Spec, figures: Sequence[Published]) -> Spec:
    """The spec with nothing but what some figures speak of, so that it is priced quickly."""
    wagers, strategies = [], {figure.strategy for figure in figures}
    for wager in spec.wagers:
        mine = [figure for figure in figures if figure.wager == wager.name]
        if not mine:
            continue
        named = [figure.strategy for figure in mine if figure.strategy]
        first = _first_strategy(spec, wager.name)
        needed = dict.fromkeys([*named, *([first] if len(named) < len(mine) and first else [])])
        strategies |= set(needed)
        wagers.append(wager.model_copy(update={"strategies": tuple(needed)}))
    kept = tuple(
        s.model_copy(update={"against": None}) for s in spec.strategies if s.name in strategies
    )
    part = spec.model_copy(
        update={
            **dict.fromkeys(("charts", "joint", "values", "distributions"), ()),
            "wagers": tuple(wagers),
            "strategies": kept,
            "published": tuple(figures),
        }
    )
    read = {rule.name for rule in family(spec.family).RULE_SPECS} | _words(part)
    return part.model_copy(update={"rules": tuple(r for r in spec.rules if r.name in read)})


def _first_strategy(spec: Spec, wager: str) -> str | None:
    bound = bind(spec).wagers[wager]
    return bound.strategies[0] if bound.strategies else None


def _words(spec: Spec) -> set[str]:
    """Every word that a spec's wagers and strategies have."""
    parts = [*spec.wagers, *spec.strategies]
    return set(re.findall(r"[a-z_][a-z0-9_]*", " ".join(part.model_dump_json() for part in parts)))


def groups(
    spec: Spec, seed: int = 1, told: Callable[[str], None] = lambda text: None
) -> list[Group]:
    """Part the wagers with figures into groups that share no reading."""
    figures = figures_to_meet(spec)
    parts: list[tuple[set[str], set[str]]] = []
    for wager in dict.fromkeys(figure.wager for figure in figures):
        mine = [figure for figure in figures if figure.wager == wager]
        told(f"which readings {wager} reads")
        wagers, readings = {wager}, _read(narrowed(spec, mine), seed)
        apart = []
        for others, theirs in parts:
            if theirs & readings:
                wagers |= others
                readings |= theirs
            else:
                apart.append((others, theirs))
        parts = [*apart, (wagers, readings)]
    order = [rule.name for rule in spec.rules]
    return [
        Group(
            tuple(sorted(wagers)),
            tuple(name for name in order if name in readings),
            tuple(figure for figure in figures if figure.wager in wagers),
        )
        for wagers, readings in parts
    ]


def _read(spec: Spec, seed: int) -> set[str]:
    """Readings that change any price of a narrowed spec in some context."""
    rules = [rule for rule in spec.rules if rule.reading]
    draw = random.Random(seed)
    contexts: list[Values] = [{}] + [
        {rule.name: draw.choice(rule.choices) for rule in rules} for _ in range(CONTEXTS - 1)
    ]
    read: set[str] = set()
    for context in contexts:
        base = spec.under(context)
        before = _prices(base)
        for rule in rules:
            if rule.name not in read and any(
                _prices(base.under({rule.name: value})) != before
                for value in rule.choices
                if value != base.rule_values[rule.name]
            ):
                read.add(rule.name)
    return read


def _prices(spec: Spec) -> list[tuple[tuple[str, Fraction, Fraction, Fraction], ...]]:
    """Every line of every wager, counts as shares of all deals."""
    return [
        tuple((x.event, x.net, x.staked, x.probability) for x in result.priced.lines)
        for result in Analysis(bind(spec)).results
    ]


def combinations_of(spec: Spec, group: Group) -> list[Values]:
    """All combinations of a group's readings."""
    choices = [spec.rule(name).choices for name in group.readings]
    return [dict(zip(group.readings, values, strict=True)) for values in product(*choices)]


def attempt(spec: Spec, group: Group, combinations: Iterable[Values]) -> list[Tried]:
    """Compare a group's figures with what some combinations give. A pure function."""
    part = narrowed(spec, group.figures)
    tried = []
    for values in combinations:
        analysis = Analysis(bind(part.under(values)))
        comparisons = compare(analysis, analysis.spec.rule_values)
        missed = tuple(
            c.figure
            for c in comparisons
            if c.verdict not in MET and not (c.verdict == "not applicable" and not c.applies)
        )
        edges = {result.key: result.headline_value for result in analysis.results}
        tried.append(Tried(values, missed, edges))
    return tried


def number(spec: Spec) -> int:
    """How many combinations of readings a spec has."""
    return prod(len(rule.choices) for rule in spec.rules if rule.reading)


def meeting(spec: Spec, found: Sequence[Found]) -> int:
    """How many combinations reproduce every figure, those of readings that none reads too."""
    read = {name for one in found for name in one.group.readings}
    free = prod(len(rule.choices) for rule in spec.rules if rule.reading and rule.name not in read)
    return free * prod(len(one.meeting) for one in found)
