"""The space of the first four cards: rank and suit of either hand before anybody draws."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from engine.cards.deck import DECK
from engine.cards.draw import radix
from engine.contract.game import Wanted, check_range
from engine.contract.strategy import Strategy
from engine.exact.tables import Feature, Table, integer, word
from engine.games.punto_banco import playout
from engine.games.punto_banco.columns import SIDES, SUITS
from engine.games.punto_banco.enumeration import four
from engine.games.punto_banco.rules import Rules
from engine.games.punto_banco.starts import FromStarts

Int = NDArray[np.int64]

_RANK = "1 ace … 11 jack, 12 queen, 13 king"


def _of_hand(side: str) -> tuple[Feature, ...]:
    hand = f"{side.capitalize()}'s first two cards"
    return (
        integer(f"{side}_low", f"lower rank of {hand} ({_RANK})", 1, 13),
        integer(f"{side}_high", f"higher rank of {hand} ({_RANK})", 1, 13),
        word(f"{side}_low_suit", f"suit of the lower of {hand}", *SUITS[:4]),
        word(f"{side}_high_suit", f"suit of the higher of {hand}", *SUITS[:4]),
        integer(f"{side}_suited", f"1 if {hand} are of one suit, else 0", 0, 1),
    )


FEATURES = tuple(feature for side in SIDES for feature in _of_hand(side))


def chosen(wanted: Wanted) -> tuple[Feature, ...]:
    """Columns of a table for these wishes, and never none at all."""
    if wanted is None:
        return FEATURES
    return tuple(f for f in FEATURES if f.name in wanted) or (FEATURES[-1],)


class FirstFour(FromStarts):
    """Two cards to Player and two to Banker: 29,516,190,240 ordered deals with eight decks."""

    name = "first-four"
    title = "The first four cards"
    features = FEATURES
    cards = 4

    def __init__(self, rules: Rules, ranks: Collection[int] = range(13)) -> None:
        super().__init__(rules, ranks)
        self.denominators = {
            **self.denominators,
            "hands of four cards": comb(self.shoe, 4),
            "hands of two cards": comb(self.shoe, 2),
        }

    def enumerate(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Tabulate a range of starts by unordered hands of two cards."""
        part = check_range(lo, hi, self.starts)
        features = chosen(wanted)
        starts = np.zeros((DECK, DECK), dtype=np.int64)
        starts[self.first[part], self.second[part]] = self.weight[part]
        sorted_ = [four.classes(names) for names in _names(features)]
        counts = four.count(starts, self.copies, sorted_[0][0], sorted_[1][0])
        return _table(features, [columns for _, columns in sorted_], counts)

    def exhaust(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Tabulate a range of starts, four cards in order."""
        part = check_range(lo, hi, self.starts)
        classes = HandClasses(chosen(wanted))
        counts = classes.empty()
        playout.exhaust_four(
            self.first[part], self.second[part], self.weight[part], self.copies,
            classes.of, counts,
        )  # fmt: skip
        return classes.tabulate(counts)

    def simulate(self, words: Sequence[NDArray[np.uint64]], wanted: Wanted) -> Table:
        """Look at the first four cards of random rounds."""
        classes = HandClasses(chosen(wanted))
        counts = classes.empty()
        shoe = np.arange(self.shoe) % DECK
        for block in words:
            playout.simulate_four(block, radix(self.shoe), shoe, classes.of, counts)
        return classes.tabulate(counts)

    def row(self, cards: Sequence[int]) -> dict[str, str | int]:
        """The row that a round's first four cards make, dealt to Player and Banker in turn."""
        classes, codes = _all_classes(), dict[str, int]()
        for side, hand in zip(SIDES, (cards[0:4:2], cards[1:4:2]), strict=True):
            look = classes.of[hand[0], hand[1]]
            codes.update({f"{side}_{name}": int(c[look]) for name, c in classes.columns.items()})
        return {f.name: f.label(codes[f.name]) for f in FEATURES}


class HandClasses:
    """What two cards in order look like by some columns: `of` has shape (52, 52)."""

    def __init__(self, features: tuple[Feature, ...]) -> None:
        self.features = features
        first, second = (grid.reshape(-1) for grid in np.indices((DECK, DECK)))
        swap = first > second
        low, high = np.where(swap, second, first), np.where(swap, first, second)
        columns = {
            "low": low // 4 + 1,
            "high": high // 4 + 1,
            "low_suit": low % 4,
            "high_suit": high % 4,
            "suited": (first % 4 == second % 4).astype(np.int64),
        }
        names = tuple(dict.fromkeys(name for side in _names(features) for name in side))
        code = np.zeros(len(first), dtype=np.int64)
        for name in names:
            code = code * 14 + columns[name]
        seen, one, member = np.unique(code, return_index=True, return_inverse=True)
        self.of = member.reshape(DECK, DECK).astype(np.int64)
        self.classes = len(seen)
        self.columns = {name: columns[name][one] for name in names}

    def empty(self) -> Int:
        """Allocate the counts that the kernels add to, shape (classes, classes)."""
        return np.zeros((self.classes, self.classes), dtype=np.int64)

    def tabulate(self, counts: Int) -> Table:
        """Turn counts of classes into a table."""
        return _table(self.features, [self.columns, self.columns], counts)


@cache
def _all_classes() -> HandClasses:
    return HandClasses(FEATURES)


def _names(features: tuple[Feature, ...]) -> list[tuple[str, ...]]:
    """Columns that are asked of either hand, without the side's name."""
    return [
        tuple(f.name.removeprefix(f"{s}_") for f in features if f.name.startswith(f"{s}_"))
        for s in SIDES
    ]


def _table(features: tuple[Feature, ...], columns: list[dict[str, Int]], counts: Int) -> Table:
    rows = np.nonzero(counts)
    codes = {
        f"{side}_{name}": codes[at]
        for side, hands, at in zip(SIDES, columns, rows, strict=True)
        for name, codes in hands.items()
    }
    return Table.of(features, codes, counts[rows])
