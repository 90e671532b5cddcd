"""The words of Fu Bacc: what its rules can be set to, and what its columns say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.contract.game import RuleValue
from engine.contract.shared import POINTS, STARTS, Shared


class Rules(NamedTuple):
    """One setting of the rules, in words. What a word means is worked out by each method."""

    decks: int = 1
    bonus_pair: str = "zero-point"
    naturals: str = "may draw"
    dealer_draws_to: int = 5
    tie_after_end: str = "lose"

    @classmethod
    def of(cls, rule_values: Mapping[str, RuleValue]) -> Rules:
        """Take a spec's values of its rules as they are."""
        return cls(
            int(rule_values["decks"]),
            str(rule_values["bonus_pair"]),
            str(rule_values["naturals"]),
            int(rule_values["dealer_draws_to"]),
            str(rule_values["tie_after_end"]),
        )


#: Bonus offers, in the order of their codes.
OFFERS = ("none", "nine", "eight", "pair")
#: What the player may do, in the order that breaks ties between equal values.
ACTIONS = ("fold", "bonus", "stand", "draw", "fold and draw", "bonus and draw")
#: What becomes of the ante, and whose final hand is higher, in the order of their codes.
DECISIONS = ("fold", "bonus", "play")
WINNERS = ("player", "tie", "dealer")
#: How a hand can end: 20 × player's total + 2 × dealer's total + (1 if the dealer drew).
SETTLEMENTS = 200


class Labels(NamedTuple):
    """What the columns say of actions and of ends; each method works its own out.

    `decision` (index into DECISIONS) and `draws` (1 where the player takes a third card): shape
    (6,), by action; `winner` (index into WINNERS): shape (200,), by settlement.
    """

    decision: NDArray[np.int64]
    draws: NDArray[np.int64]
    winner: NDArray[np.int64]


#: What both methods use; see `engine.contract.shared`.
SHARED = (
    Shared(
        "words",
        "engine.games.fu_bacc.rules",
        "The words of rules and columns, and a number for every two totals and a dealer's draw.",
        {"ends": 10 * 10 * 2},
    ),
    POINTS,
    STARTS,
)


def shared_counts() -> dict[str, int]:
    """What can be counted in this module, for `Shared.counts`."""
    return {"ends": SETTLEMENTS}
