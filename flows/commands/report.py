"""`dealproof report`: where the report of a run is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.commands.query import existing
from flows.commands.runs import runs_in
from flows.views import show
from flows.views.options import STORE, Json, Store

EXAMPLE = """\b
Examples: dealproof report fu-bacc --open
          dealproof report fu-bacc --pdf fu-bacc.pdf
"""


def command(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game that was certified.")],
    run: Annotated[
        str | None,
        typer.Argument(metavar="[RUN]", help="Which run (its first letters); else the latest."),
    ] = None,
    browse: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    pdf: Annotated[
        Path | None,
        typer.Option("--pdf", metavar="FILE", help="Print it as A4 pages with page numbers."),
    ] = None,
    store: Store = STORE,
    as_json: Json = False,
) -> None:
    """Find the report of a game's latest run, or of the run named; print it with --pdf."""
    from engine.exact.errors import DealproofError

    opened = existing(store)
    finished = [r for r in runs_in(opened, game) if r["issued"]]
    chosen = [r for r in finished if r["run"].startswith(run or "")]
    if not finished:
        raise DealproofError(
            f"{game}: no run of it is finished in {store}; dealproof certify {game} makes a report"
        )
    if not chosen:
        known = ", ".join(r["run"] for r in finished)
        raise DealproofError(f"run '{run or ''}' of {game}: no report; allowed: {known}")
    if run and len(chosen) > 1:
        raise DealproofError(f"run '{run}' of {game}: {', '.join(r['run'] for r in chosen)} fit")
    newest = chosen[-1]
    name = f"{newest['game']}-{newest['run']}"
    report = opened.locate(f"reports/{name}.html")
    if pdf is not None:
        from tasks.report.pdf import pdf as printed

        show.write(pdf, printed(opened.read(f"reports/{name}.html").decode()))
        return
    if as_json:
        certificate = opened.locate(f"certificates/{name}.json")
        show.emit({**newest, "report": report, "certificate": certificate})
    else:
        print(report)
    if browse:
        import webbrowser

        if not webbrowser.open(report if "://" in report else f"file://{report}"):
            raise DealproofError(f"{report}: no browser to open it with")
