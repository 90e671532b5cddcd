"""Strategies: what the player does at each information set, what it is worth, and how two differ.

`engine.solving.optimum` finds them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from engine.contract.decision import Deciding, Decision
from engine.exact.digest import digest
from engine.exact.errors import DealproofError
from engine.exact.tables import Codes, Counts, Feature, Table, exact_sums, exact_total, group, pack


@dataclass(frozen=True)
class Reach:
    """How rounds pass through the information sets where decisions come in sequence.

    A round may pass through several sets. `deals`: all deals of the space; `reached`, shape (n,):
    deals that come to each set under the strategy's own play; `begins`, shape (n,): sets of a
    round's first decision. Every round begins in exactly one of them.
    """

    deals: int
    reached: Counts = field(repr=False)
    begins: NDArray[np.bool_] = field(repr=False)


@dataclass(frozen=True)
class Strategy:
    """One action per information set.

    `information`: the columns that make a set; `sets[name]`: their codes, shape (n,), sorted;
    `actions`: all action words; `action`: index of the action taken, shape (n,); `deals`: deals
    behind each set, shape (n,); `ev_sum`: net × combinations per set and action over `unit`,
    shape (n, actions), the strategy followed ever after; `allowed`: which actions may be taken. A
    strategy by rules is priced too, so that its cost can be told.

    Without a `reach` each deal belongs to one set. With one, decisions come in sequence: the
    deals overlap and count the deals that would come to a set if only the cards decided.
    """

    name: str
    space: str
    information: tuple[Feature, ...]
    sets: Mapping[str, Codes] = field(repr=False)
    actions: tuple[str, ...]
    action: Codes = field(repr=False)
    deals: Counts = field(repr=False)
    ev_sum: Counts = field(repr=False)
    unit: int
    allowed: NDArray[np.bool_] = field(repr=False)
    reach: Reach | None = None

    def __len__(self) -> int:
        return len(self.action)

    @property
    def deals_total(self) -> int:
        """All deals of the space that is decided in."""
        return self.reach.deals if self.reach else exact_total(self.deals)

    @property
    def reached(self) -> Counts:
        """Deals that come to each set under this strategy, shape (n,)."""
        return self.reach.reached if self.reach else self.deals

    @property
    def mean(self) -> Fraction:
        """Expected net of the whole strategy, in base units."""
        rows = np.arange(len(self))
        values = self.ev_sum[rows, self.action]
        begun = values[self.reach.begins] if self.reach else values
        return Fraction(exact_total(begun), self.unit * self.deals_total)

    def ev(self, index: int, action: int) -> Fraction:
        """Expected net of an action at one information set, in base units."""
        return Fraction(int(self.ev_sum[index, action]), self.unit * int(self.deals[index]))

    def label(self, index: int) -> dict[str, str | int]:
        """An information set as a reader sees it."""
        return {f.name: f.label(int(self.sets[f.name][index])) for f in self.information}

    def action_at(self, values: Mapping[str, str | int]) -> str:
        """Action at the information set with these readable values."""
        return self.actions[int(self.action[self.index_of(values)])]

    def index_of(self, values: Mapping[str, str | int]) -> int:
        """Index of the information set with these readable values; raises DealproofError."""
        rows = np.ones(len(self), dtype=bool)
        for feature in self.information:
            if feature.name not in values:
                raise DealproofError(f"{feature.name} is missing")
            rows &= self.sets[feature.name] == feature.code(values[feature.name])
        matching = np.flatnonzero(rows)
        if not len(matching):
            raise DealproofError(f"no information set has {dict(values)}")
        return int(matching[0])

    def digest(self) -> str:
        """SHA-256 over the information sets and the action taken at each."""
        columns = [[name, _sha(codes)] for name, codes in self.sets.items()]
        return digest([self.space, columns, list(self.actions), _sha(self.action)])

    def locate(self, view: View) -> Codes:
        """Number this strategy's set for each set of a view, shape (sets,); −1 for none."""
        codes = pack(self.information, self.sets)
        theirs = pack(self.information, view.sets)
        if codes is None or theirs is None:
            raise ValueError("too many information sets for an integer key")
        index = np.minimum(np.searchsorted(codes, theirs), len(codes) - 1)
        return np.where(codes[index] == theirs, index, -1)

    def cells(self, view: View) -> Codes:
        """Cell of an action table that this strategy takes at every information set, (sets,)."""
        index = self.locate(view)
        if np.any(index < 0):
            raise DealproofError(f"strategy {self.name} knows no action at some information set")
        taken: Codes = np.arange(len(view.first)) * view.allowed.shape[1] + self.action[index]
        return taken

    def rows(self, view: View) -> NDArray[np.bool_]:
        """Which rows of an action table this strategy takes, shape (rows,)."""
        return np.isin(view.cell, self.cells(view))


