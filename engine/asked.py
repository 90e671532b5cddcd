"""What a spec asks of its game: spaces, tables, columns; and whether the game has them."""

from __future__ import annotations

from collections.abc import Sequence

from engine import predicates, settlement
from engine.errors import DealproofError, nearest
from engine.game import Game, Key, Space, Wanted
from engine.grammar import Scope
from engine.solving import objective
from engine.spec import Spec, StrategyRule, Wager


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


def wanted(spec: Spec, game: Game, space: Space) -> Wanted:
    """Columns of a space that the spec's wagers, strategies and charts name."""
    scope = _scope(spec, game, space)
    names: set[str] = set()
    for wager in spec.wagers:
        if space_of(spec, game, wager) is space:
            for expression in settlement.expressions_of(wager, scope):
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


def _scope(spec: Spec, game: Game, space: Space) -> Scope:
    """What expressions over a space may name."""
    elsewhere = {f.name: s.name for s in game.spaces if s is not space for f in s.features}
    return Scope(space.features, spec.settings, elsewhere)


def _expressions_of(rule: StrategyRule, scope: Scope) -> list[tuple[str, predicates.Expression]]:
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


def check_asked(spec: Spec, game: Game) -> None:
    """Check the names, expressions and pays of wagers, strategies, charts, values, distributions.

    It needs no table, so that a mistake is told before anything is dealt. Raises DealproofError.
    """
    check_strategies(spec, game)
    needs(spec, game)
    for space in game.spaces:
        wanted(spec, game, space)
    for wager in spec.wagers:
        settlement.pay_of(settlement.standing(wager, spec.settings)[0], spec.settings)
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
            predicates.guard(table.where, Scope(seen, spec.settings))
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


def _check_columns(
    place: str, names: Sequence[str], space: Space, among: Sequence[str] | None = None
) -> None:
    known = [f.name for f in space.features] if among is None else among
    for name in names:
        if name not in known:
            raise DealproofError(f"{place}: column '{name}': {nearest(name, known)}")
