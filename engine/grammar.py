"""What may stand in a predicate: a parsed expression is checked node by node, in our own words.

`engine.predicates` parses and evaluates. Nodes are DuckDB's own, as `json_serialize_sql` gives
them: a mapping with ``class`` and ``type``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

from engine.errors import DealproofError, nearest
from engine.game import RuleValue
from engine.tables import Feature

Node = Mapping[str, Any]
Kind = Literal["condition", "number", "word"]
#: Smallest and largest value.
Span = tuple[Decimal, Decimal]

_CLASSES = {
    "COLUMN_REF": "columns", "CONSTANT": "literals", "COMPARISON": "comparison",
    "CONJUNCTION": "AND, OR", "OPERATOR": "NOT, IN", "BETWEEN": "BETWEEN", "CASE": "CASE",
    "FUNCTION": "abs, least, greatest and + - * // %",
}  # fmt: skip
_OPERATORS = {"OPERATOR_NOT", "COMPARE_IN", "COMPARE_NOT_IN"}
_COMPARISONS = {
    "COMPARE_EQUAL": "=", "COMPARE_NOTEQUAL": "<>", "COMPARE_LESSTHAN": "<",
    "COMPARE_GREATERTHAN": ">", "COMPARE_LESSTHANOREQUALTO": "<=",
    "COMPARE_GREATERTHANOREQUALTO": ">=",
}  # fmt: skip
_FLIPPED = {"=": "=", "<>": "<>", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_IN = {"COMPARE_IN", "COMPARE_NOT_IN"}
_FUNCTIONS = {"abs", "least", "greatest", "+", "-", "*", "//", "%"}
_LITERALS: dict[str, Kind] = {
    "INTEGER": "number", "NUMERIC": "number", "STRING": "word", "BOOLEAN": "condition",
}  # fmt: skip
ALLOWED = (
    "allowed: columns, literals, comparison, AND, OR, NOT, IN, BETWEEN, CASE, "
    "+ - * // %, abs, least, greatest"
)
#: Expressions within expressions.
DEEPEST = 100


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


def quoted(value: RuleValue) -> str:
    """A rule's value or a column's word as a literal."""
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"


def children(node: Node) -> Iterator[Node]:
    """The expressions right below one, in the order in which they are written."""
    for value in node.values():
        for item in value if isinstance(value, list) else (value,):
            if isinstance(item, dict):
                if "class" in item:
                    yield item
                else:
                    yield from children(item)


def divisors(node: Node) -> Iterator[Node]:
    """Right sides of // and %, wherever they stand."""
    below = list(children(node))
    if node["class"] == "FUNCTION" and node["function_name"] in ("//", "%"):
        yield below[-1]
    for child in below:
        yield from divisors(child)


def column(node: Node) -> str | None:
    """Name of the column or rule that a node is; None for any other node."""
    return ".".join(node["column_names"]) if node["class"] == "COLUMN_REF" else None


def check(node: Node, scope: Scope) -> set[str]:
    """Return the columns and rules that an expression names; refuse what is not allowed.

    Raises DealproofError.
    """
    found: set[str] = set()
    _check(node, scope, found, 1)
    return found


def _check(node: Node, scope: Scope, found: set[str], depth: int) -> None:
    if depth > DEEPEST:
        raise DealproofError(f"nested too deeply; allowed: {DEEPEST} levels")
    kind, detail = node["class"], node["type"]
    below = list(children(node))
    _check_class(node, below)
    if kind == "COLUMN_REF":
        name = ".".join(node["column_names"])
        if name in scope.elsewhere and name not in scope.names:
            space = scope.elsewhere[name]
            raise DealproofError(f"column '{name}' stands in space '{space}' (space = \"{space}\")")
        if name not in scope.names:
            raise DealproofError(f"column '{name}' is not known; {nearest(name, scope.names)}")
        found.add(name)
    compares = kind in ("COMPARISON", "BETWEEN") or detail in _IN
    if compares:
        _check_values(below, scope)
    for child in below:
        _check(child, scope, found, depth + 1)
    _check_operands(node, below, compares, scope)
    if kind == "COMPARISON":
        _check_possible(_COMPARISONS[detail], below[0], below[1], scope)
    elif kind == "BETWEEN":
        low, high = (_span(child, scope) for child in below[1:])
        if low and high and low[0] > high[1]:
            ends = " AND ".join(_told(child) for child in below[1:])
            raise DealproofError(f"BETWEEN {ends} holds nowhere: the lower end comes first")
        _check_possible(">=", below[0], below[1], scope)
        _check_possible("<=", below[0], below[2], scope)
    elif detail in _IN:
        for child in below[1:]:
            _check_possible("=", below[0], child, scope)


def _check_class(node: Node, below: Sequence[Node]) -> None:
    """Refuse classes of nodes, functions and literals that are not listed."""
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
        name = node["function_name"]
        if name == "contains" and below and below[0].get("function_name") in ("row", "list_value"):
            raise DealproofError("IN compares with one value or more, in ( ): write IN (1, 2)")
        if name not in _FUNCTIONS or not plain:
            raise DealproofError(f"function {name} is not allowed; {ALLOWED}")
    if kind == "CONSTANT":
        literal = node["literal"]
        if literal["kind"] == "NULL_LITERAL":
            raise DealproofError(f"NULL is not allowed: CASE needs an ELSE; {ALLOWED}")
        if literal["kind"] not in _LITERALS:
            raise DealproofError(f"{literal['kind']} is not allowed; {ALLOWED}")
        if not _plain(literal):
            raise DealproofError(
                f"{literal['text'][:40]} is not allowed: write numbers out, in 18 digits"
            )


