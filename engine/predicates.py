"""Predicates: one SQL expression over a table's columns and the game's rules, and nothing else.

DuckDB parses every expression; only the node classes and functions listed here pass, so that no
subquery, file, setting, clock or random number can enter a certificate. Rows are classified once,
on the distinct values of the columns that an expression names.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import DealproofError, nearest
from engine.game import RuleValue
from engine.tables import Codes, Feature, Table, group

if TYPE_CHECKING:
    import duckdb

_CLASSES = {
    "COLUMN_REF": "columns", "CONSTANT": "literals", "COMPARISON": "comparison",
    "CONJUNCTION": "AND, OR", "OPERATOR": "NOT, IN", "BETWEEN": "BETWEEN", "CASE": "CASE",
    "FUNCTION": "abs, least, greatest and + - * // %",
}  # fmt: skip
_OPERATORS = {"OPERATOR_NOT", "COMPARE_IN", "COMPARE_NOT_IN"}
_COMPARISONS = {
    "COMPARE_EQUAL", "COMPARE_NOTEQUAL", "COMPARE_LESSTHAN", "COMPARE_GREATERTHAN",
    "COMPARE_LESSTHANOREQUALTO", "COMPARE_GREATERTHANOREQUALTO",
}  # fmt: skip
_EQUALITIES = {"COMPARE_EQUAL", "COMPARE_NOTEQUAL", "COMPARE_IN", "COMPARE_NOT_IN"}
_FUNCTIONS = {"abs", "least", "greatest", "+", "-", "*", "//", "%"}
_LITERALS = {"INTEGER", "NUMERIC", "STRING", "BOOLEAN"}
ALLOWED = (
    "allowed: columns, literals, comparison, AND, OR, NOT, IN, BETWEEN, CASE, "
    "+ - * // %, abs, least, greatest"
)


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


@dataclass(frozen=True)
class Scope:
    """What an expression may name: columns of a table, and rules as constants.

    `elsewhere` tells the space of columns that stand in another one, for an error's words.
    """

    features: tuple[Feature, ...]
    constants: Mapping[str, RuleValue]
    elsewhere: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """All names, columns first."""
        return (*(f.name for f in self.features), *self.constants)

    def feature(self, name: str) -> Feature | None:
        """The column of this name; None for rules and unknown names."""
        return next((f for f in self.features if f.name == name), None)


@functools.lru_cache(maxsize=4096)
def _parsed(text: str) -> dict[str, Any]:
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
    parsed, bare_parsed = map(json.loads, answers.fetchall()[0])
    if parsed["error"]:
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
    expression: dict[str, Any] = node["select_list"][0]
    return expression


def _children(node: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for value in node.values():
        for item in value if isinstance(value, list) else (value,):
            if isinstance(item, dict):
                if "class" in item:
                    yield item
                else:
                    yield from _children(item)


def _check(node: Mapping[str, Any], scope: Scope, found: set[str]) -> None:
    kind, detail = node["class"], node["type"]
    if kind not in _CLASSES:
        named = node.get("function_name") or node.get("subquery_type") or detail
        raise DealproofError(f"{kind.lower()} ({str(named).lower()}) is not allowed; {ALLOWED}")
    if kind == "OPERATOR" and detail not in _OPERATORS:
        raise DealproofError(f"{detail.removeprefix('OPERATOR_')} is not allowed; {ALLOWED}")
    if kind == "COMPARISON" and detail not in _COMPARISONS:
        raise DealproofError(f"{detail.removeprefix('COMPARE_')} is not allowed; {ALLOWED}")
    if kind == "FUNCTION":
        plain = not (node["filter"] or node["distinct"] or node["schema"] or node["catalog"])
        if node["function_name"] not in _FUNCTIONS or not plain:
            raise DealproofError(f"function {node['function_name']} is not allowed; {ALLOWED}")
    if kind == "CONSTANT" and node["literal"]["kind"] not in _LITERALS:
        raise DealproofError(f"{node['literal']['kind']} is not allowed; {ALLOWED}")
    if kind == "CONSTANT" and not _plain(node["literal"]):
        raise DealproofError(
            f"{node['literal']['text'][:40]} is not allowed: write numbers out, in 18 digits"
        )
    if kind == "COLUMN_REF":
        name = ".".join(node["column_names"])
        if name in scope.elsewhere and name not in scope.names:
            space = scope.elsewhere[name]
            raise DealproofError(f"column '{name}' stands in space '{space}' (space = \"{space}\")")
        if name not in scope.names:
            raise DealproofError(f"column '{name}' is not known; {nearest(name, scope.names)}")
        found.add(name)
    children = list(_children(node))
    if kind in ("COMPARISON", "BETWEEN") or detail in ("COMPARE_IN", "COMPARE_NOT_IN"):
        _check_values(children, scope, equality=detail in _EQUALITIES)
    for child in children:
        _check(child, scope, found)
    _check_operands(kind, detail, children, scope)


def _plain(literal: Mapping[str, Any]) -> bool:
    number = literal["kind"] in ("INTEGER", "NUMERIC")
    return not number or bool(re.fullmatch(r"-?[0-9.]{1,18}", literal["text"]))


def _truth(node: Mapping[str, Any]) -> bool | None:
    """Whether a node is true or false; None for CASE, whose branches are not looked into."""
    if node["class"] == "CONSTANT":
        return bool(node["literal"]["kind"] == "BOOLEAN")
    if node["class"] == "CASE":
        return None
    return node["class"] in ("COMPARISON", "CONJUNCTION", "OPERATOR", "BETWEEN")


def _bare(scope: Scope, name: str) -> str:
    """What to write instead of a column or rule that stands where a condition is meant."""
    feature = scope.feature(name)
    if feature is None:
        value = scope.constants[name]
        return f"{name} is {_quoted(value)}: compare it, for example {name} = {_quoted(value)}"
    if feature.words:
        words = feature.words[-1].replace("'", "''")
        return f"{name} is a word: write, for example, {name} = '{words}'"
    span = (
        f"{feature.low} or {feature.high}"
        if feature.size == 2
        else (f"{feature.low} … {feature.high}")
    )
    return f"{name} is an integer, {span}: write, for example, {name} = {feature.high}"


def _check_operands(
    kind: str, detail: str, children: Sequence[Mapping[str, Any]], scope: Scope
) -> None:
    """Refuse what DuckDB would cast in silence: numbers as conditions, conditions as numbers."""
    truths = {_truth(child) for child in children} - {None}
    if (kind == "CONJUNCTION" or detail == "OPERATOR_NOT") and False in truths:
        named = [c["column_names"][-1] for c in children if c["class"] == "COLUMN_REF"]
        told = f"; {_bare(scope, named[0])}" if named else ""
        raise DealproofError(f"AND, OR and NOT join conditions: a comparison is meant{told}")
    compared = kind in ("COMPARISON", "BETWEEN") or detail in ("COMPARE_IN", "COMPARE_NOT_IN")
    if (compared and len(truths) > 1) or (kind == "FUNCTION" and True in truths):
        raise DealproofError("a condition is no number: it cannot be compared or reckoned with one")
    if kind == "FUNCTION":
        for child in children:
            if child["class"] == "CONSTANT" and child["literal"]["kind"] == "STRING":
                raise DealproofError(f"'{child['literal']['text'][:40]}' is no number")


def _check_values(operands: Sequence[Mapping[str, Any]], scope: Scope, equality: bool) -> None:
    """Refuse a literal that a column is never compared with or (for equality) never equals."""
    columns = [n["column_names"][-1] for n in operands if n["class"] == "COLUMN_REF"]
    literals = [n["literal"] for n in operands if n["class"] == "CONSTANT"]
    for feature in filter(None, map(scope.feature, columns)):
        for literal in literals:
            text, kind = literal["text"], literal["kind"]
            if kind not in _LITERALS:
                continue
            if feature.words:
                if kind != "STRING" or text not in feature.words:
                    raise DealproofError(
                        f"{feature.name} is never {text!r}; {nearest(text, feature.words)}"
                    )
            elif kind not in ("INTEGER", "NUMERIC"):
                raise DealproofError(f"{feature.name} is an integer and never {text!r}")
            elif equality and not feature.low <= Decimal(text) <= feature.high:
                bounds = f"allowed: {feature.low} … {feature.high}"
                raise DealproofError(f"{feature.name} is never {text}; {bounds}")


def guard(text: str, scope: Scope) -> Expression:
    """Admit an expression or raise DealproofError that names what is not allowed."""
    found: set[str] = set()
    _check(_parsed(text), scope, found)
    return Expression(text, tuple(sorted(found)))


def _quoted(value: RuleValue) -> str:
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"


def _relation(features: Sequence[Feature], constants: Mapping[str, RuleValue]) -> str:
    columns = []
    for feature in features:
        if feature.words:
            words = ", ".join(_quoted(word) for word in feature.words)
            columns.append(f'[{words}]["{feature.name}" + 1] AS "{feature.name}"')
        else:
            columns.append(f'"{feature.name}"')
    columns += [f'{_quoted(value)} AS "{name}"' for name, value in constants.items()]
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
    rows = _answer(query, given)
    for column, expression in enumerate(expressions):
        if any(row[column] is None for row in rows):
            raise DealproofError(f"({expression.text}) has no value on some row")
    values = tuple(zip(*rows, strict=True))
    return Evaluated(values or ((),) * len(expressions), member, example)


@functools.lru_cache(maxsize=512)
def _answer(query: str, given: tuple[tuple[str, bytes], ...]) -> list[tuple[Any, ...]]:
    """Run a query over columns of int64; one thread keeps the rows in their order."""
    import duckdb

    columns = {name: np.frombuffer(codes, dtype=np.int64) for name, codes in given}
    database = _database().cursor()
    database.register("given", columns or {"nothing": np.zeros(1, dtype=np.int64)})
    try:
        return database.execute(query).fetchall()
    except duckdb.Error as error:
        told = str(error).splitlines()[0].partition(": ")[2] or str(error)
        raise DealproofError(told.partition(" Use TRY")[0].rstrip(".!")) from None
    finally:
        database.close()


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


def holds(text: str, constants: Mapping[str, RuleValue]) -> bool:
    """Evaluate a boolean expression over rules alone."""
    expression = guard(text, Scope((), constants))
    nothing = Table((), {}, np.ones(1, dtype=np.int64))
    return bool(booleans(evaluate(nothing, [expression], constants), 0, text)[0])


def mask(text: str, table: Table, constants: Mapping[str, RuleValue]) -> np.ndarray:
    """Evaluate one boolean expression on every row of a table, shape (rows,), bool."""
    expression = guard(text, Scope(table.features, constants))
    evaluated = evaluate(table, [expression], constants)
    return booleans(evaluated, 0, text)[evaluated.member]
