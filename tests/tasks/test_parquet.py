"""Files: exact, typed, the same bytes for the same content, and proof against damage."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.analysis import Analysis, analyse
from engine.exact.errors import DealproofError
from engine.exact.tables import Table, integer, same, word
from engine.spec.model import Spec
from tasks.store.parquet import (
    file_bytes,
    read_file,
    read_strategy,
    read_table,
    strategy_bytes,
    table_bytes,
)

FEATURES = (
    integer("margin", "points between the hands", -9, 9),
    word("winner", "who wins", "player", "tie", "dealer"),
)
ROWS = st.lists(
    st.tuples(st.integers(-9, 9), st.integers(0, 2), st.integers(1, 10**36) | st.integers(1, 1000)),
    min_size=1,
    max_size=12,
)


def table_of(rows: Sequence[tuple[int, int, int]]) -> Table:
    margin, winner, counts = zip(*rows, strict=True)
    codes = {"margin": np.array(margin), "winner": np.array(winner)}
    return Table.of(FEATURES, codes, np.array([int(c) for c in counts], dtype=object))


@pytest.fixture(scope="module")
def exact(spec: Spec) -> Analysis:
    return analyse(spec)


@given(rows=ROWS)
def test_a_table_is_read_as_it_was_written(rows: list[tuple[int, int, int]]) -> None:
    table = table_of(rows)
    read, text = read_table(table_bytes(table, {"game": "g", "lo": 3}), FEATURES)
    assert same(read, table)
    assert read.combinations.dtype == table.combinations.dtype
    assert (text["game"], text["lo"], text["content"]) == ("g", 3, table.digest())


@given(rows=ROWS, seed=st.integers(0, 99))
def test_the_same_content_is_the_same_bytes(rows: list[tuple[int, int, int]], seed: int) -> None:
    shuffled = random.Random(seed).sample(rows, len(rows))
    plain = {
        name: np.array([r[k] for r in shuffled]) for k, name in enumerate(("margin", "winner"))
    }
    unsorted = Table(FEATURES, plain, np.array([r[2] for r in shuffled], dtype=object))
    assert table_bytes(unsorted, {}) == table_bytes(table_of(rows), {})


def test_any_tool_reads_exact_counts(tmp_path: Path) -> None:
    most = 10**38 - 1
    data = table_bytes(table_of([(1, 0, most - 2**53 - 1), (-4, 2, 2**53 + 1)]), {})
    arrow = pq.read_table(io.BytesIO(data))
    kinds = [str(field.type) for field in arrow.schema]
    assert kinds == ["int32", "dictionary<values=string, indices=int32, ordered=0>",
                     "decimal128(38, 0)"]  # fmt: skip
    (tmp_path / "file.parquet").write_bytes(data)
    with duckdb.connect() as database:
        database.execute(f"CREATE VIEW file AS FROM '{tmp_path}/file.parquet'")
        rows = database.execute("SELECT winner, combinations FROM file ORDER BY margin").fetchall()
        total = database.execute("SELECT sum(combinations) FROM file").fetchall()
    assert rows == [("dealer", Decimal(2**53 + 1)), ("player", Decimal(most - 2**53 - 1))]
    assert total == [(Decimal(most),)]


def test_more_than_38_digits_are_refused() -> None:
    with pytest.raises(DealproofError, match="more than 38 digits"):
        table_bytes(table_of([(0, 1, 10**38)]), {})


def test_no_flipped_byte_goes_unseen() -> None:
    table = table_of([(margin, margin % 3, 10**20 + margin) for margin in range(-9, 10)])
    data = table_bytes(table, {"game": "g"})
    refused = 0
    for position in range(len(data)):
        damaged = bytearray(data)
        damaged[position] ^= 1 << (position % 8)
        try:
            read, text = read_table(bytes(damaged), FEATURES)
        except DealproofError:
            refused += 1
        else:
            # Bytes that nothing depends on: padding, statistics, the writer's name.
            assert same(read, table)
            assert text["content"] == table.digest()
    assert refused > len(data) // 3


@pytest.mark.parametrize("kept", [0, 3, 100, -1])
def test_a_cut_file_is_refused(kept: int) -> None:
    data = table_bytes(table_of([(1, 0, 5)]), {})
    with pytest.raises(DealproofError, match="damaged Parquet file"):
        read_table(data[:kept])


def test_a_changed_count_is_refused() -> None:
    arrow, text = read_file(table_bytes(table_of([(1, 0, 5), (2, 0, 7)]), {}))
    counts = pa.array([Decimal(5), Decimal(8)], type=pa.decimal128(38, 0))
    forged = file_bytes(arrow.set_column(2, "combinations", counts), text)
    with pytest.raises(DealproofError, match="digest that was written with it"):
        read_table(forged)


def test_a_value_outside_its_column_is_refused() -> None:
    arrow, text = read_file(table_bytes(table_of([(1, 0, 5)]), {}))
    forged = file_bytes(arrow.set_column(1, "winner", pa.array(["bank"])), text)
    with pytest.raises(DealproofError, match="winner holds a value outside its bounds"):
        read_table(forged)


def test_other_columns_than_the_space_has_are_refused() -> None:
    data = table_bytes(table_of([(1, 0, 5)]), {})
    with pytest.raises(DealproofError, match="not those of the space"):
        read_table(data, (integer("margin", "points between the hands", -8, 8), FEATURES[1]))


def test_a_stranger_is_told_from_a_table() -> None:
    with pytest.raises(DealproofError, match="not a table of Dealproof"):
        read_table(file_bytes(pa.table({"a": [1]})))
    with pytest.raises(DealproofError, match="not a strategy of Dealproof"):
        read_strategy(file_bytes(pa.table({"a": [1]})))


def test_strategies_are_read_as_they_were_written(exact: Analysis) -> None:
    for strategy in exact.strategies.values():
        read, _ = read_strategy(strategy_bytes(strategy))
        assert read.digest() == strategy.digest()
        assert np.array_equal(read.ev_sum, strategy.ev_sum)
        assert np.array_equal(read.deals, strategy.deals)
        assert np.array_equal(read.allowed, strategy.allowed)
        assert (read.unit, read.information) == (strategy.unit, strategy.information)
        assert strategy_bytes(read) == strategy_bytes(strategy)


def test_a_forged_decision_is_refused(exact: Analysis) -> None:
    arrow, text = read_file(strategy_bytes(exact.strategies["optimal"]))
    chosen = arrow.column("taken").to_pylist()
    chosen[:6] = [*chosen[3:6], *chosen[:3]]
    position = arrow.column_names.index("taken")
    forged = file_bytes(arrow.set_column(position, "taken", pa.array(chosen)), text)
    with pytest.raises(DealproofError, match="digest"):
        read_strategy(forged)
