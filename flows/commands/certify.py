"""`dealproof certify`: the whole way from rules to a certificate."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from engine.exact.rendering import count, floating
from flows.views import show
from flows.views.options import (
    STORE,
    Changes,
    Cluster,
    Detect,
    Full,
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
    from prefect.client.schemas.objects import State

    from engine.spec.model import Spec
    from flows.views.watch import Watch
    from tasks.conclude import Conclusion
    from tasks.run.plan import Plan

EXAMPLE = """\b
Examples: dealproof certify fu-bacc
          dealproof certify --all --store s3://laboratory/results
          dealproof certify fu-bacc --set decks=6 --full --cluster tcp://10.0.0.1:8786
          dealproof certify fu-bacc --sign laboratory.pem
"""
T = TypeVar("T")
#: Seconds within which a repeated Ctrl-C means the same as the first.
IMPATIENCE = 5.0
RESUMES = "what is computed is kept; the same command resumes"


def command(
    context: typer.Context,
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME…", help="Games of the catalogue, or TOML files."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every game of the catalogue.")] = False,
    method: Methods = None,
    changes: Changes = None,
    rounds: Rounds = None,
    detect: Detect = None,
    seed: Seed = 1,
    workers: Workers = None,
    cluster: Cluster = None,
    full: Full = False,
    store: Store = STORE,
    sign: Annotated[
        Path | None,
        typer.Option(
            metavar="KEY", help="Private key to sign with (see keys); also DEALPROOF_SIGNING_KEY."
        ),
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Show what Prefect and dask log.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Certify games: enumerate, exhaust and simulate, compare, price, check, and write a
    certificate, a report and data.

    Exit status 0 only if every game is certified. Set PREFECT_API_URL to use a Prefect server
    that runs already. A run that was stopped resumes.
    """
    from engine.exact.errors import DealproofError
    from flows.views.watch import watching
    from tasks.certificate import signature
    from tasks.certificate.signature import VARIABLE

    # Until now this process has done nothing but load.
    begun = time.monotonic() - time.process_time()
    if workers is not None and cluster is not None:
        source = context.get_parameter_source("cluster")
        if source is None or source.name != "ENVIRONMENT":
            raise typer.BadParameter("--workers and --cluster exclude each other")
        cluster = None  # What is asked for in this command wins over the environment.
    if sign is not None:
        # By the environment, so that no key's path is ever a parameter that is logged.
        os.environ[VARIABLE] = str(sign)
    signature.asked_for()
    if every == bool(games):
        raise typer.BadParameter("name one game or more, or give --all")
    parameters = {
        "methods": chosen(method, ()) or None,
        "rounds": rounds_of(rounds, detect),
        "seed": seed,
        "workers": workers,
        "cluster": cluster,
        "store": store,
        "full": full,
    }
    given = {name: value for name, value in parameters.items() if value is not None}

    def run(step: Callable[[], None]) -> tuple[Watch, list[str]]:
        with watching(step) as watch:
            return watch, _run(_specs(games or [], changes), given, watch, verbose, begun)

    watch, failures = _interruptible(run)
    several = every or len(set(games or [])) > 1
    if as_json:
        outcome = [
            conclusion.statement.document()["predicate"] for _, conclusion, _ in watch.conclusions
        ]
        if several:
            show.emit(outcome)
        elif outcome:
            show.emit(outcome[0])
    else:
        for plan, conclusion, took in watch.conclusions:
            _print(plan, conclusion, took)
        if several:
            certified = sum(conclusion.certified for _, conclusion, _ in watch.conclusions)
            of = len(watch.conclusions) + len(failures)
            print(f"\n{certified} of {of} games certified")
    if failures:
        raise DealproofError("; ".join(failures))
    if not all(conclusion.certified for _, conclusion, _ in watch.conclusions):
        raise typer.Exit(1)


