"""Pricing: outcome table × wager → exact combinations, edge, risk and deviation.

All results are `fractions.Fraction` per base unit unless named otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Literal

import numpy as np

from engine.exact.errors import DealproofError
from engine.exact.tables import INT64, Codes, Counts, Table, exact_dot, exact_sums, exact_total
from engine.pricing.settlement import Classified, classify
from engine.program.bound import BoundWager

#: The quantity that a wager is known by.
Headline = Literal["house_edge", "element_of_risk", "paid_per_round"]


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
    def headline(self) -> Headline:
        """The quantity to lead with: the house edge, as long as a base unit is always at risk.

        A bet that is not always made (insurance), or that can lose more than it stakes, is known by
        its loss per unit staked, since a base unit of it is not a unit that is bet; one on which
        nothing is ever staked by what it pays out a round.
        """
        if not self.average_wager:
            return "paid_per_round"
        return "element_of_risk" if self.headline_reason else "house_edge"

    @property
    def headline_reason(self) -> str:
        """Why it is not the house edge, in words; empty where it is."""
        dealt = [line for line in self.lines if line.combinations]
        if all(line.staked == 0 for line in dealt):
            return "nothing is staked"
        if any(line.staked == 0 for line in dealt):
            return "nothing is staked in some deals"
        if any(line.net < -line.staked for line in dealt):
            return "some deals lose more than is staked"
        return ""

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
    def third_moment(self) -> Fraction:
        """Third central moment of the net."""
        return self._mean([(line.net - self.mean) ** 3 for line in self.lines])

    @property
    def hit_frequency(self) -> Fraction:
        """Probability of a positive net."""
        return self._mean([Fraction(line.net > 0) for line in self.lines])


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
        cell: Codes | None = None,
        cells: int = 1,
    ) -> None:
        self.table = table
        self.cell = cell
        self.cells = cells
        self._classified: dict[BoundWager, Classified] = {}
        self._tallies: dict[BoundWager, Counts] = {}

    def classified(self, wager: BoundWager) -> Classified:
        """The line that settles every row."""
        if wager not in self._classified:
            self._classified[wager] = classify(wager, self.table)
        return self._classified[wager]

    def tally(self, wager: BoundWager) -> Counts:
        """Count the deals of every cell that every line settles, shape (cells, lines)."""
        if wager not in self._tallies:
            classified = self.classified(wager)
            width, line = len(classified.lines), classified.line
            if self.cell is not None:
                line = self.cell * width + line
            sums = exact_sums(line, self.cells * width, self.table.combinations)
            self._tallies[wager] = sums.reshape(self.cells, width)
        return self._tallies[wager]

    def price(self, wager: BoundWager, chosen: Codes | None = None) -> Priced:
        """Price a wager, exactly, on the whole table or on some `chosen` cells of it."""
        classified, tally = self.classified(wager), self.tally(wager)
        picked = tally if chosen is None else tally[chosen]
        sums = [exact_total(column) for column in picked.T]
        deals = sum(sums)
        if deals == 0:
            raise DealproofError(f"{wager.path}: the table holds no deal")
        lines = tuple(
            Line(wager.spec.events[event].event, text, net, staked, count, deals)
            for (event, text, net, staked), count in zip(classified.lines, sums, strict=True)
        )
        return Priced(wager.name, deals, lines)

    def value(self, weighted: Sequence[tuple[BoundWager, Fraction]]) -> Value:
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

    def worth(self, weighted: Sequence[tuple[BoundWager, Fraction]]) -> Value:
        """Weigh wagers into net × combinations and stake × combinations per cell."""
        parts = [(self.classified(wager), weight) for wager, weight in weighted]
        counts = np.concatenate([self.tally(wager) for wager, _ in weighted], axis=1)

        def added(column: str) -> tuple[Counts, int]:
            whole, unit = _whole(parts, column)
            return exact_dot(counts, [v for values in whole for v in values]), unit

        return Value(*added("net"), *added("staked"))

    def covariance(
        self, left: BoundWager, right: BoundWager, chosen: Codes | None = None
    ) -> Fraction:
        """Covariance of two wagers' nets in the same deals, exactly."""
        a, b = self.classified(left), self.classified(right)
        width = len(b.lines)
        cell, counts = a.line * width + b.line, self.table.combinations
        if chosen is not None and self.cell is not None:
            in_cell = np.zeros(self.cells, dtype=bool)
            in_cell[chosen] = True
            rows = in_cell[self.cell]
            cell, counts = cell[rows], counts[rows]
        sums = exact_sums(cell, len(a.lines) * width, counts)
        (x, y), unit = _whole([(a, Fraction(1)), (b, Fraction(1))], "net")
        deals = mean_x = mean_y = both = 0
        for index, count in enumerate(map(int, sums)):
            u, v = x[index // width], y[index % width]
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


def price(wager: BoundWager, table: Table) -> Priced:
    """Price one wager on an outcome table, exactly."""
    return Pricer(table).price(wager)
