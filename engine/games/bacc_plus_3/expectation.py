"""Expected values of every split, for any value of the ways a deal can end."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from math import comb
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from engine.cards.deck import DECK
from engine.cards.hands.three_card import CLASSES
from engine.exact.tables import Counts
from engine.games.bacc_plus_3.enumeration import (
    CELLS,
    STANDINGS,
    TOTALS,
    Lattice,
    expected,
    lattice,
    layouts,
    order,
    standings,
    tally,
)
from engine.games.bacc_plus_3.rules import CARDS, Rules

Int = NDArray[np.int64]
Make = Callable[[], Int]

#: Values up to this size are summed in int64: 2^35 for differences of two values × 4.3e6 dealer
#: hands × weight 24 < 2^62. Larger values are cut into limbs of this size.
LIMB = 1 << 34


class Expectation:
    """Sums over all dealer hands, for one setting of the rules.

    With `removal` the dealer holds none of the player's cards, as in play; without, any five cards
    of the deck, as a player sees it who forgets that they hold some.
    """

    def __init__(self, rules: Rules, removal: bool = True) -> None:
        self.removal = removal
        self._lock = Lock()
        self._sums: dict[bytes, Int] = {}
        self._counts: dict[bytes, Int] = {}
        self.poker = order(rules)
        self.layouts = layouts(rules)
        self.dealer_hands = comb(DECK - CARDS if removal else DECK, CARDS)

    @property
    def lattice(self) -> Lattice:
        """Classes of subsets that inclusion and exclusion runs over: all, or the empty set."""
        whole = lattice()
        if self.removal:
            return whole
        end = int(whole.start[1])
        return Lattice(whole.start[:2], whole.hands[:end], whole.orbit[:1], whole.sign[:1])

    @cached_property
    def reachable(self) -> NDArray[np.bool_]:
        """Which (poker class, total, standing, dealer's total) can be met, shape (741, 10, 8, 10).

        Some player's split has to give the class and total, some dealer's setting the rest. That a
        deck cannot hold both is not asked: two equal threes of a kind are listed, since a player
        who forgets removal counts with them.
        """
        dealt = np.zeros((CLASSES + 1, TOTALS), dtype=np.int64)
        np.add.at(dealt, (self.layouts.dealer // TOTALS + 1, self.layouts.dealer % TOTALS), 1)
        below = dealt.cumsum(axis=0)[standings(self.poker)]
        met = np.diff(below, axis=1, prepend=0) > 0
        occupied = np.bincount(self.layouts.cell.reshape(-1), minlength=CELLS) > 0
        reached: NDArray[np.bool_] = occupied.reshape(CLASSES, TOTALS, 1, 1) & met[:, None]
        return reached

    @cached_property
    def rows(self) -> Int:
        """Cell, standing and dealer's total of every row that can be met, shape (rows, 3)."""
        poker, player, code, dealer = np.nonzero(self.reachable)
        return np.stack([poker * TOTALS + player, code, dealer], axis=1)

    def of(self, values: Counts) -> Counts:
        """Sum `values`, shape (rows,), over all deals: shape (134459, 10), weights included."""
        peak = max((abs(int(v)) for v in (values.max(), values.min())), default=0)
        if peak >= LIMB:
            exact = np.array([int(v) for v in values], dtype=object)
            high = self.of(exact // LIMB).astype(object)
            both: Counts = high * LIMB + self.of(exact % LIMB).astype(object)
            return both
        return self._of(values.astype(np.int64))

    def _of(self, values: Int) -> Int:
        grid = np.zeros(self.reachable.shape, dtype=np.int64)
        grid[self.reachable] = values
        # What the player's own hand is worth whatever the dealer holds needs no sum.
        per_cell = self.reachable.reshape(CELLS, -1)
        flat = grid.reshape(CELLS, -1)
        best = flat[np.arange(CELLS), per_cell.argmax(axis=1)]
        rest = np.where(per_cell, flat - best[:, None], 0).reshape(grid.shape)

        def total(worth: Int) -> Int:
            worth += best[self.layouts.cell] * self.dealer_hands
            worth *= self.layouts.weight[:, None]
            return worth

        if rest.any():
            return total(self._keep(self._sums, 4, (rest,), lambda: self._sum(rest)).copy())
        return total(np.zeros(self.layouts.cell.shape, dtype=np.int64))

    def _sum(self, rest: Int) -> Int:
        block, value = self._blocks(self._filled(rest))
        worth = np.zeros(self.layouts.cell.shape, dtype=np.int64)
        expected(self.lattice, self.layouts, self.poker, block, value, self.removal, worth)
        return worth

    def counts(self, lo: int, splits: Int, edges: Int) -> Int:
        """Count the deals of canonical hands from `lo` on, each set in one split.

        `edges`: ends of the intervals of dealer's classes against every class, shape (741, k).
        Returns shape (7410, k, 10), int64: deals by cell, interval and dealer's total.
        """
        taken = self.layouts.cell[lo : lo + len(splits)][np.arange(len(splits)), splits]
        cells = taken.astype(np.int64)

        def count() -> Int:
            counts = np.zeros((CELLS, edges.shape[1], TOTALS), dtype=np.int64)
            tally(self.lattice, self.layouts, edges, lo, cells, counts)
            return counts

        return self._keep(self._counts, 16, (np.array([lo]), cells, edges), count)

    def _keep(self, kept: dict[bytes, Int], most: int, given: Sequence[Int], make: Make) -> Int:
        """Give a result that was made before, or make it and keep it: strategies repeat."""
        sha = hashlib.sha256()
        for array in given:
            sha.update(np.ascontiguousarray(array).tobytes())
        key = sha.digest()
        with self._lock:
            value = kept.pop(key, None)
        if value is None:
            value = make()
            value.flags.writeable = False
        with self._lock:
            kept[key] = value
            while len(kept) > most:
                kept.pop(next(iter(kept)))
        return value

    def _filled(self, rest: Int) -> Int:
        """Let rows that are never met repeat their neighbours, so that runs stay long."""
        rest = rest.copy()
        known = self.reachable.copy()
        category = self.poker.category
        order = np.arange(CLASSES)
        for sweep in (order, order[::-1]):
            for before, c in pairwise(sweep):
                if category[before] == category[c]:
                    take = known[before] & ~known[c]
                    rest[c][take] = rest[before][take]
                    known[c] |= take
        return rest

    def _blocks(self, rest: Int) -> tuple[Int, Int]:
        """Runs of poker classes with equal values, and these values as `expected` takes them."""
        changes = np.any(rest[1:] != rest[:-1], axis=(1, 2, 3))
        begins = np.union1d(np.flatnonzero(changes) + 1, self.poker.first[:-1])
        value = rest[begins].transpose(0, 3, 2, 1)
        if value.shape[1:] != (TOTALS, STANDINGS, TOTALS):
            raise ValueError(f"values have shape {value.shape}")
        return np.append(begins, CLASSES).astype(np.int64), np.ascontiguousarray(value)


@functools.lru_cache(maxsize=6)
def expectation(rules: Rules, removal: bool = True) -> Expectation:
    """Share the sums of all games whose rules (`Rules.of_hands`) set and order hands alike."""
    return Expectation(rules, removal)
