"""`dealproof design`: pay tables for a wager whose table is lost, or not yet written."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from engine.exact.rendering import count, decimal, exact, percent
from flows.views import show
from flows.views.options import Changes, Game, Json, spec_of

if TYPE_CHECKING:
    from engine.analysis.analysis import Result
    from engine.design.paytables import Distribution, Found, Interval, PayTable
    from engine.program.bound import BoundWager
    from engine.spec.model import Spec

EXAMPLE = """\b
Examples: dealproof design double-ace player-five --edge 3%..6% --hit-frequency 19.14%
          dealproof design bacc-plus-3 poker --edge 3.09% --equal
          dealproof design red-green bonus --edge 4%..5% --pays-to Straight
"""

T = TypeVar("T")
#: Tables side by side.
ACROSS = 8


def command(
    game: Game,
    wager: Annotated[str, typer.Argument(metavar="WAGER", help="A wager of the game.")],
    edge: Annotated[
        str,
        typer.Option(
            "--edge",
            metavar="RANGE",
            help="House edge: a range such as 3%..6%, or a printed figure such as 3.09%.",
        ),
    ],
    hit: Annotated[
        str | None,
        typer.Option(
            "--hit-frequency",
            metavar="RANGE",
            help="Hit frequency: as many categories win, from the top, as it allows.",
        ),
    ] = None,
    pays_to: Annotated[
        str | None,
        typer.Option("--pays-to", metavar="EVENT", help="The lowest category that wins."),
    ] = None,
    push: Annotated[
        list[str] | None,
        typer.Option("--push", metavar="EVENT", help="A category that pushes (repeatable)."),
    ] = None,
    fix: Annotated[
        list[str] | None,
        typer.Option(
            "--pay",
            metavar="EVENT=PAYS",
            help="Pays known beforehand, such as Flush=5 or Flush=5..8 (repeatable).",
        ),
    ] = None,
    menu: Annotated[
        str | None,
        typer.Option(
            "--menu",
            metavar="PAYS",
            help="Pays to choose from, such as 1..10,15,20..100/5; by default those that rack "
            "cards like to print.",
        ),
    ] = None,
    most: Annotated[
        int | None, typer.Option("--max", min=1, help="No pay is higher than this.")
    ] = None,
    equal: Annotated[
        bool, typer.Option("--equal", help="Neighbouring categories may pay the same.")
    ] = False,
    limit: Annotated[
        int, typer.Option("--limit", min=1, max=10_000, help="Show so many tables at most.")
    ] = ACROSS,
    wagers: Annotated[
        Path | None,
        typer.Option("--from", metavar="WAGERS.toml", help="A file of wagers that has WAGER."),
    ] = None,
    as_toml: Annotated[
        bool, typer.Option("--toml", help="Print the tables as a file for `dealproof price`.")
    ] = False,
    changes: Changes = None,
    as_json: Json = False,
) -> None:
    """List whole-number pay tables whose house edge lies in a range, with exact edge, hit
    frequency and deviation.

    Pays are 1 or more and rise with the category. A wager with a pay table keeps the order of its
    pays and the categories that win and push; of one without, the first event is the most valuable
    and any number from the top may win.
    """
    from functools import partial

    from engine.design import paytables

    spec, result = _priced(game, wager, wagers, changes)
    distribution = paytables.Distribution.of(result.priced, by_pays=result.wager.priced)
    sought = _read("--edge", paytables.interval, edge)
    allowed = [p for p in _menu(menu) if 1 <= p <= (most or p)]
    paying, pushes, wanted = _outcome(result, distribution.names, pays_to, push or [], hit)
    search = partial(
        paytables.design,
        edge=sought,
        paying=paying,
        pushes=pushes,
        hit=wanted,
        menu=allowed,
        bounds=_fixed(fix),
        strict=not equal,
        limit=limit,
    )
    searched = search(distribution)
    request = _asked(sought, allowed, equal) + _order(result, distribution)
    outcome = searched.summary + _helps(searched, search, distribution, allowed, equal)
    fragments = [
        _wager(result.wager, table, number) for number, table in enumerate(searched.tables, 1)
    ]
    if as_toml:
        print(f"# {outcome[0].upper()}{outcome[1:]}; {request}.")
        print("\n\n".join(fragments))
    elif as_json:
        show.emit(_described(spec, result, searched, outcome, allowed, sought, fragments))
    else:
        _print(spec, result, searched, outcome, request)


def _priced(
    game: str, wager: str, path: Path | None, changes: list[str] | None
) -> tuple[Spec, Result]:
    """Count a wager's events; refuse one whose stake changes within a round."""
    from engine.analysis.analysis import Analysis
    from engine.analysis.binding import bind
    from engine.exact.errors import DealproofError
    from engine.spec.loading import with_wagers

    spec = spec_of(game, changes)
    if path is not None:
        spec, _ = with_wagers(spec, path)
    result = Analysis(bind(spec)).price(wager)
    if any(line.staked != 1 or line.net < -1 for line in result.priced.lines):
        raise DealproofError(
            f"wager {wager}: its stake is not always one unit; a pay table is searched for a side "
            "bet, settled by its event alone"
        )
    return spec, result


