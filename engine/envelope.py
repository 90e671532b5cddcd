"""Two wagers on one hand: the best play for every ratio of the side bet to the base bet.

At an information set each action is worth intercept + t × slope, where t is the ratio. The best
play is the upper envelope of these lines; where it bends are the exact break points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.analysis import Analysis, strategy_for
from engine.spec import Joint
from engine.strategy import allowed_cells


def upper_envelope(
    intercepts: Sequence[int], slopes: Sequence[int], usable: Sequence[bool]
) -> list[tuple[Fraction, int]]:
    """Follow the highest line for t from 0 to infinity.

    Returns (start, line) pairs, `start` rising from 0: `line` is best from `start` to the next one.
    Lines equal in both numbers count as the first of them. Exact for Python integers.
    """
    lines = [index for index, ok in enumerate(usable) if ok]
    best = max(lines, key=lambda i: (intercepts[i], slopes[i], -i))
    pieces = [(Fraction(0), best)]
    while True:
        steeper = [i for i in lines if slopes[i] > slopes[best]]
        if not steeper:
            return pieces
        crossing = {
            i: Fraction(intercepts[best] - intercepts[i], slopes[i] - slopes[best]) for i in steeper
        }
        best = min(steeper, key=lambda i: (crossing[i], -slopes[i], i))
        pieces.append((crossing[best], best))


@dataclass(frozen=True)
class Break:
    """A ratio at which the best action of one information set changes."""

    ratio: Fraction
    information: dict[str, str | int]
    before: str
    after: str


@dataclass(frozen=True)
class Study:
    """The best joint play for every ratio t ≥ 0 of `side` to `base`.

    `breaks` are sorted by ratio. `pieces` are (start, loss, slope): from `start` to the next one
    the expected loss of 1 unit on the base and t on the side is loss + t × slope, exactly.
    """

    joint: Joint
    breaks: tuple[Break, ...]
    pieces: tuple[tuple[Fraction, Fraction, Fraction], ...]

    def loss(self, ratio: Fraction) -> Fraction:
        """Expected loss at a ratio, in base units."""
        held = [piece for piece in self.pieces if piece[0] <= ratio]
        return held[-1][1] + ratio * held[-1][2]

    def edge(self, ratio: Fraction) -> Fraction:
        """Expected loss per unit bet, base and side together."""
        return self.loss(ratio) / (1 + ratio)


def study(analysis: Analysis, joint: Joint) -> Study:
    """Find the best joint play for every ratio, from an action table."""
    space = strategy_for(analysis.game, joint.space)
    view, base, base_unit = analysis.worth(joint.base, space)
    _, side, side_unit = analysis.worth(joint.side, space)
    usable = view.open & allowed_cells(joint, view, analysis.spec.settings)
    deals = sum(int(weight) for weight in view.weight)
    loss = slope = Fraction()
    breaks, changes = [], []
    for index in range(len(view.first)):
        lines = [int(w) * side_unit for w in base[index]]
        slopes = [int(w) * base_unit for w in side[index]]
        pieces = upper_envelope(lines, slopes, usable[index])
        held = pieces[0][1]
        loss -= Fraction(lines[held], base_unit * side_unit * deals)
        slope -= Fraction(slopes[held], base_unit * side_unit * deals)
        for ratio, line in pieces[1:]:
            scale = base_unit * side_unit * deals
            more = Fraction(lines[held] - lines[line], scale)
            steeper = Fraction(slopes[held] - slopes[line], scale)
            changes.append((ratio, more, steeper))
            actions = view.decision.actions
            label = view.values(index)
            breaks.append(Break(ratio, label, actions[held], actions[line]))
            held = line
    ordered = sorted(breaks, key=lambda b: (b.ratio, tuple(map(str, b.information.values()))))
    return Study(joint, tuple(ordered), tuple(_pieces(loss, slope, changes)))


def _pieces(
    loss: Fraction, slope: Fraction, changes: list[tuple[Fraction, Fraction, Fraction]]
) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    start = Fraction(0)
    for ratio, more, steeper in sorted(changes):
        if ratio != start:
            yield start, loss, slope
            start = ratio
        loss, slope = loss + more, slope + steeper
    yield start, loss, slope
