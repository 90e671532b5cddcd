"""What every other reading of a game's rules would do to each wager, one change at a time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from engine.analysis import Analysis, analyse_exactly
from engine.game import RuleValue
from engine.pricing import Priced
from engine.spec import Spec

Change = tuple[str, RuleValue]
#: Prices by wager and strategy.
Prices = dict[tuple[str, str | None], Priced]


@dataclass(frozen=True)
class Alternative:
    """A reading's other value and the edge of one wager under it."""

    rule: str
    value: RuleValue
    wager: str
    strategy: str | None
    house_edge: Fraction
    change: Fraction


def changes(spec: Spec) -> tuple[Change, ...]:
    """Every other value of every reading, as (rule, value)."""
    return tuple(
        (rule.name, value)
        for rule in spec.rules
        if rule.reading
        for value in rule.choices
        if value != rule.value
    )


def prices_under(spec: Spec, change: Change) -> Prices:
    """Price every wager of a spec under one change of its rules. A pure function of both."""
    results = analyse_exactly(spec.under(dict([change]))).results
    return {result.key: result.priced for result in results}


def readings(analysis: Analysis, prices: Iterable[Prices] | None = None) -> tuple[Alternative, ...]:
    """Compare every wager with its price under every other value of every reading.

    `prices`: what `prices_under` gives for each of the spec's `changes`, in their order; without
    them they are worked out here.
    """
    asked = changes(analysis.spec)
    if prices is None:
        prices = (prices_under(analysis.spec, change) for change in asked)
    return tuple(
        Alternative(
            *change,
            *key,
            priced.house_edge,
            priced.house_edge - analysis.result(*key).priced.house_edge,
        )
        for change, found in zip(asked, prices, strict=True)
        for key, priced in found.items()
    )
