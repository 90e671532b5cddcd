"""`dealproof deal`: one round, card by card, with the settlement of every wager."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.views import show
from flows.views.options import Changes, Game, Json, spec_of

if TYPE_CHECKING:
    from engine.analysis.one_round import SettledWager

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
    changes: Changes = None,
    as_json: Json = False,
) -> None:
    """Deal one round and tell what happens to every wager."""
    from engine.analysis.analysis import Analysis
    from engine.analysis.binding import bind
    from engine.analysis.one_round import play, players

    spec = spec_of(game, changes)
    analysis = Analysis(bind(spec))
    playing = players(analysis.program, strategy or [])
    dealt = play(analysis, analysis.game.deal(seed, number), playing)
    played, settled = dealt.round, [_settled(one) for one in dealt.wagers]
    if as_json:
        show.emit(
            {
                "game": spec.game,
                "rules": spec.rule_values,
                "seed": seed,
                "round": number,
                "strategies": {space: strategy.name for space, strategy in playing.items()},
                "cards": list(played.cards),
                "steps": list(played.steps),
                "rows": {space: dict(row) for space, row in played.rows.items()},
                "wagers": settled,
            }
        )
        return
    print(f"{spec.title}, seed {seed}, round {number}")
    print(f"{len(played.cards)} cards dealt, in their order: {' '.join(played.cards)}")
    for how in playing.values():
        print(f"{how.space.title} under '{how.name}': {how.title}")
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


def _settled(one: SettledWager) -> dict[str, Any]:
    return {
        "wager": one.wager.name,
        "event": one.event,
        "pays": one.pays,
        "staked": str(one.staked),
        "net": str(one.net),
        "priced": one.wager.priced,
    }


def _signed(net: str) -> str:
    return net if net.startswith("-") or net == "0" else f"+{net}"
