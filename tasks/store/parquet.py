"""Tables and strategies as Parquet: exact, typed, the same bytes for the same content.

Words are dictionary-encoded strings, integers int32, counts decimal128(38, 0), which pyarrow,
DuckDB, polars and pandas all read without loss.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from engine.contract.strategy import Reach, Strategy
from engine.exact.digest import canonical_json
from engine.exact.errors import DealproofError
from engine.exact.tables import FLOAT64, INT64, Codes, Counts, Feature, Table

COUNT = pa.decimal128(38, 0)
_WORDS = (pa.dictionary(pa.int32(), pa.string()), pa.string())
_KEY = b"dealproof"


def counts_column(counts: Counts) -> pa.Array:
    """Numbers of deals as decimal128(38, 0); refuses what 38 digits cannot hold."""
    if counts.dtype != object:
        return pa.array(counts.astype(np.int64)).cast(COUNT)
    if len(counts) and max(map(abs, counts)) >= 10**38:
        raise DealproofError("a number of deals has more than 38 digits, which no file can hold")
    return pa.array([Decimal(int(count)) for count in counts], type=COUNT)


def counts_of(column: pa.ChunkedArray) -> Counts:
    """Numbers of deals of a column: int64 where all fit, Python integers otherwise."""
    largest = pc.max(column).as_py()
    if largest is None or largest < INT64:
        return np.asarray(column.cast(pa.int64()).to_numpy())
    return np.array([int(value) for value in column.to_pylist()], dtype=object)


def texts_column(values: Counts) -> pa.Array:
    """Integers of any size and sign as exact text."""
    if values.dtype != object:
        return pa.array(values.astype(np.int64)).cast(pa.string())
    return pa.array([str(int(value)) for value in values], type=pa.string())


def integers_of(column: pa.ChunkedArray) -> Counts:
    """Integers of a column of exact text: int64 where all fit, Python integers otherwise."""
    try:
        return np.asarray(column.cast(pa.int64()).to_numpy())
    except pa.ArrowInvalid:
        return np.array([int(value) for value in column.to_pylist()], dtype=object)


def ratios(over: Counts, under: Counts, unit: int = 1) -> NDArray[np.float64]:
    """Quotients `over` / (`unit` × `under`), each rounded once, as floats for display."""
    if not len(over):
        return np.zeros(0)
    peak = max(abs(int(v)) for v in (over.max(), over.min(), under.max() * unit))
    if peak <= FLOAT64:
        quotients: NDArray[np.float64] = over.astype(float) / (under.astype(float) * unit)
        return quotients
    return np.array([int(a) / (unit * int(b)) for a, b in zip(over, under, strict=True)])


def feature_column(feature: Feature, codes: Codes) -> pa.Array:
    """One feature column as a reader sees it."""
    if not feature.words:
        return pa.array(codes.astype(np.int32))
    words = pa.array(feature.words, type=pa.string())
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), words)


def _codes(feature: Feature, column: pa.ChunkedArray) -> Codes:
    if not feature.words:
        codes = column.to_numpy().astype(np.int64)
    else:
        index = pc.index_in(_plain(column), value_set=pa.array(feature.words, type=pa.string()))
        codes = index.fill_null(-1).to_numpy().astype(np.int64)
    outside = (codes < feature.first) | (codes >= feature.first + feature.size)
    if outside.any():
        raise DealproofError(f"column {feature.name} holds a value outside its bounds")
    return np.asarray(codes)


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column


def arrow_table(table: Table) -> pa.Table:
    """A table with readable columns and exact counts, for files and for BI."""
    columns = {f.name: feature_column(f, table.codes[f.name]) for f in table.features}
    return pa.table(columns | {"combinations": counts_column(table.combinations)})


def table_bytes(table: Table, metadata: Mapping[str, Any]) -> bytes:
    """Write a table as one Parquet file, rows canonical, with JSON metadata.

    The features and the content digest are added, so that the file explains and proves itself.
    """
    canonical = Table.of(table.features, table.codes, table.combinations)
    known = {**metadata, "features": features_json(table.features), "content": canonical.digest()}
    return file_bytes(arrow_table(canonical), known)


def read_table(
    data: bytes, features: Sequence[Feature] | None = None
) -> tuple[Table, dict[str, Any]]:
    """Read a table and its metadata; raise DealproofError where the content is not what it was.

    With `features` the file's columns have to be some of these, in their order. The metadata is
    as written, and under ``digest`` the digest of the content as read.
    """
    arrow, metadata = read_file(data)
    try:
        written = [_feature(item) for item in metadata["features"]]
        content = metadata["content"]
    except (KeyError, TypeError, ValueError, AttributeError):
        raise DealproofError("not a table of Dealproof: its metadata is missing") from None
    if features is not None:
        names = {feature.name for feature in written}
        if [f for f in features if f.name in names] != written:
            raise DealproofError("columns are not those of the space")
    kinds = {f.name: _WORDS if f.words else (pa.int32(),) for f in written}
    kinds["combinations"] = (COUNT,)
    if arrow.column_names != list(kinds) or any(f.type not in kinds[f.name] for f in arrow.schema):
        raise DealproofError("columns are not those that the metadata names")
    codes = {f.name: _codes(f, arrow.column(f.name)) for f in written}
    table = Table(tuple(written), codes, counts_of(arrow.column("combinations")))
    read = table.digest()
    if read != content:
        raise DealproofError("the content does not have the digest that was written with it")
    return table, {**metadata, "digest": read}


def strategy_bytes(strategy: Strategy, metadata: Mapping[str, Any] | None = None) -> bytes:
    """Write a strategy: one row per information set and action.

    `ev_sum` is net × combinations as an exact integer over the metadata's `unit`; `ev` the same per
    deal and base unit, as a float for display. Where decisions come in sequence, `reached` counts
    the deals that come to the set under the strategy, out of the metadata's `deals`, and `begins`
    marks the sets of a first decision.
    """
    sets, width = len(strategy), len(strategy.actions)
    columns = {
        f.name: feature_column(f, np.repeat(strategy.sets[f.name], width))
        for f in strategy.information
    }
    action = Feature("action", "", words=strategy.actions)
    columns["action"] = feature_column(action, np.tile(np.arange(width), sets))
    taken = np.repeat(strategy.action, width) == np.tile(np.arange(width), sets)
    columns["taken"] = pa.array(taken)
    columns["allowed"] = pa.array(strategy.allowed.ravel())
    weight: Counts = np.repeat(strategy.deals, width)  # type: ignore[assignment]
    columns["combinations"] = counts_column(weight)
    ev_sum: Counts = strategy.ev_sum.ravel()
    columns["ev_sum"] = texts_column(ev_sum)
    columns["ev"] = pa.array(ratios(ev_sum, weight, strategy.unit))
    known: dict[str, Any] = {
        "strategy": strategy.name,
        "space": strategy.space,
        "unit": str(strategy.unit),
        "actions": list(strategy.actions),
        "features": features_json(strategy.information),
        "content": strategy.digest(),
    }
    if strategy.reach is not None:
        reached: Counts = np.repeat(strategy.reach.reached, width)  # type: ignore[assignment]
        columns["reached"] = counts_column(reached)
        columns["begins"] = pa.array(np.repeat(strategy.reach.begins, width))
        known["deals"] = str(strategy.deals_total)
    return file_bytes(pa.table(columns), {**(metadata or {}), **known})


def read_strategy(data: bytes) -> tuple[Strategy, dict[str, Any]]:
    """Read a strategy and its metadata; raise DealproofError where its digest does not agree."""
    arrow, metadata = read_file(data)
    try:
        strategy = _strategy(arrow, metadata)
        content = metadata["content"]
    except (LookupError, TypeError, ValueError, AttributeError, pa.ArrowException):
        raise DealproofError(
            "not a strategy of Dealproof: columns or metadata are missing"
        ) from None
    if strategy.digest() != content:
        raise DealproofError("the strategy does not have the digest that was written with it")
    return strategy, metadata


def _strategy(arrow: pa.Table, metadata: Mapping[str, Any]) -> Strategy:
    features = tuple(_feature(item) for item in metadata["features"])
    actions = tuple(metadata["actions"])
    width = len(actions)
    shape = (arrow.num_rows // width, width)
    return Strategy(
        metadata["strategy"],
        metadata["space"],
        features,
        {f.name: _codes(f, arrow.column(f.name))[::width] for f in features},
        actions,
        arrow.column("taken").to_numpy().reshape(shape).argmax(axis=1).astype(np.int64),
        counts_of(arrow.column("combinations"))[::width],
        integers_of(arrow.column("ev_sum")).reshape(shape),
        int(metadata["unit"]),
        arrow.column("allowed").to_numpy().reshape(shape).astype(bool),
        _course(arrow, metadata, width),
    )


def _course(arrow: pa.Table, metadata: Mapping[str, Any], width: int) -> Reach | None:
    if "reached" not in arrow.column_names:
        return None
    begins = arrow.column("begins").to_numpy()[::width].astype(bool)
    return Reach(int(metadata["deals"]), counts_of(arrow.column("reached"))[::width], begins)


def file_bytes(arrow: pa.Table, metadata: Mapping[str, Any] | None = None) -> bytes:
    """Write an Arrow table as Parquet with fixed settings."""
    if metadata is not None:
        arrow = arrow.replace_schema_metadata({_KEY: canonical_json(metadata).encode()})
    sink = pa.BufferOutputStream()
    pq.write_table(
        arrow,
        sink,
        version="2.6",
        compression="zstd",
        compression_level=1,
        write_page_checksum=True,
    )
    return bytes(sink.getvalue())


def read_file(data: bytes) -> tuple[pa.Table, dict[str, Any]]:
    """Read a Parquet file and its metadata; raise DealproofError where it is damaged."""
    try:
        # One thread: parts are small, and handing them to a pool costs more than reading them.
        with pq.ParquetFile(pa.BufferReader(data), page_checksum_verification=True) as file:
            arrow = file.read(use_threads=False)
        arrow.validate(full=True)
        metadata = json.loads((arrow.schema.metadata or {}).get(_KEY, b"{}"))
    except (pa.ArrowException, OSError, ValueError, LookupError) as error:
        reason = " ".join(str(error).split())
        raise DealproofError(f"damaged Parquet file: {reason}") from None
    return arrow, metadata


def features_json(features: Sequence[Feature]) -> list[dict[str, Any]]:
    """Columns as a file's metadata describes them."""
    return [
        {"name": f.name, "description": f.description}
        | ({"words": list(f.words)} if f.words else {"low": f.low, "high": f.high})
        for f in features
    ]


def _feature(item: Mapping[str, Any]) -> Feature:
    low, high, words = item.get("low", 0), item.get("high", 0), tuple(item.get("words", ()))
    return Feature(item["name"], item["description"], low, high, words)
