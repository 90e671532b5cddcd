"""A bound spec: every name resolved, every expression parsed and guarded once.

`engine.analysis.binding` makes it from a spec's text; nothing later looks a name up or reads an
expression again. What is bound is compared by identity, so that it may be the key of a table of
results.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from engine.contract.game import Game, Key, RuleValue, Space
from engine.exact.errors import DealproofError, nearest
from engine.spec.expressions import Expression
from engine.spec.figures import Published
from engine.spec.model import (
    Chart,
    Distribution,
    Joint,
    Spec,
    StrategySpec,
    Values,
    Wager,
)
from engine.spec.pays import Pay


@dataclass(frozen=True, eq=False)
class BoundEvent:
    """A line of a pay table that stands under the rules.

    `number`: its place among all lines of the wager; `path`: where it stands, for errors.
    """

    event: str
    number: int
    when: Expression
    staked: Expression
    pay: Pay
    path: str


@dataclass(frozen=True, eq=False)
class BoundWager:
    """A wager with the space that settles it and the strategies that it is priced under.

    `basis`: the name of what its counts are printed in, and the number of deals of that basis.
    `strategies` are names, in order; empty where the player decides nothing. `names`: columns and
    rules that its lines name, those that do not stand under the rules included.
    """

    spec: Wager
    space: Space
    basis: tuple[str, int]
    events: tuple[BoundEvent, ...]
    strategies: tuple[str, ...]
    names: frozenset[str] = field(repr=False)
    constants: Mapping[str, RuleValue] = field(repr=False)

    @property
    def name(self) -> str:
        """Its name in the spec."""
        return self.spec.name

    @property
    def title(self) -> str:
        """Its name on the felt."""
        return self.spec.title

    @property
    def priced(self) -> bool:
        """Whether its pay table is known."""
        return self.spec.priced

    @property
    def path(self) -> str:
        """Where it stands, for errors."""
        return f"wagers[{self.name}]"

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """Conditions of its lines, then their stakes."""
        return (*(e.when for e in self.events), *(e.staked for e in self.events))


#: What is bet on each wager, in units.
Objective = tuple[tuple[BoundWager, Fraction], ...]


@dataclass(frozen=True, eq=False)
class BoundStrategy:
    """A strategy with the space that it decides in and the wagers by which it is measured.

    `choose`: condition and action (an index) of each rule; `prefers`, `allowed`: expressions;
    see `StrategySpec` for what they mean.
    """

    spec: StrategySpec
    space: Space
    objective: Objective
    choose: tuple[tuple[Expression, int], ...] | None
    prefers: tuple[Expression, ...] | None
    allowed: Expression | None
    constants: Mapping[str, RuleValue] = field(repr=False)

    @property
    def name(self) -> str:
        """Its name in the spec."""
        return self.spec.name

    @property
    def title(self) -> str:
        """What it is called in print."""
        return self.spec.title

    @property
    def by(self) -> tuple[str, ...] | None:
        """Columns at whose values the player has one action each."""
        return self.spec.by

    @property
    def optimum(self) -> bool:
        """Whether nothing binds it but what may be done at all: the best play of its objective."""
        return self.spec.maximises is not None and self.by is None and self.spec.removal

    @property
    def path(self) -> str:
        """Where it stands, for errors."""
        return f"strategies[{self.name}]"


@dataclass(frozen=True, eq=False)
class BoundJoint:
    """Two wagers on one hand: each has a strategy that maximises it alone."""

    spec: Joint
    space: Space
    base: BoundStrategy
    side: BoundStrategy


@dataclass(frozen=True, eq=False)
class BoundDistribution:
    """A distribution with its space and the strategy under which it is told, if any."""

    spec: Distribution
    space: Space
    strategy: BoundStrategy | None


@dataclass(frozen=True, eq=False)
class BoundValues:
    """A table of what actions are worth: `where` speaks of what the player knows."""

    spec: Values
    strategy: BoundStrategy
    where: Expression


@dataclass(frozen=True, eq=False)
class BoundFigure:
    """A printed figure; `when` counts deals of a predicate instead of an event."""

    spec: Published
    wager: BoundWager
    when: Expression | None


@dataclass(frozen=True, eq=False)
class Program:
    """One game under one setting of its rules, ready to be analysed.

    `wagers`, `strategies` and `joints` keep the spec's order.
    """

    spec: Spec
    game: Game
    constants: Mapping[str, RuleValue]
    wagers: Mapping[str, BoundWager]
    strategies: Mapping[str, BoundStrategy]
    joints: Mapping[str, BoundJoint]
    distributions: tuple[BoundDistribution, ...]
    values: tuple[BoundValues, ...]
    charts: tuple[Chart, ...]
    figures: tuple[BoundFigure, ...]

    def wager(self, name: str) -> BoundWager:
        """Look a wager up by name; raise DealproofError with the known ones."""
        if name not in self.wagers:
            raise DealproofError(f"wager '{name}': {nearest(name, self.wagers)}")
        return self.wagers[name]

    def strategy(self, name: str) -> BoundStrategy:
        """Look a strategy up by name; raise DealproofError with the known ones."""
        if name not in self.strategies:
            if not self.strategies:
                raise DealproofError(f"strategy '{name}': the player decides nothing")
            raise DealproofError(f"strategy '{name}': {nearest(name, self.strategies)}")
        return self.strategies[name]

    def strategies_of(self, wager: BoundWager) -> tuple[BoundStrategy | None, ...]:
        """Strategies that a wager is priced under; None where the player decides nothing."""
        return tuple(self.strategies[name] for name in wager.strategies) or (None,)

    def strategies_in(self, space: Space) -> tuple[BoundStrategy, ...]:
        """Strategies that decide in a space, in the spec's order."""
        return tuple(s for s in self.strategies.values() if s.space is space)

    def played(self, space: str | None, strategy: str | None) -> tuple[Space, BoundStrategy | None]:
        """A space, by default the first, and a strategy, by default the space's first.

        None where the player decides nothing. Raises DealproofError.
        """
        names = [known.name for known in self.game.spaces]
        if space is not None and space not in names:
            raise DealproofError(f"space = '{space}': {nearest(space, names)}")
        played_space = self.game.space(space or names[0])
        return played_space, strategy_in(played_space, self.strategies.values(), strategy)

    def needs(self) -> tuple[Key, ...]:
        """Tables that price the spec whole: one per space, or per strategy where a space solves."""
        keys = [
            key_of(wager.space, strategy)
            for wager in self.wagers.values()
            for strategy in self.strategies_of(wager)
        ]
        keys += [key_of(one.space, one.strategy) for one in self.distributions]
        return tuple(dict.fromkeys(keys))

    def columns(self, space: Space, wagers: Collection[BoundWager] | None = None) -> frozenset[str]:
        """Columns of a space that the spec names there.

        With `wagers`, the columns that these need alone, strategies and what they maximise
        included; without, those of all wagers, strategies, distributions and figures.
        """
        names: set[str] = set()
        for wager in self.wagers.values() if wagers is None else wagers:
            if wager.space is space:
                names |= wager.names
        for strategy in self.strategies_in(space):
            if wagers is None or any(strategy.name in wager.strategies for wager in wagers):
                names |= columns_of(strategy)
        if wagers is None:
            for one in self.distributions:
                if one.space is space:
                    names.update((*one.spec.rows, *one.spec.columns))
            for figure in self.figures:
                if figure.when is not None and figure.wager.space is space:
                    names.update(figure.when.names)
        return frozenset(names - self.constants.keys()) or frozenset({space.features[0].name})


