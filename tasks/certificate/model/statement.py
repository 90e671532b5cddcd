"""The certificate whole, and the in-toto statement that carries it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, ValidationError

from engine.exact.errors import DealproofError
from tasks.certificate.check import Verdict
from tasks.certificate.model.base import Count, Model, Values
from tasks.certificate.model.run import Document, Run, Space, Subject
from tasks.certificate.model.strategies import Strategy, StrategyComparison, ValueTable
from tasks.certificate.model.studies import (
    Covariance,
    Distribution,
    Figure,
    Joint,
    Reading,
    Variant,
)
from tasks.certificate.model.wagers import CertifiedWager

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "urn:dealproof:certificate:v3"
#: Version of the models below; a reader of another one refuses a certificate.
SCHEMA = 3


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

    version: Literal[3] = Field(alias="schema")
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
    wagers: tuple[CertifiedWager, ...]
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
    predicate_type: Literal["urn:dealproof:certificate:v3"] = Field(alias="predicateType")
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
