"""Strategies: what they are, how they differ, and what their actions are worth."""

from __future__ import annotations

from collections.abc import Mapping

from tasks.certificate.model.base import Count, Exact, Model, Values


class TiedEdge(Model):
    """Least and greatest house edge of a wager over every choice among equal actions."""

    wager: str
    least: Exact
    greatest: Exact


class Ties(Model):
    """Information sets in which a strategy's criterion holds several actions best."""

    sets: Count
    differing: Count | None
    rule: str
    optimum: bool
    edges: tuple[TiedEdge, ...] | None


class Together(Model):
    """Bets that a strategy maximises at once: their loss, per unit put up and per unit staked."""

    wagers: Mapping[str, str]
    loss: Exact
    per_unit_of: tuple[str, ...]
    units_put_up: Exact
    edge: Exact | None
    units_staked: Exact | None
    element_of_risk: Exact | None


class Strategy(Model):
    """A strategy: what it decides by, its size, its digest, and its ties.

    `words`: as a person would follow it; `alike`: which hands one information set stands for.
    """

    name: str
    title: str
    space: str
    information: tuple[str, ...]
    sets: Count
    actions: tuple[str, ...]
    digest: str
    words: tuple[str, ...]
    alike: str | None
    ties: Ties | None
    together: Together | None


class StrategyException(Model):
    """An information set where two strategies differ, and what that costs."""

    information: Values
    better: str
    worse: str
    hands: Count | None
    probability: Exact
    cost: Exact


class StrategyComparison(Model):
    """Where one strategy leaves another, dearest first; all exceptions stand in the data."""

    strategy: str
    against: str
    count: Count
    cost: Exact
    exceptions: tuple[StrategyException, ...]


class ValueGroup(Model):
    """Information sets that share some values, and what each action is worth there."""

    information: Values
    sets: Count
    probability_by_cards: Exact
    probability_reached: Exact
    taken: tuple[str, ...]
    ev_by_cards: Mapping[str, Exact | None]
    ev_reached: Mapping[str, Exact | None]


class ValueTable(Model):
    """What every action of a strategy is worth, its information sets summed up by columns."""

    title: str
    strategy: str
    by: tuple[str, ...]
    actions: tuple[str, ...]
    groups: tuple[ValueGroup, ...]
