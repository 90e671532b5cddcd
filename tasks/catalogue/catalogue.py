"""All certificates of a store as flat tables, for SQL and BI tools.

Every rational is given twice: as a float under its name, and exactly, as text, under ``…_exact``.
Numbers of deals are decimal128(38, 0): sums and products of them are exact, but DuckDB's ``/``
gives DOUBLE (``//`` divides whole numbers).
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds

from engine.exact.errors import DealproofError
from tasks.catalogue import bi_rows
from tasks.catalogue.bi_rows import Certified
from tasks.certificate.reading import OtherVersionError, read_statement
from tasks.run.jobs import run_folder
from tasks.store.parquet import file_bytes, read_file
from tasks.store.store import Store

FOLDER = "catalogue"
DATABASE = "catalogue.duckdb"
#: Information sets of a strategy that `decisions_<game>` takes in; larger ones stand in the run.
MOST = 5_000
#: Format of the database file that released drivers open.
STORAGE = "v1.0.0"
#: Key of a field's metadata that becomes the comment of a column.
_COMMENT = b"comment"
_SETS = "the hands that one information set stands for (alike in strategies says which), together"
#: What columns of `decisions_<game>` and `outcomes_<game>` hold, beside those of the game itself.
_MEANING = {
    "combinations": "deals, in the basis of the space",
    "taken": "whether the strategy takes the action here",
    "allowed": "whether the rules allow the action here",
    "ev": "expected result of the action for one hand, judged by the strategy's own wagers",
    "ev_exact": "the same as a fraction",
    "begins": "whether a round begins here",
}
_DECISIONS = {
    "combinations": f"deals of {_SETS}",
    "reached": f"deals that come here when the strategy is followed, of {_SETS}",
}


def refresh(store: Store) -> tuple[str, ...]:
    """Rebuild all tables and the database from the store's certificates.

    Returns which certificates are left out, and why: those that another version wrote.

    Each file is written aside and renamed, so that readers see a whole old or a whole new one.
    `outcomes_<game>` hold the latest run of every setting of the rules, and so do
    `decisions_<game>`: every action at every information set, for strategies of MOST sets or less.
    """
    certificates, others = _certificates(store)
    runs = sorted(
        certificates,
        key=lambda certified: (certified.game, certified.issued, certified.run),
    )
    latest = {certified.game: certified for certified in runs}
    tables = _flat(runs)
    newest = {(certified.game, certified.rules): certified for certified in runs}
    for game in latest:
        outcomes = [
            table for certified in newest.values() if certified.game == game
            for table in _outcomes(store, certified)
        ]  # fmt: skip
        decisions = [
            table for certified in newest.values() if certified.game == game
            for table in _decisions(store, certified)
        ]  # fmt: skip
        for kind, parts in (("outcomes", outcomes), ("decisions", decisions)):
            if parts:
                name = f"{kind}_{re.sub(r'[^a-z0-9]', '_', game)}"
                tables[name] = pa.concat_tables(parts, promote_options="default").combine_chunks()
    for name, table in tables.items():
        store.write(f"{FOLDER}/{name}.parquet", file_bytes(table))
    store.write(DATABASE, _database(store, tables))
    return others


def _certificates(store: Store) -> tuple[list[Certified], tuple[str, ...]]:
    """Certificates of the store, and what is said of those that another version wrote."""
    certificates, others = [], []
    for game in store.names("runs"):
        for run in store.names(f"runs/{game}"):
            if not store.exists(f"runs/{game}/{run}/certificate.json"):
                continue
            key = game.removeprefix("game="), run.removeprefix("run=")
            try:
                certificates.append(Certified(*key, read_statement(*key, store).predicate))
            except OtherVersionError as error:
                others.append(str(error))
    return certificates, tuple(others)


def _flat(runs: list[Certified]) -> dict[str, pa.Table]:
    """All tables that certificates alone tell."""
    latest = {certified.game: certified for certified in runs}
    tables = {name: bi_rows.table(runs, *entry, latest) for name, entry in bi_rows.TABLES.items()}
    games = [bi_rows.game(runs, certified) for certified in latest.values()]
    return tables | {"games": pa.Table.from_pylist(games, bi_rows.GAMES)}


def _outcomes(store: Store, certified: Certified) -> Iterator[pa.Table]:
    folder = f"{run_folder(certified.game, certified.run)}/outcomes"
    for name in store.names(folder):
        space, _, strategy = name.removesuffix(".parquet").partition("--")
        table, known = read_file(store.read(f"{folder}/{name}"))
        yield _plain(_explained(table, known), certified.run, space, strategy)


def _explained(table: pa.Table, known: Mapping[str, Any], **more: str) -> pa.Table:
    """A file's table whose fields carry what they hold, as the database will show it."""
    meanings = {item["name"]: item["description"] for item in known.get("features", ())}
    meanings |= _MEANING | more
    fields = [
        field.with_metadata({_COMMENT: meanings[field.name].encode()})
        if meanings.get(field.name)
        else field
        for field in table.schema
    ]
    return table.cast(pa.schema(fields))


