"""One analysis: a game under one setting, its strategies solved and its wagers priced.

The same function serves every method: tables that were enumerated, exhausted or simulated go in,
priced wagers come out. Strategies are solved from the tables unless they are given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from engine import predicates, pricing
from engine.errors import DealproofError, nearest
from engine.game import Game, Key, Space, Wanted
from engine.games import engine
from engine.pricing import Priced, Pricer
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


def space_of(spec: Spec, game: Game, wager: Wager) -> Space:
    """The space that settles a wager; the game's only or first one where none is named."""
    if wager.space is None:
        return game.spaces[0]
    names = [space.name for space in game.spaces]
    if wager.space not in names:
        raise DealproofError(
            f"wagers[{wager.name}].space = '{wager.space}': {nearest(wager.space, names)}"
        )
    return game.space(wager.space)


def strategies_of(spec: Spec, space: Space, wager: Wager) -> tuple[StrategyRule, ...]:
    """Strategies under which a wager is priced: its own, or the first of its space."""
    if space.decision is None:
        return ()
    if wager.strategies:
        return tuple(spec.strategy(name) for name in wager.strategies)
    for rule in spec.strategies:
        if rule.space in (None, space.name):
            return (rule,)
    raise DealproofError(f"wagers[{wager.name}].strategies: space {space.name} needs a strategy")


def played(
    spec: Spec, game: Game, space: str | None, strategy: str | None
) -> tuple[Space, StrategyRule | None]:
    """A space, by default the first, and a strategy, by default the space's first.

    None where the player decides nothing. Raises DealproofError.
    """
    names = [known.name for known in game.spaces]
    if space is not None and space not in names:
        raise DealproofError(f"space = '{space}': {nearest(space, names)}")
    found = game.space(space or names[0])
    if found.decision is None:
        return found, None
    mine = [rule for rule in spec.strategies if rule.space in (None, found.name)]
    for rule in mine:
        if strategy in (None, rule.name):
            return found, rule
    raise DealproofError(
        f"strategy = '{strategy}': {nearest(str(strategy), [r.name for r in mine])}"
    )


def wanted(spec: Spec, game: Game, space: Space) -> Wanted:
    """Columns of a space that the spec's wagers, strategies and charts name."""
    scope = _scope(spec, game, space)
    names: set[str] = set()
    for wager in spec.wagers:
        if space_of(spec, game, wager) is space:
            for expression in pricing.expressions_of(wager, scope):
                names.update(expression.names)
    for rule in spec.strategies:
        if strategy_space(game, rule) is space:
            for key, expression in _expressions_of(rule, scope):
                if key == "prefers" and not tabulated(space):
                    continue
                names.update(expression.names)
            names.update(rule.by or ())
    for asked in spec.distributions:
        if played(spec, game, asked.space, asked.strategy)[0] is space:
            names.update((*asked.rows, *asked.columns))
    return frozenset(names - spec.settings.keys()) or frozenset({space.features[0].name})


def _scope(spec: Spec, game: Game, space: Space) -> predicates.Scope:
    """What expressions over a space may name."""
    elsewhere = {f.name: s.name for s in game.spaces if s is not space for f in s.features}
    return predicates.Scope(space.features, spec.settings, elsewhere)


def _expressions_of(
    rule: StrategyRule, scope: predicates.Scope
) -> list[tuple[str, predicates.Expression]]:
    """Guard what a strategy is written in, with the key of each; errors name the place."""
    texts = [
        *(("choose", f"[{n}].when", c.when) for n, c in enumerate(rule.choose or (), start=1)),
        *(("prefers", f"[{n}]", text) for n, text in enumerate(rule.prefers or (), start=1)),
        *((("allowed", "", rule.allowed),) if rule.allowed is not None else ()),
    ]
    guarded = []
    for key, place, text in texts:
        try:
            guarded.append((key, predicates.guard(text, scope)))
        except DealproofError as error:
            raise DealproofError(f"strategies[{rule.name}].{key}{place}: {error}") from None
    return guarded


