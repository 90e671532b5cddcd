"""The certificate: an in-toto Statement whose subjects are the run's files."""

from __future__ import annotations

import datetime
import math
import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from importlib import metadata
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.analysis.analysis import Analysis, Result
from engine.exact.digest import engine_digest
from engine.exact.errors import at
from engine.exact.rendering import DECIMALS, decimal, document, rational
from engine.pricing.pricer import Line, Priced
from engine.pricing.settlement import case_sql
from engine.pricing.statistics import statistics
from engine.program.bound import BoundWager
from engine.spec.model import Rule
from engine.studies.bases import in_basis
from engine.studies.printed import Comparison, Figures, figures_met
from engine.studies.readings import COUNTS, Alternative
from tasks.certificate import assumptions, distributions, strategies
from tasks.certificate.model import (
    PREDICATE,
    SCHEMA,
    STATEMENT,
    CheckResult,
    Digest,
    Statement,
    Subject,
    validated,
)

if TYPE_CHECKING:
    # Commands print what a certificate says without loading what it takes to earn one.
    from engine.studies.joint import Study
    from engine.studies.variants import Variant
    from tasks.certificate.checks import Check
    from tasks.run.plan import Plan
    from tasks.run.reduce import Collected

#: Ratios of two bets at which a certificate states the loss exactly.
TABLED = (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(2))


def _line(line: Line, deals: int, basis: int, paid: bool) -> dict[str, Any]:
    return {
        "event": line.event,
        "pays": line.pays if paid else None,
        "staked": str(line.staked) if paid else None,
        "net": str(line.net) if paid else None,
        "combinations": in_basis(line.combinations, deals, basis),
        "probability": rational(line.probability),
        "return": rational(line.returned) if paid else None,
        "true_odds": rational(line.true_odds),
    }


def _condition(wager: BoundWager, name: str) -> dict[str, Any]:
    (event,) = (event for event in wager.events if event.event == name)
    return {
        "number": event.number + 1,
        "condition": event.when.text,
        "sql": event.when.sql(wager.constants),
        "staked_sql": event.staked.sql(wager.constants),
    }


