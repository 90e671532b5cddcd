"""Numbers as a laboratory prints them: exact integers with separators, decimals of exact fractions.

Rationals come as the certificate's `Exact`; what is printed is rounded by
`engine.exact.rendering`, from the fraction, never from a float.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable
from fractions import Fraction

from markupsafe import Markup, escape

from engine.exact import rendering
from engine.exact.rendering import typeset
from engine.exact.roots import Real
from tasks.certificate.model import Exact, Figure

Rational = Exact | Fraction | None

NONE = "–"
_DIGITS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
#: Probabilities below this are printed with a power of ten.
SMALL = Fraction(1, 10**6)


def fraction(value: Rational) -> Fraction:
    """Read the certificate's rational; an absent one is 0."""
    number = real(value)
    if not isinstance(number, Fraction):
        raise TypeError(f"{number} is not rational")
    return number


def real(value: Rational) -> Real:
    """The same of a number that may be a square root."""
    if value is None:
        return Fraction()
    return value.value if isinstance(value, Exact) else value


def integer(value: int | str) -> str:
    """1403360904 → 1,403,360,904, exactly."""
    return typeset(rendering.count(int(value)))


def places(value: Rational, digits: int = 6) -> str:
    """Decimals of a rational, thousands parted; a dash where there is none."""
    if value is None:
        return NONE
    return typeset(rendering.decimal(real(value), digits, grouped=True))


def chance(value: Rational, digits: int = 9) -> str:
    """A probability: decimals, or a power of ten where decimals would show too little."""
    number = fraction(value)
    if value is None or number == 0 or abs(number) >= SMALL:
        return places(value, digits)
    text, power = rendering.scientific(number)
    return f"{typeset(text)} × 10{str(power).translate(_DIGITS)}"


def percent(value: Rational, digits: int = 4) -> str:
    """A rational in per cent."""
    if value is None:
        return NONE
    return typeset(rendering.percent(fraction(value), digits, grouped=True))


def change(value: Rational, digits: int = 4) -> str:
    """A difference in percentage points, with its sign."""
    return typeset(rendering.signed(100 * fraction(value), digits))


def exact(value: Rational) -> str:
    """The rational itself as a fraction, both integers with separators."""
    return NONE if value is None else typeset(rendering.fraction(real(value), grouped=True))


def broken(value: Rational) -> Markup:
    """The rational with places where a long one may be broken over lines."""
    return Markup(re.sub(r"([/,])", r"\1<wbr>", str(escape(exact(value)))))


def words(text: object) -> str:
    """A pay or a figure in print: its integers separated, a leading minus made a true one."""
    spelled = re.sub(
        r"(?<![\d.,])\d{4,}(?![\d.])", lambda digits: rendering.count(int(digits[0])), str(text)
    )
    return typeset(spelled)


def amount(value: str) -> str:
    """A net or a stake in all its digits, integers separated."""
    return typeset(rendering.exact(Fraction(value), grouped=True))


def floating(value: float, digits: int = 4) -> str:
    """A number that is not rational: a square root, a test statistic."""
    return typeset(rendering.floating(value, digits, grouped=True))


def general(value: float, digits: int = 4) -> str:
    """The same to some significant digits: a p-value."""
    return rendering.general(value, digits)


def spaced(name: str) -> str:
    """A column's name as words."""
    return name.replace("_", " ")


def day(issued: datetime.datetime) -> str:
    """A time in words."""
    moment = issued.astimezone(datetime.UTC)
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"


def ours(figure: Figure) -> str:
    """Our value of a published figure, three digits further than the source prints."""
    value, printed = figure.ours, figure.printed
    if value is None:
        return NONE
    decimals = re.search(r"\.(\d+)", printed)
    digits = len(decimals[1]) + 3 if decimals else 3
    if printed.endswith("%"):
        return percent(value, digits)
    if decimals is None and fraction(value).denominator == 1:
        return exact(value)
    return places(value, digits)


def stamp(verdict: str) -> str:
    """A verdict with a capital; one that refuses certification begins with its reason."""
    reason = verdict.removeprefix("not certified: ")
    return reason[0].upper() + reason[1:]


def slug(text: str) -> str:
    """An anchor from words."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "x"


def anchors(names: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """One anchor for each name, all different, in order."""
    used, anchors_chosen = set(taken), []
    for name in names:
        base = candidate = slug(name)
        number = 2
        while candidate in used:
            candidate, number = f"{base}-{number}", number + 1
        used.add(candidate)
        anchors_chosen.append(candidate)
    return anchors_chosen


def margin(text: str) -> str:
    """Text for a page margin, safe inside a CSS string."""
    return re.sub(r"[^\w .,()–-]", "", text)


FILTERS: dict[str, Callable[..., str]] = {
    "integer": integer,
    "places": places,
    "chance": chance,
    "percent": percent,
    "change": change,
    "exact": exact,
    "broken": broken,
    "words": words,
    "amount": amount,
    "floating": floating,
    "general": general,
    "spaced": spaced,
    "day": day,
    "ours": ours,
    "margin": margin,
    "stamp": stamp,
    "share": rendering.share,
}
