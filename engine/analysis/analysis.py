"""One analysis: a program, its tables filled, its strategies solved and its wagers priced.

Nothing is worked out before it is asked for, and nothing twice. The same class serves every
method: without tables the spaces are enumerated as far as needed, and tables that were enumerated,
exhausted or simulated elsewhere can be handed in. Strategies are solved from the tables unless
they are given.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from engine.analysis.binding import bind
from engine.contract.game import Game, Key, Space
from engine.contract.strategy import Strategy, View, ties
from engine.exact.errors import DealproofError, nearest
from engine.exact.tables import Codes, Table
from engine.pricing import settlement
from engine.pricing.pricer import Headline, Priced, Pricer
from engine.program.bound import BoundStrategy, BoundWager, Program, columns_of, key_of, tabulated
from engine.solving.optimum import solve, solve_in_space
from engine.spec.model import Spec


@dataclass(frozen=True)
class Result:
    """One wager priced under one strategy (None where the player decides nothing)."""

    wager: BoundWager
    strategy: BoundStrategy | None
    priced: Priced

    @property
    def space(self) -> str:
        """Name of the space that settles the wager."""
        return self.wager.space.name

    @property
    def key(self) -> tuple[str, str | None]:
        """Wager name and strategy name."""
        return self.wager.name, self.strategy.name if self.strategy else None

    @property
    def house_edge(self) -> Fraction | None:
        """Expected loss per base unit; None without a pay table, or where nothing is staked."""
        staked = self.wager.priced and self.priced.average_wager
        return self.priced.house_edge if staked else None

    @property
    def headline(self) -> Headline | None:
        """The quantity that the wager is known by; None without a pay table."""
        return self.priced.headline if self.wager.priced else None

    @property
    def headline_reason(self) -> str:
        """Why that is not the house edge, in words; empty where it is, or without a pay table."""
        return self.priced.headline_reason if self.wager.priced else ""

    @property
    def headline_value(self) -> Fraction | None:
        """The wager's headline, exactly; None without a pay table."""
        return self.quantity(self.headline)

    def quantity(self, name: Headline | None) -> Fraction | None:
        """The quantity of that name; None where the wager has none."""
        if name == "element_of_risk":
            return self.priced.element_of_risk if self.wager.priced else None
        return self.paid_per_round if name == "paid_per_round" else self.house_edge

    @property
    def paid_per_round(self) -> Fraction | None:
        """Expected units paid out where nothing is staked; None for every other wager."""
        free = self.wager.priced and not self.priced.average_wager
        return self.priced.mean if free else None


class _Tabulated:
    """A table, seen by information sets where it holds every action, and its pricer."""

    def __init__(self, table: Table, space: Space) -> None:
        self.table = table
        self.view = View.of(table, space) if tabulated(space) else None
        cells = () if self.view is None else (self.view.cell, self.view.allowed.size)
        self.pricer = Pricer(table, *cells)


def analyse(spec: Spec, strict: bool = False) -> Analysis:
    """Bind a spec and check its wagers against every row that a deal can end in.

    `strict` refuses events that can never happen: meant for a spec under its own rules. Raises
    DealproofError.
    """
    analysis = Analysis(bind(spec))
    analysis.validate(strict)
    return analysis


