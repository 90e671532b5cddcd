"""Tests of simulated rounds: a bet with two outcomes is tested once."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.pricing.pricer import Line, Priced
from tasks.certificate.goodness_of_fit import compare, interval


def bet(counts: tuple[int, ...], nets: tuple[int, ...]) -> Priced:
    lines = tuple(
        Line(f"event {net}", "", Fraction(net), Fraction(1), count, sum(counts))
        for count, net in zip(counts, nets, strict=True)
    )
    return Priced("bet", sum(counts), lines)


def test_with_two_outcomes_z_is_chi_square_again() -> None:
    """z² = (o − np)² / npq = (o − np)² / np + (o − np)² / nq, the chi-square of both cells."""
    result = compare(bet((1, 3), (3, -1)), bet((2600, 7400), (3, -1)), "bet", None)
    (chi, z) = result
    assert [chi.kind, z.kind] == ["chi-square", "z"]
    # By hand: (2600 − 2500)² / (10000 · ¼ · ¾) = 16/3
    assert chi.value == pytest.approx(16 / 3)
    assert z.value**2 == pytest.approx(16 / 3)
    assert z.p == pytest.approx(chi.p)
    assert [test.again for test in result] == [False, True]


@pytest.mark.parametrize(
    ("counts", "nets", "drawn"),
    [
        ((1, 1, 2), (3, 0, -1), (2500, 2500, 5000)),  # three outcomes
        ((1, 9, 10**7), (3, 2, -1), (1, 9, 10**7)),  # rare ones, pooled
    ],
)
def test_otherwise_every_test_is_its_own(
    counts: tuple[int, ...], nets: tuple[int, ...], drawn: tuple[int, ...]
) -> None:
    assert not any(t.again for t in compare(bet(counts, nets), bet(drawn, nets), "bet", None))


def test_an_interval_is_so_many_standard_errors_wide() -> None:
    """A fair coin, 10,000 rounds: σ = 1, so that one standard error is 1/100."""
    exact, drawn = bet((1, 1), (1, -1)), bet((5100, 4900), (1, -1))
    result = interval(exact, drawn, 0.05)
    assert result.by == "z"
    assert result.error == pytest.approx(0.01)
    assert result.standard_errors == pytest.approx(2.0)
    # 97.5% quantile of the normal distribution
    assert result.radius == pytest.approx(0.01959964)
    assert result.p == pytest.approx(0.0455003)
    assert not result.holds
    assert interval(exact, drawn, 0.04).holds


def test_a_rare_win_has_the_interval_of_bernstein() -> None:
    """By hand: p = 1/10⁵ pays 99,999 to 1 against a loss of 1, so μ = 0, σ² = 99,999, b = 99,999.

    With n = 10⁶ and L = ln(2 / 10⁻⁶) = 14.508658: bL/3 = 483,617.1 and 2nσ²L = 2.9017025 × 10¹²;
    t = (bL/3 + √((bL/3)² + 2nσ²L)) / n = (483,617.1 + √(3.1355880 × 10¹²)) / 10⁶ = 2.254376.
    """
    exact, drawn = bet((1, 99_999), (99_999, -1)), bet((30, 999_970), (99_999, -1))
    result = interval(exact, drawn, 1e-6)
    assert result.by == "bernstein"
    assert result.radius == pytest.approx(2.254376, rel=1e-5)
    # 30 wins where 10 are expected: 2 above the mean, within the interval.
    assert result.standard_errors == pytest.approx(2 / 0.3162262, rel=1e-5)
    assert result.holds
    assert result.p > 1e-6
    assert [test.kind for test in compare(exact, drawn, "bet", None)] == ["poisson", "bernstein"]
    far = interval(exact, bet((34, 999_966), (99_999, -1)), 1e-6)
    assert not far.holds
    assert far.p < 1e-6


def test_a_bet_that_never_varies_has_no_error() -> None:
    result = interval(bet((1,), (-1,)), bet((500,), (-1,)), 1e-6)
    assert (result.error, result.radius, result.p, result.holds) == (0.0, 0.0, 1.0, True)
