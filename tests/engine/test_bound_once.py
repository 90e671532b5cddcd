"""A spec is bound once: no expression is read and no strategy solved a second time."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.analysis import analysis as analyses
from engine.analysis.analysis import Analysis
from engine.analysis.binding import bind
from engine.contract.strategy import Strategy
from engine.exact.errors import DealproofError, at
from engine.program.bound import BoundStrategy
from engine.solving import optimum
from engine.spec import expressions
from engine.spec.expressions import Expression, Scope
from engine.spec.expressions.nodes import Kind
from engine.spec.loading import load_spec
from engine.studies.distributions import distribute, worths
from engine.studies.published import compare
from engine.studies.ties import tied


@pytest.mark.parametrize(("game", "distinct"), [("double-ace", 47), ("fu-bacc", 20)])
def test_everything_is_read_and_solved_once(
    monkeypatch: pytest.MonkeyPatch, game: str, distinct: int
) -> None:
    """47 distinct texts in Double Ace and 20 in Fu Bacc, counted before specs were bound."""
    read: Counter[tuple[str, int]] = Counter()
    scopes: list[Scope] = []
    solved: Counter[str] = Counter()
    guard, tabulated, in_space = expressions.guard, optimum.solve, optimum.solve_in_space

    def guarded(text: str, scope: Scope, kind: Kind | None = None) -> Expression:
        scopes.append(scope)  # kept, so that its identity is its own
        read[text, id(scope)] += 1
        return guard(text, scope, kind)

    def solve(strategy: BoundStrategy, *given: object) -> Strategy:
        solved[strategy.name] += 1
        return tabulated(strategy, *given)  # type: ignore[arg-type]

    def solve_in_space(strategy: BoundStrategy, *given: object) -> Strategy:
        solved[strategy.name] += 1
        return in_space(strategy, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(expressions, "guard", guarded)
    monkeypatch.setattr(analyses, "solve", solve)
    monkeypatch.setattr(analyses, "solve_in_space", solve_in_space)
    spec = load_spec(game)
    analysis = Analysis(bind(spec))
    analysis.validate(strict=True)
    assert analysis.results
    assert analysis.strategies
    for strategy in analysis.program.strategies.values():
        tied(analysis, strategy)
        analysis.ties(strategy)
    for distribution in analysis.program.distributions:
        distribute(analysis, distribution)
    for values in analysis.program.values:
        worths(analysis.strategy(values.strategy.name), values)
    compare(analysis, spec.rule_values)
    assert set(read.values()) == {1}
    assert len({text for text, _ in read}) >= distinct
    assert solved == Counter(strategy.name for strategy in spec.strategies)


def test_a_path_is_told_from_the_outside_in() -> None:
    with (
        pytest.raises(DealproofError, match=r"^x\.toml: wagers\[a\]\.pays = 3: too much$"),
        at("x.toml: ", "wagers[a]"),
        at("pays"),
    ):
        raise DealproofError("= 3: too much")
