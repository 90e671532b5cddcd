"""The report: every exact integer is on the page, and nothing is fetched from anywhere."""

from __future__ import annotations

import hashlib
import html
import json
import re
import shlex
import subprocess
import sys
import zipfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from engine.analysis.analysis import Analysis, analyse
from engine.exact.errors import DealproofError
from engine.spec.loading import load_spec
from engine.spec.model import Event, Spec, Wager
from tasks.certificate import issue
from tasks.certificate.model import Digest, Exact, Subject, validated
from tasks.report import charts, figures, pdf, render, sections
from tests.tasks.pages import read
from tests.tasks.statement import stated

SPEC = load_spec("fu-bacc")
ROOT = Path(__file__).parents[2]


def test_published_integers_stand_on_the_page(page: str) -> None:
    # printed by the source, Ante and Lucky Monkey tables
    for count in ("1,403,360,904", "24,761,856", "50,629,152", "684,046,272", "3,664,533,600",
                  "60,300", "66,300"):  # fmt: skip
        assert f">{count}<" in page


def test_every_wager_and_strategy_has_its_table(statement: dict[str, Any], page: str) -> None:
    for wager in statement["predicate"]["wagers"]:
        name = f"wager-{wager['wager']}-{(wager['strategy'] or 'only').replace(' ', '-')}"
        start = page.index(f'id="{name}"')
        section = page[start : page.index("</section>", start)]
        for event in wager["events"]:
            assert f">{int(event['combinations']):,}<" in section
        assert f'title="{figures.exact(Exact.model_validate(wager["house_edge"]))}"' in section
        assert f'<td class="n">{sum(int(e["combinations"]) for e in wager["events"]):,}<' in section


def test_the_ante_is_printed_as_its_source_prints_it(page: str) -> None:
    # Wizard of Odds, Ante: 0.382958 of hands win 3, returning 1.148873; edge 3.0496% (−0.030496)
    start = page.index('id="wager-ante-optimal"')
    section = page[start : page.index("</section>", start)]
    for figure in ("0.382957576", "1.148872727", "−0.030495607", "2.571041", "1.186119%"):
        assert f">{figure}<" in section


def test_the_page_is_balanced_and_fetches_nothing(page: str) -> None:
    reader = read(page)
    for tag, name, value in reader.attributes:
        assert name not in ("src", "srcset", "data", "action", "poster"), (tag, name, value)
        assert name not in ("href", "xlink:href") or (value or "").startswith("#")
    assert "url(" not in page
    assert "@import" not in page
    assert {tag for tag, _, _ in reader.attributes}.isdisjoint({"script", "link", "img", "iframe"})
    assert "<script" not in page


def test_tables_name_their_heads_and_plots_describe_themselves(page: str) -> None:
    heads = re.findall(r"<th[ >][^>]*", page)
    assert heads
    assert all("scope=" in head for head in heads)
    plots = re.findall(r"<svg(.*?)</svg>", page, re.DOTALL)
    assert len(plots) >= 6
    for plot in plots:
        assert 'aria-hidden="true"' in plot or ("<title" in plot and "<desc" in plot)


def test_anchors_lead_somewhere(page: str) -> None:
    anchors = re.findall(r' id="([^"]+)"', page)
    targets = set(anchors)
    assert len(targets) == len(anchors)
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert links
    assert links <= targets


def test_what_the_methods_share_is_listed(statement: dict[str, Any], page: str) -> None:
    shared = statement["predicate"]["shared"]
    assert [part["name"] for part in shared] == ["words", "points of cards", "deals behind a start"]
    assert "What the methods share" in page
    for part in shared:
        assert part["description"] in html.unescape(page)
        for what, number in part["counts"].items():
            assert f"{what}: {number:,}" in html.unescape(page)


def test_methods_not_run_are_said(statement: dict[str, Any], page: str) -> None:
    # only `enumerate` ran: not a certificate, and the page says which checks are missing
    assert statement["predicate"]["verdict"].startswith("not certified")
    assert "not run" in page
    assert 'class="verdict no"' in page


def test_hostile_words_are_escaped(statement: dict[str, Any], exact: Analysis) -> None:
    spoiled = json.loads(json.dumps(statement))
    spoiled["predicate"]["title"] = "<script>alert(1)</script>"
    spoiled["predicate"]["game"] = '"; } body { display: none'
    wager = spoiled["predicate"]["wagers"][0]
    wager["title"] = '"><img src=x>'
    wager["events"][0]["event"] = "</table><b onmouseover=alert(1)>"
    spoiled["subject"][0]["name"] = "</code><img src=x>"
    colours = {"fold": "red;background:url(//x)", "stand": "#abcdef"}
    chart = SPEC.charts[0].model_copy(update={"title": "</h3><img>", "colours": colours})
    spec = SPEC.model_copy(update={"charts": (chart,)})
    page = render(validated(spoiled), spec, exact.strategies)
    read(page)
    assert "<script" not in page
    assert "<img" not in page
    assert "<b onmouseover" not in page
    assert "url(" not in page
    assert "background:#abcdef" in page
    assert '@bottom-left { content: "  body  display none · run' in page


