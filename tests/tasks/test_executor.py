"""Carrying a plan: the same files anywhere, resumed after a kill, tried again after a failure."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from subprocess import DEVNULL

import pytest
from distributed import Client, LocalCluster

from engine.exact.errors import DealproofError
from engine.spec.loading import load_spec
from tasks.run.executor import Progress, missing, run
from tasks.run.jobs import Plan, save
from tasks.run.plan import make_plan
from tasks.run.reduce import collect
from tasks.store.store import Store
from tests.tasks.conftest import cut, job_of

KEY = ("starts", None)

RUNNER = """
import sys
from tasks.run.executor import run
from tasks.run.plan import load
from tasks.store.store import Store
store = Store(sys.argv[1])
run(load("fu-bacc", sys.argv[2], store), store)
"""


def sums(plan: Plan, store: Store) -> dict[str, str]:
    """SHA-256 of every file of a plan."""
    paths = [path for job in plan.jobs for part in job.parts for path in job.paths(part)]
    return {path: hashlib.sha256(store.read(path)).hexdigest() for path in paths}


def test_any_split_gives_one_table(whole: Plan, tmp_path: Path) -> None:
    digests = {}
    for method in ("enumerate", "exhaust"):
        for parts in (1, 7, 100):
            store = Store.open(str(tmp_path / f"{method}-{parts}"))
            plan = replace(whole, jobs=(cut(job_of(whole, method, "starts"), parts),))
            run(plan, store)
            table = collect(plan, store).tables[method][KEY]
            assert table.deals == 66_300
            digests[method, parts] = table.digest()
    assert len(set(digests.values())) == 1


def test_a_cluster_writes_the_same_bytes(
    cut_plan: Plan, cluster: Client, store: Store, tmp_path: Path
) -> None:
    other = Store.open(str(tmp_path / "other"))
    receipts = run(cut_plan, store, cluster)
    here = run(cut_plan, other)
    assert sums(cut_plan, store) == sums(cut_plan, other)
    written = {path: sha for r in receipts for path, sha in zip(r.paths, r.sha256, strict=True)}
    assert written == sums(cut_plan, store)
    assert len(receipts) == len(here) == 70
    assert sum(receipt.deals for receipt in receipts) == 2 * 66_300
    assert all(20 < receipt.peak_mb < 4000 for receipt in receipts)


def test_simulated_rounds_are_the_same_in_any_parts(
    whole: Plan, store: Store, tmp_path: Path
) -> None:
    job = job_of(whole, "simulate", None)
    part = job.parts[0]
    together = replace(job, parts=(replace(part, hi=2, deals=2 << 20),))
    apart = replace(job, parts=(part, replace(part, number=1, lo=1, hi=2)))
    tables = []
    for name, form in (("together", together), ("apart", apart)):
        position = Store.open(str(tmp_path / name))
        plan = replace(whole, run=name, jobs=(form,))
        run(plan, position)
        tables.append(collect(plan, position).tables["simulate"])
    assert {key: t.digest() for key, t in tables[0].items()} == {
        key: t.digest() for key, t in tables[1].items()
    }
    assert tables[0]["starts", None].deals == 2 << 20


def test_what_is_there_is_skipped_and_told(cut_plan: Plan, store: Store) -> None:
    exhaust = replace(cut_plan, jobs=cut_plan.jobs[1:])
    run(exhaust, store)
    text: list[Progress] = []
    receipts = run(cut_plan, store, progress=text.append)
    assert {receipt.job for receipt in receipts} == {"enumerate starts"}
    assert (text[0].done, text[0].resumed, text[0].total) == (30, 30, 70)
    assert (text[0].deals_done, text[0].deals_total) == (66_300, 132_600)
    assert (text[-1].done, text[-1].deals_done) == (70, 132_600)
    assert [each.done for each in text] == list(range(30, 71))
    assert run(cut_plan, store) == []


def test_an_emptied_part_is_computed_again(cut_plan: Plan, store: Store) -> None:
    run(cut_plan, store)
    before = sums(cut_plan, store)
    job = cut_plan.jobs[0]
    path = job.paths(job.parts[3])[0]
    store.write(path, b"")
    assert [part.number for _, part in missing(cut_plan, store)] == [3]
    assert [receipt.paths for receipt in run(cut_plan, store)] == [(path,)]
    assert sums(cut_plan, store) == before


@pytest.fixture(scope="module")
def several() -> Plan:
    """Two parts that play three strategies of Double Ace on the same deals."""
    whole = make_plan(load_spec("double-ace"), methods=("exhaust",), full=True)
    job = job_of(whole, "exhaust", "main")
    return replace(whole, jobs=(replace(job, parts=job.parts[40:42]),))


def test_one_pass_over_the_deals_fills_a_table_for_each_strategy(
    several: Plan, store: Store, tmp_path: Path
) -> None:
    (job,) = several.jobs
    priced = {name for wager in several.spec.wagers for name in wager.strategies}
    assert set(job.strategy_names) == priced
    assert len(job.strategy_names) == len(priced) > 2
    assert job.label == f"exhaust main, {len(priced)} strategies"
    receipts = run(several, store)
    assert [len(receipt.paths) for receipt in receipts] == [len(priced)] * 2
    other = Store.open(str(tmp_path / "other"))
    alone = tuple(job.only([output]) for output in job.outputs)
    assert [one.label for one in alone] == [f"exhaust main, {name}" for name in job.strategy_names]
    run(replace(several, jobs=alone), other)
    assert sums(several, store) == sums(several, other)


def test_only_the_tables_that_are_missing_are_filled(several: Plan, store: Store) -> None:
    run(several, store)
    before = sums(several, store)
    (job,) = several.jobs
    first, second = (job.paths(part) for part in job.parts)
    for path in (first[1], second[0], second[1]):
        store.write(path, b"")
    assert [one.strategy_names for one, _ in missing(several, store)] == [
        job.strategy_names[1:2],
        job.strategy_names[:2],
    ]
    receipts = run(several, store)
    assert [receipt.paths for receipt in receipts] == [(first[1],), second[:2]]
    assert sums(several, store) == before


def test_killed_in_the_middle_it_resumes(slow_plan: Plan, store: Store) -> None:
    save(slow_plan, store)
    folder = slow_plan.jobs[0].outputs[0].folder
    killed = []
    for more in (3, 5):
        before = len(store.names(folder))
        with subprocess.Popen([sys.executable, "-c", RUNNER, store.uri, slow_plan.run]) as runner:
            until = time.monotonic() + 60
            while len(store.names(folder)) < before + more and time.monotonic() < until:
                time.sleep(0.01)
            runner.send_signal(signal.SIGKILL)
        killed.append(len(store.names(folder)))
        assert before + more <= killed[-1] < 24
    text: list[Progress] = []
    receipts = run(slow_plan, store, progress=text.append)
    assert text[0].resumed == killed[-1]
    assert len(receipts) == 24 - killed[-1]
    deals = collect(slow_plan, store).coverage[0].deals
    assert deals == sum(part.deals for part in slow_plan.jobs[0].parts)


def test_interrupted_it_lets_go_of_the_cluster(
    slow_plan: Plan, cluster: Client, store: Store
) -> None:
    def interrupt(progress: Progress) -> None:
        if progress.done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(slow_plan, store, cluster, progress=interrupt)
    until = time.monotonic() + 10
    while any(cluster.processing().values()) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(cluster.processing().values())
    there = 24 - len(list(missing(slow_plan, store)))
    assert 4 <= there < 24
    assert len(run(slow_plan, store, cluster)) == 24 - there


def test_a_killed_worker_costs_no_part(slow_plan: Plan, store: Store, tmp_path: Path) -> None:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as local,
        Client(local) as client,
    ):
        workers = client.run(os.getpid)
        killed: list[int] = []

        def kill(progress: Progress) -> None:
            if progress.done >= 3 and not killed:
                killed.append(next(iter(workers.values())))
                os.kill(killed[0], signal.SIGKILL)

        receipts = run(slow_plan, store, client, progress=kill)
        assert killed
        assert set(client.run(os.getpid).values()) != set(workers.values())
    assert sorted(receipt.number for receipt in receipts) == list(range(24))
    other = Store.open(str(tmp_path / "other"))
    run(slow_plan, other)
    assert sums(slow_plan, store) == sums(slow_plan, other)


@pytest.mark.parametrize("way", [signal.SIGKILL, signal.SIGTERM])
def test_a_lost_cluster_is_told_and_the_next_run_resumes(
    slow_plan: Plan, store: Store, tmp_path: Path, way: signal.Signals
) -> None:
    address = tmp_path / "scheduler.json"
    dask = [sys.executable, "-m", "dask"]
    text = ["--scheduler-file", str(address), "--no-dashboard"]
    with (
        subprocess.Popen([*dask, "scheduler", "--port", "0", *text], stderr=DEVNULL) as scheduler,
        subprocess.Popen([*dask, "worker", "--nthreads", "1", *text], stderr=DEVNULL) as worker,
        Client(scheduler_file=str(address), timeout=30) as client,
    ):

        def lose(progress: Progress) -> None:
            if progress.done == 2:
                scheduler.send_signal(way)

        try:
            with pytest.raises(DealproofError, match="the cluster is lost; the next run resumes"):
                run(slow_plan, store, client, progress=lose)
        finally:
            scheduler.kill()
            worker.kill()
    there = 24 - len(list(missing(slow_plan, store)))
    assert there >= 2
    assert len(run(slow_plan, store)) == 24 - there


def test_a_part_that_keeps_failing_is_named(cut_plan: Plan, cluster: Client, store: Store) -> None:
    # Without the rules that it reads, no game can be built.
    broken = replace(cut_plan, jobs=(replace(cut_plan.jobs[0], rule_values=()),))
    with pytest.raises(
        DealproofError, match=r"enumerate starts, part-\d{5}-of-00040.parquet: failed 3 times: KeyE"
    ):
        run(broken, store, cluster)


def test_a_store_that_refuses_to_be_written_is_told(
    cut_plan: Plan, cluster: Client, store: Store
) -> None:
    save(cut_plan, store)
    store.write("tables", b"a file in the way")
    with pytest.raises(DealproofError, match=r"part-\d{5}-of-\d{5}.parquet: Not a directory"):
        run(cut_plan, store, cluster)


def test_another_engine_is_refused(cut_plan: Plan, cluster: Client, store: Store) -> None:
    other = replace(cut_plan, jobs=(replace(cut_plan.jobs[0], source="0" * 64),))
    for client in (None, cluster):
        with pytest.raises(DealproofError, match="install the same version everywhere"):
            run(other, store, client)
