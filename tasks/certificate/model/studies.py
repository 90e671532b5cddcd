"""Studies: readings, variants, distributions, two bets at once, covariances, figures in print."""

from __future__ import annotations

from tasks.certificate.model.base import Count, Exact, Model, RuleValue, Values
from tasks.certificate.model.wagers import Line, PricedWager


class Alternative(Model):
    """One wager under another reading; with its events where these alone tell the change."""

    value: RuleValue
    meaning: str
    wager: str
    strategy: str | None
    house_edge: Exact | None
    element_of_risk: Exact | None
    change: Exact | None
    paid_per_round: Exact | None
    effect: str
    deals: Count | None
    events: tuple[Line, ...] | None


class Reading(Model):
    """An ambiguous clause: how it is read, and what every other reading would do."""

    name: str
    clause: str
    chosen: RuleValue
    meaning: str
    alternatives: tuple[Alternative, ...]


class Variant(Model):
    """The game at another value of a rule that is no reading, priced beside the certified one."""

    rule: str
    value: RuleValue
    wagers: tuple[PricedWager, ...]


class Cell(Model):
    """Deals that end in these values, out of `deals`."""

    row: Values
    column: Values
    combinations: Count
    deals: Count
    probability: Exact


class Distribution(Model):
    """How columns of a space are distributed."""

    name: str
    title: str
    space: str
    strategy: str | None
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    given: tuple[str, ...]
    across: tuple[Values, ...]
    cells: tuple[Cell, ...]


class JointLoss(Model):
    """Expected loss of two bets at one ratio of side to base."""

    ratio: str
    loss: Exact
    edge: Exact | None


class JointPoint(Model):
    """A point of the curve of edges over ratios."""

    ratio: str
    edge: str


class Joint(Model):
    """The best play of two bets at every ratio: where it changes, and what it loses."""

    name: str
    title: str
    base: str
    side: str
    per_unit_of: tuple[str, ...]
    breaks: Count
    ratios: Count
    first: Exact | None
    last: Exact | None
    losses: tuple[JointLoss, ...]
    curve: tuple[JointPoint, ...]


class Covariance(Model):
    """Covariance of the nets of two wagers in the same deals, and their correlation."""

    wager: str
    other: str
    strategy: str | None
    covariance: Exact
    correlation: float


class Figure(Model):
    """A figure in print and what became of it."""

    wager: str
    strategy: str | None
    event: str | None
    rules: Values
    quantity: str
    printed: str
    source: str
    basis: str | None
    ours: Exact | None
    verdict: str
    reason: str
    refuted_because: str | None
    note: str
    fault: str
