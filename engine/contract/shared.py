"""Parts that a game's methods have in common, and the closed counts by which each is tested.

What two methods share they cannot check in each other. So it is declared: a test of the imports
refuses any other common module, the certificate lists these, and each is counted by itself.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from math import comb


@dataclass(frozen=True)
class Shared:
    """One part that both the referee's methods and the enumeration use.

    `module`: where it is; `description`: what it decides, in words; `counts`: what can be counted
    in it → the number by a closed form, which the check `shared` and a test compare with
    the part itself.
    """

    name: str
    module: str
    description: str
    counts: Mapping[str, int]

    def counted(self) -> Mapping[str, int]:
        """The same counted in the module itself, by its `shared_counts`."""
        counts: Mapping[str, int] = importlib.import_module(self.module).shared_counts()
        return counts


#: Points of the 52 cards.
POINTS = Shared(
    "points of cards",
    "engine.cards.hands.baccarat",
    "An ace counts 1, two to nine their pips, tens and pictures nothing; which cards are pictures.",
    {
        "cards that count nothing": 4 * 4,
        "cards of every other value": 4,
        "jacks, queens and kings": 3 * 4,
    },
)
#: The deck itself, and how many physical deals a start stands for.
STARTS = Shared(
    "deals behind a start",
    "engine.cards.deck",
    "The 52 cards, and in how many ways a shoe gives the cards that a part begins with.",
    {
        "cards": 52,
        "pairs of card types, one deck": comb(52, 2),
        "ordered pairs, eight decks": 416 * 415,
    },
)
_STRAIGHTS, _FLUSHES = 12 * 4**3, 4 * comb(13, 3)
#: The order of three-card poker hands.
THREE_CARD = Shared(
    "order of three-card hands",
    "engine.cards.hands.three_card",
    "The category of three cards and their rank among the 741 classes of hands.",
    {
        "straight flush": 12 * 4,
        "three of a kind": 13 * comb(4, 3),
        "straight": _STRAIGHTS - 12 * 4,
        "flush": _FLUSHES - 12 * 4,
        "pair": 13 * comb(4, 2) * 48,
        "nothing": comb(13, 3) * 4**3 - _STRAIGHTS - _FLUSHES + 12 * 4,
        "classes": 13 + 13 * 12 + 2 * comb(13, 3),
    },
)
#: Hands up to a renaming of suits, by Burnside's lemma over the 24 renamings.
SUIT_CLASSES = Shared(
    "hands up to suits",
    "engine.cards.hands.suits",
    "Which five-card hands are one but for the names of the suits, and how many each stands for.",
    {
        "hands": comb(52, 5),
        # Fixed by: no change, 6 swaps of two suits, 3 of two pairs, 8 turns of three, 6 of four.
        "classes": (
            comb(52, 5)
            + 6 * sum(comb(13, pairs) * comb(26, 5 - 2 * pairs) for pairs in range(3))
            + 8 * (comb(13, 5) + 13 * comb(13, 2))
        )
        // 24,
    },
)
