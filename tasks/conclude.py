"""From collected tables to a certificate, a report and the catalogue: the one way through."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING
from urllib.parse import quote

from engine.analysis.analysis import Analysis, Result
from engine.contract.strategy import Strategy
from engine.exact.errors import DealproofError
from engine.exact.rendering import decimal, exact, percent
from engine.exact.tables import Table
from engine.program.bound import tabulated
from engine.studies.agreement import Change
from engine.studies.combined import combined
from engine.studies.joint import Study, study
from engine.studies.printed import Figures, figures_met
from engine.studies.published import compare
from engine.studies.readings import changes, readings
from engine.studies.variants import priced_variants
from tasks import report
from tasks.catalogue import catalogue
from tasks.certificate import checks, issue, joint, repriced, signature, suspects
from tasks.certificate.model import Statement
from tasks.run.jobs import spec_json, strategy_path
from tasks.run.plan import Plan
from tasks.run.readings import Awaited, here
from tasks.run.reduce import Collected
from tasks.store import parquet
from tasks.store.store import Store

if TYPE_CHECKING:
    from securesystemslib.signer._crypto_signer import CryptoSigner


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
    # A key that cannot be used is told before anything is worked out.
    signer = signature.asked_for()
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
    changed_tables = dict(zip(changes(plan.spec), elsewhere.outcomes, strict=True)) | {
        (variant.rule, variant.value): variant.analysis.outcome_tables for variant in variants
    }
    subjects = dict(collected.files) | _write(plan, store, analysis, studies, changed_tables)
    draft = issue.build(
        plan, analysis, collected, done, comparisons, alternatives, studies, verdict,
        subjects, variants,
    )  # fmt: skip
    done = (*done, repriced.confirm(draft, store))
    verdict = checks.verdict(done, exhausted(collected))
    statement = issue.rechecked(draft, done, verdict)
    paths = _publish(plan, store, statement, analysis, signer)
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
    plan: Plan,
    store: Store,
    analysis: Analysis,
    studies: tuple[Study, ...],
    changed: Mapping[Change, Mapping[tuple[str, str | None], Table]],
) -> dict[str, str]:
    """Write spec, strategies, outcome tables and break points; return path → SHA-256.

    `changed`: outcome tables under each reading and variant.
    """
    folder = plan.folder
    written: dict[str, bytes] = {
        f"{folder}/spec.json": spec_json(plan.spec).encode(),
    }
    kept: dict[str, str] = {}
    if store.exists(f"{folder}/plan.json"):
        kept[f"{folder}/plan.json"] = hashlib.sha256(store.read(f"{folder}/plan.json")).hexdigest()
    for name, strategy in analysis.strategies.items():
        path = strategy_path(plan.game, plan.run, name)
        digest, sha256 = plan.digests.get(path, ("", ""))
        if digest == strategy.digest() and _untouched(store, path, sha256):
            kept[path] = sha256
        else:
            written[path] = parquet.strategy_bytes(strategy)
    folders = {"outcomes": analysis.outcome_tables} | {
        f"changed/{rule}={quote(str(value), safe=' ')}": tables
        for (rule, value), tables in changed.items()
    }
    for part, tables in folders.items():
        for (space, strategy_name), table in tables.items():
            metadata = {"game": plan.game, "run": plan.run, "space": space}
            path = f"{folder}/{part}/{space}--{strategy_name or 'every-action'}.parquet"
            written[path] = parquet.table_bytes(table, metadata)
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


def _publish(
    plan: Plan, store: Store, statement: Statement, analysis: Analysis, signer: CryptoSigner | None
) -> dict[str, str]:
    """Write the report, the certificate with the report among its subjects, and its signature."""
    page = report.render(statement, analysis.spec, analysis.strategies).encode()
    report_path = f"{plan.folder}/report.html"
    whole = issue.with_subject(statement, report_path, hashlib.sha256(page).hexdigest())
    text = (json.dumps(whole.document(), indent=1, ensure_ascii=False) + "\n").encode()
    name = f"{plan.game}-{plan.run}"
    paths = {"certificate": f"certificates/{name}.json", "report": f"reports/{name}.html"}
    files = {
        f"{plan.folder}/certificate.json": text,
        paths["certificate"]: text,
        report_path: page,
        paths["report"]: page,
    }
    if signer is not None:
        paths["signature"] = f"certificates/{name}.dsse"
        envelope = signature.sign(text, signer)
        files |= {f"{plan.folder}/certificate.dsse": envelope, paths["signature"]: envelope}
    for path, content in files.items():
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
