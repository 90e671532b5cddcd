"""Fu Bacc: two cards against a dealer's up-card; take a bonus, fold, or play on."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.game import Game, RuleSpec, RuleValue
from engine.games.fu_bacc.rules import Rules

RULE_SPECS = (
    RuleSpec("decks", low=1, high=8),
    RuleSpec("bonus_pair", ("zero-point", "face")),
    RuleSpec("naturals", ("may draw", "stand")),
    RuleSpec("dealer_draws_to", low=4, high=6),
    RuleSpec("tie_after_end", ("lose", "stands", "plays")),
)


def build(rule_values: Mapping[str, RuleValue]) -> Game:
    """Make Fu Bacc under one setting of its rules."""
    from engine.games.fu_bacc.game import FuBacc

    return FuBacc(Rules.of(rule_values))
