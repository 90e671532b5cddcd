"""Writing nodes as SQL that DuckDB evaluates to the same values, with no more brackets than needed.

Reading what is written here gives the same nodes again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.expressions.nodes import (
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
)

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

    With `wide`, whole numbers are cast to BIGINT where they are calculated with, since SQL keeps
    the 32 bits of a column for sums and products.
    """
    return _Writer(rules or {}, wide).text(node, _OR)


class _Writer:
    def __init__(self, rules: Mapping[str, int | str], wide: bool) -> None:
        self.rules, self.wide = rules, wide

    def text(self, node: Node, level: int, reckons: bool = False) -> str:
        """Write a node that stands where signs of at least `level` may stand."""
        if isinstance(node, Name | Number):
            return self.leaf(node, level, reckons)
        written, power = self.compound(node)
        return written if power >= level else f"({written})"

    def leaf(self, node: Name | Number, level: int, reckons: bool) -> str:
        value: int | str | None = None
        if isinstance(node, Number):
            sign = "-" if node.digits < 0 else ""
            digits = str(abs(node.digits)).rjust(node.scale + 1, "0")
            split = len(digits) - node.scale
            written = f"{sign}{digits[:split]}" + (f".{digits[split:]}" if node.scale else "")
            whole = not node.scale
        else:
            value = self.rules.get(node.name)
            written = name(node.name) if value is None else quoted(value)
            whole = not isinstance(value, str)
        if self.wide and reckons and whole:
            return f"CAST({written} AS BIGINT)"
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
                return f"-{self.text(operand, _ATOM, True)}", _SIGN
            case Arithmetic(sign, left, right):
                level = _SUM if sign in "+-" else _PRODUCT
                sides = self.text(left, level, True), self.text(right, level + 1, True)
                return f"{sides[0]} {sign} {sides[1]}", level
            case Call(function, arguments):
                listed = ", ".join(self.text(one, _OR, True) for one in arguments)
                return f"{function}({listed})", _ATOM
        raise TypeError(type(node).__name__)


def name(column: str) -> str:
    """A column's name, in double quotes where SQL asks for them."""
    if re.fullmatch(r"[a-z_][a-z0-9_]*", column) and column not in RESERVED:
        return column
    return '"' + column.replace('"', '""') + '"'
