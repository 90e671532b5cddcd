"""Predicates: one SQL expression over a table's columns and the game's rules, and nothing else.

DuckDB parses every expression; only the node classes and functions that `engine.grammar` lists
pass, so that no subquery, file, setting, clock or random number can enter a certificate. Rows are
classified once, on the distinct values of the columns that an expression names.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import DealproofError
from engine.game import RuleValue
from engine.grammar import DEEPEST, Node, Scope, check, column, divisors, quoted
from engine.tables import Codes, Feature, Table, group

if TYPE_CHECKING:
    import duckdb


@functools.cache
def _database() -> duckdb.DuckDBPyConnection:
    import duckdb

    return duckdb.connect(
        ":memory:",
        config={
            "enable_external_access": False,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "threads": 1,
        },
    )


@dataclass(frozen=True)
class Expression:
    """A guarded expression: its text and the columns and rules that it names."""

    text: str
    names: tuple[str, ...]


@functools.lru_cache(maxsize=4096)
def _parsed(text: str) -> Node:
    if not text.strip():
        raise DealproofError("the expression is empty")
    bare = re.sub(r"'(?:[^']|'')*'", "''", text)
    if "--" in bare or "/*" in bare:
        raise DealproofError("a comment is not allowed in an expression")
    if ";" in bare:
        raise DealproofError("';' is not allowed: one expression, no second statement")
    # In brackets nothing but an expression parses; without them `a) or (b` does not.
    queries = [f"SELECT (\n{text}\n) AS expression", f"SELECT\n{text}\nAS expression"]
    # A cursor of its own: expressions may be read in several threads.
    cursor = _database().cursor()
    answers = cursor.execute("SELECT json_serialize_sql(?), json_serialize_sql(?)", queries)
    try:
        parsed, bare_parsed = map(json.loads, answers.fetchall()[0])
    except RecursionError:
        raise DealproofError(f"nested too deeply; allowed: {DEEPEST} levels") from None
    if parsed["error"]:
        if "expression depth" in parsed["error_message"]:
            raise DealproofError(f"nested too deeply; allowed: {DEEPEST} levels")
        raise DealproofError(f"not an expression: {parsed['error_message'].splitlines()[0]}")
    if len(parsed["statements"]) != 1:
        raise DealproofError("one expression is meant, not several statements")
    node = parsed["statements"][0]["node"]
    if node["type"] != "SELECT_NODE" or len(node["select_list"]) != 1:
        raise DealproofError("one expression is meant, not a list or a query of its own")
    plain = node["from_table"]["type"] == "EMPTY" and not node["modifiers"]
    clauses = ("where_clause", "having", "qualify", "sample", "group_expressions")
    if not plain or any(node.get(clause) for clause in clauses):
        raise DealproofError("FROM, WHERE, GROUP and the like are not allowed in an expression")
    if bare_parsed["error"]:
        told = bare_parsed["error_message"].splitlines()[0]
        raise DealproofError(f"not an expression by itself: {told}")
    expression: Node = node["select_list"][0]
    return expression


def guard(text: str, scope: Scope) -> Expression:
    """Admit an expression or raise DealproofError that names what is not allowed."""
    return Expression(text, tuple(sorted(check(_parsed(text), scope))))


def _relation(features: Sequence[Feature], constants: Mapping[str, RuleValue]) -> str:
    columns = []
    for feature in features:
        if feature.words:
            words = ", ".join(quoted(word) for word in feature.words)
            columns.append(f'[{words}]["{feature.name}" + 1] AS "{feature.name}"')
        else:
            columns.append(f'"{feature.name}"')
    columns += [f'{quoted(value)} AS "{name}"' for name, value in constants.items()]
    return f"SELECT {', '.join(columns) or '0 AS nothing'} FROM given"


@dataclass(frozen=True)
class Evaluated:
    """Values of expressions on the distinct rows that they can tell apart.

    `values[e]` lists expression e's value on each distinct row; `member` numbers the distinct row
    of every row of the table, shape (rows,); `example` gives the index of one row of each.
    """

    values: tuple[tuple[Any, ...], ...]
    member: Codes
    example: Codes


def evaluate(
    table: Table, expressions: Sequence[Expression], constants: Mapping[str, RuleValue]
) -> Evaluated:
    """Evaluate guarded expressions on a table; NULL and overflow raise DealproofError."""
    named = {name for expression in expressions for name in expression.names}
    features = [feature for feature in table.features if feature.name in named]
    example, member = group(features, table.codes)
    if not features:
        member = np.zeros(len(table), dtype=np.int64)
        example = np.zeros(1, dtype=np.int64)
    chosen = {name: value for name, value in constants.items() if name in named}
    picked = ", ".join(f"(\n{expression.text}\n)" for expression in expressions)
    query = f"SELECT {picked} FROM ({_relation(features, chosen)})"
    given = tuple((f.name, table.codes[f.name][example].tobytes()) for f in features)
    try:
        rows = _answer(query, given)
    except _RefusedError as error:
        failing = int(example[_failing(query, given)])
        row = {f.name: f.label(int(table.codes[f.name][failing])) for f in features}
        raise DealproofError(_explained(str(error), expressions, row)) from None
    for place, expression in enumerate(expressions):
        if any(values[place] is None for values in rows):
            raise DealproofError(f"({expression.text}) has no value on some row")
    values = tuple(zip(*rows, strict=True))
    return Evaluated(values or ((),) * len(expressions), member, example)


Given = tuple[tuple[str, bytes], ...]


class _RefusedError(Exception):
    """DuckDB's own words on an expression that it cannot evaluate on some row."""


