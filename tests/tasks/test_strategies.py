"""What a certificate says of strategies: ties, and the edge of bets that are maximised at once."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from engine.analysis import Analysis, analyse_exactly
from engine.loading import load_spec
from engine.spec import Event, StrategyRule, Wager
from tasks import strategies

SPEC = load_spec("fu-bacc")
#: Loses always, but by one event or the other.
LOST = (
    Event(event="Folded", when="decision = 'fold'", pays="lose"),
    Event(event="Not folded", when="true", pays="lose"),
)
#: Is settled by a card that lies open before the player acts.
SEEN = (
    Event(event="A nine", when="dealer_up = 9", pays="12 to 1"),
    Event(event="Other", when="true", pays="lose"),
)


@pytest.fixture(scope="module")
def exact() -> Analysis:
    wagers, rules = [], []
    for name, events in (("lost", LOST), ("seen", SEEN)):
        wagers.append(Wager(name=name, title=name, space="main", strategies=(name,), events=events))
        rules.append(StrategyRule(name=name, title=name, maximises={name: 1}))
    changes = {"wagers": (*SPEC.wagers, *wagers), "strategies": (*SPEC.strategies, *rules)}
    return analyse_exactly(SPEC.model_copy(update=changes))


def test_ties_are_told_and_whether_counts_depend_on_them(exact: Analysis) -> None:
    """55 hands of two values against 10 cards: 550 sets, in each of which all actions are equal."""
    told = {item["name"]: item["ties"] for item in strategies.described(exact)}
    assert (told["lost"]["sets"], told["lost"]["differing"]) == (550, 550)
    assert (told["seen"]["sets"], told["seen"]["differing"]) == (550, 0)
    assert told["chart"] is None


def test_two_best_actions_are_found_set_by_set(exact: Analysis) -> None:
    for name in ("optimal", "tie optimal"):
        strategy = exact.strategies[name]
        several = 0
        for index in range(len(strategy)):
            open_ = np.flatnonzero(strategy.open[index])
            values = [strategy.ev(index, int(action)) for action in open_]
            several += values.count(max(values)) > 1
        told = exact.ties(SPEC.strategy(name))
        assert told is not None
        assert told[0] == several


def test_bets_that_are_maximised_at_once_have_one_edge(exact: Analysis) -> None:
    """The loss of both is the sum of the losses of each, priced alone under the same play."""
    rule = SPEC.strategy("ante and tie")
    told = strategies.together(exact, rule)
    assert told is not None
    alone = [exact.result(name, rule.name).priced.house_edge for name in ("ante", "tie")]
    assert Fraction(told["loss"]["exact"]) == sum(alone)
    assert Fraction(told["edge"]["exact"]) == sum(alone) / 2
    assert strategies.together(exact, SPEC.strategy("optimal")) is None
