"""Strategies: what the player does at each information set, and what it is worth.

The optimum of an action table is found set by set: the sum of net × combinations decides, exactly.
Where actions are worth the same, the smaller stake wins, then the order in which the space lists
its actions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from engine import predicates
from engine.digest import digest
from engine.errors import DealproofError, nearest
from engine.game import Decision, RuleValue, Space
from engine.pricing import Pricer, Value
from engine.spec import Joint, Spec, StrategyRule, Wager
from engine.tables import (
    INT64,
    Codes,
    Counts,
    Feature,
    Table,
    exact_sums,
    exact_total,
    group,
    pack,
)


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

    def locate(self, view: View) -> Codes:
        """Number this strategy's set for each set of a view, shape (sets,); −1 for none."""
        own = pack(self.information, self.sets)
        theirs = pack(self.information, view.sets)
        if own is None or theirs is None:
            raise ValueError("too many information sets for an integer key")
        place = np.minimum(np.searchsorted(own, theirs), len(own) - 1)
        return np.where(own[place] == theirs, place, -1)

    def cells(self, view: View) -> Codes:
        """Cell of an action table that this strategy takes at every information set, (sets,)."""
        place = self.locate(view)
        if np.any(place < 0):
            raise DealproofError(f"strategy {self.name} knows no action at some information set")
        taken: Codes = np.arange(len(view.first)) * view.open.shape[1] + self.chosen[place]
        return taken

    def rows(self, view: View) -> NDArray[np.bool_]:
        """Which rows of an action table this strategy takes, shape (rows,)."""
        return np.isin(view.cell, self.cells(view))


@dataclass(frozen=True)
class View:
    """An action table seen by information sets.

    `sets[name]`: codes of each set, shape (sets,), sorted; `first`: a row of each set; `member`:
    the set of each row, shape (rows,); `cell`: set × action of each row; `combinations`: deals per
    set and action, shape (sets, actions); `weight`: deals per set; `open`: actions it has.
    """

    table: Table
    decision: Decision
    sets: Mapping[str, Codes]
    first: Codes
    member: Codes
    cell: Codes
    weight: Counts
    open: NDArray[np.bool_]

    @classmethod
    def of(cls, table: Table, space: Space) -> View:
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
        open_ = np.array(combinations > 0, dtype=bool)
        weight = combinations.max(axis=1)
        if np.any(open_ & (combinations != weight[:, None])):
            raise DealproofError(
                f"space {space.name}: some action does not cover all deals of its information set"
            )
        sets = {name: table.codes[name][first] for name in decision.information}
        return cls(table, decision, sets, first, member, cell, weight, open_)

    def sums(self, factor: Counts) -> Counts:
        """Sum combinations × factor per set and action, shape (sets, actions), exactly."""
        flat = exact_sums(self.cell, self.open.size, self.table.combinations, factor)
        return flat.reshape(self.open.shape)

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


def deals_covered(table: Table, space: Space) -> int:
    """Count the deals that a table of a space covers, exactly.

    In an action table every action of an information set has to cover the same deals: a
    DealproofError names the space where one does not.
    """
    if space.decision is None or not space.decision.tabulated:
        return table.deals
    return exact_total(View.of(table, space).weight)


def allowed_cells(
    rule: StrategyRule | Joint, view: View, constants: Mapping[str, RuleValue]
) -> NDArray[np.bool_]:
    """Which (set, action) cells a strategy may use, shape (sets, actions)."""
    if rule.allowed is None:
        return np.ones(view.open.shape, dtype=bool)
    held = predicates.mask(rule.allowed, view.table, constants)
    allowed = np.ones(view.open.size, dtype=bool)
    allowed[view.cell] = held
    if not np.array_equal(allowed[view.cell], held):
        raise DealproofError(
            f"strategies[{rule.name}].allowed: ({rule.allowed}) depends on cards that the "
            "player has not seen"
        )
    return allowed.reshape(view.open.shape)


