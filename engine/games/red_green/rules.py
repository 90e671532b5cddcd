"""The words of Red/Green: what its rules can be set to, and what its columns say."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import NamedTuple

from engine.contract.game import RuleSpec, RuleValue
from engine.contract.shared import STARTS, Shared

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

RULE_SPECS = (
    RuleSpec("decks", low=1, high=8),
    RuleSpec("aces_split", ACES_SPLIT),
    RuleSpec("kings_split", KINGS_SPLIT),
    RuleSpec("no_pair_front", NO_PAIR_FRONT),
    RuleSpec("three_of_a_kind", THREE_OF_A_KIND),
    RuleSpec("lone_deuce", DEUCES),
    RuleSpec("pair_of_deuces", DEUCES),
    RuleSpec("three_deuces", DEUCES),
    RuleSpec("ace", ACE),
)


class Rules(NamedTuple):
    """One setting of the rules, in words. What a word means is worked out by each method."""

    decks: int = 7
    aces_split: str = "unless king"
    kings_split: str = "to ten"
    no_pair_front: str = "middle"
    three_of_a_kind: str = "ranked"
    lone_deuce: str = "loses"
    pair_of_deuces: str = "beats"
    three_deuces: str = "beats"
    ace: str = "high"

    @classmethod
    def of(cls, rule_values: Mapping[str, RuleValue]) -> Rules:
        """Take a spec's values of its rules as they are."""
        words = {rule.name: str(rule_values[rule.name]) for rule in RULE_SPECS if rule.words}
        return cls(decks=int(rule_values["decks"]), **words)


#: What both methods use; see `engine.contract.shared`.
SHARED = (
    Shared(
        "words",
        "engine.games.red_green.rules",
        "The words that rules can be set to and that columns say; each method reads them.",
        {"settings of one to eight decks": 8 * 6 * 7 * 3 * 3 * 2**4},
    ),
    STARTS,
)


def shared_counts() -> dict[str, int]:
    """What can be counted in this module, for `Shared.counts`."""
    sizes = (len(set(rule.words)) or rule.high - rule.low + 1 for rule in RULE_SPECS)
    return {"settings of one to eight decks": prod(sizes)}
