"""Square roots of rationals, kept exactly: a deviation is one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

_WRITTEN = re.compile(r"(-?)sqrt\((.+)\)")


@dataclass(frozen=True)
class Root:
    """The number `sign` × √`square`, where the square is not the square of a rational."""

    square: Fraction
    sign: int = 1

    def __float__(self) -> float:
        return float(self.rounded(17))

    def rounded(self, places: int) -> Fraction:
        """To so many decimals; a root is never halfway between two."""
        scaled = self.square * 100**places
        low = isqrt(scaled.numerator // scaled.denominator)
        up = 4 * scaled > (2 * low + 1) ** 2
        return Fraction(self.sign * (low + up), 10**places)


#: What a statistic is: a rational, or the square root of one.
Real = Fraction | Root


def root(square: Fraction, sign: int = 1) -> Real:
    """Take `sign` × the square root of a number of 0 or more; a rational where it is one."""
    top, under = isqrt(square.numerator), isqrt(square.denominator)
    if top * top == square.numerator and under * under == square.denominator:
        return sign * Fraction(top, under)
    return Root(square, sign)


def read(text: str) -> Real:
    """Read what `rendering.fraction` writes: ``61/2000`` or ``sqrt(3/4)``."""
    written = _WRITTEN.fullmatch(text)
    if written is None:
        return Fraction(text)
    return root(Fraction(written[2]), -1 if written[1] else 1)
