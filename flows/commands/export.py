"""`dealproof export`: the PAR sheet as a workbook, and every table as CSV."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Annotated, Any

import typer

from engine.exact.rendering import count
from flows.commands.query import existing
from flows.views.options import STORE, Store

EXAMPLE = """
Examples: dealproof export fu-bacc --xlsx fu-bacc.xlsx
          dealproof export results/certificates/fu-bacc-1a2b3c4d5e6f7a8b.json --csv tables/
"""


def command(
    certificate: Annotated[
        str,
        typer.Argument(metavar="CERTIFICATE", help="Its file; or a game, for its latest run."),
    ],
    xlsx: Annotated[
        Path | None, typer.Option("--xlsx", metavar="FILE", help="Write the PAR sheet here.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FOLDER", help="Write every table here.")
    ] = None,
    store: Store = STORE,
) -> None:
    """Write a certificate as a PAR sheet, whose formulas are live (change a pay in the XLSX, and
    the edge moves), or as CSV files, one for each table.
    """
    from engine.exact.errors import DealproofError
    from flows.views import show
    from tasks.export import workbook, write_csv

    if xlsx is None and csv is None:
        raise typer.BadParameter("say what to write: --xlsx FILE or --csv FOLDER")
    statement, data = _read(certificate, store)
    if xlsx is not None:
        if xlsx.suffix.lower() != ".xlsx":
            raise DealproofError(f"--xlsx {xlsx}: a file that ends in .xlsx")
        show.write(xlsx, workbook(statement, hashlib.sha256(data).hexdigest()))
    if csv is not None:
        files = write_csv(statement, csv)
        print(f"{csv}: {count(len(files))} tables: {', '.join(path.stem for path in files)}")


def _read(certificate: str, store: str) -> tuple[Any, bytes]:
    """A certificate and the bytes of its file. Raises DealproofError."""
    from engine.exact.errors import DealproofError
    from flows.commands.runs import runs_in
    from tasks.certificate.model import validated
    from tasks.run.jobs import run_folder
    from tasks.verify.evidence import opened

    if certificate.endswith((".json", ".dsse")):
        evidence, _ = opened(Path(certificate))
        return evidence.statement, evidence.text
    place = existing(store)
    finished = [run for run in runs_in(place, certificate) if run["issued"]]
    if not finished:
        raise DealproofError(f"store {place.uri}: no finished run of '{certificate}'")
    run = finished[-1]["run"]
    data = place.read(f"{run_folder(certificate, run)}/certificate.json")
    return validated(json.loads(data)), data
