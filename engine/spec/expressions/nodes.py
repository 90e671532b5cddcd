"""The parts of an expression: small frozen nodes, as the parser reads them and checking types them.

`Name` is a column of a table or a rule of the game. Numbers are decimal and exact. CASE in its
short form (``CASE x WHEN 1 THEN …``) is read as the long one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

#: What an expression's value is.
Kind = Literal["condition", "number", "word"]


@dataclass(frozen=True, slots=True)
class Name:
    """A column or a rule; `quoted` where it was written in double quotes."""

    name: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Number:
    """An exact decimal: ``digits / 10 ** scale``."""

    digits: int
    scale: int = 0

    @property
    def value(self) -> Fraction:
        """The number itself."""
        return Fraction(self.digits, 10**self.scale)


@dataclass(frozen=True, slots=True)
class Word:
    """A text in single quotes."""

    text: str


@dataclass(frozen=True, slots=True)
class Truth:
    """``true`` or ``false``."""

    value: bool


@dataclass(frozen=True, slots=True)
class Not:
    """``NOT operand``."""

    operand: Node


@dataclass(frozen=True, slots=True)
class Logic:
    """Two or more conditions joined by one sign, ``AND`` or ``OR``."""

    sign: str
    operands: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Compare:
    """``left sign right`` with ``=``, ``<>``, ``<``, ``<=``, ``>`` or ``>=``."""

    sign: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Member:
    """``operand IN (options)``, or NOT IN."""

    operand: Node
    options: tuple[Node, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Between:
    """``operand BETWEEN low AND high``, both ends included, or NOT BETWEEN."""

    operand: Node
    low: Node
    high: Node
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """Pairs of a condition and a value, tried in order, and the value of all other rows."""

    whens: tuple[tuple[Node, Node], ...]
    otherwise: Node


@dataclass(frozen=True, slots=True)
class Negative:
    """``-operand``."""

    operand: Node


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """``left sign right`` with ``+``, ``-``, ``*``, ``//`` or ``%``.

    ``//`` divides whole numbers and drops the remainder; ``%`` has the sign of `left`.
    """

    sign: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Call:
    """``abs``, ``least`` or ``greatest`` of its arguments."""

    function: str
    arguments: tuple[Node, ...]


Node = (
    Name | Number | Word | Truth | Not | Logic | Compare | Member | Between | Case | Negative
    | Arithmetic | Call
)  # fmt: skip


def children(node: Node) -> tuple[Node, ...]:
    """The expressions right below one, in the order in which they are written."""
    match node:
        case Not(operand) | Negative(operand):
            return (operand,)
        case Logic(_, operands) | Call(_, operands):
            return operands
        case Compare(_, left, right) | Arithmetic(_, left, right):
            return left, right
        case Member(operand, options):
            return operand, *options
        case Between(operand, low, high):
            return operand, low, high
        case Case(whens, otherwise):
            return *(part for pair in whens for part in pair), otherwise
    return ()


def walk(node: Node) -> Iterator[tuple[Node, int]]:
    """Every node with its depth, the outermost 1; no recursion, whatever the depth."""
    todo = [(node, 1)]
    while todo:
        one, depth = todo.pop()
        yield one, depth
        todo.extend((child, depth + 1) for child in children(one))
