"""What every other reading of a game's rules would do to each wager, one change at a time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain

from engine.analysis import Analysis, Result, analyse_exactly
from engine.game import RuleValue
from engine.pricing import Priced

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
    def change(self) -> Fraction | None:
        """What the other value adds to the house edge; None where the wager has none."""
        after, before = self.house_edge, self.certified.house_edge
        return None if after is None or before is None else after - before

    @property
    def effect(self) -> str:
        """What differs: the edge, what is paid, the counts of events alone, or nothing at all.

        Edges are compared as fractions, and the probability of every event with its net.
        """
        if self.house_edge != self.certified.house_edge:
            return EDGE
        if self.result.paid_per_round != self.certified.paid_per_round:
            return PAYMENT
        return NONE if _shares(self.priced) == _shares(self.certified.priced) else COUNTS


def _shares(priced: Priced) -> dict[tuple[str, Fraction, Fraction], Fraction]:
    """Probability of every event that can happen, by its name, net and stake."""
    found: dict[tuple[str, Fraction, Fraction], Fraction] = {}
    for line in priced.lines:
        if line.combinations:
            key = line.event, line.net, line.staked
            found[key] = found.get(key, Fraction()) + line.probability
    return found


def readings(analysis: Analysis, threads: int = 1) -> tuple[Alternative, ...]:
    """Price every wager under every other value of every reading, one change at a time.

    Changes are taken up by so many `threads`: kernels let go of Python's lock.
    """
    changes = [
        (rule.name, value)
        for rule in analysis.spec.rules
        for value in (rule.choices if rule.reading else ())
        if value != rule.value
    ]

    def priced(change: tuple[str, RuleValue]) -> list[Alternative]:
        results = analyse_exactly(analysis.spec.under(dict([change]))).results
        return [Alternative(*change, analysis.result(*r.key), r.priced) for r in results]

    with ThreadPoolExecutor(threads) as pool:
        return tuple(chain.from_iterable(pool.map(priced, changes)))
