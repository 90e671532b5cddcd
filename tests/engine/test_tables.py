"""Tables: exact beyond int64, and the same whatever the order or the split."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.exact.errors import DealproofError
from engine.exact.tables import Table, exact_sums, exact_total, integer, same, word

FEATURES = (integer("total", "a total", 0, 9), word("winner", "who", "player", "banker", "tie"))
ROWS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2), st.integers(1, 10**37)), min_size=1)


def table(rows: list[tuple[int, int, int]]) -> Table:
    columns = list(zip(*rows, strict=True))
    codes = {"total": np.array(columns[0]), "winner": np.array(columns[1])}
    return Table.of(FEATURES, codes, np.array(columns[2], dtype=object))


@given(ROWS, st.randoms())
def test_any_order_and_split_give_one_digest(rows: list[tuple[int, int, int]], random) -> None:  # type: ignore[no-untyped-def]
    whole = table(rows)
    shuffled = random.sample(rows, len(rows))
    cut = random.randint(0, len(rows))
    parts = [table(part) for part in (shuffled[:cut], shuffled[cut:]) if part]
    merged = Table.merge(parts)
    assert merged.digest() == whole.digest()
    assert same(merged, whole)
    assert whole.deals == sum(count for _, _, count in rows)


@given(ROWS)
def test_one_deal_more_is_another_digest(rows: list[tuple[int, int, int]]) -> None:
    total, winner, count = rows[0]
    assert table([(total, winner, count + 1), *rows[1:]]).digest() != table(rows).digest()


def test_sums_leave_int64_before_they_wrap() -> None:
    counts = np.full(4, 1 << 62, dtype=np.int64)
    assert exact_total(counts) == 1 << 64
    sums = exact_sums(np.zeros(4, dtype=np.int64), 1, counts, np.full(4, 3))
    assert sums.tolist() == [3 << 64]


def test_equal_rows_merge_and_empty_ones_vanish() -> None:
    merged = table([(1, 0, 5), (1, 0, 7), (2, 2, 1)])
    assert [merged.row(i) for i in range(len(merged))] == [
        {"total": 1, "winner": "player"},
        {"total": 2, "winner": "tie"},
    ]
    assert merged.combinations.tolist() == [12, 1]
    none = Table.of(FEATURES, {"total": np.array([1]), "winner": np.array([1])}, np.array([0]))
    assert len(none) == 0


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        Table.of(FEATURES, {"total": np.array([1]), "winner": np.array([1])}, np.array([-1]))


def test_an_unknown_column_is_answered_with_the_nearest() -> None:
    with pytest.raises(DealproofError, match="did you mean 'winner'"):
        table([(1, 0, 5)]).feature("winer")
