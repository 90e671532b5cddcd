"""`dealproof strategy`: what to do with every hand, what it is worth, and what an error costs."""

from __future__ import annotations

import textwrap
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.exact.rendering import count, decimal, percent
from flows.views import show
from flows.views.options import Changes, Game, Json, pairs, spec_of

if TYPE_CHECKING:
    from engine.analysis.analysis import Analysis
    from engine.contract.strategy import Strategy
    from engine.program.bound import BoundStrategy
    from engine.spec.model import Spec

EXAMPLE = """\b
Examples: dealproof strategy fu-bacc
          dealproof strategy fu-bacc "5d 9s / 7c"
          dealproof strategy double-ace "A 3"
          dealproof strategy fu-bacc --where player_low=5 --where player_high=9 --where dealer_up=7
          dealproof strategy fu-bacc --strategy "tie optimal" --against "tie published"
          dealproof strategy fu-bacc --joint "ante and tie"
          dealproof strategy bacc-plus-3 "Ks Kh 9d 4c 2s" --side tie=0.5
          dealproof strategy bacc-plus-3 --joint "main and tie" --out joint.parquet
"""
#: Information sets and exceptions that are listed; beyond, only with --all.
LISTED = 100


def command(
    game: Game,
    hand: Annotated[
        str | None,
        typer.Argument(metavar="[HAND]", help='Cards as dealt, for example "5d 9s / 7c".'),
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option("--strategy", metavar="NAME", help="Which one; the game's first by default."),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="NAME", help="List where this one differs, with cost."),
    ] = None,
    at: Annotated[
        list[str] | None,
        typer.Option(
            "--where", metavar="COLUMN=VALUE", help="Ask for an information set by columns."
        ),
    ] = None,
    sets: Annotated[
        bool, typer.Option("--all", help="List everything, however long, with exact values.")
    ] = False,
    joint: Annotated[
        str | None,
        typer.Option("--joint", metavar="NAME", help="Two bets on one hand, for every ratio."),
    ] = None,
    side: Annotated[
        str | None,
        typer.Option(
            "--side", metavar="WAGER=RATIO", help="Bet so many units on it for one on its base bet."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE.parquet",
            help="Write every information set and action instead, with exact values.",
        ),
    ] = None,
    changes: Changes = None,
    as_json: Json = False,
) -> None:
    """Show a strategy as a chart, with its exceptions to another one and their exact cost; or the
    best action for one hand, and what every alternative costs.
    """
    from engine.analysis.analysis import Analysis
    from engine.analysis.binding import bind
    from engine.exact.errors import DealproofError
    from flows.views import one_hand

    spec = spec_of(game, changes)
    program = bind(spec)
    beside = _beside(side)
    if beside:
        pair = one_hand.joint_of(program, joint, beside[0])
        ratio = one_hand.ratio_of(beside[1])
        if hand is None:
            from flows.views.joint import at_ratio

            at_ratio(program, pair, ratio, as_json)
        else:
            one_hand.print_hand(program, pair, ratio, hand, as_json)
        return
    if joint:
        from flows.views.joint import print_joint

        print_joint(program, joint, as_json, every=sets, out=out)
        return
    if not program.strategies:
        raise DealproofError(f"{spec.game}: the player decides nothing, so it has no strategy")
    rule = program.strategy(strategy or next(iter(program.strategies)))
    other = against or (None if hand is not None or at else _rival(spec, rule))
    about = _about(spec, rule)
    if hand is not None and not at:
        alone = one_hand.optimum(program, rule, hand)
        if alone:
            show.emit({**about, "sets": [alone]}) if as_json else _print_sets(about, [alone])
            return
    from engine.studies.one_hand import find
    from flows.views.chart import draw
    from tasks.certificate import distributions

    analysis = Analysis(program)
    solved = analysis.strategy(rule.name)
    if hand is not None or at:
        chosen = find(analysis, solved, hand, pairs(at, "--where"))
        found_sets = [_set(rule, solved, index) for index in chosen]
        show.emit({**about, "sets": found_sets}) if as_json else _print_sets(about, found_sets)
        return
    if out is not None:
        from tasks.store.parquet import strategy_bytes

        show.write(out, strategy_bytes(solved, {"game": spec.game, "rules": spec.rule_values}))
        return
    differing = _exceptions(analysis, rule.name, other) if other else []
    if as_json:
        every = [_set(rule, solved, index) for index in range(len(solved))]
        show.emit({**about, "sets": every, "against": other, "exceptions": differing})
        return
    print(f"{spec.title}, strategy '{rule.name}': {rule.title}")
    for line in about["words"]:
        print(textwrap.fill(line, 96, initial_indent="  ", subsequent_indent="     "))
    print(f"{show.rules(spec.rule_values)}; judged by {_measure(about)}\n")
    charts = [chart for chart in spec.charts if chart.strategy == rule.name]
    if charts and not sets:
        marked = {tuple(e["information"].items()) for e in differing}
        for chart in charts:
            draw(chart, analysis, solved, marked, str(other))
        for values in (values for values in program.values if values.strategy is rule):
            _print_values(distributions.value(solved, values))
    elif sets or len(solved) <= LISTED:
        _list(rule, solved)
    else:
        _sum_up(solved)
    if other:
        _print_exceptions(rule, spec.strategy(other).title, other, differing, sets)


