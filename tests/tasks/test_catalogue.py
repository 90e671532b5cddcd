"""The catalogue: certificates as SQL tables, every integer exact."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import perm
from pathlib import Path
from typing import Any

import duckdb
import pytest

from engine.analysis.analysis import Analysis
from engine.analysis.binding import bind
from engine.exact.errors import DealproofError
from engine.spec.model import Spec
from engine.studies.published import compare
from engine.studies.readings import readings
from tasks.catalogue.catalogue import DATABASE, query, refresh
from tasks.certificate import checks, issue
from tasks.certificate.model import STATEMENT
from tasks.certificate.reading import OtherVersionError, read_statement
from tasks.run.executor import run
from tasks.run.jobs import Plan
from tasks.run.plan import make_plan
from tasks.run.reduce import collect
from tasks.store.parquet import table_bytes
from tasks.store.store import Store

DEALS = perm(52, 6) // 2


def certify(plan: Plan, store: Store) -> dict[str, Any]:
    """Run a plan and leave its certificate and outcome tables in the store."""
    run(plan, store)
    collected = collect(plan, store)
    outcome = Analysis(plan.program, collected.tables["enumerate"])
    comparisons = compare(outcome, plan.spec.rule_values)
    done = checks.run_checks(outcome, collected, comparisons)
    verdict = checks.verdict(done, (0, 1))
    statement = issue.build(
        plan, outcome, collected, done, comparisons, readings(outcome), (), verdict,
        dict(collected.files),
    ).document()  # fmt: skip
    for result in outcome.results:
        name = f"{result.space}--{result.key[1] or 'every-action'}"
        data = table_bytes(outcome.outcome(result), {"game": plan.game})
        store.write(f"{plan.folder}/outcomes/{name}.parquet", data)
    store.write(f"{plan.folder}/certificate.json", json.dumps(statement).encode())
    return statement


@pytest.fixture(scope="module")
def original(spec: Spec, tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Fu Bacc enumerated and simulated, and once more with two decks."""
    store = Store.open(str(tmp_path_factory.mktemp("catalogue")))
    for each in (spec, spec.under({"decks": 2})):
        certify(make_plan(each, methods=("enumerate", "simulate"), rounds=1), store)
    refresh(store)
    return store


@pytest.fixture
def store(original: Store, tmp_path: Path) -> Store:
    """A copy of its own, in another place."""
    shutil.copytree(original.uri, tmp_path / "copy")
    return Store.open(str(tmp_path / "copy"))


def rows(store: Store, sql: str) -> list[tuple[Any, ...]]:
    """Rows of an answer."""
    return query(store, sql)[1]


def test_every_table_is_there(original: Store) -> None:
    names = ("games", "runs", "wagers", "events", "strategies", "checks", "published", "readings",
             "simulated", "covariances", "outcomes_fu_bacc")  # fmt: skip
    unused = ("variants", "variant_events", "reading_events", "action_values", "distributions")
    values = tuple(sorted(f"{name}.parquet" for name in (*names, *unused)))
    assert original.names("catalogue") == values
    for name in names:
        assert rows(original, f"SELECT count(*) FROM {name}")[0][0] > 0


def test_runs_and_games_are_told(original: Store) -> None:
    text = rows(original, "SELECT game, runs, certified, verdict FROM games")
    assert text == [("fu-bacc", 2, False, "not certified: apart, agreement not run")]
    sql = "SELECT methods, rounds, seed, latest FROM runs ORDER BY issued, latest"
    assert rows(original, sql) == [
        ("enumerate, simulate", 1 << 20, 1, False),
        ("enumerate, simulate", 1 << 20, 1, True),
    ]
    assert rows(original, "SELECT rules->>'decks' FROM runs ORDER BY 1") == [("1",), ("2",)]


def test_wagers_name_the_figure_that_they_are_known_by(original: Store) -> None:
    """All of Fu Bacc's bets are put up before every deal, and lose no more than is staked."""
    text = rows(original, "SELECT DISTINCT headline, headline_reason FROM wagers")
    assert text == [("house_edge", "")]


