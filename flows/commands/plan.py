"""`dealproof plan`: what a run would do, before it does it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.exact.rendering import count, floating, general
from flows.commands.query import existing
from flows.views import show
from flows.views.options import (
    STORE,
    Changes,
    Detect,
    Full,
    Game,
    Json,
    Methods,
    Rounds,
    Seed,
    Store,
    Workers,
    chosen,
    rounds_of,
    spec_of,
)

if TYPE_CHECKING:
    from tasks.run.plan import Plan

EXAMPLE = "Example: dealproof plan fu-bacc --set decks=8 --full"


def command(
    game: Game,
    method: Methods = None,
    changes: Changes = None,
    rounds: Rounds = None,
    detect: Detect = None,
    seed: Seed = 1,
    workers: Workers = None,
    full: Full = False,
    store: Store = STORE,
    as_json: Json = False,
) -> None:
    """Plan a run: partitions, exact numbers of deals, projected time and memory.

    Nothing is computed. Kernels are compiled if they never were, and timed for a moment on this
    machine. The time is that of the whole run: its start, planning, partitions, and conclusion.
    """
    from engine.analysis.binding import bind
    from tasks.run.jobs import METHODS
    from tasks.run.plan import ROUNDS, compiled_before, make_plan

    spec = spec_of(game, changes)
    bind(spec)  # A mistake in the spec is told before kernels are compiled.
    methods = ["enumerate", *chosen(method, METHODS)]
    if not compiled_before(spec, methods):
        print(f"compiling the kernels of {spec.game} once …", file=sys.stderr, flush=True)
    exists = "://" in store or Path(store).expanduser().exists()
    plan = make_plan(
        spec,
        methods=methods,
        rounds=rounds_of(rounds, detect) or ROUNDS,
        seed=seed,
        full=full,
        cores=workers,
        store=existing(store) if exists else None,
    )
    show.emit(_described(plan)) if as_json else _print(plan)


def _described(plan: Plan) -> dict[str, Any]:
    return {
        "game": plan.game,
        "run": plan.run,
        "rules": plan.spec.rule_values,
        "methods": list(plan.methods),
        "rounds": plan.rounds,
        "seed": plan.seed,
        "full": plan.full,
        "cores": plan.cores,
        "seconds": plan.seconds,
        "phases": dict(plan.phases),
        "core_hours": plan.core_hours,
        "memory_mb": plan.memory_mb,
        "jobs": [
            {
                "method": job.method,
                "space": job.space,
                "strategies": list(job.strategy_names),
                "partitions": len(job.parts),
                "partitions_total": job.parts_total,
                "deals": job.deals,
                "deals_total": job.deals_total,
                "core_seconds": job.seconds,
                "digest": job.digest,
                "parts": [
                    {"number": part.number, "lo": part.lo, "hi": part.hi, "deals": part.deals}
                    for part in job.parts
                ],
            }
            for job in plan.jobs
        ],
    }


def _held(names: tuple[str, ...]) -> str:
    """The strategies of a job's tables; several are played on the same deals."""
    if len(names) > 1:
        return f"{names[0]} and {len(names) - 1} more"
    return names[0] if names else "every action"


def _print(plan: Plan) -> None:
    print(f"{plan.spec.title}: {show.rules(plan.spec.rule_values)}")
    print(f"run {plan.run}, seed {plan.seed}\n")
    show.table(
        ("Method", "Space", "Strategy", "Parts", "of", "Deals", "of", "Core-seconds"),
        [
            (
                job.method,
                job.space or "all",
                _held(job.strategy_names),
                count(len(job.parts)),
                count(job.parts_total),
                count(job.deals),
                count(job.deals_total) if job.space else "no end",
                floating(job.seconds, 1, True),
            )
            for job in plan.jobs
        ],
        left=3,
    )
    print(
        f"\nProjected on {plan.cores} cores: {floating(plan.seconds, 0, True)} s "
        f"({show.phases(plan.phases)}), "
        f"{general(plan.core_hours)} core-hours, {floating(plan.memory_mb, 0, True)} MB"
    )
