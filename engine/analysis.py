"""One analysis: a game under one setting, its strategies solved and its wagers priced.

The same function serves every method: tables that were enumerated, exhausted or simulated go in,
priced wagers come out. Strategies are solved from the tables unless they are given.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from engine import settlement
from engine.asked import (
    check_asked,
    needs,
    played,
    space_of,
    strategies_of,
    strategy_space,
    tabulated,
    wanted,
)
from engine.errors import DealproofError, nearest
from engine.game import Game, Key, Space
from engine.games import engine
from engine.pricing import Headline, Priced, Pricer
from engine.solving import objective, solve, solve_in_space
from engine.spec import Spec, StrategyRule, Wager
from engine.strategy import Strategy, View, ties
from engine.tables import Codes, Table


def build(spec: Spec) -> Game:
    """Make the game that a spec describes; raise DealproofError where the two do not fit."""
    made = engine(spec.engine)
    parameters = {parameter.name: parameter for parameter in made.PARAMETERS}
    settings = spec.settings
    for name in parameters:
        if name not in settings:
            raise DealproofError(f"rules: engine {spec.engine} reads '{name}', which is missing")
    spoken = _spoken(spec)
    for rule in spec.rules:
        if rule.name not in parameters:
            if rule.name not in spoken:
                raise DealproofError(
                    f"rules[{rule.name}]: no engine, wager or strategy reads it; "
                    f"{nearest(rule.name, parameters)}"
                )
            continue
        parameter = parameters[rule.name]
        for value in rule.choices:
            if not parameter.admits(value):
                raise DealproofError(
                    f"rules[{rule.name}].allowed: {value}: engine {spec.engine} can play "
                    f"{parameter.allowed}"
                )
    return made.build(settings)


def _spoken(spec: Spec) -> str:
    """All text in which a wager or strategy may name a rule."""
    texts = [f"{e.when} {e.pays} {e.staked} {e.under}" for w in spec.wagers for e in w.events]
    texts += [c.when for s in spec.strategies for c in s.choose or ()]
    texts += [s.allowed or "" for s in spec.strategies]
    texts += [text for s in spec.strategies for text in s.prefers or ()]
    return "\n".join(texts)


@dataclass(frozen=True)
class Result:
    """One wager priced under one strategy (None where the player decides nothing)."""

    wager: Wager
    strategy: StrategyRule | None
    space: str
    priced: Priced

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


class Analysis:
    """Strategies solved and wagers priced on the tables of one game under one setting.

    `tables` come from any one method. Strategies that were solved elsewhere are given; others are
    solved here, as far as the tables allow.
    """

    def __init__(
        self,
        spec: Spec,
        game: Game,
        tables: Mapping[Key, Table],
        strategies: Mapping[str, Strategy] | None = None,
    ) -> None:
        self.spec, self.game, self.tables = spec, game, tables
        self._views = {
            key: View.of(table, game.space(key[0]))
            for key, table in tables.items()
            if tabulated(game.space(key[0]))
        }
        self._pricers = {key: self._pricer(key) for key in tables}
        self.strategies = self._solve(strategies or {})
        self.results = tuple(self._price())

    def _pricer(self, key: Key) -> Pricer:
        table, constants = self.tables[key], self.spec.settings
        if key not in self._views:
            return Pricer(table, constants)
        view = self._views[key]
        return Pricer(table, constants, view.cell, view.open.size)

    def _solve(self, given: Mapping[str, Strategy]) -> dict[str, Strategy]:
        found = dict(given)
        for rule in self.spec.strategies:
            space = strategy_space(self.game, rule)
            if rule.name not in given and (
                not tabulated(space) or (space.name, None) in self.tables
            ):
                found[rule.name] = self.solve(rule)
        return {rule.name: found[rule.name] for rule in self.spec.strategies if rule.name in found}

    def solve(self, rule: StrategyRule) -> Strategy:
        """Solve one strategy, of the spec or not."""
        space = strategy_space(self.game, rule)
        if not tabulated(space):
            return solve_in_space(self.spec, rule, space, self.spec.settings)
        key = (space.name, None)
        return solve(self.spec, rule, space, self._views[key], self._pricers[key])

    def _price(self) -> Iterator[Result]:
        for wager in self.spec.wagers:
            space = space_of(self.spec, self.game, wager)
            for rule in strategies_of(self.spec, space, wager) or (None,):
                held = self._held(space, rule)
                if held in self.tables:
                    priced = self._pricers[held].price(wager, self._cells(held, rule))
                    yield Result(wager, rule, space.name, priced)

    def _held(self, space: Space, rule: StrategyRule | None) -> Key:
        """Key of the table that holds a strategy's rows."""
        return space.name, rule.name if rule and not tabulated(space) else None

    def _cells(self, held: Key, rule: StrategyRule | None) -> Codes | None:
        if rule is None or held not in self._views:
            return None
        return self.strategies[rule.name].cells(self._views[held])

    def result(self, wager: str, strategy: str | None = None) -> Result:
        """Look a priced wager up; without a strategy, the wager's first."""
        for result in self.results:
            if result.wager.name == wager and strategy in (None, result.key[1]):
                return result
        known = [f"{w} / {s}" for w, s in (r.key for r in self.results)]
        raise DealproofError(f"wager '{wager}' / '{strategy}': {nearest(wager, known)}")

    def mean(self, rule: StrategyRule) -> Fraction:
        """Expected net of what a strategy is measured by, as its table prices it, in base units.

        A table that no wager asks for is enumerated.
        """
        space = strategy_space(self.game, rule)
        held, strategy = self._held(space, rule), self.strategies[rule.name]
        if held not in self._pricers:
            columns = wanted(self.spec, self.game, space)
            table = space.enumerate(0, space.starts, strategy, columns)
            self._pricers[held] = Pricer(table, self.spec.settings)
        pricer, chosen = self._pricers[held], self._cells(held, rule)
        weighted = objective(self.spec, rule, space)
        return sum((w * pricer.price(wager, chosen).mean for wager, w in weighted), Fraction())

    def outcome(self, result: Result) -> Table:
        """The outcome table that a result was priced from."""
        return self._outcome(self.game.space(result.space), result.strategy)

    def held(self, space: str | None, strategy: str | None) -> Table:
        """The outcome table of a space (by default the first) under a strategy (its first)."""
        return self._outcome(*self.place(space, strategy))

    def place(self, space: str | None, strategy: str | None) -> tuple[Space, StrategyRule | None]:
        """The space and strategy of these names; see `played`."""
        return played(self.spec, self.game, space, strategy)

    def _outcome(self, space: Space, rule: StrategyRule | None) -> Table:
        held = self._held(space, rule)
        if rule is None or held not in self._views:
            return self.tables[held]
        return self.tables[held].where(self.strategies[rule.name].rows(self._views[held]))

    def price(self, wager: Wager, rule: StrategyRule) -> Priced | None:
        """Price any wager under a strategy that decides in its space; None without its table."""
        held = self._held(strategy_space(self.game, rule), rule)
        if held not in self.tables:
            return None
        return self._pricers[held].price(wager, self._cells(held, rule))

    def always_staked(self, wager: Wager, space: Space) -> bool:
        """Whether something is at risk on a wager in every deal of a space, however it is played.

        Such a bet is put up before the cards are dealt. A bonus that stakes nothing is not, nor is
        a bet that only some deals offer.
        """
        key = space.name, None
        if key in self.tables or tabulated(space):
            pricer = self._pricers[key]
        else:
            pricer = Pricer(space.outcomes(), self.spec.settings)
        classified = pricer.classified(wager)
        return all(classified.lines[k].staked > 0 for k in np.unique(classified.line))

    def view(self, space: str) -> View | None:
        """The space's action table by information sets; None where it holds one strategy."""
        return self._views.get((space, None))

    def pricer(self, space: str) -> Pricer:
        """The pricer of a space's table that no single strategy belongs to."""
        return self._pricers[space, None]

    def ties(self, rule: StrategyRule) -> tuple[int, int | None] | None:
        """Information sets in which an optimum has more than one best action.

        Also in how many of these the best actions settle a wager that is priced under it by other
        events; None where a space solves for itself, whose table holds one strategy alone. None
        altogether for strategies that are bound by rules.
        """
        if rule.maximises is None or rule.by is not None or not rule.removal:
            return None
        strategy = self.strategies[rule.name]
        equal = ties(strategy)
        rows = np.flatnonzero(equal.any(axis=1))
        key = (strategy.space, None)
        if key not in self._views:
            return len(rows), None
        cells = strategy.cells(self._views[key])
        shape = self._views[key].open.shape
        # Sets of the view, which may come in another order than the strategy's own.
        own = strategy.locate(self._views[key])
        tied, first = equal[own], cells - np.arange(shape[0]) * shape[1]
        differing = np.zeros(shape[0], dtype=bool)
        for result in self.results:
            if result.key[1] == rule.name:
                tally = self._pricers[key].tally(result.wager).reshape(*shape, -1)
                taken = tally[np.arange(shape[0]), first][:, None, :]
                unlike = np.array(tally != taken, dtype=bool).any(axis=2)
                differing |= (unlike & tied).any(axis=1)
        return len(rows), int(differing.sum())

    def settles(self, wager: Wager, result: Result) -> bool:
        """Whether the deals behind a priced wager settle another one too."""
        own = space_of(self.spec, self.game, wager).name
        space = self.game.space(result.space)
        return own == space.name or own in space.includes

    def covariance(self, left: Wager, result: Result) -> Fraction:
        """Covariance of any wager with a priced one, in the same deals and strategy."""
        held = self._held(self.game.space(result.space), result.strategy)
        chosen = self._cells(held, result.strategy)
        return self._pricers[held].covariance(left, result.wager, chosen)


