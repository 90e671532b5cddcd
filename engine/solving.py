"""Finding strategies: from action tables, or by a space that solves for itself.

The optimum of an action table is found set by set: the sum of net × combinations decides, exactly.
Where actions are worth the same, the smaller stake wins, then the order in which the space lists
its actions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from engine import predicates
from engine.bound import bind
from engine.errors import DealproofError, nearest
from engine.game import RuleValue, Space
from engine.grammar import Scope
from engine.numbers import written
from engine.pricing import Pricer, Value
from engine.spec import Joint, Spec, StrategyRule, Wager
from engine.strategy import Strategy, View, best, lexicographic
from engine.tables import INT64, Codes, Counts, Table, group


def allowed_cells(
    rule: StrategyRule | Joint, view: View, constants: Mapping[str, RuleValue]
) -> NDArray[np.bool_]:
    """Which (set, action) cells a strategy may use, shape (sets, actions)."""
    if rule.allowed is None:
        return np.ones(view.open.shape, dtype=bool)
    held = predicates.mask(rule.allowed, view.table, constants)
    allowed = np.ones(view.open.size, dtype=bool)
    allowed[view.cell] = held
    if not np.array_equal(allowed[view.cell], held):
        raise DealproofError(
            f"strategies[{rule.name}].allowed: ({rule.allowed}) depends on cards that the "
            "player has not seen"
        )
    return allowed.reshape(view.open.shape)


def solve(spec: Spec, rule: StrategyRule, space: Space, view: View, pricer: Pricer) -> Strategy:
    """Find a strategy's action at every information set of an action table."""
    if not rule.removal:
        raise DealproofError(
            f"strategies[{rule.name}].removal: space {space.name} cannot forget seen cards"
        )
    value = pricer.worth(objective(spec, rule, space))
    worth, stake = value.net.reshape(view.open.shape), value.staked.reshape(view.open.shape)
    usable = view.open & allowed_cells(rule, view, pricer.constants)
    if not usable.any(axis=1).all():
        missing = view.label(int(np.flatnonzero(~usable.any(axis=1))[0]))
        raise DealproofError(f"strategies[{rule.name}].allowed: leaves no action at {missing}")
    if rule.choose is not None:
        chosen = _by_rules(rule, view, usable, pricer.constants)
    elif rule.prefers is not None:
        values = scores(rule, view.table, pricer.constants)
        chosen = lexicographic([view.sums(value) for value in values], usable)
    else:
        chosen = best(worth, stake, usable, gather(rule, view))
    return Strategy(
        rule.name,
        space.name,
        tuple(view.table.feature(name) for name in view.decision.information),
        view.sets,
        view.decision.actions,
        chosen,
        view.weight,
        worth,
        value.net_unit,
        usable,
    )


def solve_in_space(
    spec: Spec, rule: StrategyRule, space: Space, constants: Mapping[str, RuleValue]
) -> Strategy:
    """Let a space with decisions in sequence solve for itself, wagers turned into integers."""
    rows = space.outcomes()
    value = Pricer(rows, constants).value(objective(spec, rule, space))
    allowed = allowed_rows(rule, rows, constants)
    preferred = None
    if rule.choose is not None:
        preferred = _preferred(rule, space, constants)
    elif rule.prefers is not None or not rule.removal:
        seen = space if rule.removal else space.without_removal()
        preferred = _liked(rule, seen, value, allowed, constants)[:, None]
    if rule.by is not None:
        solved = _bound(rule, space, value, allowed)
    else:
        solved = space.solve(rule.name, value.net, value.staked, allowed, preferred)
    return replace(solved, unit=solved.unit * value.net_unit)


def allowed_rows(
    rule: StrategyRule, rows: Table, constants: Mapping[str, RuleValue]
) -> NDArray[np.bool_]:
    """Which outcomes of a space a strategy may lead to, shape (rows,)."""
    if rule.allowed is None:
        return np.ones(len(rows), dtype=bool)
    return predicates.mask(rule.allowed, rows, constants)


def _bound(rule: StrategyRule, space: Space, value: Value, allowed: NDArray[np.bool_]) -> Strategy:
    """Solve for the best strategy that takes one action for every value of the columns `by`."""
    sets, by = space.sets(), []
    for name in rule.by or ():
        try:
            by.append(sets.feature(name))
        except DealproofError as error:
            raise DealproofError(f"strategies[{rule.name}].by: {error}") from None
    try:
        return bind(rule.name, space, group(by, sets.codes)[1], value, allowed)
    except DealproofError as error:
        raise DealproofError(f"strategies[{rule.name}].by: {error}") from None


def _liked(
    rule: StrategyRule,
    space: Space,
    value: Value,
    allowed: NDArray[np.bool_],
    constants: Mapping[str, RuleValue],
) -> Codes:
    """Action that a strategy likes best at every information set of a space that solves."""
    if rule.prefers is None:
        return space.solve(rule.name, value.net, value.staked, allowed).chosen
    nothing = np.zeros(len(allowed), dtype=np.int64)
    values = scores(rule, space.outcomes(), constants)
    solved = [space.solve(rule.name, value, nothing, allowed) for value in values]
    return lexicographic([strategy.worth for strategy in solved], solved[0].open)


