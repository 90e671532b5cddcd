"""Fu Bacc: two cards against a dealer's up-card; take a bonus, fold, or play on."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.game import Game, Parameter, RuleValue
from engine.games.fu_bacc.rules import Rules

PARAMETERS = (
    Parameter("decks", low=1, high=8),
    Parameter("bonus_pair", ("zero-point", "face")),
    Parameter("naturals", ("may draw", "stand")),
    Parameter("dealer_draws_to", low=4, high=6),
    Parameter("tie_after_end", ("lose", "stands", "plays")),
)


def build(settings: Mapping[str, RuleValue]) -> Game:
    """Make Fu Bacc under one setting of its rules."""
    from engine.games.fu_bacc.game import FuBacc

    return FuBacc(Rules.of(settings))
