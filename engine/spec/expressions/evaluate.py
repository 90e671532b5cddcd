"""Values of expressions on a table: exact, and worked out once for rows that look alike.

Numbers are whole multiples of a power of ten, int64 wherever the bounds of the operands allow it
and Python integers beyond. All operands of AND, OR and IN are evaluated on every row; the parts of
CASE only where they are needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.contract.game import RuleValue
from engine.exact.tables import INT64, Codes, Counts, Feature
from engine.spec.expressions.nodes import (
    Arithmetic,
    Between,
    Call,
    Case,
    Compare,
    Kind,
    Logic,
    Member,
    Name,
    Negative,
    Node,
    Not,
    Number,
    Truth,
    Word,
)
from engine.spec.expressions.parser import DIGITS
from engine.spec.expressions.sql import quoted

_LARGEST = 10**DIGITS
Data = NDArray[Any]


@dataclass(frozen=True)
class Values:
    """One value a row, shape (rows,).

    A condition is bool; a number ``data / 10 ** scale``; a word an index into `words`.
    """

    kind: Kind
    data: Data
    scale: int = 0
    words: tuple[str, ...] = ()

    def array(self) -> Data:
        """The values: bool, int64, `Fraction` or text (dtype object)."""
        if self.kind == "word":
            return np.array(self.words, dtype=object)[self.data]
        if not self.scale:
            return self.data
        distinct, member = np.unique(self.data, return_inverse=True)
        numbers = [Fraction(int(one), 10**self.scale) for one in distinct]
        return np.array(numbers, dtype=object)[member]


class RowError(Exception):
    """A value that does not exist on one row; `row` numbers it, `reason` says why."""

    def __init__(self, row: int, reason: str) -> None:
        super().__init__(reason)
        self.row, self.reason = row, reason


class Evaluation:
    """Evaluates checked nodes over columns of codes, all of one length, and constants."""

    def __init__(
        self,
        features: Sequence[Feature],
        codes: Mapping[str, Codes],
        constants: Mapping[str, RuleValue],
    ) -> None:
        self.features = {feature.name: feature for feature in features}
        self.codes, self.constants = codes, constants

    def values(self, node: Node, rows: Codes) -> Values:
        """Values of a node on some rows; raises RowError."""
        match node:
            case Name(name):
                return self.named(name, rows)
            case Number(digits, scale):
                return Values("number", _same(digits, rows), scale)
            case Word(text):
                return Values("word", _same(0, rows), words=(text,))
            case Truth(value):
                return Values("condition", np.full(len(rows), value))
            case Not(operand):
                return Values("condition", ~self.values(operand, rows).data)
            case Logic(sign, operands):
                join = np.logical_and if sign == "AND" else np.logical_or
                parts = [self.values(operand, rows).data for operand in operands]
                return Values("condition", join.reduce(parts))
            case Compare(sign, left, right):
                one, other = self.values(left, rows), self.values(right, rows)
                return Values("condition", _compare(sign, one, other))
            case Member(operand, options, negated):
                one = self.values(operand, rows)
                holds = np.zeros(len(rows), dtype=bool)
                for option in options:
                    holds |= _compare("=", one, self.values(option, rows))
                return Values("condition", holds ^ negated)
            case Between(operand, low, high, negated):
                one = self.values(operand, rows)
                holds = _compare(">=", one, self.values(low, rows))
                holds &= _compare("<=", one, self.values(high, rows))
                return Values("condition", holds ^ negated)
            case Case(whens, otherwise):
                return self.case(whens, otherwise, rows)
            case Negative(operand):
                one = self.values(operand, rows)
                return Values("number", -one.data, one.scale)
            case Arithmetic(sign, left, right):
                return self.calculated(sign, left, right, rows)
            case Call(function, arguments):
                return _called(function, [self.values(one, rows) for one in arguments])

    def named(self, name: str, rows: Codes) -> Values:
        """Values of a column or a rule."""
        feature = self.features.get(name)
        if feature is not None:
            kind: Kind = "word" if feature.words else "number"
            return Values(kind, self.codes[name][rows], words=feature.words)
        value = self.constants[name]
        if isinstance(value, str):
            return Values("word", _same(0, rows), words=(value,))
        return Values("number", _same(value, rows))

    def case(self, whens: Sequence[tuple[Node, Node]], otherwise: Node, rows: Codes) -> Values:
        """Values of CASE: each part is worked out where no earlier condition holds."""
        left = np.arange(len(rows))
        parts: list[tuple[Codes, Values]] = []
        for when, then in whens:
            holds = self.values(when, rows[left]).data
            chosen, left = left[holds], left[~holds]
            parts.append((chosen, self.values(then, rows[chosen])))
        parts.append((left, self.values(otherwise, rows[left])))
        aligned = _aligned([part for _, part in parts])
        data = np.empty(len(rows), dtype=np.result_type(*(part.data.dtype for part in aligned)))
        for (places, _), part in zip(parts, aligned, strict=True):
            data[places] = part.data
        first = aligned[0]
        return Values(first.kind, data, first.scale, first.words)

    def calculated(self, sign: str, left: Node, right: Node, rows: Codes) -> Values:
        """Values of + - * // %."""
        one, other = self.values(left, rows), self.values(right, rows)
        if sign == "*":
            wide = _peak(one.data) * _peak(other.data) >= INT64
            product = _as(one.data, wide) * _as(other.data, wide)
            return _bounded(product, one.scale + other.scale, rows)
        if sign in ("//", "%") and not other.data.all():
            row = int(np.flatnonzero(other.data == 0)[0])
            divisor = right.name if isinstance(right, Name) else "divisor"
            raise RowError(
                int(rows[row]),
                f"division by zero{{where}}; put it in CASE WHEN {divisor} <> 0 THEN … ELSE … END",
            )
        one, other = _aligned([one, other])
        if sign in "+-":
            wide = _peak(one.data) + _peak(other.data) >= INT64
            first, second = _as(one.data, wide), _as(other.data, wide)
            return _bounded(first + second if sign == "+" else first - second, one.scale, rows)
        negative = one.data < 0
        size, by = abs(one.data), abs(other.data)
        if sign == "%":
            rest = size % by
            return _bounded(np.where(negative, -rest, rest), one.scale, rows)
        whole = size // by
        return Values("number", np.where(negative ^ (other.data < 0), -whole, whole))


