"""A strategy as a grid of actions."""

from __future__ import annotations

from typing import Any

from engine.analysis.analysis import Analysis
from engine.contract.strategy import Strategy
from engine.spec.model import Chart
from engine.studies.one_hand import columns_of
from flows.views import show


def draw(
    chart: Chart,
    analysis: Analysis,
    strategy: Strategy,
    marked: set[tuple[tuple[str, Any], ...]],
    against: str,
) -> None:
    """Draw a chart as a grid of abbreviated actions, coloured on a terminal.

    `marked`: information sets in which the strategy named `against` plays otherwise.
    """
    columns = columns_of(analysis, strategy, (*chart.rows, *chart.columns))
    short = abbreviations(strategy.actions)
    grid: dict[tuple[Any, ...], dict[tuple[Any, ...], dict[str, bool]]] = {}
    for index in range(len(strategy)):
        row = tuple(columns[name][index] for name in chart.rows)
        column = tuple(columns[name][index] for name in chart.columns)
        action = strategy.actions[int(strategy.action[index])]
        star = tuple(strategy.label(index).items()) in marked
        cell = grid.setdefault(row, {}).setdefault(column, {})
        cell[action] = cell.get(action, False) or star
    space = analysis.game.space(strategy.space)

    def ordered(names: tuple[str, ...], keys: set[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """Sort labels as the game lists them, not as an alphabet does."""
        features = [space.feature(name) for name in names]
        return sorted(keys, key=lambda key: [f.code(v) for f, v in zip(features, key, strict=True)])

    across = ordered(chart.columns, {column for cells in grid.values() for column in cells})
    used = {action for cells in grid.values() for cell in cells.values() for action in cell}

    def shown(cell: dict[str, bool] | None) -> str:
        return "/".join(
            show.coloured(
                short[action] + ("*" if star else ""),
                show.PALETTE[strategy.actions.index(action) % len(show.PALETTE)],
            )
            for action, star in (cell or {}).items()
        )

    print(chart.title)
    print(f"{', '.join(chart.rows)} down, {', '.join(chart.columns)} across\n")
    show.table(
        ("", *(" ".join(map(str, column)) for column in across)),
        [
            (" ".join(map(str, row)), *(shown(grid[row].get(column)) for column in across))
            for row in ordered(chart.rows, set(grid))
        ],
    )
    print()
    print(", ".join(f"{short[a]} = {a}" for a in strategy.actions if a in used))
    if any(star for cells in grid.values() for cell in cells.values() for star in cell.values()):
        print(f"* differs from '{against}'")
    print()


def abbreviations(actions: tuple[str, ...]) -> dict[str, str]:
    """Shorten every action to initials, or to as many letters as tell them apart."""
    short: dict[str, str] = {}
    for action in actions:
        words = [word for word in action.replace("-", " ").split() if word != "and"]
        initials = "".join(word[0] for word in words).upper()
        length = 1
        while initials in short.values() and length < len(action):
            length += 1
            initials = action[:length].capitalize()
        short[action] = initials
    return short
