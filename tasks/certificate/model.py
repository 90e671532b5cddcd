"""The certificate as typed, frozen models: what it holds is declared here and nowhere else.

`schema()` writes them as JSON Schema, which is shipped with the data so that other software can
read certificates. Numbers are exact: rationals are text beside decimals, integers beyond 2^53 are
text, since readers of JSON round them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
    WithJsonSchema,
    create_model,
)

from engine.exact.errors import DealproofError
from engine.exact.rendering import document
from engine.exact.roots import Real, read
from engine.pricing.statistics import STATISTICS
from tasks.certificate.check import Verdict

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "urn:dealproof:certificate:v2"
#: Version of the models below; a reader of another one refuses a certificate.
SCHEMA = 2


class Model(BaseModel):
    """Frozen, and closed to unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


def _integer(value: Any) -> Any:
    return int(value) if isinstance(value, str) else value


#: An integer; beyond 2^53 its digits as text.
Count = Annotated[
    int,
    BeforeValidator(_integer),
    PlainSerializer(document, return_type=Any),
    WithJsonSchema(
        {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": "^-?[0-9]{16,}$"}]}
    ),
]
RuleValue = int | str
Values = Mapping[str, RuleValue]
#: A rational as text, such as ``61/2000``.
Text = Annotated[str, Field(pattern=r"^-?[0-9]+(/[0-9]+)?$")]


class Exact(Model):
    """A number: exactly (``61/2000``, or ``sqrt(3/4)`` for a square root), and in decimals."""

    exact: str = Field(pattern=r"^-?([0-9]+(/[0-9]+)?|sqrt\([0-9]+(/[0-9]+)?\))$")
    decimal: str = Field(pattern=r"^-?[0-9]+\.[0-9]+$")

    @property
    def value(self) -> Real:
        """The number itself."""
        return read(self.exact)


class Digest(Model):
    """The SHA-256 of a file, in hexadecimal."""

    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class Subject(Model):
    """A file of the run: its path in the store."""

    name: str
    digest: Digest


class Document(Model):
    """What a laboratory files it under. A revision replaces the document that it supersedes."""

    number: str
    revision: int = Field(ge=1)
    supersedes: str | None


class Coverage(Model):
    """What one method covers of one table; `deals_total` is None for rounds, which have no end."""

    method: str
    space: str
    strategy: str | None
    partitions: int
    partitions_total: int
    deals: Count
    deals_total: Count | None


class Software(Model):
    """What computed it."""

    version: str
    commit: str
    engine_digest: str


class Environment(Model):
    """Where it was computed."""

    python: str
    platform: str
    processor: str
    cores: int | None
    packages: Mapping[str, str]


class Run(Model):
    """One run: methods and what they cover, seed, software and machine."""

    id: str
    issued: AwareDatetime
    methods: tuple[str, ...]
    coverage: tuple[Coverage, ...]
    software: Software
    environment: Environment
    seed: Count
    rounds: Count


class Space(Model):
    """A set of deals with its exact total. `denominators`: basis of counts → deals in it."""

    name: str
    title: str
    deals: Count
    starts: Count
    denominators: Mapping[str, Count]
    columns: Mapping[str, str]


class Line(Model):
    """One line of a pay table; what depends on pays is None where the table is not known."""

    event: str
    pays: str | None
    staked: Text | None
    net: Text | None
    combinations: Count
    probability: Exact
    returned: Exact | None = Field(alias="return")
    true_odds: Exact | None


class Event(Line):
    """A line of a pay table with its condition. The first event that holds settles the bet.

    `number`: of the event among those of the wager, as `case` gives it; an event whose stake
    differs from deal to deal has several lines. `condition`: as the spec writes it; `sql`,
    `staked_sql`: it and the stake over the columns of the space's outcome table, with the rules in
    place.
    """

    number: int
    condition: str
    sql: str
    staked_sql: str


class Total(Model):
    """The lines of a pay table added up."""

    combinations: Count
    probability: Exact
    returned: Exact | None = Field(alias="return")


class Figures(Model):
    """What a wager's printed figures come to."""

    printed: int
    tried: int
    met: int
    recovered: int
    worst: str
    edge: str
    verdict: str


class _Priced(Model):
    """A wager priced under one strategy; statistics that it does not have are None.

    `headline` names the statistic that the wager is known by, `headline_reason` why that is not
    the house edge. `case`: SQL over the space's outcome table that gives the number of the event
    that settles every row.
    """

    wager: str
    title: str
    rule: str
    strategy: str | None
    strategy_title: str | None
    method: str
    space: str
    basis: str
    deals: Count
    priced: bool
    case: str
    events: tuple[Event, ...]
    headline: str | None
    headline_reason: str
    total: Total


_STATISTICS: Any = {
    statistic.name: (Exact | None, Field(description=f"{statistic.meaning} ({statistic.unit})"))
    for statistic in STATISTICS
}
#: A priced wager: `_Priced` and a field for each of `engine.pricing.statistics.STATISTICS`.
PricedWager = create_model("PricedWager", __base__=_Priced, **_STATISTICS)


class _Wager(PricedWager):  # type: ignore[misc, valid-type]
    """A certified wager, with what its printed figures come to."""

    recovered_from: tuple[str, ...]
    figures: Figures


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
    wagers: tuple[PricedWager, ...]  # type: ignore[valid-type]


class TiedEdge(Model):
    """Least and greatest house edge of a wager over every choice among equal actions."""

    wager: str
    least: Exact
    greatest: Exact


class Ties(Model):
    """Information sets in which a strategy's criterion holds several actions best."""

    sets: Count
    differing: Count | None
    rule: str
    optimum: bool
    edges: tuple[TiedEdge, ...] | None


class Together(Model):
    """Bets that a strategy maximises at once: their loss, per unit put up and per unit staked."""

    wagers: Mapping[str, str]
    loss: Exact
    per_unit_of: tuple[str, ...]
    units_put_up: Exact
    edge: Exact | None
    units_staked: Exact | None
    element_of_risk: Exact | None


class Strategy(Model):
    """A strategy: what it decides by, its size, its digest, and its ties.

    `words`: as a person would follow it; `alike`: which hands one information set stands for.
    """

    name: str
    title: str
    space: str
    information: tuple[str, ...]
    sets: Count
    actions: tuple[str, ...]
    digest: str
    words: tuple[str, ...]
    alike: str | None
    ties: Ties | None
    together: Together | None


class StrategyException(Model):
    """An information set where two strategies differ, and what that costs."""

    information: Values
    better: str
    worse: str
    hands: Count | None
    probability: Exact
    cost: Exact


class StrategyComparison(Model):
    """Where one strategy leaves another, dearest first; all exceptions stand in the data."""

    strategy: str
    against: str
    count: Count
    cost: Exact
    exceptions: tuple[StrategyException, ...]


class ValueGroup(Model):
    """Information sets that share some values, and what each action is worth there."""

    information: Values
    sets: Count
    probability_by_cards: Exact
    probability_reached: Exact
    taken: tuple[str, ...]
    ev_by_cards: Mapping[str, Exact | None]
    ev_reached: Mapping[str, Exact | None]


class ValueTable(Model):
    """What every action of a strategy is worth, its information sets summed up by columns."""

    title: str
    strategy: str
    by: tuple[str, ...]
    actions: tuple[str, ...]
    groups: tuple[ValueGroup, ...]


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


class SharedPart(Model):
    """A part that a game's methods share, and the closed counts by which it is tested."""

    name: str
    module: str
    description: str
    counts: Mapping[str, Count]


class CheckResult(Model):
    """A check: what it covered, its verdict, and figures as evidence."""

    name: str
    title: str
    required: bool
    verdict: Verdict
    coverage: str
    detail: str
    evidence: Mapping[str, Any]


class Certificate(Model):
    """Everything that a run certifies."""

    version: Literal[2] = Field(alias="schema")
    document: Document
    game: str
    title: str
    summary: str
    source: str
    play: tuple[str, ...]
    assumptions: tuple[str, ...]
    applicant: str | None
    rules: Values
    clauses: Mapping[str, str]
    readings: tuple[Reading, ...]
    run: Run
    spaces: tuple[Space, ...]
    wagers: tuple[_Wager, ...]
    variants: tuple[Variant, ...]
    strategies: tuple[Strategy, ...]
    comparisons: tuple[StrategyComparison, ...]
    values: tuple[ValueTable, ...]
    distributions: tuple[Distribution, ...]
    joint: tuple[Joint, ...]
    covariances: tuple[Covariance, ...]
    published: tuple[Figure, ...]
    shared: tuple[SharedPart, ...]
    checks: tuple[CheckResult, ...]
    verdict: str


class Statement(Model):
    """An in-toto statement whose subjects are the run's files."""

    kind: Literal["https://in-toto.io/Statement/v1"] = Field(alias="_type")
    subject: tuple[Subject, ...]
    predicate_type: Literal["urn:dealproof:certificate:v2"] = Field(alias="predicateType")
    predicate: Certificate

    def document(self) -> dict[str, Any]:
        """The statement as JSON has it."""
        return self.model_dump(mode="json", by_alias=True)


def validated(given: Any) -> Statement:
    """Read a statement; raise DealproofError that names the first key at fault."""
    try:
        return Statement.model_validate(given)
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(map(str, fault["loc"]))
        raise DealproofError(f"not a certificate of schema {SCHEMA}: {place}") from None


def schema() -> dict[str, Any]:
    """The JSON Schema of a statement."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": PREDICATE,
        **Statement.model_json_schema(by_alias=True, mode="serialization"),
    }
