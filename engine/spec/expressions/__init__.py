"""Expressions: one condition, number or word over a table's columns and the game's rules.

The language is a small part of SQL: columns, rules, literals, comparison, AND, OR, NOT, IN,
BETWEEN, CASE, + - * // %, abs, least, greatest. `parser` reads it, `checking` types it over a
`Scope`, `evaluate` works it out on tables exactly, `sql` writes it back, so that any SQL tool
counts the same rows. No file, setting, clock or random number can enter a certificate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.contract.game import RuleValue
from engine.exact.errors import DealproofError
from engine.exact.tables import Codes, Table, group
from engine.spec.expressions import checking
from engine.spec.expressions.evaluate import Evaluation, RowError, shown
from engine.spec.expressions.nodes import Kind, Node
from engine.spec.expressions.parser import ALLOWED, DEEPEST, parse
from engine.spec.expressions.scope import Domain, Scope
from engine.spec.expressions.sql import quoted, write

__all__ = [
    "ALLOWED", "DEEPEST", "Domain", "Evaluated", "Expression", "Node", "Scope", "booleans",
    "evaluate", "exact", "guard", "mask", "parse", "quoted", "true_of_rules",
]  # fmt: skip


@dataclass(frozen=True)
class Expression:
    """A checked expression: its text, the columns and rules that it names, and its nodes.

    `columns`: those of its names that mean columns, also where a rule bears the same one. `kind`
    says what its value is; `wide` that it may calculate beyond 32 bits.
    """

    text: str
    names: tuple[str, ...]
    node: Node
    kind: Kind
    wide: bool = False
    columns: frozenset[str] = frozenset()

    def sql(self, rules: Mapping[str, RuleValue] | None = None) -> str:
        """Write it as SQL that DuckDB evaluates to the same values over the table's columns.

        With `rules`, their values stand in place of their names.
        """
        values = {name: v for name, v in (rules or {}).items() if name not in self.columns}
        return write(self.node, values, self.wide)


def guard(text: str, scope: Scope, kind: Kind | None = None) -> Expression:
    """Read an expression, of one `kind` if given; raise DealproofError in one line."""
    checked = checking.check(parse(text), scope, kind)
    names = tuple(sorted(checked.names))
    columns = frozenset(name for name in names if not scope.is_rule(name))
    return Expression(text, names, checked.node, checked.kind, checked.wide, columns)


@dataclass(frozen=True)
class Evaluated:
    """Values of expressions on the distinct rows that they can tell apart.

    `values[e]` are expression e's values on each distinct row, shape (distinct,): bool, int64, or
    dtype object for fractions and words. `member` numbers the distinct row of every row of the
    table, shape (rows,); `example` gives the index of one row of each.
    """

    values: tuple[NDArray[Any], ...]
    member: Codes
    example: Codes


def evaluate(
    table: Table, expressions: Sequence[Expression], constants: Mapping[str, RuleValue]
) -> Evaluated:
    """Evaluate expressions on a table; raises DealproofError with a row that has no value."""
    named = {name for expression in expressions for name in expression.names}
    features = [feature for feature in table.features if feature.name in named]
    if features:
        example, member = group(features, table.codes)
    else:
        member = np.zeros(len(table), dtype=np.int64)
        example = np.zeros(1, dtype=np.int64)
    codes = {feature.name: table.codes[feature.name][example] for feature in features}
    evaluation = Evaluation(features, codes, constants)
    rows = np.arange(len(example))
    try:
        values = tuple(evaluation.values(one.node, rows).array() for one in expressions)
    except RowError as error:
        row = {f.name: f.label(int(codes[f.name][error.row])) for f in features}
        raise DealproofError(error.reason.replace("{where}", shown(row))) from None
    return Evaluated(values, member, example)


def booleans(evaluated: Evaluated, index: int, text: str) -> NDArray[np.bool_]:
    """Values of a condition over all distinct rows, shape (distinct,), bool."""
    values = evaluated.values[index]
    if values.dtype != bool:
        raise DealproofError(f"({text}) is a number or a word, not true or false")
    return values


def exact(value: Any, text: str) -> Fraction:
    """Read a number that an expression came to; raise DealproofError for anything else."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer | Fraction):
        raise DealproofError(f"({text}) is not a number")
    return Fraction(value if isinstance(value, Fraction) else int(value))


def true_of_rules(expression: Expression, constants: Mapping[str, RuleValue]) -> bool:
    """Evaluate a condition over rules alone."""
    nothing = Table((), {}, np.ones(1, dtype=np.int64))
    return bool(mask(expression, nothing, constants)[0])


def mask(
    expression: Expression, table: Table, constants: Mapping[str, RuleValue]
) -> NDArray[np.bool_]:
    """Evaluate one condition on every row of a table, shape (rows,)."""
    evaluated = evaluate(table, [expression], constants)
    holds: NDArray[np.bool_] = booleans(evaluated, 0, expression.text)[evaluated.member]
    return holds
