"""Pay-offs as printed."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.exact.errors import DealproofError
from engine.spec.pays import parse

RULES = {"seats": 4, "name": "word"}


@pytest.mark.parametrize(
    ("pays", "net"),
    [
        ("40 to 1", Fraction(40)),
        ("3:2", Fraction(3, 2)),
        ("1.5 to 1", Fraction(3, 2)),
        ("0.95 to 1", Fraction(19, 20)),
        ("41 for 1", Fraction(40)),
        ("2,500 to 1", Fraction(2500)),
        ("9/8 to 1", Fraction(9, 8)),
        ("0.125 to 1", Fraction(1, 8)),
        ("10.25 to 1", Fraction(41, 4)),
        ("2500 to seats", Fraction(625)),
        ("push", Fraction(0)),
        ("Lose", Fraction(-1)),
        (-1, Fraction(-1)),
        (Fraction("0.5"), Fraction(1, 2)),
    ],
)
def test_net_per_unit(pays: object, net: Fraction) -> None:
    assert parse(pays, RULES).net == net


@pytest.mark.parametrize(
    ("pays", "text"),
    [
        (Fraction("1234.5678"), "1234.5678"),
        (Fraction("1234567.5"), "1234567.5"),
        (-1, "-1"),
        (Fraction(1, 3), "1/3"),
    ],
)
def test_bare_numbers_are_told_in_every_digit(pays: Fraction | int, text: str) -> None:
    assert parse(pays, RULES).text == text


def test_ratios_scale_with_the_stake_and_numbers_do_not() -> None:
    assert parse("2 to 1", {}).of(Fraction(3)) == 6
    assert parse("lose", {}).of(Fraction(3)) == -3
    assert parse(-1, {}).of(Fraction(3)) == -1


@pytest.mark.parametrize(
    ("pays", "message"),
    [
        ("40-1", "A to B"),
        ("forty to 1", "forty"),
        ("three to one", "'three' is not a number; allowed: \"A to B\""),
        ("three to one", "a rule's number by name: seats"),
        ("loose", "did you mean 'lose'?"),
        ("LOST", "did you mean 'lose'?"),
        ("pushes", "did you mean 'push'?"),
        ("1 to 0", "stake of 0"),
        ("0 to 1", "wins nothing"),
        ("1 to seat", "did you mean 'seats'"),
        ("5 to name", "name"),
        (True, "not a pay-off"),
        ("", "not a pay-off"),
        ("-1 to 1", "-1"),
        ("1.000 to 1", "'1.000' can be read in two ways; write 1 or 1000"),
        ("1.125 to 1", "write 9/8 or 1125"),
        ("25.000 - seats to 1", "write 25 or 25000"),
        ("1,5 to 1", "'1,5' can be read in two ways; write 1.5 or 15"),
        ("0,950 to 1", "'0,950' has a decimal comma; write 0.950"),
        ("0,5 to 1", "'0,5' has a decimal comma; write 0.5"),
        ("1 to 0,95", "'0,95' has a decimal comma; write 0.95"),
    ],
)
def test_mistakes_are_named(pays: object, message: str) -> None:
    with pytest.raises(DealproofError) as refused:
        parse(pays, RULES)
    assert message in str(refused.value)