def _sha(codes: Codes) -> str:
    return hashlib.sha256(np.ascontiguousarray(codes, dtype="<i8").tobytes()).hexdigest()


@dataclass(frozen=True)
class View:
    """An action table seen by information sets.

    `sets[name]`: codes of each set, shape (sets,), sorted; `first`: a row of each set; `member`:
    the set of each row, shape (rows,); `cell`: set × action of each row; `combinations`: deals per
    set and action, shape (sets, actions); `deals`: per set; `allowed`: actions it has.
    """

    table: Table
    decision: Decision
    sets: Mapping[str, Codes]
    first: Codes
    member: Codes
    cell: Codes
    deals: Counts
    allowed: NDArray[np.bool_]

    @classmethod
    def of(cls, table: Table, space: Deciding) -> View:
        """Group an action table; every action of a set has to cover the same deals."""
        decision = space.decision
        if decision is None:
            raise ValueError(f"space {space.name} has no decision")
        features = [table.feature(name) for name in decision.information]
        first, member = group(features, table.codes)
        width = len(decision.actions)
        cell = member * width + table.codes["action"]
        combinations = exact_sums(cell, len(first) * width, table.combinations)
        combinations = combinations.reshape(len(first), width)
        allowed = np.array(combinations > 0, dtype=bool)
        deals = combinations.max(axis=1)
        if np.any(allowed & (combinations != deals[:, None])):
            raise DealproofError(
                f"space {space.name}: some action does not cover all deals of its information set"
            )
        sets = {name: table.codes[name][first] for name in decision.information}
        return cls(table, decision, sets, first, member, cell, deals, allowed)

    def sums(self, factor: Counts) -> Counts:
        """Sum combinations × factor per set and action, shape (sets, actions), exactly."""
        flat = exact_sums(self.cell, self.allowed.size, self.table.combinations, factor)
        return flat.reshape(self.allowed.shape)

    def at_sets(self, values: np.ndarray) -> np.ndarray | None:
        """Values per row → values per set; None where they differ within some set."""
        seen = values[self.first]
        return seen if np.array_equal(seen[self.member], values) else None

    def values(self, index: int) -> dict[str, str | int]:
        """An information set as a reader sees it."""
        feature = self.table.feature
        return {name: feature(name).label(int(codes[index])) for name, codes in self.sets.items()}

    def label(self, index: int) -> str:
        """An information set in words."""
        return ", ".join(f"{name} = {value}" for name, value in self.values(index).items())


def deals_covered(table: Table, space: Deciding) -> int:
    """Count the deals that a table of a space covers, exactly.

    In an action table every action of an information set has to cover the same deals: a
    DealproofError names the space where one does not.
    """
    if space.decision is None or not space.decision.tabulated:
        return table.deals
    return exact_total(View.of(table, space).deals)


