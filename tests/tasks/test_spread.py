"""Prices under other readings come from a cluster, or from here where it is lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from distributed import Client, LocalCluster

from engine.loading import load_spec
from engine.readings import changes, prices_under
from tasks import spread


@pytest.fixture
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as made:
        yield made


@pytest.mark.parametrize("lost", ["nothing", "client", "cluster"])
def test_a_lost_cluster_costs_time_only(lost: str, cluster: LocalCluster) -> None:
    spec = load_spec("fu-bacc")
    client = Client(cluster, set_as_default=False)
    waited = spread.begin(spec, client)
    if lost == "client":
        client.close()
    if lost == "cluster":
        cluster.close()
    assert waited() == [prices_under(spec, change) for change in changes(spec)]
    client.close()
