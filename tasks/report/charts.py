"""A strategy as a grid of coloured cells: starting hand by dealer card, exceptions outlined."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.spec import Chart
from engine.strategy import Strategy

#: Fills that differ in lightness too, so that a grey print still tells them apart.
FILLS = ("#f3d9cf", "#f2e3a6", "#dfe9dc", "#9dc3d9", "#c9b6d9", "#d8d8d8", "#b9d7a8", "#e7a977")


@dataclass(frozen=True)
class Cell:
    """One square: letters and fill of its actions, and whether an exception lies in it."""

    letters: str
    fill: str
    differs: bool
    told: str


@dataclass(frozen=True)
class Grid:
    """A drawn chart: `rows` pairs each label with its cells."""

    title: str
    strategy: str
    against: str | None
    row_title: str
    column_title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell | None, ...]], ...]
    legend: tuple[tuple[str, str, str], ...]
    wide: bool


def letters(actions: Sequence[str]) -> dict[str, str]:
    """Shortest initials that tell the actions apart: fold F, stand S, draw D, fold and draw FD."""
    found: dict[str, str] = {}
    for action in actions:
        words = [word for word in action.replace("-", " ").split() if word != "and"]
        short = "".join(word[0] for word in words).upper()
        length = 1
        while short in found.values():
            length += 1
            short = words[0][:length].capitalize() + "".join(w[0] for w in words[1:]).upper()
        found[action] = short
    return found


def _labels(strategy: Strategy, names: Sequence[str]) -> list[tuple[Any, ...]]:
    by_name = {feature.name: feature for feature in strategy.information}
    columns = []
    for name in names:
        if name in by_name:
            columns.append([by_name[name].label(int(code)) for code in strategy.sets[name]])
        else:
            columns.append(_derived(strategy, name))
    return list(zip(*columns, strict=True))


def _derived(strategy: Strategy, name: str) -> list[Any]:
    """A column that the information determines: the total of the player's two cards."""
    if name == "player_two" and {"player_low", "player_high"} <= set(strategy.sets):
        total = (strategy.sets["player_low"] + strategy.sets["player_high"]) % 10
        return [int(value) for value in total]
    return ["?"] * len(strategy)


def draw(chart: Chart, strategy: Strategy, against: Strategy | None) -> Grid:
    """Lay a strategy out over its rows and columns."""
    short = letters(strategy.actions)
    used = sorted({int(action) for action in strategy.chosen})
    fill = {action: FILLS[index % len(FILLS)] for index, action in enumerate(strategy.actions)}
    differs = (
        strategy.chosen != against.chosen
        if against is not None
        else np.zeros(len(strategy), dtype=bool)
    )
    rows, columns = _labels(strategy, chart.rows), _labels(strategy, chart.columns)
    row_keys, column_keys = sorted(set(rows)), sorted(set(columns))
    at: dict[tuple[Any, Any], list[int]] = {}
    for index, key in enumerate(zip(rows, columns, strict=True)):
        at.setdefault(key, []).append(index)
    cells = {
        key: _cell(strategy, against, indices, short, fill, differs) for key, indices in at.items()
    }
    words = {name: name.replace("_", " ") for name in (*chart.rows, *chart.columns)}
    return Grid(
        chart.title,
        chart.strategy,
        chart.against,
        " – ".join(words[name] for name in chart.rows),
        " – ".join(words[name] for name in chart.columns),
        tuple("–".join(map(str, key)) for key in column_keys),
        tuple(
            ("–".join(map(str, row)), tuple(cells.get((row, column)) for column in column_keys))
            for row in row_keys
        ),
        tuple((strategy.actions[a], short[strategy.actions[a]], fill[strategy.actions[a]])
              for a in used),
        len(row_keys) > 20,
    )  # fmt: skip


def _cell(
    strategy: Strategy,
    against: Strategy | None,
    indices: Sequence[int],
    short: dict[str, str],
    fill: dict[str, str],
    differs: np.ndarray,
) -> Cell:
    actions = [strategy.actions[int(strategy.chosen[index])] for index in indices]
    distinct = list(dict.fromkeys(actions))
    told = []
    for index, action in zip(indices, actions, strict=True):
        held = ", ".join(f"{k.replace('_', ' ')} {v}" for k, v in strategy.label(index).items())
        other = ""
        if against is not None and differs[index]:
            other = f" ({against.name}: {against.actions[int(against.chosen[index])]})"
        told.append(f"{held}: {action}{other}")
    return Cell(
        "/".join(short[action] for action in distinct),
        fill[distinct[0]],
        bool(differs[list(indices)].any()),
        "; ".join(itertools.islice(told, 6)),
    )
