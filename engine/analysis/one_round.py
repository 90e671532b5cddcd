"""One round given by its cards or drawn by a seed: what happens, and what every wager then pays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from engine.analysis.analysis import Analysis
from engine.contract.game import Round
from engine.exact.errors import DealproofError
from engine.exact.tables import Table
from engine.pricing.settlement import classify
from engine.program.bound import BoundStrategy, BoundWager, Program


@dataclass(frozen=True)
class SettledWager:
    """The event that settles a wager on a round, with pay-off, stake and net in base units."""

    wager: BoundWager
    event: str
    pays: str
    staked: Fraction
    net: Fraction


@dataclass(frozen=True)
class SettledRound:
    """A round told in words, and every wager of the spec settled on it."""

    round: Round
    wagers: tuple[SettledWager, ...]


def players(program: Program, names: Sequence[str] = ()) -> dict[str, BoundStrategy]:
    """Which strategy plays each space that has a decision: the one named, or the space's first.

    Raises DealproofError where two are named for one space.
    """
    playing: dict[str, BoundStrategy] = {}
    for strategy in map(program.strategy, names):
        space = strategy.space.name
        if space in playing:
            raise DealproofError(
                f"--strategy {strategy.name}: '{playing[space].name}' plays space {space} already"
            )
        playing[space] = strategy
    for strategy in program.strategies.values():
        playing.setdefault(strategy.space.name, strategy)
    return playing


def play(
    analysis: Analysis, cards: Sequence[int], playing: Mapping[str, BoundStrategy]
) -> SettledRound:
    """Play one round with the cards in this order and settle every wager on it."""
    solved = {space: analysis.strategy(strategy.name) for space, strategy in playing.items()}
    played = analysis.game.play(cards, solved)
    wagers = analysis.program.wagers.values()
    return SettledRound(played, tuple(settle(wager, played.rows) for wager in wagers))


def settle(wager: BoundWager, rows: Mapping[str, Mapping[str, str | int]]) -> SettledWager:
    """Settle a wager on the row that a round adds to its space."""
    row = rows[wager.space.name]
    features = tuple(feature for feature in wager.space.features if feature.name in row)
    codes = {f.name: np.array([f.code(row[f.name])], dtype=np.int64) for f in features}
    table = Table.of(features, codes, np.ones(1, dtype=np.int64))
    classified = classify(wager, table)
    event, pays, net, staked = classified.lines[int(classified.line[0])]
    return SettledWager(wager, wager.spec.events[event].event, pays, staked, net)
