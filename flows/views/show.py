"""What commands print: exact numbers as text, tables, JSON."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.exact.rendering import count, document, floating

if TYPE_CHECKING:
    from rich.console import Console

#: What stands between two columns.
_GAP = "   "
#: Characters that a folded column has at least.
NARROWEST = 20
_CODES = {"red": 31, "green": 32, "yellow": 33, "blue": 34, "magenta": 35, "cyan": 36}
_COLOUR = re.compile(r"\x1b\[[0-9]+m")
#: Terminal colours of actions, in the order in which a game lists them.
PALETTE = ("red", "yellow", "green", "cyan", "magenta", "blue")


def rules(settings: dict[str, int | str]) -> str:
    """Write rule values on one line."""
    return ", ".join(f"{name} = {value}" for name, value in settings.items()) or "no rules"


def phases(seconds: Mapping[str, float]) -> str:
    """Write what each phase of a run takes, in seconds."""
    return ", ".join(f"{name} {floating(value, 0)}" for name, value in seconds.items())


def emit(value: Any) -> None:
    """Print one JSON document on stdout, its numbers exact."""
    print(json.dumps(document(value), indent=2, ensure_ascii=False))


def write(path: Path, data: bytes) -> None:
    """Write a file and say so; raise DealproofError where that cannot be done."""
    from engine.exact.errors import DealproofError

    try:
        path.write_bytes(data)
    except OSError as error:
        raise DealproofError(f"--out {path}: {error.strerror}") from None
    print(f"{path}: {count(len(data))} bytes")


def console(stderr: bool = False) -> Console:
    """A rich console as wide as the terminal; nothing is wrapped that goes to a file or a pipe."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = shutil.get_terminal_size().columns if stream.isatty() else 10_000
    return Console(stderr=stderr, width=width, highlight=False, markup=False, soft_wrap=False)


def coloured(text: str, colour: str) -> str:
    """Text in a colour of `PALETTE` where stdout is a terminal, else as it is."""
    if not text or "NO_COLOR" in os.environ or not sys.stdout.isatty():
        return text
    return f"\x1b[{_CODES[colour]}m{text}\x1b[0m"


def table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    left: int = 1,
    last: bool = False,
    right: bool | Sequence[bool] = True,
    wide: int | None = None,
) -> None:
    """Print a table: the first `left` columns to the left, the others as numbers to the right.

    With `last` the closing row is a sum, ruled off. With `right` False all columns are text; a
    sequence tells it for every column. With `wide`, texts beyond the first column go on in further
    lines, so that a line has so many characters at most.
    """
    lines = [list(columns), *([str(cell) for cell in row] for row in rows)]
    widths = [max(map(_width, cells)) for cells in zip(*lines, strict=True)]
    gaps = len(_GAP) * (len(widths) - 1)
    if wide is not None:
        while sum(widths) + gaps > wide and max(widths[1:]) > NARROWEST:
            widths[widths.index(max(widths[1:]), 1)] -= 1
    numbers = [
        right and index >= left if isinstance(right, bool) else right[index]
        for index in range(len(columns))
    ]
    rule = "─" * (sum(widths) + gaps)
    for place, cells in enumerate(lines):
        if last and place == len(lines) - 1:
            print(rule)
        folded = [
            [cell] if _width(cell) <= width else textwrap.wrap(cell, width, break_on_hyphens=False)
            for cell, width in zip(cells, widths, strict=True)
        ]
        for line in zip_longest(*folded, fillvalue=""):
            padded = [
                " " * (width - _width(cell)) + cell
                if number
                else cell + " " * (width - _width(cell))
                for cell, width, number in zip(line, widths, numbers, strict=True)
            ]
            print(_GAP.join(padded).rstrip())
        if place == 0:
            print(rule)


def _width(text: str) -> int:
    """Places that a text takes, colours aside."""
    return len(_COLOUR.sub("", text))