def scores(
    rule: StrategyRule, table: Table, constants: Mapping[str, RuleValue]
) -> Iterator[Counts]:
    """Values of a strategy's expressions on every row, as integers of one unit each."""
    scope = Scope(table.features, constants)
    for number, text in enumerate(rule.prefers or (), start=1):
        try:
            evaluated = predicates.evaluate(table, [predicates.guard(text, scope)], constants)
            given = [int(v) if isinstance(v, bool) else v for v in evaluated.values[0]]
            exact = {v: predicates.exact(v, text) for v in set(given)}
        except DealproofError as error:
            raise DealproofError(f"strategies[{rule.name}].prefers[{number}]: {error}") from None
        unit = lcm(*(v.denominator for v in exact.values()))
        scaled = {v: int(fraction * unit) for v, fraction in exact.items()}
        whole = np.array([scaled[v] for v in given], dtype=object)
        bound = max(map(abs, scaled.values()))
        yield (whole.astype(np.int64) if bound < INT64 else whole)[evaluated.member]


def _preferred(rule: StrategyRule, space: Space, constants: Mapping[str, RuleValue]) -> Codes:
    """Actions that a strategy by rules names for every information set, in its order."""
    sets, actions = space.sets(), space.decision.actions if space.decision else ()
    columns = []
    for number, choice in enumerate(rule.choose or (), start=1):
        place = f"strategies[{rule.name}].choose[{number}]"
        if choice.action not in actions:
            raise DealproofError(
                f"{place}.action = '{choice.action}': {nearest(choice.action, actions)}"
            )
        try:
            held = predicates.mask(choice.when, sets, constants)
        except DealproofError as error:
            raise DealproofError(f"{place}.when: {error}") from None
        columns.append(np.where(held, actions.index(choice.action), -1))
    found = np.stack(columns, axis=1)
    if np.any(found.max(axis=1) < 0):
        missing = sets.row(int(np.flatnonzero(found.max(axis=1) < 0)[0]))
        told = ", ".join(f"{name} = {value}" for name, value in missing.items())
        raise DealproofError(f"strategies[{rule.name}].choose: names no action at {told}")
    return found


def objective(spec: Spec, rule: StrategyRule, space: Space) -> list[tuple[Wager, Fraction]]:
    """Wagers and units bet by which a strategy is measured: its own, or those that name it."""
    if rule.maximises is not None:
        weights = {name: _weight(rule, name, text) for name, text in rule.maximises.items()}
        return [(spec.wager(name), weight) for name, weight in weights.items()]
    using = [wager for wager in spec.wagers if rule.name in wager.strategies]
    here = [wager for wager in spec.wagers if wager.space == space.name and wager.priced]
    if not (using or here):
        raise DealproofError(f"strategies[{rule.name}]: no wager is priced under it")
    return [((using or here)[0], Fraction(1))]


def _weight(rule: StrategyRule, name: str, text: object) -> Fraction:
    try:
        weight = Fraction(text) if isinstance(text, int | Fraction) else written(str(text))
    except DealproofError:
        raise DealproofError(
            f"strategies[{rule.name}].maximises.{name} = {text!r}: a number of units is meant"
        ) from None
    if weight < 0:
        raise DealproofError(f"strategies[{rule.name}].maximises.{name}: negative")
    return weight


def gather(rule: StrategyRule, view: View) -> Codes | None:
    """Number the group of every set that `by` binds together, shape (sets,)."""
    if rule.by is None:
        return None
    by = [view.table.feature(name) for name in rule.by]
    codes = {}
    for feature in by:
        known = view.at_sets(view.table.codes[feature.name])
        if known is None:
            raise DealproofError(
                f"strategies[{rule.name}].by: {feature.name} is not known when deciding"
            )
        codes[feature.name] = known
    return group(by, codes)[1]


def _by_rules(
    rule: StrategyRule,
    view: View,
    usable: NDArray[np.bool_],
    constants: Mapping[str, RuleValue],
) -> Codes:
    chosen = np.full(len(view.first), -1, dtype=np.int64)
    actions = view.decision.actions
    for number, choice in enumerate(rule.choose or (), start=1):
        place = f"strategies[{rule.name}].choose[{number}]"
        if choice.action not in actions:
            raise DealproofError(f"{place}.action: {nearest(choice.action, actions)}")
        try:
            held = view.at_sets(predicates.mask(choice.when, view.table, constants))
        except DealproofError as error:
            raise DealproofError(f"{place}.when: {error}") from None
        if held is None:
            raise DealproofError(f"{place}.when: it depends on cards that are not seen yet")
        action = actions.index(choice.action)
        chosen[held & (chosen < 0) & usable[:, action]] = action
    if np.any(chosen < 0):
        missing = view.label(int(np.flatnonzero(chosen < 0)[0]))
        raise DealproofError(f"strategies[{rule.name}].choose: no open action at {missing}")
    return chosen
