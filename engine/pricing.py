"""Pricing: outcome table × wager → exact combinations, edge, risk and deviation.

All results are `fractions.Fraction` per base unit unless named otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine import pays, predicates
from engine.errors import DealproofError
from engine.game import RuleValue
from engine.grammar import Scope
from engine.numbers import plain
from engine.spec import Wager
from engine.tables import INT64, Codes, Counts, Feature, Table, exact_dot, exact_sums, exact_total

#: Combinations of values that a condition is tried on beside the rows of a table.
PRODUCT = 1_000_000


@dataclass(frozen=True)
class Line:
    """One line of a priced pay table. `net` and `staked` are base units."""

    event: str
    pays: str
    net: Fraction
    staked: Fraction
    combinations: int
    deals: int

    @property
    def probability(self) -> Fraction:
        """Share of all deals."""
        return Fraction(self.combinations, self.deals)

    @property
    def returned(self) -> Fraction:
        """Probability × net: the line's part of the expected net."""
        return self.probability * self.net

    @property
    def true_odds(self) -> Fraction | None:
        """(1 − p) / p to 1; None for an event that never happens."""
        p = self.probability
        return (1 - p) / p if p else None


@dataclass(frozen=True)
class Priced:
    """A wager priced on one outcome table of `deals` deals."""

    wager: str
    deals: int
    lines: tuple[Line, ...]

    def _mean(self, values: Sequence[Fraction]) -> Fraction:
        counted = zip(values, self.lines, strict=True)
        return sum((v * line.combinations for v, line in counted), Fraction()) / self.deals

    @property
    def mean(self) -> Fraction:
        """Expected net."""
        return self._mean([line.net for line in self.lines])

    @property
    def house_edge(self) -> Fraction:
        """Expected loss."""
        return -self.mean

    @property
    def rtp(self) -> Fraction | None:
        """Return to player: 1 − house edge; None where nothing is staked."""
        return 1 - self.house_edge if self.average_wager else None

    @property
    def average_wager(self) -> Fraction:
        """Expected units at risk, pushes included."""
        return self._mean([line.staked for line in self.lines])

    @property
    def element_of_risk(self) -> Fraction | None:
        """Expected loss per unit at risk."""
        return self.house_edge / self.average_wager if self.average_wager else None

    @property
    def resolved(self) -> Fraction:
        """Probability that money changes hands."""
        return self._mean([Fraction(line.net != 0) for line in self.lines])

    @property
    def edge_per_resolved(self) -> Fraction | None:
        """House edge given that the bet does not push; None where nothing is staked or won."""
        staked = self.resolved and self.average_wager
        return self.house_edge / self.resolved if staked else None

    @property
    def variance(self) -> Fraction:
        """Variance of the net."""
        return self._mean([line.net**2 for line in self.lines]) - self.mean**2

    @property
    def standard_deviation(self) -> float:
        """Square root of the variance (a float: it is irrational)."""
        return math.sqrt(self.variance)

    @property
    def hit_frequency(self) -> Fraction:
        """Probability of a positive net."""
        return self._mean([Fraction(line.net > 0) for line in self.lines])


class Settled(NamedTuple):
    """How a line settles: index of its event, pay-off as written, net and stake in base units."""

    event: int
    pays: str
    net: Fraction
    staked: Fraction


@dataclass(frozen=True)
class Classified:
    """A wager's line of every row: `line` has shape (rows,), an index into `lines`.

    Lines without rows are listed too, so that a pay table prints whole.
    """

    line: Codes
    lines: tuple[Settled, ...]


def scope_of(table: Table, constants: Mapping[str, RuleValue]) -> Scope:
    """Names that a wager on this table may use."""
    return Scope(table.features, constants)


def expressions_of(wager: Wager, scope: Scope) -> list[predicates.Expression]:
    """Guard a wager's predicates, then its stakes, in event order; errors name the event."""
    guarded = []
    for key in ("when", "staked"):
        for event in wager.events:
            text = plain(getattr(event, key))
            try:
                guarded.append(predicates.guard(text, scope))
            except DealproofError as error:
                raise DealproofError(_place(wager, event.event, key) + str(error)) from None
    return guarded


