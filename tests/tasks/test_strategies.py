"""What a certificate says of strategies: ties, and the edge of bets that are maximised at once."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from engine.analysis.analysis import Analysis, analyse
from engine.spec.loading import load_spec
from engine.spec.model import Event, Joint, StrategySpec, Wager
from engine.studies.joint import study
from tasks.certificate import strategies
from tasks.conclude import _together

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
#: An ante bonus: pays 1 where the dealer shows a nine, whatever is played, and stakes nothing.
BONUS = (
    Event(event="A nine", when="dealer_up = 9", pays=1, staked=0),
    Event(event="Other", when="true", pays=0, staked=0),
)
STUDIES = (
    Joint(name="bonus", title="Ante and its bonus", base="ante", side="bonus"),
    Joint(name="reversed", title="The bonus and its ante", base="bonus", side="ante"),
)


@pytest.fixture(scope="module")
def exact() -> Analysis:
    wagers, rules = [], []
    for name, events in (("lost", LOST), ("seen", SEEN)):
        wagers.append(Wager(name=name, title=name, space="main", strategies=(name,), events=events))
        rules.append(StrategySpec(name=name, title=name, maximises={name: 1}))
    wagers.append(
        Wager(name="bonus", title="Bonus", space="main", strategies=("with bonus",), events=BONUS)
    )
    rules.append(
        StrategySpec(
            name="with bonus", title="Ante with its bonus", maximises={"ante": 1, "bonus": 1}
        )
    )
    rules.append(
        StrategySpec(
            name="bonuses", title="Two bonuses", maximises={"bonus": 1, "seen": 0, "free": 2}
        )
    )
    wagers.append(
        Wager(name="free", title="Free", space="main", strategies=("bonuses",), events=BONUS)
    )
    changes = {
        "wagers": (*SPEC.wagers, *wagers),
        "strategies": (*SPEC.strategies, *rules),
        "joint": STUDIES,
    }
    return analyse(SPEC.model_copy(update=changes))


def test_ties_are_told_and_whether_counts_depend_on_them(exact: Analysis) -> None:
    """55 hands of two values against 10 cards: 550 sets, in each of which all actions are equal."""
    text = {item["name"]: item["ties"] for item in strategies.described(exact)}
    assert (text["lost"]["sets"], text["lost"]["differing"]) == (550, 550)
    assert (text["seen"]["sets"], text["seen"]["differing"]) == (550, 0)
    assert text["chart"] is None


def test_two_best_actions_are_found_set_by_set(exact: Analysis) -> None:
    for name in ("optimal", "tie optimal"):
        strategy = exact.strategies[name]
        several = 0
        for index in range(len(strategy)):
            open_ = np.flatnonzero(strategy.allowed[index])
            values = [strategy.ev(index, int(action)) for action in open_]
            several += values.count(max(values)) > 1
        text = exact.ties(exact.program.strategy(name))
        assert text is not None
        assert text[0] == several


def test_bets_that_are_maximised_at_once_have_one_edge(exact: Analysis) -> None:
    """The loss of both is the sum of the losses of each, priced alone under the same play."""
    rule = exact.program.strategy("ante and tie")
    text = strategies.together(exact, rule)
    assert text is not None
    alone = [exact.price(name, rule.name).priced.house_edge for name in ("ante", "tie")]
    assert Fraction(text["loss"]["exact"]) == sum(alone)
    # Both bets are put up before the deal, so that a unit of them is half a unit of each.
    assert text["per_unit_of"] == ["ante", "tie"]
    assert Fraction(text["edge"]["exact"]) == sum(alone) / 2
    # An ante stays 1 unit where the hand is folded and is 3 in all where it is played.
    strategy = exact.strategies[rule.name]
    played = np.isin(strategy.action, [strategy.actions.index(a) for a in ("stand", "draw")])
    raised = Fraction(int(strategy.deals[played].sum()), strategy.deals_total)
    assert Fraction(text["units_staked"]["exact"]) == (1 + 2 * raised) + 1
    assert Fraction(text["element_of_risk"]["exact"]) == sum(alone) / (2 + 2 * raised)
    assert strategies.together(exact, exact.program.strategy("optimal")) is None


def test_a_bonus_that_stakes_nothing_is_no_unit_bet(exact: Analysis) -> None:
    """The dealer shows a nine once in 13 rounds; the ante's best play does not change by that.

    So the player loses the edge of the ante less 1/13, on each unit of the ante, not on two.
    """
    ante = exact.price("ante", "optimal").priced
    text = strategies.together(exact, exact.program.strategy("with bonus"))
    assert text is not None
    assert text["wagers"] == {"ante": "1", "bonus": "1"}
    assert text["per_unit_of"] == ["ante"]
    assert Fraction(text["units_put_up"]["exact"]) == 1
    assert Fraction(text["edge"]["exact"]) == ante.house_edge - Fraction(1, 13)
    assert Fraction(text["units_staked"]["exact"]) == ante.average_wager
    rows = [r for r in _together(exact) if r.strategy == "Ante with its bonus"]
    # 3.0496% is published; 3.0496% - 7.6923% = -4.6427%.
    assert [(r.wager, r.verdict) for r in rows] == [
        ("Ante + Bonus", "per unit of Ante"),
        ("Ante + Bonus", "per unit staked"),
    ]
    assert rows[0].house_edge == "-4.6427%"


def test_bets_that_stake_nothing_have_no_edge_together(exact: Analysis) -> None:
    """Both pay where the dealer shows a nine: 1 unit and 2 × 1, once in 13 rounds."""
    text = strategies.together(exact, exact.program.strategy("bonuses"))
    assert text is not None
    assert Fraction(text["loss"]["exact"]) == Fraction(-3, 13)
    assert text["edge"] is text["element_of_risk"] is None
    (row,) = (r for r in _together(exact) if r.strategy == "Two bonuses")
    assert (row.wager, row.house_edge) == ("Bonus + Free × 2", "pays 0.2308 a round")


def test_a_study_of_two_bets_counts_units_put_up(exact: Analysis) -> None:
    """The same bonus at every ratio to the ante, and the ante at every ratio to the bonus."""
    edge = exact.price("ante", "optimal").priced.house_edge
    one, other = (study(exact, joint) for joint in exact.program.joints.values())
    for ratio in map(Fraction, ("0", "1/2", "1", "3")):
        assert one.edge(ratio) == edge - ratio / 13
        assert other.edge(ratio) == ((ratio * edge - Fraction(1, 13)) / ratio if ratio else None)
