"""The five-card bonus where a player's own hand of six cards does not count its first five.

The rules are silent on such a hand. Its first five cards do not bias the bonus; the best five of
six, or no bonus at all, depend on how the player draws. These readings are counted for a player
who doubles an ace, hits 6 or less and stands on 7 or more, as the source advises.
"""

from __future__ import annotations

from collections import Counter
from math import comb, factorial, perm

import numpy as np
from numpy.typing import NDArray

from engine.cards.hands.bonus_poker import CODES, RANKS, SUITS, hand_code
from engine.contract.game import Wanted, check_range
from engine.contract.strategy import Strategy
from engine.exact.tables import Table
from engine.games.double_ace import enumeration_bonus, playout_bonus
from engine.games.double_ace.bonus import Bonus
from engine.games.double_ace.enumeration_bonus import Row
from engine.games.double_ace.rules import Rules

Int = NDArray[np.int64]


class LongHands(Bonus):
    """The bonus on the player's five cards, own hands of six told apart.

    Deals are ordered sequences of six cards, the five of the bonus and one more:
    240·239·…·235 with six decks, 40^6 without. There is one start.
    """

    def __init__(self, name: str, title: str, rules: Rules, ranks: int = RANKS) -> None:
        super().__init__(name, title, 5, rules.decks, rules.flush_beats, ranks)
        self.rules, self.starts = rules, 1
        self.deals = perm(self.types * self.decks, 6) if self.decks else self.types**6
        shoe = self.types * self.decks
        self.denominators = {"ordered deals of six cards": self.deals} | (
            {"hands": comb(shoe, 5), "ordered hands": perm(shoe, 5)} if self.decks else {}
        )
        self.ranks = playout_bonus.ranking(self.flush_beats)
        #: Ordered deals behind a hand of five cards in no order.
        self.scale = factorial(5) * (self.types * self.decks - 5) if self.decks else self.types

    def deals_in(self, lo: int, hi: int) -> int:
        """Count all deals, or none."""
        part = check_range(lo, hi, self.starts)
        return self.deals * int(part.stop - part.start)

    def row(self, cards: Int, number: int) -> dict[str, str | int]:
        """Row of a hand filled up with cards of the table; `number` of them are the player's."""
        if number <= 5:
            return super().row(cards, number)
        if self.rules.long_hand == "best five":
            return self._row(int(playout_bonus.best_five(cards, self.ranks)))
        return {**super().row(cards, number), "category": "no bonus"}

    def enumerate(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Count five cards by their ranks, then move the hands of six own cards."""
        if hi <= lo:
            return self.tabulate({})
        whole = enumeration_bonus.tally(0, 5, self.decks, self.types // SUITS)
        five = Counter({row: n * self.scale for row, n in whole.items()})
        none: Counter[Row] = Counter()
        for cards, sixth, deals in enumeration_bonus.long_hands(self.decks, self.types // SUITS):
            row = enumeration_bonus.row_of(cards)
            five[row] -= deals
            if self.rules.long_hand == "no bonus":
                none[row] += deals
            else:
                five[enumeration_bonus.best_row(cards, sixth, self.flush_beats)] += deals
        return Table.merge([self.tabulate(five), self.tabulate(none, "no bonus")])

    def exhaust(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Look at every multiset of five card types, and deal every own hand of six in order."""
        if hi <= lo:
            return self.tabulate_codes(np.zeros(CODES, dtype=np.int64))
        counts = np.zeros(CODES, dtype=np.int64)
        playout_bonus.multisets(0, self.types, 5, self.types, self.decks, factorial(5), counts)
        counts = counts.astype(object) * self.scale
        none = np.zeros(CODES, dtype=object)
        for types, ways in playout_bonus.own_hands(self.decks, self.types, self.rules):
            cards = np.array(types, dtype=np.int64)
            left = np.full(self.types, self.decks) - np.bincount(cards, minlength=self.types)
            sixth = left * ways if self.decks else np.full(self.types, ways)
            first = int(hand_code(cards, 5))
            counts[first] -= int(sixth.sum())
            if self.rules.long_hand == "no bonus":
                none[first] += int(sixth.sum())
                continue
            codes = playout_bonus.sixth_cards(cards, self.types, self.ranks)
            for code, deals in zip(codes, sixth, strict=True):
                counts[code] += int(deals)
        return Table.merge([self.tabulate_codes(counts), self.tabulate_codes(none, "no bonus")])
