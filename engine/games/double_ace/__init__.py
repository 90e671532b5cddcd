"""Double Ace, No Bust: draw towards ten against a dealer whose card stays hidden."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.game import Game, Parameter, RuleValue
from engine.games.double_ace.rules import ACE_TEN, FLUSH_BEATS, LONG_HAND, Rules

PARAMETERS = (
    Parameter("decks", low=0, high=12),
    Parameter("dealer_stands_on", low=5, high=7),
    Parameter("dealer_double_ace", ("stands", "draws")),
    Parameter("double_on", ("ace", "any first card")),
    Parameter("ace_ten", ACE_TEN),
    Parameter("flush_beats", FLUSH_BEATS),
    Parameter("long_hand", LONG_HAND),
)


def build(settings: Mapping[str, RuleValue]) -> Game:
    """Make Double Ace under one setting of its rules."""
    from engine.games.double_ace.game import DoubleAce

    return DoubleAce(Rules.of(settings))