def _plain(table: pa.Table, run: str, space: str, strategy: str) -> pa.Table:
    """A file's table with words as strings, and with the run, space and strategy it is of."""
    table = table.replace_schema_metadata(None)
    for at, value in enumerate((run, space, strategy)):
        column = pa.repeat(pa.scalar(value, pa.string()), table.num_rows)
        table = table.add_column(at, ("run", "space", "strategy")[at], column)
    words = [
        f.with_type(pa.string()) if pa.types.is_dictionary(f.type) else f for f in table.schema
    ]
    return table.cast(pa.schema(words))


def _decisions(store: Store, certified: Certified) -> Iterator[pa.Table]:
    folder = f"{run_folder(certified.game, certified.run)}/strategies"
    files = set(store.names(folder))
    for strategy in certified.certificate.strategies:
        name = f"{strategy.name}.parquet"
        if strategy.sets > MOST or name not in files:
            continue
        table, known = read_file(store.read(f"{folder}/{name}"))
        unit = int(known["unit"])
        exact = [
            str(Fraction(int(ev_sum), unit * int(weight))) if weight and may else None
            for ev_sum, weight, may in zip(
                table.column("ev_sum").to_pylist(),
                table.column("combinations").to_pylist(),
                table.column("allowed").to_pylist(),
                strict=True,
            )
        ]
        table = table.drop_columns(["ev_sum"])
        table = table.append_column("ev_exact", pa.array(exact, type=pa.string()))
        table = _explained(table, known, **_DECISIONS)
        yield _plain(table, certified.run, strategy.space, strategy.name)


def _database(store: Store, tables: Mapping[str, pa.Table]) -> bytes:
    """A database of views over a folder's tables; of the tables themselves for a bucket.

    (No driver can be relied on to read a bucket, or to find a folder by a relative path.)
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / DATABASE
        with duckdb.connect() as database:
            database.execute(f"ATTACH {_quoted(str(file))} AS made (STORAGE_VERSION '{STORAGE}')")
            for name, table in tables.items():
                table_name = f"made.{_named(name)}"
                if store.local:
                    path = _quoted(store.locate(f"{FOLDER}/{name}.parquet"))
                    database.execute(
                        f"CREATE VIEW {table_name} AS SELECT * FROM read_parquet({path})"
                    )
                else:
                    database.register("arrow_table", table)
                    database.execute(f"CREATE TABLE {table_name} AS SELECT * FROM arrow_table")
                    database.unregister("arrow_table")
                for field in table.schema:
                    comment = (field.metadata or {}).get(_COMMENT)
                    if comment:
                        column = f"{table_name}.{_named(field.name)}"
                        text = _quoted(comment.decode())
                        database.execute(f"COMMENT ON COLUMN {column} IS {text}")
            database.execute("DETACH made")
        return file.read_bytes()


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _named(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def query(store: Store, sql: str) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Answer one SQL question over the catalogue: column names, and rows with exact integers.

    Nothing can be written and no other file be read. Quotients of counts are floats, since
    DuckDB's ``/`` gives DOUBLE. Raises DealproofError in one line.
    """
    names = [name.removesuffix(".parquet") for name in store.names(FOLDER)]
    if not names:
        raise DealproofError(f"store {store.uri}: no catalogue; certify a game first")
    with duckdb.connect(config={"python_enable_replacements": False}) as database:
        for name in names:
            file = store.full(f"{FOLDER}/{name}.parquet")
            try:
                data = ds.dataset(file, filesystem=store.filesystem)
            except (pa.ArrowException, OSError):
                where = store.locate(f"{FOLDER}/{name}.parquet")
                message = "no Parquet file; the next certify writes it again"
                raise DealproofError(f"{where}: {message}") from None
            database.register(name, data)
        database.execute("SET enable_external_access = false; SET lock_configuration = true")
        try:
            statements = database.extract_statements(sql)
            if [statement.type for statement in statements] != [duckdb.StatementType.SELECT]:
                message = "query: expected one SELECT, nothing else is answered"
                raise DealproofError(f"{message}; tables: {', '.join(names)}")
            answer = database.execute(sql)
            columns = tuple(column[0] for column in answer.description or ())
            rows = answer.fetchall()
        except duckdb.Error as error:
            message = " ".join(str(error).split("\n\n")[0].split())
            raise DealproofError(f"query: {message}; tables: {', '.join(names)}") from None
    return columns, [tuple(_exactly(value) for value in row) for row in rows]


def _exactly(value: Any) -> Any:
    if isinstance(value, Decimal) and value == value.to_integral_value():
        return int(value)
    return value
