"""What every other reading of a game's rules would do to each wager, one change at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from engine.analysis.analysis import Analysis, Result, analyse
from engine.contract.game import RuleValue
from engine.exact.tables import Table
from engine.pricing.pricer import Priced
from engine.spec.model import Spec
from engine.studies.agreement import Change, Sample, sample

#: Prices by wager and strategy.
Prices = dict[tuple[str, str | None], Priced]
#: What a reading does to a wager.
NONE, EDGE, COUNTS = "none", "changes the edge", "changes the counts"
#: The same of a bet on which nothing is staked.
PAYMENT = "changes what is paid"


@dataclass(frozen=True)
class Alternative:
    """A reading's other value and what becomes of one wager under it.

    `certified` is the wager as the spec reads its rules, `priced` the same under the other value.
    """

    rule: str
    value: RuleValue
    certified: Result
    priced: Priced

    @property
    def wager(self) -> str:
        """The wager's name."""
        return self.certified.wager.name

    @property
    def strategy(self) -> str | None:
        """Name of the strategy it is priced under."""
        return self.certified.key[1]

    @property
    def result(self) -> Result:
        """The wager under the other value."""
        return replace(self.certified, priced=self.priced)

    @property
    def house_edge(self) -> Fraction | None:
        """House edge under the other value; None where the wager has none."""
        return self.result.house_edge

    @property
    def element_of_risk(self) -> Fraction | None:
        """Loss per unit staked under the other value; None where the wager has none."""
        return self.result.quantity("element_of_risk")

    @property
    def change(self) -> Fraction | None:
        """What the other value adds to the edge that the wager is known by; None for no edge."""
        headline = self.certified.headline
        after, before = self.result.quantity(headline), self.certified.quantity(headline)
        if headline == "paid_per_round" or after is None or before is None:
            return None
        return after - before

    @property
    def effect(self) -> str:
        """What differs: the edge, what is paid, the counts of events alone, or nothing at all.

        Edges are compared as fractions, and the probability of every event with its net.
        """
        if self.house_edge != self.certified.house_edge or self.change:
            return EDGE
        if self.result.paid_per_round != self.certified.paid_per_round:
            return PAYMENT
        return NONE if _shares(self.priced) == _shares(self.certified.priced) else COUNTS


def _shares(priced: Priced) -> dict[tuple[str, Fraction, Fraction], Fraction]:
    """Probability of every event that can happen, by its name, net and stake."""
    shares: dict[tuple[str, Fraction, Fraction], Fraction] = {}
    for line in priced.lines:
        if line.combinations:
            key = line.event, line.net, line.staked
            shares[key] = shares.get(key, Fraction()) + line.probability
    return shares


def changes(spec: Spec) -> tuple[Change, ...]:
    """Every other value of every reading, as (rule, value)."""
    return tuple(
        (rule.name, value)
        for rule in spec.rules
        if rule.reading
        for value in rule.choices
        if value != rule.value
    )


class Under(NamedTuple):
    """A spec under one change of its rules: prices, a sample that was exhausted, outcome tables.

    `outcomes`: (space, strategy) → the table that wagers of both are priced from.
    """

    prices: Prices
    samples: tuple[Sample, ...]
    outcomes: Mapping[tuple[str, str | None], Table]


def prices_under(spec: Spec, change: Change) -> Prices:
    """Price every wager of a spec under one change of its rules. A pure function of both."""
    return under(spec, change, 0, None).prices


def under(spec: Spec, change: Change, seed: int, counts: Mapping[str, int] | None) -> Under:
    """Price a spec under a change, and exhaust a sample that `seed` draws of every table of it.

    `counts`: starts to take of each space; None for no sample. The sample plays the strategies
    that were solved for the prices. A pure function.
    """
    analysis = analyse(spec.under(dict([change])))
    drawn = () if counts is None else sample(spec, change, seed, counts, analysis.strategies)
    prices = {result.key: result.priced for result in analysis.results}
    return Under(prices, drawn, analysis.outcome_tables)


def readings(analysis: Analysis, prices: Iterable[Prices] | None = None) -> tuple[Alternative, ...]:
    """Price every wager under every other value of every reading, one change at a time.

    `prices`: what `prices_under` gives for each of the spec's `changes`, in their order; without
    them they are worked out here.
    """
    alternatives = changes(analysis.spec)
    if prices is None:
        prices = (prices_under(analysis.spec, change) for change in alternatives)
    return tuple(
        Alternative(*change, analysis.price(*key), priced)
        for change, prices_here in zip(alternatives, prices, strict=True)
        for key, priced in prices_here.items()
    )
