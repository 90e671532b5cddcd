"""What carrying a part costs: python -m tests.tasks.bench_drive [parts]."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace

from distributed import Client, LocalCluster

from engine.spec.loading import load_spec
from tasks.run.executor import Window, missing, run
from tasks.run.jobs import Job, Part, Plan
from tasks.run.partition import Receipt
from tasks.run.plan import make_plan
from tasks.run.reduce import collect
from tasks.store.store import Store
from tests.tasks.conftest import cut, job_of


def nothing(job: Job, parts: tuple[Part, ...], store_uri: str) -> list[Receipt]:
    """Compute nothing and write nothing."""
    return [Receipt(job.label, part.number, (), (), (), part.deals, 0.0, 0.0) for part in parts]


def timed(what: str, parts: int, work: Callable[[], object]) -> None:
    """Print wall and processor time of this process (driver and scheduler) per part."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{what:<42} {1e3 * wall / parts:6.2f} ms a part, {1e3 * cpu / parts:6.2f} ms here")


def main(parts: int) -> None:
    """Measure in this process, over dask, and dask alone."""
    whole = make_plan(load_spec("fu-bacc"), methods=("enumerate",))
    plan: Plan = replace(
        whole, run="bench", jobs=(cut(job_of(whole, "enumerate", "starts"), parts),)
    )
    with (
        tempfile.TemporaryDirectory() as one,
        tempfile.TemporaryDirectory() as two,
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as local,
        Client(local) as client,
    ):
        here, there = Store.open(one), Store.open(two)
        todo = list(missing(plan, there))
        window = Window(client, there, work=nothing)
        timed("dask alone, nothing computed", parts, lambda: list(window.carry(todo)))
        single = [(replace(job, seconds=1.0), part) for job, part in todo]
        timed("dask alone, one future a part", parts, lambda: list(window.carry(single)))
        timed("files written in this process", parts, lambda: run(plan, here))
        timed("files written over dask, two processes", parts, lambda: run(plan, there, client))
        timed("nothing left to do", parts, lambda: run(plan, there, client))
        timed("read back, verified and merged", parts, lambda: collect(plan, there))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
