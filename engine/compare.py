"""Published figures against ours: every printed digit, or the source's standard error."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Literal

from engine import predicates
from engine.analysis import Analysis, Result
from engine.errors import DealproofError
from engine.predicates import Expression
from engine.program import BoundFigure
from engine.rendering import decimal
from engine.spec import Published

Verdict = Literal["match", "within error", "refuted", "not applicable", "not checkable"]
#: A simulated figure may lie this many of its standard errors from the exact one.
STANDARD_ERRORS = 3
#: Quantities that a wager has without a pay table too.
_OF_DEALS = ("deals", "combinations", "probability")


@dataclass(frozen=True)
class Printed:
    """A printed number: its value and half a unit of its last digit."""

    value: Fraction
    half_unit: Fraction

    @classmethod
    def read(cls, text: str) -> Printed:
        """Read ``"3.05%"``, ``"1,403,360,904"``, ``"-0.030496"``; raises DealproofError."""
        found = re.fullmatch(r"\s*([+-]?)([\d,]*)(?:\.(\d+))?\s*(%?)\s*", text)
        if not found or not (found[2] or found[3]):
            raise DealproofError(f"printed = '{text}': a number with its digits is meant")
        digits = (found[2] or "0").replace(",", "") + (found[3] or "")
        unit = Fraction(1, 10 ** len(found[3] or "")) / (100 if found[4] else 1)
        return cls((-1 if found[1] == "-" else 1) * int(digits) * unit, unit / 2)


@dataclass(frozen=True)
class Comparison:
    """One published figure and what became of it. `ours` is exact, or None where unpriced."""

    figure: Published
    ours: Fraction | None
    verdict: Verdict
    reason: str


def in_basis(count: int, deals: int, basis: int) -> int:
    """Convert a count out of `deals` to a basis of `basis` deals; inexact is an error."""
    converted = Fraction(count * basis, deals)
    if converted.denominator != 1:
        raise DealproofError(f"{count} of {deals} deals is no whole number out of {basis}")
    return int(converted)


def square_root(value: Fraction) -> Fraction:
    """Square root to 40 significant digits."""
    with localcontext() as context:
        context.prec = 40
        return Fraction((Decimal(value.numerator) / Decimal(value.denominator)).sqrt())


def quantity(analysis: Analysis, result: Result, printed: BoundFigure) -> Fraction | None:
    """Compute the quantity that a figure prints, exactly (a deviation to 40 digits)."""
    figure, priced = printed.spec, result.priced
    if not result.wager.priced and figure.quantity not in _OF_DEALS:
        return None
    if figure.when is not None or figure.event is not None:
        return _of_event(analysis, result, figure, printed.when)
    if figure.quantity == "deals":
        return Fraction(result.wager.basis[1])
    if figure.quantity in _OF_DEALS:
        raise DealproofError(f"quantity = '{figure.quantity}': it needs 'event' or 'when'")
    if figure.quantity == "house_edge":
        return result.house_edge
    if figure.quantity == "return":
        return priced.mean
    if figure.quantity == "standard_deviation":
        return square_root(priced.variance)
    value: Fraction | None = getattr(priced, figure.quantity)
    return value


def _of_event(
    analysis: Analysis, result: Result, figure: Published, when: Expression | None
) -> Fraction:
    if when is not None:
        table = analysis.outcome(result)
        held = predicates.mask(when, table, analysis.program.constants)
        counts = [(int(count), Fraction(0)) for count in table.combinations[held]]
    else:
        lines = [line for line in result.priced.lines if line.event == figure.event]
        counts = [(line.combinations, line.net) for line in lines]
    total = sum(count for count, _ in counts)
    deals = result.priced.deals
    if figure.quantity == "combinations":
        return Fraction(in_basis(total, deals, result.wager.basis[1]))
    if figure.quantity == "probability":
        return Fraction(total, deals)
    if figure.quantity == "return" and when is None:
        return sum((Fraction(count, deals) * net for count, net in counts), Fraction())
    raise DealproofError(f"quantity = '{figure.quantity}': not a quantity of an event")


def compare(
    analysis: Analysis, settings: Mapping[str, int | str], beside: Sequence[Analysis] = ()
) -> tuple[Comparison, ...]:
    """Compare every published figure of the spec with the analysis under `settings`.

    A figure that is printed for other rules is compared under those, if one of `beside`, the same
    spec under other settings, has them.
    """
    found = []
    for number, figure in enumerate(analysis.spec.published):
        held = [other for other in beside if _meant(figure, other.spec.settings)]
        if held and not _meant(figure, settings):
            found.append(_compare(held[0], held[0].program.figures[number], held[0].spec.settings))
        else:
            found.append(_compare(analysis, analysis.program.figures[number], settings))
    return tuple(found)


def _meant(figure: Published, settings: Mapping[str, int | str]) -> bool:
    """Whether a figure is printed for these rules."""
    return all(settings[rule] == value for rule, value in figure.rules.items())


def _compare(
    analysis: Analysis, bound: BoundFigure, settings: Mapping[str, int | str]
) -> Comparison:
    figure = bound.spec
    for rule, value in figure.rules.items():
        if settings[rule] != value:
            reason = f"printed for {rule} = {value}, this run has {settings[rule]}"
            return Comparison(figure, None, "not applicable", reason)
    try:
        result = analysis.price(figure.wager, figure.strategy)
    except DealproofError as error:
        return Comparison(figure, None, "not checkable", str(error))
    ours = quantity(analysis, result, bound)
    if ours is None:
        return Comparison(figure, None, "not checkable", "the quantity is not defined here")
    printed = Printed.read(figure.printed)
    off = abs(ours - printed.value)
    if off <= printed.half_unit:
        return Comparison(figure, ours, "match", figure.note)
    if figure.error is not None:
        deviation = Printed.read(figure.error).value
        if off <= STANDARD_ERRORS * deviation + printed.half_unit:
            reason = (
                f"standard error {figure.error}, off by {decimal(off / deviation, 1)} of them; "
                f"allowed {STANDARD_ERRORS} and half a unit of the last printed digit"
            )
            return Comparison(figure, ours, "within error", reason)
    changed = [f"{r} = {settings[r]}" for r, value in figure.others.items() if settings[r] != value]
    if changed:
        reason = f"printed for the rules as published, this run has {', '.join(changed)}"
        return Comparison(figure, ours, "not applicable", reason)
    return Comparison(figure, ours, "refuted", figure.note)
