"""How wagers go together: a correlation matrix per strategy, cut into blocks that fit a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.exact.rendering import floating, typeset
from tasks.certificate.model import Covariance

#: Columns of one block.
ACROSS = 20
#: Strategies of so few wagers are listed pair by pair instead.
FEW = 4


@dataclass(frozen=True)
class Block:
    """Some columns of a lower triangle: heads are numbers, rows carry number, title and cells."""

    heads: tuple[int, ...]
    rows: tuple[tuple[int, str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Matrix:
    """All related wagers under one strategy, `first` of them number 1.

    `pairs` stands for `blocks` where they are few. `alone`: wagers that every other one has
    covariance 0 with.
    """

    strategy: str | None
    first: str
    pairs: tuple[tuple[str, str, Covariance], ...]
    blocks: tuple[Block, ...]
    alone: tuple[str, ...]


def matrices(titles: Mapping[str, str], covariances: Iterable[Covariance]) -> list[Matrix]:
    """One for each strategy and each set of wagers that its deals settle, in their order.

    `titles`: wager → title.
    """
    grouped: dict[str | None, dict[tuple[str, str], Covariance]] = {}
    for item in covariances:
        grouped.setdefault(item.strategy, {})[item.wager, item.other] = item
    return [
        _matrix(strategy, {key: pairs[key] for key in pairs if key[0] in group}, titles)
        for strategy, pairs in grouped.items()
        for group in _groups(pairs)
    ]


def _groups(pairs: Iterable[tuple[str, str]]) -> list[set[str]]:
    """Wagers that pairs connect, whether directly or through others."""
    groups: list[set[str]] = []
    for pair in pairs:
        joined = {*pair}.union(*(group for group in groups if not group.isdisjoint(pair)))
        groups = [*(group for group in groups if group.isdisjoint(pair)), joined]
    return groups


def _matrix(
    strategy: str | None, pairs: Mapping[tuple[str, str], Covariance], titles: Mapping[str, str]
) -> Matrix:
    related = {name for key, item in pairs.items() if _related(item) for name in key}
    present = {name for key in pairs for name in key}
    if len(present) <= FEW:
        listed = tuple((titles[one], titles[two], item) for (one, two), item in pairs.items())
        return Matrix(strategy, "", listed, (), ())
    names = [name for name in titles if name in related]
    alone = tuple(titles[name] for name in titles if name in present - related)
    cells = {frozenset(key): item for key, item in pairs.items()}
    blocks = [
        _block(names, titles, cells, range(first, min(first + ACROSS, len(names) - 1)))
        for first in range(0, len(names) - 1, ACROSS)
    ]
    return Matrix(strategy, titles[names[0]] if names else "", (), tuple(blocks), alone)


def _block(
    names: list[str],
    titles: Mapping[str, str],
    cells: Mapping[frozenset[str], Covariance],
    columns: range,
) -> Block:
    rows = []
    for row in range(columns.start + 1, len(names)):
        below = (cells.get(frozenset((names[row], names[c]))) if c < row else None for c in columns)
        rows.append((row + 1, titles[names[row]], tuple(map(correlation, below))))
    return Block(tuple(c + 1 for c in columns), tuple(rows))


def _related(item: Covariance) -> bool:
    return item.covariance.exact != "0"


def correlation(item: Covariance | None, digits: int = 2) -> str:
    """A correlation without its leading zero; 0 where it is exactly so, "" where none is known."""
    if item is None:
        return ""
    if not _related(item):
        return "0"
    return typeset(floating(item.correlation, digits).replace("0.", ".", 1))