def _read(option: str, reader: Callable[[str], T], text: str) -> T:
    from engine.exact.errors import DealproofError

    try:
        return reader(text)
    except DealproofError as error:
        raise typer.BadParameter(f"{option}: {error}") from None


def _menu(text: str | None) -> Sequence[int]:
    from engine.design.paytables import RACK_CARD, menu_of

    return RACK_CARD if text is None else _read("--menu", menu_of, text)


def _fixed(fix: list[str] | None) -> dict[str, tuple[int, int]]:
    from engine.design.paytables import menu_of

    limits = {}
    for text in fix or ():
        name, equals, pays = (part.strip() for part in text.rpartition("="))
        if not (name and equals and pays):
            raise typer.BadParameter(f"--pay {text}: write it as EVENT=PAYS, such as Flush=5..8")
        allowed = _read(f"--pay {name}", menu_of, pays)
        limits[name] = allowed[0], allowed[-1]
    return limits


def _helps(
    searched: Found,
    search: Callable[..., Found],
    distribution: Distribution,
    menu: Sequence[int],
    equal: bool,
) -> str:
    """What would make tables fit where pays in steps miss an edge that lies among theirs."""
    if not searched.missed:
        return ""
    every = range(1, max(menu) + 1)
    ways: dict[str, dict[str, Any]] = {} if equal else {"--equal": {"strict": False}}
    if len(menu) < len(every):
        ways[f"--menu 1..{max(menu)}"] = {"menu": every}
        if not equal:
            ways[f"--equal --menu 1..{max(menu)}"] = {"menu": every, "strict": False}
    hints = []
    for option, change in ways.items():
        result = search(distribution, **change)
        if result.total:
            hints.append(f"{option} ({'' if result.complete else 'at least '}{result.total:,})")
    rarest = distribution.by_rarity()
    if rarest != distribution and (result := search(rarest)).total:
        hints.append(f"events in the order of their rarity ({result.total:,})")
    if not hints:
        return "; try a wider range, or pays higher than the highest"
    return f"; what makes tables fit: {', '.join(hints)}"


def _outcome(
    result: Result,
    names: Sequence[str],
    pays_to: str | None,
    push: list[str],
    hit: str | None,
) -> tuple[list[str] | None, list[str], Interval | None]:
    """Categories that win (None where the search chooses), that push, and the hit frequency."""
    from engine.design.paytables import interval
    from engine.exact.errors import DealproofError, nearest

    lines = result.priced.lines
    for option, name in (*(("--push", name) for name in push), ("--pays-to", pays_to)):
        if name is not None and name not in names:
            raise DealproofError(f"{option} {name}: {nearest(name, names)}")
    if pays_to is not None and hit is not None:
        raise typer.BadParameter("--pays-to and --hit-frequency exclude each other")
    happens = {line.event for line in lines if line.combinations}
    if pays_to is not None:
        top = names[: names.index(pays_to) + 1]
        return [n for n in top if n not in push and n in happens], push, None
    if hit is not None:
        return None, push, _read("--hit-frequency", interval, hit)
    if result.wager.priced:
        pushes = push or [line.event for line in lines if line.net == 0]
        winning = [n for n in names if any(x.event == n and x.net > 0 for x in lines)]
        return [n for n in winning if n not in pushes and n in happens], pushes, None
    return None, push, (Fraction(), Fraction(1))


def _asked(edge: Interval, menu: Sequence[int], equal: bool) -> str:
    """What was searched, in words."""
    pays = f"{len(menu):,} pays from {menu[0]:,} to {menu[-1]:,}" if menu else "no pay"
    rising = "never falling" if equal else "strictly rising"
    ends = " … ".join(f"{exact(100 * end)}%" for end in edge)
    return f"searched: {pays}, {rising} with the category, house edge {ends}"


