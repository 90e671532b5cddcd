"""Variants: priced, compared, in the data, on the page."""

from __future__ import annotations

import re
from fractions import Fraction
from math import comb, perm
from pathlib import Path
from typing import Any

import pytest

from engine.analysis.analysis import Analysis, analyse
from engine.exact.errors import DealproofError
from engine.spec.figures import Published
from engine.spec.loading import load_spec, spec_path
from engine.spec.model import Spec
from engine.studies.printed import figures_met
from engine.studies.published import compare
from engine.studies.variants import priced_variants
from tasks.catalogue import bi_rows
from tasks.catalogue.bi_rows import Certified
from tasks.certificate import issue
from tasks.certificate.model import validated
from tasks.conclude import _summary
from tasks.report import render
from tasks.run.plan import make_plan
from tasks.run.reduce import Collected, Coverage

#: House edge of Player by number of decks: Wizard of Odds, Baccarat; with one deck from Yui-Bin
#: Chen, Mini Baccarat: 45.9624% − 44.6760%.
PLAYER = {1: "1.2864%", 6: "1.2374%", 8: "1.2351%"}


def part(game: str, *wagers: str) -> Spec:
    """A game with these wagers alone."""
    spec = load_spec(game)
    kept = tuple(spec.wager(name) for name in wagers)
    figures = tuple(f for f in spec.published if f.wager in wagers)
    return spec.model_copy(update={"wagers": kept, "published": figures})


def state(spec: Spec) -> tuple[dict[str, Any], Analysis]:
    """The certificate of an enumeration, its variants priced."""
    result = analyse(spec)
    variants = priced_variants(spec)
    covered = tuple(
        Coverage("enumerate", key, 1, 1, table.deals, table.deals, ())
        for key, table in result.tables.items()
    )
    collected = Collected({"enumerate": result.tables}, covered, ())
    figures = compare(result, spec.rule_values, [variant.analysis for variant in variants])
    plan = make_plan(spec, methods=("enumerate",))
    said = issue.build(
        plan, result, collected, (), figures, (), (), "not certified", {}, variants
    ).document()
    return said, result


@pytest.fixture(scope="module")
def dai_bacc() -> tuple[dict[str, Any], Analysis]:
    spec = part("dai-bacc", "player-dealer", "player")
    unread = ("kill_when", "dollar_kept", "seats")
    rules = tuple(rule for rule in spec.rules if rule.name not in unread)
    return state(spec.model_copy(update={"rules": rules}))


def test_every_deck_count_stands_in_the_certificate(
    dai_bacc: tuple[dict[str, Any], Analysis],
) -> None:
    said = dai_bacc[0]["predicate"]
    assert [(s["rule"], s["value"]) for s in said["variants"]] == [
        ("decks", decks) for decks in range(1, 8)
    ]
    edges = {s["value"]: s["wagers"][1] for s in said["variants"]} | {8: said["wagers"][1]}
    for decks, printed in PLAYER.items():
        assert edges[decks]["deals"] == perm(52 * decks, 6)
        assert f"{float(Fraction(edges[decks]['house_edge']['exact'])):.4%}" == printed


def test_variants_are_rows_of_two_tables(dai_bacc: tuple[dict[str, Any], Analysis]) -> None:
    run = Certified("dai-bacc", "x", validated(dai_bacc[0]).predicate)
    wagers, events = (
        bi_rows.table([run], *bi_rows.TABLES[name], {"dai-bacc": run}).to_pylist()
        for name in ("variants", "variant_events")
    )
    assert len(wagers) == 7 * 2
    assert {(row["rule"], row["value"]) for row in wagers} == {
        ("decks", str(d)) for d in range(1, 8)
    }
    (six,) = (row for row in wagers if (row["value"], row["wager"]) == ("6", "player"))
    assert Fraction(six["house_edge_exact"]) == pytest.approx(six["house_edge"])
    assert f"{six['house_edge']:.4%}" == PLAYER[6]
    lines = [row for row in events if (row["value"], row["wager"]) == ("6", "player")]
    assert sum(int(row["combinations"]) for row in lines) == six["deals"] == perm(312, 6)


def test_deck_counts_stand_side_by_side_on_the_page(
    dai_bacc: tuple[dict[str, Any], Analysis],
) -> None:
    statement, result = dai_bacc
    page = render(validated(statement), result.spec, {})
    section = page[page.index('id="variants"') :]
    section = section[: section.index("</section>")]
    assert re.findall(r'class="n">(\d[^<]*)</th>', section) == [
        *map(str, range(1, 8)), "8 (certified)",
    ]  # fmt: skip
    row = next(r for r in section.split("<tr>") if r.startswith('<th scope="row">Player hand<'))
    shown = re.findall(r">(\d\.\d{4}%)<", row)
    assert {decks: shown[decks - 1] for decks in PLAYER} == PLAYER