def _interruptible(run: Callable[[Callable[[], None]], T]) -> T:
    """Run until Ctrl-C or SIGTERM, whichever library is at work then and whatever it makes of it.

    Some places swallow the exception (destructors, callbacks of the interpreter), so that `run` is
    given a function to call at every step, which raises it again. Signals in quick succession are
    one: they do not disturb the cleanup.
    """
    received: list[int] = []
    last = float("-inf")

    def stop(number: int, frame: Any) -> None:
        nonlocal last
        received.append(number)
        if time.monotonic() - last > IMPATIENCE:
            last = time.monotonic()
            raise KeyboardInterrupt

    def step() -> None:
        if received:
            raise KeyboardInterrupt

    # Who runs in the background (nohup, a script's &) is not meant to hear Ctrl-C.
    heard = [n for n in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(n) != signal.SIG_IGN]
    before = {name: signal.signal(name, stop) for name in heard}
    try:
        return run(step)
    except BaseException:
        if not received:
            raise
        print(f"dealproof: interrupted; {RESUMES}", file=sys.stderr)
        raise SystemExit(128 + received[0]) from None
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)


def _specs(games: list[str], changes: list[str] | None) -> list[tuple[str, Spec]]:
    """Load all games first, so that a mistake is told before anything starts."""
    from engine.analysis.binding import bind
    from engine.exact.errors import DealproofError
    from engine.spec.loading import catalogue, located

    names = list(dict.fromkeys(games)) if games else list(catalogue())
    specs = [(name, spec_of(name, changes)) for name in names]
    for name, spec in specs:
        try:
            bind(spec)
        except DealproofError as error:
            raise located(name, error) from None
    return specs


def _run(
    specs: list[tuple[str, Spec]], given: dict[str, Any], watch: Watch, verbose: bool, begun: float
) -> list[str]:
    """Run the flow for every game in turn, on one Prefect server and one cluster.

    Returns what kept games from a conclusion, if anything did.
    """
    from flows.runtime.prefect_server import prefect_server
    from tasks.run import calibrate
    from tasks.store.store import Store as Place

    Place.open(given["store"])
    watch.step()
    failures = []
    first = not calibrate.records_there()
    with prefect_server(verbose) as server, ExitStack() as stack:
        with watch.waiting(f"starting Prefect and dask{', the first time here' if first else ''}"):
            # The server starts while everything else is loaded.
            from flows.runtime.cluster import connect, held_back

            with held_back(signal.SIGINT, signal.SIGTERM):
                from flows.certify import flow

            cluster = connect(given.get("workers"), given.get("cluster"))
            stack.enter_context(cluster).client()
            server.ready()
        flow.observer.set(watch)
        if not first:
            calibrate.remember_start(time.monotonic() - begun)
        for number, (game, spec) in enumerate(specs):
            watch.step()
            flow.started.set(time.monotonic() if number else begun)
            state = flow.certify(game, rules=spec.rule_values, **given, return_state=True)
            failure = _failure(game, state)
            if failure:
                failures.append(f"{spec.game}: {failure}")
    return failures


def _failure(game: str, state: State[Any]) -> str | None:
    """Why a flow ended without a conclusion, in words; a defect is raised."""
    from engine.exact.errors import DealproofError
    from engine.spec.loading import located

    if state.is_completed() or state.name == "Not certified":
        return None
    error = state.result(raise_on_failure=False)
    if isinstance(error, DealproofError):
        return str(located(game, error))
    if isinstance(error, BaseException):
        raise error
    return f"{state.name}: {state.message}"


def _print(plan: Plan, conclusion: Conclusion, took: float) -> None:
    print(f"\n{plan.spec.title}: {conclusion.verdict}\n")
    failed = [c for c in conclusion.statement.predicate.checks if c.verdict == "fail"]
    for check in failed:
        print(f"  {check.name}: {check.detail}")
    if failed:
        print()
    show.table(
        ("Wager", "Strategy", "Combinations", "House edge", "Published", "Verdict"),
        [
            (r.wager, r.strategy, count(r.combinations), r.house_edge, r.published, r.verdict)
            for r in conclusion.rows
        ],
        left=2,
    )
    print()
    for name, path in conclusion.paths.items():
        print(f"  {name:<12} {path}")
    for reason in conclusion.left_out:
        print(f"  {'left out':<12} of the catalogue: {reason}")
    projected = floating(plan.seconds, 0, True)
    print(f"  {'took':<12} {floating(took, 0, True)} s, projected {projected} s")
