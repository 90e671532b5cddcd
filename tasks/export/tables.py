"""Every table of a certificate as a CSV file, the same columns as the catalogue's."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
from pyarrow import csv

from engine.exact.errors import DealproofError
from tasks.catalogue import bi_rows
from tasks.catalogue.bi_rows import Certified
from tasks.certificate.model import Statement


def write_csv(statement: Statement, folder: Path) -> list[Path]:
    """Write one file for each table that has rows; returns their paths. Raises DealproofError."""
    predicate = statement.predicate
    certified = Certified(predicate.game, predicate.run.id, predicate)
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, entry in bi_rows.TABLES.items():
            table = bi_rows.table([certified], *entry, {predicate.game: certified})
            if table.num_rows:
                path = folder / f"{name}.csv"
                csv.write_csv(_plain(table), path)
                written.append(path)
    except OSError as error:
        raise DealproofError(f"{folder}: {error.strerror or error}") from None
    return written


def _plain(table: pa.Table) -> pa.Table:
    """Counts as text: a spreadsheet would round them."""
    fields = [
        field.with_type(pa.string()) if pa.types.is_decimal(field.type) else field
        for field in table.schema
    ]
    return table.cast(pa.schema(fields))