@functools.lru_cache(maxsize=512)
def _answer(query: str, given: Given) -> list[tuple[Any, ...]]:
    """Run a query over columns of int64; one thread keeps the rows in their order."""
    import duckdb

    columns = {name: np.frombuffer(codes, dtype=np.int64) for name, codes in given}
    database = _database().cursor()
    database.register("given", columns or {"nothing": np.zeros(1, dtype=np.int64)})
    try:
        return database.execute(query).fetchall()
    except duckdb.Error as error:
        raise _RefusedError(str(error)) from None
    finally:
        database.close()


def _failing(query: str, given: Given) -> int:
    """Find one row that a query fails on, by halves."""
    low, high = 0, max((len(codes) // 8 for _, codes in given), default=1)
    while high - low > 1:
        middle = (low + high) // 2
        try:
            _answer(query, tuple((name, codes[8 * low : 8 * middle]) for name, codes in given))
            low = middle
        except _RefusedError:
            high = middle
    return low


def _explained(error: str, expressions: Sequence[Expression], row: Mapping[str, RuleValue]) -> str:
    """Why DuckDB refused to evaluate expressions on a row, in our own words."""
    where = ", ".join(f"{name} = {quoted(value)}" for name, value in row.items())
    where = f" where {where}" if where else ""
    if "Division by zero" in error:
        names = [column(d) for e in expressions for d in divisors(_parsed(e.text))]
        zero = next((name for name in names if name is not None and row.get(name) == 0), None)
        divisor = f"{zero} <> 0" if zero else "divisor <> 0"
        return f"division by zero{where}; reckon in CASE WHEN {divisor} THEN … ELSE … END"
    if "Overflow" in error or "out of range" in error.lower():
        return f"a number of more than 18 digits{where}"
    return f"cannot be evaluated{where}"


def booleans(evaluated: Evaluated, index: int, text: str) -> np.ndarray:
    """Values of a boolean expression over all distinct rows, shape (distinct,), bool."""
    values = evaluated.values[index]
    if not all(isinstance(value, bool) for value in values):
        raise DealproofError(f"({text}) is {type(values[0]).__name__}, not true or false")
    return np.array(values, dtype=bool)


def exact(value: Any, text: str) -> Fraction:
    """Read a number that DuckDB computed; refuse floats, which are not exact."""
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        raise DealproofError(f"({text}) is {type(value).__name__}, not an exact number")
    return Fraction(value)


def true_of_rules(expression: Expression, constants: Mapping[str, RuleValue]) -> bool:
    """Evaluate a boolean expression over rules alone."""
    nothing = Table((), {}, np.ones(1, dtype=np.int64))
    return bool(mask(expression, nothing, constants)[0])


def mask(
    expression: Expression, table: Table, constants: Mapping[str, RuleValue]
) -> NDArray[np.bool_]:
    """Evaluate one boolean expression on every row of a table, shape (rows,)."""
    evaluated = evaluate(table, [expression], constants)
    held: NDArray[np.bool_] = booleans(evaluated, 0, expression.text)[evaluated.member]
    return held
