"""Strategies by a few columns where decisions come in sequence, and what leaving the best costs."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest

from engine.analysis.analysis import Analysis
from engine.analysis.binding import bind, bind_strategy
from engine.contract.strategy import Strategy, exceptions
from engine.exact.errors import DealproofError
from engine.pricing.pricer import price
from engine.spec.loading import load_spec
from engine.spec.model import Choice, StrategySpec

SPEC = load_spec("double-ace")


@cache
def analysed(decks: int, double_on: str = "ace") -> Analysis:
    return Analysis(bind(SPEC.under({"decks": decks, "double_on": double_on})))


def solved(rule: StrategySpec, decks: int, double_on: str = "ace") -> Strategy:
    analysis = analysed(decks, double_on)
    return analysis.solve(bind_strategy(analysis.program, rule))


def bound(by: tuple[str, ...], decks: int, double_on: str = "ace") -> Strategy:
    rule = StrategySpec(name="x", title="X", space="main", maximises={"base": 1}, by=by)
    return solved(rule, decks, double_on)


def named(name: str, decks: int) -> Strategy:
    return analysed(decks).strategy(name)


def by_rules(decks: int, ace: str, hits: tuple[int, ...]) -> Fraction:
    """Expected net of a strategy by totals, told by its rules."""
    choose = (
        Choice(when="held_total = 1", action=ace),
        Choice(when=f"held_total in {hits}", action="hit"),
        Choice(when="true", action="stand"),
    )
    rule = StrategySpec(name="x", title="X", space="main", choose=choose)
    return solved(rule, decks).mean


def test_one_deck_by_totals_against_every_such_strategy_near_it() -> None:
    best = max(
        by_rules(1, ace, (1, 2, 3, 4, *(t for t, hit in zip((5, 6, 7), hits, strict=True) if hit)))
        for ace in ("hit", "double")
        for hits in product((False, True), repeat=3)
    )
    strategy = bound(("held_total",), 1)
    assert strategy.mean == best
    base = analysed(1).program.wager("base")
    table = base.space.enumerate(0, base.space.starts, strategy)
    assert price(base, table).mean == best
    for total in range(1, 11):
        rows = (strategy.sets["held_total"] == total) & (strategy.allowed.sum(axis=1) > 1)
        assert len(np.unique(strategy.action[rows])) <= 1


def test_composition_is_worth_what_the_exceptions_cost() -> None:
    optimal, totals = named("optimal", 1), bound(("held_total",), 1)
    costs = sum((e.cost for e in exceptions(optimal, totals)), Fraction())
    assert costs == optimal.mean - totals.mean > 0
    finer = bound(("held_total", "held_cards"), 1)
    assert totals.mean < finer.mean < optimal.mean
    assert bound(("held",), 1).mean == optimal.mean


@pytest.mark.parametrize("name", ["chart", "never double"])
def test_exceptions_in_sequence_add_up_to_the_whole_difference(name: str) -> None:
    for decks in (1, 6):
        optimal, other = named("optimal", decks), named(name, decks)
        result = exceptions(optimal, other)
        assert sum((e.cost for e in result), Fraction()) == optimal.mean - other.mean
        # Against each other the costs add up as well, whichever is better.
        back = exceptions(other, optimal)
        assert sum((e.cost for e in back), Fraction()) == other.mean - optimal.mean


def test_a_chance_is_out_of_all_deals() -> None:
    optimal, never = named("optimal", 6), named("never double", 6)
    (ace,) = exceptions(optimal, never)
    assert ace.information["held"] == "A"
    assert ace.probability == Fraction(1, 10)
    # Of 57,360 ordered pairs of cards, 24 × 24 are a two and then an ace; an ace first is doubled.
    two_ace = optimal.index_of({"held_total": 3, "held_cards": 2, "held": "A-2"})
    assert Fraction(int(optimal.reached[two_ace]), optimal.deals_total) == Fraction(576, 57_360)
    assert Fraction(int(optimal.deals[two_ace]), optimal.deals_total) == Fraction(2 * 576, 57_360)


def test_actions_that_some_hand_of_a_total_lacks_are_closed_to_all() -> None:
    totals = bound(("held_total",), 6, "any first card")
    double = totals.actions.index("double")
    taken = [totals.label(int(i))["held"] for i in np.flatnonzero(totals.action == double)]
    assert taken == ["A"]


def test_columns_that_are_not_known_are_refused() -> None:
    with pytest.raises(DealproofError, match=r"strategies\[x\]\.by: column 'dealer_total'"):
        bound(("dealer_total",), 6)


def test_rules_have_to_name_an_action_for_every_hand() -> None:
    choose = (Choice(when="held_total < 10", action="stand"),)
    rule = StrategySpec(name="x", title="X", space="main", choose=choose)
    with pytest.raises(DealproofError, match=r"choose: names no action at held_total = 10"):
        solved(rule, 6)
