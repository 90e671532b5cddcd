"""Finding strategies: from action tables, or by a space that solves for itself.

The optimum of an action table is found set by set: the sum of net × combinations decides, exactly.
Where actions are worth the same, the smaller stake wins, then the order in which the space lists
its actions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import lcm

import numpy as np
from numpy.typing import NDArray

from engine.contract.strategy import Strategy, View, best, lexicographic
from engine.exact.errors import DealproofError, at
from engine.exact.tables import INT64, Codes, Counts, Table, group
from engine.pricing.pricer import Pricer, Value
from engine.program.bound import BoundStrategy
from engine.solving.restricted import restrict
from engine.spec import expressions


def allowed_cells(strategy: BoundStrategy, view: View) -> NDArray[np.bool_]:
    """Which (set, action) cells a strategy may use, shape (sets, actions)."""
    if strategy.allowed is None:
        return np.ones(view.allowed.shape, dtype=bool)
    holds = expressions.mask(strategy.allowed, view.table, strategy.constants)
    allowed = np.ones(view.allowed.size, dtype=bool)
    allowed[view.cell] = holds
    if not np.array_equal(allowed[view.cell], holds):
        raise DealproofError(
            f"{strategy.path}.allowed: ({strategy.allowed.text}) depends on cards that the "
            "player has not seen"
        )
    return allowed.reshape(view.allowed.shape)


def solve(strategy: BoundStrategy, view: View, pricer: Pricer) -> Strategy:
    """Find a strategy's action at every information set of an action table."""
    if not strategy.spec.removal:
        raise DealproofError(
            f"{strategy.path}.removal: space {strategy.space.name} cannot forget seen cards"
        )
    value = pricer.worth(strategy.objective)
    worth, stake = value.net.reshape(view.allowed.shape), value.staked.reshape(view.allowed.shape)
    usable = view.allowed & allowed_cells(strategy, view)
    if not usable.any(axis=1).all():
        missing = view.label(int(np.flatnonzero(~usable.any(axis=1))[0]))
        raise DealproofError(f"{strategy.path}.allowed: leaves no action at {missing}")
    if strategy.choose is not None:
        action = _by_rules(strategy, view, usable)
    elif strategy.prefers is not None:
        values = scores(strategy, view.table)
        action = lexicographic([view.sums(value) for value in values], usable)
    else:
        action = best(worth, stake, usable, gather(strategy, view))
    return Strategy(
        strategy.name,
        strategy.space.name,
        tuple(view.table.feature(name) for name in view.decision.information),
        view.sets,
        view.decision.actions,
        action,
        view.deals,
        worth,
        value.net_unit,
        usable,
    )


def solve_in_space(strategy: BoundStrategy, outcomes: Pricer | None = None) -> Strategy:
    """Let a space with decisions in sequence solve for itself, wagers turned into integers.

    `outcomes` prices the space's outcomes; it may be shared by several strategies.
    """
    space = strategy.space
    pricer = outcomes or Pricer(space.outcomes())
    value = pricer.value(strategy.objective)
    allowed = allowed_rows(strategy, pricer.table)
    if strategy.by is not None:
        solved = _restricted(strategy, value, allowed)
    else:
        wish = None
        if strategy.choose is not None:
            wish = _by_rules_in_space(strategy)
        elif strategy.prefers is not None or not strategy.spec.removal:
            wish = _wished(strategy, value, allowed)[:, None]
        solved = space.solve(strategy.name, value.net, value.staked, allowed, wish)
    return replace(solved, unit=solved.unit * value.net_unit)


def allowed_rows(strategy: BoundStrategy, rows: Table) -> NDArray[np.bool_]:
    """Which outcomes of a space a strategy may lead to, shape (rows,)."""
    if strategy.allowed is None:
        return np.ones(len(rows), dtype=bool)
    return expressions.mask(strategy.allowed, rows, strategy.constants)