def check_strategies(spec: Spec, game: Game) -> None:
    """Check the columns, actions and weights that strategies name; raise DealproofError."""
    for rule in spec.strategies:
        space = strategy_space(game, rule)
        _expressions_of(rule, _scope(spec, game, space))
        objective(spec, rule, space)
        place = f"strategies[{rule.name}]"
        actions = space.decision.actions if space.decision else ()
        for number, choice in enumerate(rule.choose or (), start=1):
            if choice.action not in actions:
                told = f"{place}.choose[{number}].action = '{choice.action}'"
                raise DealproofError(f"{told}: {nearest(choice.action, actions)}")
        _check_columns(f"{place}.by", rule.by or (), space)
        if rule.order_of is not None:
            _check_columns(f"{place}.order_of", (rule.order_of,), space)
            if tabulated(space) or rule.prefers is None:
                told = "goes with 'prefers', in a space that solves for itself"
                raise DealproofError(f"{place}.order_of: {told}")


def strategy_space(game: Game, rule: StrategyRule) -> Space:
    """The space that a strategy decides in: its own, or the first with a decision."""
    try:
        return strategy_for(game, rule.space)
    except DealproofError as error:
        raise DealproofError(f"strategies[{rule.name}].{error}") from None


def strategy_for(game: Game, name: str | None) -> Space:
    """The space of a decision by name, or the first with a decision."""
    deciding = [space for space in game.spaces if space.decision is not None]
    for space in deciding:
        if name in (None, space.name):
            return space
    names = [space.name for space in deciding]
    raise DealproofError(f"space = '{name}': {nearest(str(name), names)}")


def tabulated(space: Space) -> bool:
    """Whether a space's tables hold every action of a decision."""
    return space.decision is not None and space.decision.tabulated


def needs(spec: Spec, game: Game) -> tuple[Key, ...]:
    """Tables that price the spec whole: one per space, or per strategy where a space solves."""
    keys: dict[Key, None] = {}
    for wager in spec.wagers:
        space = space_of(spec, game, wager)
        if space.decision is None or space.decision.tabulated:
            keys[space.name, None] = None
        else:
            for rule in strategies_of(spec, space, wager):
                keys[space.name, rule.name] = None
    for asked in spec.distributions:
        space, told = played(spec, game, asked.space, asked.strategy)
        keys[space.name, told.name if told and not tabulated(space) else None] = None
    return tuple(keys)


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


def validate(spec: Spec, game: Game, tables: Mapping[Key, Table], strict: bool) -> None:
    """Check wagers against all rows of their spaces, and what else is asked for.

    Raises DealproofError.
    """
    check_asked(spec, game)
    for wager in spec.wagers:
        space = space_of(spec, game, wager)
        table = tables.get((space.name, None))
        pricing.check(wager, space.outcomes() if table is None else table, spec.settings, strict)


def check_asked(spec: Spec, game: Game) -> None:
    """Check the names, expressions and pays of wagers, strategies, charts, values, distributions.

    It needs no table, so that a mistake is told before anything is dealt. Raises DealproofError.
    """
    check_strategies(spec, game)
    needs(spec, game)
    for space in game.spaces:
        wanted(spec, game, space)
    for wager in spec.wagers:
        pricing.pay_of(pricing.standing(wager, spec.settings)[0], spec.settings)
    for chart in spec.charts:
        space = strategy_space(game, spec.strategy(chart.strategy))
        for key, names in (("rows", chart.rows), ("columns", chart.columns)):
            _check_columns(f"charts[{chart.title}].{key}", names, space)
    for table in spec.values:
        space, place = strategy_space(game, spec.strategy(table.strategy)), f"values[{table.title}]"
        known = space.decision.information if space.decision else ()
        _check_columns(f"{place}.by", table.by, space, known)
        seen = tuple(feature for feature in space.features if feature.name in known)
        try:
            predicates.guard(table.where, predicates.Scope(seen, spec.settings))
        except DealproofError as error:
            raise DealproofError(f"{place}.where: {error}") from None
    for asked in spec.distributions:
        place = f"distributions[{asked.name}]"
        try:
            space, _ = played(spec, game, asked.space, asked.strategy)
        except DealproofError as error:
            raise DealproofError(f"{place}.{error}") from None
        for key, names in (("rows", asked.rows), ("columns", asked.columns)):
            _check_columns(f"{place}.{key}", names, space)


def _check_columns(
    place: str, names: Sequence[str], space: Space, among: Sequence[str] | None = None
) -> None:
    known = [f.name for f in space.features] if among is None else among
    for name in names:
        if name not in known:
            raise DealproofError(f"{place}: column '{name}': {nearest(name, known)}")
