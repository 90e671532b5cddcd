"""Every number of a certificate by its path, and what became of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

#: Text that is a number: integers beyond 2^53, fractions, square roots, decimals, percentages.
NUMBER = re.compile(r"-?(sqrt\()?[0-9][0-9,]*(\.[0-9]+)?(/[0-9]+)?\)?%?")
#: Digits of the decimals that stand beside fractions.
DECIMALS = 12


@dataclass(frozen=True)
class Difference:
    """A number of the certificate that is not what the second pricer finds."""

    path: str
    certificate: str
    second: str

    def __str__(self) -> str:
        return (
            f"{self.path}: the certificate says {self.certificate}, the second pricer {self.second}"
        )


@dataclass
class Confirmation:
    """What became of every number. `unconfirmed`: why, and how many; `unlisted`: a fault."""

    confirmed: Counter[str] = field(default_factory=Counter)
    unconfirmed: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)
    unlisted: list[str] = field(default_factory=list)

    @property
    def numbers(self) -> int:
        """How many numbers there are."""
        return (
            self.confirmed.total() + self.unconfirmed.total() + len(self.differences)
            + len(self.unlisted)
        )  # fmt: skip

    @property
    def agrees(self) -> bool:
        """Whether nothing differs and nothing was passed over."""
        return not self.differences and not self.unlisted


def numbers(document: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every number of a document that JSON holds, with its path such as ``wagers[0].deals``."""
    if isinstance(document, Mapping):
        for key, value in document.items():
            yield from numbers(value, f"{path}.{key}" if path else key)
    elif isinstance(document, (list, tuple)):
        for index, value in enumerate(document):
            yield from numbers(value, f"{path}[{index}]")
    elif (isinstance(document, (int, float)) and not isinstance(document, bool)) or (
        isinstance(document, str) and NUMBER.fullmatch(document)
    ):
        yield path, document


class Ledger:
    """Books what is found against the numbers of a certificate."""

    def __init__(self, certificate: Mapping[str, Any]) -> None:
        self.open: dict[str, Any] = dict(numbers(certificate))
        self.result = Confirmation()

    def integer(self, path: str, value: int | None) -> None:
        """Compare an integer, which is text beyond 2^53; None where there should be no number."""
        self._compare(path, None if value is None else int(value), _integer)

    def ratio(self, path: str, value: Fraction | None) -> None:
        """Compare ``{exact, decimal}``: the fraction, and its decimals rounded half-even."""
        exact = None if value is None else str(value)
        self._compare(f"{path}.exact", exact, str)
        self._compare(f"{path}.decimal", None if value is None else decimal(value), str)

    def root(self, path: str, square: Fraction | None, sign: int = 1) -> None:
        """Compare ``{exact, decimal}`` of ± the square root of a fraction."""
        if square is None:
            self._compare(f"{path}.exact", None, str)
            self._compare(f"{path}.decimal", None, str)
            return
        top, under = (_whole_root(n) for n in (square.numerator, square.denominator))
        if top is not None and under is not None:
            self.ratio(path, sign * Fraction(top, under))
            return
        minus = "-" if sign < 0 else ""
        self._compare(f"{path}.exact", f"{minus}sqrt({square})", str)
        self._compare(f"{path}.decimal", minus + _root_decimal(square), str)

    def text(self, path: str, value: str | None) -> None:
        """Compare a number that stands as plain text."""
        self._compare(path, value, str)

    def near(self, path: str, value: float | None, relative: float = 1e-9) -> None:
        """Compare a float."""
        given = self.open.pop(path, None)
        if given is None or value is None:
            if given is not value:
                self._differs(path, given, value)
            return
        if abs(float(given) - value) <= relative * max(1.0, abs(value)):
            self.result.confirmed[section(path)] += 1
        else:
            self._differs(path, given, value)

    def unconfirmed(self, prefix: str, reason: str) -> None:
        """Book all numbers below a path as not confirmed, for a reason."""
        for path in [p for p in self.open if _below(p, prefix)]:
            del self.open[path]
            self.result.unconfirmed[reason] += 1

    def close(self) -> Confirmation:
        """Book what nobody asked for as unlisted."""
        self.result.unlisted += sorted(self.open)
        self.open.clear()
        return self.result

    def _compare(self, path: str, value: Any, read: Any) -> None:
        given = self.open.pop(path, None)
        if given is None and value is None:
            return
        if given is not None and value is not None and read(given) == value:
            self.result.confirmed[section(path)] += 1
        else:
            self._differs(path, given, value)

    def _differs(self, path: str, given: Any, value: Any) -> None:
        self.result.differences.append(Difference(path, _shown(given), _shown(value)))


def section(path: str) -> str:
    """The part of a certificate that a path lies in."""
    return re.split(r"[.\[]", path, maxsplit=1)[0]


def decimal(value: Fraction, places: int = DECIMALS) -> str:
    """A fraction to so many decimals, half to even; what rounds to 0 has no sign."""
    scaled = round(value * 10**places)
    whole, rest = divmod(abs(scaled), 10**places)
    return f"{'-' if scaled < 0 else ''}{whole}.{rest:0{places}d}"


def _below(path: str, prefix: str) -> bool:
    return path == prefix or (path.startswith(prefix) and path[len(prefix)] in ".[")


def _integer(value: Any) -> int:
    return int(value)


def _shown(value: Any) -> str:
    return "nothing" if value is None else str(value)


def _whole_root(number: int) -> int | None:
    low = _floor_root(number)
    return low if low * low == number else None


def _floor_root(number: int) -> int:
    """The greatest integer whose square is not above a number, by Newton's method."""
    if number < 2:
        return number
    guess = 1 << (number.bit_length() + 1) // 2
    while True:
        better = (guess + number // guess) // 2
        if better >= guess:
            return guess
        guess = better


def _root_decimal(square: Fraction) -> str:
    """The square root of a fraction to `DECIMALS` decimals; an irrational one is never halfway."""
    scaled = square * 100**DECIMALS
    low = _floor_root(scaled.numerator // scaled.denominator)
    number = low + (4 * scaled > (2 * low + 1) ** 2)
    return f"{number // 10**DECIMALS}.{number % 10**DECIMALS:0{DECIMALS}d}"
