"""Simulated edges with their intervals: in the check, the certificate, the data and on the page."""

from __future__ import annotations

import copy
import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from engine.analysis.analysis import Analysis, analyse
from engine.cards.streams import BLOCK
from engine.contract.game import Key
from engine.exact.tables import Table
from engine.spec.loading import load_spec
from tasks.catalogue import bi_rows
from tasks.catalogue.bi_rows import Certified
from tasks.certificate import issue
from tasks.certificate.check import Check
from tasks.certificate.goodness_of_fit import CHANCE
from tasks.certificate.model import validated
from tasks.certificate.simulation import simulation
from tasks.report import render
from tasks.run.plan import make_plan
from tasks.run.reduce import Collected, Coverage

#: Fu Bacc's Ante: 3.05% in print (Wizard of Odds), 0.030495606862 to more digits; Lucky Monkey
#: loses 1/17 of each unit: 60,300 of 66,300 deals lose it, and 12 to 1 and more are paid else.
LUCKY = Fraction(1, 17)


def drawn(exact: Analysis) -> dict[Key, Table]:
    """One block of rounds."""
    return exact.game.simulate(0, 1, 1, list(exact.strategies.values()))


def checked(exact: Analysis, tables: dict[Key, Table]) -> Check:
    covered = tuple(Coverage("simulate", key, 1, 1, BLOCK, None, ((0, 1),)) for key in tables)
    return simulation(exact, Collected({"simulate": tables}, covered, ()))


@pytest.fixture(scope="module")
def exact() -> Analysis:
    return analyse(load_spec("fu-bacc"))


@pytest.fixture(scope="module")
def check(exact: Analysis) -> Check:
    return checked(exact, drawn(exact))


@pytest.fixture(scope="module")
def statement(exact: Analysis, check: Check) -> dict[str, Any]:
    plan = make_plan(exact.spec, methods=("enumerate",))
    collected = Collected({"enumerate": exact.tables}, (), ())
    return issue.build(
        plan, exact, collected, [check], (), (), (), "not certified", {"a": "0" * 64}
    ).document()


def test_every_wager_has_its_edge_and_interval(exact: Analysis, check: Check) -> None:
    assert check.verdict == "pass"
    edges = check.evidence["edges"]
    assert [(e["wager"], e["strategy"]) for e in edges] == [r.key for r in exact.results]
    assert check.evidence["family"] == CHANCE
    tests = len(check.evidence["tests"]) + check.evidence["columns"]["tests"]
    assert check.evidence["threshold"] == CHANCE / tests
    assert tests > len(edges) + 30
    assert check.detail.endswith(
        f"{len(edges)} of {len(edges)} exact edges lie in the intervals of the simulated ones"
    )
    for edge in edges:
        assert edge["rounds"] == BLOCK
        simulated, expected = (float(Fraction(edge[k]["exact"])) for k in ("simulated", "expected"))
        assert edge["low"] < simulated < edge["high"]
        assert edge["low"] < expected < edge["high"]
        middle = (edge["low"] + edge["high"]) / 2
        assert middle == pytest.approx(simulated)
        off = (simulated - expected) / edge["standard_error"]
        assert edge["standard_errors"] == pytest.approx(off)


def test_the_standard_error_is_that_of_the_exact_price(check: Check, exact: Analysis) -> None:
    lucky = check.evidence["edges"][-1]
    assert Fraction(lucky["expected"]["exact"]) == LUCKY
    variance = sum(
        (line.net + LUCKY) ** 2 * line.probability
        for line in exact.price("lucky-monkey").priced.lines
    )
    assert lucky["standard_error"] == pytest.approx(math.sqrt(variance / BLOCK))
    # Two-sided quantile of the normal distribution at the check's threshold, z of 5 and some.
    reach = (lucky["high"] - lucky["low"]) / 2 / lucky["standard_error"]
    assert math.erfc(reach / math.sqrt(2)) == pytest.approx(lucky["chance"])


def test_rounds_that_win_too_often_leave_the_interval(exact: Analysis) -> None:
    tables = drawn(exact)
    table = tables["starts", None]
    shifted = table.combinations.copy()
    shifted[np.argmax(shifted)] += BLOCK // 4
    tables["starts", None] = Table(table.features, table.codes, shifted)
    check = checked(exact, tables)
    assert check.verdict == "fail"
    assert "lucky-monkey / None: z = " in check.detail
    holds = {e["wager"]: e["holds"] for e in check.evidence["edges"]}
    assert not holds["lucky-monkey"]


