"""What a run will do, fixed before anything runs: partitions, exact deals, time, memory.

A plan is stored with its run; resuming reads it. How work is cut depends on the game alone, never
on workers; how much of an exhaustion is run depends on what this machine was measured to manage.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.analysis.analysis import Analysis
from engine.analysis.binding import bind
from engine.cards.streams import BLOCK
from engine.contract.game import Game, Key, Space, Wanted
from engine.contract.strategy import Strategy
from engine.exact import kernels
from engine.exact.digest import digest, engine_digest
from engine.exact.errors import DealproofError, nearest
from engine.exact.rendering import floating
from engine.games import family
from engine.spec.model import Spec
from tasks.run import calibrate
from tasks.run.jobs import (
    EVERY_ACTION,
    METHODS,
    Job,
    Output,
    Part,
    Plan,
    coarse,
    load,
    sampled,
    save,
    spec_json,
    split,
    strategy_path,
    unfinished,
)
from tasks.run.projection import Measured, Moment, projected
from tasks.store.store import Store

__all__ = ["METHODS", "Job", "Output", "Part", "Plan", "load", "make_plan", "save", "unfinished"]

#: Rounds that find a shift of the edge of 0.05 points with a power of 90%, for a wager of deviation
#: 1.2, where a test fails by chance once in 10^9: see `tasks.certificate.goodness_of_fit`.
ROUNDS = 301 << 20
BLOCKS_PER_PART = 43
PARTS = 100
FINE_PARTS = 10_000
#: Deals below which a space is not worth cutting.
WHOLE_SPACE = 250_000
#: Projected wall seconds up to which an exhaustion runs whole, and those a sample may take.
WHOLE_SECONDS, SAMPLE_SECONDS = 30.0, 15.0
#: Core-seconds of one part beyond which a space is cut more finely.
PART_SECONDS = 60.0
CORE_HOURS = 10_000.0


def make_plan(
    spec: Spec,
    *,
    methods: Sequence[str] = METHODS,
    rounds: int = ROUNDS,
    seed: int = 1,
    full: bool = False,
    cores: int | None = None,
    memory_mb: float | None = None,
    store: Store | None = None,
    started: float | None = None,
) -> Plan:
    """Plan a run; raise DealproofError with the reason where it is impossible.

    `rounds` are rounded up to whole blocks of 2^20. An exhaustion runs whole where it is projected
    to take under half a minute on `cores` (default: this machine's), else over a sample of about
    half of that, drawn by `seed`; `full` runs all of it. `memory_mb`: what the workers have
    (default: this machine's). With a `store`, the same request that was begun earlier keeps its
    plan, and evidence that is there already is never left out of a sample. `started`: when the
    run was, on the monotonic clock; None for one that is not, whose start is projected too.
    """
    begun = Moment.now()
    for method in methods:
        if method not in METHODS:
            raise DealproofError(f"method '{method}': {nearest(method, METHODS)}")
    if not methods:
        raise DealproofError(f"methods: none chosen; allowed: {', '.join(METHODS)}")
    if rounds < 1 and "simulate" in methods:
        raise DealproofError(f"rounds = {rounds}: at least 1 round has to be played")
    if not 0 <= seed < 1 << 64:
        raise DealproofError(f"seed = {seed}: allowed: 0 … 2^64 − 1")
    if cores is not None and cores < 1:
        raise DealproofError(f"cores = {cores}: at least 1 is needed")
    chosen = tuple(method for method in METHODS if method in methods)
    wanted = _Request(spec, chosen, -(-rounds // BLOCK), seed, full, cores or calibrate.cores())
    request = wanted.digest()[:16]
    earlier = unfinished(spec.game, request, store) if store else None
    if earlier is not None:
        return earlier
    planner = _Planner(wanted, request, store)
    plan = planner.plan(memory_mb or calibrate.memory_mb())
    plan = projected(plan, planner.measured, begun, started)
    planner.affordable("the run", 3600 * plan.core_hours, "choose fewer methods")
    kernels.mark_compiled(_compiled(spec, chosen))
    return plan


def compiled_before(spec: Spec, methods: Sequence[str] = METHODS) -> bool:
    """Whether the cache holds the kernels of a game for these methods: it was planned with them
    before, by this very engine."""
    return kernels.marked_compiled(_compiled(spec, methods))


def _compiled(spec: Spec, methods: Sequence[str]) -> list[str]:
    """Names of the sets of kernels that a game runs: by family, method and space."""
    spaces = sorted({space for space, _ in bind(spec).needs()})
    return [f"{spec.family}-{method}-{space}" for method in methods for space in spaces]


@dataclass(frozen=True)
class _Request:
    spec: Spec
    methods: tuple[str, ...]
    blocks: int
    seed: int
    full: bool
    cores: int

    def digest(self) -> str:
        """Digest of all that is asked for; the number of cores is not part of it."""
        return digest(
            [
                spec_json(self.spec),
                self.methods,
                self.blocks if "simulate" in self.methods else 0,
                self.seed,
                self.full,
                engine_digest(),
            ]
        )


class _Planner:
    """Plans one request."""

    def __init__(self, wanted: _Request, request: str, store: Store | None) -> None:
        self.asked, self.request, self.store, self.spec = wanted, request, store, wanted.spec
        program = bind(self.spec)
        self.game: Game = program.game
        self.keys = program.needs()
        self.wanted: dict[str, Wanted] = {
            name: program.columns(self.game.space(name))
            for name in dict.fromkeys(name for name, _ in self.keys)
        }
        self.mb = self.loading = 0.0
        begun = Moment.now()
        analysis = Analysis(program)
        self.solved: dict[str, Strategy] = {
            strategy: analysis.strategy(strategy)
            for _, strategy in self.keys
            if strategy is not None
        }
        self.solving = begun.seconds
        read = {rule_spec.name for rule_spec in family(self.spec.family).RULE_SPECS}
        self.rule_values = tuple(
            sorted((k, v) for k, v in self.spec.rule_values.items() if k in read)
        )

    def plan(self, memory_mb: float) -> Plan:
        """Measure, choose, and refuse what cannot be done."""
        asked = self.asked
        jobs = tuple(job for method in asked.methods for job in self._jobs(method))
        memory = calibrate.forget_peak() + asked.cores * self.mb
        if memory > memory_mb:
            raise DealproofError(
                f"memory: {asked.cores} cores are projected to need "
                f"{floating(memory, 0, True)} MB of {floating(memory_mb, 0, True)} MB; "
                "use fewer workers"
            )
        parts = [[job.digest, job.parts_total, [p.number for p in job.parts]] for job in jobs]
        blocks = asked.blocks if "simulate" in asked.methods else 0
        run = digest([parts, spec_json(self.spec), blocks])[:16]
        path = {name: strategy_path(self.spec.game, run, name) for name in self.solved}
        placed = [
            replace(job, strategies=tuple((name, path[name]) for name, _ in job.strategies))
            for job in jobs
        ]
        return Plan(
            run=run,
            request=self.request,
            game=self.spec.game,
            methods=asked.methods,
            rounds=blocks * BLOCK,
            seed=asked.seed,
            full=asked.full,
            jobs=tuple(placed),
            spec=self.spec,
            cores=asked.cores,
            seconds=0.0,
            core_hours=0.0,
            memory_mb=memory,
            strategies=self.solved,
        )

    @property
    def measured(self) -> Measured:
        """What was measured beside the jobs."""
        return Measured(self.solving, self.loading)

    def _jobs(self, method: str) -> Iterator[Job]:
        if method == "simulate":
            yield self._simulate()
            return
        for name in self.wanted:
            keys = [key for key in self.keys if key[0] == name]
            if method == "enumerate":
                yield from self._enumerate(keys)
            else:
                yield self._exhaust(keys)

    def _enumerate(self, keys: Sequence[Key]) -> Iterator[Job]:
        """One job for each table of a space; all cost about what the first one does."""
        space, strategy = self._held(keys[0])
        cost = calibrate.ranges(
            lambda lo, hi: space.enumerate(lo, hi, strategy, self.wanted[space.name]),
            space.starts,
            calibrate.ENUMERATION,
        )
        whole = (Part(0, 0, space.starts, space.deals),)
        seconds = self._spent(cost)
        for key in keys:
            job = self._job("enumerate", (key,), self.wanted[space.name])
            yield replace(job, parts=whole, deals_total=space.deals, seconds=seconds)

    def _exhaust(self, keys: Sequence[Key]) -> Job:
        """One job for all tables of a space, whose cards are dealt only once."""
        space = self.game.space(keys[0][0])
        strategies = [self._held(key)[1] for key in keys]
        cost = calibrate.ranges(
            lambda lo, hi: space.exhaust_each(lo, hi, strategies, self.wanted[space.name]),
            space.starts,
        )
        seconds = self._spent(cost)
        parts = min(PARTS, space.starts, max(1, space.deals // WHOLE_SPACE))
        if parts == PARTS and seconds / parts > PART_SECONDS:
            parts = min(FINE_PARTS, space.starts)
        seconds += cost.fixed * (parts - 1)
        bounds = split(space.starts, parts)
        job = self._job("exhaust", keys, self.wanted[space.name])
        job = replace(job, parts_total=parts, deals_total=space.deals)
        numbers: Sequence[int] = range(parts)
        if self.asked.full:
            self.affordable(job.label, seconds, "leave out --full")
        elif seconds / self.asked.cores > WHOLE_SECONDS:
            order = sampled(parts, self.asked.seed, space.name)
            fit = int(parts * SAMPLE_SECONDS * self.asked.cores / seconds)
            numbers = sorted(order[: max(1, coarse(fit, parts), self._there(job, order))])
        chosen = tuple(Part(k, *bounds[k], space.deals_in(*bounds[k])) for k in numbers)
        return replace(job, parts=chosen, seconds=seconds * len(chosen) / parts)

    def _there(self, job: Job, order: Sequence[int]) -> int:
        """How many leading parts of a sample are in the store already, for all outputs."""
        if self.store is None:
            return 0
        there = [self.store.sizes(output.folder) for output in job.outputs]
        for count, number in enumerate(order):
            file = job.file(Part(number, 0, 0, 0))
            if not all(sizes.get(file) for sizes in there):
                return count
        return len(order)

    def _simulate(self) -> Job:
        asked = self.asked
        columns = list(self.wanted.values())
        wanted: Wanted = frozenset().union(*(c for c in columns if c is not None))
        if None in columns:
            wanted = None
        players = list(self.solved.values())
        cost = calibrate.block(
            lambda lo, hi: self.game.simulate(lo, hi, asked.seed, players, wanted)
        )
        seconds = self._spent(cost) * asked.blocks
        self.affordable("simulate", seconds, "play fewer rounds")
        parts: list[Part] = []
        lo = 0
        while lo < asked.blocks:
            hi = lo + (BLOCKS_PER_PART if asked.blocks - lo >= BLOCKS_PER_PART else 1)
            parts.append(Part(len(parts), lo, hi, (hi - lo) * BLOCK))
            lo = hi
        return replace(
            self._job("simulate", self.keys, wanted, asked.seed),
            parts_total=len(parts),
            parts=tuple(parts),
            deals_total=asked.blocks * BLOCK,
            seconds=seconds,
        )

    def _job(
        self, method: str, keys: Sequence[Key], wanted: Wanted, seed: int | None = None
    ) -> Job:
        """A job without parts."""
        outputs = tuple(self._output(method, key, wanted, seed) for key in keys)
        space = None if method == "simulate" else keys[0][0]
        names = dict.fromkeys(strategy for _, strategy in keys if strategy is not None)
        return Job(
            game=self.spec.game,
            family=self.spec.family,
            source=engine_digest(),
            rule_values=self.rule_values,
            method=method,
            space=space,
            digest=digest([output.digest for output in outputs]),
            seed=seed,
            wanted=None if wanted is None else tuple(sorted(wanted)),
            parts_total=1,
            parts=(),
            outputs=outputs,
            strategies=tuple((name, "") for name in names),
        )

    def _output(self, method: str, key: Key, wanted: Wanted, seed: int | None) -> Output:
        space, strategy = key
        content: Mapping[str, object] = {
            "family": self.spec.family,
            "rule_values": dict(self.rule_values),
            "space": space,
            "method": method,
            "strategy": self.solved[strategy].digest() if strategy else None,
            "seed": seed,
            "wanted": None if wanted is None else sorted(wanted),
            "source": engine_digest(),
        }
        table = digest(content)
        folder = (
            f"tables/game={self.spec.game}/space={space}/method={method}"
            f"/strategy={strategy or EVERY_ACTION}/table={table[:16]}"
        )
        return Output(space, strategy, table, folder)

    def _spent(self, cost: calibrate.Cost) -> float:
        self.mb = max(self.mb, cost.mb)
        self.loading += cost.loading
        return cost.seconds

    def _held(self, key: Key) -> tuple[Space, Strategy | None]:
        return self.game.space(key[0]), self.solved[key[1]] if key[1] else None

    def affordable(self, label: str, seconds: float, instead: str) -> None:
        """Raise DealproofError where work would take too long."""
        if seconds / 3600 > CORE_HOURS:
            raise DealproofError(
                f"{label}: projected {floating(seconds / 3600, 0, True)} core-hours, allowed: "
                f"{floating(CORE_HOURS, 0, True)}; {instead}"
            )
