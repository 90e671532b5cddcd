"""One analysis: a game under one setting, its strategies solved and its wagers priced.

The same function serves every method: tables that were enumerated, exhausted or simulated go in,
priced wagers come out. Strategies are solved from the tables unless they are given.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from engine import predicates, pricing, strategy
from engine.errors import DealproofError, nearest
from engine.game import Game, Key, RuleValue, Space, Wanted
from engine.games import engine
from engine.pricing import Priced
from engine.spec import Spec, StrategyRule, Wager
from engine.strategy import Strategy
from engine.tables import Table


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
    texts = [str(e.when) + f" {e.pays} {e.staked}" for w in spec.wagers for e in w.events]
    texts += [c.when for s in spec.strategies for c in s.choose or ()]
    texts += [s.allowed or "" for s in spec.strategies]
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


@dataclass(frozen=True)
class Analysis:
    """Strategies, outcome tables and priced wagers of one game under one setting.

    `outcomes` is keyed by (space, strategy name or None).
    """

    spec: Spec
    game: Game
    strategies: Mapping[str, Strategy]
    outcomes: Mapping[Key, Table]
    results: tuple[Result, ...]

    def result(self, wager: str, strategy: str | None = None) -> Result:
        """Look a priced wager up; without a strategy, the wager's first."""
        for result in self.results:
            if result.wager.name == wager and strategy in (None, result.key[1]):
                return result
        known = [f"{w} / {s}" for w, s in (r.key for r in self.results)]
        raise DealproofError(f"wager '{wager}' / '{strategy}': {nearest(wager, known)}")

    def outcome(self, result: Result) -> Table:
        """The outcome table that a result was priced from."""
        return self.outcomes[result.space, result.key[1]]


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


def wanted(spec: Spec, game: Game, space: Space) -> Wanted:
    """Columns of a space that the spec's wagers, strategies and charts name."""
    scope = predicates.Scope(space.features, spec.settings)
    names: set[str] = set()
    for wager in spec.wagers:
        if space_of(spec, game, wager) is space:
            for expression in pricing.expressions_of(wager, scope):
                names.update(expression.names)
    for rule in spec.strategies:
        if strategy_space(game, rule) is space:
            texts = [choice.when for choice in rule.choose or ()] + [rule.allowed or "true"]
            for text in texts:
                names.update(predicates.guard(text, scope).names)
            names.update(rule.by or ())
    return frozenset(names - spec.settings.keys())


def strategy_space(game: Game, rule: StrategyRule) -> Space:
    """The space that a strategy decides in: its own, or the first with a decision."""
    for space in game.spaces:
        if space.decision is not None and rule.space in (None, space.name):
            return space
    names = [space.name for space in game.spaces if space.decision is not None]
    raise DealproofError(
        f"strategies[{rule.name}].space = '{rule.space}': {nearest(str(rule.space), names)}"
    )


def solve_all(spec: Spec, game: Game, tables: Mapping[Key, Table]) -> dict[str, Strategy]:
    """Solve every strategy of the spec, from the action tables where a space has them."""
    found = {}
    for rule in spec.strategies:
        space = strategy_space(game, rule)
        if space.decision is not None and not space.decision.tabulated:
            found[rule.name] = strategy.solve_in_space(spec, rule, space, spec.settings)
        elif (space.name, None) in tables:
            table = tables[space.name, None]
            found[rule.name] = strategy.solve(spec, rule, space, table, spec.settings)
    return found


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
    return tuple(keys)


def enumerate_all(spec: Spec, game: Game) -> tuple[dict[Key, Table], dict[str, Strategy]]:
    """Enumerate every table that the spec needs, whole, and solve its strategies."""
    keys = needs(spec, game)
    tables: dict[Key, Table] = {}
    for name, held in keys:
        if held is None:
            space = game.space(name)
            columns = wanted(spec, game, space)
            tables[name, None] = space.enumerate(0, space.starts, wanted=columns)
    strategies = solve_all(spec, game, tables)
    for name, held in keys:
        if held is not None:
            space = game.space(name)
            columns = wanted(spec, game, space)
            tables[name, held] = space.enumerate(0, space.starts, strategies[held], columns)
    return tables, strategies


def analyse(
    spec: Spec,
    game: Game,
    tables: Mapping[Key, Table],
    strategies: Mapping[str, Strategy] | None = None,
) -> Analysis:
    """Solve (unless `strategies` are given) and price everything that `tables` can settle."""
    if strategies is None:
        strategies = solve_all(spec, game, tables)
    outcomes: dict[Key, Table] = {}
    results = []
    for wager in spec.wagers:
        space = space_of(spec, game, wager)
        rules: tuple[StrategyRule | None, ...] = strategies_of(spec, space, wager) or (None,)
        for rule in rules:
            key = (space.name, rule.name if rule else None)
            if key not in outcomes:
                table = _outcome(space, rule, tables, strategies)
                if table is None:
                    continue
                outcomes[key] = table
            priced = pricing.price(wager, outcomes[key], spec.settings)
            results.append(Result(wager, rule, space.name, priced))
    return Analysis(spec, game, strategies, outcomes, tuple(results))


def _outcome(
    space: Space,
    rule: StrategyRule | None,
    tables: Mapping[Key, Table],
    strategies: Mapping[str, Strategy],
) -> Table | None:
    if rule is None or (space.name, None) not in tables:
        return tables.get((space.name, rule.name if rule else None))
    return strategies[rule.name].apply(tables[space.name, None])


def analyse_exactly(spec: Spec, strict: bool = False) -> Analysis:
    """Build, enumerate, validate, solve and price a spec, whole.

    `strict` refuses events that can never happen: meant for a spec under its own rules.
    """
    game = build(spec)
    tables, strategies = enumerate_all(spec, game)
    validate(spec, game, tables, strict)
    return analyse(spec, game, tables, strategies)


def validate(spec: Spec, game: Game, tables: Mapping[Key, Table], strict: bool) -> None:
    """Check every wager against all rows that its space can give; raise DealproofError."""
    for wager in spec.wagers:
        space = space_of(spec, game, wager)
        table = tables.get((space.name, None))
        pricing.check(wager, space.outcomes() if table is None else table, spec.settings, strict)


@dataclass(frozen=True)
class Alternative:
    """A reading's other value and the edge of one wager under it."""

    rule: str
    value: RuleValue
    wager: str
    strategy: str | None
    house_edge: Fraction
    change: Fraction


def readings(analysis: Analysis) -> tuple[Alternative, ...]:
    """Price every wager under every other value of every reading, one change at a time."""
    found = []
    for rule in analysis.spec.rules:
        if not rule.reading:
            continue
        for value in rule.choices:
            if value == rule.value:
                continue
            other = analyse_exactly(analysis.spec.under({rule.name: value}))
            for result in other.results:
                wager, name = result.key
                edge = result.priced.house_edge
                before = analysis.result(wager, name).priced.house_edge
                found.append(Alternative(rule.name, value, wager, name, edge, edge - before))
    return tuple(found)
