"""The rules of Baccarat + 3 as plain numbers, which compiled code takes as one argument."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np

from engine.game import RuleValue

#: Who takes a comparison, in the order of its codes.
WINNERS = ("player", "dealer", "push")
#: How poker hands compare, in the order of their codes.
POKER_WINNERS = ("player", "dealer", "copy")
CARDS = 5
#: Places of the two baccarat cards, then of the three poker cards, of every split: (10, 5), int64.
SPLITS = np.array(
    [
        [*pair, *(place for place in range(CARDS) if place not in pair)]
        for pair in combinations(range(CARDS), 2)
    ],
    dtype=np.int64,
)
#: The ten splits by the places (1 … 5, highest card first) of the two baccarat cards. Their order
#: breaks ties between equal values.
ACTIONS = tuple(f"baccarat {first + 1}-{second + 1}" for first, second in SPLITS[:, :2])


class Rules(NamedTuple):
    """One setting of the rules; who wins a tie is a code of WINNERS, flags are 0 or 1."""

    equal_totals: int = 0
    nine_nine: int = 1
    pair_only: int = 0
    low_straight_second: int = 0

    @property
    def of_hands(self) -> Rules:
        """The same rules as far as they set and order hands; who wins ties does not matter."""
        return self._replace(equal_totals=0, nine_nine=0)

    @classmethod
    def of(cls, settings: Mapping[str, RuleValue]) -> Rules:
        """Read a spec's settings."""
        return cls(
            equal_totals=WINNERS.index(str(settings["equal_totals"])),
            nine_nine=WINNERS.index(str(settings["nine_nine"])),
            pair_only=int(settings["house_step_3"] == "pair only"),
            low_straight_second=int(settings["ace_two_three"] == "second"),
        )
