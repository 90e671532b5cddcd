"""One part: a pure function of a table's digest and a range. Running it twice is harmless."""

from __future__ import annotations

import functools
import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.contract.game import Game, Key, RuleValue
from engine.contract.strategy import Strategy
from engine.exact.digest import engine_digest
from engine.exact.errors import DealproofError
from engine.exact.tables import Table
from engine.games import family
from tasks.run import calibrate
from tasks.run.jobs import Job, Output, Part
from tasks.store.parquet import read_strategy, table_bytes
from tasks.store.store import Store


@dataclass(frozen=True)
class Receipt:
    """What a part left behind: files with their SHA-256 and rows, its deals, time and memory.

    `seconds` is processor time; `peak_mb` the most memory that the worker's process ever held.
    """

    job: str
    number: int
    paths: tuple[str, ...]
    sha256: tuple[str, ...]
    rows: tuple[int, ...]
    deals: int
    seconds: float
    peak_mb: float


def compute(job: Job, part: Part, store_uri: str) -> Receipt:
    """Compute a part and write one file for each of the job's outputs."""
    if job.source != engine_digest():
        raise DealproofError(
            f"this worker runs engine {engine_digest()[:16]}, the plan was made for "
            f"{job.source[:16]}; install the same version everywhere"
        )
    store, begun = Store(store_uri), time.thread_time()
    computed = tables(job, part, store)
    sha256, rows = [], []
    for output, path in zip(job.outputs, job.paths(part), strict=True):
        table = computed[output.space, output.strategy]
        data = table_bytes(table, metadata(job, output, part))
        store.write(path, data)
        sha256.append(hashlib.sha256(data).hexdigest())
        rows.append(len(table))
    return Receipt(
        job.label,
        part.number,
        job.paths(part),
        tuple(sha256),
        tuple(rows),
        part.deals,
        time.thread_time() - begun,
        calibrate.peak_mb(),
    )


def compute_all(job: Job, parts: Sequence[Part], store_uri: str) -> list[Receipt]:
    """Compute several parts of a job, one after the other."""
    return [compute(job, part, store_uri) for part in parts]


def metadata(job: Job, output: Output, part: Part) -> dict[str, Any]:
    """What a part's file says of itself; a reducer asks for exactly this."""
    return {
        "game": job.game,
        "space": output.space,
        "method": job.method,
        "strategy": output.strategy,
        "table": output.digest,
        "lo": part.lo,
        "hi": part.hi,
        "part": job.file(part),
        "deals": str(part.deals),
    }


def tables(job: Job, part: Part, store: Store) -> dict[Key, Table]:
    """Compute the tables of a part, one for each of the job's outputs."""
    game = _game(job.family, job.rule_values)
    strategies = {name: _strategy(store, path) for name, path in job.strategies}
    wanted = None if job.wanted is None else frozenset(job.wanted)
    if job.space is None:
        players = list(strategies.values())
        return game.simulate(part.lo, part.hi, job.seed or 0, players, wanted)
    space = game.space(job.space)
    strategy_of = [
        strategies[output.strategy] if output.strategy else None for output in job.outputs
    ]
    if job.method == "exhaust":
        computed = space.exhaust_each(part.lo, part.hi, strategy_of, wanted)
    else:
        computed = [space.enumerate(part.lo, part.hi, strategy, wanted) for strategy in strategy_of]
    return {(o.space, o.strategy): table for o, table in zip(job.outputs, computed, strict=True)}


@functools.lru_cache(maxsize=4)
def _game(name: str, rule_values: tuple[tuple[str, RuleValue], ...]) -> Game:
    return family(name).build(dict(rule_values))


@functools.lru_cache(maxsize=16)
def _strategy(store: Store, path: str) -> Strategy:
    return read_strategy(store.read(path))[0]
