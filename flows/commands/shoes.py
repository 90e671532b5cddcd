"""`dealproof shoes`: what burning and the cut card do to each wager, from whole shoes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.exact.rendering import count, decimal, floating, percent
from flows.views import show
from flows.views.options import Changes, Game, Json, Seed, Workers, spec_of

if TYPE_CHECKING:
    from tasks.run.shoes import ShoeStudy

EXAMPLE = """\b
Examples: dealproof shoes punto-banco --wager banker --wager player --wager tie
          dealproof shoes dai-bacc --shoes 1000000 --cut-card 52 --set decks=6
"""
SHOES = 1 << 16


def command(
    game: Game,
    wager: Annotated[
        list[str] | None,
        typer.Option("--wager", metavar="NAME", help="Study this one only (repeatable)."),
    ] = None,
    shoes: Annotated[
        int, typer.Option("--shoes", min=1, help="Shoes to deal, in blocks of 4,096.")
    ] = SHOES,
    behind: Annotated[
        int, typer.Option("--cut-card", min=0, help="Cards behind the cut card.")
    ] = 14,
    burn: Annotated[
        bool,
        typer.Option(
            "--burn/--no-burn",
            help="Show the first card and burn as many more as it counts, ten for a face.",
        ),
    ] = True,
    rounds: Annotated[
        int | None,
        typer.Option(
            "--rounds", min=1, help="No cut card: so many rounds a shoe, which has no effect."
        ),
    ] = None,
    seed: Seed = 1,
    workers: Workers = None,
    changes: Changes = None,
    as_json: Json = False,
) -> None:
    """Deal whole shoes to the cut card and measure what it adds to each house edge.

    A shoe is one observation: rounds of one shoe depend on each other, and a shoe that ends early
    has used its cards up faster. Every figure has its standard error; the exact edge of a fresh
    shoe stands beside it.
    """
    from engine.analysis.analysis import Analysis
    from engine.analysis.binding import bind
    from engine.contract.shoes import Procedure
    from tasks.run.shoes import study

    spec = spec_of(game, changes)
    procedure = Procedure(behind, burn, rounds)
    with _progress() as progressed:
        result = study(
            Analysis(bind(spec)),
            list(dict.fromkeys(spec.wager(name).name for name in wager or ())),
            shoes=shoes,
            seed=seed,
            procedure=procedure,
            workers=workers or os.cpu_count() or 1,
            progressed=progressed,
        )
    if as_json:
        facts: dict[str, Any] = {"game": spec.game, "rules": spec.rule_values, "seed": seed}
        ends = {"behind": behind} if rounds is None else {"rounds_per_shoe": rounds}
        show.emit({**facts, **ends, "burns": burn, **_described(result)})
        return
    print(f"{spec.title}: {show.rules(spec.rule_values)}")
    ending = f"{behind} cards behind the cut card" if rounds is None else f"{rounds} rounds each"
    burning = "burnt by the first card" if burn else "nothing burnt"
    print(f"{count(result.shoes)} whole shoes, {ending}, {burning}; seed {seed}")
    per_shoe = decimal(Fraction(result.rounds, result.shoes), 3)
    print(f"{count(result.rounds)} rounds, {per_shoe} a shoe\n")
    _print(result)


def _print(result: ShoeStudy) -> None:
    show.table(
        ("Wager", "Fresh shoe", "Whole shoes", "± SE", "Effect", "± SE", "Effect / SE"),
        [
            (
                e.wager.title,
                percent(e.fresh),
                percent(e.dealt),
                f"{floating(100 * e.error)}%",
                percent(e.effect, 5),
                f"{floating(100 * e.effect_error, 5)}%",
                floating(float(e.effect) / e.effect_error, 1, sign=True) if e.effect_error else "-",
            )
            for e in result.effects
        ],
    )
    print("\nHouse edges per round. Fresh shoe: exact. SE: the standard error of the figure before")
    print(f"it, over {count(result.shoes)} shoes; a shoe is one observation, since its rounds")
    print("depend on each other. Effect: what whole shoes add to the fresh shoe's edge.")
    print("Effect / SE: within ±2 it may be chance.")
    if result.first:
        print(f"The luck of each shoe's first {result.first} rounds is taken out of the effect,")
        print("since their expected edge is exactly the fresh shoe's.")


def _described(result: ShoeStudy) -> dict[str, Any]:
    return {
        "shoes": result.shoes,
        "rounds": result.rounds,
        "first_rounds": result.first,
        "wagers": [
            {
                "wager": e.wager.name,
                "title": e.wager.title,
                "fresh_shoe": e.fresh,
                "whole_shoes": e.dealt,
                "standard_error": e.error,
                "effect": e.effect,
                "effect_standard_error": e.effect_error,
            }
            for e in result.effects
        ],
    }


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal; a few plain lines elsewhere."""
    if sys.stderr.isatty():
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        shown = (TextColumn("shoes"), BarColumn(), TextColumn("{task.completed:,}"))
        with Progress(
            *shown, TimeRemainingColumn(), console=show.console(stderr=True), transient=True
        ) as bar:
            task = bar.add_task("shoes", total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total)
        return
    said = 0

    def plainly(done: int, total: int) -> None:
        nonlocal said
        if 10 * done // total > said:
            said = 10 * done // total
            print(f"{done:,} of {total:,} shoes", file=sys.stderr, flush=True)

    yield plainly
