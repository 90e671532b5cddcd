"""What an expression may name, and which values each name can take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from engine.contract.game import RuleValue
from engine.exact.tables import Feature

#: Words of a column that tells yes from no, with the one that means yes.
YES = {frozenset({"no", "yes"}): "yes", frozenset({"false", "true"}): "true"}


@dataclass(frozen=True)
class Domain:
    """The values that a name can take: some `words`, or integers in `low` … `high`.

    `numbers` lists the integers where not all between the bounds are allowed.
    """

    words: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    numbers: tuple[int, ...] = ()

    @classmethod
    def among(cls, values: Sequence[RuleValue]) -> Domain | None:
        """The domain of these values; None where some are words and some numbers."""
        words = [value for value in values if isinstance(value, str)]
        if words:
            return cls(words=tuple(words)) if len(words) == len(values) else None
        numbers = tuple(sorted({int(value) for value in values}))
        if not numbers:
            return None
        whole = len(numbers) == numbers[-1] - numbers[0] + 1
        return cls(low=numbers[0], high=numbers[-1], numbers=() if whole else numbers)

    @property
    def allowed(self) -> str:
        """The values, for an error's last words."""
        if self.words:
            return ", ".join(self.words)
        return ", ".join(map(str, self.numbers)) if self.numbers else f"{self.low} … {self.high}"

    @property
    def yes(self) -> RuleValue | None:
        """The value that means true, where there are but two: 1 of 0 and 1, yes of yes and no."""
        if self.words:
            return YES.get(frozenset(self.words))
        return 1 if (self.low, self.high) == (0, 1) else None


@dataclass(frozen=True)
class Scope:
    """What an expression may name: columns of a table, and rules as constants.

    `elsewhere` tells the space of columns that stand in another one, for an error's words. `rules`
    tell what each constant may be under other settings; a comparison that holds under none of them
    is refused.
    """

    features: tuple[Feature, ...]
    constants: Mapping[str, RuleValue]
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, Domain | None] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """All names, columns first."""
        return (*(f.name for f in self.features), *self.constants)

    @cached_property
    def domains(self) -> Mapping[str, Domain | None]:
        """What each name can be; None for a rule of which only the value is known."""
        known = {name: self.rules.get(name) for name in self.constants}
        columns = {f.name: Domain(f.words, f.low, f.high) for f in self.features}
        return known | columns

    def is_word(self, name: str) -> bool:
        """Whether a known name stands for words."""
        domain = self.domains[name]
        return bool(domain.words) if domain else isinstance(self.constants[name], str)

    def is_rule(self, name: str) -> bool:
        """Whether a known name is a rule's and no column's."""
        return all(feature.name != name for feature in self.features)