def test_the_same_input_gives_the_same_page(
    statement: dict[str, Any], exact: Analysis, page: str
) -> None:
    assert render(validated(statement), SPEC, exact.strategies) == page


@pytest.mark.parametrize("name", ["dai-bacc", "punto-banco"])
def test_a_game_without_decisions_is_laid_out_too(name: str, statement: dict[str, Any]) -> None:
    spec = load_spec(name)
    result = analyse(spec)
    wagers = issue.wagers(result, ())
    empty: dict[str, Any] = {"comparisons": [], "joint": [], "covariances": [], "strategies": []}
    more = {"wagers": wagers, "published": [], "readings": [], **empty}
    page = render(
        validated({**statement, "predicate": {**statement["predicate"], **more}}), spec, {}
    )
    read(page)
    assert page.count('<section class="bet"') == len(spec.wagers)
    assert 'id="strategy"' not in page


def test_a_wager_without_a_pay_table_shows_its_distribution_only(
    statement: dict[str, Any], exact: Analysis
) -> None:
    spoiled = json.loads(json.dumps(statement))
    spoiled["predicate"]["wagers"][-1]["priced"] = False
    page = render(validated(spoiled), SPEC, exact.strategies)
    read(page)
    section = page[page.index('id="wager-lucky-monkey-only"') :].split("</section>")[0]
    assert ">60,300<" in section
    assert "House edge" not in section
    assert "Pays" not in section
    assert "no pay table is known" in page


def test_readings_without_effect_are_said(page: str) -> None:
    # "naturals: stand" touches the Tie optimum only
    start = page.index("<b>naturals: stand</b>")
    group = page[start : page.index("</tbody>", start)]
    assert group.count("<tr>") == 2
    assert "No effect: Ante (optimal), Ante (chart)" in group


def test_the_command_repeats_the_run(statement: dict[str, Any]) -> None:
    words = shlex.split(sections.command(validated(statement).predicate))
    assert words[:5] == ["dealproof", "certify", "fu-bacc", "--method", "enumerate"]
    assert "naturals=may draw" in words
    assert words[-2:] == ["--seed", "5"]


def test_long_folders_are_summed_up_by_the_digest_of_their_list() -> None:
    names = [f"tables/x/part-{n:05}.parquet" for n in range(20)]
    subjects = [Subject(name=n, digest=Digest(sha256=f"{i:064x}")) for i, n in enumerate(names)]
    (folder,) = sections.folders(subjects[::-1])
    listing = "".join(f"{i:064x}  part-{i:05}.parquet\n" for i in range(20))
    assert (folder.name, folder.files) == ("tables/x", 20)
    assert folder.digest == hashlib.sha256(listing.encode()).hexdigest()
    (alone,) = sections.folders(subjects[:1])
    assert (alone.name, alone.files, alone.digest) == (names[0], 1, "0" * 64)


def test_reproduction_is_short(statement: dict[str, Any], exact: Analysis) -> None:
    names = [f"tables/x/part-{n:05}.parquet" for n in range(500)]
    subjects = [{"name": name, "digest": {"sha256": "1" * 64}} for name in names]
    page = render(validated({**statement, "subject": subjects}), SPEC, exact.strategies)
    section = page[page.index('id="reproduction"') :]
    software = statement["predicate"]["run"]["software"]
    values = (
        sections.command(validated(statement).predicate).replace("'", "&#39;"),
        software["version"],
        software["engine_digest"],
        *(s["digest"] for s in statement["predicate"]["strategies"]),
        "list of 500 files",
    )
    for text in values:
        assert text in section
    assert "part-00000" not in section
    assert section.count("<table") == 1


