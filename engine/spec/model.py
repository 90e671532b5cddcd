"""A game as data: rules, readings, strategies, wagers, pay tables and published figures.

These are frozen models of what stands in ``data/games/*.toml``; `engine.spec.loading` reads them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from engine.exact.errors import DealproofError, nearest
from engine.spec.base import Exact, Model, Name, RuleValue
from engine.spec.figures import Published, PublishedTable


class Range(Model):
    """Inclusive bounds of an integer rule."""

    min: int
    max: int


class Rule(Model):
    """A named parameter: its value, what else it may be, and the clause it stands for.

    With `reading` the clause is ambiguous in the source and every other allowed value is
    reported as an alternative. `meaning` puts each value into words. `variants` lists
    values that are priced beside the certified one.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    value: RuleValue
    allowed: tuple[RuleValue, ...] | Range
    clause: str
    reading: bool = False
    meaning: Mapping[str, str] = {}
    variants: tuple[RuleValue, ...] | Range = ()

    def admits(self, value: RuleValue) -> bool:
        """Tell whether a value is allowed."""
        if isinstance(self.allowed, Range):
            return type(value) is int and self.allowed.min <= value <= self.allowed.max
        return any(value == a and type(value) is type(a) for a in self.allowed)

    @property
    def choices(self) -> tuple[RuleValue, ...]:
        """All allowed values in their order."""
        if isinstance(self.allowed, Range):
            return tuple(range(self.allowed.min, self.allowed.max + 1))
        return self.allowed

    @property
    def variant_values(self) -> tuple[RuleValue, ...]:
        """Values that are priced beside this rule's own, in their order."""
        listed = self.variants
        values = range(listed.min, listed.max + 1) if isinstance(listed, Range) else listed
        return tuple(value for value in values if value != self.value)

    @property
    def allowed_text(self) -> str:
        """Allowed values, for an error's last words."""
        if isinstance(self.allowed, Range):
            return f"{self.allowed.min} … {self.allowed.max}"
        return ", ".join(map(str, self.allowed))

    def read(self, text: str) -> RuleValue:
        """Read a value from the command line; raise DealproofError with the allowed ones."""
        value: RuleValue = text
        if re.fullmatch(r"-?[0-9]{1,18}", text):
            value = int(text)
        if not self.admits(value):
            hint = (
                ""
                if isinstance(self.allowed, Range) or type(self.value) is int
                else (nearest(text, map(str, self.choices)))
            )
            raise DealproofError(
                f"rule {self.name} = {text}: {hint or 'allowed: ' + self.allowed_text}"
            )
        return value


class Event(Model):
    """One line of a pay table: the deals it covers, what it pays, and the units at risk.

    The line stands in the table where `under` holds, an expression over the game's rules.
    """

    event: str
    when: str
    pays: Exact
    staked: Exact = 1
    under: str = "true"


class Wager(Model):
    """A bet. The first event whose `when` holds settles it.

    `counted_in` names the basis of its counts, one that its space knows. `recovered_from` lists
    printed figures of this wager from which its pay table, lost in the source, was recovered: they
    cannot confirm it.
    """

    name: Name
    title: str
    space: str | None = None
    counted_in: str | None = None
    recovered_from: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()
    rule: str = ""
    priced: bool = True
    events: Annotated[tuple[Event, ...], Field(min_length=1)]


class Choice(Model):
    """One line of a strategy by rules: the action wherever `when` holds."""

    when: str
    action: str


class StrategySpec(Model):
    """How the player decides: `maximises` weighted wagers, `choose`s by rules, or `prefers`.

    `choose` lists rules in order. `prefers` lists expressions over the columns of a deal's end:
    they take the action with the highest expected value of the first, among equal ones of the next,
    and so on; an expression of what they see is its own expected value. `by` binds them to one
    action per value of these columns; `allowed` restricts their actions. Without `removal` they
    play as if the cards that they see could come again. Where it leaves the strategy that it is
    held `against`, an optimum, is told with the cost. A strategy that ranks the values of a column,
    `order_of`, is compared with the best of all their orders. `in_words` replaces the words that
    certificate and report make of all this.
    """

    name: Name
    title: str
    space: str | None = None
    maximises: Mapping[str, Exact] | None = None
    choose: tuple[Choice, ...] | None = None
    prefers: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    removal: bool = True
    by: tuple[str, ...] | None = None
    allowed: str | None = None
    against: str | None = None
    order_of: str | None = None
    in_words: tuple[str, ...] = ()


