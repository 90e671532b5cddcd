"""The best of all fixed orders of a column's values: no list of them has to be gone through.

A player who ranks the values of a column takes, of the values that their cards can show, the one
that comes first in their order. What an order is worth is a sum over information sets, and a set
depends on nothing but which of its values comes first. So the best order of any few values is its
best first value and then the best order of the others, in the sets that cannot show the first:
2^n sums prove what n! orders would.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial

import numpy as np
from numpy.typing import NDArray

from engine.analysis.analysis import Analysis
from engine.contract.strategy import Strategy
from engine.exact.errors import DealproofError
from engine.exact.tables import Codes, exact_sums, exact_total
from engine.program.bound import BoundStrategy

#: A column of more values has too many sets of them.
VALUES = 14


@dataclass(frozen=True)
class Ordered:
    """The best order of a column's values and what it is worth, beside a strategy's own order.

    `edge`, `strategy_edge`: expected loss in base units under the best order and under the
    strategy; `replayed`: that of the best order once more, played set by set.
    """

    strategy: str
    column: str
    order: tuple[str | int, ...]
    edge: Fraction
    strategy_edge: Fraction
    replayed: Fraction

    @property
    def orders(self) -> int:
        """How many orders there are."""
        return factorial(len(self.order))


def best_order(analysis: Analysis, rule: BoundStrategy) -> Ordered:
    """Find the best order of the column that a strategy ranks (`order_of`); raise DealproofError.

    Of actions that show the same value the first is taken, as `prefers` does.
    """
    strategy = analysis.strategy(rule.name)
    shown = _shown(rule, strategy)
    values, position = np.unique(shown[strategy.allowed], return_inverse=True)
    number, rows = len(values), np.arange(len(strategy))
    if number > VALUES:
        reason = f"{number} values; at most {VALUES} can be put in order"
        raise DealproofError(f"{rule.path}.order_of: {rule.spec.order_of} has {reason}")
    code = np.full(shown.shape, -1, dtype=np.int64)
    code[strategy.allowed] = position
    can = np.stack([(code == value).any(axis=1) for value in range(number)], axis=1)
    mask = (can.astype(np.int64) << np.arange(number)).sum(axis=1)
    worth = np.zeros((1 << number, number), dtype=object)
    for value in range(number):
        matching = rows[can[:, value]]
        first = (code[matching] == value).argmax(axis=1)
        worth[:, value] = exact_sums(mask[matching], 1 << number, strategy.ev_sum[matching, first])
    top, order = _best(worth)
    rank = np.empty(number, dtype=np.int64)
    rank[list(order)] = np.arange(number)
    taken = np.where(code >= 0, rank[code], number).argmin(axis=1)
    scale = strategy.unit * strategy.deals_total
    feature = rule.space.feature(str(rule.spec.order_of))
    return Ordered(
        rule.name,
        feature.name,
        tuple(feature.label(int(values[value])) for value in order),
        Fraction(-top, scale),
        -strategy.mean,
        Fraction(-exact_total(strategy.ev_sum[rows, taken]), scale),
    )


def _best(worth: NDArray[np.object_]) -> tuple[int, Sequence[int]]:
    """Best order of all values and its worth; `worth`, shape (sets of values, values)."""
    number = worth.shape[1]
    within = worth.copy()
    every = np.arange(1 << number)
    for bit in range(number):
        have = every[every >> bit & 1 == 1]
        within[have] += within[have ^ (1 << bit)]
    best: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    for some in range(1, 1 << number):
        options = []
        for first in range(number):
            if some >> first & 1:
                rest, order = best[some ^ (1 << first)]
                options.append((int(within[some, first]) + rest, (first, *order)))
        best.append(max(options))
    return best[-1]


def _shown(rule: BoundStrategy, strategy: Strategy) -> Codes:
    """Code of the column after every action of every set, shape (sets, actions)."""
    space = rule.space
    rows = space.outcomes()
    code, nothing = rows.codes[str(rule.spec.order_of)], np.zeros(len(rows), dtype=np.int64)
    allowed = np.ones(len(rows), dtype=bool)
    one, mean, square = (
        space.solve(rule.name, code**power, nothing, allowed).ev_sum for power in range(3)
    )
    shown = mean // one
    if not (np.array_equal(shown * one, mean) and np.array_equal(shown**2 * one, square)):
        reason = f"{rule.spec.order_of} does not follow from the hand and the action"
        raise DealproofError(f"{rule.path}.order_of: {reason}")
    return shown
