"""`dealproof deal`: one round, card by card, with the settlement of every wager."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli import show
from flows.cli.options import Game, Json, Settings, spec_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game as EngineGame
    from engine.spec import Spec, StrategyRule, Wager

EXAMPLE = "Example: dealproof deal fu-bacc --seed 7"


def command(
    game: Game,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="Root of the random stream that deals the cards.")
    ] = 1,
    number: Annotated[
        int, typer.Option("--round", min=0, max=(1 << 20) - 1, help="Which round of the stream.")
    ] = 0,
    strategy: Annotated[
        list[str] | None,
        typer.Option("--strategy", metavar="NAME", help="Play like this; the first by default."),
    ] = None,
    settings: Settings = None,
    as_json: Json = False,
) -> None:
    """Deal one round and tell what happens to every wager."""
    from engine import analysis
    from flows.cli import exact

    spec = spec_of(game, settings)
    made = analysis.build(spec)
    rules = _strategies(spec, made, strategy or [])
    solved = (
        exact.solve(spec, made, strategies=[rule.name for rule in rules.values()]).strategies
        if rules
        else {}
    )
    held = {space: solved[rule.name] for space, rule in rules.items()}
    cards = made.deal(seed, number)
    played = made.play(cards, held)
    settled = [_settled(spec, made, wager, played.rows) for wager in spec.wagers]
    if as_json:
        show.emit(
            {
                "game": spec.game,
                "rules": spec.settings,
                "seed": seed,
                "round": number,
                "strategies": {space: rule.name for space, rule in rules.items()},
                "cards": list(played.cards),
                "steps": list(played.steps),
                "rows": {space: dict(row) for space, row in played.rows.items()},
                "wagers": settled,
            }
        )
        return
    print(f"{spec.title}, seed {seed}, round {number}")
    print(f"{len(played.cards)} cards dealt, in their order: {' '.join(played.cards)}")
    for space, rule in rules.items():
        print(f"{made.space(space).title} under '{rule.name}': {rule.title}")
    print()
    for step in played.steps:
        print(f"  {step}")
    print()
    show.table(
        ("Wager", "Event", "Pays", "Staked", "Net"),
        [
            (s["wager"], s["event"], s["pays"], s["staked"], _signed(s["net"]))
            if s["priced"]
            else (s["wager"], s["event"], "-", "-", "-")
            for s in settled
        ],
        left=2,
    )


def _strategies(spec: Spec, game: EngineGame, names: list[str]) -> dict[str, StrategyRule]:
    """Which strategy plays each space that has a decision: the one asked for, or the first."""
    from engine.asked import strategy_space
    from engine.errors import DealproofError

    asked = [spec.strategy(name) for name in names]
    rules: dict[str, StrategyRule] = {}
    for rule in asked:
        space = strategy_space(game, rule).name
        if space in rules:
            raise DealproofError(
                f"--strategy {rule.name}: '{rules[space].name}' plays space {space} already"
            )
        rules[space] = rule
    for rule in spec.strategies:
        rules.setdefault(strategy_space(game, rule).name, rule)
    return rules


def _settled(
    spec: Spec, game: EngineGame, wager: Wager, rows: Mapping[str, Mapping[str, str | int]]
) -> dict[str, Any]:
    """The event that settles a wager on the round's row, with pay-off, stake and net."""
    import numpy as np

    from engine.asked import space_of
    from engine.settlement import classify
    from engine.tables import Table

    space = space_of(spec, game, wager)
    row = rows[space.name]
    features = tuple(feature for feature in space.features if feature.name in row)
    codes = {f.name: np.array([f.code(row[f.name])], dtype=np.int64) for f in features}
    table = Table.of(features, codes, np.ones(1, dtype=np.int64))
    classified = classify(wager, table, spec.settings)
    event, pays, net, staked = classified.lines[int(classified.line[0])]
    return {
        "wager": wager.name,
        "event": wager.events[event].event,
        "pays": pays,
        "staked": str(staked),
        "net": str(net),
        "priced": wager.priced,
    }


def _signed(net: str) -> str:
    return net if net.startswith("-") or net == "0" else f"+{net}"
