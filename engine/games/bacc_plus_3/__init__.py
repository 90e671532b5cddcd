"""Baccarat + 3: five cards set into a two-card baccarat and a three-card poker hand."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.game import Game, RuleSpec, RuleValue
from engine.games.bacc_plus_3.rules import TIE_RULES, Rules

RULE_SPECS = (
    RuleSpec("equal_totals", TIE_RULES),
    RuleSpec("nine_nine", TIE_RULES),
    RuleSpec("house_step_3", ("at least a pair", "pair only")),
    RuleSpec("ace_two_three", ("lowest", "second")),
)


def build(rule_values: Mapping[str, RuleValue]) -> Game:
    """Make Baccarat + 3 under one setting of its rules."""
    from engine.games.bacc_plus_3.game import BaccPlus3

    return BaccPlus3(Rules.of(rule_values))
