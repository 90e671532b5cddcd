"""The bonus bets' spaces: five or six cards of the shoe, told as poker hands.

Why drawing does not bias them: a bonus hand is the cards of a hand, in the order they came, and
then supplementary cards until there are five (or six). Whatever a player or dealer has seen when
he stops, the cards that follow are a random draw from all that are left, as his own next cards
would have been. So the hand is distributed as the first five (six) cards of a shuffled shoe. A
longer hand counts its first five (six) cards; any other choice would be a choice by what was seen,
and does bias it: `long_hands` counts those readings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from engine.game import Space, Wanted, chunk
from engine.hands.bonus_poker import (
    CATEGORIES,
    CODES,
    PATTERNS,
    RANKS,
    SUITS,
    TYPES,
    category,
    describe,
    hand_code,
)
from engine.kernels import njit
from engine.strategy import Strategy
from engine.tables import Feature, Table, integer, word

Int = NDArray[np.int64]
#: Pattern, highest straight, flush, highest straight flush.
Row = tuple[str, int, int, int]


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
    lowest card type of the hand, 0–39.
    """

    starts = TYPES

    def __init__(
        self, name: str, title: str, number: int, decks: int, flush_beats: int = 0
    ) -> None:
        self.name, self.title, self.number, self.decks = name, title, number, decks
        self.flush_beats = flush_beats
        self.features = features_of(number)
        self.deals = self._above(0)
        basis = "hands" if decks else "ordered hands of card types"
        self.denominators = {basis: self.deals}

    def _above(self, start: int) -> int:
        types = TYPES - start
        return comb(types * self.decks, self.number) if self.decks else types**self.number

    def deals_in(self, lo: int, hi: int) -> int:
        """Count the hands whose lowest card type lies in a range."""
        chunk(lo, hi, self.starts)
        return self._above(lo) - self._above(hi)

    def enumerate(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Count by ranks: for each choice of ranks, how the suits can fall."""
        chunk(lo, hi, self.starts)
        counts = Counter(tally(lo, self.number, self.decks))
        counts.subtract(tally(hi, self.number, self.decks))
        return self.tabulate(counts)

    def exhaust(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Look at every multiset of card types, weighed by its physical copies."""
        chunk(lo, hi, self.starts)
        counts = np.zeros(CODES, dtype=np.int64)
        multisets(lo, hi, self.number, self.decks, factorial(self.number), counts)
        return self.tabulate_codes(counts)

    def tabulate_codes(self, counts: Int, told: str | None = None) -> Table:
        """Turn counts by `hand_code`, shape (CODES,), into a table; see `tabulate`."""
        found: Counter[Row] = Counter()
        for code in np.flatnonzero(counts):
            found[describe(int(code), self.number)] += int(counts[code])
        return self.tabulate(found, told)

    def row(self, cards: Int, own: int) -> dict[str, str | int]:
        """One hand's row as a reader sees it; `own` of its cards were there before it was filled.

        `cards`: all of them, card types in the order in which they count.
        """
        return self._row(int(hand_code(cards, self.number)))

    def _row(self, code: int) -> dict[str, str | int]:
        told = describe(code, self.number)
        best = category(*told, self.flush_beats)
        return dict(zip((f.name for f in self.features), (best, *told), strict=True))

    def tabulate(self, counts: Mapping[Row, int], told: str | None = None) -> Table:
        """Turn counts by row into a table, under one category where it is told."""
        labels = [(told or category(*row, self.flush_beats), *row) for row in counts]
        codes = {
            feature.name: np.array([feature.code(row[k]) for row in labels], dtype=np.int64)
            for k, feature in enumerate(self.features)
        }
        return Table.of(self.features, codes, np.array(list(counts.values()), dtype=np.int64))


@njit
def multisets(lo: int, hi: int, number: int, decks: int, orders: int, counts: Int) -> None:
    """Add the weight of every multiset of `number` card types whose lowest lies in lo … hi − 1.

    A type that comes m times weighs C(decks, m); with no decks a multiset weighs its orders, of
    `orders` = number!. Adds to `counts`, shape (CODES,): at most C(480,6) < 1.7e13 < 2^63.
    """
    cards = np.zeros(number, dtype=np.int64)
    run = np.zeros(number, dtype=np.int64)
    weight = np.zeros(number, dtype=np.int64)
    depth = 0
    cards[0] = lo - 1
    while depth >= 0:
        cards[depth] += 1
        if cards[depth] >= (hi if depth == 0 else TYPES):
            depth -= 1
            continue
        before = 1 if decks > 0 else orders
        same = 0
        if depth > 0:
            before = weight[depth - 1]
            same = run[depth - 1] if cards[depth] == cards[depth - 1] else 0
        run[depth] = same + 1
        weight[depth] = before * (decks - same if decks > 0 else 1) // (same + 1)
        if weight[depth] == 0:
            continue
        if depth == number - 1:
            counts[hand_code(cards, number)] += weight[depth]
        else:
            depth += 1
            cards[depth] = cards[depth - 1] - 1


@lru_cache(maxsize=256)
def tally(start: int, number: int, decks: int) -> Mapping[Row, int]:
    """Count the hands of card types `start` … 39 by pattern, straight, flush, straight flush."""
    lowest, absent = divmod(start, SUITS)
    found: Counter[Row] = Counter()
    for ranks in combinations_with_replacement(range(lowest, RANKS), number):
        held = Counter(ranks)
        orders = 1 if decks else factorial(number) // prod(map(factorial, held.values()))
        pattern = "-".join(str(m) for m in sorted(held.values(), reverse=True))
        runs = [high for high in range(RANKS, 4, -1) if held.keys() >= {*range(high - 5, high)}]
        best = runs[0] if runs else 0
        rest = orders * prod(_ways(m, r == lowest and absent, decks) for r, m in held.items())
        for own, suits in ((True, SUITS - absent), (False, absent)):
            groups = tuple((m, absent if r == lowest else 0, own) for r, m in held.items())
            flushes = suits * orders * _flushes(tuple(sorted(groups)), decks)
            rest -= flushes
            for high, hands in _straight_flushes(held, runs, lowest, absent, own, decks):
                found[pattern, best, 1, high] += suits * orders * hands
                flushes -= suits * orders * hands
            found[pattern, best, 1, 0] += flushes
        found[pattern, best, 0, 0] += rest
    return MappingProxyType({row: hands for row, hands in found.items() if hands})


@lru_cache(maxsize=4096)
def _suited(m: int, absent: int, own: bool, decks: int) -> tuple[int, ...]:
    """Ways to take m cards of a rank with j = 0 … m of one suit.

    `absent` suits of the rank are out of play; where any is, `own` says whether the one suit is
    still in. Without decks a card is one of four suits, independently.
    """
    mine = 0 if absent and not own else 1
    others = SUITS - absent - mine
    if decks:
        return tuple(comb(mine * decks, j) * comb(others * decks, m - j) for j in range(m + 1))
    return tuple(comb(m, j) * mine**j * others ** (m - j) for j in range(m + 1))


def _ways(m: int, absent: int, decks: int) -> int:
    return sum(_suited(m, absent, True, decks))


@lru_cache(maxsize=65536)
def _flushes(groups: tuple[tuple[int, int, bool], ...], decks: int) -> int:
    """Ways to take groups of m cards per rank with five or more of one suit."""
    total = [1]
    for m, absent, own in groups:
        part = _suited(m, absent, own, decks)
        grown = [0] * (len(total) + m)
        for i, a in enumerate(total):
            for j, b in enumerate(part):
                grown[i + j] += a * b
        total = grown
    return sum(total[5:])


def _straight_flushes(
    held: Mapping[int, int], runs: list[int], lowest: int, absent: int, own: bool, decks: int
) -> Iterator[tuple[int, int]]:
    """Ways that one suit runs through five ranks, by the highest such run.

    Six different ranks in a row have two runs: the lower one counts where the upper one fails.
    """

    def through(needed: set[int]) -> int:
        ways = 1
        for rank, m in held.items():
            part = _suited(m, absent if rank == lowest else 0, own, decks)
            ways *= sum(part[rank in needed :])
        return ways

    upper: set[int] = set()
    for high in runs:
        needed = {*range(high - 5, high)}
        yield high, through(needed) - (through(needed | upper) if upper else 0)
        upper = needed
