"""The report: every exact integer is on the page, and nothing is fetched from anywhere."""

from __future__ import annotations

import hashlib
import html
import json
import re
import shlex
import subprocess
import sys
import time
import zipfile
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.analysis.analysis import Analysis, analyse
from engine.contract.strategy import Strategy
from engine.exact.errors import DealproofError
from engine.exact.tables import integer
from engine.spec.loading import load_spec
from engine.spec.model import Chart, Event, Spec, Wager
from tasks.certificate import issue
from tasks.certificate.model import Covariance, Digest, Exact, Subject, validated
from tasks.report import charts, correlations, figures, pdf, render, sections
from tests.tasks.statement import stated

SPEC = load_spec("fu-bacc")
VOID = {"meta", "br", "wbr", "link", "img", "hr", "input"}
ROOT = Path(__file__).parents[2]


class Balanced(HTMLParser):
    """Checks that tags open and close in order; keeps text, attributes, and each element's text."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.cells: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID:
            self.stack.append(tag)
            self.cells.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert "svg" in self.stack, f"<{tag}/> closes nothing outside SVG"
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert tag not in VOID
        assert self.stack.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.cells:
            self.cells[-1] += data


def read(page: str) -> Balanced:
    reader = Balanced()
    reader.feed(page)
    reader.close()
    assert reader.stack == []
    return reader


@pytest.fixture(scope="module")
def exact() -> Analysis:
    return analyse(SPEC)


@pytest.fixture(scope="module")
def statement(exact: Analysis) -> dict[str, Any]:
    return stated(exact)


@pytest.fixture(scope="module")
def page(statement: dict[str, Any], exact: Analysis) -> str:
    return render(validated(statement), SPEC, exact.strategies)


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
        assert f'title="{figures.exact(wager["house_edge"])}"' in section
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


def test_every_cell_is_the_strategy_and_exceptions_are_outlined(exact: Analysis, page: str) -> None:
    chart = SPEC.charts[0]
    optimal, other = exact.strategies["optimal"], exact.strategies["chart"]
    grid = charts.draw(chart, SPEC, exact.strategies)
    letter = {action: short for action, short, _ in grid.legend}
    for index in range(len(optimal)):
        held = optimal.label(index)
        row, column = f"{held['player_low']}–{held['player_high']}", str(held["dealer_up"])
        assert (
            letter[optimal.actions[int(optimal.action[index])]] == grid.cells[row, column].letters
        )
    outlined = sum(cell.differs for cell in grid.cells.values())
    assert outlined == np.count_nonzero(optimal.action != other.action) == 25
    start = page.index('id="chart-ante-optimal-play-by-starting-hand-and-dealer-card"')
    drawn = page[start : page.index("</div>", page.index('class="panels"', start))]
    assert len(re.findall(r'<td class="x', drawn)) == 25
    assert re.findall(r'<td[^>]* style="[^"]*"[^>]*>([A-Z/]+)<', drawn) == [
        cell.letters for panel in grid.panels for _, cells in panel.rows for cell in cells if cell
    ]
    # 55 hands stand side by side in three panels, cut between two low cards
    assert [panel.rows[0][0] for panel in grid.panels] == ["0–0", "2–2", "4–4"]


def test_a_row_that_the_hand_determines_comes_from_the_game(exact: Analysis) -> None:
    grid = charts.draw(SPEC.charts[1], SPEC, exact.strategies)
    chart = exact.strategies["chart"]
    for index in range(len(chart)):
        held = chart.label(index)
        total = (int(held["player_low"]) + int(held["player_high"])) % 10
        letter = charts.letters(chart.actions)[chart.actions[int(chart.action[index])]]
        assert letter in grid.cells[str(total), str(held["dealer_up"])].letters.split("/")
    # total 0 against 9: 0-0 is offered a bonus and takes it, 1-9 and the like fold
    assert set(grid.cells["0", "9"].letters.split("/")) == {"B", "F"}
    assert grid.hidden == ("bonus offer",)


def test_a_column_that_is_not_seen_is_told(exact: Analysis) -> None:
    chart = Chart(title="x", strategy="optimal", rows=("winner",), columns=("dealer_up",))
    grid = charts.draw(chart, SPEC, exact.strategies)
    assert grid.note == "Not drawn: winner is not known when deciding."


def large(rows: int, columns: int, depth: int) -> Strategy:
    """A made-up strategy over three columns, all its actions random."""
    shape = (rows, columns, depth)
    sets = {
        name: codes.reshape(-1)
        for name, codes in zip(("hand", "up", "deep"), np.indices(shape), strict=True)
    }
    count = rows * columns * depth
    chosen = np.random.default_rng(7).integers(0, 3, count)
    one = np.ones(count, dtype=np.int64)
    worth = np.zeros((count, 3), dtype=np.int64)
    known = tuple(integer(n, n, 0, s) for n, s in zip(sets, shape, strict=True))
    return Strategy("huge", "main", known, sets, ("stand", "surrender", "split"), chosen, one,
                    worth, 1, np.ones((count, 3), dtype=bool))  # fmt: skip


def test_large_strategies_are_drawn_by_cell_or_told() -> None:
    huge = large(40, 10, 336)
    seen = Chart(title="x", strategy="huge", rows=("hand",), columns=("up",))
    began = time.process_time()
    grid = charts.draw(seen, SPEC, {"huge": huge})
    assert time.process_time() - began < 5
    assert len(grid.cells) == 400
    inside = (huge.sets["hand"] == 3) & (huge.sets["up"] == 4)
    counts = np.bincount(huge.action[inside], minlength=3)
    short = charts.letters(huge.actions)
    assert list(short.values()) == ["S", "Su", "Sp"]
    order = sorted(range(3), key=lambda a: (-counts[a], a))
    assert grid.cells["3", "4"].letters == "/".join(list(short.values())[a] for a in order)
    assert f"stand in {counts[0]}" in grid.cells["3", "4"].reason
    deep = Chart(title="x", strategy="huge", rows=("hand", "deep"), columns=("up",))
    assert "Not drawn: 13,440 rows by 10 columns" in charts.draw(deep, SPEC, {"huge": huge}).note


def test_rows_with_one_cell_each_become_tiles() -> None:
    whole = large(30, 3, 1)
    kept = whole.sets["up"] == whole.sets["hand"] % 3
    thin = replace(
        whole,
        sets={name: codes[kept] for name, codes in whole.sets.items()},
        action=whole.action[kept],
        deals=whole.deals[kept],
    )
    chart = Chart(title="x", strategy="huge", rows=("hand",), columns=("up",))
    grid = charts.draw(chart, SPEC, {"huge": thin})
    assert [name for name, _ in dict(grid.lines)["2"]] == [str(n) for n in range(2, 30, 3)]
    assert len(grid.cells) == 30


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
    found = analyse(spec)
    wagers = issue.wagers(found, ())
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
    held = (
        sections.command(validated(statement).predicate).replace("'", "&#39;"),
        software["version"],
        software["engine_digest"],
        *(s["digest"] for s in statement["predicate"]["strategies"]),
        "list of 500 files",
    )
    for told in held:
        assert told in section
    assert "part-00000" not in section
    assert section.count("<table") == 1


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (Fraction(1, 3), 6, "0.333333"),
        (Fraction(-5, 2), 0, "−2"),  # half to even
        (Fraction(1, 8), 2, "0.12"),
        (Fraction(12345678901234567890123, 1), 1, "12,345,678,901,234,567,890,123.0"),
        (Fraction(-1, 10**9), 6, "0.000000"),
    ],
)
def test_decimals_are_rounded_from_the_fraction(value: Fraction, digits: int, text: str) -> None:
    assert figures.places(value, digits) == text


def test_numbers_in_words() -> None:
    assert figures.exact(Fraction("-6984511/229033350")) == "−6,984,511/229,033,350"
    assert figures.chance(Fraction("1/8000000000")) == "1.250000 × 10⁻¹⁰"
    assert figures.chance(Fraction("0")) == "0.000000000"
    assert figures.words("1000 to 1") == "1,000 to 1"
    assert figures.words("-1") == "−1"
    assert figures.words("0.123456") == "0.123456"
    assert figures.change(Fraction("-1/1000")) == "−0.1000"
    assert figures.anchors(["a b", "a_b", "É"]) == ["a-b", "a-b-2", "x"]
    assert charts.letters(["a", "A", "and"]) == {"a": "A", "A": "A*", "and": "An"}


def test_the_wheel_carries_the_templates(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    folder = Path(charts.__file__).parent / "templates"
    templates = {f"tasks/report/templates/{file.name}" for file in folder.iterdir()}
    assert "tasks/report/templates/report.html.j2" in templates
    assert templates <= held


def test_joint_edge_stands_as_one_figure(statement: dict[str, Any], page: str) -> None:
    """The study of both bets, which is made another way, has the same loss at ratio 1."""
    predicate = statement["predicate"]
    (told,) = (s["together"] for s in predicate["strategies"] if s["name"] == "ante and tie")
    (one,) = (p for p in predicate["joint"][0]["losses"] if p["ratio"] == "1")
    assert (told["loss"], told["edge"]) == (one["loss"], one["edge"])
    assert "That is <strong>10.6153%</strong> per unit of Ante + Tie" in page
    assert "(2 units are put up)" in page
    assert (
        f"{figures.percent(told['element_of_risk'])}</strong> per unit staked on all bets" in page
    )


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
    told = " ".join(read(page).cells)
    # 6 × 448 - 1.0625 × 4,652 = -2,254.75; over 5,100 units 0.4421078…, over 66,300 0.0340082….
    assert "44.2108% per unit staked" in " ".join(told.split())
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


def test_correlations_follow_from_covariances(statement: dict[str, Any]) -> None:
    said = statement["predicate"]
    variances = {(w["wager"], w["strategy"]): Fraction(w["variance"]["exact"])
                 for w in said["wagers"]}  # fmt: skip
    both = [c for c in said["covariances"] if c["strategy"] == "ante and tie"
            and {c["wager"], c["other"]} == {"ante", "tie"}]  # fmt: skip
    (pair,) = both
    product = variances["ante", "ante and tie"] * variances["tie", "ante and tie"]
    square = Fraction(pair["covariance"]["exact"]) ** 2 / product
    assert pair["correlation"] ** 2 == pytest.approx(float(square), rel=1e-12)
    assert (pair["correlation"] > 0) is (Fraction(pair["covariance"]["exact"]) > 0)


def _pairs(names: str, value: str = "1/2") -> list[Covariance]:
    covariance = Exact(exact=value, decimal="0.0")
    return [
        Covariance(
            wager=one, other=other, strategy=None, covariance=covariance,
            correlation=float(Fraction(value)),
        )
        for n, one in enumerate(names) for other in names[n + 1 :]
    ]  # fmt: skip


def test_a_matrix_has_every_related_pair_once_in_blocks_that_fit() -> None:
    names = [chr(ord("A") + n) for n in range(26)] + [chr(ord("a") + n) for n in range(10)]
    (unrelated,) = _pairs("Az", "0")
    items = [*_pairs("".join(names[:30])), unrelated, *_pairs("efg")]
    titles = {name: f"Bet {name}" for name in dict.fromkeys((*names, "z"))}
    big, small = correlations.matrices(titles, items)
    cells = [cell for block in big.blocks for _, _, row in block.rows for cell in row if cell]
    assert cells == [".50"] * (30 * 29 // 2)
    assert max(len(block.heads) for block in big.blocks) == correlations.ACROSS
    assert (big.first, big.alone) == ("Bet A", ("Bet z",))
    assert [(one, two) for one, two, _ in small.pairs] == [
        ("Bet e", "Bet f"), ("Bet e", "Bet g"), ("Bet f", "Bet g"),
    ]  # fmt: skip
    assert correlations.correlation(unrelated) == "0"
    assert correlations.correlation(_pairs("xy", "-1/1000")[0]) == "−.00"


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
