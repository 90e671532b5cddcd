"""`dealproof query`: SQL over everything that was certified."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from flows.views import show
from flows.views.options import STORE, Json, Store

EXAMPLE = """\b
Examples: dealproof query "SELECT game, wager, strategy, house_edge_exact FROM wagers"
          dealproof query "SHOW TABLES"
          dealproof query "SELECT sum(combinations) FROM outcomes_fu_bacc" --json
"""


def command(
    sql: Annotated[str, typer.Argument(metavar="SQL", help="One query in DuckDB's SQL.")],
    store: Store = STORE,
    as_json: Json = False,
) -> None:
    """Ask the catalogue of results in SQL. Counts and their sums are exact integers.

    `/` gives a float in DuckDB; `//` divides whole numbers. Rationals stand exactly, as text, in
    the columns whose names end in `_exact`.
    """
    from tasks.catalogue.catalogue import query

    columns, rows = query(existing(store), sql)
    if as_json:
        show.emit([dict(zip(columns, map(_json, row), strict=True)) for row in rows])
        return
    numbers = [all(isinstance(row[k], (int, float)) for row in rows) for k in range(len(columns))]
    show.table(columns, [[_text(value) for value in row] for row in rows], right=numbers)


def existing(store: str) -> Any:
    """Open a store to read from; one that is not there is an error and is not made."""
    from pathlib import Path

    from engine.exact.errors import DealproofError
    from tasks.store.store import Store as Place

    if "://" not in store and Path(store).expanduser().is_file():
        raise DealproofError(f"store {store}: a file; allowed: a folder, or s3://bucket/prefix")
    if "://" not in store and not Path(store).expanduser().is_dir():
        raise DealproofError(f"store {store}: no such folder; certify a game first")
    return Place(store if "://" in store else str(Path(store).expanduser().absolute()))


def _json(value: Any) -> Any:
    return value if isinstance(value, (bool, int, float, str, type(None))) else str(value)


def _text(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)
