"""Certification on a schedule and on demand: one Prefect process that serves the flows."""

from __future__ import annotations

import os
import tempfile
from typing import cast
from zoneinfo import ZoneInfo

from prefect import serve as serve_deployments
from prefect.deployments.runner import RunnerDeployment
from prefect.schedules import Cron
from prefect.types.entrypoint import EntrypointType

from flows.certify.flow import certify, certify_catalogue
from flows.runtime import child_watch

#: Names of the deployments, as `prefect deployment run` takes them.
NIGHTLY, ON_DEMAND = "certify-catalogue/nightly", "certify/on-demand"


def deployments(
    cron: str, timezone: str, store: str, games: list[str], full: bool, cluster: str | None
) -> tuple[RunnerDeployment, RunnerDeployment]:
    """Describe the nightly run of the catalogue and runs on demand; raise ValueError for a cron
    line, KeyError for a time zone, that is none."""
    nightly = certify_catalogue.to_deployment(
        NIGHTLY.partition("/")[2],
        description="Certifies every game of the catalogue.",
        schedule=Cron(cron, timezone=str(ZoneInfo(timezone))),
        parameters={"store": store, "games": games, "full": full, "cluster": cluster},
        entrypoint_type=EntrypointType.MODULE_PATH,
    )
    on_demand = certify.to_deployment(
        ON_DEMAND.partition("/")[2],
        description="Certifies one game under any rules.",
        parameters={"store": store, "cluster": cluster},
        entrypoint_type=EntrypointType.MODULE_PATH,
    )
    return cast(RunnerDeployment, nightly), cast(RunnerDeployment, on_demand)


def serve(served: tuple[RunnerDeployment, ...]) -> None:
    """Serve deployments until stopped, one run at a time: each takes all cores of a machine.

    Prefect puts the folder where a run starts before all others that modules come from, so that
    runs start in an empty one; paths among their parameters still begin where we began.
    """
    child_watch.offer()
    with tempfile.TemporaryDirectory(prefix="dealproof-") as empty:
        os.chdir(empty)
        try:
            serve_deployments(*served, limit=1, print_starting_message=False)
        finally:
            os.chdir(os.environ[child_watch.FOLDER])
