"""One hand: how to set it, what every action is worth in each bet, and where the best changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any

import numpy as np

from engine import analysis
from engine.asked import strategy_for, strategy_space
from engine.cards import names
from engine.envelope import lines, upper_envelope
from engine.errors import DealproofError, nearest
from engine.game import Dealt, Game, Space
from engine.numbers import written
from engine.pricing import Pricer
from engine.rendering import decimal
from engine.solving import objective
from engine.spec import Joint, Spec, StrategyRule, Wager
from engine.strategy import best
from engine.tables import exact_sums, exact_total
from flows.cli import hands, show


@dataclass(frozen=True)
class Hand:
    """The open actions of one hand: how each is told, and its expected net in every bet asked."""

    label: str
    information: dict[str, Any]
    actions: tuple[str, ...]
    told: tuple[str, ...]
    worth: tuple[tuple[Fraction, ...], ...]


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


def joint_of(spec: Spec, name: str | None, side: str) -> Joint:
    """The game's study of a side bet, by the wager's name; raise DealproofError."""
    sides = [joint.side for joint in spec.joint if name in (None, joint.name)]
    if side not in sides:
        told = nearest(side, sides) if sides else "the game has no joint study"
        raise DealproofError(f"--side {side}: {told}")
    return next(j for j in spec.joint if j.side == side and name in (None, j.name))


def tell(spec: Spec, joint: Joint, ratio: Fraction, cards: str, as_json: bool) -> None:
    """Tell the best action of a hand at one ratio of two bets, every cost, and its break points."""
    found = _values(spec, joint, cards)
    base, side = found.worth
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
                "rules": spec.settings,
                "hand": found.label,
                "information": found.information,
                "joint": joint.name,
                "base": joint.base,
                "side": joint.side,
                "ratio": ratio,
                "action": found.actions[order[0]],
                "told": found.told[order[0]],
                "actions": [
                    {
                        "action": found.actions[a],
                        "told": found.told[a],
                        "ev": {joint.base: base[a], joint.side: side[a]},
                        "together": together[a],
                        "cost": top - together[a],
                    }
                    for a in order
                ],
                "breaks": [
                    {"ratio": then[0], "before": found.actions[now[1]],
                     "after": found.actions[then[1]]}
                    for now, then in pairwise(envelope)
                ],
            }
        )  # fmt: skip
        return
    print(f"{spec.title}: {found.label}; {show.rules(spec.settings)}")
    print(f"{ratio} on {joint.side} for 1 on {joint.base}: {found.told[order[0]]}\n")
    show.table(
        ("", f"EV of {joint.base}", "Exact", f"EV of {joint.side}", "Exact",
         f"1 {joint.base} + {ratio} {joint.side}", "Exact", "Costs", "Exact"),
        [
            (
                found.told[a],
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
             "" if end is None else end, found.told[a])
            for (start, a), end in zip(envelope, [*ends, None], strict=True)
        ],
        right=[True, True, True, True, False],
    )  # fmt: skip


def _values(spec: Spec, joint: Joint, cards: str) -> Hand:
    """Value every open action of a hand in the base and in the side bet."""
    made = analysis.build(spec)
    space = strategy_for(made, joint.space)
    dealt = None if joint.allowed else space.dealt(hands.hand_cards(spec, cards, space))
    if dealt is not None:
        wagers = [[(spec.wager(name), Fraction(1))] for name in (joint.base, joint.side)]
        return _tabulated(spec, space, dealt, wagers)
    from flows.cli.exact import for_joint

    found = for_joint(spec, made, joint)
    own = lines(found, joint)
    (index,) = hands.find(spec, made, found, own.base, cards, {})
    open_ = np.flatnonzero(own.base.open[index])
    deals = own.unit * int(own.base.weight[index])
    actions = tuple(own.base.actions[a] for a in open_)
    return Hand(
        names(hands.hand_cards(spec, cards, space)),
        dict(own.base.label(index)),
        actions,
        actions,
        tuple(
            tuple(Fraction(int(worth[index, a]), deals) for a in open_)
            for worth in (own.intercepts, own.slopes)
        ),
    )


def _tabulated(
    spec: Spec, space: Space, dealt: Dealt, bets: Sequence[list[tuple[Wager, Fraction]]]
) -> Hand:
    actions = space.decision.actions if space.decision else ()
    pricer = Pricer(dealt.table, spec.settings)
    action = dealt.table.codes["action"]
    deals = exact_total(dealt.table.combinations) // len(actions)
    worth = []
    for bet in bets:
        value = pricer.value(bet)
        sums = exact_sums(action, len(actions), dealt.table.combinations, value.net)
        worth.append(tuple(Fraction(int(total), value.net_unit * deals) for total in sums))
    return Hand(names(dealt.cards), dict(dealt.information), actions, dealt.told, tuple(worth))


def optimum(spec: Spec, game: Game, rule: StrategyRule, cards: str) -> dict[str, Any] | None:
    """What an optimal strategy does with one hand, where that is known without solving the game.

    In the form of an information set of `dealproof strategy`, with the actions in words.
    """
    if rule.maximises is None or rule.allowed or rule.by or not rule.removal:
        return None
    space = strategy_space(game, rule)
    dealt = space.dealt(hands.hand_cards(spec, cards, space))
    if dealt is None:
        return None
    bet = objective(spec, rule, space)
    hand = _tabulated(spec, space, dealt, [bet])
    pricer = Pricer(dealt.table, spec.settings)
    (values,) = hand.worth
    width = len(hand.actions)
    staked = pricer.value(bet).staked
    stakes = exact_sums(dealt.table.codes["action"], width, dealt.table.combinations, staked)
    unit = lcm(*(value.denominator for value in values))
    worth = np.array([[int(value * unit) for value in values]], dtype=object)
    taken = int(best(worth, stakes.reshape(1, width), np.ones((1, width), dtype=bool))[0])
    ranked = sorted(range(width), key=lambda a: (-values[a], a != taken, a))
    return {
        "hand": hand.label,
        "information": hand.information,
        "probability": Fraction(exact_total(dealt.table.combinations), width * space.deals),
        "action": hand.actions[taken],
        "actions": [
            {
                "action": hand.actions[a],
                "told": hand.told[a],
                "ev": values[a],
                "cost": max(values) - values[a],
            }
            for a in ranked
        ],
    }
