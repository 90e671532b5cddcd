"""The walk behind the pay-table search: rising pays whose weighted sum lies in a range.

Every category, commonest end first, takes a place on a menu of pays, no lower than the one before.
A branch is left as soon as its least possible sum is too large or its largest too small.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

import numpy as np
from numpy.typing import NDArray

from engine.exact.kernels import njit, python
from engine.exact.tables import INT64, Counts

Int = NDArray[np.int64]


@dataclass(frozen=True)
class Part:
    """What one walk saw: tables that fit, branches looked at, and the wanted tables' places."""

    total: int
    looked: int
    complete: bool
    rows: list[list[int]]


@dataclass(frozen=True)
class Walk:
    """Tables of one place on the menu per category, each at least `gap` above the one before.

    Category j's place runs from `low[j]` to `high[j]`, both as tight as its neighbours allow;
    Σ counts × menu[place] has to lie in `target`. `least[j][t]` is the smallest sum of categories
    j and above when j's place is t or higher, and `most[j]` their largest sum.
    """

    counts: list[int]
    menu: list[int]
    low: list[int]
    high: list[int]
    gap: int
    target: tuple[int, int]
    least: list[list[int]]
    most: list[int]

    @classmethod
    def of(
        cls,
        counts: Sequence[int],
        menu: Sequence[int],
        low: Sequence[int],
        high: Sequence[int],
        gap: int,
        target: tuple[int, int],
    ) -> Walk:
        """Divide by what all counts have in common and bound every category from both sides."""
        unit = gcd(*counts)
        whole = [count // unit for count in counts]
        target = -(-target[0] // unit), target[1] // unit
        low, high = list(low), list(high)
        levels = len(whole)
        for j in range(1, levels):
            low[j] = max(low[j], low[j - 1] + gap)
        for j in reversed(range(levels - 1)):
            high[j] = min(high[j], high[j + 1] - gap)
        never = max(target[1], 0) + 1
        least = [[0] * (len(menu) + 1) for _ in range(levels + 1)]
        most = [0] * (levels + 1)
        if any(one > other for one, other in zip(low, high, strict=True)):
            return cls(whole, list(menu), low, high, gap, target, least, most)
        for j in reversed(range(levels)):
            most[j] = most[j + 1] + whole[j] * menu[high[j]]
            for t in range(len(menu) + 1):
                position = max(low[j], t)
                least[j][t] = never
                if position <= high[j]:
                    least[j][t] = min(
                        never, whole[j] * menu[position] + least[j + 1][position + gap]
                    )
        return cls(whole, list(menu), low, high, gap, target, least, most)

    @property
    def ends(self) -> tuple[list[int], ...]:
        """Tables of the lowest and of the highest pays, whatever their sum; () if there is none."""
        if any(one > other for one, other in zip(self.low, self.high, strict=True)):
            return ()
        return self.low, self.high

    @property
    def small(self) -> bool:
        """Whether int64 holds every sum: none reaches four times the largest of its parts."""
        largest = sum(self.counts) * (self.menu[-1] + 1) + sum(abs(end) for end in self.target)
        return 4 * largest < INT64

    def run(self, budget: int, positions: Sequence[int] = ()) -> Part:
        """Look at no more than `budget` branches; give the places of the tables at `positions`.

        Python integers, where int64 is too small, are slower: at most 200,000 branches then.
        """
        if not self.ends:
            return Part(0, 0, True, [])
        kind = np.int64 if self.small else object
        walk = _walk if self.small else python(_walk)
        rows = np.zeros((len(positions), len(self.counts)), dtype=np.int64)
        total, looked, complete = walk(
            np.array(self.counts, dtype=kind),
            np.array(self.menu, dtype=kind),
            np.array(self.low, dtype=np.int64),
            np.array(self.high, dtype=np.int64),
            self.gap,
            self.target[0],
            self.target[1],
            np.array(self.least, dtype=kind),
            np.array(self.most, dtype=kind),
            budget if self.small else min(budget, 200_000),
            np.array(positions, dtype=np.int64),
            rows,
        )
        return Part(int(total), int(looked), bool(complete), rows.tolist())


@njit
def _walk(
    counts: Counts, menu: Counts, low: Int, high: Int, gap: int, target_low: int, target_high: int,
    least: Counts, most: Counts, budget: int, positions: Int, rows: Int,
) -> tuple[int, int, bool]:  # fmt: skip
    """Count the tables whose sum fits; write the places of those at `positions` to `rows`.

    Depth first, places rising. What fits the last category is an interval, counted at once.
    Returns tables, branches looked at, and whether those were all.
    """

    def find(low: int, beyond: int, pay: int) -> int:
        """First place from `low` to `beyond` whose pay is `pay` or more (`beyond` if none is)."""
        while low < beyond:
            middle = (low + beyond) // 2
            if menu[middle] < pay:
                low = middle + 1
            else:
                beyond = middle
        return low

    last = len(counts) - 1
    position = np.zeros(last + 1, dtype=np.int64)
    sums = np.zeros_like(most)
    total, looked, shown, level = 0, 0, 0, 0
    entering = True
    while level >= 0:
        if looked == budget:
            return total, looked, False
        looked += 1
        if entering:
            first = low[level]
            if level > 0:
                first = max(first, position[level - 1] + gap)
            missing = target_low - sums[level] - most[level + 1]
            position[level] = find(first, high[level] + 1, -(-missing // counts[level]))
        here = position[level]
        entering = False
        if here <= high[level]:
            reached = sums[level] + counts[level] * menu[here]
            if reached + least[level + 1, here + gap] <= target_high:
                if level < last:
                    level += 1
                    sums[level] = reached
                    entering = True
                    continue
                room = (target_high - sums[level]) // counts[level]
                count = find(here, high[level] + 1, room + 1) - here
                while shown < len(positions) and positions[shown] < total + count:
                    rows[shown] = position
                    rows[shown, last] = here + positions[shown] - total
                    shown += 1
                total += count
        level -= 1
        if level >= 0:
            position[level] += 1
    return total, looked, True
