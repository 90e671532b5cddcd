"""The words of Baccarat + 3: what its rules can be set to, its splits, and its columns."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from engine.contract.game import RuleValue
from engine.contract.shared import POINTS, STARTS, SUIT_CLASSES, THREE_CARD, Shared

#: Who wins a comparison of hands, in the order of its codes.
WINNERS = ("player", "dealer", "tie")
#: What a rule may say of equal hands, in the order of `WINNERS`.
TIE_RULES = ("player", "dealer", "push")
CARDS = 5
#: Places of the two baccarat cards, then of the three poker cards, of every split: (10, 5), int64.
SPLITS = np.array(
    [
        [*pair, *(index for index in range(CARDS) if index not in pair)]
        for pair in combinations(range(CARDS), 2)
    ],
    dtype=np.int64,
)
#: The ten splits by the places (1 … 5, highest card first) of the two baccarat cards. Their order
#: breaks ties between equal values.
ACTIONS = tuple(f"baccarat {first + 1}-{second + 1}" for first, second in SPLITS[:, :2])


class Rules(NamedTuple):
    """One setting of the rules, in words. What a word means is worked out by each method."""

    equal_totals: str = "player"
    nine_nine: str = "dealer"
    house_step_3: str = "at least a pair"
    ace_two_three: str = "lowest"

    @property
    def of_hands(self) -> Rules:
        """The same rules as far as they set and order hands; who wins ties does not matter."""
        return self._replace(equal_totals="player", nine_nine="player")

    @classmethod
    def of(cls, rule_values: Mapping[str, RuleValue]) -> Rules:
        """Take a spec's values of its rules as they are."""
        return cls(*(str(rule_values[name]) for name in cls._fields))


#: What both methods use; see `engine.contract.shared`.
SHARED = (
    Shared(
        "words",
        "engine.games.bacc_plus_3.rules",
        "The words of rules and columns, and the ten ways to set two of five cards apart.",
        {"splits": comb(5, 2)},
    ),
    POINTS,
    STARTS,
    SUIT_CLASSES,
    THREE_CARD,
)


def shared_counts() -> dict[str, int]:
    """What can be counted in this module, for `Shared.counts`."""
    return {"splits": len({frozenset(split[:2]) for split in SPLITS.tolist()})}
