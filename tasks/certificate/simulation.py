"""The check of random rounds against the exact distribution, and the edge that they show."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from engine.analysis.analysis import Analysis, Result
from engine.exact.rendering import floating, general, rational
from tasks.certificate import columns, goodness_of_fit
from tasks.certificate.check import Check, checked, not_run
from tasks.run.reduce import Collected


@dataclass(frozen=True)
class _Wager:
    """A wager as the exact table prices it and as the rounds do."""

    exact: Result
    drawn: Result

    def document(self, chance: float) -> dict[str, Any]:
        """Exact and simulated edge with the interval, as the certificate gives them."""
        free = self.exact.house_edge is None
        sign = 1 if free else -1
        exact, drawn = self.exact.priced, self.drawn.priced
        around = goodness_of_fit.interval(exact, drawn, chance)
        value, simulated = float(sign * drawn.mean), sign * drawn.mean
        return {
            "wager": self.exact.key[0],
            "strategy": self.exact.key[1],
            "quantity": "paid_per_round" if free else "house_edge",
            "rounds": drawn.deals,
            "expected": rational(sign * exact.mean),
            "simulated": rational(simulated),
            "standard_error": around.error,
            "standard_errors": sign * around.standard_errors,
            "low": value - around.radius,
            "high": value + around.radius,
            "chance": chance,
            "detectable": goodness_of_fit.detectable(
                math.sqrt(exact.variance), drawn.deals, chance
            ),
            "by": around.by,
            "holds": around.holds,
        }


def simulation(analysis: Analysis, collected: Collected) -> Check:
    """Random rounds agree with the exact distribution of every wager."""
    tables = collected.tables.get("simulate")
    if not tables:
        return not_run("simulation", "simulate")
    drawn = Analysis(analysis.program, tables, analysis.strategies)
    pairs = [_Wager(analysis.price(*result.key), result) for result in drawn.results]
    tests: list[goodness_of_fit.Test] = []
    faults = []
    for pair in pairs:
        exact, simulated = pair.exact.priced, pair.drawn.priced
        tests += goodness_of_fit.compare(exact, simulated, *pair.exact.key)
        stray = goodness_of_fit.impossible(exact, simulated)
        if stray:
            faults.append(f"{pair.exact.key[0]}: {stray:,} rounds in events that cannot happen")
    every = columns.compare(dict(analysis.tables), dict(tables))
    faults += every.strays
    # A repeated test adds no chance to fail; its place in the divisor keeps the threshold strict.
    threshold = goodness_of_fit.CHANCE / max(len(tests) + len(every.tests), 1)
    distinct = sum(not test.again for test in tests)
    faults += [
        f"{test.wager} / {test.strategy}: {test.kind} = {floating(test.value, 2)}, "
        f"p = {general(test.p, 2)}"
        for test in (*tests, *every.tests)
        if test.p < threshold
    ]
    if not tests:
        faults.append("no wager could be tested")
    edges = [pair.document(threshold) for pair in pairs if pair.exact.wager.priced]
    rounds = max(c.deals for c in collected.coverage if c.method == "simulate")
    least = min((test.p for test in (*tests, *every.tests)), default=1.0)
    within = sum(edge["holds"] for edge in edges)
    return checked(
        "simulation",
        faults,
        f"{rounds:,} rounds, {distinct} tests{_repeated(len(tests) - distinct)}, and "
        f"{len(every.tests):,} of single columns",
        f"least p = {general(least)}; a test fails below {general(threshold, 2)}; "
        f"{within} of {len(edges)} exact edges lie in the intervals of the simulated ones",
        {
            "threshold": threshold,
            "family": goodness_of_fit.CHANCE,
            "power": goodness_of_fit.POWER,
            "columns": {
                "tests": len(every.tests),
                "least_p": min((test.p for test in every.tests), default=1.0),
                "rows_that_no_deal_gives": len(every.strays),
            },
            "tests": [vars(test) for test in tests],
            "edges": edges,
        },
    )


def _repeated(count: int) -> str:
    return (
        f" (z of {count} bets with two outcomes is their chi-square, counted once)" if count else ""
    )