def test_a_rare_prize_is_held_to_bernstein() -> None:
    """Dai Bacc's Six Card Picture: its dearest events expect fewer than 25 of a block's rounds."""
    spec = load_spec("dai-bacc")
    wagers = tuple(spec.wager(name) for name in ("player", "six-card-picture", "six-card-prize"))
    names = " ".join(f"{e.when} {e.pays} {e.staked} {e.under}" for w in wagers for e in w.events)
    read = {"decks"}
    rules = tuple(rule for rule in spec.rules if rule.name in read or rule.name in names)
    result = analyse(spec.model_copy(update={"wagers": wagers, "rules": rules, "published": ()}))
    edges = {edge["wager"]: edge for edge in checked(result, drawn(result)).evidence["edges"]}
    assert {name: edge["by"] for name, edge in edges.items()} == {
        "player": "z", "six-card-picture": "bernstein", "six-card-prize": "bernstein",
    }  # fmt: skip
    prize = edges["six-card-prize"]
    assert prize["quantity"] == "paid_per_round"
    assert Fraction(prize["expected"]["exact"]) == result.price("six-card-prize").paid_per_round
    assert all(edge["holds"] for edge in edges.values())
    assert edges["player"]["quantity"] == "house_edge"


def test_the_page_shows_edges_beside_each_other(
    statement: dict[str, Any], exact: Analysis, check: Check
) -> None:
    page = render(validated(statement), exact.spec, exact.strategies)
    part = page[page.index("<h3>Simulated edges</h3>") :].split("</table>")[0]
    assert part.count('<circle cx="') == len(check.evidence["edges"]) == 7
    assert ">5.8824%<" in part  # Lucky Monkey, exactly
    assert ">3.0496%<" in part  # Ante
    tests = len(check.evidence["tests"]) + check.evidence["columns"]["tests"]
    assert f"once in {tests * 1_000_000:,} runs" in part
    assert "once in 1,000,000." in part
    assert "Bernstein" not in part


def test_the_data_hold_them_too(statement: dict[str, Any]) -> None:
    run = Certified("fu-bacc", "x", validated(json.loads(json.dumps(statement))).predicate)
    schema, fill = bi_rows.TABLES["simulated"]
    rows = bi_rows.table([run], schema, fill, {"fu-bacc": run}).to_pylist()
    assert len(rows) == 7
    lucky = rows[-1]
    assert (lucky["wager"], lucky["strategy"], lucky["quantity"]) == (
        "lucky-monkey", None, "house_edge",
    )  # fmt: skip
    assert lucky["expected_exact"] == "1/17"
    assert lucky["low"] < lucky["simulated"] < lucky["high"]
    assert (lucky["rounds"], lucky["holds"], lucky["by"]) == (BLOCK, True, "z")


def test_totals_are_sums(statement: dict[str, Any], exact: Analysis) -> None:
    lucky = next(w for w in statement["predicate"]["wagers"] if w["wager"] == "lucky-monkey")
    assert lucky["total"]["combinations"] == 66_300
    assert lucky["total"]["probability"]["exact"] == "1"
    assert lucky["total"]["return"]["exact"] == "-1/17"
    page = render(validated(statement), exact.spec, exact.strategies)
    assert page.count('<td class="n">1.000000000</td>') == 7


def test_a_total_of_probabilities_that_is_not_1_is_printed_as_it_is(
    statement: dict[str, Any], exact: Analysis
) -> None:
    wrong = copy.deepcopy(statement)
    lucky = next(w for w in wrong["predicate"]["wagers"] if w["wager"] == "lucky-monkey")
    lucky["events"][-1]["probability"] = {"exact": "1/2", "decimal": "0.5"}
    page = render(validated(wrong), exact.spec, exact.strategies)
    # 6,000 of 66,300 deals win; with the half that was planted 0.590497737….
    assert '<td class="n bad">0.590497738</td>' in page
    assert page.count('<td class="n">1.000000000</td>') == 6