def _beside(side: str | None) -> tuple[str, str] | None:
    """The side bet and its ratio."""
    return next(iter(pairs([side] if side else [], "--side").items()), None)


def _sum_up(strategy: Strategy) -> None:
    """A strategy of too many information sets to list: how often it takes each action."""
    from engine.exact.tables import exact_total

    print(f"{count(len(strategy))} information sets, by {_columns(strategy)}.")
    print("Ask for one hand, list them with --all, or write them with --out FILE.parquet.\n")
    rows = []
    for number, action in enumerate(strategy.actions):
        taken = strategy.action == number
        share = Fraction(exact_total(strategy.reached[taken]), strategy.deals_total)
        rows.append((action, count(int(taken.sum())), percent(share)))
    show.table(("Action", "Information sets", "Of all rounds"), rows)
    print()


def _columns(strategy: Strategy) -> str:
    return ", ".join(feature.name for feature in strategy.information)


def _rival(spec: Spec, rule: BoundStrategy) -> str | None:
    """The strategy that the game's own charts compare this one with."""
    return next((c.against for c in spec.charts if c.strategy == rule.name and c.against), None)


def _about(spec: Spec, rule: BoundStrategy) -> dict[str, Any]:
    from engine.program.wording import strategy_lines

    return {
        "game": spec.game,
        "rules": spec.rule_values,
        "strategy": rule.name,
        "title": rule.title,
        "words": list(strategy_lines(rule)),
        "alike": _alike(rule),
        "judged_by": {w.name: str(units) for w, units in rule.objective},
    }


def _alike(rule: BoundStrategy) -> str | None:
    """Which hands one information set stands for."""
    return (rule.space.decision.alike or None) if rule.space.decision else None


def _measure(about: dict[str, Any]) -> str:
    return " + ".join(
        f"{units} × {name}" if units != "1" else name for name, units in about["judged_by"].items()
    )


def _set(rule: BoundStrategy, strategy: Strategy, index: int) -> dict[str, Any]:
    """One information set: its action, and the value and cost of every action it has.

    Costs are against the best open action: a strategy by rules may choose a worse one. They are
    those of one hand; the probability is that of all `hands` that the set stands for.
    """
    open_ = [a for a in range(len(strategy.actions)) if strategy.allowed[index, a]]
    values = {a: strategy.ev(index, a) for a in open_}
    best = max(values.values())
    ranked = sorted(open_, key=lambda a: (-values[a], a != strategy.action[index], a))
    return {
        "information": strategy.label(index),
        "hands": rule.space.hands_in(int(strategy.deals[index])),
        "probability": Fraction(int(strategy.reached[index]), strategy.deals_total),
        "action": strategy.actions[int(strategy.action[index])],
        "actions": [
            {"action": strategy.actions[a], "ev": values[a], "cost": best - values[a]}
            for a in ranked
        ],
    }


def _words(information: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in information.items())


def _print_sets(about: dict[str, Any], entries: list[dict[str, Any]]) -> None:
    for entry in entries:
        print(entry.get("hand") or _words(entry["information"]))
        share = entry["probability"]
        words = {line["action"]: line.get("told", line["action"]) for line in entry["actions"]}
        action = words[entry["action"]]
        taken = action if "hand" in entry else action.upper()
        print(f"strategy '{about['strategy']}' ({about['title']}): {taken}")
        if share:
            print(_chances(about, entry))
        else:
            print("this strategy never comes here: it acts otherwise before; valued as if it had\n")
        show.table(
            ("Action", f"EV of {_measure(about)}", "Exact", "Costs per hand"),
            [
                (
                    ("→ " if line["action"] == entry["action"] else "  ") + words[line["action"]],
                    decimal(line["ev"]),
                    line["ev"],
                    decimal(line["cost"]) if line["cost"] else "best",
                )
                for line in entry["actions"]
            ],
        )
        print()


