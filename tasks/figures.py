"""Rationals as a certificate writes them."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

#: Decimals printed beside exact rationals.
DECIMALS = 12


def decimal(value: Fraction, places: int = DECIMALS) -> str:
    """Round a rational half-even to so many decimals, as text."""
    with localcontext() as context:
        context.prec = 60
        exact = Decimal(value.numerator) / Decimal(value.denominator)
        return f"{exact:.{places}f}"


def rational(value: Fraction | None) -> dict[str, str] | None:
    """Exact text and decimals of a rational; None stays None."""
    if value is None:
        return None
    return {"exact": str(value), "decimal": decimal(value)}