def _place(wager: Wager, event: str, key: str) -> str:
    return f"wagers[{wager.name}].events[{event}].{key}: "


def standing(wager: Wager, constants: Mapping[str, RuleValue]) -> tuple[Wager, tuple[int, ...]]:
    """Keep the lines of a pay table that stand under these rules; tell their places in it."""
    kept = []
    for place, event in enumerate(wager.events):
        try:
            if event.under == "true" or predicates.holds(event.under, constants):
                kept.append(place)
        except DealproofError as error:
            raise DealproofError(_place(wager, event.event, "under") + str(error)) from None
    if not kept:
        raise DealproofError(f"wagers[{wager.name}].events: none stands under these rules")
    events = tuple(wager.events[place] for place in kept)
    return wager.model_copy(update={"events": events}), tuple(kept)


def pay_of(wager: Wager, constants: Mapping[str, RuleValue]) -> list[pays.Pay]:
    """Read a wager's pay-offs; refuse a table that mixes "to" and "for"."""
    parsed = []
    for event in wager.events:
        try:
            parsed.append(pays.parse(event.pays, constants))
        except DealproofError as error:
            raise DealproofError(_place(wager, event.event, "pays") + str(error)) from None
    if {"to", "for"} <= {pay.style for pay in parsed}:
        raise DealproofError(
            f"wagers[{wager.name}].events: pays mixes 'to' (profit) and 'for' (stake included); "
            "write one of them throughout"
        )
    return parsed


def _holding(
    wager: Wager, table: Table, constants: Mapping[str, RuleValue]
) -> tuple[NDArray[np.bool_], predicates.Evaluated]:
    """Evaluate a wager's events: which hold on which distinct row, shape (events, distinct)."""
    guarded = expressions_of(wager, scope_of(table, constants))
    try:
        evaluated = predicates.evaluate(table, guarded, constants)
    except DealproofError:
        _blame(wager, guarded, table, constants)
        raise
    held = []
    for index, event in enumerate(wager.events):
        try:
            held.append(predicates.booleans(evaluated, index, event.when))
        except DealproofError as error:
            raise DealproofError(_place(wager, event.event, "when") + str(error)) from None
    holds = np.stack(held)
    uncovered = np.flatnonzero(~holds.any(axis=0)) if len(table) else np.zeros(0, dtype=np.int64)
    if len(uncovered):
        row = table.row(int(evaluated.example[uncovered[0]]))
        told = ", ".join(f"{name} = {value}" for name, value in row.items())
        raise DealproofError(
            f"wagers[{wager.name}].events: {_kinds(len(uncovered))} covered by no event, "
            f'for example {told}; add a last event with when = "true"'
        )
    return holds, evaluated


def _blame(
    wager: Wager,
    guarded: Sequence[predicates.Expression],
    table: Table,
    constants: Mapping[str, RuleValue],
) -> None:
    """Evaluate a wager's expressions one by one, so that the error names the one at fault."""
    places = [(event, key) for key in ("when", "staked") for event in wager.events]
    for (event, key), expression in zip(places, guarded, strict=True):
        try:
            predicates.evaluate(table, [expression], constants)
        except DealproofError as error:
            raise DealproofError(_place(wager, event.event, key) + str(error)) from None


def _kinds(number: int) -> str:
    return "1 kind of row is" if number == 1 else f"{number:,} kinds of row are"