def test_bets_of_one_strategy_have_one_edge(original: Store) -> None:
    """Ante and Tie are one unit each: their losses add up, over two units."""
    sql = """
        SELECT s.bets, s.per_unit_of, s.units_put_up_exact, s.edge_exact, s.loss_exact,
               list(w.house_edge_exact), list(w.average_wager_exact),
               s.units_staked_exact, s.element_of_risk_exact
        FROM strategies s JOIN wagers w USING (run, strategy)
        WHERE s.strategy = 'ante and tie' GROUP BY ALL
    """
    result = rows(original, sql)
    assert len(result) == 2
    for bets, of, units, edge, loss, edges, stakes, staked, risk in result:
        assert (json.loads(bets), of, units) == ({"ante": "1", "tie": "1"}, "ante, tie", "2")
        assert Fraction(loss) == sum(map(Fraction, edges))
        assert Fraction(edge) == Fraction(loss) / 2
        assert Fraction(staked) == sum(map(Fraction, stakes))
        assert Fraction(risk) == Fraction(loss) / Fraction(staked)
    assert rows(
        original,
        "SELECT count(*) FROM strategies WHERE strategy = 'optimal' "
        "AND bets IS NULL AND edge IS NULL AND per_unit_of IS NULL",
    ) == [(2,)]


def test_strategies_stand_in_words_and_name_their_classes(original: Store) -> None:
    sql = "SELECT DISTINCT words, alike FROM strategies WHERE strategy = 'tie published'"
    ((words, alike),) = rows(original, sql)
    # Wizard of Odds, the Tie's strategy: stand on a total that ties already, and on 6 or more
    assert words.splitlines()[1] == (
        "1. stand if the player's total equals the dealer's up-card or the player's total is "
        "6 or more"
    )
    assert alike == "of the same point values against an up-card of the same value"


def test_columns_say_what_they_hold(original: Store, spec: Spec) -> None:
    sql = "SELECT column_name, comment FROM duckdb_columns() WHERE table_name = ?"
    with duckdb.connect(original.locate(DATABASE), read_only=True) as database:
        message = dict(database.execute(sql, ["outcomes_fu_bacc"]).fetchall())
    described = {f.name: f.description for s in bind(spec).game.spaces for f in s.features}
    assert len(described.keys() & message.keys()) > 5
    assert {name: message[name] for name in described if name in message} == {
        name: text for name, text in described.items() if name in message
    }
    assert message["combinations"] == "deals, in the basis of the space"


def test_events_are_the_published_counts(original: Store) -> None:
    sql = """
        SELECT p.printed, e.combinations FROM published p JOIN events e USING (run, wager, event)
        WHERE p.quantity = 'combinations' AND p.verdict = 'match'
          AND e.strategy IS NOT DISTINCT FROM p.strategy
    """
    result = rows(original, sql)
    assert len(result) == 6 + 1 + 6
    for printed, ours in result:
        assert type(ours) is int
        assert ours == int(printed.replace(",", ""))


