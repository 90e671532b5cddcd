"""Two wagers on one hand: the best play for every ratio of the side bet to the base bet.

At an information set each action is worth intercept + t × slope, where t is the ratio. The best
play is the upper envelope of these lines; where it bends are the exact break points.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.analysis.analysis import Analysis
from engine.contract.strategy import Strategy
from engine.exact.tables import INT64, Codes, Counts, exact_total
from engine.pricing.pricer import Pricer
from engine.program.bound import BoundJoint
from engine.spec.model import Joint
from engine.studies.combined import per_unit


class Pieces(NamedTuple):
    """Upper envelopes of many sets of lines, each followed for t from 0 to infinity.

    Piece k belongs to set `member[k]`: line `line[k]` is best from t = `over[k]` / `under[k]` (not
    reduced) to the set's next piece. Sorted by set, then by t; each set begins at t = 0.
    """

    member: Codes
    line: Codes
    over: Counts
    under: Counts


def upper_envelopes(intercepts: Counts, slopes: Counts, usable: NDArray[np.bool_]) -> Pieces:
    """Find the upper envelope of the usable lines of every set, exactly.

    All have shape (sets, lines). Lines equal in both numbers count as the first of them. Crossings
    are compared as fractions of integers: in int64 where products of any two differences fit, else
    in Python integers.
    """
    sets, lines = usable.shape
    peak = max((abs(int(v)) for a in (intercepts, slopes) for v in (a.max(), a.min())), default=0)
    dtype = np.int64 if 4 * peak * peak < INT64 else object
    high, steep = intercepts.astype(dtype), slopes.astype(dtype)
    rows = np.arange(sets)
    best = np.full(sets, -1, dtype=np.int64)
    for line in range(lines):
        a, b = high[rows, best], steep[rows, best]
        better = (high[:, line] > a) | ((high[:, line] == a) & (steep[:, line] > b))
        best = np.where(usable[:, line] & ((best < 0) | better), line, best)
    envelopes = [(rows, best, np.zeros(sets, dtype=dtype), np.ones(sets, dtype=dtype))]
    while len(rows):
        a, b = high[rows, best], steep[rows, best]
        then = np.full(len(rows), -1, dtype=np.int64)
        over, under = np.zeros(len(rows), dtype=dtype), np.ones(len(rows), dtype=dtype)
        for line in range(lines):
            rise = steep[rows, line] - b
            drop = a - high[rows, line]
            sooner, later = drop * under, over * rise
            steeper = steep[rows, line] > steep[rows, then]
            first = (then < 0) | (sooner < later) | ((sooner == later) & steeper)
            take = np.array(usable[rows, line] & (rise > 0) & first, dtype=bool)
            then[take], over[take], under[take] = line, drop[take], rise[take]
        crossed = then >= 0
        rows, best, over, under = rows[crossed], then[crossed], over[crossed], under[crossed]
        envelopes.append((rows, best, over, under))
    member, best, over, under = (np.concatenate(parts) for parts in zip(*envelopes, strict=True))
    # Later rounds only follow earlier ones, so a stable sort by set keeps each set's order.
    order = np.argsort(member, kind="stable")
    return Pieces(member[order], best[order], over[order], under[order])


def upper_envelope(
    intercepts: Sequence[int], slopes: Sequence[int], usable: Sequence[bool]
) -> list[tuple[Fraction, int]]:
    """Follow the highest of some lines for t from 0 to infinity: (start, line) pairs."""
    pieces = upper_envelopes(
        np.array([[int(v) for v in intercepts]], dtype=object),
        np.array([[int(v) for v in slopes]], dtype=object),
        np.array([usable], dtype=bool),
    )
    starts = map(Fraction, map(int, pieces.over), map(int, pieces.under))
    return list(zip(starts, map(int, pieces.line), strict=True))


class Lines(NamedTuple):
    """Worth of every action in both wagers: net × combinations over `unit` × `deals`.

    `base` solves for the base bet alone; it names information sets, actions and what is usable.
    """

    base: Strategy
    intercepts: Counts
    slopes: Counts
    unit: int
    deals: int


@dataclass(frozen=True)
class Break:
    """A ratio at which the best action of one information set changes."""

    ratio: Fraction
    information: dict[str, str | int]
    before: str
    after: str


@dataclass(frozen=True, eq=False)
class Study:
    """The best joint play for every ratio t ≥ 0 of `side` to `base`.

    `envelope` follows every information set of `lines`; `order` numbers those of its pieces that
    begin at a change of action, by their ratio, and `ratios` tells it for each. `pieces` are
    (start, loss, slope): from `start` to the next one the expected loss of 1 unit on the base and
    t on the side is loss + t × slope, exactly. `known`: what every information set is worth in
    those other wagers that it settles by itself, exact net in base units, set by set. `put_up`:
    which of base and side are at risk in every deal.
    """

    joint: Joint
    lines: Lines
    envelope: Pieces
    order: Codes
    ratios: tuple[Fraction, ...]
    pieces: tuple[tuple[Fraction, Fraction, Fraction], ...]
    known: Mapping[str, tuple[Fraction, ...]]
    put_up: tuple[str, ...]

    @cached_property
    def breaks(self) -> tuple[Break, ...]:
        """Every change of action at an information set, sorted by ratio."""
        base, line = self.lines.base, self.envelope.line
        return tuple(
            Break(
                ratio,
                base.label(int(self.envelope.member[i])),
                base.actions[line[i - 1]],
                base.actions[line[i]],
            )
            for ratio, i in zip(self.ratios, self.order, strict=True)
        )

    def loss(self, ratio: Fraction) -> Fraction:
        """Expected loss at a ratio, in base units."""
        _, loss, slope = self.pieces[bisect_right(self.pieces, ratio, key=lambda p: p[0]) - 1]
        return loss + ratio * slope

    def edge(self, ratio: Fraction) -> Fraction | None:
        """Expected loss per unit put up, on base and side together; None where nothing is.

        A bet that is not at risk in every deal, such as a bonus that stakes nothing, adds to the
        loss but not to the units.
        """
        units = {self.joint.base: Fraction(1), self.joint.side: ratio}
        return per_unit(self.loss(ratio), sum((units[name] for name in self.put_up), Fraction()))


def lines(analysis: Analysis, joint: BoundJoint) -> Lines:
    """Value every action of every information set in the base and in the side bet."""
    base, side = analysis.solve(joint.base), analysis.solve(joint.side)
    return Lines(
        base,
        _times(base.ev_sum, side.unit),
        _times(side.ev_sum, base.unit),
        base.unit * side.unit,
        sum(int(weight) for weight in base.deals),
    )


def _times(worth: Counts, factor: int) -> Counts:
    peak = max((abs(int(v)) for v in (worth.max(), worth.min())), default=0)
    return (worth if peak * factor < INT64 else worth.astype(object)) * factor


def study(analysis: Analysis, joint: BoundJoint) -> Study:
    """Find the best joint play for every ratio of the two bets."""
    bets = lines(analysis, joint)
    envelopes = upper_envelopes(bets.intercepts, bets.slopes, bets.base.allowed)
    lost = bets.intercepts[envelopes.member, envelopes.line]
    steep = bets.slopes[envelopes.member, envelopes.line]
    first = np.concatenate([[True], envelopes.member[1:] != envelopes.member[:-1]])
    later = np.flatnonzero(~first)
    ratios = list(map(Fraction, envelopes.over[later].tolist(), envelopes.under[later].tolist()))
    # Rounding keeps an order, so that fractions are compared only where their floats are equal.
    keys = list(zip(map(float, ratios), ratios, strict=True))
    by_ratio = sorted(range(len(later)), key=keys.__getitem__)
    order = later[by_ratio]
    shown = tuple(ratios[k] for k in by_ratio)
    less = (lost[order - 1] - lost[order]).tolist()
    flatter = (steep[order - 1] - steep[order]).tolist()
    begun = -exact_total(lost[first]), -exact_total(steep[first])
    changes = zip(shown, less, flatter, strict=True)
    pieces = tuple(_pieces(*begun, changes, bets.unit * bets.deals))
    wagers = analysis.program.wager(joint.spec.base), analysis.program.wager(joint.spec.side)
    put_up = tuple(w.name for w in wagers if analysis.always_staked(w, joint.space))
    return Study(joint.spec, bets, envelopes, order, shown, pieces, _known(analysis, joint), put_up)


def _known(analysis: Analysis, joint: BoundJoint) -> dict[str, tuple[Fraction, ...]]:
    """Net of other wagers, information set by information set, where the set settles them."""
    known = {}
    for wager in analysis.program.wagers.values():
        other = wager.priced and wager.space is not joint.space
        rows = joint.space.settled(wager.space.name) if other else None
        if rows is not None:
            value = Pricer(rows).value([(wager, Fraction(1))])
            exact = {net: Fraction(net, value.net_unit) for net in set(value.net.tolist())}
            known[wager.name] = tuple(exact[net] for net in value.net.tolist())
    return known


def _pieces(
    loss: int, slope: int, changes: Iterable[tuple[Fraction, int, int]], scale: int
) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    start = Fraction(0)
    for ratio, more, steeper in changes:
        if ratio != start:
            yield start, Fraction(loss, scale), Fraction(slope, scale)
            start = ratio
        loss, slope = loss + more, slope + steeper
    yield start, Fraction(loss, scale), Fraction(slope, scale)
