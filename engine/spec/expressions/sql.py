"""Writing nodes as SQL that DuckDB evaluates to the same values, with no more brackets than needed.

Reading what is written here gives the same nodes again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.spec.expressions.nodes import (
    Arithmetic,
    Between,
    Call,
    Case,
    Compare,
    Logic,
    Member,
    Name,
    Negative,
    Node,
    Not,
    Number,
    Truth,
    Word,
    children,
)
from engine.spec.expressions.parser import DIGITS

_RESERVED = """
    all analyse analyze and anti any array as asc asof asymmetric at authorization between
    binary both by case cast check collate collation column columns concurrently constraint create
    cross default deferrable desc describe distinct do else end except exists false fetch for
    foreign freeze from full generated glob group having ilike in initially inner intersect into is
    isnull join lambda lateral leading left like limit map natural not notnull null offset on only
    or order outer overlaps pivot pivot_longer pivot_wider placing positional primary qualify
    references returning right select semi show similar some struct summarize symmetric table
    tablesample then to trailing true try_cast tuple union unique unpack unpivot using variadic
    verbose when where window with
"""
#: Names that SQL reserves: a column that bears one is written in double quotes.
RESERVED = frozenset(_RESERVED.split())
_OR, _AND, _NOT, _COMPARE, _WITHIN, _SUM, _PRODUCT, _SIGN, _ATOM = range(1, 10)


def quoted(value: int | str) -> str:
    """A rule's value or a column's word as a literal."""
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"


def write(node: Node, rules: Mapping[str, int | str] | None = None, wide: bool = False) -> str:
    """Write an expression; names of `rules` become their values.

    With `wide`, numbers are cast where they are calculated with: SQL keeps the 32 bits of a column
    for sums and products, and goes over to floating point where decimals pass 38 digits.
    """
    return _Writer(rules or {}, wide).text(node, _OR)


def scale(node: Node) -> int:
    """Decimals of a number; 0 for anything else."""
    match node:
        case Number(_, decimals):
            return decimals
        case Negative(operand):
            return scale(operand)
        case Arithmetic(sign, left, right):
            sides = scale(left), scale(right)
            return sum(sides) if sign == "*" else max(sides)
        case Call(_, arguments):
            return max(map(scale, arguments))
        case Case(whens, otherwise):
            return max(scale(otherwise), *(scale(then) for _, then in whens))
    return 0


def width(node: Node) -> int:
    """Digits that SQL gives to a number that is not cast; more than 18 where decimals may get lost.

    A column has 10 and a sum or product of at most 18 stays there; a choice between numbers has
    room for the whole digits of one and the decimals of another.
    """
    decimals = scale(node)
    if isinstance(node, Number):
        digits = len(str(abs(node.digits)))
        return max(digits, decimals + 1) if decimals or digits < 10 else 19
    if not decimals:
        return 10
    match node:
        case Negative(operand):
            return width(operand)
        case Arithmetic(sign, left, right) if sign in "+-*":
            sides = width(left), width(right)
            whole = max(width(one) - scale(one) for one in (left, right)) + 1
            digits = sum(sides) if sign == "*" else whole + decimals
            return min(digits, DIGITS) if max(sides) <= DIGITS and decimals < DIGITS else digits
    if isinstance(node, Case):
        parts: tuple[Node, ...] = (*(then for _, then in node.whens), node.otherwise)
    else:
        parts = children(node)
    return decimals + max(width(part) - scale(part) for part in parts)


class _Writer:
    def __init__(self, rules: Mapping[str, int | str], wide: bool) -> None:
        self.rules, self.wide = rules, wide

    def text(self, node: Node, level: int) -> str:
        """Write a node that stands where signs of at least `level` may stand."""
        if isinstance(node, Name | Number):
            return self.leaf(node, level)
        written, power = self.compound(node)
        return written if power >= level else f"({written})"

    def operand(self, node: Node, level: int, decimals: int) -> str:
        """Write a number that is calculated with, where one of the numbers has `decimals`.

        Each is cast to as many digits as it may have, so that no result needs more than 38.
        """
        literal = isinstance(node, Number) and node.scale
        if not self.wide or literal or not (decimals or isinstance(node, Name | Number | Case)):
            return self.text(node, level)
        kind = f"DECIMAL({DIGITS}, {scale(node)})" if decimals else "BIGINT"
        return f"CAST({self.text(node, _OR)} AS {kind})"

    def leaf(self, node: Name | Number, level: int) -> str:
        if isinstance(node, Number):
            sign = "-" if node.digits < 0 else ""
            digits = str(abs(node.digits)).rjust(node.scale + 1, "0")
            split = len(digits) - node.scale
            written = f"{sign}{digits[:split]}" + (f".{digits[split:]}" if node.scale else "")
        else:
            value = self.rules.get(node.name)
            written = name(node.name) if value is None else quoted(value)
        return f"({written})" if written.startswith("-") and level > _SIGN else written

    def compound(self, node: Node) -> tuple[str, int]:
        """Write a node as it is, and tell how tightly its sign binds."""
        match node:
            case Word(text):
                return quoted(text), _ATOM
            case Truth(value):
                return str(value).lower(), _ATOM
            case Not(operand):
                return f"NOT {self.text(operand, _NOT)}", _NOT
            case Logic(sign, operands):
                level = _OR if sign == "OR" else _AND
                return f" {sign} ".join(self.text(one, level + 1) for one in operands), level
            case Compare(sign, left, right):
                sides = self.text(left, _COMPARE + 1), self.text(right, _COMPARE + 1)
                return f"{sides[0]} {sign} {sides[1]}", _COMPARE
            case Member(operand, options, negated):
                listed = ", ".join(self.text(one, _OR) for one in options)
                word = "NOT IN" if negated else "IN"
                return f"{self.text(operand, _SUM)} {word} ({listed})", _WITHIN
            case Between(operand, low, high, negated):
                first, *ends = (self.text(one, _SUM) for one in (operand, low, high))
                word = "NOT BETWEEN" if negated else "BETWEEN"
                return f"{first} {word} {ends[0]} AND {ends[1]}", _WITHIN
            case Case(whens, otherwise):
                pairs = " ".join(
                    f"WHEN {self.text(when, _OR)} THEN {self.text(then, _OR)}"
                    for when, then in whens
                )
                return f"CASE {pairs} ELSE {self.text(otherwise, _OR)} END", _ATOM
            case Negative(operand):
                return f"-{self.operand(operand, _ATOM, scale(operand))}", _SIGN
            case Arithmetic(sign, left, right):
                level = _SUM if sign in "+-" else _PRODUCT
                most = max(scale(left), scale(right))
                first, other = self.operand(left, level, most), self.operand(right, level + 1, most)
                return f"{first} {sign} {other}", level
            case Call(function, arguments):
                most = scale(node)
                listed = ", ".join(self.operand(one, _OR, most) for one in arguments)
                return f"{function}({listed})", _ATOM
        raise TypeError(type(node).__name__)


def name(column: str) -> str:
    """A column's name, in double quotes where SQL asks for them."""
    if re.fullmatch(r"[a-z_][a-z0-9_]*", column) and column not in RESERVED:
        return column
    return '"' + column.replace('"', '""') + '"'
