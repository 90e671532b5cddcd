"""Reading parts back and adding them up, refusing whatever is not what it should be."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.contract.game import Game, Key
from engine.exact.errors import DealproofError
from engine.exact.tables import Table
from tasks.run.jobs import Job, Output, Part, Plan
from tasks.run.partition import metadata
from tasks.store.parquet import read_table
from tasks.store.store import Store

#: Rows held before they are added up, so that memory does not grow with the number of parts.
HELD = 1_000_000
_OURS = re.compile(r"part-\d{5}-of-\d{5}\.parquet|blocks-\d{8}-\d{8}\.parquet")


class DamagedParts(DealproofError):  # noqa: N818 (the parts are damaged, not the error)
    """Parts that are missing, damaged or foreign; computing `paths` again puts it right.

    `faults`: path → what is wrong with it.
    """

    def __init__(self, faults: Mapping[str, str]) -> None:
        self.faults, self.paths = dict(faults), tuple(faults)
        path, reason = next(iter(faults.items()))
        more = f", and {len(faults) - 1} more parts" if len(faults) > 1 else ""
        super().__init__(f"{path}: {reason}{more}")


@dataclass(frozen=True)
class Coverage:
    """What one method covers of one table.

    `ranges` are merged, sorted ranges of starts (or of blocks of rounds). `deals_total` is None
    for rounds, which have no end.
    """

    method: str
    key: Key
    parts: int
    parts_total: int
    deals: int
    deals_total: int | None
    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class ReadPart:
    """One file as it was read: its table's place, what it holds, and what was written of it.

    `written`: the content digest in the file's metadata; `content`: that of the content as read;
    `counted`: the sum of its combinations; `size`: its bytes.
    """

    path: str
    sha256: str
    method: str
    key: Key
    written: str
    content: str
    rows: int
    counted: int
    size: int


@dataclass(frozen=True)
class Collected:
    """Merged tables by method and key, what they cover, and the parts they came from.

    `expected`: store path of every file that the plan names, `parts`: every file that was read.
    """

    tables: Mapping[str, Mapping[Key, Table]]
    coverage: tuple[Coverage, ...]
    parts: tuple[ReadPart, ...]
    expected: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[tuple[str, str], ...]:
        """Store path and SHA-256 of every part."""
        return tuple((part.path, part.sha256) for part in self.parts)


def collect(plan: Plan, store: Store) -> Collected:
    """Read and merge all parts of a plan, exactly.

    Raises `DamagedParts` for parts that are missing, damaged or not what their place says, and
    DealproofError for a file that no plan writes, or a plan whose parts overlap or do not add up.
    """
    game = plan.program.game
    tables: dict[str, dict[Key, Table]] = {}
    coverage: list[Coverage] = []
    parts: list[ReadPart] = []
    faults: dict[str, str] = {}
    for job in plan.jobs:
        ranges = _ranges(job, game)
        for output in job.outputs:
            _refuse_strays(store, output)
            key = (output.space, output.strategy)
            reader = _Reader(store, job, output, game)
            merged = _merge(reader.parts())
            faults |= reader.faults
            if merged is not None:
                tables.setdefault(job.method, {})[key] = merged
            parts += reader.read
            total = None if job.method == "simulate" else game.space(output.space).deals
            count = len(job.parts)
            coverage.append(
                Coverage(job.method, key, count, job.parts_total, job.deals, total, ranges)
            )
    if faults:
        raise DamagedParts(faults)
    return Collected(tables, tuple(coverage), tuple(parts), expected(plan))


def expected(plan: Plan) -> tuple[str, ...]:
    """Store paths of all files that a plan names."""
    return tuple(path for job in plan.jobs for part in job.parts for path in job.paths(part))


def discard(paths: Sequence[str], store: Store) -> None:
    """Empty damaged parts, so that the next `drive.run` computes them again.

    (Writing is all that a store has to grant; nothing is ever deleted from one.)
    """
    for path in paths:
        if store.exists(path):
            store.write(path, b"")


class _Reader:
    """Reads one output's parts in turn, keeping faults and what each part held."""

    def __init__(self, store: Store, job: Job, output: Output, game: Game) -> None:
        self.store, self.job, self.output = store, job, output
        self.features = game.space(output.space).features
        self.names = set(store.names(output.folder))
        self.faults: dict[str, str] = {}
        self.read: list[ReadPart] = []

    def parts(self) -> Iterator[Table]:
        """Yield the tables of all sound parts."""
        for part in self.job.parts:
            path = f"{self.output.folder}/{self.job.file(part)}"
            if self.job.file(part) not in self.names:
                self.faults[path] = "missing"
                continue
            try:
                data = self.store.read(path)
                table, metadata = read_table(data, self.features)
                self._check(part, metadata)
            except DealproofError as error:
                self.faults[path] = str(error).removeprefix(f"{self.store.locate(path)}: ")
                continue
            self.read.append(
                ReadPart(
                    path,
                    hashlib.sha256(data).hexdigest(),
                    self.job.method,
                    (self.output.space, self.output.strategy),
                    str(metadata["content"]),
                    str(metadata["digest"]),
                    len(table),
                    table.deals,
                    len(data),
                )
            )
            yield table

    def _check(self, part: Part, recorded: Mapping[str, object]) -> None:
        for name, value in metadata(self.job, self.output, part).items():
            if recorded.get(name) != value:
                raise DealproofError(f"foreign: its {name} is {recorded.get(name)}, not {value}")


def _merge(tables: Iterator[Table]) -> Table | None:
    waiting: list[Table] = []
    rows = 0
    for table in tables:
        waiting.append(table)
        rows += len(table)
        if rows > max(HELD, 2 * len(waiting[0])):
            waiting = [Table.merge(waiting)]
            rows = len(waiting[0])
    return Table.merge(waiting) if waiting else None


def _ranges(job: Job, game: Game) -> tuple[tuple[int, int], ...]:
    """Merge the ranges of a job's parts, after checking that none overlap and all deals agree."""
    merged: list[tuple[int, int]] = []
    for part in sorted(job.parts, key=lambda part: part.lo):
        if merged and part.lo < merged[-1][1]:
            raise DealproofError(f"{job.label}: {job.file(part)} covers deals twice")
        if job.space is not None and game.space(job.space).deals_in(part.lo, part.hi) != part.deals:
            raise DealproofError(f"{job.label}: {job.file(part)} holds not {part.deals:,} deals")
        if merged and part.lo == merged[-1][1]:
            merged[-1] = merged[-1][0], part.hi
        else:
            merged.append((part.lo, part.hi))
    return tuple(merged)


def _refuse_strays(store: Store, output: Output) -> None:
    for name in store.names(output.folder):
        if not _OURS.fullmatch(name):
            raise DealproofError(
                f"{store.locate(output.folder)}/{name}: no plan writes it; move it away"
            )
