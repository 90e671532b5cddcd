"""Strategies as a certificate gives them: what they decide by, their ties, and how they differ."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine.analysis.analysis import Analysis
from engine.contract.strategy import exceptions
from engine.exact.rendering import rational
from engine.program.bound import BoundStrategy
from engine.program.wording import strategy_lines
from engine.studies.combined import combined
from engine.studies.ties import tied

#: Deviations of one strategy from another that a certificate lists; all stand in the data.
LISTED = 100
TIE_RULE = "the smaller stake, then the first in the order of actions"
ORDER_RULE = "the first in the order of actions"


def described(analysis: Analysis) -> list[dict[str, Any]]:
    """Every strategy of the spec that was solved.

    `words`: the strategy as a person would follow it, line by line; `alike`: which hands of
    cards one information set stands for, None where it stands for one. `ties`: information sets
    in which the criterion holds more than one action best; for an optimum in how many of them
    these settle a wager otherwise (`differing`); and the least and greatest house edge of each
    wager over all such choices (`edges`). `together`: see `together`.
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
            "words": list(strategy_lines(rule)),
            "alike": _alike(rule) or None,
            "ties": _ties(analysis, rule),
            "together": together(analysis, rule),
        }
        for rule in analysis.program.strategies.values()
        if (strategy := analysis.strategies.get(rule.name)) is not None
    ]


def _alike(rule: BoundStrategy) -> str:
    return rule.space.decision.alike if rule.space.decision else ""


def _ties(analysis: Analysis, rule: BoundStrategy) -> dict[str, Any] | None:
    equal = tied(analysis, rule)
    if equal is None or not equal.sets:
        return None
    best = analysis.ties(rule)
    edges = None
    if equal.edges is not None:
        edges = [
            {"wager": wager, "least": rational(least), "greatest": rational(greatest)}
            for wager, (least, greatest) in equal.edges.items()
        ]
    return {
        "sets": equal.sets,
        "differing": best[1] if best else None,
        "rule": ORDER_RULE if rule.prefers else TIE_RULE,
        "optimum": best is not None,
        "edges": edges,
    }


def together(analysis: Analysis, rule: BoundStrategy) -> dict[str, Any] | None:
    """Expected loss of all bets that a strategy maximises at once; None where it is one alone.

    `edge` is the loss per unit of those wagers that are put up before every deal, `per_unit_of`,
    which are `units_put_up` base units; `element_of_risk` the loss per unit staked on all bets,
    which are `units_staked` on average.
    """
    loss = combined(analysis, rule)
    if loss is None:
        return None
    return {
        "wagers": {name: str(units) for name, units in loss.units.items()},
        "loss": rational(loss.loss),
        "per_unit_of": list(loss.put_up),
        "units_put_up": rational(sum(loss.put_up.values(), Fraction())),
        "edge": rational(loss.edge),
        "units_staked": rational(loss.staked),
        "element_of_risk": rational(loss.element_of_risk),
    }


def compared(analysis: Analysis) -> list[dict[str, Any]]:
    """Pairs that a chart or a strategy names: where they differ and what it costs."""
    spec, solved = analysis.spec, analysis.strategies
    pairs = dict.fromkeys(
        [(chart.strategy, chart.against) for chart in spec.charts if chart.against]
        + [(rule.against, rule.name) for rule in spec.strategies if rule.against]
    )
    comparisons = []
    for best, other in pairs:
        if best not in solved or other not in solved:
            continue
        differing = exceptions(solved[best], solved[other])
        comparisons.append(
            {
                "strategy": best,
                "against": other,
                "count": len(differing),
                "cost": rational(sum((d.cost for d in differing), Fraction())),
                "exceptions": [
                    {
                        "information": dict(d.information),
                        "hands": analysis.game.space(solved[best].space).hands_in(d.deals),
                        "better": d.better,
                        "worse": d.worse,
                        "probability": rational(d.probability),
                        "cost": rational(d.cost),
                    }
                    for d in differing[:LISTED]
                ],
            }
        )
    return comparisons
