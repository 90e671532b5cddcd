"""The five-card bonus where a player's own hand of six cards does not count its first five.

The rules are silent on such a hand. Its first five cards do not bias the bonus; the best five of
six, or no bonus at all, depend on how the player draws. These readings are counted for a player
who doubles an ace, hits 6 or less and stands on 7 or more, as the source advises.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from math import factorial, perm, prod

import numpy as np
from numpy.typing import NDArray

from engine.game import Wanted, chunk
from engine.games.double_ace import referee
from engine.games.double_ace.bonus import Bonus, Row, multisets, tally
from engine.games.double_ace.holdings import HANDS, NEXT, NUMBER, pips_of
from engine.games.double_ace.rules import DOUBLE, HIT, LONG_HAND, STAND, VALUES, Rules
from engine.hands.bonus_poker import (
    CODES,
    SUITS,
    TYPES,
    category,
    describe,
    hand_code,
    order,
)
from engine.kernels import njit
from engine.strategy import Strategy
from engine.tables import Table

Int = NDArray[np.int64]
FIRST_FIVE, BEST_FIVE, NO_BONUS = range(len(LONG_HAND))
#: The player hits totals up to here.
HITS = 6


def advised() -> Int:
    """The source's advice for every hand, shape (hands,)."""
    acts = [
        DOUBLE if hand == (1,) else HIT if pips_of(hand) <= HITS and hand != (1, 1) else STAND
        for hand in HANDS
    ]
    return np.array(acts, dtype=np.int64)


@cache
def ranking(flush_beats: int) -> Int:
    """Place of the category of every five-card `hand_code`, best first, shape (CODES,).

    Under the reading: a flush stands above whatever it beats.
    """
    best_first = order(flush_beats)
    found = np.full(CODES, len(best_first), dtype=np.int64)
    for code in range(CODES):
        try:
            found[code] = best_first.index(category(*describe(code, 5), flush_beats))
        except ValueError:
            continue
    return found


@njit
def best_five(cards: Int, ranks: Int) -> int:
    """Code of the best five of six cards; among equals, those that leave out the last card."""
    five = cards[:5].copy()
    best: int = hand_code(five, 5)
    for omitted in range(4, -1, -1):
        five[omitted] = cards[5]
        code: int = hand_code(five, 5)
        if ranks[code] < ranks[best]:
            best = code
        five[omitted] = cards[omitted]
    return best


@njit
def sixth_cards(five: Int, ranks: Int) -> Int:
    """Code of the best five after every sixth card, shape (TYPES,)."""
    cards = np.empty(6, dtype=np.int64)
    cards[:5] = five
    codes = np.empty(TYPES, dtype=np.int64)
    for last in range(TYPES):
        cards[5] = last
        codes[last] = best_five(cards, ranks)
    return codes


