"""From collected tables to a certificate, a report and the catalogue: the one way through."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from engine.analysis.analysis import Analysis, Result
from engine.contract.strategy import Strategy
from engine.exact.errors import DealproofError
from engine.exact.rendering import decimal, exact, percent
from engine.program.bound import tabulated
from engine.studies.combined import combined
from engine.studies.joint import Study, study
from engine.studies.printed import Figures, figures_met
from engine.studies.published import compare
from engine.studies.readings import readings
from engine.studies.variants import priced_variants
from tasks import report
from tasks.catalogue import catalogue
from tasks.certificate import checks, issue, joint, suspects
from tasks.certificate.model import Statement
from tasks.run.jobs import spec_json, strategy_path
from tasks.run.plan import Plan
from tasks.run.readings import Awaited, here
from tasks.run.reduce import Collected
from tasks.store import parquet
from tasks.store.store import Store


@dataclass(frozen=True)
class SummaryRow:
    """One line of the closing table."""

    wager: str
    strategy: str
    combinations: int
    house_edge: str
    published: str
    verdict: str


@dataclass(frozen=True)
class Conclusion:
    """What a run came to; `paths` are where certificate, report and data are.

    `left_out`: certificates of other versions, which the catalogue does not hold, and why.
    """

    statement: Statement
    verdict: str
    certified: bool
    rows: tuple[SummaryRow, ...]
    paths: Mapping[str, str]
    left_out: tuple[str, ...] = ()


def conclude(
    plan: Plan, store: Store, collected: Collected, changed: Awaited | None = None
) -> Conclusion:
    """Solve, price, check, certify, report, and refresh the catalogue.

    `changed` waits for readings and variants; without it they are worked out here.
    """
    if "enumerate" not in collected.tables:
        raise DealproofError(
            "method: 'enumerate' is missing; wagers are priced from it, so it is always run"
        )
    analysis = Analysis(plan.program, collected.tables["enumerate"], _solved(plan, store))
    analysis.validate(strict=False)
    variants = priced_variants(plan.spec)
    comparisons = compare(analysis, plan.spec.rule_values, [v.analysis for v in variants])
    done = checks.run_checks(analysis, collected, comparisons)
    if any(check.verdict == "fail" for check in done):
        done = suspects.named(done, plan, store)
    studies = tuple(study(analysis, pair) for pair in plan.program.joints.values())
    elsewhere = changed() if changed else here(plan)
    alternatives = readings(analysis, elsewhere.prices)
    done = (*done, *checks.sampled(elsewhere.samples))
    verdict = checks.verdict(done, exhausted(collected))
    subjects = dict(collected.files) | _write(plan, store, analysis, studies)
    statement = issue.build(
        plan, analysis, collected, done, comparisons, alternatives, studies, verdict,
        subjects, variants,
    )  # fmt: skip
    paths = _publish(plan, store, statement, analysis)
    left_out = catalogue.refresh(store)
    met = figures_met(comparisons, analysis.results)
    return Conclusion(
        statement,
        verdict,
        verdict.startswith("certified"),
        (
            *(_summary(r, met[r.wager.name, r.key[1]]) for r in analysis.results),
            *_together(analysis),
        ),
        paths,
        left_out,
    )


def _solved(plan: Plan, store: Store) -> dict[str, Strategy]:
    """Strategies that the plan's spaces solved for themselves: read back where untouched."""
    solved = dict(plan.strategies)
    for name, strategy in plan.program.strategies.items():
        path = strategy_path(plan.game, plan.run, name)
        digest, sha256 = plan.digests.get(path, ("", ""))
        if name not in solved and not tabulated(strategy.space) and store.exists(path):
            data = store.read(path)
            if hashlib.sha256(data).hexdigest() == sha256:
                read, _ = parquet.read_strategy(data)
                if read.digest() == digest:
                    solved[name] = read
    return solved


def exhausted(collected: Collected) -> tuple[int, int]:
    """Deals exhausted and deals there are, over all spaces."""
    coverage = [c for c in collected.coverage if c.method == "exhaust"]
    return sum(c.deals for c in coverage), sum(c.deals_total or c.deals for c in coverage)


