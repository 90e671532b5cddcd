"""How a grid is cut to fit a page: panels side by side, or one line of tiles per column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

C = TypeVar("C")

#: Cells that fit side by side on a page, a row's label counted as LABEL of them.
ACROSS, LABEL = 38, 2.4
#: Rows that one panel holds before a second one is opened beside it.
TALL = 22


@dataclass(frozen=True)
class Panel(Generic[C]):
    """Rows of a chart that stand under one head: label and cells."""

    rows: tuple[tuple[str, tuple[C | None, ...]], ...]


def panels(
    names: Sequence[str], groups: Sequence[str], grid: Sequence[Sequence[C | None]], columns: int
) -> tuple[Panel[C], ...]:
    """Cut a long grid into panels of about equal height, between groups of rows where it can."""
    most = max(1, int(ACROSS / (columns + LABEL)))
    wanted = min(most, -(-len(names) // TALL))
    rows = [(name, tuple(line)) for name, line in zip(names, grid, strict=True)]
    starts = [i for i in range(1, len(rows)) if groups[i] != groups[i - 1]]
    cuts = [0]
    for number in range(1, wanted):
        ideal = len(rows) * number / wanted
        near = [i for i in starts if abs(i - ideal) <= TALL / 4 and i > cuts[-1]]
        cuts.append(min(near, key=lambda i: abs(i - ideal)) if near else int(ideal))
    ends = [*cuts[1:], len(rows)]
    return tuple(Panel(tuple(rows[a:b])) for a, b in zip(cuts, ends, strict=True))


def tiles(
    names: Sequence[str], columns: Sequence[str], grid: Sequence[Sequence[C | None]]
) -> tuple[tuple[str, tuple[tuple[str, C], ...]], ...]:
    """Lay rows out as tiles by column, where every row has a cell in one column only.

    A grid of that kind would be a diagonal of cells in empty space. Other grids give nothing.
    """
    rows = [[(c, cell) for c, cell in enumerate(line) if cell is not None] for line in grid]
    if len(columns) < 2 or len(names) < TALL or any(len(cells) != 1 for cells in rows):
        return ()
    tiles_of: list[list[tuple[str, C]]] = [[] for _ in columns]
    for name, ((column, cell),) in zip(names, rows, strict=True):
        tiles_of[column].append((name, cell))
    return tuple((column, tuple(line)) for column, line in zip(columns, tiles_of, strict=True))
