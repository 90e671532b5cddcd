"""A strategy as a grid of coloured cells: starting hand by dealer card, exceptions outlined.

Nothing here knows a game: rows and columns are whatever columns the spec's chart names. Several
information sets may fall into one cell; where their actions differ the cell shows them all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.analysis.binding import make_game
from engine.contract.strategy import Strategy, View
from engine.exact.rendering import signed, typeset
from engine.exact.tables import Codes, Feature
from engine.program.bound import tabulated
from engine.spec.model import Chart, Spec
from tasks.report.figures import spaced
from tasks.report.layout import Panel, panels, tiles

RED, YELLOW, PALE, BLUE, PURPLE, GREY, GREEN, ORANGE = FILLS = (
    "#d98f7f", "#f1dc94", "#e6efe3", "#a9cbe0", "#bba8d2", "#cfd3d7", "#abcf9c", "#e8ae78",
)  # fmt: skip
#: Fills of the field's usual words; other actions take what is left, in order.
USUAL = {
    "fold": RED, "surrender": RED, "stand": PALE, "check": PALE, "hit": BLUE, "draw": BLUE,
    "double": YELLOW, "bonus": YELLOW, "play": GREEN, "raise": GREEN, "split": PURPLE,
}  # fmt: skip
#: A grid of more cells than this is told, not drawn.
DRAWN = 6_000
#: A cell of more information sets than this counts them instead of listing them.
LISTED = 4


@dataclass(frozen=True)
class Cell:
    """One square: letters and fill of its actions, whether an exception lies in it, and why."""

    letters: str
    fill: str
    differs: bool
    reason: str


@dataclass(frozen=True)
class Grid:
    """A drawn chart. `panels` stand side by side; `lines` replace them where each row has one
    cell only; `hidden` names what a cell with several letters depends on; `note` says why
    nothing is drawn. `legend`: action, letters, fill."""

    title: str
    row_title: str
    column_title: str
    columns: tuple[str, ...] = ()
    panels: tuple[Panel[Cell], ...] = ()
    lines: tuple[tuple[str, tuple[tuple[str, Cell], ...]], ...] = ()
    legend: tuple[tuple[str, str, str], ...] = ()
    hidden: tuple[str, ...] = ()
    differing: int = 0
    note: str = ""

    @property
    def cells(self) -> dict[tuple[str, str], Cell]:
        """Every cell by its row and column, whatever the layout."""
        in_panels = {
            (row, column): cell
            for panel in self.panels
            for row, cells in panel.rows
            for column, cell in zip(self.columns, cells, strict=True)
            if cell is not None
        }
        return in_panels | {
            (row, column): cell for column, line in self.lines for row, cell in line
        }


def letters(actions: Sequence[str]) -> dict[str, str]:
    """Shortest initials that tell the actions apart: fold F, stand S, draw D, fold and draw FD."""
    letters_of: dict[str, str] = {}
    for action in actions:
        words = [w for w in re.split(r"[\s_-]+", action) if w and w != "and"] or [action or "?"]
        short = "".join(word[0] for word in words).upper()
        for length in range(2, len(words[0]) + 1):
            if short not in letters_of.values():
                break
            short = words[0][:length].capitalize() + "".join(w[0] for w in words[1:]).upper()
        while short in letters_of.values():
            short += "*"
        letters_of[action] = short
    return letters_of


def fills(actions: Sequence[str], wishes: Mapping[str, str]) -> dict[str, str]:
    """A fill for every action: the spec's, the usual one, or the next that is free.

    A wish that is not a colour is passed over, since fills go into style attributes.
    """
    fill_of: dict[str, str] = {}
    for action in actions:
        wish = wishes.get(action, "")
        if re.fullmatch(r"#[0-9a-fA-F]{3,8}|[a-zA-Z]{3,24}", wish):
            fill_of[action] = wish
        elif action in USUAL and USUAL[action] not in fill_of.values():
            fill_of[action] = USUAL[action]
    free = [fill for fill in FILLS if fill not in fill_of.values()] or list(FILLS)
    others = [action for action in actions if action not in fill_of]
    return fill_of | {action: free[i % len(free)] for i, action in enumerate(others)}


def columns_of(
    spec: Spec, strategy: Strategy, names: Sequence[str]
) -> dict[str, tuple[Feature, Codes]]:
    """Feature and code per information set of each column, shape (sets,).

    Columns that the information determines (a total of the cards held) come from the game's own
    table. A column that is not known when deciding is left out.
    """
    features = {f.name: (f, strategy.sets[f.name]) for f in strategy.information}
    derived = [name for name in names if name not in features]
    if derived:
        space = make_game(spec)[0].space(strategy.space)
        there = {feature.name for feature in space.features}
        derived = [name for name in derived if name in there]
        if derived and tabulated(space):
            table = space.enumerate(0, space.starts, wanted=frozenset(derived))
            view = View.of(table, space)
            index = strategy.locate(view)
            for name in derived:
                known = view.at_sets(table.codes[name])
                if known is not None and np.all(index >= 0):
                    codes = np.zeros(len(strategy), dtype=np.int64)
                    codes[index] = known
                    features[name] = (table.feature(name), codes)
    return {name: features[name] for name in names if name in features}


def draw(chart: Chart, spec: Spec, strategies: Mapping[str, Strategy]) -> Grid:
    """Lay a strategy out over the rows and columns of a chart."""
    strategy = strategies[chart.strategy]
    against = strategies.get(chart.against or "")
    row_title = " – ".join(map(spaced, chart.rows))
    column_title = " – ".join(map(spaced, chart.columns))
    known = columns_of(spec, strategy, (*chart.rows, *chart.columns))
    missing = [name for name in (*chart.rows, *chart.columns) if name not in known]
    if missing:
        note = f"Not drawn: {', '.join(map(spaced, missing))} is not known when deciding."
        return Grid(chart.title, row_title, column_title, note=note)
    rows, row_of = _labels([known[name] for name in chart.rows], len(strategy))
    columns, column_of = _labels([known[name] for name in chart.columns], len(strategy))
    if len(rows) * len(columns) > DRAWN:
        note = (
            f"Not drawn: {len(rows):,} rows by {len(columns):,} columns, "
            f"{len(strategy):,} information sets. The whole strategy stands in the data."
        )
        return Grid(chart.title, row_title, column_title, note=note)
    painter = _Painter(chart, strategy, against)
    cells = painter.cells(row_of * len(columns) + column_of)
    grid = [
        [cells.get(r * len(columns) + c) for c in range(len(columns))] for r in range(len(rows))
    ]
    if len(columns) > 24 and len(rows) < len(columns):
        grid, rows, columns = [list(line) for line in zip(*grid, strict=True)], columns, rows
        row_title, column_title = column_title, row_title
    names = ["–".join(row) for row in rows]
    across = ["–".join(column) for column in columns]
    lines = tiles(names, across, grid)
    return Grid(
        chart.title,
        row_title,
        column_title,
        tuple(across),
        () if lines else panels(names, [row[0] for row in rows], grid, len(columns)),
        lines,
        painter.legend,
        painter.hidden,
        int(np.count_nonzero(painter.differs)),
    )


def _labels(
    columns: Sequence[tuple[Feature, Codes]], sets: int
) -> tuple[list[tuple[str, ...]], NDArray[np.intp]]:
    """Distinct labels in the order of their codes, and the label of each information set."""
    if not columns:
        return [("all",)], np.zeros(sets, dtype=np.intp)
    codes = np.stack([codes_of for _, codes_of in columns], axis=1)
    distinct, member = np.unique(codes, axis=0, return_inverse=True)
    labels = [
        tuple(str(f.label(int(c))) for (f, _), c in zip(columns, row, strict=True))
        for row in distinct
    ]
    return labels, member.reshape(-1)


class _Painter:
    """Turns the information sets of a cell into letters, a fill and a sentence."""

    def __init__(self, chart: Chart, strategy: Strategy, against: Strategy | None) -> None:
        self.strategy, self.against = strategy, against
        self.short = letters(strategy.actions)
        self.fills = fills(strategy.actions, chart.colours)
        self.differs: NDArray[np.bool_] = np.zeros(len(strategy), dtype=bool)
        if against is not None and len(against) == len(strategy):
            self.differs = strategy.action != against.action
        shown = {*chart.rows, *chart.columns}
        self.unseen = [f for f in strategy.information if f.name not in shown]
        self.hidden: tuple[str, ...] = ()

    @property
    def legend(self) -> tuple[tuple[str, str, str], ...]:
        """Action, letters and fill of every action taken."""
        taken = [self.strategy.actions[int(a)] for a in np.unique(self.strategy.action)]
        return tuple((action, self.short[action], self.fills[action]) for action in taken)

    def cells(self, key: NDArray[np.intp]) -> dict[int, Cell]:
        """Group the information sets by cell number and paint each."""
        order = np.argsort(key, kind="stable")
        bounds = np.flatnonzero(np.diff(key[order], prepend=-1))
        groups = np.split(order, bounds[1:])
        mixed = [g for g in groups if len({*self.strategy.action[g].tolist()}) > 1]
        self.hidden = self._reasons(mixed)
        return {int(key[group[0]]): self._cell(group) for group in groups}

    def _reasons(self, mixed: Sequence[NDArray[np.intp]]) -> tuple[str, ...]:
        """What mixed cells depend on: the plainest column that settles all, or all that vary."""
        sets, chosen = self.strategy.sets, self.strategy.action
        varying = [
            f for f in self.unseen if any(len(np.unique(sets[f.name][g])) > 1 for g in mixed)
        ]
        settling = [
            f
            for f in varying
            if all(
                len(np.unique(np.stack([sets[f.name][g], chosen[g]]), axis=1).T)
                == len(np.unique(sets[f.name][g]))
                for g in mixed
            )
        ]
        plainest = sorted(settling, key=lambda f: len(np.unique(sets[f.name])))[:1]
        return tuple(spaced(f.name) for f in plainest or varying)

    def _cell(self, group: NDArray[np.intp]) -> Cell:
        chosen = self.strategy.action[group]
        weight = {
            int(action): sum(self.strategy.deals[group[chosen == action]].tolist())
            for action in np.unique(chosen)
        }
        order = sorted(weight, key=lambda action: (-weight[action], action))
        actions = [self.strategy.actions[action] for action in order]
        fill = self.fills[actions[0]]
        if len(actions) > 1:
            fill = f"linear-gradient(115deg, {fill} 50%, {self.fills[actions[1]]} 50%)"
        if len(group) > LISTED:
            counts = (f"{self.strategy.actions[a]} in {np.sum(chosen == a):,}" for a in order)
            reason = f"{len(group):,} information sets: {', '.join(counts)}"
        else:
            reason = "; ".join(self._sentence(index, len(group) > 1) for index in group.tolist())
        return Cell(
            "/".join(self.short[action] for action in actions),
            fill,
            bool(self.differs[group].any()),
            reason,
        )

    def _sentence(self, index: int, several: bool) -> str:
        action = int(self.strategy.action[index])
        text = self.strategy.actions[action]
        if several and self.unseen:
            sets = self.strategy.sets
            seen = (f"{spaced(f.name)} {f.label(int(sets[f.name][index]))}" for f in self.unseen)
            text = f"{', '.join(seen)}: {text}"
        if self.strategy.deals[index]:
            text += f", EV {typeset(signed(self.strategy.ev(index, action)))}"
        if self.against is not None and self.differs[index]:
            other = self.against.actions[int(self.against.action[index])]
            text += f" ({self.against.name}: {other})"
        return text