def solve(spec: Spec, rule: StrategyRule, space: Space, view: View, pricer: Pricer) -> Strategy:
    """Find a strategy's action at every information set of an action table."""
    if not rule.removal:
        raise DealproofError(
            f"strategies[{rule.name}].removal: space {space.name} cannot forget seen cards"
        )
    value = pricer.worth(objective(spec, rule, space))
    worth, stake = value.net.reshape(view.open.shape), value.staked.reshape(view.open.shape)
    usable = view.open & allowed_cells(rule, view, pricer.constants)
    if not usable.any(axis=1).all():
        missing = view.label(int(np.flatnonzero(~usable.any(axis=1))[0]))
        raise DealproofError(f"strategies[{rule.name}].allowed: leaves no action at {missing}")
    if rule.choose is not None:
        chosen = _by_rules(rule, view, usable, pricer.constants)
    elif rule.prefers is not None:
        scores = _scores(rule, view.table, pricer.constants)
        chosen = _lexicographic([view.sums(score) for score in scores], usable)
    else:
        chosen = best(worth, stake, usable, _gather(rule, view))
    return Strategy(
        rule.name,
        space.name,
        tuple(view.table.feature(name) for name in view.decision.information),
        view.sets,
        view.decision.actions,
        chosen,
        view.weight,
        worth,
        value.net_unit,
        usable,
    )


def solve_in_space(
    spec: Spec, rule: StrategyRule, space: Space, constants: Mapping[str, RuleValue]
) -> Strategy:
    """Let a space with decisions in sequence solve for itself, wagers turned into integers."""
    if rule.by is not None:
        raise DealproofError(
            f"strategies[{rule.name}].by: space {space.name} decides in sequence; "
            "give 'choose' instead"
        )
    rows = space.outcomes()
    value = Pricer(rows, constants).value(objective(spec, rule, space))
    allowed = np.ones(len(rows), dtype=bool)
    if rule.allowed is not None:
        allowed = predicates.mask(rule.allowed, rows, constants)
    preferred = None
    if rule.choose is not None:
        preferred = _preferred(rule, space, constants)
    elif rule.prefers is not None or not rule.removal:
        seen = space if rule.removal else space.without_removal()
        preferred = _liked(rule, seen, value, allowed, constants)[:, None]
    solved = space.solve(rule.name, value.net, value.staked, allowed, preferred)
    return replace(solved, unit=solved.unit * value.net_unit)


def _liked(
    rule: StrategyRule,
    space: Space,
    value: Value,
    allowed: NDArray[np.bool_],
    constants: Mapping[str, RuleValue],
) -> Codes:
    """Action that a strategy likes best at every information set of a space that solves."""
    if rule.prefers is None:
        return space.solve(rule.name, value.net, value.staked, allowed).chosen
    nothing = np.zeros(len(allowed), dtype=np.int64)
    scores = _scores(rule, space.outcomes(), constants)
    solved = [space.solve(rule.name, score, nothing, allowed) for score in scores]
    return _lexicographic([strategy.worth for strategy in solved], solved[0].open)


def _scores(
    rule: StrategyRule, table: Table, constants: Mapping[str, RuleValue]
) -> Iterator[Counts]:
    """Values of a strategy's expressions on every row, as integers of one unit each."""
    scope = predicates.Scope(table.features, constants)
    for number, text in enumerate(rule.prefers or (), start=1):
        try:
            evaluated = predicates.evaluate(table, [predicates.guard(text, scope)], constants)
            given = [int(v) if isinstance(v, bool) else v for v in evaluated.values[0]]
            exact = [predicates.exact(v, text) for v in given]
        except DealproofError as error:
            raise DealproofError(f"strategies[{rule.name}].prefers[{number}]: {error}") from None
        unit = lcm(*(v.denominator for v in exact))
        whole = np.array([int(v * unit) for v in exact], dtype=object)
        bound = max(abs(v) for v in whole)
        yield (whole.astype(np.int64) if bound < INT64 else whole)[evaluated.member]


def _lexicographic(worths: Sequence[Counts], usable: NDArray[np.bool_]) -> Codes:
    """Choose by the first worth, equal ones by the next, at last by the order of actions."""
    left = usable.copy()
    for worth in worths:
        top = np.where(left, worth, worth.min()).max(axis=1)
        left &= np.array(worth == top[:, None], dtype=bool)
    chosen: Codes = left.argmax(axis=1)
    return chosen


