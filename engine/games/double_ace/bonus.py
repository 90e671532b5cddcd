"""The bonus bets' spaces: five or six cards of the shoe, told as poker hands.

Why drawing does not bias them: a bonus hand is the cards of a hand, in the order they came, and
then supplementary cards until there are five (or six). Whatever a player or dealer has seen when
they stop, the cards that follow are a random draw from all that are left, as their next cards
would have been. So the hand is distributed as the first five (six) cards of a shuffled shoe. A
longer hand counts its first five (six) cards; any other choice would be a choice by what was seen,
and does bias it: `long_hands` counts those readings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import comb, factorial

import numpy as np
from numpy.typing import NDArray

from engine.cards.hands.bonus_poker import (
    CATEGORIES,
    CODES,
    PATTERNS,
    RANKS,
    SUITS,
    describe,
    hand_code,
)
from engine.contract.game import Space, Wanted, check_range
from engine.contract.strategy import Strategy
from engine.exact.tables import INT64, Counts, Feature, Table, integer, word
from engine.games.double_ace import enumeration_bonus, playout_bonus
from engine.games.double_ace.enumeration_bonus import Row

Int = NDArray[np.int64]


def features_of(number: int) -> tuple[Feature, ...]:
    """Columns of a bonus hand of five or six cards."""
    silent = ("no bonus",) if number == 5 else ()
    return (
        word("category", "best category of the hand", *CATEGORIES, *silent),
        word("pattern", "numbers of cards of equal rank", *PATTERNS[number]),
        integer("straight", "highest card of the best straight, 0 for none", 0, 10),
        integer("flush", "whether five or more cards share a suit", 0, 1),
        integer("straight_flush", "highest card of the best straight flush, 0 for none", 0, 10),
    )


class Bonus(Space):
    """Hands of five or six cards in no order: C(240,5) = 6,363,048,048 with six decks.

    With `decks` = 0 the deals are ordered sequences of card types, 40^5 or 40^6. A start is the
    lowest card type of the hand, 0–39. The shoe can be made of the lowest `ranks` alone.
    """

    def __init__(
        self,
        name: str,
        title: str,
        number: int,
        decks: int,
        flush_beats: str = "straight",
        ranks: int = RANKS,
    ) -> None:
        self.name, self.title, self.number, self.decks = name, title, number, decks
        self.flush_beats = flush_beats
        self.types = self.starts = SUITS * ranks
        self.features = features_of(number)
        self.deals = self._above(0)
        self.denominators = (
            {"hands": self.deals, "ordered hands": factorial(number) * self.deals}
            if decks
            else {"ordered hands of card types": self.deals}
        )

    def _above(self, start: int) -> int:
        types = self.types - start
        return comb(types * self.decks, self.number) if self.decks else types**self.number

    def deals_in(self, lo: int, hi: int) -> int:
        """Count the hands whose lowest card type lies in a range."""
        check_range(lo, hi, self.starts)
        return self._above(lo) - self._above(hi)

    def enumerate(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Count by ranks: for each choice of ranks, how the suits can fall."""
        check_range(lo, hi, self.starts)
        top = self.types // SUITS
        counts = Counter(enumeration_bonus.tally(lo, self.number, self.decks, top))
        counts.subtract(enumeration_bonus.tally(hi, self.number, self.decks, top))
        return self.tabulate(counts)

    def exhaust(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Look at every multiset of card types, weighed by its physical copies."""
        check_range(lo, hi, self.starts)
        counts = np.zeros(CODES, dtype=np.int64)
        playout_bonus.multisets(
            lo, hi, self.number, self.types, self.decks, factorial(self.number), counts
        )
        return self.tabulate_codes(counts)

    def tabulate_codes(self, counts: Counts, category: str | None = None) -> Table:
        """Turn counts by `hand_code`, shape (CODES,), into a table; the referee's categories.

        Under one category where it is told.
        """
        codes = np.flatnonzero(counts)
        rows = [describe(int(code), self.number) for code in codes]
        best = [category or playout_bonus.category(*row, self.flush_beats) for row in rows]
        return self._table(best, rows, [int(counts[code]) for code in codes])

    def row(self, cards: Int, number: int) -> dict[str, str | int]:
        """One hand's row as a reader sees it; `number` of its cards came before it was filled.

        `cards`: all of them, card types in the order in which they count.
        """
        return self._row(int(hand_code(cards, self.number)))

    def _row(self, code: int) -> dict[str, str | int]:
        described = describe(code, self.number)
        best = playout_bonus.category(*described, self.flush_beats)
        return dict(zip((f.name for f in self.features), (best, *described), strict=True))

    def tabulate(self, counts: Mapping[Row, int], category: str | None = None) -> Table:
        """Turn counts by row into a table, under one category where it is told."""
        rows = [row for row, number in counts.items() if number]
        best = [category or enumeration_bonus.category(row, self.flush_beats) for row in rows]
        return self._table(best, rows, [counts[row] for row in rows])

    def _table(self, best: list[str], rows: list[Row], counts: list[int]) -> Table:
        labels = [(name, *row) for name, row in zip(best, rows, strict=True)]
        codes = {
            feature.name: np.array([feature.code(row[k]) for row in labels], dtype=np.int64)
            for k, feature in enumerate(self.features)
        }
        exact = np.array(counts, dtype=object if max(counts, default=0) >= INT64 else np.int64)
        return Table.of(self.features, codes, exact)
