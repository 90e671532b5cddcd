"""`dealproof explain`: why a count is what it is: the rows behind an event, and one such deal."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.exact.rendering import count, exact
from flows.views import show
from flows.views.options import Changes, Game, Json, spec_of

if TYPE_CHECKING:
    from engine.studies.explain import ExplainedEvent, Explanation, Sample

EXAMPLE = (
    "Examples: dealproof explain fu-bacc ante; "
    'dealproof explain red-green bonus "Royal flush" --limit 5'
)
#: A line of text is folded there.
WIDE = 118


def command(
    game: Game,
    wager: Annotated[str, typer.Argument(metavar="WAGER", help="A wager of the game, by name.")],
    event: Annotated[
        str | None,
        typer.Argument(metavar="[EVENT]", help="One of its events; without it, a table of all."),
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option("--strategy", metavar="NAME", help="Play like this; its first by default."),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="Rows to show, those with most deals first.")
    ] = 20,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="Root of the rounds that a deal is picked from.")
    ] = 1,
    changes: Changes = None,
    as_json: Json = False,
) -> None:
    """Tell why a count is what it is: conditions and pays as written, the rows behind each event,
    and one deal that ends in it.

    Rows are the distinct values of the columns that the wager's conditions name, each with its
    exact deals. Their sums are compared with the pay table and the closed total of the space.
    """
    from engine.analysis.analysis import Analysis
    from engine.analysis.binding import bind
    from engine.studies.explain import explain, sample

    analysis = Analysis(bind(spec_of(game, changes)))
    explained = explain(analysis, wager, strategy)
    if event is None:
        show.emit(_document(explained, limit)) if as_json else _print(explained)
        return
    picked = explained.event(event)
    dealt = sample(analysis, explained, picked, seed)
    if as_json:
        document = _document(explained, limit)
        document["events"] = [one for one in document["events"] if one["event"] == picked.name]
        show.emit({**document, "sample": _sampled(dealt)})
        return
    _print_event(explained, picked, limit)
    _print_sample(picked, dealt)


def _document(explained: Explanation, limit: int) -> dict[str, Any]:
    bound, strategy = explained.result.wager, explained.result.strategy
    return {
        "wager": bound.name,
        "title": bound.title,
        "rules": dict(bound.constants),
        "space": bound.space.name,
        "strategy": strategy.name if strategy else None,
        "basis": bound.basis[0],
        "columns": list(explained.columns),
        "events": [
            {
                "event": event.name,
                "when": event.when,
                "pays": event.pays,
                "staked": event.staked,
                "after": list(event.earlier),
                "rows": len(event.table),
                "deals": event.deals,
                "combinations": _whole(event.combinations),
                "largest": [
                    {
                        "values": row.values,
                        "deals": row.deals,
                        "combinations": _whole(row.combinations),
                    }
                    for row in event.rows(limit)
                ],
            }
            for event in explained.events
        ],
        "total": {"deals": explained.deals, "combinations": bound.basis[1]},
    }


def _whole(number: Fraction) -> int | Fraction:
    return number.numerator if number.denominator == 1 else number


def _sampled(dealt: Sample | None) -> dict[str, Any] | None:
    if dealt is None:
        return None
    return {
        "seed": dealt.seed,
        "round": dealt.number,
        "tries": dealt.tries,
        "cards": list(dealt.round.round.cards),
        "steps": list(dealt.round.round.steps),
        "row": dealt.values,
        "staked": exact(dealt.settled.staked),
        "net": exact(dealt.settled.net),
        "returned": exact(dealt.returned),
    }


def _head(explained: Explanation) -> None:
    bound, strategy = explained.result.wager, explained.result.strategy
    print(f"{bound.title} ({bound.name}), settled in {bound.space.title.lower()}")
    print(show.rules(dict(bound.constants)))
    if strategy:
        print(f"strategy '{strategy.name}': {strategy.title}")
    print("The first event whose condition holds settles the bet.\n")


def _print(explained: Explanation) -> None:
    _head(explained)
    counts, basis = _counts(explained), explained.result.wager.basis
    rows = [
        (
            event.name,
            event.when,
            _pays(explained, event),
            count(len(event.table)),
            *counts(event.deals, event.combinations),
        )
        for event in explained.events
    ]
    kinds = sum(len(event.table) for event in explained.events)
    total = ("Total", "", "", count(kinds), *counts(explained.deals, basis[1]))
    columns = ("Event", "When", "Pays", "Rows", *_titles(explained))
    numbers = (False, False, True, *[True] * (len(columns) - 3))
    show.table(columns, [*rows, total], right=numbers, wide=WIDE, last=True)
    print(
        f"\nThe total is the closed number of deals, {count(explained.result.wager.space.deals)}."
    )
    print(f"Rows differ in {', '.join(explained.columns) or 'no column'}.")


def _print_event(explained: Explanation, event: ExplainedEvent, limit: int) -> None:
    _head(explained)
    print(f"{event.name}: {_paid(explained, event)}")
    print(f"  when {event.when}")
    if event.earlier:
        print(f"  and none of these came first: {', '.join(event.earlier)}")
    print()
    counts = _counts(explained)
    shown = list(event.rows(limit))
    names = explained.columns or ("deals",)
    cells = [
        (
            *(row.values.get(name, "all") for name in names),
            *counts(row.deals, row.combinations),
        )
        for row in shown
    ]
    rest = len(event.table) - len(shown)
    if rest:
        deals = event.deals - sum(row.deals for row in shown)
        combinations = event.combinations - sum(row.combinations for row in shown)
        more = f"{count(rest)} more rows" if rest > 1 else "1 more row"
        cells.append((more, *[""] * (len(names) - 1), *counts(deals, combinations)))
    total = ("Total", *[""] * (len(names) - 1), *counts(event.deals, event.combinations))
    titles = (*names, *_titles(explained))
    show.table(titles, [*cells, total], left=len(names), last=True)
    space = explained.result.wager.space
    print(
        f"\nThe pay table counts as many; all events together have {count(explained.deals)} deals, "
        f"the closed number of {space.title.lower()}."
    )


def _print_sample(event: ExplainedEvent, dealt: Sample | None) -> None:
    print()
    if not event.deals:
        print("No deal ends in it under these rules.")
        return
    if dealt is None:
        from engine.studies.explain import FURTHER, PLAIN

        print(f"None of {count(PLAIN + FURTHER)} rounds ended in it; another --seed may find one.")
        return
    settled, played = dealt.settled, dealt.round.round
    where = (
        f"seed {dealt.seed}, round {dealt.number}"
        if dealt.number is not None
        else f"seed {dealt.seed}, looked for among shoes of few ranks and suits"
    )
    print(f"A deal that ends so ({where}): {' '.join(played.cards)}\n")
    for step in played.steps:
        print(f"  {step}")
    print()
    for name, value in dealt.values.items():
        print(f"  {name} = {value}")
    if settled.wager.priced:
        print(
            f"  {settled.event}: {settled.pays}, staked {exact(settled.staked)}, "
            f"returns {exact(dealt.returned)} (net {exact(settled.net)})"
        )
    else:
        print(f"  {settled.event}")


def _pays(explained: Explanation, event: ExplainedEvent) -> str:
    if not explained.result.wager.priced:
        return "-"
    return event.pays if event.staked == "1" else f"{event.pays} on {event.staked}"


def _paid(explained: Explanation, event: ExplainedEvent) -> str:
    return _pays(explained, event) if explained.result.wager.priced else "its pay is not known"


def _titles(explained: Explanation) -> tuple[str, ...]:
    """Headings of counts: deals, and the wager's basis where that is another number."""
    bound = explained.result.wager
    return ("Deals",) if bound.basis[1] == bound.space.deals else ("Deals", bound.basis[0])


def _counts(explained: Explanation) -> Any:
    both = len(_titles(explained)) > 1

    def counts(deals: int, combinations: Any) -> tuple[str, ...]:
        return (count(deals), exact(combinations, grouped=True)) if both else (count(deals),)

    return counts
