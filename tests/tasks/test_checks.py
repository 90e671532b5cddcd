"""The checks behind a certificate, each made to fail by a fault that is planted for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import perm

import numpy as np
import pytest

from engine.analysis.analysis import Analysis, analyse
from engine.exact.tables import Table
from engine.spec.loading import load_spec
from engine.studies.agreement import Sample
from tasks.certificate import checks
from tasks.certificate.check import Check
from tasks.certificate.completeness import completeness, conservation, integrity
from tasks.run.executor import run
from tasks.run.jobs import Plan
from tasks.run.reduce import Collected, ReadPart, collect
from tasks.store.store import Store

KEY = ("starts", None)
#: Deals of Fu Bacc: six cards, the first two in no order.
DEALS = perm(52, 6) // 2


@pytest.fixture(scope="module")
def exact() -> Analysis:
    return analyse(load_spec("fu-bacc"))


@pytest.fixture
def collected(cut_plan: Plan, store: Store) -> Collected:
    run(cut_plan, store)
    return collect(cut_plan, store)


def test_integrity_carries_what_was_compared(collected: Collected) -> None:
    check = integrity(collected)
    assert (check.verdict, check.required) == ("pass", True)
    assert check.coverage.startswith("70 of 70 expected partition files; ")
    text = check.evidence
    assert (text["files_expected"], text["files_read"], text["digests_equal"]) == (70, 70, 70)
    assert (text["tables"], text["tables_equal_to_their_parts"]) == (2, 2)
    assert text["rows"] == sum(part.rows for part in collected.parts) > 70
    assert text["bytes"] == sum(part.size for part in collected.parts) > 70 * 1000
    assert [text[what] for what in ("missing", "read_twice", "foreign", "content_changed")] == [
        [], [], [], [],
    ]  # fmt: skip


def without_a_part(result: Collected) -> Collected:
    return replace(result, parts=result.parts[1:])


def doubled(result: Collected) -> Collected:
    return replace(result, parts=(*result.parts, result.parts[3]))


def with_a_stranger(result: Collected) -> Collected:
    stranger = replace(result.parts[0], path="tables/other/part-00000-of-00040.parquet")
    return replace(result, parts=(stranger, *result.parts[1:]))


def changed(result: Collected) -> Collected:
    return replace(result, parts=(replace(result.parts[0], content="0" * 64), *result.parts[1:]))


def merged_wrongly(result: Collected) -> Collected:
    table = result.tables["exhaust"][KEY]
    lost = Table(table.features, table.codes, table.combinations - np.eye(1, len(table), 5).ravel()
                 .astype(np.int64))  # fmt: skip
    return replace(result, tables={**result.tables, "exhaust": {KEY: lost}})


def planned_twice(result: Collected) -> Collected:
    return replace(result, expected=(*result.expected, result.expected[0]))


@pytest.mark.parametrize(
    ("sabotage", "message"),
    [
        (without_a_part, "missing: {0}"),
        (doubled, "read twice: {3}"),
        (with_a_stranger, "missing: {0}; foreign: tables/other/part-00000-of-00040.parquet"),
        (changed, "content changed: {0}"),
        (merged_wrongly, "exhaust of starts: 66,300 combinations in its parts, 66,299 merged"),
        (planned_twice, "expected twice: {0}"),
    ],
)
def test_integrity_names_what_is_not_as_expected(
    collected: Collected, sabotage: Callable[[Collected], Collected], message: str
) -> None:
    paths = [part.path for part in collected.parts]
    check = integrity(sabotage(collected))
    assert check.verdict == "fail"
    for fault in message.format(*paths).split("; "):
        assert fault in check.detail
    assert checks.verdict((check,), (1, 1)) == "not certified: integrity failed"


def test_integrity_of_nothing_is_not_run() -> None:
    assert integrity(Collected({}, (), ())).verdict == "not run"


def test_an_enumeration_with_a_part_left_out_of_its_plan_is_not_complete(
    exact: Analysis, cut_plan: Plan, store: Store
) -> None:
    """Then every part is there, every digest is right, and every wager's events sum to 1."""
    job = cut_plan.jobs[0]
    short = replace(cut_plan, jobs=(replace(job, parts=job.parts[:-1]), cut_plan.jobs[1]))
    run(short, store)
    result = collect(short, store)
    assert integrity(result).verdict == "pass"
    check = completeness(exact, result)
    assert check.verdict == "fail"
    left = sum(part.deals for part in job.parts[:-1])
    assert f"enumerate of starts covers {left:,} of 66,300 (97.5%) deals" in check.detail


def bet(exact: Analysis, tables: dict[tuple[str, str | None], Table]) -> Check:
    return conservation(Analysis(exact.program, tables, exact.strategies))


def test_conservation_covers_every_wager_and_strategy(exact: Analysis) -> None:
    check = conservation(exact)
    assert check.verdict == "pass"
    assert check.coverage == "7 priced wagers, 5 strategies"


