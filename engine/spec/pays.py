"""Pay-offs as rack cards print them, read exactly."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from engine.exact.errors import DealproofError, meant
from engine.exact.fractions import written
from engine.exact.rendering import exact

FORMATS = '"A to B", "A:B", "A for B" (stake included), "push", "lose", or a net number'
_RATIO = re.compile(r"^\s*(.+?)\s*(\bto\b|\bfor\b|:)\s*(.+?)\s*$")
_NUMBER = re.compile(r"(\d+|\d{1,3}(,\d{3})+|(?=\.))(\.\d+)?(/\d+)?", re.ASCII)
#: Three digits behind a point, fewer or more behind a comma: thousands here, decimals there.
_POINT = re.compile(r"([1-9]\d{0,2})\.(\d{3})", re.ASCII)
_COMMA = re.compile(r"(0+(?=,\d+$)|\d+(?=,(?:\d{1,2}|\d{4,})$)),(\d+)", re.ASCII)
_SIGN = re.compile(r"([-+])")


@dataclass(frozen=True)
class Pay:
    """A pay-off: `text` as written, `net` per staked unit, or in base units where `absolute`.

    `style` is ``to``, ``for``, ``word`` or ``number``: one wager never mixes ``to`` and ``for``.
    """

    text: str
    net: Fraction
    style: str

    @property
    def absolute(self) -> bool:
        """Whether the net is in base units already and does not scale with the stake."""
        return self.style == "number"

    def of(self, staked: Fraction) -> Fraction:
        """Net in base units when `staked` units are at risk."""
        return self.net if self.absolute else self.net * staked


def _unambiguous(word: str) -> None:
    """Ask where a comma or a point may part thousands or decimals: ``1.000``, ``1,5``."""
    point, comma = _POINT.fullmatch(word), _COMMA.fullmatch(word)
    if comma and comma[1].startswith("0"):
        raise DealproofError(f"'{word}' has a decimal comma; write {word.replace(',', '.')}")
    if point and int(point[2]):
        fraction = Fraction(word)
        other = f"{fraction.numerator}/{fraction.denominator}"
    elif point:
        other = point[1]
    elif comma:
        other = f"{comma[1]}.{comma[2]}"
    else:
        return
    whole = word.replace(".", "").replace(",", "")
    raise DealproofError(f"'{word}' can be read in two ways; write {other} or {whole}")


def _factor(word: str, rules: Mapping[str, Any]) -> Fraction:
    _unambiguous(word)
    if _NUMBER.fullmatch(word):
        return written(word.replace(",", ""))
    if word.isidentifier():
        if type(rules.get(word)) is int:
            return Fraction(rules[word])
        numbers = [name for name, value in rules.items() if type(value) is int]
        close = meant(word, numbers)
        if close:
            raise DealproofError(f"'{word}' is not a number; did you mean '{close}'?")
        hint = f"; a rule's number by name: {', '.join(numbers)}" if numbers else ""
        raise DealproofError(f"'{word}' is not a number; allowed: {FORMATS}{hint}")
    raise DealproofError(f"'{word}' is not an amount; allowed: {FORMATS}")


def _amount(text: str, rules: Mapping[str, Any]) -> Fraction:
    """Add up products of numbers and rules: ``2500 - dollar_kept * seats``."""
    total, sign = Fraction(), 1
    for part in _SIGN.split(text):
        if _SIGN.fullmatch(part):
            sign = 1 if part == "+" else -1
            continue
        if not part.strip():
            raise DealproofError(f"'{text}' is not an amount; allowed: {FORMATS}")
        factors = [_factor(word.strip(), rules) for word in part.split("*")]
        total += sign * prod(factors, start=Fraction(1))
    if total < 0:
        raise DealproofError(f"'{text}' is {total}: an amount is not negative")
    return total


def names(pays: Any) -> set[str]:
    """Names of rules that a pay-off uses."""
    words = re.findall(r"[^\W\d]\w*", pays) if isinstance(pays, str) else ()
    return set(words) - {"to", "for", "push", "lose"}


def parse(pays: Any, rules: Mapping[str, Any]) -> Pay:
    """Read one pay-off: a TOML string, integer or exact decimal (`Fraction`).

    Names of rules stand for their numbers (``"2500 to seats"``), and amounts may be sums and
    products of both (``"2500 - seats to seats"``). Raises DealproofError.
    """
    if isinstance(pays, (int, Fraction)) and not isinstance(pays, bool):
        return Pay(exact(pays), Fraction(pays), "number")
    if not isinstance(pays, str):
        raise DealproofError(f"{pays!r} is not a pay-off; allowed: {FORMATS}")
    text = pays.strip().lower()
    if text in ("push", "lose"):
        return Pay(text, Fraction(0 if text == "push" else -1), "word")
    match = _RATIO.match(text)
    if not match:
        close = meant(text, ("push", "lose"))
        guess = f"did you mean '{close}'? " if close else ""
        raise DealproofError(f"'{pays}' is not a pay-off; {guess}allowed: {FORMATS}")
    won, style, staked = _amount(match[1], rules), match[2], _amount(match[3], rules)
    if staked == 0:
        raise DealproofError(f"'{pays}' is paid on a stake of 0; allowed: {FORMATS}")
    ratio = won / staked
    if style == "for":
        return Pay(pays.strip(), ratio - 1, "for")
    if won == 0:
        raise DealproofError(f"'{pays}' wins nothing; write \"push\" if the stake comes back")
    return Pay(pays.strip(), ratio, "to")
