"""The bonus bets by ranks: for each choice of ranks, how the suits can fall.

Nothing here looks at a hand card by card but own hands of six, which are few. The two methods
share the names of categories and patterns alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from types import MappingProxyType

from engine.cards.hands.bonus_poker import CATEGORIES, RANKS, SUITS

#: Pattern, highest straight, flush, highest straight flush.
Row = tuple[str, int, int, int]


def order(flush_beats: str) -> tuple[str, ...]:
    """Categories, best first, where a flush stands right above what it beats."""
    others = [name for name in CATEGORIES if name != "flush"]
    rank = others.index(flush_beats)
    return (*others[:rank], "flush", *others[rank:])


def makes(row: Row) -> set[str]:
    """All categories that a hand with this row is."""
    pattern, straight, flush, straight_flush = row
    shares = [int(share) for share in pattern.split("-")]
    most, pairs = shares[0], sum(share >= 2 for share in shares)
    categories = {"high card"}
    categories |= {"pair"} if most >= 2 else set()
    categories |= {"two pair"} if pairs >= 2 else set()
    categories |= {"three pair"} if pairs >= 3 else set()
    categories |= {"three of a kind"} if most >= 3 else set()
    categories |= {"full house"} if most >= 3 and pairs >= 2 else set()
    for number, word in ((4, "four"), (5, "five"), (6, "six")):
        categories |= {f"{word} of a kind"} if most >= number else set()
    for has, name in ((straight, "straight"), (flush, "flush"), (straight_flush, "straight flush")):
        categories |= {name} if has else set()
    return categories


def category(row: Row, flush_beats: str) -> str:
    """Best category of a hand by its row."""
    mine = makes(row)
    return next(name for name in order(flush_beats) if name in mine)


def row_of(cards: Sequence[int]) -> Row:
    """Row of five cards, as types 4 × rank + suit."""
    ranks, suits = Counter(card // SUITS for card in cards), {card % SUITS for card in cards}
    pattern = "-".join(str(share) for share in sorted(ranks.values(), reverse=True))
    high = max(ranks) + 1 if len(ranks) == 5 and max(ranks) - min(ranks) == 4 else 0
    flush = int(len(suits) == 1)
    return pattern, high, flush, high * flush


def long_hands(decks: int, top: int) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """List own hands of six: their first five cards, the sixth, and their ordered deals.

    The player doubles an ace, hits 6 or less and stands on 7 or more: their first five cards begin
    with no ace and make six at most. Types below 4 × `top`; of hands that differ in the order of
    equal values one is listed.
    """
    highest = range(1, min(6, top) + 1)
    every = [v for v in product(highest, repeat=5) if v[0] != 1 and sum(v) <= 6]
    for values in every:
        five: Counter[tuple[int, ...]] = Counter()
        for suits in product(range(SUITS), repeat=5):
            first, *others = (4 * (v - 1) + s for v, s in zip(values, suits, strict=True))
            five[first, *sorted(others)] += 1
        for cards, orders in five.items():
            gone = Counter(cards)
            ways = prod(_ordered(decks, number) for number in gone.values()) * orders
            for sixth in range(SUITS * top) if ways else ():
                left = decks - gone[sixth] if decks else 1
                if left:
                    yield cards, sixth, ways * left


def _ordered(decks: int, number: int) -> int:
    return factorial(number) * comb(decks, number) if decks else 1


def best_row(five: tuple[int, ...], sixth: int, flush_beats: str) -> Row:
    """Row of the best five of six cards; among equals, those that leave out the last card."""
    rank = {name: position for position, name in enumerate(order(flush_beats))}
    tries = [five, *((*five[:k], sixth, *five[k + 1 :]) for k in range(4, -1, -1))]
    rows = [row_of(cards) for cards in tries]
    return min(rows, key=lambda row: rank[category(row, flush_beats)])


@lru_cache(maxsize=256)
def tally(start: int, number: int, decks: int, top: int = RANKS) -> Mapping[Row, int]:
    """Count hands by pattern, straight, flush, straight flush.

    Their card types are `start` and above, of the lowest `top` ranks.
    """
    lowest, absent = divmod(start, SUITS)
    result: Counter[Row] = Counter()
    for ranks in combinations_with_replacement(range(lowest, top), number):
        multiplicities = Counter(ranks)
        orders = 1 if decks else factorial(number) // prod(map(factorial, multiplicities.values()))
        pattern = "-".join(str(m) for m in sorted(multiplicities.values(), reverse=True))
        runs = [
            high
            for high in range(RANKS, 4, -1)
            if multiplicities.keys() >= {*range(high - 5, high)}
        ]
        best = runs[0] if runs else 0
        rest = orders * prod(
            _ways(m, r == lowest and absent, decks) for r, m in multiplicities.items()
        )
        for present, suits in ((True, SUITS - absent), (False, absent)):
            groups = tuple(
                (m, absent if r == lowest else 0, present) for r, m in multiplicities.items()
            )
            flushes = suits * orders * _flushes(tuple(sorted(groups)), decks)
            rest -= flushes
            for high, hands in _straight_flushes(
                multiplicities, runs, lowest, absent, present, decks
            ):
                result[pattern, best, 1, high] += suits * orders * hands
                flushes -= suits * orders * hands
            result[pattern, best, 1, 0] += flushes
        result[pattern, best, 0, 0] += rest
    return MappingProxyType({row: hands for row, hands in result.items() if hands})


@lru_cache(maxsize=4096)
def _suited(m: int, absent: int, present: bool, decks: int) -> tuple[int, ...]:
    """Ways to take m cards of a rank with j = 0 … m of one suit.

    `absent` suits of the rank are out of play; where any is, `present` says whether the one suit is
    still in. Without decks a card is one of four suits, independently.
    """
    mine = 0 if absent and not present else 1
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
    for m, absent, present in groups:
        part = _suited(m, absent, present, decks)
        grown = [0] * (len(total) + m)
        for i, a in enumerate(total):
            for j, b in enumerate(part):
                grown[i + j] += a * b
        total = grown
    return sum(total[5:])


def _straight_flushes(
    multiplicities: Mapping[int, int],
    runs: list[int],
    lowest: int,
    absent: int,
    present: bool,
    decks: int,
) -> Iterator[tuple[int, int]]:
    """Ways that one suit runs through five ranks, by the highest such run.

    Six different ranks in a row have two runs: the lower one counts where the upper one fails.
    """

    def through(needed: set[int]) -> int:
        ways = 1
        for rank, m in multiplicities.items():
            part = _suited(m, absent if rank == lowest else 0, present, decks)
            ways *= sum(part[rank in needed :])
        return ways

    upper: set[int] = set()
    for high in runs:
        needed = {*range(high - 5, high)}
        yield high, through(needed) - (through(needed | upper) if upper else 0)
        upper = needed
