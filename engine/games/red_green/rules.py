"""The rules of Red/Green as plain numbers, which compiled code takes as one argument."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.game import Parameter, RuleValue

#: What each hand is once it is set, in the order of its codes.
HANDS = ("three of a kind", "pair", "split pair", "no pair")
#: Whose card or cards are higher, in the order of its codes.
SIDES = ("red", "green", "tie")

ACES_SPLIT = (
    "unless king", "always", "never", "only with king", "below queen", "below jack",
)  # fmt: skip
KINGS_SPLIT = (
    "to ten", "to jack", "to queen", "to ten or ace", "to jack or ace", "always", "never",
)  # fmt: skip
NO_PAIR_FRONT = ("middle", "lowest", "highest")
THREE_OF_A_KIND = ("ranked", "equal", "pair")
DEUCES = ("loses", "beats")
ACE = ("high", "low")

PARAMETERS = (
    Parameter("decks", low=1, high=8),
    Parameter("aces_split", ACES_SPLIT),
    Parameter("kings_split", KINGS_SPLIT),
    Parameter("no_pair_front", NO_PAIR_FRONT),
    Parameter("three_of_a_kind", THREE_OF_A_KIND),
    Parameter("lone_deuce", DEUCES),
    Parameter("pair_of_deuces", DEUCES),
    Parameter("three_deuces", DEUCES),
    Parameter("ace", ACE),
)


class Rules(NamedTuple):
    """One setting of the rules: the index of each word in its tuple above.

    `lone_deuce`, `pair_of_deuces` and `three_deuces` are 1 where deuces beat as many aces.
    """

    decks: int = 7
    aces_split: int = 0
    kings_split: int = 0
    no_pair_front: int = 0
    three_of_a_kind: int = 0
    lone_deuce: int = 0
    pair_of_deuces: int = 1
    three_deuces: int = 1
    ace: int = 0

    @classmethod
    def of(cls, settings: Mapping[str, RuleValue]) -> Rules:
        """Read a spec's settings."""
        return cls(**{rule.name: rule.number(settings[rule.name]) for rule in PARAMETERS})
