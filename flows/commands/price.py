"""`dealproof price`: the exact pay table of a game's wagers, or of a file's."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.exact.rendering import count, decimal, exact, fraction, percent
from flows.views import show
from flows.views.options import Changes, Game, Json, spec_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.program.bound import Program

EXAMPLE = "Example: dealproof price fu-bacc my-bet.toml --set decks=6"
#: Prices of more wagers than this end in a table of all edges.
SUMMED_UP = 3


def command(
    game: Game,
    wagers: Annotated[
        Path | None,
        typer.Argument(metavar="[WAGERS.toml]", help="A file of wagers; without it, the game's."),
    ] = None,
    wager: Annotated[
        list[str] | None,
        typer.Option("--wager", metavar="NAME", help="Price this one only (repeatable)."),
    ] = None,
    strategy: Annotated[
        list[str] | None,
        typer.Option("--strategy", metavar="NAME", help="Price under this strategy (repeatable)."),
    ] = None,
    changes: Changes = None,
    as_json: Json = False,
) -> None:
    """Price wagers exactly: combinations, probability and return of every event, house edge, hit
    frequency and deviation.

    A wager of the file that bears the name of one of the game's replaces it.
    """
    from engine.analysis.analysis import Analysis
    from engine.analysis.binding import bind
    from engine.exact.errors import at
    from engine.spec.loading import with_wagers
    from tasks.certificate.issue import priced

    spec, theirs = spec_of(game, changes), tuple[str, ...]()
    if wagers is not None:
        spec, theirs = with_wagers(spec, wagers)
    names = wager or theirs or [one.name for one in spec.wagers]
    with at(*([f"{wagers}: "] if wagers else [])):
        analysis = Analysis(bind(spec))
        _check_strategies(analysis.program, names, strategy or [])
        results = analysis.prices(names, strategy or [])
        analysis.validate(strict=not changes, wagers=names, theirs=theirs)
        entries = [priced(result) for result in results]
    if as_json:
        show.emit({"game": spec.game, "rules": spec.rule_values, "wagers": entries})
        return
    print(f"{spec.title}: {show.rules(spec.rule_values)}")
    for figures in entries:
        print()
        _print(figures)
    if len(entries) > SUMMED_UP:
        print()
        show.table(("Wager", "Strategy", "House edge", "Hit frequency"), _edges(entries), left=2)


def _edges(wagers: list[dict[str, Any]]) -> list[tuple[str, str, str, str]]:
    """One line for every wager that has an edge."""
    return [
        (
            figures["wager"],
            figures["strategy"] or "-",
            _headline(figures),
            percent(_exact(figures["hit_frequency"])),
        )
        for figures in wagers
        if figures["house_edge"] is not None
    ]


def _headline(figures: dict[str, Any]) -> str:
    value = percent(_exact(figures[figures["headline"]]))
    return value if figures["headline"] == "house_edge" else f"{value} per unit staked"


def _check_strategies(program: Program, names: Sequence[str], strategies: Sequence[str]) -> None:
    """Refuse strategies that no wager of these can be played under, naming the option."""
    from engine.exact.errors import DealproofError

    decided = [w for w in map(program.wager, names) if w.space.decision is not None]
    for name in strategies:
        if not program.strategies:
            raise DealproofError(
                f"--strategy {name}: {program.spec.game}: the player decides nothing, so it has no "
                "strategy"
            )
        if not decided:
            raise DealproofError(
                f"--strategy {name}: the player decides nothing in {', '.join(names)}"
            )
        for wager in decided:
            if program.strategy(name).space is not wager.space:
                raise DealproofError(
                    f"--strategy {name}: decides in another space than wager {wager.name}"
                )


def _print(figures: dict[str, Any]) -> None:
    print(f"{figures['title']} ({figures['wager']})")
    if figures["strategy"]:
        print(f"strategy '{figures['strategy']}': {figures['strategy_title']}")
    print(f"counted in {figures['basis']}: {count(figures['deals'])}\n")
    priced = figures["priced"]
    rows = [
        (
            line["event"],
            _paid(line) if priced else "",
            count(line["combinations"]),
            decimal(_exact(line["probability"])),
            *((decimal(_exact(line["return"])),) if priced else ()),
        )
        for line in figures["events"]
    ]
    columns = ("Event", "Pays", "Combinations", "Probability", *(("Return",) if priced else ()))
    sums = [figures["total"][key] for key in ("probability", "return")[: 2 if priced else 1]]
    counted = count(figures["total"]["combinations"])
    total = ("Total", "", counted, *(decimal(_exact(value)) for value in sums))
    show.table(columns, [*rows, total], last=True)
    if not priced:
        print("\nIts pay table is not known: a distribution, without an edge.")
        return
    print()
    from engine.exact.roots import read
    from engine.pricing.statistics import STATISTICS, shown

    given = {one.name: figures[one.name] for one in STATISTICS}
    values = {name: read(value["exact"]) for name, value in given.items() if value is not None}
    for one in shown(values, figures["headline"]):
        exactly = "" if one.repeats else fraction(one.value)
        value = one.text(4 if one.statistic.unit == "share" else 6)
        print(f"  {one.label:<22}{value:>13}   {exactly}".rstrip())
        if one.leads and one.statistic.name == "element_of_risk":
            print(f"  That is the element of risk, since {figures['headline_reason']}.")
        if one.leads and one.statistic.name == "paid_per_round":
            print("  Nothing is staked, so it has no house edge.")
        if one.leads and one.statistic.unit == "share" and float(one.value) < 0:
            print("  The player has the edge.")


def _exact(value: dict[str, str]) -> Fraction:
    return Fraction(value["exact"])


def _paid(line: dict[str, Any]) -> str:
    staked = "" if line["staked"] == "1" else f" on {exact(Fraction(line['staked']))}"
    return f"{line['pays']}{staked}"
