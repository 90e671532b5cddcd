"""What commands print: exact numbers as text, tables, JSON."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

#: A rule under the head and over a sum, and no other line.
_RULED = "    \n    \n ── \n    \n ── \n ── \n    \n    \n"
#: Terminal colours of actions, in the order in which a game lists them.
PALETTE = ("red", "yellow", "green", "cyan", "magenta", "blue")


def decimal(value: Fraction, places: int = 6) -> str:
    """Write a rational to some decimals, rounded exactly, halves away from zero."""
    scaled = abs(value) * 10**places
    digits = str((2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator))
    digits = digits.rjust(places + 1, "0")
    sign = "-" if value < 0 and digits.strip("0") else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else sign + digits


def percent(value: Fraction, places: int = 4) -> str:
    """Write a rational as a percentage."""
    return decimal(100 * value, places) + "%"


def count(value: int) -> str:
    """Write an integer with its thousands parted."""
    return f"{value:,}"


def rules(settings: dict[str, int | str]) -> str:
    """Write rule values on one line."""
    return ", ".join(f"{name} = {value}" for name, value in settings.items()) or "no rules"


def emit(value: Any) -> None:
    """Print one JSON document on stdout."""
    print(json.dumps(value, indent=2, ensure_ascii=False, default=_plain))


def write(path: Path, data: bytes) -> None:
    """Write a file and say so; raise DealproofError where that cannot be done."""
    from engine.errors import DealproofError

    try:
        path.write_bytes(data)
    except OSError as error:
        raise DealproofError(f"--out {path}: {error.strerror}") from None
    print(f"{path}: {count(len(data))} bytes")


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return {"exact": str(value), "decimal": decimal(value, 12)}
    if hasattr(value, "items"):
        return dict(value.items())
    raise TypeError(f"{type(value).__name__} has no JSON form")


def console(stderr: bool = False, wide: int = 10_000) -> Console:
    """A rich console as wide as the terminal, `wide` characters at most.

    Without it nothing is ever wrapped that goes to a file or a pipe.
    """
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = min(shutil.get_terminal_size().columns, wide) if stream.isatty() else wide
    return Console(stderr=stderr, width=width, highlight=False, markup=False, soft_wrap=False)


def table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    left: int = 1,
    last: bool = False,
    right: bool | Sequence[bool] = True,
    wide: int = 10_000,
) -> None:
    """Print a table: the first `left` columns to the left, the others as numbers to the right.

    With `last` the closing row is a sum, ruled off. With `right` False all columns are text; a
    sequence tells it for every column. Long texts go on in a further line from `wide` characters
    on; the first column never does.
    """
    from rich.box import Box
    from rich.table import Table
    from rich.text import Text

    lines = [[cell if isinstance(cell, Text) else Text(str(cell)) for cell in row] for row in rows]
    shown = Table(box=Box(_RULED), pad_edge=False, show_edge=False, padding=(0, 1))
    for index, column in enumerate(columns):
        number = right and index >= left if isinstance(right, bool) else right[index]
        shown.add_column(
            column, justify="right" if number else "left", no_wrap=wide < 10_000 and index == 0
        )
    for place, line in enumerate(lines, start=1):
        shown.add_row(*line, end_section=last and place == len(lines) - 1)
    console(wide=wide).print(shown)