def _preferred(rule: StrategyRule, space: Space, constants: Mapping[str, RuleValue]) -> Codes:
    """Actions that a strategy by rules names for every information set, in its order."""
    sets, actions = space.sets(), space.decision.actions if space.decision else ()
    columns = []
    for number, choice in enumerate(rule.choose or (), start=1):
        place = f"strategies[{rule.name}].choose[{number}]"
        if choice.action not in actions:
            raise DealproofError(
                f"{place}.action = '{choice.action}': {nearest(choice.action, actions)}"
            )
        try:
            held = predicates.mask(choice.when, sets, constants)
        except DealproofError as error:
            raise DealproofError(f"{place}.when: {error}") from None
        columns.append(np.where(held, actions.index(choice.action), -1))
    return np.stack(columns, axis=1)


def objective(spec: Spec, rule: StrategyRule, space: Space) -> list[tuple[Wager, Fraction]]:
    """Wagers and units bet by which a strategy is measured: its own, or those that name it."""
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


def _gather(rule: StrategyRule, view: View) -> Codes | None:
    """Number the group of every set that `by` binds together, shape (sets,)."""
    if rule.by is None:
        return None
    by = [view.table.feature(name) for name in rule.by]
    codes = {}
    for feature in by:
        known = view.at_sets(view.table.codes[feature.name])
        if known is None:
            raise DealproofError(
                f"strategies[{rule.name}].by: {feature.name} is not known when deciding"
            )
        codes[feature.name] = known
    return group(by, codes)[1]


def best(
    worth: Counts, stake: Counts, usable: NDArray[np.bool_], gathered: Codes | None = None
) -> Codes:
    """Choose the usable action of highest worth at every set, shape (sets,).

    `worth`, `stake`, `usable`: shape (sets, actions). Equal worths: the smaller stake, then the
    first action. `gathered` numbers groups of sets that have to choose alike.
    """
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
        return best(total, staked, ~closed)[gathered]
    rows = np.arange(len(worth))
    chosen = np.full(len(worth), -1, dtype=np.int64)
    for action in range(worth.shape[1]):
        held = np.maximum(chosen, 0)
        better = worth[:, action] > worth[rows, held]
        cheaper = (worth[:, action] == worth[rows, held]) & (stake[:, action] < stake[rows, held])
        take = usable[:, action] & ((chosen < 0) | np.array(better | cheaper, dtype=bool))
        chosen[take] = action
    return chosen


def _by_rules(
    rule: StrategyRule,
    view: View,
    usable: NDArray[np.bool_],
    constants: Mapping[str, RuleValue],
) -> Codes:
    chosen = np.full(len(view.first), -1, dtype=np.int64)
    actions = view.decision.actions
    for number, choice in enumerate(rule.choose or (), start=1):
        place = f"strategies[{rule.name}].choose[{number}]"
        if choice.action not in actions:
            raise DealproofError(f"{place}.action: {nearest(choice.action, actions)}")
        try:
            held = view.at_sets(predicates.mask(choice.when, view.table, constants))
        except DealproofError as error:
            raise DealproofError(f"{place}.when: {error}") from None
        if held is None:
            raise DealproofError(f"{place}.when: it depends on cards that are not seen yet")
        action = actions.index(choice.action)
        chosen[held & (chosen < 0) & usable[:, action]] = action
    if np.any(chosen < 0):
        missing = view.label(int(np.flatnonzero(chosen < 0)[0]))
        raise DealproofError(f"strategies[{rule.name}].choose: no open action at {missing}")
    return chosen


@dataclass(frozen=True)
class Deviation:
    """An information set where two strategies differ, and what the difference costs.

    `cost` is the probability of the set × the EV that `worse` gives up, in base units.
    """

    information: Mapping[str, str | int]
    better: str
    worse: str
    probability: Fraction
    cost: Fraction


def exceptions(optimal: Strategy, other: Strategy) -> tuple[Deviation, ...]:
    """List where `other` leaves the optimum of the same wager, dearest first."""
    found = []
    total = sum(int(weight) for weight in optimal.weight)
    for index in np.flatnonzero(optimal.chosen != other.chosen):
        mine, theirs = int(optimal.chosen[index]), int(other.chosen[index])
        lost = int(optimal.worth[index, mine]) - int(optimal.worth[index, theirs])
        found.append(
            Deviation(
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