def _restricted(strategy: BoundStrategy, value: Value, allowed: NDArray[np.bool_]) -> Strategy:
    """Solve for the best strategy that takes one action for every value of the columns `by`."""
    sets = strategy.space.sets()
    with at(strategy.path, "by"):
        by = [sets.feature(name) for name in strategy.by or ()]
        groups = group(by, sets.codes)[1]
        return restrict(strategy.name, strategy.space, groups, value, allowed)


def _wished(strategy: BoundStrategy, value: Value, allowed: NDArray[np.bool_]) -> Codes:
    """Action that a strategy likes best at every information set of a space that solves."""
    space = strategy.space if strategy.spec.removal else strategy.space.without_removal()
    if strategy.prefers is None:
        return space.solve(strategy.name, value.net, value.staked, allowed).action
    nothing = np.zeros(len(allowed), dtype=np.int64)
    values = scores(strategy, space.outcomes())
    solved = [space.solve(strategy.name, one, nothing, allowed) for one in values]
    return lexicographic([each.ev_sum for each in solved], solved[0].allowed)


def scores(strategy: BoundStrategy, table: Table) -> Iterator[Counts]:
    """Values of the expressions that a strategy prefers, on every row: integers of one unit each.

    Each has shape (rows,).
    """
    for number, expression in enumerate(strategy.prefers or (), start=1):
        with at(strategy.path, f"prefers[{number}]"):
            evaluated = expressions.evaluate(table, [expression], strategy.constants)
            values = evaluated.values[0]
            if values.dtype == bool:
                values = values.astype(np.int64)
            distinct, rank = np.unique(values, return_inverse=True)
            exact = [expressions.exact(value, expression.text) for value in distinct.tolist()]
        unit = lcm(*(value.denominator for value in exact))
        scaled = np.array([int(value * unit) for value in exact], dtype=object)
        bound = max(map(abs, scaled.tolist()), default=0)
        yield (scaled.astype(np.int64) if bound < INT64 else scaled)[rank[evaluated.member]]


def _by_rules_in_space(strategy: BoundStrategy) -> Codes:
    """Actions that a strategy by rules names for every information set, in its order."""
    sets, columns = strategy.space.sets(), []
    for number, (when, action) in enumerate(strategy.choose or (), start=1):
        with at(strategy.path, f"choose[{number}]", "when"):
            holds = expressions.mask(when, sets, strategy.constants)
        columns.append(np.where(holds, action, -1))
    named = np.stack(columns, axis=1)
    if np.any(named.max(axis=1) < 0):
        missing = sets.row(int(np.flatnonzero(named.max(axis=1) < 0)[0]))
        where = ", ".join(f"{name} = {value}" for name, value in missing.items())
        raise DealproofError(f"{strategy.path}.choose: names no action at {where}")
    return named


def gather(strategy: BoundStrategy, view: View) -> Codes | None:
    """Number the group of every set that `by` binds together, shape (sets,)."""
    if strategy.by is None:
        return None
    by = [view.table.feature(name) for name in strategy.by]
    codes = {}
    for feature in by:
        known = view.at_sets(view.table.codes[feature.name])
        if known is None:
            raise DealproofError(f"{strategy.path}.by: {feature.name} is not known when deciding")
        codes[feature.name] = known
    return group(by, codes)[1]


def _by_rules(strategy: BoundStrategy, view: View, usable: NDArray[np.bool_]) -> Codes:
    """The action of the first rule that holds and is open at every set, shape (sets,)."""
    taken = np.full(len(view.first), -1, dtype=np.int64)
    for number, (when, action) in enumerate(strategy.choose or (), start=1):
        with at(strategy.path, f"choose[{number}]", "when"):
            holds = view.at_sets(expressions.mask(when, view.table, strategy.constants))
            if holds is None:
                raise DealproofError("it depends on cards that are not seen yet")
        taken[holds & (taken < 0) & usable[:, action]] = action
    if np.any(taken < 0):
        missing = view.label(int(np.flatnonzero(taken < 0)[0]))
        raise DealproofError(f"{strategy.path}.choose: no open action at {missing}")
    return taken
