"""Other readings of a game's rules: what they do to a wager, in certificate, data and report."""

from __future__ import annotations

from math import comb
from typing import Any

import pytest

from engine.analysis.analysis import Analysis, analyse
from engine.spec.loading import load_spec
from engine.studies.readings import readings
from tasks.catalogue import bi_rows
from tasks.catalogue.bi_rows import Certified
from tasks.certificate import issue
from tasks.certificate.model import validated
from tasks.report import render
from tasks.run.plan import make_plan
from tasks.run.reduce import Collected, Coverage

#: Full houses of one suit with six decks: two ranks, three and two of six copies each.
SUITED_HOUSES = 4 * 10 * 9 * comb(6, 3) * comb(6, 2)
#: Flushes above which a full house ranks: five of a suit's 60 cards, but straight flushes, and
#: hands of three of a kind and a pair, four or five of a kind in one suit.
FLUSHES = (
    4 * comb(60, 5)
    - 4 * 6 * 6**5
    - SUITED_HOUSES
    - 4 * 10 * 9 * comb(6, 4) * 6
    - 4 * 10 * comb(6, 5)
)


def state(result: Analysis) -> dict[str, Any]:
    """The certificate of an enumeration with its readings."""
    spec = result.spec
    covered = tuple(
        Coverage("enumerate", key, 1, 1, table.deals, table.deals, ())
        for key, table in result.tables.items()
    )
    collected = Collected({"enumerate": result.tables}, covered, ())
    plan = make_plan(spec, methods=("enumerate",))
    return issue.build(
        plan, result, collected, (), (), readings(result), (), "not certified", {}
    ).document()


@pytest.fixture(scope="module")
def bonus() -> tuple[dict[str, Any], Analysis]:
    """Double Ace's five-card bonus alone, without a pay table."""
    spec = load_spec("double-ace")
    rules = tuple(r for r in spec.rules if r.name in ("decks", "flush_beats", "long_hand"))
    engine_rules = tuple(r for r in spec.rules if r not in rules)
    fixed = tuple(r.model_copy(update={"reading": False}) for r in engine_rules)
    bare: dict[str, object] = dict.fromkeys(
        ("charts", "values", "distributions", "published", "joint"), ()
    )
    wagers = (spec.wager("base"), spec.wager("player-five"))
    order = {rule.name: rule for rule in (*rules, *fixed)}
    part = spec.model_copy(
        update={**bare, "wagers": wagers, "rules": tuple(order[r.name] for r in spec.rules)}
    )
    result = analyse(part)
    return state(result), result


def test_a_reading_that_moves_counts_alone_is_told_with_its_counts(
    bonus: tuple[dict[str, Any], Analysis],
) -> None:
    text = {r["name"]: r for r in bonus[0]["predicate"]["readings"]}
    assert set(text) == {"flush_beats", "long_hand"}
    by_value = {
        (name, a["value"]): a
        for name, reading in text.items()
        for a in reading["alternatives"]
        if a["wager"] == "player-five"
    }
    assert {a["effect"] for a in by_value.values()} == {"changes the counts"}
    assert all(a["house_edge"] is a["change"] is None for a in by_value.values())
    flush = by_value["flush_beats", "full house"]
    counts = {event["event"]: event["combinations"] for event in flush["events"]}
    assert sum(counts.values()) == flush["deals"] == comb(240, 5)
    assert counts["Flush"] == FLUSHES + SUITED_HOUSES == 21_626_784
    # A hand of six own cards comes by one order of 2-A-A-A-A; then it loses.
    long = by_value["long_hand", "no bonus"]
    lost = next(e["combinations"] for e in long["events"] if e["event"].startswith("No bonus"))
    assert lost * 240 * 239 * 238 * 237 * 236 == long["deals"] * 24 * 24 * 23 * 22 * 21
    for reading in text.values():
        base = [a for a in reading["alternatives"] if a["wager"] == "base"]
        assert {a["effect"] for a in base} == {"none"}
        assert {a["change"]["exact"] for a in base} == {"0"}
        assert {a["events"] for a in base} == {None}


def test_the_report_and_the_data_say_so_too(bonus: tuple[dict[str, Any], Analysis]) -> None:
    said, result = bonus
    page = render(validated(said), result.spec, result.strategies)
    group = page[page.index("<b>flush beats: full house</b>") :].split("</tbody>")[0]
    assert f"Flush {FLUSHES:,} → {FLUSHES + SUITED_HOUSES:,}" in group
    assert "No effect: Base bet (optimal)" in group
    group = page[page.index("<b>long hand: no bonus</b>") :].split("</tbody>")[0]
    assert f" of {comb(240, 5):,} → " in group
    run = Certified("double-ace", "x", validated(said).predicate)
    rows = bi_rows.table([run], *bi_rows.TABLES["readings"], {"double-ace": run}).to_pylist()
    mine = [row for row in rows if row["wager"] == "player-five"]
    assert {row["effect"] for row in mine} == {"changes the counts"}
    assert {row["house_edge"] for row in mine} == {row["change_exact"] for row in mine} == {None}
    assert [(row["rule"], row["value"], row["chosen"]) for row in mine] == [
        ("flush_beats", "full house", "straight"),
        ("flush_beats", "four of a kind", "straight"),
        ("long_hand", "best five", "first five"),
        ("long_hand", "no bonus", "first five"),
    ]
    schema, fill = bi_rows.TABLES["reading_events"]
    events = bi_rows.table([run], schema, fill, {"double-ace": run}).to_pylist()
    (flush,) = (e for e in events if (e["value"], e["event"]) == ("full house", "Flush"))
    assert (flush["rule"], flush["combinations"], flush["deals"]) == (
        "flush_beats", FLUSHES + SUITED_HOUSES, comb(240, 5),
    )  # fmt: skip
    # Readings and variants name a change of a rule alike.
    assert {"rule", "value"} < set(bi_rows.TABLES["readings"][0].names)
    assert {"rule", "value"} < set(bi_rows.TABLES["variants"][0].names)


def test_no_effect_says_its_proof() -> None:
    spec = load_spec("red-green")
    reading = [r for r in spec.rules if r.name != "three_deuces"]
    fixed = {r.name: r.model_copy(update={"reading": False}) for r in reading}
    rules = tuple(fixed.get(r.name, r) for r in spec.rules)
    bare = dict.fromkeys(("published", "charts"), ())
    result = analyse(spec.model_copy(update={"rules": rules, **bare}))
    (only,) = {(a.effect, a.value) for a in readings(result)}
    assert only == ("none", "loses")
    page = render(validated(state(result)), result.spec, {})
    group = page[page.index("<b>three deuces: loses</b>") :].split("</tbody>")[0]
    assert "each edge is the same fraction, and each event has the same share" in group
