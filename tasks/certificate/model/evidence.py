"""What stands behind the simulation check, as the check's evidence gives it."""

from __future__ import annotations

from tasks.certificate.model.base import Count, Exact, Model


class SimulatedEdge(Model):
    """A simulated edge beside the exact one, with its interval.

    `quantity`: house_edge, or paid_per_round where nothing is staked; `by`: how the interval was
    found; `chance`: that it leaves out the exact edge; `holds`: whether it does not; `detectable`:
    the shift of the edge that the rounds find with the check's power.
    """

    wager: str
    strategy: str | None
    quantity: str
    rounds: Count
    expected: Exact
    simulated: Exact
    standard_error: float
    standard_errors: float
    low: float
    high: float
    chance: float
    detectable: float
    by: str
    holds: bool


class SimulationTest(Model):
    """One statistical test of random rounds against the exact distribution of a wager."""

    wager: str
    strategy: str | None
    kind: str
    value: float
    freedom: int
    p: float
    again: bool
