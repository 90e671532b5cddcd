"""`dealproof games`: what is in the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.views import show
from flows.views.options import Json

if TYPE_CHECKING:
    from engine.spec.model import Spec

EXAMPLE = """\b
Examples: dealproof games fu-bacc
          dealproof games punto-banco --columns
"""
#: Wagers that a line of the list names.
LISTED = 7
#: Characters from which on long texts of a table go on in a further line.
WIDE = 110


def command(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Tell all about one game.")
    ] = None,
    columns: Annotated[
        bool, typer.Option("--columns", help="Tell the columns that its wagers may name.")
    ] = False,
    as_json: Json = False,
) -> None:
    """List the games of the catalogue, or the rules, strategies and wagers of one."""
    from engine.spec.loading import catalogue, load_spec

    if game is not None:
        spec = load_spec(game)
        if columns:
            show.emit(_columns(spec)) if as_json else _print_columns(spec)
        else:
            show.emit(_described(spec)) if as_json else _print(spec)
        return
    if columns:
        raise typer.BadParameter("--columns: name a game")
    specs = [load_spec(name) for name in catalogue()]
    if as_json:
        show.emit([_described(spec) for spec in specs])
        return
    show.table(
        ("Game", "Title", "Wagers", "Summary"),
        [
            (spec.game, spec.title, _some([w.name for w in spec.wagers]), spec.summary)
            for spec in specs
        ],
        right=False,
        wide=WIDE,
    )


def _columns(spec: Spec) -> list[dict[str, Any]]:
    """Columns of every space: their values, and what they tell."""
    from engine.analysis.binding import make_game

    return [
        {
            "space": space.name,
            "title": space.title,
            "deals": space.deals,
            "columns": [
                {
                    "name": f.name,
                    "values": list(f.words) if f.words else [f.low, f.high],
                    "description": f.description,
                }
                for f in space.features
            ],
        }
        for space in make_game(spec)[0].spaces
    ]


def _print_columns(spec: Spec) -> None:
    for space in _columns(spec):
        print(f"{spec.title}, space {space['space']}: {space['title']}, {space['deals']:,} deals\n")
        rows = []
        for column in space["columns"]:
            low, *rest = column["values"]
            words = f"{low} … {rest[-1]}" if isinstance(low, int) else ", ".join((low, *rest))
            rows.append((column["name"], words, column["description"]))
        show.table(("Column", "Values", "What it tells"), rows, right=False, wide=WIDE)
        print()
    names = ", ".join(spec.rule_values)
    print(f"An expression may name the rules too, as constants: {names}")


def _some(names: list[str]) -> str:
    """A few names, and how many more there are: `games GAME` lists them all."""
    if len(names) <= LISTED:
        return ", ".join(names)
    return f"{', '.join(names[: LISTED - 2])} and {len(names) - LISTED + 2} more"


def _described(spec: Spec) -> dict[str, Any]:
    return {
        "game": spec.game,
        "title": spec.title,
        "family": spec.family,
        "summary": spec.summary,
        "source": spec.source,
        "play": list(spec.play),
        "rules": [
            {
                "name": rule.name,
                "value": rule.value,
                "allowed": list(rule.choices),
                "variants": list(rule.variant_values),
                "reading": rule.reading,
                "clause": rule.clause,
            }
            for rule in spec.rules
        ],
        "strategies": [{"name": s.name, "title": s.title} for s in spec.strategies],
        "wagers": [
            {
                "name": wager.name,
                "title": wager.title,
                "strategies": list(wager.strategies),
                "events": [
                    {"event": e.event, "when": e.when, "pays": str(e.pays), "staked": str(e.staked)}
                    for e in wager.events
                ],
            }
            for wager in spec.wagers
        ],
    }


def _print(spec: Spec) -> None:
    print(f"{spec.title} ({spec.game}): {spec.summary}\n")
    for line in spec.play:
        print(f"  {line}")
    print(f"\nSource: {spec.source}\n")
    if spec.rules:
        show.table(
            ("Rule", "Value", "Allowed", "Clause"),
            [
                (
                    rule.name,
                    rule.value,
                    rule.allowed_text,
                    rule.clause + (" (a reading)" if rule.reading else ""),
                )
                for rule in spec.rules
            ],
            right=False,
            wide=WIDE,
        )
        print()
    if spec.strategies:
        show.table(
            ("Strategy", "Title"),
            [(s.name, s.title) for s in spec.strategies],
            right=False,
            wide=WIDE,
        )
        print()
    decided = any(w.strategies for w in spec.wagers)
    show.table(
        ("Wager", "Title", "Priced under" if decided else "Rule"),
        [
            (w.name, w.title, (", ".join(w.strategies) or "-") if decided else w.rule)
            for w in spec.wagers
        ],
        right=False,
        wide=WIDE,
    )
