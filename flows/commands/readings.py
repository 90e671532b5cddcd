"""`dealproof readings`: which readings of a game's ambiguous clauses the printed figures leave."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.exact.rendering import count, percent
from flows.views import show
from flows.views.options import Changes, Game, Json, Workers, spec_of

if TYPE_CHECKING:
    from engine.spec.model import Rule, Spec
    from engine.studies.combinations import Found, Group, Tried, Values

EXAMPLE = """
Examples: dealproof readings fu-bacc
          dealproof readings fu-bacc --all
          dealproof readings double-ace --all --json > readings.json
"""
#: Combinations that a worker process tries at once.
AT_ONCE = 24


def command(
    game: Game,
    every: Annotated[
        bool, typer.Option("--all", help="All combinations, not one change at a time.")
    ] = False,
    changes: Changes = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Combinations to list.")] = 20,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="Draws the contexts in which a reading is varied.")
    ] = 1,
    workers: Workers = None,
    as_json: Json = False,
) -> None:
    """Tell what every reading of an ambiguous clause does to each wager, one change at a time; with
    --all try every combination, and tell which of them reproduce every figure in print.

    Figures that are known misprints, or that a pay table was recovered from, are left out.
    """
    spec = spec_of(game, changes)
    if every:
        _all(spec, limit, seed, workers, as_json)
    else:
        _single(spec, as_json)


def _single(spec: Spec, as_json: bool) -> None:
    from engine.analysis.analysis import Analysis
    from engine.analysis.binding import bind
    from engine.studies.readings import readings

    alternatives = readings(Analysis(bind(spec)))
    if as_json:
        names = ("rule", "value", "wager", "strategy", "house_edge", "change", "effect")
        show.emit([{name: getattr(one, name) for name in names} for one in alternatives])
        return
    show.table(
        ("Reading", "Value", "Wager", "Strategy", "House edge", "Change", "Effect"),
        [
            (
                one.rule, str(one.value), one.wager, one.strategy or "",
                "" if one.house_edge is None else percent(one.house_edge),
                "" if one.change is None else percent(one.change), one.effect,
            )
            for one in alternatives
        ],
        left=4,
    )  # fmt: skip


def _all(spec: Spec, limit: int, seed: int, workers: int | None, as_json: bool) -> None:
    from engine.studies import combinations as study

    found = [
        study.Found(group, tuple(_attempted(spec, group, workers)))
        for group in study.groups(spec, seed, _told)
    ]
    _told("")
    total, meeting = study.number(spec), study.meeting(spec, found)
    figures = sum(len(one.group.figures) for one in found)
    if as_json:
        show.emit(_document(spec, found, total, meeting))
        return
    print(
        f"{spec.title}: {count(total)} combinations of readings, {count(figures)} figures in print"
    )
    verb = "reproduces" if meeting == 1 else "reproduce"
    print(f"{count(meeting)} of them {verb} every figure\n")
    rows = [_row(rule, found) for rule in spec.rules if rule.reading]
    show.table(("Reading", "As certified", "Left by the figures", ""), rows, left=4)
    for one in found:
        _print(one, limit)


def _attempted(spec: Spec, group: Group, workers: int | None) -> list[Tried]:
    """Try all combinations of a group, in several processes where they are many."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from engine.studies.combinations import attempt, combinations_of
    from tasks.run.calibrate import cores

    every: list[Values] = combinations_of(spec, group)
    if len(every) <= AT_ONCE:
        return attempt(spec, group, every)
    parts = [every[start : start + AT_ONCE] for start in range(0, len(every), AT_ONCE)]
    tried: list[Tried] = []
    pool = ProcessPoolExecutor(workers or cores(), mp_context=get_context("spawn"))
    try:
        for future in [pool.submit(attempt, spec, group, part) for part in parts]:
            tried += future.result()
            _told(f"{', '.join(group.wagers)}: {len(tried):,} of {len(every):,} combinations")
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return tried


def _told(text: str) -> None:
    """Progress, on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def _left(rule: Rule, found: list[Found]) -> list[Any] | None:
    """Values of a reading that occur where every figure is met; None where no figure reads it."""
    for one in found:
        if rule.name in one.group.readings:
            values = {tried.values[rule.name] for tried in one.meeting}
            return [value for value in rule.choices if value in values]
    return None


def _row(rule: Rule, found: list[Found]) -> tuple[str, str, str, str]:
    left = _left(rule, found)
    if left is None:
        return rule.name, str(rule.value), "all", "no figure depends on it"
    words = ", ".join(map(str, left)) or "none"
    verdict = "settled" if left == [rule.value] else "" if rule.value in left else "refuted"
    return rule.name, str(rule.value), words, verdict


def _print(one: Found, limit: int) -> None:
    wagers = ", ".join(one.group.wagers)
    met, figures = one.meeting, len(one.group.figures)
    print(f"\n{wagers}: {len(met):,} of {len(one.tried):,} combinations meet {figures} figures")
    if not one.group.readings:
        return
    shown = met or sorted(one.tried, key=lambda tried: len(tried.missed))
    if not met:
        print("none meets all; those that miss fewest:")
    keys = list(shown[0].edges)
    show.table(
        (*one.group.readings, *(" ".join(filter(None, key)) for key in keys), "missed"),
        [
            (
                *(str(tried.values[name]) for name in one.group.readings),
                *("" if (edge := tried.edges[key]) is None else percent(edge) for key in keys),
                str(len(tried.missed)),
            )
            for tried in shown[:limit]
        ],
        left=len(one.group.readings),
    )
    if len(shown) > limit:
        print(f"… and {len(shown) - limit:,} more (--limit)")


def _document(spec: Spec, found: list[Found], total: int, meeting: int) -> dict[str, Any]:
    return {
        "game": spec.game,
        "combinations": total,
        "reproduce_every_figure": meeting,
        "readings": {rule.name: _left(rule, found) for rule in spec.rules if rule.reading},
        "groups": [
            {
                "wagers": list(one.group.wagers),
                "readings": list(one.group.readings),
                "figures": len(one.group.figures),
                "combinations": len(one.tried),
                "meeting": [dict(tried.values) for tried in one.meeting],
            }
            for one in found
        ],
    }
