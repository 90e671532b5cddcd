"""The proof once more: reduction from the partitions, every check, and every number."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from engine.analysis.analysis import Analysis
from engine.exact.errors import DealproofError
from engine.exact.rendering import document
from engine.studies.agreement import difference
from engine.studies.published import compare
from engine.studies.variants import priced_variants
from tasks.certificate import checks
from tasks.certificate.check import Check
from tasks.certificate.model import CheckResult
from tasks.reprice import reprice
from tasks.run.jobs import Plan, load
from tasks.run.reduce import Collected, DamagedParts, collect
from tasks.store import parquet
from tasks.verify.evidence import Evidence
from tasks.verify.findings import Finding, Step


def reduced(evidence: Evidence) -> tuple[Step, Plan | None, Collected | None]:
    """Merge the partitions again and compare with the outcome tables, row by row."""
    name = "reduction"
    predicate, store = evidence.statement.predicate, evidence.store
    if store is None or not store.exists(f"{evidence.folder}/plan.json"):
        return Step.skipped(name, "the run's plan is not here"), None, None
    try:
        plan = load(predicate.game, predicate.run.id, store)
    except DealproofError as error:
        finding = Finding(f"{evidence.folder}/plan.json", "", "a plan", str(error))
        return Step.of(name, "the plan cannot be read", [finding]), None, None
    try:
        collected = collect(plan, store)
    except DamagedParts as error:
        certified = {subject.name for subject in evidence.statement.subject}
        findings = [
            Finding(path, "", "a partition", fault)
            for path, fault in error.faults.items()
            if path in certified and evidence.read(path) is not None
        ]
        missing = sum(evidence.read(path) is None for path in error.faults)
        if findings:
            return Step.of(name, f"{len(findings):,} partitions are damaged", findings), plan, None
        return Step.skipped(name, f"{missing:,} partitions are not here"), plan, None
    except DealproofError as error:
        return (
            Step.of(name, "", [Finding(plan.folder, "", "its partitions", str(error))]),
            plan,
            None,
        )
    findings = _outcomes(evidence, plan, collected)
    files = len(collected.parts)
    return (
        Step.of(name, f"{files:,} partitions reduce to the outcome tables", findings),
        plan,
        collected,
    )


def _outcomes(evidence: Evidence, plan: Plan, collected: Collected) -> list[Finding]:
    findings = []
    analysis = _analysis(evidence, plan, collected)
    for (space, strategy), table in analysis.outcome_tables.items():
        path = f"{evidence.folder}/outcomes/{space}--{strategy or 'every-action'}.parquet"
        data = evidence.read(path)
        if data is None:
            continue
        try:
            stored, _ = parquet.read_table(data)
        except DealproofError as error:
            findings.append(Finding(path, "", "an outcome table", str(error)))
            continue
        row = difference(table, stored)
        if row:
            ours, _, where = row.partition(" at ")
            theirs = ours.replace("enumerate", "reduced").replace("exhaust", "the file has")
            findings.append(Finding(path, where, "the partitions' sum", theirs))
    return findings


def _analysis(evidence: Evidence, plan: Plan, collected: Collected) -> Analysis:
    """The run's analysis, with the strategies that spaces solved for themselves as stored."""
    strategies = {}
    for entry in evidence.statement.predicate.strategies:
        data = evidence.read(f"{evidence.folder}/strategies/{entry.name}.parquet")
        space = plan.program.game.space(entry.space)
        if data is not None and space.decision is not None and not space.decision.tabulated:
            strategies[entry.name] = parquet.read_strategy(data)[0]
    return Analysis(plan.program, collected.tables["enumerate"], strategies)


def checked(evidence: Evidence, plan: Plan, collected: Collected) -> Step:
    """Every check that needs nothing but the files, run again and compared with the certificate."""
    analysis = _analysis(evidence, plan, collected)
    variants = [variant.analysis for variant in priced_variants(plan.spec)]
    comparisons = compare(analysis, plan.spec.rule_values, variants)
    certified = {check.name: check for check in evidence.statement.predicate.checks}
    again = checks.run_checks(analysis, collected, comparisons)
    findings = [
        Finding(evidence.path.name, f"check {check.name}", theirs, ours)
        for check in again
        for theirs, ours in [_compared(certified.get(check.name), check)]
        if theirs != ours
    ]
    others = [name for name in certified if name not in {check.name for check in again}]
    detail = f"{len(again):,} checks come to the same"
    if others:
        detail += f"; by other steps: {', '.join(others)}"
    return Step.of("checks", detail, findings)


def _compared(theirs: CheckResult | None, ours: Check) -> tuple[str, str]:
    """Verdict and finding of a check in the certificate and of today; its first other figure."""
    today = f"{ours.verdict}: {ours.detail}"
    if theirs is None:
        return "no such check", today
    certified = f"{theirs.verdict}: {theirs.detail}"
    if certified != today:
        return certified, today
    return _other(theirs.evidence, document(ours.evidence), "evidence") or ("", "")


def _other(theirs: Any, ours: Any, path: str) -> tuple[str, str] | None:
    """The first figure in which two pieces of evidence differ; floats may by their last digits."""
    if isinstance(theirs, Mapping) and isinstance(ours, Mapping):
        if set(theirs) != set(ours):
            return f"{path}: {', '.join(theirs)}", ", ".join(ours)
        pairs = [(theirs[name], ours[name], f"{path}.{name}") for name in theirs]
    elif isinstance(theirs, (list, tuple)) and isinstance(ours, (list, tuple)):
        if len(theirs) != len(ours):
            return f"{path}: {len(theirs)} entries", f"{len(ours)} entries"
        pairs = [(a, b, f"{path}[{n}]") for n, (a, b) in enumerate(zip(theirs, ours, strict=True))]
    elif isinstance(theirs, float) and isinstance(ours, float):
        alike = math.isclose(theirs, ours, rel_tol=1e-9, abs_tol=1e-300)
        return None if alike else (f"{path} = {theirs}", str(ours))
    else:
        return None if theirs == ours else (f"{path} = {theirs}", str(ours))
    return next((found for pair in pairs if (found := _other(*pair))), None)


def repriced(evidence: Evidence) -> Step:
    """Every number of the certificate, by the second pricer."""
    found = reprice(evidence.statement.document(), evidence.read)
    if not found.confirmed.total() and not found.differences:
        return Step.skipped("numbers", "the run's outcome tables are not here")
    findings = [
        Finding(evidence.path.name, one.path, one.certificate, one.second)
        for one in found.differences
    ]
    findings += [
        Finding(evidence.path.name, path, "a number", "nobody knows how to confirm it")
        for path in found.unlisted
    ]
    detail = f"{found.confirmed.total():,} of {found.numbers:,} numbers confirmed"
    left = found.unconfirmed.most_common()
    if left:
        detail += "; not: " + "; ".join(f"{count:,} ({reason})" for reason, count in left)
    return Step.of("numbers", detail, findings)
