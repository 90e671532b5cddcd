"""Numbers on the page, as a laboratory prints them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from engine.spec.loading import load_spec
from tasks.report import charts, figures

SPEC = load_spec("fu-bacc")
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (Fraction(1, 3), 6, "0.333333"),
        (Fraction(-5, 2), 0, "−2"),  # half to even
        (Fraction(1, 8), 2, "0.12"),
        (Fraction(12345678901234567890123, 1), 1, "12,345,678,901,234,567,890,123.0"),
        (Fraction(-1, 10**9), 6, "0.000000"),
    ],
)
def test_decimals_are_rounded_from_the_fraction(value: Fraction, digits: int, text: str) -> None:
    assert figures.places(value, digits) == text


def test_numbers_in_words() -> None:
    assert figures.exact(Fraction("-6984511/229033350")) == "−6,984,511/229,033,350"
    assert figures.chance(Fraction("1/8000000000")) == "1.250000 × 10⁻¹⁰"
    assert figures.chance(Fraction("0")) == "0.000000000"
    assert figures.words("1000 to 1") == "1,000 to 1"
    assert figures.words("-1") == "−1"
    assert figures.words("0.123456") == "0.123456"
    assert figures.change(Fraction("-1/1000")) == "−0.1000"
    assert figures.anchors(["a b", "a_b", "É"]) == ["a-b", "a-b-2", "x"]
    assert charts.letters(["a", "A", "and"]) == {"a": "A", "A": "A*", "and": "An"}
