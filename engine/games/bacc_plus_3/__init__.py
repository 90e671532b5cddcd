"""Baccarat + 3: five cards set into a two-card baccarat and a three-card poker hand."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.game import Game, Parameter, RuleValue
from engine.games.bacc_plus_3.rules import WINNERS, Rules

PARAMETERS = (
    Parameter("equal_totals", WINNERS),
    Parameter("nine_nine", WINNERS),
    Parameter("house_step_3", ("at least a pair", "pair only")),
    Parameter("ace_two_three", ("lowest", "second")),
)


def build(settings: Mapping[str, RuleValue]) -> Game:
    """Make Baccarat + 3 under one setting of its rules."""
    from engine.games.bacc_plus_3.game import BaccPlus3

    return BaccPlus3(Rules.of(settings))
