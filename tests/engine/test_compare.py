"""Printed figures: digits, signs, percentages, and verdicts."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.analysis import analyse
from engine.compare import Printed, compare, in_basis
from engine.errors import DealproofError
from engine.loading import load_spec


@pytest.mark.parametrize(
    ("text", "value", "half"),
    [
        ("3.05%", Fraction(305, 10_000), Fraction(1, 20_000)),
        ("1,403,360,904", Fraction(1_403_360_904), Fraction(1, 2)),
        ("-0.030496", Fraction(-30_496, 10**6), Fraction(1, 2 * 10**6)),
        (".5", Fraction(1, 2), Fraction(1, 20)),
    ],
)
def test_digits(text: str, value: Fraction, half: Fraction) -> None:
    assert Printed.read(text) == Printed(value, half)


@pytest.mark.parametrize("text", ["", "three", "3.0.5", "%", "1e5"])
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(DealproofError, match="printed"):
        Printed.read(text)


def test_an_inexact_change_of_basis_is_refused() -> None:
    assert in_basis(6, 12, 4) == 2
    with pytest.raises(DealproofError, match="no whole number"):
        in_basis(5, 12, 4)


def verdicts(printed: str, **changes: object) -> list[tuple[str, str]]:
    spec = load_spec("fu-bacc")
    figure = next(f for f in spec.published if f.wager == "tie")
    changed = figure.model_copy(update={"printed": printed, **changes})
    spec = spec.model_copy(update={"published": (changed,)})
    found = compare(analyse(spec), spec.settings)
    return [(c.verdict, c.reason) for c in found]


def test_every_verdict() -> None:
    assert verdicts("10.41%") == [("match", "")]
    assert verdicts("10.42%") == [("refuted", "")]
    assert verdicts("10.42%", note="misprint") == [("refuted", "misprint")]
    # Ours is 10.4101%: 0.0099% from 10.42%.
    told = (
        "standard error 0.01%, off by 1.0 of them; allowed 3 and half a unit of the last printed "
        "digit"
    )
    assert verdicts("10.42%", error="0.01%") == [("within error", told)]
    assert "off by 2.5 of them" in verdicts("10.42%", error="0.004%")[0][1]
    assert verdicts("10.46%", error="0.01%")[0][0] == "refuted"
    assert verdicts("10.41%", rules={"decks": 2})[0][0] == "not applicable"
    # The chart is the Ante bet's, but a Tie bet may be played by it too, and then costs more.
    assert verdicts("10.41%", strategy="chart")[0][0] == "refuted"
