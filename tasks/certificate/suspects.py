"""Which files a failed comparison comes from: each is set against what its range gives afresh.

A file that was changed together with its digest is caught by the checks alone, which see sums.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.cards.streams import BLOCK
from engine.exact.tables import same
from tasks.certificate.checks import Check
from tasks.run.jobs import Plan
from tasks.run.partition import tables
from tasks.store.parquet import read_table
from tasks.store.store import Store

#: Failed checks whose evidence can be looked through, and the methods behind it.
COMPARED = {"agreement": ("enumerate", "exhaust"), "simulation": ("simulate",)}
#: Files that are named; rounds that are played again in order to find some.
NAMED, REPLAYED = 3, 128 * BLOCK


def named(checks: Sequence[Check], plan: Plan, store: Store) -> tuple[Check, ...]:
    """The same checks, those that failed with the files that differ in their details."""
    return tuple(
        replace(check, detail=f"{check.detail}; {_in_words(check, plan, store)}")
        if check.verdict == "fail" and check.name in COMPARED
        else check
        for check in checks
    )


def _in_words(check: Check, plan: Plan, store: Store) -> str:
    if check.name == "simulation" and plan.rounds > REPLAYED:
        return f"more than {REPLAYED:,} rounds are not played again to find the files that differ"
    paths = list(suspects(plan, store, COMPARED[check.name]))
    if not paths:
        return "every file holds what its range gives when it is computed again"
    more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
    what = "played" if check.name == "simulation" else "enumerated"
    return f"not what its range gives when {what} again: {', '.join(paths[:NAMED])}{more}"


def suspects(plan: Plan, store: Store, methods: Sequence[str]) -> Iterator[str]:
    """Paths of the parts by these methods that differ from their ranges, computed here again.

    Exhausted parts are set against their enumeration, which takes a moment.
    """
    game = plan.program.game
    for job in plan.jobs:
        if job.method not in methods:
            continue
        afresh = job if job.space is None else replace(job, method="enumerate")
        for part in job.parts:
            fresh = tables(afresh, part, store)
            for output, path in zip(job.outputs, job.paths(part), strict=True):
                stored, _ = read_table(store.read(path), game.space(output.space).features)
                if not same(fresh[output.space, output.strategy], stored):
                    yield path
