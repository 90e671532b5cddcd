"""The best strategy among those that act alike at sets which a player does not tell apart.

Bound so, decisions in sequence no longer solve from the end backwards: what to do at a later set
depends on how often each of its hands comes there, and so on the earlier decisions. Letting more
sets go free never costs anything. So the free optimum is a bound, and binding one group of sets
after the other, the best bound first, ends at a strategy that nothing can beat.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count

import numpy as np
from numpy.typing import NDArray

from engine.contract.game import Space
from engine.contract.strategy import Strategy, best
from engine.exact.errors import DealproofError
from engine.exact.tables import Codes, pack
from engine.pricing.pricer import Value


def restrict(
    name: str, space: Space, gathered: Codes, value: Value, allowed: NDArray[np.bool_]
) -> Strategy:
    """Find the best strategy that takes one action in every group of sets.

    `gathered`, shape (sets,): group of each row of `space.sets()`; `value`, `allowed`: over the
    rows of `space.outcomes()`. A set with a single open action is bound by that alone. Raises
    DealproofError where the sets of a group have no action in common.
    """

    def solve(preferred: Codes | None = None) -> Strategy:
        return space.solve(name, value.net, value.staked, allowed, preferred)

    free = solve()
    if free.reach is None:
        zero = np.zeros_like(value.net)
        stake = space.solve(name, value.staked, zero, allowed).ev_sum
        chosen = best(free.ev_sum, stake, free.allowed, gathered)
        return solve(chosen[:, None])
    groups = _Groups.of(space, free, gathered)
    order = count()
    heap: list[tuple[object, int, Mapping[int, int], Strategy]] = []
    heappush(heap, (-free.mean, next(order), {}, free))
    while heap:
        _, _, fixed, relaxed = heappop(heap)
        odd = groups.parted(relaxed, fixed)
        if odd is None:
            return solve(groups.wish(groups.agreed(relaxed, fixed)))
        for action in groups.common[odd]:
            bound = {**fixed, odd: action}
            solved = solve(groups.wish(bound))
            heappush(heap, (-solved.mean, next(order), bound, solved))
    raise AssertionError("a group has an action in common")


@dataclass(frozen=True)
class _Groups:
    """Sets with a choice, by group.

    `member`: group of each of the strategy's sets, −1 where one action alone is open; `rows`: row
    of `space.sets()` of each; `total`: number of those rows; `common`: actions of each group.
    """

    member: Codes
    rows: Codes
    total: int
    common: Mapping[int, tuple[int, ...]]

    @classmethod
    def of(cls, space: Space, free: Strategy, gathered: Codes) -> _Groups:
        sets = space.sets()
        known, ours = pack(free.information, sets.codes), pack(free.information, free.sets)
        if known is None or ours is None:
            raise ValueError("too many information sets for an integer key")
        order = np.argsort(known)
        rows = order[np.searchsorted(known[order], ours)]
        member = np.where(free.allowed.sum(axis=1) > 1, gathered[rows], -1)
        common = {}
        for group in np.unique(member[member >= 0]).tolist():
            shared = free.allowed[member == group].all(axis=0)
            common[group] = tuple(np.flatnonzero(shared).tolist())
            if not common[group]:
                raise DealproofError("it binds sets together that have no action in common")
        return cls(member, rows, len(sets), common)

    def parted(self, strategy: Strategy, fixed: Mapping[int, int]) -> int | None:
        """A group whose sets, as far as they are reached, do not act alike; None for none."""
        seen = np.array(strategy.reached > 0, dtype=bool)
        for group, shared in self.common.items():
            taken = np.unique(strategy.action[seen & (self.member == group)])
            alike = len(taken) == 0 or (len(taken) == 1 and int(taken[0]) in shared)
            if group not in fixed and not alike:
                return group
        return None

    def agreed(self, strategy: Strategy, fixed: Mapping[int, int]) -> dict[int, int]:
        """One action for every group: that of its reached sets, or the first that it shares."""
        seen = np.array(strategy.reached > 0, dtype=bool)
        actions = {}
        for group, shared in self.common.items():
            taken = strategy.action[seen & (self.member == group)]
            actions[group] = fixed.get(group, int(taken[0]) if len(taken) else shared[0])
        return actions

    def wish(self, bound: Mapping[int, int]) -> Codes:
        """Actions that bound groups force on the rows of `space.sets()`, shape (rows, 1)."""
        wish = np.full((self.total, 1), -1, dtype=np.int64)
        for group, action in bound.items():
            wish[self.rows[self.member == group]] = action
        return wish
