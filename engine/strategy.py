"""Strategies: what the player does at each information set, and what it is worth.

The optimum of an action table is found set by set: the sum of net × combinations decides, exactly.
Where actions are worth the same, the smaller stake wins, then the order in which the space lists
its actions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from engine import predicates, pricing
from engine.digest import digest
from engine.errors import DealproofError, nearest
from engine.game import Decision, RuleValue, Space
from engine.spec import Spec, StrategyRule, Wager
from engine.tables import Codes, Counts, Feature, Table, exact_sums, exact_total, group, pack


@dataclass(frozen=True)
class Strategy:
    """One action per information set.

    `information`: the columns that make a set; `sets[name]`: their codes, shape (n,), sorted;
    `actions`: all action words; `chosen`: index of the action taken, shape (n,); `weight`: deals
    behind each set, shape (n,); `worth`: net × combinations per set and action over `unit`,
    shape (n, actions); `open`: which actions may be taken. A strategy by rules is priced too, so
    that its cost can be told.
    """

    name: str
    space: str
    information: tuple[Feature, ...]
    sets: Mapping[str, Codes] = field(repr=False)
    actions: tuple[str, ...]
    chosen: Codes = field(repr=False)
    weight: Counts = field(repr=False)
    worth: Counts = field(repr=False)
    unit: int
    open: NDArray[np.bool_] = field(repr=False)

    def __len__(self) -> int:
        return len(self.chosen)

    def ev(self, index: int, action: int) -> Fraction:
        """Expected net of an action at one information set, in base units."""
        return Fraction(int(self.worth[index, action]), self.unit * int(self.weight[index]))

    def label(self, index: int) -> dict[str, str | int]:
        """An information set as a reader sees it."""
        return {f.name: f.label(int(self.sets[f.name][index])) for f in self.information}

    def action_at(self, values: Mapping[str, str | int]) -> str:
        """Action at the information set with these readable values."""
        return self.actions[int(self.chosen[self.index_of(values)])]

    def index_of(self, values: Mapping[str, str | int]) -> int:
        """Index of the information set with these readable values; raises DealproofError."""
        rows = np.ones(len(self), dtype=bool)
        for feature in self.information:
            if feature.name not in values:
                raise DealproofError(f"{feature.name} is missing")
            rows &= self.sets[feature.name] == feature.code(values[feature.name])
        found = np.flatnonzero(rows)
        if not len(found):
            raise DealproofError(f"no information set has {dict(values)}")
        return int(found[0])

    def digest(self) -> str:
        """SHA-256 over the information sets and the action taken at each."""
        columns = [[name, codes.tolist()] for name, codes in self.sets.items()]
        return digest([self.space, columns, list(self.actions), self.chosen.tolist()])

    def locate(self, table: Table) -> Codes:
        """Number the information set of every row of a table, shape (rows,); −1 for none."""
        own = pack(self.information, self.sets)
        rows = pack(self.information, {f.name: table.codes[f.name] for f in self.information})
        if own is None or rows is None:
            raise ValueError("too many information sets for an integer key")
        place = np.minimum(np.searchsorted(own, rows), len(own) - 1)
        return np.where(own[place] == rows, place, -1)

    def apply(self, table: Table) -> Table:
        """Turn an action table into this strategy's outcome table."""
        place = self.locate(table)
        if np.any(place < 0):
            raise DealproofError(f"strategy {self.name} knows no action for some row")
        return table.where(table.codes["action"] == self.chosen[place])


@dataclass(frozen=True)
class _Grid:
    """An action table summed to (information set, action)."""

    first: Codes
    member: Codes
    cell: Codes
    combinations: Counts
    worth: Counts
    stake: Counts
    unit: int


def _grid(table: Table, decision: Decision, value: pricing.Value) -> _Grid:
    features = [table.feature(name) for name in decision.information]
    first, member = group(features, table.codes)
    width = len(decision.actions)
    cell = member * width + table.codes["action"]
    shape = (len(first), width)
    size = len(first) * width
    return _Grid(
        first,
        member,
        cell,
        exact_sums(cell, size, table.combinations).reshape(shape),
        exact_sums(cell, size, table.combinations, value.net).reshape(shape),
        exact_sums(cell, size, table.combinations, value.staked).reshape(shape),
        value.net_unit,
    )


def _weights(grid: _Grid, space: Space) -> tuple[Counts, NDArray[np.bool_]]:
    """Check that every open action of a set covers the same deals; return weights and open."""
    open_ = np.array(grid.combinations > 0, dtype=bool)
    weight = grid.combinations.max(axis=1)
    if np.any(open_ & (grid.combinations != weight[:, None])):
        raise DealproofError(
            f"space {space.name}: some action does not cover all deals of its information set"
        )
    return weight, open_