def _plain(literal: Mapping[str, Any]) -> bool:
    number = literal["kind"] in ("INTEGER", "NUMERIC")
    return not number or bool(re.fullmatch(r"-?[0-9.]{1,18}", literal["text"]))


def _kind(node: Node, scope: Scope) -> Kind:
    """Whether a checked node is a condition, a number or a word."""
    if node["class"] == "CONSTANT":
        return _LITERALS[node["literal"]["kind"]]
    name = column(node)
    if name is not None:
        feature = scope.feature(name)
        is_word = feature.words if feature else isinstance(scope.constants[name], str)
        return "word" if is_word else "number"
    if node["class"] == "CASE":
        return _kind(list(children(node))[-1], scope)
    return "number" if node["class"] == "FUNCTION" else "condition"


def _told(node: Node) -> str:
    """A column or a literal as it is written; "" for anything else."""
    if node["class"] == "CONSTANT":
        text = str(node["literal"]["text"])[:40]
        return f"'{text}'" if node["literal"]["kind"] == "STRING" else text
    return column(node) or ""


def _bare(scope: Scope, name: str) -> str:
    """What to write instead of a column or rule that stands where a condition is meant."""
    feature = scope.feature(name)
    if feature is None:
        value = scope.constants[name]
        return f"{name} is {quoted(value)}: compare it, for example {name} = {quoted(value)}"
    if feature.words:
        return f"{name} is a word: write, for example, {name} = {quoted(feature.words[-1])}"
    span = (
        f"{feature.low} or {feature.high}"
        if feature.size == 2
        else (f"{feature.low} … {feature.high}")
    )
    return f"{name} is an integer, {span}: write, for example, {name} = {feature.high}"


def _check_operands(node: Node, below: Sequence[Node], compares: bool, scope: Scope) -> None:
    """Refuse what DuckDB would cast, in silence or with words of its own."""
    kinds = {_kind(child, scope): child for child in below}
    if node["class"] == "CONJUNCTION" or node["type"] == "OPERATOR_NOT":
        if kinds.keys() != {"condition"}:
            named = [name for child in below if (name := column(child))]
            told = f"; {_bare(scope, named[0])}" if named else ""
            raise DealproofError(f"AND, OR and NOT join conditions: a comparison is meant{told}")
    elif node["class"] == "CASE":
        whens, thens = below[:-1:2], (*below[1:-1:2], below[-1])
        if any(_kind(child, scope) != "condition" for child in whens):
            raise DealproofError("CASE WHEN: a condition is meant, such as a comparison")
        if len({_kind(child, scope) for child in thens}) > 1:
            raise DealproofError(
                "CASE: after every THEN and ELSE either a condition, a number or a word is meant"
            )
    elif node["class"] == "FUNCTION" or (compares and len(kinds) > 1):
        if "condition" in kinds:
            raise DealproofError(
                "a condition is no number: it cannot be compared or reckoned with one"
            )
        if "word" in kinds:
            word = kinds["word"]
            told = f"{_told(word) or 'a word'} is no number"
            if column(word):
                told = f"{column(word)} is a word and no number"
            raise DealproofError(f"{told}: it cannot be compared or reckoned with one")


def _check_values(operands: Sequence[Node], scope: Scope) -> None:
    """Refuse a literal that a column is never compared with."""
    literals = [n["literal"] for n in operands if n["class"] == "CONSTANT"]
    for feature in filter(None, (scope.feature(column(n) or "") for n in operands)):
        for literal in literals:
            text, kind = literal["text"], _LITERALS.get(literal["kind"])
            if kind is None:
                continue
            if feature.words:
                if kind != "word" or text not in feature.words:
                    raise DealproofError(
                        f"{feature.name} is never {text!r}; {nearest(text, feature.words)}"
                    )
            elif kind != "number":
                raise DealproofError(f"{feature.name} is an integer and never {text!r}")


def _span(node: Node, scope: Scope) -> Span | None:
    """Bounds of a column or a literal; None for words, rules and anything reckoned."""
    if node["class"] == "CONSTANT":
        literal = node["literal"]
        value = Decimal(literal["text"]) if _LITERALS[literal["kind"]] == "number" else None
        return None if value is None else (value, value)
    feature = scope.feature(column(node) or "")
    if feature is None or feature.words:
        return None
    return Decimal(feature.low), Decimal(feature.high)


def _check_possible(sign: str, left: Node, right: Node, scope: Scope) -> None:
    """Refuse a comparison with a column that holds for no value, or an equality that never does."""
    if column(left) is None:
        left, right, sign = right, left, _FLIPPED[sign]
    one, two = (scope.feature(column(node) or "") for node in (left, right))
    if one is None:
        return
    if one.words:
        if two and sign in ("=", "<>") and not set(one.words) & set(two.words):
            raise DealproofError(
                f"{one.name} and {two.name} have no word in common: {', '.join(one.words)}; "
                f"{', '.join(two.words)}"
            )
        return
    span = _span(right, scope)
    if span is None:
        return
    low, high = span
    never = {
        "<": one.low >= high,
        "<=": one.low > high,
        ">": one.high <= low,
        ">=": one.high < low,
    }.get(sign, one.high < low or one.low > high)
    never |= sign in ("=", "<>") and low == high and low != int(low)
    if never:
        shown = "" if sign in ("=", "<>") else f"{sign} "
        allowed = f"allowed: {one.low} … {one.high}"
        beside = f", and {two.name} is {two.low} … {two.high}" if two else ""
        raise DealproofError(f"{one.name} is never {shown}{_told(right)}; {allowed}{beside}")