def _write(
    plan: Plan, store: Store, analysis: Analysis, studies: tuple[Study, ...]
) -> dict[str, str]:
    """Write spec, strategies, outcome tables and break points; return path → SHA-256."""
    folder = plan.folder
    written: dict[str, bytes] = {
        f"{folder}/spec.json": spec_json(plan.spec).encode(),
    }
    kept: dict[str, str] = {}
    for name, strategy in analysis.strategies.items():
        path = strategy_path(plan.game, plan.run, name)
        digest, sha256 = plan.digests.get(path, ("", ""))
        if digest == strategy.digest() and _untouched(store, path, sha256):
            kept[path] = sha256
        else:
            written[path] = parquet.strategy_bytes(strategy)
    seen = set()
    for result in analysis.results:
        name = f"{result.space}--{result.key[1] or 'every-action'}"
        if name not in seen:
            seen.add(name)
            metadata = {"game": plan.game, "run": plan.run, "space": result.space}
            table = analysis.outcome(result)
            written[f"{folder}/outcomes/{name}.parquet"] = parquet.table_bytes(table, metadata)
    for joint_study in studies:
        metadata = {"game": plan.game, "run": plan.run}
        name = f"{folder}/joint/{joint_study.joint.name}"
        written[f"{name}.parquet"] = joint.sets_bytes(joint_study, metadata)
        written[f"{name}--pieces.parquet"] = joint.pieces_bytes(joint_study, metadata)
    for path, content in written.items():
        store.write(path, content)
    return kept | {path: hashlib.sha256(content).hexdigest() for path, content in written.items()}


def _untouched(store: Store, path: str, sha256: str) -> bool:
    """Whether a file is there as it was written."""
    return store.exists(path) and hashlib.sha256(store.read(path)).hexdigest() == sha256


def _publish(plan: Plan, store: Store, statement: Statement, analysis: Analysis) -> dict[str, str]:
    text = (json.dumps(statement.document(), indent=1, ensure_ascii=False) + "\n").encode()
    page = report.render(statement, analysis.spec, analysis.strategies).encode()
    name = f"{plan.game}-{plan.run}"
    paths = {"certificate": f"certificates/{name}.json", "report": f"reports/{name}.html"}
    for path, content in (
        (f"{plan.folder}/certificate.json", text),
        (paths["certificate"], text),
        (f"{plan.folder}/report.html", page),
        (paths["report"], page),
    ):
        store.write(path, content)
    paths["data"] = plan.folder
    paths["catalogue"] = "catalogue.duckdb"
    return {key: store.locate(path) for key, path in paths.items()}


def _edge(result: Result) -> str:
    value = result.headline_value
    if value is None:
        return "no pay table"
    if result.headline == "paid_per_round":
        return f"pays {decimal(value, 4)} a round"
    staked = " per unit staked" if result.headline == "element_of_risk" else ""
    return f"{percent(value)}{staked}"


def _together(analysis: Analysis) -> Iterator[SummaryRow]:
    """What bets lose that a strategy maximises at once: per unit put up, and per unit staked."""
    for rule in analysis.program.strategies.values():
        loss = combined(analysis, rule) if rule.name in analysis.strategies else None
        if loss is not None:
            deals = analysis.strategies[rule.name].deals_total
            edges = []
            if loss.edge is not None:
                edges.append((percent(loss.edge), f"per unit of {_titles(analysis, loss.put_up)}"))
            if loss.element_of_risk is not None:
                edges.append((percent(loss.element_of_risk), "per unit staked"))
            if not loss.staked and not edges:
                edges.append((f"pays {decimal(-loss.loss, 4)} a round", "nothing is staked"))
            for edge, per in edges:
                yield SummaryRow(_titles(analysis, loss.units), rule.title, deals, edge, "", per)


def _titles(analysis: Analysis, units: Mapping[str, Fraction]) -> str:
    """Wagers by title, with the units bet on each where it is not one."""
    return " + ".join(
        analysis.spec.wager(name).title + ("" if bet == 1 else f" × {exact(bet)}")
        for name, bet in units.items()
    )


def _summary(result: Result, figures: Figures) -> SummaryRow:
    return SummaryRow(
        result.wager.title,
        result.strategy.title if result.strategy else "no decision",
        result.wager.basis[1],
        _edge(result),
        figures.edge,
        figures.verdict,
    )
