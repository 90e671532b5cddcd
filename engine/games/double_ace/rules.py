"""The rules of Double Ace as plain numbers, and the shoe that hands are dealt from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import perm
from typing import NamedTuple

from engine.game import RuleValue

#: Card values, ace = 1 … ten = 10.
VALUES = range(1, 11)
#: Cards of one value in one deck.
COPIES = 4
#: What the player may do, in the order that breaks ties between equal values.
ACTIONS = ("stand", "hit", "double")
STAND, HIT, DOUBLE = range(3)
#: Whose ace counts zero in a two-card ace and ten, by the word of the rule `ace_ten`:
#: (player, player after doubling, dealer).
ACE_TEN = {
    "ten for all": (1, 1, 1),
    "eleven after doubling": (1, 0, 1),
    "eleven for the player": (0, 0, 1),
    "eleven for the dealer": (1, 1, 0),
    "eleven for all": (0, 0, 0),
}


#: What a flush beats, by the word of the rule `flush_beats`: the more, the higher.
FLUSH_BEATS = ("straight", "full house", "four of a kind")
#: What counts for the five-card bonus of a player whose own hand has six cards.
LONG_HAND = ("first five", "best five", "no bonus")


class Rules(NamedTuple):
    """One setting of the rules of play; flags are 0 or 1. `decks` = 0 stands for infinitely many.

    `double_any`: any first card may be doubled, not an ace alone. `dealer_draws_to_aces`: the
    dealer's two aces are a total of 2 and he draws. `zero_*`: the ace of a two-card ace and ten
    counts 0 for the player, the player after doubling, the dealer. `flush_beats` and `long_hand`
    are indices into FLUSH_BEATS and LONG_HAND.
    """

    decks: int = 6
    dealer_stands_on: int = 6
    dealer_draws_to_aces: int = 0
    double_any: int = 0
    zero_player: int = 1
    zero_doubled: int = 1
    zero_dealer: int = 1
    flush_beats: int = 0
    long_hand: int = 0

    @classmethod
    def of(cls, settings: Mapping[str, RuleValue]) -> Rules:
        """Read a spec's settings."""
        player, doubled, dealer = ACE_TEN[str(settings["ace_ten"])]
        return cls(
            decks=int(settings["decks"]),
            dealer_stands_on=int(settings["dealer_stands_on"]),
            dealer_draws_to_aces=int(settings["dealer_double_ace"] == "draws"),
            double_any=int(settings["double_on"] == "any first card"),
            zero_player=player,
            zero_doubled=doubled,
            zero_dealer=dealer,
            flush_beats=FLUSH_BEATS.index(str(settings["flush_beats"])),
            long_hand=LONG_HAND.index(str(settings["long_hand"])),
        )


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
