"""The report: one self-contained HTML page from a certificate and the strategies behind it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from engine.contract.strategy import Strategy
from engine.spec.model import Spec
from engine.studies.printed import MET
from tasks.certificate.model import Certificate, Statement, StrategyComparison
from tasks.report import charts, correlations, figures, plots, sections, variants

TEMPLATES = Path(__file__).parent / "templates"


@cache
def _template() -> Any:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters.update(figures.FILTERS, correlation=correlations.correlation)
    return environment.get_template("report.html.j2")


def render(statement: Statement, spec: Spec, strategies: Mapping[str, Strategy]) -> str:
    """Write the page: no network, no script, printable; the same text for the same input."""
    certificate = statement.predicate
    page: str = _template().render(
        c=certificate,
        style=(TEMPLATES / "style.css").read_text(encoding="utf-8"),
        rules={rule.name: rule for rule in spec.rules},
        bets=sections.bets(certificate, spec),
        readings=sections.readings(certificate),
        variants=variants.panels(certificate, spec),
        charts=_charts(certificate, spec, strategies),
        pairs=_pairs(certificate, spec),
        plays=sections.plays(certificate, strategies),
        joint=_joint(certificate),
        values=sections.values(certificate),
        distributions=sections.distributions(certificate),
        names=sections.titles(certificate),
        matrices=correlations.matrices(sections.titles(certificate), certificate.covariances),
        alike={s.name: s.alike for s in certificate.strategies},
        sources=sections.sources(certificate),
        tally=sections.tally(certificate),
        exhausted=sections.exhausted(certificate),
        tests=sections.tests(certificate),
        drawn=sections.drawn(certificate),
        simulation=sections.evidence(certificate, "simulation"),
        sampled=sections.evidence(certificate, "readings").get("samples", []),
        p_values=plots.p_values(
            [test.p for test in sections.tests(certificate) if not test.again], "p-values"
        ),
        folders=sections.folders(statement.subject),
        command=sections.command(certificate),
        met=MET,
        refuted=sections.refuted(certificate),
    )
    return page


def _charts(
    certificate: Certificate, spec: Spec, strategies: Mapping[str, Strategy]
) -> list[dict[str, Any]]:
    """Charts with their anchors, each with the comparison that it is drawn against."""
    drawn = [chart for chart in spec.charts if chart.strategy in strategies]
    anchors = figures.anchors(f"chart {chart.title}" for chart in drawn)
    pairs: dict[tuple[str, str | None], StrategyComparison] = {
        (pair.strategy, pair.against): pair for pair in certificate.comparisons
    }
    grids = []
    for chart, anchor in zip(drawn, anchors, strict=True):
        pair = pairs.get((chart.strategy, chart.against))
        telling, same = sections.distinct(pair.exceptions) if pair else ([], {})
        grid = charts.draw(chart, spec, strategies)
        grids.append(
            {"grid": grid, "spec": chart, "anchor": anchor, "pair": pair, "telling": telling,
             "same": same}
        )  # fmt: skip
    return grids


def _pairs(certificate: Certificate, spec: Spec) -> list[dict[str, Any]]:
    """Comparisons of strategies that no chart draws."""
    drawn = {(chart.strategy, chart.against) for chart in spec.charts}
    pairs = [p for p in certificate.comparisons if (p.strategy, p.against) not in drawn]
    anchors = figures.anchors(f"beside {pair.against}" for pair in pairs)
    comparisons = []
    for pair, anchor in zip(pairs, anchors, strict=True):
        telling, same = sections.distinct(pair.exceptions)
        comparisons.append({"pair": pair, "anchor": anchor, "telling": telling, "same": same})
    return comparisons


def _joint(certificate: Certificate) -> list[dict[str, Any]]:
    names = sections.titles(certificate)
    anchors = figures.anchors(f"joint {joint.name}" for joint in certificate.joint)
    return [
        {"item": joint, "anchor": anchor, "plot": plots.ratios(joint, names, f"{anchor}-plot")}
        for joint, anchor in zip(certificate.joint, anchors, strict=True)
    ]
