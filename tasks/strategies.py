"""Strategies as a certificate gives them: what they decide by, their ties, and how they differ."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine.analysis import Analysis
from engine.solving import objective
from engine.spec import StrategyRule
from engine.strategy import exceptions
from tasks.figures import rational

#: Deviations of one strategy from another that a certificate lists; all stand in the data.
LISTED = 100
TIE_RULE = "the smaller stake, then the first in the order of actions"


def described(analysis: Analysis) -> list[dict[str, Any]]:
    """Every strategy of the spec that was solved.

    `ties`, for an optimum: information sets with more than one best action, and in how many of
    them these settle a wager otherwise. `together`, where several bets are maximised at once:
    their expected loss, and that per unit bet.
    """
    return [
        {
            "name": rule.name,
            "title": rule.title,
            "space": strategy.space,
            "information": [feature.name for feature in strategy.information],
            "sets": len(strategy),
            "actions": list(strategy.actions),
            "digest": strategy.digest(),
            "ties": _ties(analysis, rule),
            "together": together(analysis, rule),
        }
        for rule in analysis.spec.strategies
        if (strategy := analysis.strategies.get(rule.name)) is not None
    ]


def _ties(analysis: Analysis, rule: StrategyRule) -> dict[str, Any] | None:
    found = analysis.ties(rule)
    if found is None or not found[0]:
        return None
    sets, differing = found
    return {"sets": sets, "differing": differing, "rule": TIE_RULE}


def together(analysis: Analysis, rule: StrategyRule) -> dict[str, Any] | None:
    """Expected loss of all bets that a strategy maximises at once; None where it is one alone."""
    weighted = objective(analysis.spec, rule, analysis.game.space(_space(analysis, rule)))
    weighted = [(wager, units) for wager, units in weighted if units]
    if rule.maximises is None or len(weighted) < 2:
        return None
    loss = -analysis.strategies[rule.name].mean
    return {
        "wagers": {wager.name: str(units) for wager, units in weighted},
        "loss": rational(loss),
        "edge": rational(loss / sum((units for _, units in weighted), Fraction())),
    }


def _space(analysis: Analysis, rule: StrategyRule) -> str:
    return analysis.strategies[rule.name].space


def compared(analysis: Analysis) -> list[dict[str, Any]]:
    """Pairs that a chart or a strategy names: where they differ and what it costs."""
    spec, solved = analysis.spec, analysis.strategies
    pairs = dict.fromkeys(
        [(chart.strategy, chart.against) for chart in spec.charts if chart.against]
        + [(rule.against, rule.name) for rule in spec.strategies if rule.against]
    )
    found = []
    for best, other in pairs:
        if best not in solved or other not in solved:
            continue
        differing = exceptions(solved[best], solved[other])
        found.append(
            {
                "strategy": best,
                "against": other,
                "count": len(differing),
                "cost": rational(sum((d.cost for d in differing), Fraction())),
                "exceptions": [
                    {
                        "information": dict(d.information),
                        "better": d.better,
                        "worse": d.worse,
                        "probability": rational(d.probability),
                        "cost": rational(d.cost),
                    }
                    for d in differing[:LISTED]
                ],
            }
        )
    return found
