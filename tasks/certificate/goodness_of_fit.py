"""Simulated rounds against the exact distribution: chi-square, exact Poisson, and the mean.

Thresholds are fixed before a run: all its tests together fail by chance once in a million runs.
The mean of a wager is tested by z where it is normal, and by Bernstein's inequality where it is
not yet; the interval around a simulated edge leaves the exact one out where that test fails.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.pricing.pricer import Line, Priced

#: Probability that any test of one run fails although everything is right.
CHANCE = 1e-6
#: Probability with which a shift that is told as detectable is found.
POWER = 0.9
#: Cells that expect fewer rounds are pooled.
FEW = 25


@dataclass(frozen=True)
class Test:
    """One test: `value` is the statistic, `p` its probability under the exact distribution.

    `again`: it is another one once more, which happens to the z of a bet with two outcomes: its
    square is the chi-square, and it is not a test of its own.
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
    exact Poisson and joins the largest cell for chi-square. The mean is tested by z; while a paying
    line expects fewer than 25 rounds it is not yet normal, and Bernstein's inequality, which holds
    for any bounded bet, tests it instead. Where all lines are two and neither is pooled, z is the
    chi-square test again.
    """
    paired = cells(exact, simulated)
    tests, whole = fit(paired, wager, strategy)
    if exact.variance:
        mean = interval(exact, simulated, CHANCE)
        again = whole and len(paired) == 2
        tests.append(
            Test(wager, strategy, mean.by, mean.standard_errors, 0, mean.p, again and mean.normal)
        )
    return tuple(tests)


def fit(
    paired: Sequence[tuple[float, int]], wager: str, strategy: str | None
) -> tuple[list[Test], bool]:
    """Test observed rounds of some cells against those expected; also whether none was pooled.

    Cells that expect fewer than 25 rounds are pooled: see `compare`.
    """
    from scipy import special

    few = sorted(cell for cell in paired if cell[0] < FEW)
    many = sorted(cell for cell in paired if cell[0] >= FEW)
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
    return tests, not few


@dataclass(frozen=True)
class Interval:
    """The mean of simulated rounds beside the exact mean, in base units.

    `error`: its standard error, from the exact variance; `standard_errors`: how many of these it
    lies above the exact mean; `radius`: the interval reaches so far to both sides of it; `p`: the
    chance, or a bound on it, that a mean strays so far; `holds`: whether the interval holds the
    exact mean.
    """

    error: float
    standard_errors: float
    radius: float
    normal: bool
    p: float
    holds: bool

    @property
    def by(self) -> str:
        """What the interval and the test of the mean rest on."""
        return "z" if self.normal else "bernstein"


def interval(exact: Priced, simulated: Priced, chance: float) -> Interval:
    """An interval around a simulated mean that misses the exact one by `chance` at most."""
    from scipy import special

    rounds, variance = simulated.deals, float(exact.variance)
    apart = float(simulated.mean - exact.mean)
    if not exact.variance:
        return Interval(0.0, 0.0, 0.0, True, float(apart == 0), apart == 0)
    error = math.sqrt(variance / rounds)
    paying = [line for line in exact.lines if line.net > 0 and line.combinations]
    if all(line.probability * rounds >= FEW for line in paying):
        radius = -float(special.ndtri(chance / 2)) * error
        p, normal = 2 * float(special.ndtr(-abs(apart / error))), True
    else:
        # P(|mean − μ| ≥ t) ≤ 2 exp(−n t² / (2σ² + 2bt/3)), where no net is further than b from μ.
        bound = max(float(abs(line.net - exact.mean)) for line in exact.lines if line.combinations)
        log = math.log(2 / chance)
        third = bound * log / 3
        radius = (third + math.sqrt(third**2 + 2 * rounds * variance * log)) / rounds
        exponent = rounds * apart**2 / (2 * variance + 2 * bound * abs(apart) / 3)
        p, normal = min(1.0, 2 * math.exp(-exponent)), False
    return Interval(error, apart / error, radius, normal, p, abs(apart) <= radius)


def detectable(deviation: float, rounds: int, chance: float, power: float = POWER) -> float:
    """The shift of a mean that so many rounds find with a power, where a test fails by `chance`.

    In base units, for a mean that is normal: (z of the chance + z of the power) standard errors.
    """
    from scipy import special

    return (
        -float(special.ndtri(chance / 2) + special.ndtri(1 - power)) * deviation / math.sqrt(rounds)
    )


def rounds_for(shift: float, deviation: float, chance: float, power: float = POWER) -> int:
    """How many rounds find a shift: see `detectable`."""
    errors = detectable(deviation, 1, chance, power) / shift
    return math.ceil(errors * errors)


def impossible(exact: Priced, simulated: Priced) -> int:
    """Count simulated rounds in lines that the exact table says cannot happen."""
    possible = {_key(line) for line in exact.lines if line.combinations}
    return sum(line.combinations for line in simulated.lines if _key(line) not in possible)
