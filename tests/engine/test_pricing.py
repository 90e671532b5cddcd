"""Pricing against hand-worked tables and against its own linearity."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.exact.errors import DealproofError
from engine.exact.tables import Table, integer
from engine.pricing import pricer, settlement
from engine.pricing.pricer import Pricer
from engine.spec.model import Wager
from tests.bound import bound

#: Single-zero roulette: numbers 0–36, one ball each.
WHEEL = Table.of(
    (integer("number", "where the ball falls", 0, 36),),
    {"number": np.arange(37)},
    np.ones(37, dtype=np.int64),
)


def wager(*events: tuple[str, Any], **other: Any) -> Wager:
    rows = tuple({"event": f"line {n}", "when": w, "pays": p} for n, (w, p) in enumerate(events))
    return Wager.model_validate({"name": "bet", "title": "Bet", "events": rows, **other})


def test_roulette_by_hand() -> None:
    # Straight up pays 35 to 1: edge 1/37, variance 37·(36·36)/37² by textbook.
    priced = pricer.price(bound(wager(("number = 17", "35 to 1"), ("true", "lose")), WHEEL), WHEEL)
    assert priced.house_edge == Fraction(1, 37)
    assert priced.rtp == Fraction(36, 37)
    assert priced.hit_frequency == Fraction(1, 37)
    assert priced.variance == Fraction(36 * 36 * 36, 37 * 37)
    assert priced.lines[0].true_odds == 36
    assert [line.combinations for line in priced.lines] == [1, 36]


def test_pushes_stakes_and_resolved_bets_by_hand() -> None:
    # Even money with half back on zero is la partage: edge 1/74. Here zero pushes instead.
    bet = wager(("number = 0", "push"), ("number <= 18", "1 to 1"), ("true", "lose"))
    priced = pricer.price(bound(bet, WHEEL), WHEEL)
    assert priced.house_edge == 0
    assert priced.edge_per_resolved == 0
    staked = Wager.model_validate(
        {
            "name": "bet",
            "title": "Bet",
            "events": (
                {"event": "raise", "when": "number > 18", "pays": "1 to 1", "staked": 3},
                {"event": "fold", "when": "true", "pays": "lose"},
            ),
        }
    )
    priced = pricer.price(bound(staked, WHEEL), WHEEL)
    assert priced.mean == Fraction(18 * 3 - 19, 37)
    assert priced.average_wager == Fraction(18 * 3 + 19, 37)
    assert priced.element_of_risk == Fraction(19 - 54, 54 + 19)


def staked(*events: tuple[str, Any, Any]) -> Wager:
    rows = tuple(
        {"event": f"line {n}", "when": when, "pays": pays, "staked": units}
        for n, (when, pays, units) in enumerate(events)
    )
    return Wager.model_validate({"name": "bet", "title": "Bet", "events": rows})


def test_a_bet_that_few_deals_offer_is_known_by_its_loss_per_unit_staked() -> None:
    """Offered on 0 to 3 alone, 2 to 1 on 0: 4 units are staked on 37 numbers, and 1 is lost."""
    insurance = staked(("number = 0", "2 to 1", 1), ("number < 4", "lose", 1), ("true", "push", 0))
    priced = pricer.price(bound(insurance, WHEEL), WHEEL)
    assert priced.house_edge == Fraction(1, 37)
    assert priced.element_of_risk == Fraction(1, 4)
    assert priced.headline == "element_of_risk"
    assert priced.headline_reason == "nothing is staked in some deals"


@pytest.mark.parametrize(
    ("bet", "headline", "reason"),
    [
        (staked(("number = 0", "35 to 1", 1), ("true", "lose", 1)), "house_edge", ""),
        # Raised to 3 units on half of the numbers: a base unit is always at risk.
        (staked(("number > 18", "1 to 1", 3), ("true", "lose", 1)), "house_edge", ""),
        (
            staked(("number = 0", -2, 1), ("true", "1 to 1", 1)),
            "element_of_risk",
            "some deals lose more than is staked",
        ),
        (staked(("number = 0", 5, 0), ("true", 0, 0)), "paid_per_round", "nothing is staked"),
        # No ball falls on 40: what that line stakes does not matter.
        (staked(("number // 37 = 1", 5, 0), ("true", "lose", 1)), "house_edge", ""),
    ],
)
def test_the_quantity_that_a_bet_is_known_by(bet: Wager, headline: str, reason: str) -> None:
    priced = pricer.price(bound(bet, WHEEL), WHEEL)
    assert (priced.headline, priced.headline_reason) == (headline, reason)


def test_stake_by_expression_splits_an_event_into_lines() -> None:
    bet = Wager.model_validate(
        {
            "name": "bet",
            "title": "Bet",
            "events": (
                {
                    "event": "any",
                    "when": "true",
                    "pays": "lose",
                    "staked": "case when number < 10 then 2 else 1 end",
                },
            ),
        }
    )
    lines = pricer.price(bound(bet, WHEEL), WHEEL).lines
    assert [(int(line.staked), line.combinations) for line in lines] == [(1, 27), (2, 10)]


@given(st.integers(1, 100), st.integers(1, 100), st.integers(1, 9))
def test_pricing_is_linear(first: int, second: int, units: int) -> None:
    a = bound(wager(("number < 12", f"{first} to 1"), ("true", "lose")), WHEEL)
    b = bound(wager(("number % 2 = 0", f"{second} to 1"), ("true", "lose")), WHEEL)
    pricer = Pricer(WHEEL)
    value = pricer.value([(a, Fraction(1)), (b, Fraction(units))])
    mean = Fraction(int(value.net.sum()), value.net_unit * 37)
    assert mean == pricer.price(a).mean + units * pricer.price(b).mean
    both = pricer.covariance(a, b)
    assert both == pricer.covariance(b, a)
    assert pricer.covariance(a, a) == pricer.price(a).variance


@pytest.mark.parametrize(
    ("bet", "message"),
    [
        (wager(("number = 17", "35 to 1")), "covered by no event, for example number = 0"),
        (
            wager(("number < 20", "1 to 1"), ("number < 10", "2 to 1"), ("true", "lose")),
            "earlier events leave nothing for it",
        ),
        (wager(("number = 40", "1 to 1"), ("true", "lose")), "number"),
        (wager(("number // 37 = 1", "1 to 1"), ("true", "lose")), "can never happen"),
        (wager(("number > 36", "1 to 1"), ("true", "lose")), "number is never > 36"),
        (wager(("number < 3", "2 to 1"), ("number < 9", "2 for 1"), ("true", "lose")), "mixes"),
        (wager(("numbr < 3", "2 to 1"), ("true", "lose")), "did you mean 'number'"),
        (wager(("number < 3", "2 too 1"), ("true", "lose")), "not a pay-off"),
    ],
)
def test_a_wrong_wager_is_explained(bet: Wager, message: str) -> None:
    with pytest.raises(DealproofError) as refused:
        settlement.check(bound(bet, WHEEL), WHEEL, strict=True)
    assert message in str(refused.value)
    assert "wagers[bet]" in str(refused.value)


def test_an_event_without_rows_is_a_zero_line_under_other_rules() -> None:
    bet = wager(("number // 37 = 1", "1 to 1"), ("true", "lose"))
    settlement.check(bound(bet, WHEEL), WHEEL, strict=False)
    assert [line.combinations for line in pricer.price(bound(bet, WHEEL), WHEEL).lines] == [0, 37]


@pytest.mark.parametrize(
    ("when", "rules", "message"),
    [
        ("number < 3 and number > 30", {}, "it can never happen"),
        ("number // 37 = 1", {}, "it can never happen"),
        ("number = 13", {}, None),
        ("number < 3 and zeros = 2", {"zeros": 1}, None),
        ("number // (number - 36) = 30", {}, "division by zero"),
    ],
)
def test_an_event_of_a_users_file_has_to_be_possible_whatever_the_rules(
    when: str, rules: dict[str, int | str], message: str | None
) -> None:
    """A wheel without 13 leaves an event on 13 without a deal; other rules may bring it back."""
    wheel = WHEEL.where(WHEEL.codes["number"] != 13)
    bet = wager((when, "1 to 1"), ("true", "lose"))
    if message is None:
        settlement.check(bound(bet, wheel, rules), wheel, strict=False, theirs=True)
        return
    with pytest.raises(DealproofError, match=message):
        settlement.check(bound(bet, wheel, rules), wheel, strict=False, theirs=True)