def check(
    wager: Wager,
    table: Table,
    constants: Mapping[str, RuleValue],
    strict: bool,
    own: bool = False,
) -> None:
    """Validate a wager against all rows that a space can give.

    Every row has to be covered; an event that earlier ones leave nothing for is an error; with
    `strict` one that can never happen is an error too. A stranger's `own` wager may not have one
    that no values of its columns meet, whatever the rules. Raises DealproofError.
    """
    wager, _ = standing(wager, constants)
    pay_of(wager, constants)
    holds, _ = _holding(wager, table, constants)
    first = holds.argmax(axis=0)
    for index, event in enumerate(wager.events):
        if np.any(first == index):
            continue
        if holds[index].any():
            raise DealproofError(
                _place(wager, event.event, "when") + "earlier events leave nothing for it"
            )
        if strict or (own and _nowhere(event.when, table.features, constants)):
            raise DealproofError(_place(wager, event.event, "when") + "it can never happen")


def _nowhere(text: str, features: Sequence[Feature], constants: Mapping[str, RuleValue]) -> bool:
    """Whether a condition that names no rule fails for all values that its columns may hold.

    False too where that would take too long to tell.
    """
    named = predicates.guard(text, Scope(tuple(features), constants)).names
    mine = [feature for feature in features if feature.name in named]
    shape = [feature.size for feature in mine]
    if len(mine) < len(named) or math.prod(shape) > PRODUCT:
        return False
    places = np.indices(shape).reshape(len(mine), -1)
    codes = {f.name: f.first + column for f, column in zip(mine, places, strict=True)}
    every = Table(tuple(mine), codes, np.ones(math.prod(shape), dtype=np.int64))
    try:
        return not predicates.mask(text, every, constants).any()
    except DealproofError:
        return False


def classify(wager: Wager, table: Table, constants: Mapping[str, RuleValue]) -> Classified:
    """Find the line that settles every row of a table. Raises DealproofError."""
    wager, places = standing(wager, constants)
    holds, evaluated = _holding(wager, table, constants)
    paid = pay_of(wager, constants)
    events = len(wager.events)
    settled = holds.argmax(axis=0)
    line = np.zeros(len(settled), dtype=np.int64)
    described: list[Settled] = []
    for event, pay in enumerate(paid):
        text = plain(wager.events[event].staked)
        rows = np.flatnonzero(settled == event)
        given = np.array(evaluated.values[events + event], dtype=object)[rows]
        place = _place(wager, wager.events[event].event, "staked")
        try:
            stakes = {value: predicates.exact(value, text) for value in set(given)}
        except DealproofError as error:
            raise DealproofError(place + str(error)) from None
        if not stakes:
            number_like = text.replace(".", "").isdigit()
            stakes = {None: Fraction(text) if number_like else Fraction(1)}
        ordered = sorted(set(stakes.values()))
        if ordered[0] < 0:
            raise DealproofError(f"{place}{ordered[0]} units; allowed: 0 or more")
        number = {stake: len(described) + k for k, stake in enumerate(ordered)}
        line[rows] = [number[stakes[value]] for value in given]
        described += [
            Settled(places[event], pay.text, pay.of(staked), staked) for staked in ordered
        ]
    return Classified(line[evaluated.member], tuple(described))


@dataclass(frozen=True)
class Value:
    """Net and stake of every row or cell as integers, shape (n,), over common denominators."""

    net: Counts
    net_unit: int
    staked: Counts
    staked_unit: int