def test_sums_are_exact_integers(original: Store) -> None:
    columns, result = query(
        original,
        """SELECT space, strategy, sum(combinations) AS deals FROM outcomes_fu_bacc JOIN runs
           USING (run) WHERE rules->>'decks' = '1' GROUP BY ALL ORDER BY ALL""",
    )
    assert columns == ("space", "strategy", "deals")
    assert len(result) == 6
    assert {row[0]: row[2] for row in result} == {"main": DEALS, "starts": 66_300}
    assert all(type(row[2]) is int for row in result)
    sql = "SELECT max(deals) * 1000000000000000000 FROM events"
    assert rows(original, sql) == [(perm(104, 6) // 4 * 10**18,)]


def test_a_quotient_of_counts_is_a_float(original: Store) -> None:
    assert rows(original, "SELECT typeof(combinations / deals) FROM events LIMIT 1") == [
        ("DOUBLE",)
    ]


def test_rationals_stand_exactly_beside_floats(original: Store) -> None:
    sql = "SELECT house_edge, house_edge_exact FROM wagers WHERE wager = 'lucky-monkey'"
    assert (1 / 17, "1/17") in rows(original, sql)
    for shown, exact in rows(original, "SELECT return, return_exact FROM events"):
        assert shown == float(Fraction(exact))
    sql = """SELECT run, wager, strategy, list(probability_exact) FROM events GROUP BY ALL"""
    for _, _, _, shares in rows(original, sql):
        assert sum(map(Fraction, shares)) == 1


def test_any_tool_opens_the_database_and_reads_the_same(store: Store) -> None:
    refresh(store)
    with duckdb.connect(store.locate("catalogue.duckdb"), read_only=True) as database:
        sql = "SELECT * FROM events ORDER BY ALL"
        mine = database.execute(sql).fetchall()
        views = database.execute(
            "SELECT view_name FROM duckdb_views() WHERE NOT internal"
        ).fetchall()
        tags = database.execute(
            "SELECT tags FROM duckdb_databases() WHERE database_name = 'catalogue'"
        ).fetchall()
    assert {name for (name,) in views} == {
        name.removesuffix(".parquet") for name in store.names("catalogue")
    }
    assert "v1.0.0" in str(tags)
    exact = [tuple(int(v) if isinstance(v, Decimal) else v for v in row) for row in mine]
    assert exact == rows(store, sql)


def test_a_reader_does_not_block_a_refresh(store: Store, whole: Plan) -> None:
    refresh(store)
    with duckdb.connect(store.locate("catalogue.duckdb"), read_only=True) as database:
        (before,) = database.execute("SELECT count(*) FROM runs").fetchall()
        certify(replace(whole, run="again", jobs=whole.jobs[:2]), store)
        refresh(store)
        assert before == (2,)
    with duckdb.connect(store.locate("catalogue.duckdb"), read_only=True) as database:
        assert database.execute("SELECT count(*) FROM runs").fetchall() == [(3,)]
    assert rows(store, "SELECT latest_run FROM games") == [("again",)]
    # Outcomes hold the latest run of every setting of the rules.
    assert rows(store, "SELECT count(DISTINCT run) FROM outcomes_fu_bacc") == [(2,)]


def test_a_bucket_has_a_catalogue_too(original: Store, bucket: str) -> None:
    there = Store.open(bucket.format("catalogue"))
    for path in original.files("runs"):
        there.write(path, original.read(path))
    refresh(there)
    sql = "SELECT * FROM wagers ORDER BY ALL"
    assert rows(there, sql) == rows(original, sql)


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELEC 1", "Parser Error: syntax error"),
        ("SELECT * FROM nothing", "Table with name nothing does not exist"),
        ("SELECT no FROM runs", "no"),
        ("SELECT * FROM read_csv('/etc/passwd')", "disabled by configuration"),
        ("COPY runs TO '/tmp/runs.csv'", "expected one SELECT"),
        ("ATTACH '/tmp/x.duckdb'", "expected one SELECT"),
        ("SET enable_external_access = true", "expected one SELECT"),
        ("CREATE TABLE x(a int)", "expected one SELECT"),
        ("SELECT 1; DROP TABLE wagers", "expected one SELECT"),
        ("  ", "expected one SELECT"),
    ],
)
def test_questions_that_cannot_be_answered(original: Store, sql: str, message: str) -> None:
    with pytest.raises(DealproofError) as error:
        query(original, sql)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert str(error.value).endswith("simulated, strategies, variant_events, variants, wagers")


def test_an_empty_store_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(DealproofError, match="no catalogue; certify a game first"):
        query(Store.open(str(tmp_path)), "SELECT 1")


def test_a_broken_certificate_is_named(store: Store) -> None:
    game = store.names("runs")[0]
    path = f"runs/{game}/{store.names(f'runs/{game}')[0]}/certificate.json"
    store.write(path, b"{}")
    with pytest.raises(DealproofError, match=r"certificate\.json: not a certificate"):
        refresh(store)


def test_a_certificate_of_another_version_is_left_out(store: Store) -> None:
    """What schema 1 was: the version before this one named it in its predicate type."""
    old = {"_type": STATEMENT, "predicateType": "urn:dealproof:certificate:v1", "predicate": {}}
    path = "runs/game=fu-bacc/run=0000000000000001/certificate.json"
    store.write(path, json.dumps(old).encode())
    before = query(store, "SELECT run FROM runs")
    (reason,) = refresh(store)
    assert reason.endswith(f"{path}: a certificate of schema 1; this version reads schema 3")
    assert query(store, "SELECT run FROM runs") == before
    with pytest.raises(OtherVersionError, match="schema 1"):
        read_statement("fu-bacc", "0000000000000001", store)


@pytest.fixture(autouse=True)
def nothing_is_written_by_questions(original: Store) -> Iterator[None]:
    """No test changes the original."""
    before = original.files("")
    yield
    assert original.files("") == before
