"""Numbers as people write them, read exactly and within bounds."""

from __future__ import annotations

import re
from fractions import Fraction

from engine.exact.errors import DealproofError

#: Digits that a written number may have, its exponent counted as the digits it stands for.
DIGITS = 30
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?(/\d+)?", re.ASCII | re.IGNORECASE)


def written(text: str) -> Fraction:
    """Read ``"3"``, ``"0.05"``, ``"1/2"`` or ``"1e-3"``; raises DealproofError."""
    plain = text.strip()
    if len(plain) <= 2 * DIGITS and _NUMBER.fullmatch(plain):
        number, _, under = plain.partition("/")
        digits, _, exponent = number.lower().partition("e")
        length = len(digits) + abs(int(exponent or 0))
        if max(length, len(under)) <= DIGITS and (not under or int(under)):
            return Fraction(number) / int(under or 1)
    shown = plain if len(plain) <= DIGITS else f"{plain[:DIGITS]}…"
    raise DealproofError(
        f"'{shown}' is not a number of at most {DIGITS} digits, such as 0.5 or 1/2"
    )
