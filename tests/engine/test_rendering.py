"""The one rounder: half to even, from the fraction, and nowhere else in the house."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.exact import rendering
from tasks.certificate.model import Exact
from tasks.report import figures

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (Fraction(1, 3), 6, "0.333333"),
        (Fraction(-5, 2), 0, "-2"),  # lies between -3 and -2: to the even one
        (Fraction(7, 2), 0, "4"),
        (Fraction(1, 8), 2, "0.12"),  # 0.125 lies between 0.12 and 0.13
        (Fraction(3, 8), 2, "0.38"),  # 0.375 lies between 0.37 and 0.38
        (Fraction(-1, 10**9), 6, "0.000000"),
        # A decimal of 60 digits would have lost the last one, and with it the direction.
        (Fraction(1, 2) + Fraction(1, 10**70), 0, "1"),
    ],
)
def test_halves_go_to_the_even_digit(value: Fraction, places: int, text: str) -> None:
    assert rendering.decimal(value, places) == text


@given(st.fractions(), st.integers(0, 12))
def test_it_rounds_as_decimal_arithmetic_does(value: Fraction, places: int) -> None:
    """Second method: digits cut off two places further, and half a unit there for any rest."""
    scaled = value * 10 ** (places + 2)
    digits = scaled.numerator // scaled.denominator
    rest = Decimal("0.5") if digits != scaled else Decimal(0)
    with localcontext() as context:
        context.prec = 200
        cut = (Decimal(digits) + rest).scaleb(-places - 2)
        rounded = cut.quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN)
    assert Decimal(rendering.decimal(value, places)) == rounded


def test_command_line_and_report_round_alike() -> None:
    """1/32 is 3.125%, as far from 3.12% as from 3.13%; 2 is even."""
    exact = Exact(exact="1/32", decimal="0.031250000000")
    assert rendering.percent(Fraction(1, 32), 2) == figures.percent(exact, 2) == "3.12%"
    assert rendering.percent(Fraction(-1, 32), 2) == "-3.12%"
    assert figures.percent(Fraction(-1, 32), 2) == "−3.12%"
    assert rendering.rational(Fraction(1, 2 * 10**12)) == {
        "exact": "1/2000000000000",
        "decimal": "0.000000000000",
    }


@pytest.mark.parametrize(
    ("value", "text", "grouped"),
    [
        (Fraction("1234.5678"), "1234.5678", "1,234.5678"),
        (Fraction("1234567.5"), "1234567.5", "1,234,567.5"),
        (Fraction("-0.95"), "-0.95", "-0.95"),
        (Fraction(1, 3), "1/3", "1/3"),
        (Fraction(-20000, 3), "-20000/3", "-20,000/3"),
        (Fraction(1, 2**40), "0.0000000000009094947017729282379150390625", ""),
        (100_000, "100000", "100,000"),
    ],
)
def test_exact_text_has_every_digit(value: Fraction | int, text: str, grouped: str) -> None:
    assert rendering.exact(value) == text
    assert Fraction(rendering.exact(value)) == value
    if grouped:
        assert rendering.exact(value, grouped=True) == grouped


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (Fraction(1, 8000000000), 3, "0.000000000125"),
        (Fraction("99.96"), 3, "100"),
        (Fraction("99.94"), 3, "99.9"),
        (Fraction(123450), 4, "123400"),  # half between 123,400 and 123,500: 4 is even
        (Fraction(20), 2, "20"),
        (0, 3, "0"),
    ],
)
def test_significant_digits(value: Fraction | int, digits: int, text: str) -> None:
    assert rendering.significant(value, digits) == text


def test_a_power_of_ten_stands_before_digits_from_1_to_10() -> None:
    assert rendering.scientific(Fraction(1, 8000000000)) == ("1.250000", -10)
    assert rendering.scientific(Fraction(99999999, 10**15)) == ("1.000000", -7)
    assert rendering.scientific(Fraction(-12345), 2) == ("-1.23", 4)


def test_less_than_all_is_never_told_as_100_per_cent() -> None:
    assert rendering.share(1, 5) == "20%"
    assert rendering.share(9_997, 10_000, 2) == "99.97%"
    assert rendering.share(7, 7, 2) == "100%"


def test_documents_hold_exact_numbers() -> None:
    """2^53 + 1 is the first integer that a double cannot hold; JSON readers would round it."""
    text = rendering.document(
        {"small": 2**53 - 1, "large": (2**53 + 1,), "edge": Fraction(1, 17), "yes": True}
    )
    assert text["small"] == 2**53 - 1
    assert text["large"] == ["9007199254740993"]
    assert text["edge"] == {"exact": "1/17", "decimal": "0.058823529412"}
    assert text["yes"] is True
    assert json.loads(json.dumps(text)) == text
    with pytest.raises(TypeError, match="object has no JSON form"):
        rendering.document([object()])


FORMATS = re.compile(r"[eEfFgGn%]$")


def rounding(source: str) -> Iterator[tuple[int, str]]:
    """Every place in a source text that rounds a number: line and what stands there."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FormattedValue(
                format_spec=ast.JoinedStr(values=[*_, ast.Constant(value=end)])
            ):
                if FORMATS.search(str(end)):
                    yield node.lineno, ast.unparse(node)
            case ast.Call(
                func=ast.Name(id="round" | "format")
                | ast.Attribute(attr=("round" | "rint" | "around" | "quantize" | "format"))
            ):
                yield node.lineno, ast.unparse(node)
            case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod()):
                if re.search(r"%[-+ #0-9.*]*[eEfFgG]", text):
                    yield node.lineno, ast.unparse(node)


@pytest.mark.parametrize(
    "source",
    [
        "f'{float(edge):.4f}'",
        "f'{100 * edge:.{places}g}%'",
        "f'{edge:.2%}'",
        "round(edge, 4)",
        "np.round(edges, 4)",
        "value.quantize(unit)",
        "format(float(edge), '.4f')",
        "'{:.3f}'.format(edge)",
        "'%.4f' % edge",
    ],
)
def test_rounding_is_seen(source: str) -> None:
    assert list(rounding(source))


#: The only rounder, and the second pricer's own, which shares no code with the first.
ROUNDERS = (ROOT / "engine" / "exact" / "rendering.py", ROOT / "tasks" / "reprice" / "paths.py")


def test_nothing_else_rounds() -> None:
    result = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for layer in ("engine", "tasks", "flows")
        for path in sorted((ROOT / layer).rglob("*.py"))
        if path not in ROUNDERS
        for line, text in rounding(path.read_text(encoding="utf-8"))
    ]
    assert result == []


def test_no_template_rounds() -> None:
    pages = sorted((ROOT / "tasks" / "report" / "templates").glob("*.j2"))
    assert len(pages) > 5
    result = [
        (page.name, match[0])
        for page in pages
        for match in re.finditer(r"\|\s*(round|format)\b", page.read_text(encoding="utf-8"))
    ]
    assert result == []
