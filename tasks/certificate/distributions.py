"""Distributions and values of decisions, as a certificate and ``--json`` give them."""

from __future__ import annotations

from typing import Any

from engine.analysis.analysis import Analysis
from engine.contract.strategy import Strategy
from engine.exact.rendering import rational
from engine.program.bound import BoundDistribution, BoundValues
from engine.studies.distributions import distribute, worths


def distributions(analysis: Analysis) -> list[dict[str, Any]]:
    """Every distribution of the spec."""
    return [distribution(analysis, bound) for bound in analysis.program.distributions]


def distribution(analysis: Analysis, bound: BoundDistribution) -> dict[str, Any]:
    """One distribution: exact deals and probability of each cell."""
    shares = distribute(analysis, bound)
    spec, space, rule = bound.spec, bound.space, bound.strategy
    order = {name: space.feature(name) for name in spec.columns}
    across = {
        tuple(f.code(share.column[name]) for name, f in order.items()): dict(share.column)
        for share in shares
    }
    return {
        "name": spec.name,
        "title": spec.title,
        "space": space.name,
        "strategy": rule.name if rule else None,
        "rows": list(spec.rows),
        "columns": list(spec.columns),
        "given": list(spec.given),
        "across": [across[key] for key in sorted(across)],
        "cells": [
            {
                "row": dict(share.row),
                "column": dict(share.column),
                "combinations": share.combinations,
                "deals": share.deals,
                "probability": rational(share.probability),
            }
            for share in shares
        ],
    }


def values(analysis: Analysis) -> list[dict[str, Any]]:
    """Every table of values of the spec."""
    return [value(analysis.strategy(v.strategy.name), v) for v in analysis.program.values]


def value(strategy: Strategy, bound: BoundValues) -> dict[str, Any]:
    """One table of values: what each action is worth, by some columns of the information.

    Sets that share a line are weighed by the cards alone, and by how often the strategy comes
    there: see `engine.studies.distributions.Worth`.
    """
    spec = bound.spec
    return {
        "title": spec.title,
        "strategy": spec.strategy,
        "by": list(spec.by),
        "actions": list(strategy.actions),
        "groups": [
            {
                "information": dict(worth.information),
                "sets": worth.sets,
                "probability_by_cards": rational(worth.by_cards),
                "probability_reached": rational(worth.reached),
                "taken": list(worth.taken),
                "ev_by_cards": {action: rational(ev) for action, ev in worth.ev.items()},
                "ev_reached": {action: rational(ev) for action, ev in worth.ev_reached.items()},
            }
            for worth in worths(strategy, bound)
        ],
    }
