"""The PAR sheet: recalculated by another program, before and after a pay is changed in it."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path
from typing import Any

import formulas
import openpyxl
import pytest

from engine.analysis.analysis import Analysis, analyse
from engine.pricing.statistics import STATISTICS
from engine.spec.model import Spec
from tasks.certificate.model import validated
from tasks.export import workbook, write_csv

SHEET = "Lucky Monkey"


@pytest.fixture(scope="module")
def par_sheet(statement: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("par") / "fu-bacc.xlsx"
    path.write_bytes(workbook(validated(statement), "0" * 64))
    return path


def recalculated(path: Path) -> dict[str, float]:
    """Live statistics of the wager's sheet by label, as an evaluator of formulas has them."""
    model = formulas.ExcelModel().loads(str(path)).finish()
    solution = model.calculate()
    book = openpyxl.load_workbook(path)
    sheet = book[SHEET]
    start = next(row for row in range(1, 60) if sheet.cell(row, 1).value == "Statistic")
    live = {}
    for row in range(start + 1, start + 1 + len(STATISTICS)):
        label = sheet.cell(row, 1).value
        if label:
            name = f"'[{path.name.upper()}]{SHEET.upper()}'!B{row}"
            value = next(v for key, v in solution.items() if str(key).upper() == name)
            live[str(label).rpartition(" (")[0]] = float(value.value[0, 0])
    return live


def priced(spec: Spec) -> dict[str, float]:
    """The same by the pricer."""
    result = analyse(spec).price("lucky-monkey")
    values = {s.label: s.of(result.priced) for s in STATISTICS}
    return {label: float(value) for label, value in values.items() if value is not None}


def test_live_formulas_give_the_certified_statistics(par_sheet: Path, spec: Spec) -> None:
    live = recalculated(par_sheet)
    assert live == pytest.approx(priced(spec), rel=1e-12)
    assert live["House edge"] == pytest.approx(float(Fraction(3900, 66300)), rel=1e-12)


def test_a_pay_that_is_changed_in_the_sheet_moves_the_edge(
    par_sheet: Path, spec: Spec, tmp_path: Path
) -> None:
    """30 to 1 becomes 40 to 1, in the sheet and in the spec."""
    book = openpyxl.load_workbook(par_sheet)
    sheet = book[SHEET]
    row = next(r for r in range(1, 20) if sheet.cell(r, 2).value == "30 to 1")
    assert sheet.cell(row, 3).value == 30
    sheet.cell(row, 3).value = 40
    changed = tmp_path / "changed.xlsx"
    book.save(changed)
    monkey = spec.wager("lucky-monkey")
    events = tuple(
        e.model_copy(update={"pays": "40 to 1"}) if e.pays == "30 to 1" else e
        for e in monkey.events
    )
    wagers = tuple(
        w.model_copy(update={"events": events}) if w.name == monkey.name else w for w in spec.wagers
    )
    live = recalculated(changed)
    assert live == pytest.approx(priced(spec.model_copy(update={"wagers": wagers})), rel=1e-12)


def test_exact_values_stand_as_text(par_sheet: Path, exact: Analysis) -> None:
    book = openpyxl.load_workbook(par_sheet)
    assert book.sheetnames[0] == "Cover"
    assert len(book.sheetnames) == 1 + len(exact.results)
    texts = {str(cell.value) for sheet in book for row in sheet.iter_rows() for cell in row}
    for result in exact.results:
        assert str(result.house_edge) in texts
        for line in result.priced.lines:
            assert str(line.probability) in texts
    assert "0" * 64 in texts


def test_the_same_certificate_gives_the_same_bytes(statement: dict[str, Any]) -> None:
    once, again = (workbook(validated(statement), "1" * 64) for _ in range(2))
    assert once == again


def test_every_table_as_csv(statement: dict[str, Any], tmp_path: Path) -> None:
    files = write_csv(validated(statement), tmp_path / "tables")
    assert {"wagers", "events", "published", "covariances"} <= {path.stem for path in files}
    with (tmp_path / "tables" / "events.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    ante = [row for row in rows if (row["wager"], row["strategy"]) == ("ante", "optimal")]
    assert sum(int(row["combinations"]) for row in ante) == 3_664_533_600
    assert {row["probability_exact"] for row in ante}