def _same(value: int, rows: Codes) -> Data:
    return np.full(len(rows), value, dtype=np.int64)


def _peak(data: Data) -> int:
    """Largest absolute value, 0 for no rows."""
    return max(int(data.max()), -int(data.min())) if len(data) else 0


def _as(data: Data, wide: bool) -> Counts:
    return data.astype(object) if wide else data


def _bounded(data: Data, scale: int, rows: Codes) -> Values:
    """Numbers of at most `DIGITS` digits, or RowError with the first row that has more."""
    if _peak(data) >= _LARGEST:
        row = int(np.flatnonzero(abs(data) >= _LARGEST)[0])
        raise RowError(int(rows[row]), f"a number of more than {DIGITS} digits{{where}}")
    return Values("number", data.astype(np.int64, copy=False), scale)


def _aligned(parts: Sequence[Values]) -> list[Values]:
    """Values of one kind in one unit: numbers with one scale, words over one sorted list."""
    kind = parts[0].kind
    if kind == "word":
        words = tuple(sorted(set().union(*(part.words for part in parts))))
        if all(part.words == words for part in parts):
            return list(parts)
        code_of = {word: index for index, word in enumerate(words)}
        return [
            Values(kind, np.array([code_of[word] for word in part.words])[part.data], words=words)
            for part in parts
        ]
    scale = max(part.scale for part in parts)
    moved = []
    for part in parts:
        unit = 10 ** (scale - part.scale)
        wide = _peak(part.data) * unit >= INT64 if unit > 1 else False
        data = _as(part.data, wide) * unit if unit > 1 else part.data
        moved.append(Values(kind, data, scale))
    return moved


def _compare(sign: str, one: Values, other: Values) -> NDArray[np.bool_]:
    left, right = (part.data for part in _aligned([one, other]))
    holds = {
        "=": np.equal, "<>": np.not_equal, "<": np.less, "<=": np.less_equal,
        ">": np.greater, ">=": np.greater_equal,
    }[sign](left, right)  # fmt: skip
    return np.asarray(holds, dtype=bool)


def _called(function: str, given: Sequence[Values]) -> Values:
    if function == "abs":
        return Values("number", abs(given[0].data), given[0].scale)
    choose = np.minimum if function == "least" else np.maximum
    parts = _aligned(given)
    data = parts[0].data
    for part in parts[1:]:
        data = choose(data, part.data)
    return Values("number", data, parts[0].scale)


def shown(row: Mapping[str, RuleValue]) -> str:
    """A row for an error: `` where total = 7, winner = 'tie'``; nothing where it has no column."""
    where = ", ".join(f"{name} = {quoted(value)}" for name, value in row.items())
    return f" where {where}" if where else ""