def _lines(result: Result) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The lines of a pay table, and what they add up to."""
    priced, paid, basis = result.priced, result.wager.priced, result.wager.basis[1]
    with at(result.wager.path, "counted_in"):
        events = [
            _line(line, priced.deals, basis, paid) | _condition(result.wager, line.event)
            for line in priced.lines
        ]
        combinations = sum(
            in_basis(line.combinations, priced.deals, basis) for line in priced.lines
        )
    probability = sum((line.probability for line in priced.lines), Fraction())
    returned = sum((line.returned for line in priced.lines), Fraction())
    return events, {
        "combinations": combinations,
        "probability": rational(probability),
        "return": rational(returned) if paid else None,
    }


def priced(result: Result) -> dict[str, Any]:
    """One priced wager as the certificate and ``price --json`` give it.

    Without a pay table it is a distribution: whatever depends on pays is None. A wager on which
    nothing is staked has no edge; `paid_per_round` is what it pays out. `headline` names the
    quantity that the wager is known by, `headline_reason` why that is not the house edge.
    """
    prices: Priced = result.priced
    paid, basis = result.wager.priced, result.wager.basis
    events, total = _lines(result)

    return {
        "wager": result.wager.name,
        "title": result.wager.title,
        "rule": result.wager.spec.rule,
        "strategy": result.strategy.name if result.strategy else None,
        "strategy_title": result.strategy.title if result.strategy else None,
        "method": "enumerate",
        "space": result.space,
        "basis": basis[0],
        "deals": basis[1],
        "priced": paid,
        "case": case_sql(result.wager),
        "events": events,
        "headline": result.headline,
        "headline_reason": result.headline_reason,
        "total": total,
        **{name: rational(value) if paid else None for name, value in statistics(prices).items()},
    }


def _alternative(rule: Rule, alternative: Alternative) -> dict[str, Any]:
    """One wager under another reading; with its events where nothing but these tells the change."""
    entry: dict[str, Any] = {
        "value": alternative.value,
        "meaning": rule.meaning.get(str(alternative.value), str(alternative.value)),
        "wager": alternative.wager,
        "strategy": alternative.strategy,
        "house_edge": rational(alternative.house_edge),
        "element_of_risk": rational(alternative.element_of_risk),
        "change": rational(alternative.change),
        "paid_per_round": rational(alternative.result.paid_per_round),
        "effect": alternative.effect,
        "deals": None,
        "events": None,
    }
    if alternative.effect == COUNTS:
        deals_priced, wager = alternative.priced.deals, alternative.certified.wager
        basis = wager.basis[1]
        whole = all(
            line.combinations * basis % deals_priced == 0 for line in alternative.priced.lines
        )
        deals = basis if whole else deals_priced
        events = [
            _line(line, deals_priced, deals, wager.priced) for line in alternative.priced.lines
        ]
        entry |= {"deals": deals, "events": events}
    return entry


def _readings(analysis: Analysis, alternatives: Sequence[Alternative]) -> list[dict[str, Any]]:
    readings = []
    for name, group in groupby(alternatives, key=lambda a: a.rule):
        rule = analysis.spec.rule(name)
        readings.append(
            {
                "name": name,
                "clause": rule.clause,
                "chosen": rule.value,
                "meaning": rule.meaning.get(str(rule.value), str(rule.value)),
                "alternatives": [_alternative(rule, a) for a in group],
            }
        )
    return readings


def _published(comparison: Comparison) -> dict[str, Any]:
    figure = comparison.figure
    return {
        "wager": figure.wager,
        "strategy": figure.strategy,
        "event": figure.event or figure.when,
        "rules": dict(figure.rules),
        "quantity": figure.quantity,
        "printed": figure.printed,
        "source": figure.source,
        "basis": comparison.basis,
        "ours": rational(comparison.ours),
        "verdict": comparison.verdict,
        "reason": comparison.reason,
        "refuted_because": figure.refuted_because,
        "note": figure.note,
        "fault": comparison.fault,
    }


def wagers(analysis: Analysis, comparisons: Sequence[Comparison]) -> list[dict[str, Any]]:
    """All priced wagers, each with what its published figures come to."""
    met = figures_met(comparisons, analysis.results)
    return [
        priced(result)
        | {
            "recovered_from": list(result.wager.spec.recovered_from),
            "figures": _figures(met[result.wager.name, result.key[1]]),
        }
        for result in analysis.results
    ]


def _figures(figures: Figures) -> dict[str, Any]:
    return {**vars(figures), "verdict": figures.verdict}


def _check(check: Check) -> dict[str, Any]:
    return {
        "name": check.name,
        "title": check.title,
        "required": check.required,
        "verdict": check.verdict,
        "coverage": check.coverage,
        "detail": check.detail,
        "evidence": dict(check.evidence),
    }


def _joint(study: Study) -> dict[str, Any]:
    return {
        "name": study.joint.name,
        "title": study.joint.title,
        "base": study.joint.base,
        "side": study.joint.side,
        "per_unit_of": list(study.put_up),
        "breaks": len(study.ratios),
        "ratios": len({*study.ratios}),
        "first": rational(study.ratios[0]) if study.ratios else None,
        "last": rational(study.ratios[-1]) if study.ratios else None,
        "losses": [
            {
                "ratio": str(ratio),
                "loss": rational(study.loss(ratio)),
                "edge": rational(study.edge(ratio)),
            }
            for ratio in TABLED
        ],
        "curve": [
            {"ratio": str(ratio), "edge": decimal(edge, DECIMALS)}
            for ratio in (Fraction(step, 16) for step in range(33))
            if (edge := study.edge(ratio)) is not None
        ],
    }


def _covariances(analysis: Analysis) -> list[dict[str, Any]]:
    """Covariance of every two wagers that one deal under one strategy can settle together.

    `correlation`, a square root, is rounded; 0 where a wager never varies.
    """
    pairs: dict[tuple[frozenset[str], str | None], dict[str, Any]] = {}
    variances: dict[tuple[str, str | None], Fraction] = {}

    def variance(wager: BoundWager, result: Result) -> Fraction:
        key = wager.name, result.key[1]
        if key not in variances:
            variances[key] = analysis.variance(wager, result)
        return variances[key]

    for result in analysis.results:
        if not result.wager.priced:
            continue
        for other in analysis.program.wagers.values():
            same = other.name == result.wager.name or not other.priced
            key = frozenset((other.name, result.wager.name)), result.key[1]
            if same or key in pairs or not analysis.settles(other, result):
                continue
            covariance = analysis.covariance(other, result)
            product = variance(other, result) * variance(result.wager, result)
            pairs[key] = {
                "wager": result.wager.name,
                "other": other.name,
                "strategy": result.key[1],
                "covariance": rational(covariance),
                "correlation": float(covariance) / math.sqrt(product) if product else 0.0,
            }
    return list(pairs.values())


@cache
def software() -> dict[str, str]:
    """Version of this software, commit where it runs from a checkout, digest of the engine."""
    try:
        version = metadata.version("dealproof")
    except metadata.PackageNotFoundError:
        version = "unknown"
    return {"version": version, "commit": _commit(), "engine_digest": engine_digest()}


def _commit() -> str:
    root = Path(__file__).parents[2]
    if not (root / ".git").exists():
        return "not a checkout"
    try:
        commit = subprocess.run(
            ["git", "-C", str(root), "rev-parse", "HEAD"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        changed = subprocess.run(
            ["git", "-C", str(root), "status", "--porcelain", "--untracked-files=no"],
            capture_output=True, text=True, check=True,
        ).stdout.strip()  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{commit} with changes" if changed else commit


def environment() -> dict[str, Any]:
    """What the run was computed with."""
    packages = ("dask", "distributed", "duckdb", "numba", "numpy", "prefect", "pyarrow", "scipy")
    return {
        "python": sys.version.split()[0],
        "platform": platform.platform(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "packages": {name: metadata.version(name) for name in packages},
    }


def build(
    plan: Plan,
    analysis: Analysis,
    collected: Collected,
    checks: Sequence[Check],
    comparisons: Sequence[Comparison],
    alternatives: Sequence[Alternative],
    studies: Sequence[Study],
    verdict: str,
    subjects: Mapping[str, str],
    variants: Sequence[Variant] = (),
) -> Statement:
    """Write the whole statement. `subjects` maps store paths to SHA-256.

    `variants` are priced beside the one that is certified. Integers that not every reader of JSON
    holds exactly are text.
    """
    spec = analysis.spec
    methods = sorted({coverage.method for coverage in collected.coverage})
    statement = {
        "_type": STATEMENT,
        "subject": [
            {"name": name, "digest": {"sha256": sha}} for name, sha in sorted(subjects.items())
        ],
        "predicateType": PREDICATE,
        "predicate": {
            "schema": SCHEMA,
            "document": {"number": f"{spec.game}-{plan.run}", "revision": 1, "supersedes": None},
            "game": spec.game,
            "title": spec.title,
            "summary": spec.summary,
            "source": spec.source,
            "play": list(spec.play),
            "assumptions": assumptions.of(analysis),
            "applicant": spec.applicant or None,
            "rules": spec.rule_values,
            "clauses": {rule.name: rule.clause for rule in spec.rules},
            "readings": _readings(analysis, alternatives),
            "run": {
                "id": plan.run,
                "issued": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
                "methods": methods,
                "coverage": [
                    {
                        "method": c.method,
                        "space": c.key[0],
                        "strategy": c.key[1],
                        "partitions": c.parts,
                        "partitions_total": c.parts_total,
                        "deals": c.deals,
                        "deals_total": c.deals_total,
                    }
                    for c in collected.coverage
                ],
                "software": software(),
                "environment": environment(),
                "seed": plan.seed,
                "rounds": plan.rounds,
            },
            "spaces": [
                {
                    "name": space.name,
                    "title": space.title,
                    "deals": space.deals,
                    "starts": space.starts,
                    "denominators": dict(space.denominators),
                    "columns": {f.name: f.description for f in space.features},
                }
                for space in analysis.game.spaces
            ],
            "wagers": wagers(analysis, comparisons),
            "variants": [
                {
                    "rule": variant.rule,
                    "value": variant.value,
                    "wagers": [priced(result) for result in variant.analysis.results],
                }
                for variant in variants
            ],
            "strategies": strategies.described(analysis),
            "comparisons": strategies.compared(analysis),
            "values": distributions.values(analysis),
            "distributions": distributions.distributions(analysis),
            "joint": [_joint(study) for study in studies],
            "covariances": _covariances(analysis),
            "published": [_published(comparison) for comparison in comparisons],
            "shared": [
                {
                    "name": part.name,
                    "module": part.module,
                    "description": part.description,
                    "counts": dict(part.counts),
                }
                for part in analysis.game.shared
            ],
            "checks": [_check(check) for check in checks],
            "verdict": verdict,
        },
    }
    return validated(document(statement))


def rechecked(statement: Statement, checks: Sequence[Check], verdict: str) -> Statement:
    """The same statement with other checks and the verdict that follows from them."""
    results = tuple(CheckResult.model_validate(_check(check)) for check in checks)
    predicate = statement.predicate.model_copy(update={"checks": results, "verdict": verdict})
    return statement.model_copy(update={"predicate": predicate})


def with_subject(statement: Statement, path: str, sha256: str) -> Statement:
    """The same statement with one more file among its subjects."""
    subject = Subject(name=path, digest=Digest(sha256=sha256))
    return statement.model_copy(update={"subject": (*statement.subject, subject)})
