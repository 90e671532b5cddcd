"""The words of Double Ace: what its rules can be set to; and the shoe that hands come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import perm
from typing import NamedTuple

from engine.contract.game import RuleValue
from engine.contract.shared import Shared

#: Card values, ace = 1 … ten = 10.
VALUES = range(1, 11)
#: Cards of one value in one deck.
COPIES = 4
#: What the player may do, in the order that breaks ties between equal values.
ACTIONS = ("stand", "hit", "double")
STAND, HIT, DOUBLE = range(3)
#: Whose ace counts one, not zero, in a two-card ace and ten.
ACE_TEN = (
    "ten for all", "eleven after doubling", "eleven for the player", "eleven for the dealer",
    "eleven for all",
)  # fmt: skip
#: What a flush beats, the more the higher.
FLUSH_BEATS = ("straight", "full house", "four of a kind")
#: What counts for the five-card bonus of a player whose own hand has six cards.
LONG_HAND = ("first five", "best five", "no bonus")


class Rules(NamedTuple):
    """One setting of the rules, in words. What a word means is worked out by each method.

    `decks` = 0 stands for infinitely many.
    """

    decks: int = 6
    dealer_stands_on: int = 6
    dealer_double_ace: str = "stands"
    double_on: str = "ace"
    ace_ten: str = "ten for all"
    flush_beats: str = "straight"
    long_hand: str = "first five"

    @classmethod
    def of(cls, rule_values: Mapping[str, RuleValue]) -> Rules:
        """Take a spec's values of its rules as they are."""
        words = (str(rule_values[name]) for name in cls._fields[2:])
        return cls(int(rule_values["decks"]), int(rule_values["dealer_stands_on"]), *words)


@dataclass(frozen=True)
class Shoe:
    """Numbers of cards of each value, ace first; or infinitely many, all values equally likely.

    Deals are counted as ordered sequences of physical cards. The infinite shoe has none: there
    every ordered sequence of card values counts once.
    """

    counts: tuple[int, ...]
    infinite: bool = False

    @classmethod
    def of(cls, decks: int) -> Shoe:
        """The shoe of whole decks of 40 cards; 0 decks for the infinite shoe."""
        return cls((COPIES * decks or 1,) * len(VALUES), infinite=decks == 0)

    @property
    def cards(self) -> int:
        """Number of cards (of values, for the infinite shoe)."""
        return sum(self.counts)

    def ways(self, value: int, number: int, gone: int = 0) -> int:
        """Ordered ways to take `number` cards of a value when `gone` of them have left."""
        if self.infinite:
            return 1
        left = self.counts[value - 1] - gone
        return perm(left, number) if left >= 0 else 0

    def further(self, taken: int, number: int) -> int:
        """Ordered ways to deal any `number` cards after `taken`."""
        if self.infinite:
            return int(len(VALUES) ** number)
        return perm(self.cards - taken, number)


#: What both methods use; see `engine.contract.shared`.
SHARED = (
    Shared(
        "words and shoe",
        "engine.games.double_ace.rules",
        "The words of rules and columns, and in how many ordered ways a shoe gives some cards.",
        {"ordered deals of 14 cards, six decks": perm(240, 14), "ordered pairs of aces": 24 * 23},
    ),
    Shared(
        "hands to decide with",
        "engine.games.double_ace.holdings",
        "The names of the hands that a player may decide with, and which one follows on a card.",
        # Partitions of one to ten, without three aces and more and nothing else, and ace-ten.
        {"hands": sum((1, 2, 3, 5, 7, 11, 15, 22, 30, 42)) - 8 + 1},
    ),
    Shared(
        "names of bonus hands",
        "engine.cards.hands.bonus_poker",
        "The 40 card types and the names of the bonus hands; each method tells a hand for itself.",
        {"card types": 10 * 4, "patterns of six cards": 11},
    ),
)


def shared_counts() -> dict[str, int]:
    """What can be counted in this module, for `Shared.counts`."""
    six = Shoe.of(6)
    return {
        "ordered deals of 14 cards, six decks": six.further(0, 14),
        "ordered pairs of aces": six.ways(1, 1) * six.ways(1, 1, 1),
    }
