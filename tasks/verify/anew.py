"""Partitions computed again, cut into other pieces than they were."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import ceil

from engine.exact.digest import engine_digest
from engine.exact.errors import DealproofError
from engine.exact.tables import Table
from engine.studies.agreement import difference
from tasks.run.jobs import Job, Part, Plan
from tasks.run.partition import tables
from tasks.store import parquet
from tasks.verify.evidence import Evidence
from tasks.verify.findings import Finding, Step

#: Pieces that a partition is cut into when it is computed again.
PIECES = 2


def recomputed(
    evidence: Evidence, plan: Plan, share: Fraction, seed: int, told: Callable[[str], None]
) -> Step:
    """Compute a share of all partitions again, drawn by a seed, and compare them row by row."""
    parts = [(job, part) for job in plan.jobs for part in job.parts]
    count = max(1, min(len(parts), ceil(share * len(parts))))
    chosen = sorted(random.Random(seed).sample(range(len(parts)), count))
    findings, done = [], 0
    for number in chosen:
        job, part = parts[number]
        told(f"{job.label}, {job.file(part)} ({done + 1:,} of {count:,})")
        present = [path for path in job.paths(part) if evidence.read(path) is not None]
        if present:
            findings += _compared(evidence, job, part)
            done += 1
    if not done:
        return Step.skipped("recomputation", "no partition that was drawn is here")
    detail = f"{done:,} of {len(parts):,} partitions computed again in {PIECES} pieces each"
    source = plan.jobs[0].source
    if source != engine_digest():
        detail += f"; by engine {engine_digest()[:16]}, the run had {source[:16]}"
    return Step.of("recomputation", detail, findings)


def _compared(evidence: Evidence, job: Job, part: Part) -> list[Finding]:
    findings = []
    anew = _pieces(evidence, job, part)
    for output, path in zip(job.outputs, job.paths(part), strict=True):
        data = evidence.read(path)
        if data is None:
            continue
        try:
            stored, _ = parquet.read_table(data)
        except DealproofError as error:
            findings.append(Finding(path, "", "a table", str(error)))
            continue
        row = difference(stored, anew[output.space, output.strategy])
        if row:
            counts, _, where = row.partition(" at ")
            theirs, _, ours = counts.partition(", ")
            findings.append(
                Finding(
                    path, where, theirs.removeprefix("enumerate "), ours.removeprefix("exhaust ")
                )
            )
    return findings


def _pieces(evidence: Evidence, job: Job, part: Part) -> dict[tuple[str, str | None], Table]:
    """The tables of a part as the sums of its pieces; of one piece where it has a single start."""
    if evidence.store is None:
        raise ValueError("there are no files")
    middle = (part.lo + part.hi) // 2
    bounds = [(part.lo, middle), (middle, part.hi)] if middle > part.lo else [(part.lo, part.hi)]
    pieces = [tables(job, replace(part, lo=lo, hi=hi), evidence.store) for lo, hi in bounds]
    return {key: Table.merge([piece[key] for piece in pieces]) for key in pieces[0]}
