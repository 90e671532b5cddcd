"""Random rounds against the exact tables, column by column, whatever the wagers read of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.contract.game import Key
from engine.exact.tables import Codes, Table, exact_sums
from tasks.certificate.check import named
from tasks.certificate.goodness_of_fit import Test, fit


@dataclass(frozen=True)
class Columns:
    """Tests of all columns of the simulated tables, and simulated rows that the exact lack."""

    tests: tuple[Test, ...]
    strays: tuple[str, ...]


def compare(exact: dict[Key, Table], simulated: dict[Key, Table]) -> Columns:
    """Test every column of every table that both have, action by action."""
    tests: list[Test] = []
    strays: list[str] = []
    for key, drawn in simulated.items():
        table = exact.get(key)
        if table is None:
            continue
        names = [name for name in table.names if name in drawn.names]
        stray = _stray(table, drawn, names)
        if stray:
            strays.append(f"{named(key)}: a simulated row that no deal gives: {stray}")
        for action, ours, theirs in _by_action(table, drawn):
            for name in names:
                if name != "action":
                    what = f"{name} after {action}" if action else name
                    found, _ = fit(_cells(ours, theirs, name), f"{named(key)}: {what}", None)
                    tests += found
    return Columns(tuple(tests), tuple(strays))


def _stray(exact: Table, drawn: Table, names: list[str]) -> str:
    """The first simulated row, in words, that the exact table does not have."""
    width = np.dtype((np.void, np.dtype(np.int64).itemsize * len(names)))
    known, rows = (
        np.stack([table.codes[name] for name in names], axis=1).astype(np.int64).view(width)
        for table in (exact, drawn)
    )
    missing = np.flatnonzero(~np.isin(rows.reshape(-1), known.reshape(-1)))
    if not len(missing):
        return ""
    row = drawn.row(int(missing[0]))
    return ", ".join(f"{name} = {value}" for name, value in row.items())


def _by_action(exact: Table, drawn: Table) -> Iterator[tuple[str, Table, Table]]:
    """Both tables, or in an action table their rows of each action, which cover all deals."""
    if "action" not in exact.names or "action" not in drawn.names:
        yield "", exact, drawn
        return
    feature = exact.feature("action")
    for code in np.unique(exact.codes["action"]).tolist():
        ours, theirs = (table.where(table.codes["action"] == code) for table in (exact, drawn))
        if len(theirs):
            yield str(feature.label(code)), ours, theirs


def _cells(exact: Table, drawn: Table, name: str) -> list[tuple[float, int]]:
    """Expected and observed rounds of every value of a column that some deal gives."""
    expected, observed = _sums(exact, name), _sums(drawn, name)
    deals, rounds = sum(expected), sum(observed)
    return [
        (rounds * (count / deals), seen)
        for count, seen in zip(expected, observed, strict=True)
        if count
    ]


def _sums(table: Table, name: str) -> list[int]:
    feature = table.feature(name)
    codes: Codes = table.codes[name] - feature.first
    return [int(total) for total in exact_sums(codes, feature.size, table.combinations)]
