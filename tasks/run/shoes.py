"""A study of whole shoes: what dealing to a cut card does to each wager, with its error."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from engine.analysis.analysis import Analysis
from engine.contract.shoes import BLOCK, Procedure, Shoes
from engine.exact.errors import DealproofError
from engine.program.bound import BoundWager
from engine.spec.model import Wager


@dataclass(frozen=True)
class Effect:
    """One wager: exact house edge from a fresh shoe, what whole shoes gave, and their effect.

    `dealt` is the house edge a round over all shoes, `effect` what the cut adds to the edge;
    `error` and `effect_error` are standard errors, a shoe being one observation.
    """

    wager: Wager
    fresh: Fraction
    dealt: Fraction
    error: float
    effect: Fraction
    effect_error: float


@dataclass(frozen=True)
class ShoeStudy:
    """What some shoes told: `rounds` in all, and the effect on each wager."""

    shoes: int
    rounds: int
    first: int
    effects: tuple[Effect, ...]


def study(
    analysis: Analysis,
    wagers: Sequence[str],
    *,
    shoes: int,
    seed: int = 1,
    procedure: Procedure | None = None,
    workers: int = 1,
    progressed: Callable[[int, int], None] = lambda done, total: None,
) -> ShoeStudy:
    """Deal whole shoes, rounded up to blocks of 4,096, on some threads; the same for any number.

    Without `wagers` all of the game's first space are studied. `progressed` is told shoes dealt
    and shoes there are. Raises DealproofError where a wager cannot be studied.
    """
    program, game = analysis.program, analysis.game
    kept = tuple(program.wager(name) for name in wagers) or tuple(
        w for w in program.wagers.values() if w.priced and w.space is game.spaces[0]
    )
    (space, *more) = dict.fromkeys(wager.space for wager in kept)
    if more:
        names = ", ".join(s.name for s in (space, *more))
        raise DealproofError(f"wagers of one space are studied together, these are of {names}")
    if space.decision is not None:
        raise DealproofError(f"space {space.name}: the player decides; no study of whole shoes")
    pricer = analysis.pricer(space.name, kept)
    values = [pricer.value([(wager, Fraction(1))]) for wager in kept]
    nets = np.stack([value.net for value in values]).astype(np.int64)
    blocks = -(-shoes // BLOCK)

    def deal(block: int) -> Shoes:
        one = range(block, block + 1)
        return game.shoes(space.name, pricer.table, nets, one, seed, procedure or Procedure())

    parts: dict[int, Shoes] = {}
    with ThreadPoolExecutor(workers) as pool:
        try:
            futures = {pool.submit(deal, block): block for block in range(blocks)}
            for future in as_completed(futures):
                parts[futures[future]] = future.result()
                progressed(len(parts) * BLOCK, blocks * BLOCK)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    dealt = Shoes.merge([parts[block] for block in range(blocks)])
    effects = tuple(
        _effect(analysis, dealt, bet, wager, values[bet].net_unit) for bet, wager in enumerate(kept)
    )
    return ShoeStudy(len(dealt.rounds), int(dealt.rounds.sum()), dealt.first, effects)


def _effect(analysis: Analysis, dealt: Shoes, bet: int, wager: BoundWager, unit: int) -> Effect:
    fresh = analysis.price(wager.name).priced.mean
    effect, error = dealt.effect(bet, fresh * unit)
    return Effect(
        wager.spec,
        -fresh,
        -dealt.mean(bet) / unit,
        dealt.error(bet) / unit,
        -effect / unit,
        error / unit,
    )
