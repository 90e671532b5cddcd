"""DuckDB as the oracle: what an expression comes to is what its SQL comes to, row by row.

Expressions and tables are drawn at random. Both the canonical SQL and the text as it was written
are given to DuckDB, so that signs bind alike in both.
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from fractions import Fraction
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.exact.errors import DealproofError
from engine.exact.tables import Table, integer, word
from engine.spec.expressions import Scope, evaluate, guard
from engine.spec.expressions.sql import RESERVED

FEATURES = (
    integer("a", "", -9, 9),
    integer("b", "", 0, 1),
    integer("natural", "", -1_000_000, 1_000_000),
    word("w", "", "red", "black", "it's"),
    word("v", "", "no", "yes"),
    word("u", "", "black", "white"),
)
RULES: dict[str, int | str] = {"decks": 8, "suit": "black"}
SCOPE = Scope(FEATURES, RULES)
DATABASE = duckdb.connect()

LEAVES = {
    "number": (
        "a", "b", '"natural"', "decks", "-3", "2", "0", "7.25", "0.5", "-1.125", "4000000000",
    ),
    "word": ("w", "v", "u", "suit", "'red'", "'it''s'", "'white'", "''"),
    "condition": ("true", "False", "b = 1", "w = 'red'", "a > 2"),
}  # fmt: skip
#: Templates of each kind: n, w and c stand for a number, a word and a condition.
FORMS = {
    "number": (
        "n + n", "n - n", "n * n", "n // n", "n % n", "(n)", "- n", "- (n)", "ABS(n)",
        "least(n, n)", "greatest(n, n, n)", "case when c then n else n end",
        "case n when n then n WHEN n then n else n end",
    ),
    "word": ("case when c then w else w end", "(w)"),
    "condition": (
        "n = n", "n <> n", "n != n", "n < n", "n <= n", "n > n", "n >= n", "w = w", "w <> w",
        "w < w", "w >= w", "(c) = (c)", "(c) < (c)", "c AND c", "c Or c and c", "not c", "(c)",
        "n in (n, n)", "n not in (n)", "w not in (w, w)", "w IN (w, w, w)", "n between n and n",
        "n not BETWEEN n and n", "w between w and w", "(c) in (c)", "case when c then c else c end",
    ),
}  # fmt: skip
KINDS = {"n": "number", "w": "word", "c": "condition"}


@st.composite
def expressions(draw: st.DrawFn, kind: str, depth: int = 3) -> str:
    """Draw the text of an expression of one kind."""

    def one(kind: str, depth: int) -> str:
        if not depth or draw(st.integers(0, 5)) == 0:
            return draw(st.sampled_from(LEAVES[kind]))
        form = draw(st.sampled_from(FORMS[kind]))
        parts = form.replace("(", "( ").replace(")", " )").replace(",", " ,").split()
        return " ".join(one(KINDS[p], depth - 1) if p in KINDS else p for p in parts)

    return one(kind, depth)


def table(seed: int) -> Table:
    random, rows = np.random.default_rng(seed), 12
    codes = {
        f.name: random.integers(f.first, f.first + f.size, rows, dtype=np.int64) for f in FEATURES
    }
    return Table(FEATURES, codes, np.ones(rows, dtype=np.int64))


def in_duckdb(text: str, rows: Table) -> list[Any]:
    """What DuckDB makes of an expression over the table as Parquet has it: text and int32."""
    columns = {
        f.name: pa.array(rows.labels(f.name), pa.string() if f.words else pa.int32())
        for f in rows.features
    }
    rules = {name: pa.array([value] * len(rows)) for name, value in RULES.items()}
    cursor = DATABASE.cursor()
    cursor.register("given", pa.table({**columns, **rules}))
    return [value for (value,) in cursor.execute(f"SELECT {text} FROM given").fetchall()]


SEEN: Counter[str] = Counter()


def compared(text: str, seed: int) -> None:
    """Compare our values with DuckDB's; count what was compared and what we refuse."""
    rows = table(seed)
    try:
        expression = guard(text, SCOPE)
        evaluated = evaluate(rows, [expression], RULES)
    except DealproofError:
        SEEN["refused"] += 1
        return
    SEEN[expression.kind] += 1
    ours = evaluated.values[0][evaluated.member].tolist()
    texts = [expression.sql(), expression.sql(RULES)]
    for sql in texts if expression.wide else [*texts, text]:
        theirs = in_duckdb(sql, rows)
        if expression.kind == "number":
            assert not any(isinstance(value, float) for value in theirs), sql
            theirs = [Fraction(value) for value in theirs]
        assert ours == theirs, sql
    if not expression.wide:
        assert guard(expression.sql(), SCOPE).node == expression.node


