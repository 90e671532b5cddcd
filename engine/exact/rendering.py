"""Numbers as text: the only place where an exact number is rounded, half to even.

Exact numbers are integers and Fractions; they are rounded from the fraction itself, never from a
float. Where thousands are ``grouped`` they are parted by commas. Minus signs are ASCII;
`typeset` makes them true ones. `floating` and `general` are for numbers that are floats by nature:
test statistics, p-values, square roots, seconds, megabytes, coordinates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from engine.exact.roots import Root

Number = Fraction | int

MINUS = "−"
#: Decimals beside an exact rational in JSON and certificates.
DECIMALS = 12
#: The greatest integer up to which every reader of JSON holds all integers exactly.
SAFE_INTEGER = 2**53 - 1


def decimal(value: Number | Root, places: int = 6, grouped: bool = False) -> str:
    """Write a number to so many decimals; what rounds to 0 has no sign."""
    scaled = round(_rounded(value, places) * 10**places)
    whole, rest = divmod(abs(scaled), 10**places)
    text = f"{whole:,}" if grouped else str(whole)
    if places:
        text = f"{text}.{rest:0{places}d}"
    return f"-{text}" if scaled < 0 else text


def _rounded(value: Number | Root, places: int) -> Fraction:
    return value.rounded(places) if isinstance(value, Root) else Fraction(value)


def percent(value: Number | Root, places: int = 4, grouped: bool = False) -> str:
    """Write a number in per cent: ``Fraction(1, 32)`` to two places is ``3.12%``."""
    return f"{decimal(100 * _rounded(value, places + 2), places, grouped)}%"


def signed(value: Number, places: int = 6) -> str:
    """Write a number to so many decimals with its sign, ``+`` for 0 too."""
    text = decimal(value, places)
    return text if text.startswith("-") else f"+{text}"


def count(value: int) -> str:
    """Write an integer with its thousands parted."""
    return f"{value:,}"


def exact(value: Number, grouped: bool = False) -> str:
    """Write a number in all its digits, or as a fraction where the digits would not end.

    ``Fraction("1234567.5")`` is ``1234567.5``, ``Fraction(1, 3)`` is ``1/3``.
    """
    number = Fraction(value)
    rest, twos, fives = number.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return fraction(number, grouped) if rest > 1 else decimal(number, max(twos, fives), grouped)


def plain(value: object) -> str:
    """Write a value as an expression may hold it: numbers exactly, all else as it is."""
    return exact(value) if isinstance(value, Fraction) else str(value)


def fraction(value: Number | Root, grouped: bool = False) -> str:
    """Write a number as a fraction in lowest terms, or as an integer: ``61/2000``, ``3``.

    A square root is written ``sqrt(3/4)``.
    """
    if isinstance(value, Root):
        return f"{'-' if value.sign < 0 else ''}sqrt({fraction(value.square, grouped)})"
    number = Fraction(value)
    top, under = (f"{n:,}" if grouped else str(n) for n in (number.numerator, number.denominator))
    return top if number.denominator == 1 else f"{top}/{under}"


def scientific(value: Number, places: int = 6) -> tuple[str, int]:
    """Write a number other than 0 as digits and the power of ten that they are multiplied by.

    The digits stand for 1 or more and less than 10 in absolute value, after rounding too.
    """
    number = Fraction(value)
    power = len(str(abs(number.numerator))) - len(str(number.denominator))
    for exponent in (power - 1, power, power + 1):
        text = decimal(number / Fraction(10) ** exponent, places)
        if len(text.lstrip("-").partition(".")[0]) == 1:
            break
    return text, exponent


def significant(value: Number, digits: int = 3) -> str:
    """Write a number to so many significant digits, without an exponent or closing zeros."""
    if value == 0:
        return "0"
    _, power = scientific(value, digits - 1)
    places = digits - 1 - power
    if places <= 0:
        unit = 10**-places
        return str(round(Fraction(value, unit)) * unit)
    return decimal(value, places).rstrip("0").rstrip(".")


def share(part: int, whole: int, digits: int = 3) -> str:
    """Write a part of a whole in per cent, to some significant digits.

    More digits are taken where less than all would be told as 100%.
    """
    text = significant(Fraction(100 * part, whole), digits)
    while text == "100" and part != whole:
        digits += 1
        text = significant(Fraction(100 * part, whole), digits)
    return f"{text}%"


def rational(value: Number | Root | None, places: int = DECIMALS) -> dict[str, str] | None:
    """A number as JSON gives it: its exact text and some decimals. None stays None."""
    if value is None:
        return None
    return {"exact": fraction(value), "decimal": decimal(value, places)}


def document(value: Any) -> Any:
    """A value as JSON holds it exactly.

    Fractions become `rational` pairs and integers beyond `SAFE_INTEGER` text, mappings become
    dicts and other iterables lists, at any depth.
    """
    if value is None or isinstance(value, (str, bool, float)):
        return value
    if isinstance(value, int):
        return value if abs(value) <= SAFE_INTEGER else str(value)
    if isinstance(value, Fraction | Root):
        return rational(value)
    if isinstance(value, Mapping):
        return {key: document(item) for key, item in value.items()}
    if isinstance(value, Iterable):
        return [document(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no JSON form")


def floating(value: float, places: int = 4, grouped: bool = False, sign: bool = False) -> str:
    """Write a number that is a float by nature to so many decimals; with `sign` also a plus."""
    return f"{value:{'+' if sign else ''}{',' if grouped else ''}.{places}f}"


def general(value: float, digits: int = 3) -> str:
    """Write a number that is a float by nature to so many significant digits."""
    return f"{value:.{digits}g}"


def typeset(text: str) -> str:
    """The same with a true minus sign in front."""
    return f"{MINUS}{text[1:]}" if text.startswith("-") else text
