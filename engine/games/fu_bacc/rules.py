"""The rules of Fu Bacc as plain numbers, which compiled code takes as one argument."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.game import RuleValue


class Rules(NamedTuple):
    """One setting of the rules; flags are 0 or 1."""

    decks: int = 1
    bonus_faces_only: int = 0
    naturals_stand: int = 0
    dealer_draws_to: int = 5
    tie_plays_on: int = 0

    @classmethod
    def of(cls, settings: Mapping[str, RuleValue]) -> Rules:
        """Read a spec's settings."""
        return cls(
            decks=int(settings["decks"]),
            bonus_faces_only=int(settings["bonus_pair"] == "face"),
            naturals_stand=int(settings["naturals"] == "stand"),
            dealer_draws_to=int(settings["dealer_draws_to"]),
            tie_plays_on=int(settings["tie_after_end"] == "plays"),
        )


#: Bonus offers, in the order of their codes.
OFFERS = ("none", "nine", "eight", "pair")
#: What the player may do, in the order that breaks ties between equal values.
ACTIONS = ("fold", "bonus", "stand", "draw", "fold and draw", "bonus and draw")
#: Number of codes that the referee's settlement can give.
SETTLEMENTS = 200
