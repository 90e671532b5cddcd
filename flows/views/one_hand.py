"""One hand: how to set it, what every action is worth in each bet, and where the best changes."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any

from engine.analysis.analysis import Analysis
from engine.exact.errors import DealproofError, nearest
from engine.exact.fractions import written
from engine.exact.rendering import decimal
from engine.program.bound import BoundJoint, BoundStrategy, Program
from engine.studies import one_hand
from engine.studies.joint import upper_envelope
from flows.views import show


def ratio_of(text: str) -> Fraction:
    """Read a ratio of two bets: 0.5, 1/2, 3; raise DealproofError."""
    try:
        ratio = written(text)
    except DealproofError:
        raise DealproofError(
            f"ratio '{text[:40]}': write a number, for example 0.5 or 1/2"
        ) from None
    if ratio < 0:
        raise DealproofError(f"ratio {text}: allowed: 0 or more")
    return ratio


def joint_of(program: Program, name: str | None, side: str) -> BoundJoint:
    """The game's study of a side bet, by the wager's name; raise DealproofError."""
    studies = [joint for joint in program.joints.values() if name in (None, joint.spec.name)]
    sides = [joint.spec.side for joint in studies]
    if side not in sides:
        known = nearest(side, sides) if sides else "the game has no joint study"
        raise DealproofError(f"--side {side}: {known}")
    return studies[sides.index(side)]


def print_hand(
    program: Program, bound: BoundJoint, ratio: Fraction, cards: str, as_json: bool
) -> None:
    """Tell the best action of a hand at one ratio of two bets, every cost, and its break points."""
    spec, joint = program.spec, bound.spec
    both = one_hand.in_both_bets(Analysis(program), bound, cards)
    base, side = both.worth
    together = [b + ratio * s for b, s in zip(base, side, strict=True)]
    top = max(together)
    order = sorted(range(len(together)), key=lambda a: (-together[a], a))
    unit = lcm(*(value.denominator for value in (*base, *side)))
    envelope = upper_envelope(
        [int(value * unit) for value in base],
        [int(value * unit) for value in side],
        [True] * len(base),
    )
    if as_json:
        show.emit(
            {
                "game": spec.game,
                "rules": spec.rule_values,
                "hand": both.label,
                "information": both.information,
                "joint": joint.name,
                "base": joint.base,
                "side": joint.side,
                "ratio": ratio,
                "action": both.actions[order[0]],
                "told": both.words[order[0]],
                "actions": [
                    {
                        "action": both.actions[a],
                        "told": both.words[a],
                        "ev": {joint.base: base[a], joint.side: side[a]},
                        "together": together[a],
                        "cost": top - together[a],
                    }
                    for a in order
                ],
                "breaks": [
                    {"ratio": then[0], "before": both.actions[now[1]],
                     "after": both.actions[then[1]]}
                    for now, then in pairwise(envelope)
                ],
            }
        )  # fmt: skip
        return
    print(f"{spec.title}: {both.label}; {show.rules(spec.rule_values)}")
    print(f"{ratio} on {joint.side} for 1 on {joint.base}: {both.words[order[0]]}\n")
    show.table(
        ("", f"EV of {joint.base}", "Exact", f"EV of {joint.side}", "Exact",
         f"1 {joint.base} + {ratio} {joint.side}", "Exact", "Costs", "Exact"),
        [
            (
                both.words[a],
                decimal(base[a]),
                base[a],
                decimal(side[a]),
                side[a],
                decimal(together[a]),
                together[a],
                decimal(top - together[a]) if together[a] < top else "best",
                top - together[a] if together[a] < top else "",
            )
            for a in order
        ],
    )  # fmt: skip
    ends: list[Fraction | None] = [start for start, _ in envelope[1:]]
    print(f"\nBest for t units of {joint.side} to one of {joint.base}:\n")
    show.table(
        ("From t", "Exact", "To t", "Exact", "Play"),
        [
            (decimal(start), start, "∞" if end is None else decimal(end),
             "" if end is None else end, both.words[a])
            for (start, a), end in zip(envelope, [*ends, None], strict=True)
        ],
        right=[True, True, True, True, False],
    )  # fmt: skip


def optimum(program: Program, strategy: BoundStrategy, cards: str) -> dict[str, Any] | None:
    """What an optimal strategy does with one hand, where that is known without solving the game.

    In the form of an information set of `dealproof strategy`, with the actions in words.
    """
    hand = one_hand.optimum(program, strategy, cards)
    if hand is None:
        return None
    (values,) = hand.worth
    ranked = sorted(range(len(values)), key=lambda a: (-values[a], a != hand.taken, a))
    return {
        "hand": hand.label,
        "information": hand.information,
        "hands": strategy.space.hands_in(hand.deals),
        "probability": Fraction(hand.deals, strategy.space.deals),
        "action": hand.actions[hand.taken],
        "actions": [
            {
                "action": hand.actions[a],
                "told": hand.words[a],
                "ev": values[a],
                "cost": max(values) - values[a],
            }
            for a in ranked
        ],
    }