def _order(result: Result, distribution: Distribution) -> str:
    """The order of the categories that win, where it is not that of the wager's events."""
    winning = {line.event for line in result.priced.lines if line.net > 0}
    ranked = [name for name in distribution.names if name in winning]
    written = dict.fromkeys(line.event for line in result.priced.lines if line.net > 0)
    if ranked == list(written):
        return ""
    return f"; most valuable first, as the wager pays now: {', '.join(ranked)}"


def _wager(bound: BoundWager, table: PayTable, number: int) -> str:
    """One table as a wager that `price` reads."""
    wager = bound.spec
    head = {
        "name": f"{wager.name}-{number}",
        "title": f"{wager.title}, table {number}",
        "space": wager.space,
        "counted_in": wager.counted_in,
    }
    lines = ["[[wagers]]", *(f"{k} = {_quoted(v)}" for k, v in head.items() if v is not None)]
    if wager.strategies:
        lines.append(f"strategies = [{', '.join(map(_quoted, wager.strategies))}]")
    lines.append(f"rule = {_quoted(f'House edge {percent(table.priced.house_edge)}, by design.')}")
    lines.append("events = [")
    for event in bound.events:
        pays = _pays(table, event.event)
        when = f"event = {_quoted(event.event)}, when = {_quoted(event.when.text)}"
        lines.append(f"  {{ {when}, pays = {_quoted(pays)} }},")
    return "\n".join([*lines, "]"])


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _pays(table: PayTable, event: str) -> str:
    if event in table.pushes:
        return "push"
    return f"{table.pays[event]} to 1" if table.pays.get(event) else "lose"


def _described(
    spec: Spec,
    result: Result,
    searched: Found,
    outcome: str,
    menu: Sequence[int],
    edge: Interval,
    fragments: Sequence[str],
) -> dict[str, Any]:
    from engine.pricing.statistics import statistics

    return {
        "game": spec.game,
        "rules": spec.rule_values,
        "wager": result.wager.name,
        "strategy": result.strategy.name if result.strategy else None,
        "deals": result.priced.deals,
        "edge": {"from": edge[0], "to": edge[1]},
        "menu": list(menu),
        "categories": [
            {
                "event": line.event,
                "combinations": line.combinations,
                "probability": line.probability,
            }
            for line in result.priced.lines
        ],
        "total": searched.total,
        "complete": searched.complete,
        "told": outcome,
        "tables": [
            {
                "pays": dict(table.pays),
                "pushes": list(table.pushes),
                **statistics(table.priced),
                "toml": toml,
            }
            for table, toml in zip(searched.tables, fragments, strict=True)
        ],
    }


def _print(spec: Spec, result: Result, searched: Found, outcome: str, request: str) -> None:
    from engine.exact.roots import root

    print(f"{spec.title}: {show.rules(spec.rule_values)}")
    print(f"{result.wager.title} ({result.wager.name}), {count(result.priced.deals)} deals")
    print(f"{request}\n{outcome}")
    if not searched.tables:
        return
    counts: dict[str, int] = {}
    for line in result.priced.lines:
        counts[line.event] = counts.get(line.event, 0) + line.combinations
    for first in range(0, len(searched.tables), ACROSS):
        print()
        _grid(counts, result.priced.deals, searched.tables[first : first + ACROSS], first + 1)
    print()
    show.table(
        ("Table", "House edge", "Exactly", "Hit frequency", "Deviation"),
        [
            (
                number,
                percent(table.priced.house_edge),
                table.priced.house_edge,
                percent(table.priced.hit_frequency),
                decimal(root(table.priced.variance), 4),
            )
            for number, table in enumerate(searched.tables, 1)
        ],
    )
    print("\nAdd --toml > my-bet.toml for a file of these tables that `dealproof price` reads.")


def _grid(counts: Mapping[str, int], deals: int, tables: Sequence[PayTable], first: int) -> None:
    show.table(
        (
            "Pays to 1",
            "Combinations",
            "Probability",
            *(f"Table {n}" for n in range(first, first + len(tables))),
        ),
        [
            (
                name,
                count(number),
                decimal(Fraction(number, deals)),
                *(_short(table, name) for table in tables),
            )
            for name, number in counts.items()
        ],
    )


def _short(table: PayTable, event: str) -> str:
    if event in table.pushes:
        return "push"
    return count(table.pays[event]) if event in table.pays else "lose"
