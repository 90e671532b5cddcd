"""How long a whole run takes, from its start to its report: counted work at measured speeds.

Partitions are projected where they are planned. Everything else is counted here: what a start
takes on this machine, a worker's first calls, the carrying of parts, and the conclusion with its
readings and variants, one of which is worked out once to know what one takes.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from engine.analysis.analysis import analyse
from engine.exact import kernels
from engine.studies import agreement
from engine.studies.readings import changes
from engine.studies.variants import variants
from tasks.run import calibrate, readings
from tasks.run.jobs import Plan

#: One reading is tried where solving and enumerating a game takes at most these core-seconds.
TRIED = 2.0
#: Core-seconds, on the machine that `calibrate.speed` is 1 on, of a part: to carry, to read back.
CARRIED, COLLECTED = 0.0015, 0.003
#: The same of what Prefect and dask take while parts are computed; of a conclusion (checks,
#: certificate, report, catalogue, and what they load); of each wager in it.
DRIVEN, CONCLUDED, WAGER = 0.8, 3.0, 0.01
#: The same for each information set and action of a strategy: to write it, to read it, and to
#: study it jointly with others, break points written included.
WRITTEN, READ, STUDIED = 1.2e-8, 0.9e-8, 1.4e-7


@dataclass(frozen=True)
class Measured:
    """What planning measured beside the jobs, in core-seconds.

    `solving`: all strategies once; `loading`: the first calls of a process that loads kernels
    which are compiled already.
    """

    solving: float
    loading: float


@dataclass(frozen=True)
class Moment:
    """A moment on this thread's clock, the clock of compilation, and the wall's."""

    clock: float
    compiled: float
    wall: float

    @classmethod
    def now(cls) -> Moment:
        """This moment."""
        return cls(calibrate.clock(), kernels.compile_seconds(), time.monotonic())

    @property
    def seconds(self) -> float:
        """Core-seconds of this thread since then, without compilation."""
        compiling = kernels.compile_seconds() - self.compiled
        return max(0.0, calibrate.clock() - self.clock - compiling)


def projected(plan: Plan, measured: Measured, begun: Moment, started: float | None) -> Plan:
    """A plan with its projected work and wall seconds, in all and by phase.

    `begun`: when planning began; `started`: when the run was, on the monotonic clock: its start and
    its planning took what they took, compilation included. Without it they are projected, for a
    later run that finds all kernels compiled.
    """
    speed, spec, cores = calibrate.speed(), plan.spec, plan.cores
    parts = sum(len(job.parts) for job in plan.jobs)
    cells = [len(strategy) * len(strategy.actions) for strategy in plan.strategies.values()]
    loading = measured.loading + speed * (DRIVEN + (WRITTEN + READ) * sum(cells))
    computing = sum(job.seconds for job in plan.jobs) + CARRIED * speed * parts
    change = _Change.of(plan, measured.solving)
    alone = speed * (CONCLUDED + WAGER * len(spec.wagers) + COLLECTED * parts)
    alone += speed * STUDIED * len(spec.joint) * max(cells, default=0)
    alone += (1 + len(variants(spec))) * change.pricing
    shared = len(changes(spec)) * (change.pricing + change.sampling)
    shared += len(variants(spec)) * (measured.solving + change.sampling)
    planning = begun.seconds
    phases = {
        "start": calibrate.start_seconds() if started is None else begun.wall - started,
        "plan": planning if started is None else time.monotonic() - begun.wall,
        "compute": loading + computing / cores,
        # Readings are worked out beside the conclusion, and hold Python's lock in their worker.
        "conclude": max(alone, shared / calibrate.processes(cores), (alone + shared) / cores),
    }
    return replace(
        plan,
        phases=phases,
        seconds=sum(phases.values()),
        core_hours=(planning + loading + computing + alone + shared) / 3600,
    )


@dataclass(frozen=True)
class _Change:
    """Core-seconds of a game under one change of its rules: to price it, and to exhaust a sample
    of it under strategies that are solved."""

    pricing: float
    sampling: float

    @classmethod
    def of(cls, plan: Plan, solving: float) -> _Change:
        """Measured on the first change where that is quick, else counted."""
        spec, counts = plan.spec, readings.starts(plan)
        alternatives = (*changes(spec), *variants(spec))
        counted = solving + sum(job.seconds for job in plan.jobs if job.method == "enumerate")
        if not alternatives:
            return cls(counted, 0.0)
        if counted > TRIED:
            return cls(counted, counted + len(counts or ()) * readings.SECONDS)
        begun = Moment.now()
        analysis = analyse(spec.under(dict([alternatives[0]])))
        _ = analysis.results
        pricing, begun = begun.seconds, Moment.now()
        if counts is not None:
            agreement.sample(spec, alternatives[0], plan.seed, counts, analysis.strategies)
        return cls(pricing, begun.seconds)
