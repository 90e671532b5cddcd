"""`dealproof distribution`: how hands end, exactly, whole or given what is known."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

import typer

from engine.exact.rendering import count, decimal
from flows.views import show
from flows.views.options import Changes, Game, Json, spec_of

EXAMPLE = """\b
Examples: dealproof distribution double-ace
          dealproof distribution double-ace dealer --set decks=8
"""


def command(
    game: Game,
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="Which one; all of the game's by default."),
    ] = None,
    changes: Changes = None,
    as_json: Json = False,
) -> None:
    """Tell the distributions that a game's spec lists: of the dealer's final hand, of all ends."""
    from engine.analysis.analysis import Analysis
    from engine.analysis.binding import bind
    from engine.exact.errors import DealproofError, nearest
    from tasks.certificate import distributions

    spec = spec_of(game, changes)
    known = [wanted.name for wanted in spec.distributions]
    if not known:
        raise DealproofError(f"{spec.game}: its spec lists no distribution; {_having()}")
    if name is not None and name not in known:
        raise DealproofError(f"distribution '{name}': {nearest(name, known)}")
    analysis = Analysis(bind(spec))
    wanted = [d for d in analysis.program.distributions if name in (None, d.spec.name)]
    tables = [distributions.distribution(analysis, one) for one in wanted]
    if as_json:
        show.emit({"game": spec.game, "rules": spec.rule_values, "distributions": tables})
        return
    print(f"{spec.title}: {show.rules(spec.rule_values)}")
    for table in tables:
        print(f"\n{table['title']}")
        if table["strategy"]:
            print(f"strategy '{table['strategy']}': {spec.strategy(table['strategy']).title}")
        if table["given"]:
            print(f"given {', '.join(table['given'])}")
        print()
        _grid(table) if table["columns"] else _list(table)


def _having() -> str:
    """Which games of the catalogue list distributions, and how one is named."""
    from engine.spec.loading import catalogue, load_spec

    listed = {name: load_spec(name).distributions for name in catalogue()}
    having = {name: names for name, names in listed.items() if names}
    examples = (f" (dealproof distribution {n} '{d[0].name}')" for n, d in having.items())
    return f"games that do: {', '.join(having) or '(none)'}{next(examples, '')}"


def _list(table: dict[str, Any]) -> None:
    rows = [
        (
            *cell["row"].values(),
            count(cell["combinations"]),
            decimal(Fraction(cell["probability"]["exact"]), 9),
            cell["probability"]["exact"],
        )
        for cell in table["cells"]
    ]
    names = table["rows"]
    show.table((*names, "Combinations", "Probability", "Exact"), rows, left=len(names))


def _grid(table: dict[str, Any]) -> None:
    """Probabilities by row and column; exact fractions stand in the JSON."""
    cells: dict[tuple[Any, ...], dict[tuple[Any, ...], Fraction]] = {}
    columns = [tuple(column.values()) for column in table["across"]]
    for cell in table["cells"]:
        row = cells.setdefault(tuple(cell["row"].values()), {})
        row[tuple(cell["column"].values())] = Fraction(cell["probability"]["exact"])
    names = table["rows"]
    show.table(
        (*names, *(" ".join(map(str, column)) for column in columns)),
        [
            (*row, *(decimal(cell_of[c]) if c in cell_of else "" for c in columns))
            for row, cell_of in cells.items()
        ],
        left=len(names),
    )