SETTINGS = settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


@SETTINGS
@given(expressions("number"), st.integers(0, 99))
def test_numbers_are_those_of_sql(text: str, seed: int) -> None:
    compared(text, seed)


@SETTINGS
@given(expressions("condition"), st.integers(0, 99))
def test_conditions_are_those_of_sql(text: str, seed: int) -> None:
    compared(text, seed)


@SETTINGS
@given(expressions("word", 2), st.integers(0, 99))
def test_words_are_those_of_sql(text: str, seed: int) -> None:
    compared(text, seed)


def test_a_good_part_of_what_was_drawn_was_compared() -> None:
    assert SEEN["number"] > 60, SEEN
    assert SEEN["condition"] > 60, SEEN
    assert SEEN["word"] > 60, SEEN


def test_signs_of_quotient_and_remainder() -> None:
    # Quotients drop the remainder, towards 0; a remainder has the sign of what is divided.
    rows = table(0)
    for text, value in (
        ("-7 // 2", -3), ("7 // -2", -3), ("-7 % 2", -1), ("7 % -2", 1),
        ("-7.5 % 2", Fraction(-3, 2)),
        ("2 + 7 // 2 * 3", 11), ("- 5 % 3", -2), ("10 - 2 - 3", 5), ("0.1 * 3", Fraction(3, 10)),
        ("2147483647 + 1", 2147483648), ("natural * natural * natural", None),
    ):  # fmt: skip
        expression = guard(text, SCOPE)
        evaluated = evaluate(rows, [expression], RULES)
        ours = evaluated.values[0][evaluated.member].tolist()
        if value is not None:
            assert ours == [value] * len(rows), text
        assert [Fraction(one) for one in in_duckdb(expression.sql(), rows)] == ours, text


@pytest.mark.parametrize(
    "text",
    [
        "least(7.25, b * 4000000000) * 3 % 1.125",
        "greatest(b, 7.25 - decks - natural * 4000, least(a, decks) % 0.5 * 0)",
        "abs(case when a = 0 then -1.125 else 4000000000 end) % least(7.25 - natural, 0.5)",
        "case when b = 1 then a else decks end * case when a > 2 then 4000000000 else b end",
    ],
)
def test_decimals_stay_exact_beside_long_numbers(text: str) -> None:
    # DuckDB goes over to floating point where a decimal needs more than 38 digits.
    rows = table(0)
    expression = guard(text, SCOPE)
    evaluated = evaluate(rows, [expression], RULES)
    theirs = in_duckdb(expression.sql(), rows)
    assert all(isinstance(value, int | Decimal) for value in theirs), expression.sql()
    assert evaluated.values[0][evaluated.member].tolist() == [Fraction(one) for one in theirs]


def test_reserved_names_are_those_of_duckdb() -> None:
    rows = DATABASE.execute(
        "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category IN "
        "('reserved', 'type_function')"
    ).fetchall()
    assert {name for (name,) in rows} <= RESERVED


def test_a_column_with_the_name_of_a_rule_stays_a_column() -> None:
    """As in Double Ace, which has a rule and a column `dealer_double_ace`."""
    expression = guard("w = 'black' and suit = 'black'", Scope(FEATURES, {**RULES, "w": "red"}))
    assert expression.sql({"w": "red", "suit": "black"}) == "w = 'black' AND 'black' = 'black'"
