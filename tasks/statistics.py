"""Simulated rounds against the exact distribution: chi-square, exact Poisson, z of the mean.

Thresholds are fixed before a run: all its tests together fail by chance once in a million runs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from engine.pricing import Line, Priced

#: Probability that any test of one run fails although everything is right.
CHANCE = 1e-6
#: Cells that expect fewer rounds are pooled.
FEW = 25


@dataclass(frozen=True)
class Test:
    """One test: `value` is the statistic, `p` its probability under the exact distribution.

    `again`: it is another one once more, which happens to the z of a bet with two outcomes: its
    square is the chi-square, and it is no test of its own.
    """

    wager: str
    strategy: str | None
    kind: str
    value: float
    freedom: int
    p: float
    again: bool = False


def _key(line: Line) -> tuple[str, Fraction, Fraction]:
    return line.event, line.net, line.staked


def cells(exact: Priced, simulated: Priced) -> list[tuple[float, int]]:
    """Pair expected and observed rounds for every line that can happen."""
    rounds = simulated.deals
    observed = {_key(line): line.combinations for line in simulated.lines}
    return [
        (float(line.probability * rounds), observed.get(_key(line), 0))
        for line in exact.lines
        if line.combinations
    ]


def compare(exact: Priced, simulated: Priced, wager: str, strategy: str | None) -> tuple[Test, ...]:
    """Test one wager's simulated distribution and mean against the exact ones.

    Lines that expect fewer than 25 rounds are pooled; a pool that still expects fewer is tested by
    exact Poisson and joins the largest cell for chi-square. The z test is left out while a paying
    line expects fewer than 25 rounds, since the mean is not yet normal. Where all lines are two
    and neither is pooled, it is the chi-square test again.
    """
    from scipy import special

    paired = sorted(cells(exact, simulated))
    few = [cell for cell in paired if cell[0] < FEW]
    many = [cell for cell in paired if cell[0] >= FEW]
    tests = []
    if few:
        pool = (math.fsum(e for e, _ in few), sum(o for _, o in few))
        if pool[0] >= FEW:
            many.append(pool)
        else:
            expected, seen = pool
            tail = min(
                float(special.pdtr(seen, expected)),
                float(special.pdtrc(seen - 1, expected)) if seen else 1.0,
            )
            tests.append(Test(wager, strategy, "poisson", float(seen), 0, min(1.0, 2 * tail)))
            if many:
                most = max(range(len(many)), key=lambda i: many[i][0])
                many[most] = (many[most][0] + expected, many[most][1] + seen)
    if len(many) > 1:
        statistic = math.fsum((o - e) ** 2 / e for e, o in many)
        freedom = len(many) - 1
        p = float(special.chdtrc(freedom, statistic))
        tests.append(Test(wager, strategy, "chi-square", statistic, freedom, p))
    rounds = simulated.deals
    paying = [line for line in exact.lines if line.net > 0 and line.combinations]
    if exact.variance and all(line.probability * rounds >= FEW for line in paying):
        error = math.sqrt(exact.variance / rounds)
        z = float(simulated.mean - exact.mean) / error
        p = 2 * float(special.ndtr(-abs(z)))
        again = len(paired) == len(many) == 2 and not few
        tests.append(Test(wager, strategy, "z", z, 0, p, again))
    return tuple(tests)


def impossible(exact: Priced, simulated: Priced) -> int:
    """Count simulated rounds in lines that the exact table says cannot happen."""
    possible = {_key(line) for line in exact.lines if line.combinations}
    return sum(line.combinations for line in simulated.lines if _key(line) not in possible)