def strategy_in(
    space: Space, strategies: Iterable[BoundStrategy], name: str | None
) -> BoundStrategy | None:
    """A strategy of a space by name, or its first; None where the player decides nothing."""
    if space.decision is None:
        return None
    mine = [strategy for strategy in strategies if strategy.space is space]
    for strategy in mine:
        if name in (None, strategy.name):
            return strategy
    raise DealproofError(f"strategy = '{name}': {nearest(str(name), [s.name for s in mine])}")


def columns_of(strategy: BoundStrategy) -> set[str]:
    """Columns of its space's table that a strategy needs, and rules that it names.

    What a space that solves for itself maximises or prefers is valued on its outcomes instead.
    """
    names = set(strategy.by or ())
    for when, _ in strategy.choose or ():
        names.update(when.names)
    if strategy.allowed is not None:
        names.update(strategy.allowed.names)
    if tabulated(strategy.space):
        names = names.union(*(one.names for one in strategy.prefers or ()))
        names = names.union(*(wager.names for wager, _ in strategy.objective))
    return names


def tabulated(space: Space) -> bool:
    """Whether a space's tables hold every action of a decision."""
    return space.decision is not None and space.decision.tabulated


def key_of(space: Space, strategy: BoundStrategy | None) -> Key:
    """Key of the table that holds a strategy's rows of a space."""
    return space.name, strategy.name if strategy and not tabulated(space) else None
