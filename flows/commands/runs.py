"""`dealproof runs`: what was run, finished or not."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

import typer

from engine.exact.rendering import count, percent
from flows.commands.query import existing
from flows.views import show
from flows.views.options import STORE, Json, Store

EXAMPLE = "Example: dealproof runs fu-bacc"


def command(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Runs of this game only.")
    ] = None,
    store: Store = STORE,
    as_json: Json = False,
) -> None:
    """List the runs of a store, newest last, with their rules, coverage and verdict."""
    runs = runs_in(existing(store), game)
    if as_json:
        show.emit(runs)
        return
    show.table(
        ("Game", "Run", "Issued", "Verdict", "Rules", "Exhausted", "Rounds"),
        [
            (
                run["game"],
                run["run"],
                run["issued"] or "-",
                run["verdict"],
                "-" if run["reason"] else _changed(run["game"], run["rules"]),
                _share(run["exhausted"], run["exhaustible"]),
                count(int(run["rounds"])),
            )
            for run in runs
        ],
        right=[False] * 5 + [True] * 2,
    )
    for run in runs:
        if run["reason"]:
            typer.echo(f"{run['verdict']}: {run['reason']}", err=True)


def _changed(game: str, rules: dict[str, Any]) -> str:
    """Rules that differ from those in the catalogue; all of them for a game that is not in it."""
    from engine.spec.loading import catalogue, load_spec

    usual = load_spec(game).rule_values if game in catalogue() else {}
    changed = {name: value for name, value in rules.items() if usual.get(name) != value}
    return show.rules(changed) if changed else "as in the catalogue"


def _share(part: int, whole: int) -> str:
    if not whole:
        return "-"
    return "all" if part == whole else percent(Fraction(part, whole), 1)


def runs_in(store: Any, game: str | None = None) -> list[dict[str, Any]]:
    """Everything that was planned, oldest first; what has no certificate yet comes last."""
    from engine.exact.errors import DealproofError, nearest
    from tasks.run.jobs import run_folder

    games = [name.removeprefix("game=") for name in store.names("runs")]
    if game is not None and game not in games:
        raise DealproofError(f"store {store.uri}: no run of '{game}'; {nearest(game, games)}")
    runs = []
    for name in [game] if game else games:
        for run in store.names(f"runs/game={name}"):
            run = run.removeprefix("run=")
            folder = run_folder(name, run)
            if not store.exists(f"{folder}/plan.json"):
                continue
            runs.append(_run(name, run, store) | {"folder": store.locate(folder)})
    return sorted(runs, key=lambda run: (run["issued"] is None, run["issued"] or "", run["run"]))


def _run(game: str, run: str, store: Any) -> dict[str, Any]:
    """What is known of one run; its verdict says if it is of another version, or damaged."""
    from engine.exact.errors import DealproofError
    from tasks.certificate.reading import OtherVersionError, read_statement
    from tasks.run.jobs import load, run_folder

    row: dict[str, Any] = {
        "game": game, "run": run, "issued": None, "verdict": "unfinished", "rules": {},
        "coverage": [], "exhausted": 0, "exhaustible": 0, "rounds": 0, "reason": None,
    }  # fmt: skip
    try:
        plan = load(game, run, store)
        exhausts = [job for job in plan.jobs if job.method == "exhaust"]
        row |= {
            "rules": plan.spec.rule_values,
            "coverage": list(plan.coverage),
            "exhausted": sum(job.deals for job in exhausts),
            "exhaustible": sum(job.deals_total for job in exhausts),
            "rounds": plan.rounds,
        }
        if store.exists(f"{run_folder(game, run)}/certificate.json"):
            certificate = read_statement(game, run, store).predicate
            row |= {"issued": certificate.run.issued.isoformat(), "verdict": certificate.verdict}
    except OtherVersionError as error:
        row |= {"verdict": "of another version", "reason": str(error)}
    except DealproofError as error:
        row |= {"verdict": "not readable", "reason": str(error)}
    return row
