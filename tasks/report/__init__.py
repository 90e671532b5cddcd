"""The report: one self-contained HTML page from a certificate and the strategies behind it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from engine.spec import Spec
from engine.strategy import Strategy
from tasks.report import charts, figures, plots

FOLDER = Path(__file__).parent


@cache
def _template() -> Any:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters.update(figures.FILTERS)
    return environment.get_template("report.html.j2")


def render(statement: dict[str, Any], spec: Spec, strategies: Mapping[str, Strategy]) -> str:
    """Write the page: no network, no script, printable; the same text for the same input."""
    certificate = statement["predicate"]
    drawn = [
        charts.draw(chart, strategies[chart.strategy], strategies.get(chart.against or ""))
        for chart in spec.charts
        if chart.strategy in strategies
    ]
    page: str = _template().render(
        c=certificate,
        subjects=statement["subject"],
        style=(FOLDER / "style.css").read_text(encoding="utf-8"),
        charts=drawn,
        wagers=[_wager(wager) for wager in certificate["wagers"]],
        joint=[_joint(joint) for joint in certificate["joint"]],
        edges=figures.published_edges(certificate),
        command=figures.command(certificate),
        tests=figures.tests(certificate),
    )
    return page


def _wager(wager: dict[str, Any]) -> dict[str, Any]:
    return {**wager, "anchor": figures.anchor(wager), "plot": plots.distribution(wager)}


def _joint(joint: dict[str, Any]) -> dict[str, Any]:
    return {**joint, "plot": plots.ratios(joint)}