def best(
    ev_sum: Counts, stake: Counts, usable: NDArray[np.bool_], gathered: Codes | None = None
) -> Codes:
    """Choose the usable action of highest EV at every set, shape (sets,).

    `ev_sum`, `stake`, `usable`: shape (sets, actions). Equal EVs: the smaller stake, then the
    first action. `gathered` numbers groups of sets that have to choose alike.
    """
    if gathered is not None:
        groups = int(gathered.max()) + 1
        shape = (groups, ev_sum.shape[1])
        total, staked = np.zeros(shape, dtype=object), np.zeros(shape, dtype=object)
        np.add.at(total, gathered, ev_sum.astype(object))
        np.add.at(staked, gathered, stake.astype(object))
        closed = np.zeros(shape, dtype=bool)
        np.logical_or.at(closed, gathered, ~usable)
        if closed.all(axis=1).any():
            raise DealproofError("'by' binds sets together that have no action in common")
        return best(total, staked, ~closed)[gathered]
    return lexicographic((ev_sum, -stake), usable)


def lexicographic(criteria: Iterable[Counts], usable: NDArray[np.bool_]) -> Codes:
    """Choose by the first criterion, equal ones by the next, at last by the order of actions."""
    action: Codes = equal_by(criteria, usable).argmax(axis=1)
    return action


def equal_by(criteria: Iterable[Counts], usable: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Usable actions that are best by the first criterion, among equal ones by the next, and so on.

    `criteria`: each of shape (sets, actions), as `usable` and what is returned.
    """
    left = usable.copy()
    for values in criteria:
        least = values.min()
        if least == values.max():
            continue
        top = np.where(left, values, least).max(axis=1)
        left &= np.array(values == top[:, None], dtype=bool)
    return left


@dataclass(frozen=True)
class Deviation:
    """An information set where two strategies differ, and what the difference costs.

    `probability`: that the worse strategy comes to the set. `cost`: that probability × the EV that
    `worse` gives up by this one action, the better strategy followed ever after; in base units.
    Both are those of all hands that the set stands for. `deals`: deals in which the cards make it.
    """

    information: Mapping[str, str | int]
    better: str
    worse: str
    probability: Fraction
    cost: Fraction
    deals: int


def exceptions(optimal: Strategy, other: Strategy) -> tuple[Deviation, ...]:
    """List where `other` leaves the optimum of the same wager, dearest first.

    The costs add up to the whole difference in expected net of the two strategies, in a game of
    decisions in sequence too: a round that deviates twice pays once at each set it comes to. Sets
    that `other` never comes to are left out.
    """
    result = []
    total, reached = optimal.deals_total, other.reached
    for index in np.flatnonzero((optimal.action != other.action) & (reached > 0)):
        mine, theirs = int(optimal.action[index]), int(other.action[index])
        share = Fraction(int(reached[index]), total)
        lost = optimal.ev(int(index), mine) - optimal.ev(int(index), theirs)
        result.append(
            Deviation(
                optimal.label(int(index)),
                optimal.actions[mine],
                optimal.actions[theirs],
                share,
                share * lost,
                int(optimal.deals[index]),
            )
        )
    return tuple(sorted(result, key=lambda e: (-e.cost, tuple(map(str, e.information.values())))))


def improvements(strategy: Strategy) -> Sequence[tuple[int, int]]:
    """Every (set, action) whose single change would gain: empty when the strategy is optimal."""
    rows = np.arange(len(strategy))
    chosen_value = strategy.ev_sum[rows, strategy.action]
    gains = strategy.allowed & np.array(strategy.ev_sum > chosen_value[:, None], dtype=bool)
    return [(int(i), int(a)) for i, a in zip(*np.nonzero(gains), strict=True)]


def ties(strategy: Strategy) -> NDArray[np.bool_]:
    """Best actions of the information sets that have more than one, shape (sets, actions).

    All other rows are False, also those of sets that the strategy never comes to.
    """
    chosen_value = strategy.ev_sum[np.arange(len(strategy)), strategy.action]
    equal = strategy.allowed & np.array(strategy.ev_sum == chosen_value[:, None], dtype=bool)
    several = (equal.sum(axis=1) > 1) & np.array(strategy.reached > 0, dtype=bool)
    best: NDArray[np.bool_] = equal & several[:, None]
    return best