class Analysis:
    """What a program comes to, worked out on demand.

    `Analysis(bind(load("fu-bacc"))).price("ante")` enumerates what the Ante bet needs, solves its
    first strategy, and prices it. With `tables`, of any one method, nothing is enumerated, and
    only what these tables allow is known; `strategies` that were solved elsewhere are not solved
    again.
    """

    def __init__(
        self,
        program: Program,
        tables: Mapping[Key, Table] | None = None,
        strategies: Mapping[str, Strategy] | None = None,
    ) -> None:
        self.program = program
        self._given = tables
        self._filled: dict[Key, _Tabulated] = {}
        self._outcomes: dict[str, Pricer] = {}
        self._strategies = dict(strategies or {})
        self._results: dict[tuple[str, str | None], Result] = {}

    @property
    def spec(self) -> Spec:
        """The spec that was bound."""
        return self.program.spec

    @property
    def game(self) -> Game:
        """The game under the spec's rules."""
        return self.program.game

    # Tables

    @cached_property
    def tables(self) -> Mapping[Key, Table]:
        """Every table that prices the spec whole; those handed in, where some were."""
        if self._given is not None:
            return self._given
        for name, strategy in self.program.needs():
            self._tabulated((name, strategy), self.program.columns(self.game.space(name)))
        return {key: self._filled[key].table for key in self.program.needs()}

    def _tabulated(self, key: Key, columns: Collection[str]) -> _Tabulated:
        """A table with these columns at least: handed in, filled before, or filled now.

        The first call fills the columns that it needs; one that needs others all of the spec's.
        """
        there = self._filled.get(key)
        if there is not None and (self._given is not None or there.table.has(columns)):
            return there
        space = self.game.space(key[0])
        if self._given is not None:
            if key not in self._given:
                raise DealproofError(f"space {key[0]}: no table was handed in that holds it")
            table = self._given[key]
        else:
            wanted = frozenset(columns) or frozenset({space.features[0].name})
            if there is not None:
                wanted |= self.program.columns(space)
            strategy = self.strategy(key[1]) if key[1] is not None else None
            table = space.enumerate(0, space.starts, strategy, wanted)
        self._filled[key] = _Tabulated(table, space)
        return self._filled[key]

    def _behind(self, wager: BoundWager, strategy: BoundStrategy | None) -> _Tabulated:
        """The table that a wager is priced on under a strategy."""
        names = wager.names | (columns_of(strategy) if strategy else set())
        return self._tabulated(key_of(wager.space, strategy), self._columns(wager.space, names))

    def _columns(self, space: Space, names: Collection[str]) -> frozenset[str]:
        return frozenset(names) & {feature.name for feature in space.features}

    def table(self, space: str | None = None, strategy: str | None = None) -> Table:
        """The outcome table of a space (by default the first) under a strategy (its first).

        It has the columns that the spec needs there, at least. Raises DealproofError.
        """
        tabulated_space, how = self.program.played(space, strategy)
        filled = self._tabulated(
            key_of(tabulated_space, how), self.program.columns(tabulated_space)
        )
        return self._outcome(filled, how)

    def mean(self, strategy: BoundStrategy) -> Fraction:
        """Expected net of what a strategy is measured by, as its table prices it, in base units.

        A table that no wager asks for is enumerated.
        """
        space, key = strategy.space, key_of(strategy.space, strategy)
        if self.has(key):
            names = columns_of(strategy).union(*(wager.names for wager, _ in strategy.objective))
            filled = self._tabulated(key, self._columns(space, names))
        else:
            columns, solved = self.program.columns(space), self.strategy(strategy.name)
            filled = _Tabulated(space.enumerate(0, space.starts, solved, columns), space)
        cells = self._cells(filled, strategy)
        prices = ((filled.pricer.price(wager, cells), units) for wager, units in strategy.objective)
        return sum((units * priced.mean for priced, units in prices), Fraction())

    def always_staked(self, wager: BoundWager, space: Space) -> bool:
        """Whether something is at risk on a wager in every deal of a space, however it is played.

        Such a bet is put up before the cards are dealt. A bonus that stakes nothing is not, nor is
        a bet that only some deals offer.
        """
        if space.decision is not None and not space.decision.tabulated:
            pricer = self.outcomes(space)
        else:
            pricer = self._tabulated((space.name, None), self._columns(space, wager.names)).pricer
        classified = pricer.classified(wager)
        return all(classified.lines[k].staked > 0 for k in np.unique(classified.line))

    def has(self, key: Key) -> bool:
        """Whether a table can be known: always, unless tables were handed in without it."""
        return self._given is None or key in self._given

    def outcome(self, result: Result) -> Table:
        """The outcome table that a result was priced from."""
        return self._outcome(self._behind(result.wager, result.strategy), result.strategy)

    @property
    def outcome_tables(self) -> dict[tuple[str, str | None], Table]:
        """(space, strategy) → the outcome table that wagers of both are priced from."""
        results = {(result.space, result.key[1]): result for result in self.results}
        return {key: self.outcome(result) for key, result in results.items()}

    def _outcome(self, filled: _Tabulated, strategy: BoundStrategy | None) -> Table:
        if strategy is None or filled.view is None:
            return filled.table
        return filled.table.where(self.strategy(strategy.name).rows(filled.view))

    def view(self, space: str, columns: Collection[str] = ()) -> View | None:
        """The space's action table by information sets; None where it holds one strategy.

        It has these columns, or without any those that the spec names there.
        """
        played_space = self.game.space(space)
        if not tabulated(played_space):
            return None
        wanted = self._columns(played_space, columns) or self.program.columns(played_space)
        return self._tabulated((space, None), wanted).view

    def pricer(self, space: str, wagers: Collection[BoundWager] | None = None) -> Pricer:
        """The pricer of a space's table that no single strategy belongs to.

        The table has the columns of these wagers at least, or of all that the spec names there.
        """
        columns = self.program.columns(self.game.space(space), wagers)
        return self._tabulated((space, None), columns).pricer

    def _whole(self, space: str) -> _Tabulated:
        columns = self.program.columns(self.game.space(space))
        return self._tabulated((space, None), columns)

    def outcomes(self, space: Space) -> Pricer:
        """The pricer of every distinct outcome of a space that solves for itself."""
        if space.name not in self._outcomes:
            self._outcomes[space.name] = Pricer(space.outcomes())
        return self._outcomes[space.name]

    # Strategies

    def strategy(self, name: str) -> Strategy:
        """Solve a strategy of the spec, once; raise DealproofError where it has none."""
        if name not in self._strategies:
            self._strategies[name] = self.solve(self.program.strategy(name))
        return self._strategies[name]

    def solve(self, strategy: BoundStrategy) -> Strategy:
        """Solve any bound strategy, of the spec or not."""
        if not tabulated(strategy.space):
            return solve_in_space(strategy, self.outcomes(strategy.space))
        key = (strategy.space.name, None)
        filled = self._tabulated(key, self._columns(strategy.space, columns_of(strategy)))
        if filled.view is None:
            raise ValueError(f"space {strategy.space.name} has no decision")
        return solve(strategy, filled.view, filled.pricer)

    @cached_property
    def strategies(self) -> Mapping[str, Strategy]:
        """Every strategy of the spec, in its order, as far as the tables allow."""
        filled = self.tables
        return {
            name: self.strategy(name)
            for name, strategy in self.program.strategies.items()
            if name in self._strategies
            or not tabulated(strategy.space)
            or (strategy.space.name, None) in filled
        }

    # Prices

    def price(self, wager: str, strategy: str | None = None) -> Result:
        """Price a wager under a strategy of its space, by default the wager's first.

        Raises DealproofError with the known names.
        """
        bound = self.program.wager(wager)
        how = self._chosen(bound, strategy)
        key = bound.name, how.name if how else None
        if key not in self._results:
            filled = self._behind(bound, how)
            cells = self._cells(filled, how)
            self._results[key] = Result(bound, how, filled.pricer.price(bound, cells))
        return self._results[key]

    def prices(self, wagers: Sequence[str], strategies: Sequence[str] = ()) -> tuple[Result, ...]:
        """Price some wagers, each under all of its own strategies or under these instead.

        Tables are filled once with the columns that they need together. Where the player decides
        nothing `strategies` play no part. Raises DealproofError.
        """
        pairs = []
        for wager in map(self.program.wager, wagers):
            hows = self.program.strategies_of(wager)
            if strategies and hows != (None,):
                hows = tuple(self._chosen(wager, name) for name in strategies)
            pairs += [(wager, how) for how in hows]
        needed: dict[Key, set[str]] = {}
        for wager, how in pairs:
            names = needed.setdefault(key_of(wager.space, how), set())
            names |= wager.names | (columns_of(how) if how else set())
        for key, names in needed.items():
            self._tabulated(key, self._columns(self.game.space(key[0]), names))
        return tuple(self.price(wager.name, how.name if how else None) for wager, how in pairs)

    def _chosen(self, wager: BoundWager, name: str | None) -> BoundStrategy | None:
        (first, *_) = self.program.strategies_of(wager)
        if name is None or (first is not None and name == first.name):
            return first
        there = [strategy.name for strategy in self.program.strategies_in(wager.space)]
        if not there:
            raise DealproofError(
                f"strategy '{name}': the player decides nothing that wager {wager.name} hangs on"
            )
        if name not in there:
            raise DealproofError(f"strategy '{name}': {nearest(name, there)}")
        return self.program.strategy(name)

    @cached_property
    def results(self) -> tuple[Result, ...]:
        """Every wager under each of its strategies, in the spec's order, as the tables allow."""
        filled = self.tables
        return tuple(
            self.price(wager.name, how.name if how else None)
            for wager in self.program.wagers.values()
            for how in self.program.strategies_of(wager)
            if key_of(wager.space, how) in filled
        )

    def _cells(self, filled: _Tabulated, strategy: BoundStrategy | None) -> Codes | None:
        if strategy is None or filled.view is None:
            return None
        return self.strategy(strategy.name).cells(filled.view)

    def validate(
        self, strict: bool, wagers: Collection[str] | None = None, theirs: Collection[str] = ()
    ) -> None:
        """Check wagers (by default all) against all rows of their spaces; raise DealproofError.

        `strict` refuses events that can never happen: meant for a spec under its own rules.
        `theirs` names the wagers of a user's own file.
        """
        for wager in self.program.wagers.values():
            if wagers is not None and wager.name not in wagers:
                continue
            space = wager.space
            solves_itself = space.decision is not None and not space.decision.tabulated
            rows = self.outcomes(space).table if solves_itself else self._behind(wager, None).table
            settlement.check(wager, rows, strict, wager.name in theirs)

    # What follows from several prices

    def ties(self, strategy: BoundStrategy) -> tuple[int, int | None] | None:
        """Information sets in which an optimum has more than one best action.

        Also in how many of these the best actions settle a wager that is priced under it by other
        events; None where a space solves for itself, whose table holds one strategy alone. None
        altogether for strategies that are bound by rules.
        """
        if not strategy.optimum:
            return None
        solved = self.strategy(strategy.name)
        equal = ties(solved)
        rows = np.flatnonzero(equal.any(axis=1))
        if not tabulated(strategy.space):
            return len(rows), None
        filled = self._whole(strategy.space.name)
        view = filled.view
        if view is None:
            return len(rows), None
        cells = solved.cells(view)
        shape = view.allowed.shape
        # Sets of the view, which may come in another order than the strategy's own.
        set_of = solved.locate(view)
        tied, first = equal[set_of], cells - np.arange(shape[0]) * shape[1]
        differing = np.zeros(shape[0], dtype=bool)
        for result in self.results:
            if result.strategy is strategy:
                tally = filled.pricer.tally(result.wager).reshape(*shape, -1)
                taken = tally[np.arange(shape[0]), first][:, None, :]
                unlike = np.array(tally != taken, dtype=bool).any(axis=2)
                differing |= (unlike & tied).any(axis=1)
        return len(rows), int(differing.sum())

    def settles(self, wager: BoundWager, result: Result) -> bool:
        """Whether the deals behind a priced wager settle another one too."""
        space = result.wager.space
        return wager.space is space or wager.space.name in space.includes

    def covariance(self, left: BoundWager, result: Result) -> Fraction:
        """Covariance of any wager with a priced one, in the same deals and strategy."""
        return self._together(left, result.wager, result)

    def variance(self, wager: BoundWager, result: Result) -> Fraction:
        """Variance of any wager in the deals and under the strategy of a priced one."""
        return self._together(wager, wager, result)

    def _together(self, left: BoundWager, right: BoundWager, result: Result) -> Fraction:
        key = key_of(result.wager.space, result.strategy)
        columns = self.program.columns(result.wager.space)
        names = columns | self._columns(result.wager.space, left.names)
        filled = self._tabulated(key, names)
        return filled.pricer.covariance(left, right, self._cells(filled, result.strategy))
