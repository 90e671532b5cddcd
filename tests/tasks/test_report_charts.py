"""Charts of strategies on the page: every cell is the strategy."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.analysis.analysis import Analysis
from engine.contract.strategy import Strategy
from engine.exact.tables import integer
from engine.spec.loading import load_spec
from engine.spec.model import Chart
from tasks.report import charts

SPEC = load_spec("fu-bacc")
ROOT = Path(__file__).parents[2]


def test_every_cell_is_the_strategy_and_exceptions_are_outlined(exact: Analysis, page: str) -> None:
    chart = SPEC.charts[0]
    optimal, other = exact.strategies["optimal"], exact.strategies["chart"]
    grid = charts.draw(chart, SPEC, exact.strategies)
    letter = {action: short for action, short, _ in grid.legend}
    for index in range(len(optimal)):
        values = optimal.label(index)
        row, column = f"{values['player_low']}–{values['player_high']}", str(values["dealer_up"])
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
        values = chart.label(index)
        total = (int(values["player_low"]) + int(values["player_high"])) % 10
        letter = charts.letters(chart.actions)[chart.actions[int(chart.action[index])]]
        assert letter in grid.cells[str(total), str(values["dealer_up"])].letters.split("/")
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
