"""Exact analysis of the part of a game that one command asks about."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from engine import analysis
from engine.analysis import Analysis, Result
from engine.asked import played, space_of, strategies_of, strategy_for, strategy_space, tabulated
from engine.compare import basis_of
from engine.errors import DealproofError
from engine.game import Game
from engine.solving import objective
from engine.spec import Distribution, Joint, Spec, StrategyRule
from tasks.certificate import priced


def narrow(
    spec: Spec, game: Game, wagers: Iterable[str] = (), strategies: Iterable[str] = ()
) -> Spec:
    """Keep these wagers and strategies, and whatever they need to be solved and priced."""
    kept_wagers, kept_strategies = set(wagers), set(strategies)
    for name in list(kept_wagers):
        wager = spec.wager(name)
        space = space_of(spec, game, wager)
        kept_strategies |= {s.name for s in strategies_of(spec, space, wager)}
    for name in kept_strategies:
        kept_wagers |= {w.name for w, _ in measured_by(spec, game, spec.strategy(name))}
    return spec.model_copy(
        update={
            "wagers": tuple(w for w in spec.wagers if w.name in kept_wagers),
            "strategies": tuple(s for s in spec.strategies if s.name in kept_strategies),
            "charts": (),
            "values": (),
            "distributions": (),
            "published": (),
        }
    )


def measured_by(spec: Spec, game: Game, rule: StrategyRule) -> list[tuple[Any, Fraction]]:
    """Wagers, with the units bet on each, by which a strategy is solved or judged."""
    return objective(spec, rule, strategy_space(game, rule))


def solve(
    spec: Spec, game: Game, wagers: Iterable[str] = (), strategies: Iterable[str] = ()
) -> Analysis:
    """Solve and price a part of the game, exactly, by symmetry."""
    asked = tuple(strategies)
    part = narrow(spec, game, wagers, asked)
    # A strategy that no kept wager is priced under still wants its table.
    part = part.model_copy(
        update={
            "wagers": tuple(
                w.model_copy(update={"strategies": _under(part, game, w, asked)})
                for w in part.wagers
            )
        }
    )
    tables, solved = analysis.enumerate_all(part, game)
    return Analysis(part, game, tables, solved)


def distributed(spec: Spec, game: Game, asked: tuple[Distribution, ...]) -> Analysis:
    """Solve what some distributions need, exactly, by symmetry."""
    places = [played(spec, game, one.space, one.strategy) for one in asked]
    spaces = {space.name for space, _ in places}
    first = {space_of(spec, game, wager).name: wager.name for wager in reversed(spec.wagers)}
    wagers = [name for space, name in first.items() if space in spaces]
    part = narrow(spec, game, wagers, [rule.name for _, rule in places if rule is not None])
    part = part.model_copy(update={"distributions": asked})
    tables, solved = analysis.enumerate_all(part, game)
    return Analysis(part, game, tables, solved)


def for_joint(spec: Spec, game: Game, joint: Joint) -> Analysis:
    """An analysis that can value every action in both bets of a joint study, and little more."""
    if tabulated(strategy_for(game, joint.space)):
        return solve(spec, game, wagers=(joint.base, joint.side))
    return Analysis(spec, game, {}, {})


def _under(part: Spec, game: Game, wager: Any, asked: tuple[str, ...]) -> tuple[str, ...]:
    space = space_of(part, game, wager)
    own = [name for name in wager.strategies if any(s.name == name for s in part.strategies)]
    here = [
        name
        for name in asked
        if strategy_space(game, part.strategy(name)) is space and name not in own
    ]
    return (*own, *here) if space.decision is not None else ()


def figures(found: Analysis, result: Result) -> dict[str, Any]:
    """Everything that is known of one priced wager, as its certificate gives it.

    Combinations are told in the wager's own basis; a count that the basis cannot hold is an error.
    """
    basis = basis_of(found, result)
    try:
        return priced(result, basis)
    except DealproofError as error:
        raise DealproofError(f"wagers[{result.wager.name}].counted_in: {error}") from None
