"""The flow that certifies a game: plan → parts over dask → conclude.

One Prefect task drives all dask futures, since a Prefect task per part would cost more than most
parts. Its parameters are names and paths only; what it computes stands in the store, so that any
step can be repeated by any process.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from fractions import Fraction
from typing import Any, Literal, Protocol

from prefect import flow, get_run_logger, task
from prefect.artifacts import (
    create_markdown_artifact,
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed

from engine.exact.errors import DealproofError
from engine.exact.rendering import decimal
from engine.spec.loading import catalogue, load_spec
from engine.studies.readings import changes
from flows.runtime import child_watch
from flows.runtime.cluster import ClusterLost, connect
from tasks.conclude import Conclusion
from tasks.conclude import conclude as conclude_run
from tasks.run import executor, readings
from tasks.run import plan as planning
from tasks.run.jobs import save_took
from tasks.run.plan import ROUNDS, Plan, make_plan
from tasks.run.reduce import DamagedParts, collect, discard
from tasks.store.store import Store

Method = Literal["enumerate", "exhaust", "simulate"]
METHODS: tuple[Method, ...] = ("enumerate", "exhaust", "simulate")
#: Seconds between two updates of the progress that Prefect shows.
UPDATE_INTERVAL = 2.0


class Observer(Protocol):
    """Who watches a run from the same process, such as the command line."""

    def waiting(self, text: str) -> AbstractContextManager[None]:
        """Something takes a while."""

    def planned(self, plan: Plan) -> None:
        """A plan is made and stored."""

    def progressed(self, plan: Plan, progress: executor.Progress) -> None:
        """A part is done."""

    def repaired(self, plan: Plan, reason: str) -> None:
        """Damaged parts are removed and computed again."""

    def concluded(self, plan: Plan, conclusion: Conclusion, took: float) -> None:
        """Certificate and report are written, so many seconds after the run was started."""


# A served run is a process of its own: it ends with its service.
child_watch.take()

observer: ContextVar[Observer | None] = ContextVar("observer", default=None)
#: When the run was started, on the monotonic clock, where that was before its flow.
started: ContextVar[float | None] = ContextVar("started", default=None)


@flow(name="certify", flow_run_name="certify {game}", persist_result=False)
def certify(
    game: str,
    methods: list[Method] = [*METHODS],  # noqa: B006 (Prefect shows it; nobody changes it)
    rules: dict[str, int | str] = {},  # noqa: B006
    rounds: int = ROUNDS,
    seed: int = 1,
    workers: int | None = None,
    cluster: str | None = None,
    store: str = "results",
    full: bool = False,
) -> State[Any]:
    """Certify one game: a name of the catalogue or the path of a TOML file.

    `rules` change those that they name; `workers` are threads of this machine, or `cluster` is the
    address of a dask scheduler; `full` exhausts every deal whatever it takes. Ends `Certified`, or
    in the failed state `Not certified`.
    """
    since = started.get() or time.monotonic()
    spec = load_spec(game).under(rules)
    opened = Store.open(store)
    with connect(workers, cluster) as carrier:
        watcher = observer.get()
        compiled = planning.compiled_before(spec, ["enumerate", *methods])
        caption = f"planning {spec.game}{'' if compiled else ', compiling its kernels once'}"
        with watcher.waiting(caption) if watcher else nullcontext():
            plan = make_plan(
                spec,
                # Wagers are priced from the enumeration, so that it always belongs to a run.
                methods=["enumerate", *methods],
                rounds=rounds,
                seed=seed,
                full=full,
                cores=carrier.cores,
                memory_mb=carrier.memory_mb,
                store=opened,
                started=since,
            )
        planning.save(plan, opened)
        carrier.check_store(opened, f"{plan.folder}/plan.json")
        if watcher:
            watcher.planned(plan)
        arguments = (plan.game, plan.run, store)
        carried = (workers, cluster)
        compute(*arguments, *carried)
        try:
            conclusion = conclude(*arguments, *carried)
        except DamagedParts as damaged:
            get_run_logger().warning("computing damaged parts again: %s", damaged)
            if watcher:
                watcher.repaired(plan, str(damaged))
            discard(damaged.paths, opened)
            compute(*arguments, *carried)
            conclusion = conclude(*arguments, *carried)
    took = time.monotonic() - since
    save_took(plan, took, opened)
    if watcher:
        watcher.concluded(plan, conclusion, took)
    if conclusion.certified:
        return Completed(name="Certified", message=f"{plan.game}: {conclusion.verdict}")
    return Failed(name="Not certified", message=f"{plan.game}: {conclusion.verdict}")


def _cluster_was_lost(task: Any, run: Any, state: State[Any]) -> bool:
    return isinstance(state.result(raise_on_failure=False), ClusterLost)


@task(
    name="compute",
    task_run_name="compute {game}",
    cache_policy=NO_CACHE,
    persist_result=False,
    retries=2,
    retry_delay_seconds=[2, 20],
    retry_condition_fn=_cluster_was_lost,
)
def compute(game: str, run: str, store: str, workers: int | None, cluster: str | None) -> int:
    """Compute the parts of a stored plan that are missing; return how many that were.

    Tried again where the cluster was lost: parts that are done are not repeated.
    """
    opened, watcher = Store.open(store), observer.get()
    plan = planning.load(game, run, opened)
    beat = _Beat(plan)

    def report(progress: executor.Progress) -> None:
        beat(progress)
        if watcher:
            watcher.progressed(plan, progress)

    with connect(workers, cluster) as carrier:
        client = carrier.client()
        try:
            return len(executor.run(plan, opened, client, progress=report))
        except (DealproofError, OSError) as error:
            if client.status != "running":
                raise ClusterLost(str(error)) from None
            raise


class _Beat:
    """Publishes progress to Prefect, now and then."""

    def __init__(self, plan: Plan) -> None:
        self.last = time.monotonic()
        self.described = "\n".join(plan.coverage)
        self._artifact: Any = create_progress_artifact(
            0.0, key=_key(plan.game, "progress"), description=self.described
        )

    def __call__(self, progress: executor.Progress) -> None:
        now = time.monotonic()
        if progress.done < progress.total and now - self.last < UPDATE_INTERVAL:
            return
        self.last = now
        share = Fraction(progress.deals_done, progress.deals_total or 1)
        caption = (
            f"{progress.done:,} of {progress.total:,} parts ({progress.resumed:,} were there), "
            f"{progress.deals_done:,} of {progress.deals_total:,} deals"
        )
        update_progress_artifact(
            self._artifact,
            progress=float(decimal(100 * share, 2)),
            description=f"{caption}\n{self.described}",
        )


@task(name="conclude", task_run_name="conclude {game}", cache_policy=NO_CACHE, persist_result=False)
def conclude(
    game: str, run: str, store: str, workers: int | None, cluster: str | None
) -> Conclusion:
    """Merge, solve, price, check and certify a run whose parts are all there."""
    opened, watcher = Store.open(store), observer.get()
    plan = planning.load(game, run, opened)
    caption = f"{game}: solving, checking, pricing under {len(changes(plan.spec))} other readings"
    with (
        connect(workers, cluster) as carrier,
        watcher.waiting(caption) if watcher else nullcontext(),
    ):
        changed = readings.begin(plan, carrier.client())
        conclusion = conclude_run(plan, opened, collect(plan, opened), changed)
    create_table_artifact(
        [vars(row) | {"combinations": f"{row.combinations:,}"} for row in conclusion.rows],
        key=_key(game, "wagers"),
        description=f"{plan.spec.title}: {conclusion.verdict}",
    )
    create_markdown_artifact(
        _markdown(plan, conclusion.verdict, conclusion.paths), key=_key(game, "certificate")
    )
    return conclusion


def _key(game: str, what: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", f"{game}-{what}").strip("-")


def _markdown(plan: Plan, verdict: str, paths: Mapping[str, str]) -> str:
    lines = [f"# {plan.spec.title}: {verdict}", "", f"Run `{plan.run}`, seed {plan.seed}.", ""]
    lines += [f"- {line}" for line in plan.coverage]
    lines += ["", *(f"- {name}: `{path}`" for name, path in paths.items())]
    return "\n".join(lines)


@flow(name="certify-catalogue", persist_result=False)
def certify_catalogue(
    games: list[str] = [],  # noqa: B006
    rounds: int = ROUNDS,
    seed: int = 1,
    workers: int | None = None,
    cluster: str | None = None,
    store: str = "results",
    full: bool = False,
) -> State[Any]:
    """Certify these games, or every game of the catalogue; certified when all of them are."""
    outcomes = []
    with connect(workers, cluster):
        for game in games or catalogue():
            state = certify(
                game,
                rounds=rounds,
                seed=seed,
                workers=workers,
                cluster=cluster,
                store=store,
                full=full,
                return_state=True,
            )
            outcomes.append((game, state))
    refused = [f"{game} ({state.name})" for game, state in outcomes if not state.is_completed()]
    if refused:
        return Failed(name="Not certified", message=", ".join(refused))
    return Completed(name="Certified", message=", ".join(game for game, _ in outcomes))
