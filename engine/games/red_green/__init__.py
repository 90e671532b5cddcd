"""Baccarat Red/Green: two community hands of three cards, each set the house way."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.game import Game, RuleValue
from engine.games.red_green.rules import RULE_SPECS, Rules

__all__ = ["RULE_SPECS", "build"]


def build(rule_values: Mapping[str, RuleValue]) -> Game:
    """Make Red/Green under one setting of its rules."""
    from engine.games.red_green.game import RedGreen

    return RedGreen(Rules.of(rule_values))