def test_conservation_misses_deals(exact: Analysis) -> None:
    """One deal fewer: probabilities sum to 1 over what was priced, and not over the space."""
    tables = dict(exact.tables)
    table = tables[KEY]
    fewer = table.combinations.copy()
    fewer[7] -= 1
    tables[KEY] = Table(table.features, table.codes, fewer)
    check = bet(exact, tables)
    assert check.verdict == "fail"
    assert "lucky-monkey: 66,299 deals priced, 66,300 by closed form" in check.detail
    assert "lucky-monkey: probabilities do not sum to 1" in check.detail


def test_conservation_misses_an_information_set(exact: Analysis) -> None:
    tables = dict(exact.tables)
    table = tables["main", None]
    kept = np.array(table.codes["dealer_up"] != 9, dtype=bool)
    tables["main", None] = table.where(kept)
    check = bet(exact, tables)
    assert check.verdict == "fail"
    assert f"{DEALS:,} by closed form" in check.detail
    assert "ante under optimal: " in check.detail


def test_conservation_misses_a_wager(exact: Analysis) -> None:
    check = bet(exact, {("main", None): exact.tables["main", None]})
    assert check.verdict == "fail"
    assert check.detail.startswith("lucky-monkey: not priced")


def test_conservation_compares_what_a_strategy_is_worth_with_its_price(exact: Analysis) -> None:
    solved = exact.strategies["tie optimal"]
    worth = solved.ev_sum.copy()
    worth[11, solved.action[11]] += 1
    strategies = {**exact.strategies, "tie optimal": replace(solved, ev_sum=worth)}
    check = conservation(Analysis(exact.program, exact.tables, strategies))
    priced = -exact.price("tie", "tie optimal").priced.house_edge
    wrong = priced + Fraction(1, solved.unit * DEALS)
    assert check.verdict == "fail"
    assert check.detail == f"strategy tie optimal: worth {wrong} as solved, {priced} as priced"


def test_conservation_prices_strategies_that_solve_for_themselves() -> None:
    """Also one that no wager is priced under, which has no table in the run."""
    spec = load_spec("double-ace")
    wager = spec.wager("base").model_copy(update={"strategies": ("optimal",)})
    bare: dict[str, object] = dict.fromkeys(
        ("charts", "values", "distributions", "published", "joint"), ()
    )
    both = tuple(spec.strategy(name) for name in ("optimal", "never double"))
    part = spec.model_copy(update={**bare, "wagers": (wager,), "strategies": both})
    part = part.model_copy(update={"rules": tuple(
        rule for rule in spec.rules if rule.name not in ("bonus_pays",)
    )})  # fmt: skip
    result = analyse(part)
    check = conservation(result)
    assert (check.verdict, check.coverage) == ("pass", "1 priced wagers, 2 strategies")
    solved = result.strategies["never double"]
    wrong = replace(solved, unit=solved.unit * 2)
    again = {**result.strategies, "never double": wrong}
    check = conservation(Analysis(result.program, result.tables, again))
    assert check.verdict == "fail"
    assert "strategy never double: worth " in check.detail


def one(value: str, difference: str = "", read: bool = True, telling: bool = True) -> Sample:
    return Sample(
        "ace", value, "main", None, ((0, 4),), 25, 1000, 12, read, telling, difference
    )  # fmt: skip


def test_readings_are_not_run_without_exhaustion() -> None:
    (check,) = checks.sampled(None)
    assert (check.name, check.required, check.verdict) == ("readings", True, "not run")
    assert checks.verdict((check,), (1, 1)) == "not certified: readings not run"
    assert checks.sampled(()) == ()


def test_readings_tell_what_they_cover() -> None:
    (check,) = checks.sampled([one("low"), one("both", telling=False), one("any", read=False)])
    assert check.verdict == "pass"
    assert check.coverage == (
        "3 readings and variants, 3 tables; of each 2.5% to 2.5% of its deals; 2 move cells of "
        "their sample; read by wagers alone: 1; no deal of the sample tells ace = both from the "
        "certified rules"
    )
    assert check.detail == "equal in all 36 cells"
    assert check.evidence["samples"][0]["ranges"] == [[0, 4]]


def test_a_reading_that_disagrees_is_named() -> None:
    wrong = one("high", "enumerate 2, exhaust 3 at winner = tie")
    (check,) = checks.sampled([one("low"), wrong])
    assert check.verdict == "fail"
    assert check.detail == "ace = high: main: enumerate 2, exhaust 3 at winner = tie"


def test_every_part_tells_its_content(collected: Collected) -> None:
    assert all(isinstance(part, ReadPart) for part in collected.parts)
    assert {part.key for part in collected.parts} == {KEY}
    assert sum(p.counted for p in collected.parts if p.method == "exhaust") == 66_300
