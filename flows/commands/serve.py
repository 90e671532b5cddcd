"""`dealproof serve`: certify every night, and on demand."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from flows.views import show
from flows.views.options import STORE, Cluster, Full, Json, Store

EXAMPLE = 'Example: dealproof serve --cron "0 3 * * *" --timezone Europe/Vienna'


def command(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME…", help="What the nightly run certifies; all by default."),
    ] = None,
    cron: Annotated[
        str, typer.Option("--cron", metavar="CRON", help="When the catalogue is certified.")
    ] = "0 3 * * *",
    timezone: Annotated[
        str, typer.Option("--timezone", metavar="ZONE", help="Time zone of the cron line.")
    ] = "UTC",
    cluster: Cluster = None,
    full: Full = False,
    store: Store = STORE,
    port: Annotated[
        int, typer.Option("--port", min=1, max=65535, help="Where our Prefect server listens.")
    ] = 4200,
    as_json: Json = False,
) -> None:
    """Serve the certify flow to Prefect: on a schedule, and on demand with any parameters.

    Uses the server that PREFECT_API_URL names, or runs one itself. Runs use all cores of this
    machine, or the cluster. Ctrl-C ends it.
    """
    from engine.exact.errors import DealproofError
    from engine.spec.loading import load_spec
    from flows.runtime.prefect_server import prefect_server
    from tasks.store.store import Store as Place

    for game in games or []:
        load_spec(game)
    opened = Place.open(store)
    if cluster is not None:
        from flows.runtime.cluster import check_scheduler

        check_scheduler(cluster)
    address = str(opened.local) if opened.local else store
    with prefect_server(verbose=True, port=port) as server:
        from flows.certify import serve as served

        server.ready()
        facts = {
            "server": server.url,
            "ours": server.ours,
            "store": address,
            "cluster": cluster,
            "nightly": served.NIGHTLY,
            "cron": cron,
            "timezone": timezone,
            "on_demand": served.ON_DEMAND,
        }
        try:
            deployments = served.deployments(
                cron, timezone, address, [_named(game) for game in games or []], full, cluster
            )
        except (ValueError, KeyError) as error:
            raise DealproofError(f"--cron '{cron}' --timezone '{timezone}': {error}") from None
        if as_json:
            show.emit(facts)
        else:
            page = server.url.removesuffix("/api")
            print(f"Prefect    {page}{' (ours, as long as this runs)' if server.ours else ''}")
            print(f"results    {address}")
            if cluster is not None:
                print(f"cluster    {cluster}")
            print(f"nightly    {served.NIGHTLY}, cron '{cron}', {timezone}")
            print(f"on demand  PREFECT_API_URL={server.url} \\")
            print(f"           prefect deployment run {served.ON_DEMAND} -p game=fu-bacc --watch")
        sys.stdout.flush()
        served.serve(deployments)


def _named(game: str) -> str:
    """A game as a run of tonight finds it, wherever it starts."""
    return str(Path(game).absolute()) if game.endswith(".toml") else game
