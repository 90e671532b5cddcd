"""Carrying a plan's parts over a dask cluster, or through this process.

A bounded window of parts is in flight; each future is released once its receipt is in. What is on
disk already is skipped, so that a run killed at any moment resumes.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from engine.exact.errors import DealproofError
from tasks.run.jobs import Job, Output, Part, Plan, save
from tasks.run.partition import Receipt, compute, compute_all
from tasks.store.store import Store

if TYPE_CHECKING:
    from distributed import Client, Future

Work = Callable[[Job, tuple[Part, ...], str], list[Receipt]]
#: Times that a failed part is tried in all.
TRIES = 3
#: Futures in flight for each thread of the cluster, and the least number.
PER_THREAD, LEAST = 4, 16
#: Quick parts fly in bundles of about these seconds, of at most so many parts.
BUNDLE_SECONDS, BUNDLE = 0.1, 50


@dataclass(frozen=True)
class Progress:
    """How far a run is: parts and deals done, of which `resumed` parts were there before.

    Deals include simulated rounds. `label` names what was finished last.
    """

    done: int
    total: int
    resumed: int
    deals_done: int
    deals_total: int
    seconds: float
    label: str


def run(
    plan: Plan,
    store: Store,
    client: Client | None = None,
    window: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> list[Receipt]:
    """Compute the parts of a plan that the store does not hold yet; return their receipts.

    Without a `client` they are computed here, one by one. A part that fails is tried three times;
    then, and where the cluster is lost, a DealproofError is raised. On an interruption everything
    in flight is cancelled; files that were written stay.
    """
    if not store.exists(f"{plan.folder}/plan.json"):
        save(plan, store)
    todo = list(missing(plan, store))
    tally = _Tally(plan, [part for _, part in todo], progress)
    receipts = []
    finished = _here(todo, store) if client is None else Window(client, store, window).carry(todo)
    for receipt in finished:
        receipts.append(receipt)
        tally.add(receipt)
    return receipts


def missing(plan: Plan, store: Store) -> Iterator[tuple[Job, Part]]:
    """Parts of a plan of which some file is missing or empty, in the plan's order.

    The job that goes with a part has only the outputs that are missing, no parts of its own, and
    the seconds of one part.
    """
    for job in plan.jobs:
        there = {output: store.sizes(output.folder) for output in job.outputs}
        for output in job.outputs:
            store.sweep(output.folder)
        one = replace(job, parts=(), seconds=job.seconds / max(1, len(job.parts)))
        narrowed: dict[tuple[Output, ...], Job] = {}
        for part in job.parts:
            file = job.file(part)
            outputs = tuple(output for output, sizes in there.items() if not sizes.get(file))
            if outputs:
                yield narrowed.setdefault(outputs, one.only(outputs)), part


class _Tally:
    def __init__(
        self, plan: Plan, todo: list[Part], progress: Callable[[Progress], None] | None
    ) -> None:
        self.begun, self.progress = time.monotonic(), progress
        self.total = sum(len(job.parts) for job in plan.jobs)
        self.deals_total = sum(job.deals for job in plan.jobs)
        self.resumed = self.done = self.total - len(todo)
        self.deals = self.deals_total - sum(part.deals for part in todo)
        self._report("resumed" if self.resumed else "begun")

    def add(self, receipt: Receipt) -> None:
        self.done += 1
        self.deals += receipt.deals
        self._report(receipt.job)

    def _report(self, label: str) -> None:
        if self.progress:
            seconds = time.monotonic() - self.begun
            self.progress(
                Progress(
                    self.done, self.total, self.resumed, self.deals, self.deals_total, seconds,
                    label,
                )
            )  # fmt: skip


def _here(todo: list[tuple[Job, Part]], store: Store) -> Iterator[Receipt]:
    for job, part in todo:
        yield compute(job, part, store.uri)


@dataclass
class _Bundle:
    """Parts of one job that fly as one future: more than one where they are quick."""

    job: Job
    parts: tuple[Part, ...]
    tries: int = 1

    def singly(self) -> Iterator[_Bundle]:
        """Its parts one by one, for another try."""
        return (_Bundle(self.job, (part,), self.tries + 1) for part in self.parts)


def bundled(todo: list[tuple[Job, Part]], threads: int) -> Iterator[_Bundle]:
    """Bundle quick parts, so that carrying them costs less than computing them."""
    for _, group in groupby(todo, key=lambda pair: id(pair[0])):
        pairs = list(group)
        job, parts = pairs[0][0], [part for _, part in pairs]
        fair = -(-len(parts) // (PER_THREAD * threads))
        quick = int(BUNDLE_SECONDS / max(job.seconds, 1e-9))
        size = max(1, min(fair, quick, BUNDLE))
        for at in range(0, len(parts), size):
            yield _Bundle(job, tuple(parts[at : at + size]))


class Window:
    """A bounded number of bundles in flight on a cluster; `work` is what workers do with one."""

    def __init__(
        self, client: Client, store: Store, window: int | None = None, work: Work = compute_all
    ) -> None:
        self.threads = max(1, sum(client.nthreads().values()))
        self.client, self.store, self.work = client, store, work
        self.size = window or max(LEAST, PER_THREAD * self.threads)
        self.flying: dict[Any, tuple[Future[Any], _Bundle]] = {}

    def carry(self, todo: list[tuple[Job, Part]]) -> Iterator[Receipt]:
        """Yield receipts as parts finish, in any order."""
        from distributed import as_completed

        waiting = bundled(todo, self.threads)
        arrivals = as_completed(loop=self.client.loop)
        try:
            self._fill(arrivals, waiting)
            while self.flying:
                for batch in arrivals.batches():
                    yield from self._land(arrivals, batch)
                    self._fill(arrivals, waiting)
        except Exception:
            if self.client.status != "running":
                raise self._lost() from None
            raise
        finally:
            if self.flying and self.client.status == "running":
                self.client.cancel([future for future, _ in self.flying.values()], force=True)
            self.flying.clear()

    def _fill(self, arrivals: Any, waiting: Iterator[_Bundle]) -> None:
        while len(self.flying) < self.size:
            bundle = next(waiting, None)
            if bundle is None:
                return
            self._launch(arrivals, bundle)

    def _launch(self, arrivals: Any, bundle: _Bundle) -> None:
        first, last = bundle.parts[0], bundle.parts[-1]
        future = self.client.submit(
            self.work,
            bundle.job,
            bundle.parts,
            self.store.uri,
            pure=False,
            key=f"{bundle.job.method}-{first.lo}-{last.hi}-{uuid.uuid4().hex}",
        )
        self.flying[future.key] = future, bundle
        arrivals.add(future)

    def _land(self, arrivals: Any, batch: list[Future[Any]]) -> list[Receipt]:
        """Take in a batch: receipts of the finished, another try for the failed and the lost."""
        finished = [future for future in batch if future.status == "finished"]
        # A worker may die between finishing its parts and handing the receipts over.
        gathered = self.client.gather(finished, errors="skip") if finished else []
        receipts = [receipt for receipts in gathered for receipt in receipts]
        landed = {(receipt.job, receipt.number) for receipt in receipts}
        for future in batch:
            _, bundle = self.flying.pop(future.key)
            if (bundle.job.label, bundle.parts[0].number) in landed:
                future.release()
            elif future.status in ("pending", "finished"):
                self.flying[future.key] = future, bundle
                arrivals.add(future)
            else:
                self._again(arrivals, future, bundle)
        return receipts

    def _lost(self) -> DealproofError:
        return DealproofError("the cluster is lost; the next run resumes where this one ended")

    def _again(self, arrivals: Any, future: Future[Any], bundle: _Bundle) -> None:
        if self.client.status != "running":
            raise self._lost()
        reason = "its worker was lost"
        if future.status == "error":
            error = future.exception()
            if isinstance(error, DealproofError):
                raise error
            reason = f"{type(error).__name__}: {error}".splitlines()[0]
        if bundle.tries == TRIES:
            job = bundle.job
            raise DealproofError(
                f"{job.label}, {job.file(bundle.parts[0])}: failed {TRIES} times: {reason}"
            )
        future.release()
        for single in bundle.singly():
            self._launch(arrivals, single)
