"""`dealproof price`: the exact pay table of a game's wagers, or of a stranger's."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.rendering import count, decimal, exact, floating, percent
from flows.cli import show
from flows.cli.options import Game, Json, Settings, spec_of

if TYPE_CHECKING:
    from engine.game import Game as EngineGame
    from engine.spec import Spec

EXAMPLE = "Example: dealproof price fu-bacc my-bet.toml --set decks=6"
#: Figures of a wager, the one that it is known by first.
_LINES = (
    ("House edge", "house_edge"),
    ("Return to player", "rtp"),
    ("Element of risk", "element_of_risk"),
    ("Edge per resolved bet", "edge_per_resolved"),
    ("Hit frequency", "hit_frequency"),
)
_LINES_PER_UNIT_STAKED = (
    ("Edge per unit staked", "element_of_risk"),
    ("Loss per base unit", "house_edge"),
    ("Edge per resolved bet", "edge_per_resolved"),
    ("Hit frequency", "hit_frequency"),
)
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
    settings: Settings = None,
    as_json: Json = False,
) -> None:
    """Price wagers exactly: combinations, probability and return of every event, house edge, hit
    frequency and deviation.

    A wager of the file that bears the name of one of the game's replaces it.
    """
    from engine import analysis
    from engine.asked import check_strategies
    from engine.errors import DealproofError
    from flows.cli import exact

    spec = spec_of(game, settings)
    names, mine = [w.name for w in spec.wagers], list[str]()
    if wagers is not None:
        spec, mine = merged(spec, wagers)
        names = mine
    if wager:
        names = [spec.wager(name).name for name in wager]
    made = analysis.build(spec)
    if strategy:
        spec = _under(spec, made, names, strategy)
    try:
        check_strategies(spec, made)
        found = exact.solve(spec, made, wagers=names)
        analysis.validate(found.spec, made, found.tables, strict=not settings, own=mine)
        results = [result for result in found.results if result.wager.name in names]
        told = [exact.figures(found, result) for result in results]
    except DealproofError as error:
        raise DealproofError(f"{wagers}: {error}" if wagers else str(error)) from None
    if as_json:
        show.emit({"game": spec.game, "rules": spec.settings, "wagers": told})
        return
    print(f"{spec.title}: {show.rules(spec.settings)}")
    for figures in told:
        print()
        _tell(figures)
    if len(told) > SUMMED_UP:
        print()
        show.table(("Wager", "Strategy", "House edge", "Hit frequency"), _edges(told), left=2)


def _edges(told: list[dict[str, Any]]) -> list[tuple[str, str, str, str]]:
    """One line for every wager that has an edge."""
    return [
        (
            figures["wager"],
            figures["strategy"] or "-",
            _headline(figures),
            percent(_exact(figures["hit_frequency"])),
        )
        for figures in told
        if figures["house_edge"] is not None
    ]


def _headline(figures: dict[str, Any]) -> str:
    value = percent(_exact(figures[figures["headline"]]))
    return value if figures["headline"] == "house_edge" else f"{value} per unit staked"


def merged(spec: Spec, path: Path) -> tuple[Spec, list[str]]:
    """Lay a file's wagers and strategies over the game's; also the names of its wagers."""
    from engine.loading import check_events, check_strategies, load_wagers, unique

    given = load_wagers(path)
    mine = {item.name for item in given.wagers}
    ours = {item.name for item in given.strategies}
    check_events(path, given.wagers)
    unique(path, "strategies", [item.name for item in given.strategies])
    known = [item.name for item in (*spec.wagers, *given.wagers)]
    check_strategies(path, given.strategies, known)
    merged = spec.model_copy(
        update={
            "wagers": (*(w for w in spec.wagers if w.name not in mine), *given.wagers),
            "strategies": (
                *(s for s in spec.strategies if s.name not in ours),
                *given.strategies,
            ),
        }
    )
    return merged, [item.name for item in given.wagers]


def _under(spec: Spec, game: EngineGame, names: list[str], strategies: list[str]) -> Spec:
    """Price these wagers under these strategies, in the spaces that have a decision."""
    from engine.asked import space_of, strategy_space
    from engine.errors import DealproofError

    wagers = []
    decided = [
        wager.name
        for wager in spec.wagers
        if wager.name in names and space_of(spec, game, wager).decision is not None
    ]
    for name in strategies:
        if not spec.strategies:
            raise DealproofError(
                f"--strategy {name}: {spec.game}: the player decides nothing, so it has no strategy"
            )
        spec.strategy(name)
        if not decided:
            raise DealproofError(
                f"--strategy {name}: the player decides nothing in {', '.join(names)}"
            )
    for wager in spec.wagers:
        space = space_of(spec, game, wager)
        if wager.name in decided:
            for name in strategies:
                if strategy_space(game, spec.strategy(name)) is not space:
                    raise DealproofError(
                        f"--strategy {name}: decides in another space than wager {wager.name}"
                    )
            wager = wager.model_copy(update={"strategies": tuple(strategies)})
        wagers.append(wager)
    return spec.model_copy(update={"wagers": tuple(wagers)})


def _tell(figures: dict[str, Any]) -> None:
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
    if figures["headline"] == "paid_per_round":
        value = _exact(figures["paid_per_round"])
        print(f"  {'Paid out per round':<22}{decimal(value):>11}   {value}")
        print("  Nothing is staked, so it has no house edge.")
        return
    for title, key in _LINES if figures["headline"] == "house_edge" else _LINES_PER_UNIT_STAKED:
        if figures[key] is not None:
            value = _exact(figures[key])
            print(f"  {title:<22}{percent(value):>11}   {value}")
            if key == figures["headline"] and figures["headline_reason"]:
                print(f"  That is the element of risk, since {figures['headline_reason']}.")
    average = _exact(figures["average_wager"])
    if _exact(figures["house_edge"]) < 0:
        print("  The player has the edge.")
    print(f"  {'Average wager':<22}{decimal(average):>11}   {average}")
    print(f"  {'Standard deviation':<22}{floating(figures['standard_deviation'], 6):>11}")


def _exact(value: dict[str, str]) -> Fraction:
    return Fraction(value["exact"])


def _paid(line: dict[str, Any]) -> str:
    staked = "" if line["staked"] == "1" else f" on {exact(Fraction(line['staked']))}"
    return f"{line['pays']}{staked}"