def test_a_wager_without_pay_table_shows_its_distributions() -> None:
    spec = part("red-green", "bonus")
    rules = tuple(rule for rule in spec.rules if rule.name != "one_tie")
    statement, result = state(spec.model_copy(update={"rules": rules}))
    variants = statement["predicate"]["variants"]
    for variant in variants:
        (bonus,) = variant["wagers"]
        counts = {event["event"]: event["combinations"] for event in bonus["events"]}
        assert sum(counts.values()) == comb(52 * variant["value"], 6)
        # Any four of a rank, and two cards of other ranks.
        n = 4 * variant["value"]
        assert counts["Four of a kind"] == 13 * comb(n, 4) * comb(12 * n, 2)
    page = render(validated(statement), result.spec, {})
    assert "14,664 combinations" in page  # Brian Alspach, 6-Card Poker Hands: one deck


def test_figures_printed_for_another_deck_count_are_compared_there() -> None:
    spec = part("punto-banco", "player")
    result = analyse(spec)
    alone = compare(result, spec.rule_values)
    variants = [variant.analysis for variant in priced_variants(spec)]
    together = compare(result, spec.rule_values, variants)
    assert "not applicable" in {c.verdict for c in alone}
    assert {c.verdict for c in together} == {"match"}
    assert {c.figure.rules["decks"] for c in together} > {6, 8}


def test_a_setting_has_to_be_allowed(tmp_path: Path) -> None:
    text = spec_path("dai-bacc").read_text(encoding="utf-8")
    path = tmp_path / "dai-bacc.toml"
    path.write_text(text.replace("variants = { min = 1", "variants = { min = 0"), encoding="utf-8")
    with pytest.raises(DealproofError, match=r"rules\[decks\]\.variants: 0: allowed: 1 … 8"):
        load_spec(str(path))


def test_every_number_of_seats_stands_in_the_certificate() -> None:
    spec = part("dai-bacc", "player", "six-card-picture")
    unread = ("kill_when",)
    rules = tuple(
        rule.model_copy(update={"variants": ()}) if rule.name == "decks" else rule
        for rule in spec.rules
        if rule.name not in unread
    )
    said, result = state(spec.model_copy(update={"rules": rules}))
    text = said["predicate"]
    edges = {
        s["value"]: {w["wager"]: Fraction(w["house_edge"]["exact"]) for w in s["wagers"]}
        for s in text["variants"]
    }
    assert list(edges) == [2, 3, 4, 5, 6, 7]
    # Six of 96 pictures, of 48 of a colour, of 24 of a suit: the house keeps every seat's dollar.
    suit, colour = 4 * perm(24, 6), 2 * perm(48, 6)
    paid = 97_500 * suit + 17_500 * (colour - suit) + 2_500 * perm(96, 6)
    for seats, values in edges.items():
        assert values["six-card-picture"] == 1 - Fraction(paid, seats * perm(416, 6))
        assert f"{float(values['player']):.4%}" == PLAYER[8]
    page = render(validated(said), result.spec, {})
    section = page[page.index('id="variants"') :].split("</section>")[0]
    shown = [f"{100 * float(edges[seats]['six-card-picture']):.4f}%" for seats in edges]
    assert re.findall(r"(\d+\.\d{4}%)<", section)[1:] == shown
    assert "The same under every value, event by event: Player hand." in section


#: What depends on pays, as a certificate names it.
OF_PAYS = (
    "house_edge", "rtp", "average_wager", "element_of_risk", "edge_per_resolved", "hit_frequency",
    "variance", "standard_deviation", "paid_per_round",
)  # fmt: skip


def test_a_distribution_has_no_edge_anywhere() -> None:
    spec = part("red-green", "bonus")
    rules = tuple(rule for rule in spec.rules if rule.name != "one_tie")
    figure = Published(wager="bonus", quantity="house_edge", printed="0%", source="x")
    spec = spec.model_copy(update={"rules": rules, "published": (figure,)})
    said, _ = state(spec)
    text = said["predicate"]
    values = [text["wagers"], *(variant["wagers"] for variant in text["variants"])]
    for (bonus,) in values:
        assert [bonus[name] for name in OF_PAYS] == [None] * len(OF_PAYS)
        for event in bonus["events"]:
            assert [event[name] for name in ("pays", "staked", "net", "return")] == [None] * 4
    assert [p["verdict"] for p in text["published"]] == ["not checkable"]
    run = Certified("red-green", "x", validated(said).predicate)
    for name in ("wagers", "variants"):
        for row in bi_rows.table([run], *bi_rows.TABLES[name], {"red-green": run}).to_pylist():
            assert [row[key] for key in OF_PAYS] == [None] * len(OF_PAYS)
            assert row["house_edge_exact"] is row["rtp_exact"] is None
    (lines,) = (bi_rows.table([run], *bi_rows.TABLES["events"], {"red-green": run}),)
    assert {row["net"] for row in lines.to_pylist()} == {None}