class Pricer:
    """Prices wagers on one table, going over its rows once for each wager.

    `cell`, shape (rows,), sorts the rows into `cells` cells: in an action table one for each
    information set and action, so that a strategy is a choice of cells.
    """

    def __init__(
        self,
        table: Table,
        constants: Mapping[str, RuleValue],
        cell: Codes | None = None,
        cells: int = 1,
    ) -> None:
        self.table = table
        self.constants = constants
        self.cell = cell
        self.cells = cells
        self._classified: dict[Wager, Classified] = {}
        self._tallies: dict[Wager, Counts] = {}

    def classified(self, wager: Wager) -> Classified:
        """The line that settles every row."""
        if wager not in self._classified:
            self._classified[wager] = classify(wager, self.table, self.constants)
        return self._classified[wager]

    def tally(self, wager: Wager) -> Counts:
        """Count the deals of every cell that every line settles, shape (cells, lines)."""
        if wager not in self._tallies:
            classified = self.classified(wager)
            width, line = len(classified.lines), classified.line
            if self.cell is not None:
                line = self.cell * width + line
            sums = exact_sums(line, self.cells * width, self.table.combinations)
            self._tallies[wager] = sums.reshape(self.cells, width)
        return self._tallies[wager]

    def price(self, wager: Wager, chosen: Codes | None = None) -> Priced:
        """Price a wager, exactly, on the whole table or on some `chosen` cells of it."""
        classified, tally = self.classified(wager), self.tally(wager)
        picked = tally if chosen is None else tally[chosen]
        sums = [exact_total(column) for column in picked.T]
        deals = sum(sums)
        if deals == 0:
            raise DealproofError(f"wagers[{wager.name}]: the table holds no deal")
        lines = tuple(
            Line(wager.events[event].event, text, net, staked, count, deals)
            for (event, text, net, staked), count in zip(classified.lines, sums, strict=True)
        )
        return Priced(wager.name, deals, lines)

    def value(self, weighted: Sequence[tuple[Wager, Fraction]]) -> Value:
        """Weigh wagers (weight = units bet) into one net and one stake per row."""
        parts = [(self.classified(wager), weight) for wager, weight in weighted]

        def added(column: str) -> tuple[Counts, int]:
            whole, unit = _whole(parts, column)
            bound = sum(max(map(abs, values)) for values in whole)
            dtype = np.int64 if bound < INT64 else object
            total: Counts = np.zeros(len(self.table), dtype=dtype)
            for (part, _), values in zip(parts, whole, strict=True):
                total = total + np.array(values, dtype=dtype)[part.line]
            return total, unit

        return Value(*added("net"), *added("staked"))

    def worth(self, weighted: Sequence[tuple[Wager, Fraction]]) -> Value:
        """Weigh wagers into net × combinations and stake × combinations per cell."""
        parts = [(self.classified(wager), weight) for wager, weight in weighted]
        counts = np.concatenate([self.tally(wager) for wager, _ in weighted], axis=1)

        def added(column: str) -> tuple[Counts, int]:
            whole, unit = _whole(parts, column)
            return exact_dot(counts, [v for values in whole for v in values]), unit

        return Value(*added("net"), *added("staked"))

    def covariance(self, left: Wager, right: Wager, chosen: Codes | None = None) -> Fraction:
        """Covariance of two wagers' nets in the same deals, exactly."""
        a, b = self.classified(left), self.classified(right)
        width = len(b.lines)
        cell, counts = a.line * width + b.line, self.table.combinations
        if chosen is not None and self.cell is not None:
            held = np.zeros(self.cells, dtype=bool)
            held[chosen] = True
            rows = held[self.cell]
            cell, counts = cell[rows], counts[rows]
        sums = exact_sums(cell, len(a.lines) * width, counts)
        (x, y), unit = _whole([(a, Fraction(1)), (b, Fraction(1))], "net")
        deals = mean_x = mean_y = both = 0
        for place, count in enumerate(map(int, sums)):
            u, v = x[place // width], y[place % width]
            deals += count
            mean_x += count * u
            mean_y += count * v
            both += count * u * v
        return Fraction(deals * both - mean_x * mean_y, (deals * unit) ** 2)


def _whole(
    parts: Sequence[tuple[Classified, Fraction]], column: str
) -> tuple[list[list[int]], int]:
    """A column of every line of weighted wagers, as integers over one denominator."""
    exact = [[getattr(line, column) * weight for line in part.lines] for part, weight in parts]
    unit = lcm(*(v.denominator for values in exact for v in values))
    return [[int(v * unit) for v in values] for values in exact], unit


def price(wager: Wager, table: Table, constants: Mapping[str, RuleValue]) -> Priced:
    """Price one wager on an outcome table, exactly."""
    return Pricer(table, constants).price(wager)