def deals_covered(table: Table, space: Space) -> int:
    """Count the deals that a table of a space covers, exactly.

    In an action table every action of an information set has to cover the same deals: a
    DealproofError names the space where one does not.
    """
    if "action" not in table.names or space.decision is None or not space.decision.tabulated:
        return table.deals
    nothing = np.zeros(len(table), dtype=np.int64)
    grid = _grid(table, space.decision, pricing.Value(nothing, 1, nothing, 1))
    return exact_total(_weights(grid, space)[0])


def allowed_cells(
    rule: StrategyRule, table: Table, decision: Decision, constants: Mapping[str, RuleValue]
) -> NDArray[np.bool_]:
    """Which (set, action) cells a strategy may use, shape (sets, actions)."""
    features = [table.feature(name) for name in decision.information]
    first, member = group(features, table.codes)
    width = len(decision.actions)
    allowed = np.ones(len(first) * width, dtype=bool)
    if rule.allowed is not None:
        held = predicates.mask(rule.allowed, table, constants)
        cell = member * width + table.codes["action"]
        refused = np.bincount(cell[~held], minlength=len(allowed)) > 0
        admitted = np.bincount(cell[held], minlength=len(allowed)) > 0
        if np.any(refused & admitted):
            raise DealproofError(
                f"strategies[{rule.name}].allowed: ({rule.allowed}) depends on cards that the "
                "player has not seen"
            )
        allowed = ~refused
    return allowed.reshape(len(first), width)


def solve(
    spec: Spec, rule: StrategyRule, space: Space, table: Table, constants: Mapping[str, RuleValue]
) -> Strategy:
    """Find a strategy's action at every information set of an action table."""
    if space.decision is None:
        raise DealproofError(f"strategies[{rule.name}]: space {space.name} has no decision")
    decision = space.decision
    wagers = _objective(spec, rule, space)
    grid = _grid(table, decision, pricing.value(wagers, table, constants))
    weight, open_ = _weights(grid, space)
    usable = open_ & allowed_cells(rule, table, decision, constants)
    if not usable.any(axis=1).all():
        raise DealproofError(f"strategies[{rule.name}].allowed: leaves no action at some set")
    if rule.choose is not None:
        chosen = _by_rules(rule, table, decision, grid, usable, constants)
    else:
        gathered = _gather(rule, table, decision, grid)
        chosen = _best(grid.worth, grid.stake, usable, gathered)
    return Strategy(
        rule.name,
        space.name,
        tuple(table.feature(name) for name in decision.information),
        {name: table.codes[name][grid.first] for name in decision.information},
        decision.actions,
        chosen,
        weight,
        grid.worth,
        grid.unit,
        usable,
    )


def solve_in_space(
    spec: Spec, rule: StrategyRule, space: Space, constants: Mapping[str, RuleValue]
) -> Strategy:
    """Let a space with decisions in sequence solve for itself, wagers turned into integers."""
    rows = space.outcomes()
    value = pricing.value(_objective(spec, rule, space), rows, constants)
    allowed = np.ones(len(rows), dtype=bool)
    if rule.allowed is not None:
        allowed = predicates.mask(rule.allowed, rows, constants)
    return space.solve(rule.name, value.net, value.staked, allowed)


def _objective(spec: Spec, rule: StrategyRule, space: Space) -> list[tuple[Wager, Fraction]]:
    if rule.maximises is not None:
        weights = {name: _weight(rule, name, text) for name, text in rule.maximises.items()}
        return [(spec.wager(name), weight) for name, weight in weights.items()]
    using = [wager for wager in spec.wagers if rule.name in wager.strategies]
    here = [wager for wager in spec.wagers if wager.space == space.name and wager.priced]
    return [((using or here)[0], Fraction(1))]


def _weight(rule: StrategyRule, name: str, text: object) -> Fraction:
    try:
        weight = Fraction(str(text))
    except (ValueError, ZeroDivisionError):
        raise DealproofError(
            f"strategies[{rule.name}].maximises.{name} = {text!r}: a number of units is meant"
        ) from None
    if weight < 0:
        raise DealproofError(f"strategies[{rule.name}].maximises.{name}: negative")
    return weight


