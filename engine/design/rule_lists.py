"""Search for short lists of ordered rules that play the main bet well: ``5 rules`` and the like.

A rule asks for a baccarat total of at least t and a poker class of at least c. The first rule that
some split of the hand meets decides; among the splits that meet it the highest total is set, then
the highest poker hand, and so for the hands that meet none: that is the last line of every list.

Every list is valued exactly, over all deals. The search for lists is simulated annealing over their
thresholds, and thus no proof: a list that it finds may not be the best of its length. It depends on
the seed alone; ``python -m engine.games.bacc_plus_3.rule_search --help`` tells how to run it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards.hands.three_card import CLASSES, ThreeCard
from engine.contract.strategy import Strategy
from engine.exact.kernels import njit
from engine.exact.rendering import percent
from engine.games.bacc_plus_3.enumeration import TOTALS

Int = NDArray[np.int64]
Rule = tuple[int, int]

#: Loss of edge at which a move is still taken with a chance of 1 in e, at first and at last.
HOT, COLD = 3e-4, 1e-6


class Table(NamedTuple):
    """All hands with their splits in descending order of total, then of poker class.

    `total`, `poker`: of each split; `worth`: what it is worth; all of shape (134459, 10), int64 but
    for the first two, which are small. `unit`: what `worth` counts, as a share of a base unit.
    """

    total: NDArray[np.int8]
    poker: NDArray[np.int16]
    worth: Int
    unit: Fraction


def table(cell: NDArray[np.int16], solved: Strategy) -> Table:
    """Sort the splits of all hands; `cell` as in `Layouts`, `solved` any strategy of the bet."""
    total, poker = cell % TOTALS, cell // TOTALS
    order = np.argsort(-(total.astype(np.int64) * CLASSES + poker), axis=1, kind="stable")
    return Table(
        np.take_along_axis(total, order, axis=1).astype(np.int8),
        np.take_along_axis(poker, order, axis=1).astype(np.int16),
        np.take_along_axis(solved.ev_sum, order, axis=1).astype(np.int64),
        Fraction(1, solved.unit * solved.deals_total),
    )


@njit
def _net(
    total: NDArray[np.int8], poker: NDArray[np.int16], worth: Int, least: Int, lowest: Int
) -> int:
    """Add up what all hands are worth under rules (`least` total, `lowest` class): below 2^62."""
    net = 0
    for hand in range(len(total)):
        taken = 0
        applied = False
        for rule in range(len(least)):
            for split in range(10):
                if total[hand, split] < least[rule]:
                    break
                if poker[hand, split] >= lowest[rule]:
                    taken, applied = split, True
                    break
            if applied:
                break
        net += worth[hand, taken]
    return net


def edge(hands: Table, rules: Sequence[Rule]) -> Fraction:
    """House edge of a list of rules, exactly."""
    return -_value(hands, rules) * hands.unit


def _value(hands: Table, rules: Sequence[Rule]) -> int:
    given = np.array(rules, dtype=np.int64).reshape(-1, 2)
    return int(_net(hands.total, hands.poker, hands.worth, given[:, 0].copy(), given[:, 1].copy()))


def thresholds(poker: ThreeCard) -> tuple[int, ...]:
    """Poker classes that a player can name: the lowest of each category and leading rank."""
    named = np.stack([poker.category, poker.high], axis=1)
    begins = np.any(named[1:] != named[:-1], axis=1)
    return (0, *(int(c) + 1 for c in np.flatnonzero(begins)))


def search(
    hands: Table, classes: Sequence[int], lines: int, seed: int, tries: int
) -> tuple[Fraction, tuple[Rule, ...]]:
    """Anneal a list of so many `lines` (the last one counted): its edge and its rules.

    `classes`: poker classes that a rule may name; `tries`: lists that are valued.
    """
    random = np.random.Generator(np.random.PCG64(seed))
    scale = float(1 / hands.unit)

    def any_rule() -> Rule:
        return int(random.integers(TOTALS)), classes[int(random.integers(len(classes)))]

    rules = [any_rule() for _ in range(lines - 1)]
    value = _value(hands, rules)
    best, top = tuple(rules), value
    for attempt in range(tries):
        heat = HOT * (COLD / HOT) ** (attempt / tries) * scale
        changed = _moved(rules, classes, random, any_rule)
        worth = _value(hands, changed)
        if worth >= value or random.random() < np.exp((worth - value) / heat):
            rules, value = changed, worth
            if value > top:
                best, top = tuple(rules), value
    return -top * hands.unit, best


def _moved(
    rules: list[Rule],
    classes: Sequence[int],
    random: np.random.Generator,
    any_rule: Callable[[], Rule],
) -> list[Rule]:
    """Change a list a little: a threshold, the order of two rules, or one rule for another."""
    changed = list(rules)
    index, kind = int(random.integers(len(rules))), random.random()
    least, lowest = changed[index]
    if kind < 0.3:
        changed[index] = min(max(least + int(random.choice((-1, 1))), 0), TOTALS - 1), lowest
    elif kind < 0.7:
        step = int(random.choice((-3, -2, -1, 1, 2, 3)))
        at = min(max(classes.index(lowest) + step, 0), len(classes) - 1)
        changed[index] = least, classes[at]
    elif kind < 0.85:
        changed.insert(int(random.integers(len(rules))), changed.pop(index))
    else:
        changed[index] = any_rule()
    return changed


def main() -> None:
    """Run a search from the command line."""
    from engine.analysis.analysis import Analysis
    from engine.analysis.binding import bind
    from engine.games.bacc_plus_3.space import Main
    from engine.spec.loading import load_spec

    parser = argparse.ArgumentParser(description=str(__doc__).split("\n\n")[0])
    parser.add_argument("--lines", type=int, default=5, help="lines of the list, the last counted")
    parser.add_argument("--seed", type=int, default=1, help="root of the search's random moves")
    parser.add_argument("--tries", type=int, default=10_000, help="lists that are valued")
    arguments = parser.parse_args()
    if arguments.lines < 2:
        parser.error(f"--lines {arguments.lines}: at least 2")
    analysis = Analysis(bind(load_spec("bacc-plus-3")))
    space = analysis.game.space("main")
    if not isinstance(space, Main):
        raise TypeError("bacc-plus-3 is played by another engine")
    hands = table(space.expectation.layouts.cell, analysis.strategy("optimal"))
    house_edge, rules = search(
        hands, thresholds(space.poker), arguments.lines, arguments.seed, arguments.tries
    )
    print(f"house edge {percent(house_edge, 6)} = {house_edge}")
    for least, lowest in rules:
        print(f"player_baccarat >= {least} AND player_poker_class >= {lowest}")
    print("else the highest baccarat total, then the highest poker hand")


if __name__ == "__main__":
    main()
