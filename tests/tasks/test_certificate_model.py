"""The certificate's schema: what is shipped is what the models say, and SQL alone counts again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import jsonschema
import pyarrow as pa
import pytest

from engine.analysis.analysis import Analysis, analyse
from engine.exact.errors import DealproofError
from engine.spec.loading import load_spec
from tasks.certificate import issue
from tasks.certificate.model import Statement, schema, validated
from tasks.run.plan import make_plan
from tasks.run.reduce import Collected, Coverage

SHIPPED = Path(__file__).parents[2] / "data" / "schema" / "certificate.json"


@pytest.fixture(scope="module")
def exact() -> Analysis:
    return analyse(load_spec("fu-bacc"))


@pytest.fixture(scope="module")
def statement(exact: Analysis) -> Statement:
    covered = tuple(
        Coverage("enumerate", key, 1, 1, table.deals, table.deals, ())
        for key, table in exact.tables.items()
    )
    collected = Collected({"enumerate": exact.tables}, covered, ())
    plan = make_plan(exact.spec, methods=("enumerate",))
    return issue.build(plan, exact, collected, (), (), (), (), "not certified", {"a": "0" * 64})


def test_the_shipped_schema_is_that_of_the_models() -> None:
    assert json.loads(SHIPPED.read_text(encoding="utf-8")) == schema(), (
        "write it anew: python -m tasks.certificate.schema"
    )


def test_a_certificate_is_valid_by_the_shipped_schema(statement: Statement) -> None:
    shipped = json.loads(SHIPPED.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(shipped)
    jsonschema.Draft202012Validator(shipped).validate(statement.document())


def test_a_certificate_reads_back_as_it_was_written(statement: Statement) -> None:
    written = json.loads(json.dumps(statement.document()))
    assert validated(written) == statement


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("predicate", "schema"), 1),
        (("predicate", "wagers", 0, "house_edge", "exact"), "3.05%"),
        (("predicate", "wagers", 0, "events", 0, "combinations"), "many"),
        (("predicate", "wagers", 0, "luck"), 1),
        (("subject", 0, "digest", "sha256"), "0"),
    ],
)
def test_what_is_no_certificate_is_named(
    statement: Statement, path: tuple[str | int, ...], value: object
) -> None:
    spoiled: Any = json.loads(json.dumps(statement.document()))
    inner = spoiled
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(DealproofError, match=f"schema 3: .*{path[-1]}"):
        validated(spoiled)


def test_sql_alone_counts_every_event_again(exact: Analysis, statement: Statement) -> None:
    """The CASE of a wager over its outcome table, in DuckDB, gives the certificate's counts."""
    for result, wager in zip(exact.results, statement.predicate.wagers, strict=True):
        outcome = exact.outcome(result)
        columns = {name: outcome.labels(name) for name in outcome.names}
        columns["combinations"] = [int(count) for count in outcome.combinations]
        database = duckdb.connect(":memory:")
        database.register("outcomes", pa.table(columns))
        counted = dict(
            database.execute(
                f"SELECT {wager.case} AS event, sum(combinations) FROM outcomes GROUP BY event"
            ).fetchall()
        )
        deals = result.priced.deals
        certified: dict[int, int] = {}
        for event in wager.events:
            count = event.combinations * deals // wager.deals
            certified[event.number] = certified.get(event.number, 0) + count
        assert counted == {number: count for number, count in certified.items() if count}