def _gather(rule: StrategyRule, table: Table, decision: Decision, grid: _Grid) -> Codes | None:
    """Number the group of every set that `by` binds together, shape (sets,)."""
    if rule.by is None:
        return None
    by = [table.feature(name) for name in rule.by]
    codes = {feature.name: table.codes[feature.name] for feature in by}
    for feature in by:
        seen = codes[feature.name][grid.first][grid.member]
        if feature.name not in decision.information and np.any(seen != codes[feature.name]):
            raise DealproofError(
                f"strategies[{rule.name}].by: {feature.name} is not known when deciding"
            )
    at_sets = {name: column[grid.first] for name, column in codes.items()}
    return group(by, at_sets)[1]


def _best(
    worth: Counts, stake: Counts, usable: NDArray[np.bool_], gathered: Codes | None
) -> Codes:
    if gathered is not None:
        groups = int(gathered.max()) + 1
        shape = (groups, worth.shape[1])
        total, staked = np.zeros(shape, dtype=object), np.zeros(shape, dtype=object)
        np.add.at(total, gathered, worth.astype(object))
        np.add.at(staked, gathered, stake.astype(object))
        closed = np.zeros(shape, dtype=bool)
        np.logical_or.at(closed, gathered, ~usable)
        if closed.all(axis=1).any():
            raise DealproofError("'by' binds sets together that have no action in common")
        return _best(total, staked, ~closed, None)[gathered]
    rows = np.arange(len(worth))
    chosen = np.full(len(worth), -1, dtype=np.int64)
    for action in range(worth.shape[1]):
        held = np.maximum(chosen, 0)
        better = worth[:, action] > worth[rows, held]
        cheaper = (worth[:, action] == worth[rows, held]) & (
            stake[:, action] < stake[rows, held]
        )
        take = usable[:, action] & ((chosen < 0) | np.array(better | cheaper, dtype=bool))
        chosen[take] = action
    return chosen


def _by_rules(
    rule: StrategyRule,
    table: Table,
    decision: Decision,
    grid: _Grid,
    usable: NDArray[np.bool_],
    constants: Mapping[str, RuleValue],
) -> Codes:
    choices = rule.choose or ()
    chosen = np.full(len(grid.first), -1, dtype=np.int64)
    for number, choice in enumerate(choices, start=1):
        place = f"strategies[{rule.name}].choose[{number}]"
        if choice.action not in decision.actions:
            raise DealproofError(
                f"{place}.action = '{choice.action}': {nearest(choice.action, decision.actions)}"
            )
        action = decision.actions.index(choice.action)
        try:
            held = predicates.mask(choice.when, table, constants)
        except DealproofError as error:
            raise DealproofError(f"{place}.when: {error}") from None
        at_sets = held[grid.first]
        if np.any(at_sets[grid.member] != held):
            raise DealproofError(f"{place}.when: it depends on cards that are not seen yet")
        take = at_sets & (chosen < 0) & usable[:, action]
        chosen[take] = action
    if np.any(chosen < 0):
        missing = int(np.flatnonzero(chosen < 0)[0])
        told = ", ".join(
            f"{name} = {table.feature(name).label(int(table.codes[name][grid.first[missing]]))}"
            for name in decision.information
        )
        raise DealproofError(f"strategies[{rule.name}].choose: no open action for {told}")
    return chosen


@dataclass(frozen=True)
class Exception_:
    """An information set where two strategies differ, and what the difference costs.

    `cost` is the probability of the set × the EV that `worse` gives up, in base units.
    """

    information: Mapping[str, str | int]
    better: str
    worse: str
    probability: Fraction
    cost: Fraction


def exceptions(optimal: Strategy, other: Strategy) -> tuple[Exception_, ...]:
    """List where `other` leaves the optimum of the same wager, dearest first."""
    found = []
    total = sum(int(weight) for weight in optimal.weight)
    for index in np.flatnonzero(optimal.chosen != other.chosen):
        mine, theirs = int(optimal.chosen[index]), int(other.chosen[index])
        lost = int(optimal.worth[index, mine]) - int(optimal.worth[index, theirs])
        found.append(
            Exception_(
                optimal.label(int(index)),
                optimal.actions[mine],
                optimal.actions[theirs],
                Fraction(int(optimal.weight[index]), total),
                Fraction(lost, optimal.unit * total),
            )
        )
    return tuple(sorted(found, key=lambda e: (-e.cost, tuple(map(str, e.information.values())))))


def improvements(strategy: Strategy) -> Sequence[tuple[int, int]]:
    """Every (set, action) whose single change would gain: empty when the strategy is optimal."""
    rows = np.arange(len(strategy))
    held = strategy.worth[rows, strategy.chosen]
    gains = strategy.open & np.array(strategy.worth > held[:, None], dtype=bool)
    return [(int(i), int(a)) for i, a in zip(*np.nonzero(gains), strict=True)]