class Chart(Model):
    """A strategy drawn as a grid; cells that differ from `against` are marked."""

    title: str
    strategy: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    against: str | None = None
    colours: Mapping[str, str] = {}


class Distribution(Model):
    """How columns of a space are distributed, under one strategy where the player decides.

    `rows` and `columns` say how it is laid out; with `given`, some of those, probabilities are
    conditional on their values.
    """

    name: str
    title: str
    rows: Annotated[tuple[str, ...], Field(min_length=1)]
    columns: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    space: str | None = None
    strategy: str | None = None


class Values(Model):
    """What every action of a strategy is worth, its information sets summed up `by` columns.

    `where` keeps some of the sets: an expression over what the player knows.
    """

    title: str
    strategy: str
    by: Annotated[tuple[str, ...], Field(min_length=1)]
    where: str = "true"


class Joint(Model):
    """Two wagers on one hand: the best play for every ratio of `side` to `base`."""

    name: Name
    title: str
    base: str
    side: str
    space: str | None = None
    allowed: str | None = None


class _Game(Model):
    game: Name
    title: str
    family: str
    summary: str
    play: tuple[str, ...]
    source: str
    assumptions: tuple[str, ...] = ()
    applicant: str = ""
    rules: tuple[Rule, ...] = ()
    strategies: tuple[StrategySpec, ...] = ()
    wagers: Annotated[tuple[Wager, ...], Field(min_length=1)]
    joint: tuple[Joint, ...] = ()
    charts: tuple[Chart, ...] = ()
    values: tuple[Values, ...] = ()
    distributions: tuple[Distribution, ...] = ()


class SpecFile(_Game):
    """One game as its file has it."""

    published: tuple[PublishedTable, ...] = ()


class Spec(_Game):
    """One game, whole, with every single figure that is in print."""

    published: tuple[Published, ...] = ()

    @property
    def rule_values(self) -> dict[str, RuleValue]:
        """Rule name → value."""
        return {rule.name: rule.value for rule in self.rules}

    def rule(self, name: str) -> Rule:
        """Look a rule up by name; raise DealproofError with the known ones."""
        for rule in self.rules:
            if rule.name == name:
                return rule
        raise DealproofError(f"rule '{name}': {nearest(name, [r.name for r in self.rules])}")

    def wager(self, name: str) -> Wager:
        """Look a wager up by name; raise DealproofError with the known ones."""
        for wager in self.wagers:
            if wager.name == name:
                return wager
        raise DealproofError(f"wager '{name}': {nearest(name, [w.name for w in self.wagers])}")

    def strategy(self, name: str) -> StrategySpec:
        """Look a strategy up by name; raise DealproofError with the known ones."""
        for strategy in self.strategies:
            if strategy.name == name:
                return strategy
        raise DealproofError(
            f"strategy '{name}': {nearest(name, [s.name for s in self.strategies])}"
        )

    def under(self, changes: Mapping[str, RuleValue]) -> Spec:
        """Return the same game under other rule values, each checked against what is allowed."""
        for name, value in changes.items():
            rule = self.rule(name)
            if not rule.admits(value):
                raise DealproofError(f"rule {name} = {value}: allowed: {rule.allowed_text}")
        rules = tuple(
            rule.model_copy(update={"value": changes.get(rule.name, rule.value)})
            for rule in self.rules
        )
        return self.model_copy(update={"rules": rules})


class WagerFile(Model):
    """A file of wagers to be priced, and of strategies where they need new ones."""

    wagers: Annotated[tuple[Wager, ...], Field(min_length=1)]
    strategies: tuple[StrategySpec, ...] = ()
