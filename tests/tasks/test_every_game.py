"""Every game of the catalogue goes through plan, parts and reduction."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.analysis.binding import make_game
from engine.contract.strategy import deals_covered
from engine.exact.tables import same
from engine.spec.loading import catalogue, load_spec
from engine.spec.model import Spec
from tasks.run.executor import run
from tasks.run.jobs import Job
from tasks.run.plan import load, make_plan, save
from tasks.run.reduce import collect
from tasks.store.parquet import read_strategy
from tasks.store.store import Store


def shortened(spec: Spec, keep: int = 3) -> Spec:
    """The same game with its first few strategies, the wagers that use them, and no studies."""
    names = {strategy.name for strategy in spec.strategies[:keep]}
    wagers = []
    for wager in spec.wagers:
        used = tuple(name for name in wager.strategies if name in names)
        if used or not wager.strategies:
            wagers.append(wager.model_copy(update={"strategies": used}))
    left = dict.fromkeys(("charts", "joint", "published", "values", "distributions"), ())
    strategies = tuple(s for s in spec.strategies if s.name in names)
    return spec.model_copy(update={**left, "strategies": strategies, "wagers": tuple(wagers)})


def first_part(job: Job) -> Job:
    """A job of its first part alone."""
    return replace(job, parts=job.parts[:1])


@pytest.mark.parametrize("name", catalogue())
def test_planned_run_and_reduced(name: str, store: Store) -> None:
    spec = shortened(load_spec(name))
    plan = make_plan(spec, rounds=1, store=store)
    short = replace(plan, jobs=tuple(first_part(job) for job in plan.jobs))
    save(short, store)
    # As a resumed run would: from the store alone.
    run(load(name, plan.run, store), store)
    result = collect(short, store)
    game = make_game(spec)[0]
    for coverage in result.coverage:
        space = game.space(coverage.key[0])
        table = result.tables[coverage.method][coverage.key]
        assert deals_covered(table, space) == coverage.deals
        if coverage.method == "enumerate":
            assert coverage.deals == coverage.deals_total == space.deals
        if coverage.method == "simulate":
            assert coverage.deals == 1 << 20
    for job in short.jobs:
        if job.method == "exhaust" and job.space is not None:
            wanted = None if job.wanted is None else frozenset(job.wanted)
            part = job.parts[0]
            space = game.space(job.space)
            for output in job.outputs:
                strategy = short.strategies[output.strategy] if output.strategy else None
                expected = space.enumerate(part.lo, part.hi, strategy, wanted)
                assert same(expected, result.tables["exhaust"][job.space, output.strategy])
    for values, strategy in short.strategies.items():
        path = f"{plan.folder}/strategies/{values}.parquet"
        assert read_strategy(store.read(path))[0].digest() == strategy.digest()


def test_some_game_solves_for_itself() -> None:
    """Otherwise the test above says nothing about stored strategies."""
    assert "double-ace" in catalogue()
    assert make_plan(load_spec("double-ace"), methods=("enumerate",)).strategies
