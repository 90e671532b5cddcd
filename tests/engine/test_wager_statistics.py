"""Statistics against textbook distributions, and square roots against decimals."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.exact.rendering import decimal, fraction, rational
from engine.exact.roots import Root, read, root
from engine.exact.tables import Table, integer
from engine.pricing.pricer import Priced, price
from engine.pricing.statistics import BY_NAME, STATISTICS, shown, statistics
from engine.spec.model import Event, Wager
from tests.bound import bound

WHEEL = Table.of(
    (integer("number", "where the ball falls", 0, 36),),
    {"number": np.arange(37)},
    np.ones(37, dtype=np.int64),
)


def on(numbers: int, pays: str) -> Priced:
    """A bet on so many numbers of a wheel with a single zero."""
    events = (
        Event(event="win", when=f"number < {numbers}", pays=pays),
        Event(event="lose", when="true", pays="lose"),
    )
    bet = Wager(name="bet", title="Bet", events=events)
    return price(bound(bet, WHEEL), WHEEL)


def test_a_straight_up_bet_by_the_textbook() -> None:
    # Two-point distribution: p = 1/37 at +35, else −1. Variance 36²·p·q, skewness (q − p)/√(p·q).
    result = statistics(on(1, "35 to 1"))
    p, q = Fraction(1, 37), Fraction(36, 37)
    assert result["house_edge"] == p
    assert result["variance"] == 36**2 * p * q
    assert result["standard_deviation"] == Fraction(36 * 6, 37)  # √(p·q) = 6/37
    assert result["skewness"] == (q - p) / Fraction(6, 37)
    assert result["volatility_index"] == Fraction("1.65") * Fraction(216, 37)


def test_an_even_chance_leans_to_the_losing_side() -> None:
    # 18 of 37 at +1: p·q = 342/1369 is no square; (q − p)/√(p·q) = 1/√342.
    result = statistics(on(18, "1 to 1"))
    assert result["skewness"] == Root(Fraction(1, 342))
    assert result["standard_deviation"] == Root(Fraction(4 * 342, 1369))
    mirrored = statistics(on(19, "1 to 1"))
    assert mirrored["skewness"] == Root(Fraction(1, 342), -1)


def test_a_sure_result_has_no_skewness() -> None:
    assert statistics(on(37, "1 to 1"))["skewness"] is None


def test_what_leads_is_shown_first_and_by_its_name() -> None:
    result = statistics(on(1, "35 to 1"))
    labels = [one.label for one in shown(result, "house_edge")]
    assert labels[0] == "House edge"
    assert "Volatility index" in labels
    per_unit = [one.label for one in shown(result, "element_of_risk")]
    assert per_unit[:2] == ["Edge per unit staked", "Loss per base unit"]
    assert "Return to player" not in per_unit


def test_every_statistic_has_a_name_of_its_own() -> None:
    assert len(BY_NAME) == len(STATISTICS)
    assert all(one.meaning and one.label for one in STATISTICS)


@given(st.fractions(min_value=0, max_value=10**12), st.integers(0, 30))
def test_roots_round_as_decimals_do(square: Fraction, places: int) -> None:
    value = root(square)
    with localcontext() as context:
        context.prec = 120
        plain = (Decimal(square.numerator) / Decimal(square.denominator)).sqrt()
    assert abs(Fraction(plain) - Fraction(decimal(value, places))) <= Fraction(1, 2 * 10**places)
    assert read(fraction(value)) == value


@pytest.mark.parametrize(
    ("square", "sign", "exact", "decimals"),
    [
        ("2", 1, "sqrt(2)", "1.414213562373"),
        ("2", -1, "-sqrt(2)", "-1.414213562373"),
        ("9/4", 1, "3/2", "1.500000000000"),
        ("3/4", 1, "sqrt(3/4)", "0.866025403784"),
    ],
)
def test_roots_as_text(square: str, sign: int, exact: str, decimals: str) -> None:
    assert rational(root(Fraction(square), sign)) == {"exact": exact, "decimal": decimals}
