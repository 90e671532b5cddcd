"""Written numbers: exact within bounds, and one line for everything else."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.exact.errors import DealproofError
from engine.exact.fractions import written
from engine.exact.rendering import plain


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", Fraction(3)),
        ("-0.05", Fraction(-1, 20)),
        (" .5 ", Fraction(1, 2)),
        ("1/3", Fraction(1, 3)),
        ("2.5e-3", Fraction(1, 400)),
    ],
)
def test_numbers_are_exact(text: str, value: Fraction) -> None:
    assert written(text) == value


@pytest.mark.parametrize(
    "text", ["", "x", "1/0", "1e400000000", "9" * 400, "٣", "²", "1.2.3", "1e", "nan", "1/2/3"]
)
def test_everything_else_is_refused_at_once(text: str) -> None:
    with pytest.raises(DealproofError, match="is not a number"):
        written(text)


@pytest.mark.parametrize(
    ("text", "message"), [("0.5", "0.5"), ("-0.05", "-0.05"), ("12.500", "12.5"), ("3", "3")]
)
def test_decimals_are_written_as_an_expression_may_hold_them(text: str, message: str) -> None:
    assert plain(written(text)) == message