def test_where_nothing_is_staked_the_payment_has_its_own_name() -> None:
    spec = part("dai-bacc", "player", "six-card-prize")
    read = ("decks", "player_dealer", "seven_pushes")
    rules = tuple(rule for rule in spec.rules if rule.name in read)
    said, result = state(spec.model_copy(update={"rules": rules}))
    text = said["predicate"]

    def prize(decks: int) -> Fraction:
        deals = perm(52 * decks, 6)
        suit, colour = 4 * perm(3 * decks, 6), 2 * perm(6 * decks, 6)
        mixed = perm(12 * decks, 6) - colour
        return Fraction(97_500 * suit + 17_500 * (colour - suit) + 2_500 * (mixed + colour), deals)

    by_decks = {s["value"]: s["wagers"][1] for s in text["variants"]} | {8: text["wagers"][1]}
    for decks, wager in by_decks.items():
        assert wager["paid_per_round"]["exact"] == str(prize(decks))
        assert wager["house_edge"] is wager["rtp"] is wager["element_of_risk"] is None
    assert all(w["paid_per_round"] is None for w in text["wagers"] if w["wager"] == "player")
    page = render(validated(said), result.spec, {})
    shown = f"{float(prize(8)):.6f}"
    assert shown == "0.401917"
    bet = page[page.index('id="wager-six-card-prize"') :].split("</section>")[0]
    assert f">{shown}</dd>" in bet
    assert "House edge" not in bet
    assert "−" not in re.sub(r"<style>.*?</style>", "", bet)
    table = page[page.index('id="variants"') :].split("</section>")[0]
    row = next(r for r in table.split("<tr>") if "prize paid in a round" in r)
    assert re.findall(r">(\d\.\d{6})<", row) == [
        f"{float(prize(decks)):.6f}" for decks in range(1, 9)
    ]
    assert "%" not in row
    assert "pays 0.4019 a round" in page


def test_figures_met_are_one_number_everywhere() -> None:
    """Player's figures with three decks, for which none is in print, and with six.

    24 are in print, 8 of them for eight decks, which are not priced beside six.
    """
    for decks, text in ((3, "no figure applies"), (6, "match (16 of 16)")):
        spec = part("punto-banco", "player").under({"decks": decks})
        rules = tuple(
            r.model_copy(update={"variants": () if decks == 3 else r.variants}) for r in spec.rules
        )
        spec = spec.model_copy(update={"rules": rules})
        said, outcome = state(spec)
        beside_it = [variant.analysis for variant in priced_variants(spec)]
        comparisons = compare(outcome, spec.rule_values, beside_it)
        # The closing table, the certificate, the report, the data.
        figures = figures_met(comparisons, outcome.results)["player", None]
        (result,) = outcome.results
        assert _summary(result, figures).verdict == text
        (wager,) = said["predicate"]["wagers"]
        assert wager["figures"]["verdict"] == text
        assert f">{text}</td>" in render(validated(said), spec, {})
        run = Certified("punto-banco", "x", validated(said).predicate)
        (row,) = bi_rows.table([run], *bi_rows.TABLES["wagers"], {"punto-banco": run}).to_pylist()
        assert row["figures_verdict"] == text
        assert row["figures_met"] == wager["figures"]["met"] == figures.met


def test_refuted_figures_stand_on_the_cover_with_their_reason() -> None:
    spec = part("punto-banco", "dragon-bonus-player")
    said, _ = state(spec)
    page = render(validated(said), spec, {})
    cover = page[: page.index("</header>")]
    assert "in print but refuted:</span> Dragon Bonus, Player" in cover
    assert "<b>4,998,398,275,503,350</b>, ours 4,998,398,275,503,360" in cover
    assert "is 4,998,398,275,503,356 and is cut" in cover
    section = page[page.index('id="published"') :].split("</section>")[0]
    # Of the source's own lines, by hand: the eight that pay or push, and the loss.
    assert "match to 15 digits" in section
    assert "ours is 3,460,101,558,850,304" in section
    run = Certified("punto-banco", "x", validated(said).predicate)
    rows = bi_rows.table([run], *bi_rows.TABLES["published"], {"punto-banco": run}).to_pylist()
    (total,) = (row for row in rows if row["quantity"] == "deals")
    assert (total["verdict"], total["basis"]) == ("refuted", "ordered deals")
    assert total["refuted_because"].startswith("the sum of the source's own lines")


def test_a_recovered_pay_table_says_so_on_the_page() -> None:
    spec = part("punto-banco", "dragon-7")
    decks = spec.rule("decks").model_copy(update={"variants": ()})
    (wager,) = spec.wagers
    recovered = wager.model_copy(update={"recovered_from": ("7.6113%",)})
    said, _ = state(spec.model_copy(update={"rules": (decks,), "wagers": (recovered,)}))
    page = render(validated(said), spec, {})
    assert "is recovered from its printed 7.6113%, which therefore confirms nothing" in page
    # Seven are in print; the other six stand for the run, one count as a spreadsheet keeps it.
    figures = said["predicate"]["wagers"][0]["figures"]
    assert figures["verdict"] == "match to 15 digits (6 of 6)"
    assert (figures["printed"], figures["recovered"]) == (7, 1)
