"""Tests of simulated rounds: a bet with two outcomes is tested once."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.pricing import Line, Priced
from tasks.statistics import compare


def bet(counts: tuple[int, ...], nets: tuple[int, ...]) -> Priced:
    lines = tuple(
        Line(f"event {net}", "", Fraction(net), Fraction(1), count, sum(counts))
        for count, net in zip(counts, nets, strict=True)
    )
    return Priced("bet", sum(counts), lines)


def test_with_two_outcomes_z_is_chi_square_again() -> None:
    """z² = (o − np)² / npq = (o − np)² / np + (o − np)² / nq, the chi-square of both cells."""
    found = compare(bet((1, 3), (3, -1)), bet((2600, 7400), (3, -1)), "bet", None)
    (chi, z) = found
    assert [chi.kind, z.kind] == ["chi-square", "z"]
    # By hand: (2600 − 2500)² / (10000 · ¼ · ¾) = 16/3
    assert chi.value == pytest.approx(16 / 3)
    assert z.value**2 == pytest.approx(16 / 3)
    assert z.p == pytest.approx(chi.p)
    assert [test.again for test in found] == [False, True]


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