def test_the_wheel_carries_the_templates(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    values = set(zipfile.ZipFile(wheel).namelist())
    folder = Path(charts.__file__).parent / "templates"
    templates = {f"tasks/report/templates/{file.name}" for file in folder.iterdir()}
    assert "tasks/report/templates/report.html.j2" in templates
    assert templates <= values


def test_joint_edge_stands_as_one_figure(statement: dict[str, Any], page: str) -> None:
    """The study of both bets, which is made another way, has the same loss at ratio 1."""
    predicate = statement["predicate"]
    (text,) = (s["together"] for s in predicate["strategies"] if s["name"] == "ante and tie")
    (one,) = (p for p in predicate["joint"][0]["losses"] if p["ratio"] == "1")
    assert (text["loss"], text["edge"]) == (one["loss"], one["edge"])
    assert "That is <strong>10.6153%</strong> per unit of Ante + Tie" in page
    assert "(2 units are put up)" in page
    per_staked = figures.percent(Exact.model_validate(text["element_of_risk"]))
    assert f"{per_staked}</strong> per unit staked on all bets" in page


def test_a_bet_that_is_not_always_offered_leads_with_its_edge_per_unit_staked(
    side_bet: Spec,
) -> None:
    """The arithmetic stands beside the same bet in the tests of `price`: 1,964 of 5,100 units."""
    events = (
        Event(event="Nine", when="dealer_up = 9 and player_initial_total = 9", pays="6 to 1"),
        Event(event="A nine shows", when="dealer_up = 9", pays=Fraction("-1.0625")),
        Event(event="Not offered", when="true", pays="push", staked=0),
    )
    insurance = Wager(name="insurance", title="Insurance", space="starts", events=events)
    spec = side_bet.model_copy(update={"wagers": (insurance,)})
    exact = analyse(spec)
    page = render(validated(stated(exact)), spec, {})
    text = " ".join(read(page).cells)
    # 6 × 448 - 1.0625 × 4,652 = -2,254.75; over 5,100 units 0.4421078…, over 66,300 0.0340082….
    assert "44.2108% per unit staked" in " ".join(text.split())
    assert "44.210784%" in page
    assert "3.400830%" in page
    assert (
        "is told per unit staked (element of risk), since nothing is staked in some deals" in page
    )
    assert "or per unit staked where a base unit is not at risk in every deal" in page
    assert "<dt>House edge</dt>" not in page
    # The net is told in all its digits, in the table and beside the plot's bar.
    assert page.count("−1.0625") >= 2


def test_only_a_certified_game_has_a_certificate(
    statement: dict[str, Any], exact: Analysis, page: str
) -> None:
    assert "<h1>Report: not certified<br>" in page
    assert "Certificate</h1>" not in page
    verdict = statement["predicate"]["verdict"]
    assert verdict.startswith("not certified: ")
    reason = verdict.split(": ")[1]
    assert f'<p class="stamp">{reason[0].upper()}{reason[1:]}</p>' in page
    said = {**statement["predicate"], "verdict": "certified", "applicant": "A. Lab & Sons"}
    issued = render(validated({**statement, "predicate": said}), SPEC, exact.strategies)
    assert "<h1>Certificate<br>" in issued
    assert "not certified" not in issued
    assert "<dd>A. Lab &amp; Sons</dd>" in issued


def test_the_structure_of_the_page(page: str) -> None:
    heads = re.findall(r"<h2>(.*?)</h2>", page)
    assert heads == ["Summary", "Rules and readings", "Wagers", "Strategy", "Two bets on one hand",
                     "Correlations", "Published figures", "Checks", "What the methods share",
                     "Reproduction"]  # fmt: skip
    anchors = set(re.findall(r' id="([^"]+)"', page))
    links = re.findall(r'<a [^>]*href="#([^"]+)"', page)
    assert set(links) <= anchors
    assert [
        h for h in ("assumptions", "correlations", "strategy", "checks") if h not in links
    ] == []
    assert re.findall(r'<tr><th scope="row">([^<]+)</th><td></td>', page)[:4] == [
        "Applicant", "Prepared by", "Reviewed by", "Approved by",
    ]  # fmt: skip
    assert "their own two cards and the dealer&#39;s up-card" in page
    # Every table stands in a box of its own or in a chart: no page is wider than its screen.
    assert page.count("<table") == page.count('<div class="box"') + page.count(
        'class="grid"'
    ) + page.count('<table class="sign"')


def test_strategies_stand_in_words_on_the_page(page: str) -> None:
    assert "<li>stand if the player&#39;s total equals the dealer&#39;s up-card or" in page
    assert (
        "All hands with the same value of the player&#39;s total, the dealer&#39;s up-card" in page
    )


def test_a_class_of_hands_says_how_many_it_stands_for(statement: dict[str, Any]) -> None:
    # One deck: C(52, 2) × 50 = 66,300 starts. 0-0 against a 4: of 16 cards worth 0, C(16, 2) × 4.
    (pair,) = (p for p in statement["predicate"]["comparisons"] if p["strategy"] == "tie optimal")
    for e in pair["exceptions"]:
        assert Fraction(e["probability"]["exact"]) == Fraction(e["hands"], 66_300)
    (zero,) = (e for e in pair["exceptions"] if e["information"]["player_low"] == 0
               and e["information"]["player_high"] == 6)  # fmt: skip
    # 16 cards worth 0, four sixes, four eights
    assert (zero["information"]["dealer_up"], zero["hands"]) == (8, 16 * 4 * 4)


def test_a_printed_report_numbers_its_pages(page: str) -> None:
    try:
        import weasyprint  # noqa: F401
    except OSError:
        pytest.skip("the system library Pango is missing")
    made = pdf.pdf(page)
    assert made.startswith(b"%PDF")
    assert "target-counter(attr(href url), page)" in page


def test_printing_without_its_system_library_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    class Missing:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "weasyprint":
                raise OSError("cannot load library 'libpango-1.0-0'")

    for name in [n for n in sys.modules if n.split(".")[0] == "weasyprint"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])
    with pytest.raises(DealproofError, match="system library Pango") as error:
        pdf.pdf("<p>")
    assert "\n" not in str(error.value)
