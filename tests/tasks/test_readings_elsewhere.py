"""Prices under other readings come from a cluster, or from here where it is lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from distributed import Client, LocalCluster

from engine.spec.loading import load_spec
from engine.studies.readings import changes, prices_under
from tasks.run import readings
from tasks.run.plan import make_plan


@pytest.fixture
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as made:
        yield made


@pytest.mark.parametrize("lost", ["nothing", "client", "cluster"])
def test_a_lost_cluster_costs_time_only(lost: str, cluster: LocalCluster) -> None:
    plan = make_plan(load_spec("fu-bacc"), methods=("exhaust",))
    client = Client(cluster, set_as_default=False)
    waited = readings.begin(plan, client)
    if lost == "client":
        client.close()
    if lost == "cluster":
        cluster.close()
    result = waited()
    assert result.prices == [prices_under(plan.spec, change) for change in changes(plan.spec)]
    assert result == readings.here(plan)
    assert {(s.rule, s.value) for s in result.samples or ()} == {*changes(plan.spec)}
    client.close()


def test_variants_are_sampled_beside_readings() -> None:
    spec = load_spec("dai-bacc")
    rules = tuple(
        rule.model_copy(update={"variants": (1, 6) if rule.name == "decks" else ()})
        for rule in spec.rules
    )
    part = spec.model_copy(update={"rules": rules})
    result = readings.here(make_plan(part, methods=("exhaust",)))
    text = [(sample.rule, sample.value) for sample in result.samples or ()]
    assert text == [*changes(part), ("decks", 1), ("decks", 6)]
    assert {sample.difference for sample in result.samples or ()} == {""}


def test_without_exhaustion_nothing_is_sampled() -> None:
    plan = make_plan(load_spec("fu-bacc"), methods=("enumerate",))
    result = readings.here(plan)
    assert result.samples is None
    assert len(result.prices) == len(changes(plan.spec))


def test_a_sample_is_sized_by_what_a_plan_projects() -> None:
    plan = make_plan(load_spec("fu-bacc"), methods=("exhaust",))
    slow = replace(
        plan, jobs=tuple(replace(job, seconds=1000.0 * readings.SECONDS) for job in plan.jobs)
    )
    assert readings.starts(slow) == {"main": 50, "starts": 50}
    fast = replace(plan, jobs=tuple(replace(job, seconds=0.0) for job in plan.jobs))
    assert readings.starts(fast) == {"main": 50_000, "starts": 50_000}