def enumerate_all(spec: Spec, game: Game) -> tuple[dict[Key, Table], dict[str, Strategy]]:
    """Enumerate every table that the spec needs, whole.

    Also returns the strategies for which spaces had to solve for themselves first.
    """
    tables: dict[Key, Table] = {}
    strategies: dict[str, Strategy] = {}
    for name, held in needs(spec, game):
        space = game.space(name)
        if held is not None and held not in strategies:
            strategies[held] = solve_in_space(spec, spec.strategy(held), space, spec.settings)
        strategy = strategies[held] if held is not None else None
        columns = wanted(spec, game, space)
        tables[name, held] = space.enumerate(0, space.starts, strategy, columns)
    return tables, strategies


def analyse_exactly(spec: Spec, strict: bool = False) -> Analysis:
    """Build, enumerate, validate, solve and price a spec, whole.

    `strict` refuses events that can never happen: meant for a spec under its own rules.
    """
    game = build(spec)
    tables, strategies = enumerate_all(spec, game)
    validate(spec, game, tables, strict)
    return Analysis(spec, game, tables, strategies)


def validate(
    spec: Spec,
    game: Game,
    tables: Mapping[Key, Table],
    strict: bool,
    own: Collection[str] = (),
) -> None:
    """Check wagers against all rows of their spaces, and what else is asked for.

    `own` names the wagers that a stranger wrote. Raises DealproofError.
    """
    check_asked(spec, game)
    for wager in spec.wagers:
        space = space_of(spec, game, wager)
        table = tables.get((space.name, None))
        rows = space.outcomes() if table is None else table
        settlement.check(wager, rows, spec.settings, strict, wager.name in own)