class LongHands(Bonus):
    """The bonus on the player's five cards, own hands of six told apart.

    Deals are ordered sequences of six cards, the five of the bonus and one more:
    240·239·…·235 with six decks, 40^6 without. There is one start.
    """

    starts = 1

    def __init__(self, name: str, title: str, rules: Rules) -> None:
        super().__init__(name, title, 5, rules.decks, rules.flush_beats)
        self.rules = rules
        self.deals = perm(TYPES * self.decks, 6) if self.decks else TYPES**6
        self.denominators = {"ordered deals of six cards": self.deals}
        self.ranks = ranking(self.flush_beats)

    def deals_in(self, lo: int, hi: int) -> int:
        """Count all deals, or none."""
        part = chunk(lo, hi, self.starts)
        return self.deals * int(part.stop - part.start)

    def row(self, cards: Int, own: int) -> dict[str, str | int]:
        """Row of a hand filled up with cards of the table; `own` of them are the player's."""
        if own <= 5:
            return super().row(cards, own)
        if self.rules.long_hand == BEST_FIVE:
            return self._row(int(best_five(cards, self.ranks)))
        return {**super().row(cards, own), "category": "no bonus"}

    def enumerate(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Count five cards by their ranks, then move the hands of six own cards."""
        scale = factorial(5) * (TYPES * self.decks - 5) if self.decks else TYPES
        five = Counter({row: n * scale for row, n in tally(0, 5, self.decks).items()})
        return self._moved(five, _ordered(self.decks)) if hi > lo else self.tabulate({})

    def exhaust(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Look at every multiset of five card types, and deal every own hand of six in order."""
        if hi <= lo:
            return self.tabulate({})
        counts = np.zeros(CODES, dtype=np.int64)
        multisets(0, TYPES, 5, self.decks, factorial(5), counts)
        scale = factorial(5) * (TYPES * self.decks - 5) if self.decks else TYPES
        five: Counter[Row] = Counter()
        for code in np.flatnonzero(counts):
            five[describe(int(code), 5)] += int(counts[code]) * scale
        return self._moved(five, self._dealt((), np.full(TYPES, self.decks or 1), 1))

    def _moved(self, five: Counter[Row], long: Iterator[tuple[tuple[int, ...], int]]) -> Table:
        """Take own hands of six out of the first five and settle them anew.

        `long`: their first five cards in order, with their ordered ways; any card is the sixth.
        """
        first: Counter[int] = Counter()
        best: Counter[int] = Counter()
        for types, ways in long:
            cards = np.array(types, dtype=np.int64)
            left = np.full(TYPES, self.decks) - np.bincount(cards, minlength=TYPES)
            sixth = left * ways if self.decks else np.full(TYPES, ways)
            first[hand_code(cards, 5)] += int(sixth.sum())
            for code, deals in zip(sixth_cards(cards, self.ranks), sixth, strict=True):
                best[int(code)] += int(deals)
        for code, ways in first.items():
            five[describe(code, 5)] -= ways
        if self.rules.long_hand == NO_BONUS:
            none = {describe(code, 5): ways for code, ways in first.items()}
            return Table.merge([self.tabulate(five), self.tabulate(none, "no bonus")])
        for code, ways in best.items():
            five[describe(code, 5)] += ways
        return self.tabulate(five)

    def _dealt(
        self, cards: tuple[int, ...], left: Int, ways: int
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        """Deal hands of five that the player hits, asking the referee, with their ordered ways."""
        values = [card // 4 + 1 for card in cards]
        ace = 1 in values
        if cards:
            total = referee.player_total(len(cards), sum(values), ace, False, self.rules)
            may = referee.may(HIT, len(cards), sum(values), ace, len(cards) + 1, self.rules)
            if values == [1] or total > HITS or not may:
                return
        if len(cards) == 5:
            yield cards, ways
            return
        for card in range(TYPES):
            copies = int(left[card])
            if copies:
                left[card] -= self.decks > 0
                yield from self._dealt((*cards, card), left, ways * copies)
                left[card] += self.decks > 0


@cache
def _long_values() -> tuple[tuple[int, ...], ...]:
    """Values of the first five own cards, in order, after which the player hits once more."""
    acts = advised()
    hands: list[tuple[tuple[int, ...], int]] = [((value,), NUMBER[(value,)]) for value in VALUES]
    for _ in range(4):
        hands = [
            ((*values, value), int(NEXT[held, value]))
            for values, held in hands
            if acts[held] == HIT
            for value in VALUES
            if NEXT[held, value] >= 0
        ]
    return tuple(values for values, held in hands if acts[held] == HIT)


def _ordered(decks: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """List all hands of five that the player hits, as card types in order, with their ways."""
    for values in _long_values():
        for suits in product(range(SUITS), repeat=5):
            types = tuple(4 * (v - 1) + s for v, s in zip(values, suits, strict=True))
            ways = prod(perm(decks, n) for n in Counter(types).values()) if decks else 1
            if ways:
                yield types, ways
