"""The report: every exact integer is on the page, and nothing is fetched from anywhere."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.analysis import Analysis, analyse_exactly, readings
from engine.compare import compare
from engine.envelope import study
from engine.game import Key
from engine.loading import load_spec
from tasks import certificate, checks
from tasks.jobs import Plan
from tasks.plan import make_plan
from tasks.reduce import Collected, Coverage
from tasks.report import charts, render

SPEC = load_spec("fu-bacc")
VOID = {"meta", "br", "link", "img", "hr", "input", "circle", "rect", "line", "polyline"}


class Balanced(HTMLParser):
    """Checks that tags open and close in order, and keeps the page's text."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.stack.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.stack.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.fixture(scope="module")
def exact() -> Analysis:
    return analyse_exactly(SPEC)


@pytest.fixture(scope="module")
def statement(exact: Analysis) -> dict[str, Any]:
    plan: Plan = make_plan(SPEC, methods=("enumerate",), seed=5)
    covered = tuple(
        Coverage("enumerate", key, 1, 1, space.deals, space.deals, ((0, space.starts),))
        for key, space in _spaces(exact)
    )
    collected = Collected({"enumerate": exact.tables}, covered, (("tables/x", "0" * 64),))
    figures = compare(exact, SPEC.settings)
    done = checks.run_checks(exact, collected, figures)
    studies = [study(exact, joint) for joint in SPEC.joint]
    verdict = checks.verdict(done, (0, 1))
    return certificate.build(
        plan, exact, collected, done, figures, readings(exact), studies, verdict, {"a": "0" * 64}
    )


def _spaces(exact: Analysis) -> list[tuple[Key, Any]]:
    return [(key, exact.game.space(key[0])) for key in exact.tables]


@pytest.fixture(scope="module")
def page(statement: dict[str, Any], exact: Analysis) -> str:
    return render(statement, SPEC, exact.strategies)


def test_published_integers_stand_on_the_page(page: str) -> None:
    # printed by the source, Ante and Lucky Monkey tables
    for count in ("1,403,360,904", "24,761,856", "50,629,152", "684,046,272", "3,664,533,600",
                  "60,300", "66,300"):  # fmt: skip
        assert f">{count}<" in page


def test_the_page_is_balanced_and_fetches_nothing(page: str) -> None:
    reader = Balanced()
    reader.feed(page)
    assert reader.stack == []
    assert not re.search(r"""(src|href)\s*=\s*["'](?!#)""", page)
    assert "url(" not in page
    assert "<script" not in page


def test_anchors_lead_somewhere(page: str) -> None:
    targets = set(re.findall(r'id="([^"]+)"', page))
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert links
    assert links <= targets


def test_methods_not_run_are_said(statement: dict[str, Any], page: str) -> None:
    # only `enumerate` ran: no certificate, and the page says which checks are missing
    assert statement["predicate"]["verdict"].startswith("not certified")
    assert "not run" in page
    assert 'class="verdict no"' in page


def test_every_cell_is_the_strategy_and_exceptions_are_outlined(exact: Analysis) -> None:
    chart = SPEC.charts[0]
    optimal, other = exact.strategies["optimal"], exact.strategies["chart"]
    grid = charts.draw(chart, optimal, other)
    letter = {action: short for action, short, _ in grid.legend}
    cells = dict(grid.rows)
    for index in range(len(optimal)):
        held = optimal.label(index)
        cell = cells[f"{held['player_low']}–{held['player_high']}"][int(held["dealer_up"])]
        assert cell is not None
        assert letter[optimal.actions[int(optimal.chosen[index])]] in cell.letters.split("/")
    outlined = sum(cell.differs for _, row in grid.rows for cell in row if cell)
    assert outlined == np.count_nonzero(optimal.chosen != other.chosen) == 25


def test_hostile_words_are_escaped(statement: dict[str, Any], exact: Analysis) -> None:
    spoiled = json.loads(json.dumps(statement))
    spoiled["predicate"]["title"] = "<script>alert(1)</script>"
    spoiled["predicate"]["wagers"][0]["title"] = '"><img src=x>'
    page = render(spoiled, SPEC, exact.strategies)
    assert "<script" not in page
    assert "<img" not in page


def test_the_same_input_gives_the_same_page(
    statement: dict[str, Any], exact: Analysis, page: str
) -> None:
    assert render(statement, SPEC, exact.strategies) == page


def test_the_wheel_carries_the_template() -> None:
    folder = Path(charts.__file__).parent
    assert (folder / "report.html.j2").is_file()
    assert (folder / "style.css").is_file()
