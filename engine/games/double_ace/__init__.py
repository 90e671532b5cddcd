"""Double Ace, No Bust: draw towards ten against a dealer whose card stays hidden."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.game import Game, RuleSpec, RuleValue
from engine.games.double_ace.rules import ACE_TEN, FLUSH_BEATS, LONG_HAND, Rules

RULE_SPECS = (
    RuleSpec("decks", low=0, high=12),
    RuleSpec("dealer_stands_on", low=5, high=7),
    RuleSpec("dealer_double_ace", ("stands", "draws")),
    RuleSpec("double_on", ("ace", "any first card")),
    RuleSpec("ace_ten", ACE_TEN),
    RuleSpec("flush_beats", FLUSH_BEATS),
    RuleSpec("long_hand", LONG_HAND),
)


def build(rule_values: Mapping[str, RuleValue]) -> Game:
    """Make Double Ace under one setting of its rules."""
    from engine.games.double_ace.game import DoubleAce

    return DoubleAce(Rules.of(rule_values))