def _chances(about: dict[str, Any], entry: dict[str, Any]) -> str:
    """How often a hand comes up, told apart from all hands that play like it."""
    share, hands = entry["probability"], entry["hands"]
    if not about["alike"]:
        return f"comes with probability {decimal(share)} = {share}\n"
    if not hands:
        kind = f"all hands {about['alike']}"
        return f"{kind} come with probability {decimal(share)} = {share}\n"
    kind = f"{count(hands)} hands {about['alike']} play like it" if hands > 1 else "one hand alone"
    each = share / hands
    sentence = f"{kind}: together they come" if hands > 1 else f"{kind}: it comes"
    sentence += f" with probability {decimal(share)} = {share}"
    return sentence + (f", each by itself with {each}\n" if hands > 1 else "\n")


def _exceptions(analysis: Analysis, name: str, other: str) -> list[dict[str, Any]]:
    from engine.contract.strategy import exceptions
    from engine.exact.errors import DealproofError

    one, two = analysis.strategy(name), analysis.strategy(other)
    if one.space != two.space or len(one) != len(two):
        raise DealproofError(f"--against {other}: it decides in another space than {name}")
    space = analysis.game.space(one.space)
    return [
        {
            "information": dict(e.information),
            "action": e.better,
            "against": e.worse,
            "hands": space.hands_in(e.deals),
            "probability": e.probability,
            "cost": e.cost,
        }
        for e in exceptions(one, two)
    ]


def _print_exceptions(
    rule: BoundStrategy, title: str, other: str, entries: list[dict[str, Any]], every: bool
) -> None:
    name = rule.name
    if not entries:
        print(
            f"It plays every hand that comes up like '{other}' ({title}): they differ by exactly 0."
        )
        return
    cost = sum((e["cost"] for e in entries), Fraction())
    print(f"{len(entries)} exceptions to '{other}' ({title}); together they are worth")
    print(f"{decimal(cost, 9)} = {cost}, judged by the wagers of '{name}'.\n")
    listed = entries if every else entries[:LISTED]
    columns = tuple(entries[0]["information"])
    alike = _alike(rule)
    if alike:
        print(
            f"A line stands for all hands {alike}; probability and cost are those of all together."
        )
    show.table(
        (*columns, name, other, "Hands", "Probability", "Cost", "Exact cost"),
        [
            (
                *e["information"].values(),
                e["action"],
                e["against"],
                count(e["hands"]) if e["hands"] else "–",
                decimal(e["probability"]),
                decimal(e["cost"], 9),
                e["cost"],
            )
            for e in listed
        ],
        left=len(columns) + 2,
    )
    if len(listed) < len(entries):
        print(f"\nThe {len(listed)} dearest of {len(entries)}; list them all with --all.")


def _print_values(table: dict[str, Any]) -> None:
    """What each action is worth by some columns; `–` where it is not open in all of its sets.

    Hands that share a line are weighed by the cards, as if the player only ever drew.
    """
    print(f"{table['title']}\n")
    rows = []
    for entry in table["groups"]:
        values = [Fraction(ev["exact"]) if ev else None for ev in entry["ev_by_cards"].values()]
        shares = (
            Fraction(entry[name]["exact"])
            for name in ("probability_by_cards", "probability_reached")
        )
        rows.append(
            (
                *entry["information"].values(),
                "/".join(entry["taken"]),
                *("–" if value is None else decimal(value) for value in values),
                *map(decimal, shares),
            )
        )
    heads = (*table["by"], "Action", *table["actions"], "By cards", "In play")
    show.table(heads, rows, left=len(table["by"]) + 1)
    print()


def _list(rule: BoundStrategy, strategy: Strategy) -> None:
    """Every information set: value of each action (`–`: not open), chance that it comes up."""
    if alike := _alike(rule):
        print(f"A line stands for all hands {alike}; its probability is that of all together.\n")
    columns = tuple(f.name for f in strategy.information)
    rows = []
    for index in range(len(strategy)):
        entry = _set(rule, strategy, index)
        values = {line["action"]: line["ev"] for line in entry["actions"]}
        evs = [decimal(values[a]) if a in values else "–" for a in strategy.actions]
        share = decimal(entry["probability"])
        rows.append((*entry["information"].values(), entry["action"], *evs, share))
    heads = (*columns, "Action", *strategy.actions, "Probability")
    show.table(heads, rows, left=len(columns) + 1)
    print()
