"""The words of a plan: parts, jobs, and the plan itself, as JSON and in the store.

Evidence is keyed by table, so that a new pay table repeats no exhaustion.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from engine.analysis.binding import bind
from engine.contract.game import RuleValue
from engine.contract.strategy import Strategy
from engine.exact.digest import canonical_json, digest
from engine.exact.errors import DealproofError
from engine.program.bound import Program
from engine.spec.base import Model
from engine.spec.model import Spec
from tasks.store.parquet import strategy_bytes
from tasks.store.store import Store

METHODS = ("enumerate", "exhaust", "simulate")
EVERY_ACTION = "every-action"


@dataclass(frozen=True)
class Part:
    """A range of starts (or of blocks of rounds) and its exact number of deals (or rounds)."""

    number: int
    lo: int
    hi: int
    deals: int


@dataclass(frozen=True)
class Output:
    """A table that a job fills: its space, the strategy it holds if any, its full digest."""

    space: str
    strategy: str | None
    digest: str
    folder: str


@dataclass(frozen=True)
class Job:
    """One method at work on one space, cut into parts; `simulate` fills all spaces at once.

    `space` is None for `simulate`, whose `outputs` name them. A job fills several outputs where
    the same deals are played under several strategies. `rule_values` are the rules that the family
    reads. `parts` are those to be computed, of `parts_total` (for `simulate` both are the same).
    `strategies` are (name, store path) of solved strategies that the job plays. `seconds`:
    projected core-seconds for `parts`.
    """

    game: str
    family: str
    source: str
    rule_values: tuple[tuple[str, RuleValue], ...]
    method: str
    space: str | None
    digest: str
    seed: int | None
    wanted: tuple[str, ...] | None
    parts_total: int
    parts: tuple[Part, ...]
    outputs: tuple[Output, ...]
    strategies: tuple[tuple[str, str], ...] = ()
    deals_total: int = 0
    seconds: float = 0.0

    @property
    def label(self) -> str:
        """The job in a few words."""
        if self.space is None:
            return self.method
        names = self.strategy_names
        strategies = names[0] if len(names) == 1 else f"{len(names)} strategies"
        return (
            f"{self.method} {self.space}, {strategies}" if names else f"{self.method} {self.space}"
        )

    @property
    def strategy_names(self) -> tuple[str, ...]:
        """Names of the strategies that its outputs hold, in their order."""
        return tuple(output.strategy for output in self.outputs if output.strategy is not None)

    @property
    def deals(self) -> int:
        """Exact number of deals (or rounds) in its parts."""
        return sum(part.deals for part in self.parts)

    def file(self, part: Part) -> str:
        """Name of a part's file. Rounds go by blocks, since their number is open."""
        if self.method == "simulate":
            return f"blocks-{part.lo:08d}-{part.hi:08d}.parquet"
        return f"part-{part.number:05d}-of-{self.parts_total:05d}.parquet"

    def only(self, outputs: Iterable[Output]) -> Job:
        """The same job for some of its outputs."""
        kept = tuple(outputs)
        names = {output.strategy for output in kept}
        strategies = tuple((name, path) for name, path in self.strategies if name in names)
        return replace(self, outputs=kept, strategies=strategies)

    def paths(self, part: Part) -> tuple[str, ...]:
        """Store paths of a part's files, one for each output."""
        return tuple(f"{output.folder}/{self.file(part)}" for output in self.outputs)


@dataclass(frozen=True)
class Plan:
    """A run: what is computed, and what it is projected to take.

    `seconds`: wall time on `cores` from the command to the report, `phases` its parts by name;
    `core_hours`: work; `memory_mb`: peak of the machine.
    `strategies` are those that spaces solved for themselves; they are not part of the JSON, but
    `digests` are: digest and SHA-256 of each, by the path of its file.
    """

    run: str
    request: str
    game: str
    methods: tuple[str, ...]
    rounds: int
    seed: int
    full: bool
    jobs: tuple[Job, ...]
    spec: Spec
    cores: int
    seconds: float
    core_hours: float
    memory_mb: float
    phases: Mapping[str, float] = field(default_factory=dict)
    digests: Mapping[str, tuple[str, str]] = field(default_factory=dict, compare=False)
    strategies: Mapping[str, Strategy] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def program(self) -> Program:
        """The spec, bound once."""
        return bind(self.spec)

    @property
    def folder(self) -> str:
        """Folder of the run in the store."""
        return run_folder(self.game, self.run)

    @property
    def coverage(self) -> tuple[str, ...]:
        """One line per job: parts k of n, deals x of y."""
        return tuple(
            f"{job.label}: {len(job.parts):,} of {job.parts_total:,} parts, "
            + (
                f"{job.deals:,} rounds"
                if job.method == "simulate"
                else f"{job.deals:,} of {job.deals_total:,} deals"
            )
            for job in self.jobs
        )

    def to_json(self) -> str:
        """Write the plan as canonical JSON."""
        fields = {name: getattr(self, name) for name in _PLAIN}
        jobs = [asdict(job) for job in self.jobs]
        digests = {path: list(pair) for path, pair in self.digests.items()}
        fields |= {"digests": digests}
        return canonical_json(fields | {"jobs": jobs, "spec": json.loads(spec_json(self.spec))})

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """Read a plan that `to_json` wrote; raise DealproofError where it is none."""
        try:
            raw = json.loads(text)
            jobs = tuple(_job(item) for item in raw["jobs"])
            fields = {name: raw[name] for name in _PLAIN} | {"methods": tuple(raw["methods"])}
            fields |= {
                "digests": {path: (content, sha) for path, (content, sha) in raw["digests"].items()}
            }
            return cls(jobs=jobs, spec=spec_from_json(json.dumps(raw["spec"])), **fields)
        except (KeyError, TypeError, ValueError) as error:
            raise DealproofError(f"not a plan of this version: {error!r}") from None


_PLAIN = (
    "run", "request", "game", "methods", "rounds", "seed", "full", "cores", "seconds",
    "core_hours", "memory_mb", "phases",
)  # fmt: skip


def _job(raw: dict[str, Any]) -> Job:
    tupled = {
        "rule_values": tuple((name, value) for name, value in raw["rule_values"]),
        "wanted": None if raw["wanted"] is None else tuple(raw["wanted"]),
        "parts": tuple(Part(**part) for part in raw["parts"]),
        "outputs": tuple(Output(**output) for output in raw["outputs"]),
        "strategies": tuple((name, path) for name, path in raw["strategies"]),
    }
    return Job(**{**raw, **tupled})


def run_folder(game: str, run: str) -> str:
    """Folder of a run in the store."""
    return f"runs/game={game}/run={run}"


def strategy_path(game: str, run: str, strategy: str) -> str:
    """Store path of a strategy of a run."""
    return f"{run_folder(game, run)}/strategies/{strategy}.parquet"


def spec_json(spec: Spec) -> str:
    """Write a spec as canonical JSON, exact decimals as ``{"exact": "3/2"}``.

    (Pydantic's own JSON turns them into text, which reads as something else.)
    """

    def plain(value: Any) -> Any:
        if isinstance(value, Model):
            return {name: plain(getattr(value, name)) for name in type(value).model_fields}
        if isinstance(value, Fraction):
            return {"exact": str(value)}
        if isinstance(value, Mapping):
            return {key: plain(item) for key, item in value.items()}
        return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value

    return canonical_json(plain(spec))


def spec_from_json(text: str) -> Spec:
    """Read a spec that `spec_json` wrote."""

    def exact(value: Any) -> Any:
        if isinstance(value, dict):
            if value.keys() == {"exact"}:
                return Fraction(value["exact"])
            return {key: exact(item) for key, item in value.items()}
        return tuple(exact(item) for item in value) if isinstance(value, list) else value

    return Spec.model_validate(exact(json.loads(text)))


def split(total: int, parts: int) -> tuple[tuple[int, int], ...]:
    """Cut 0 … `total` into about equal ranges; the bounds depend on these two numbers alone."""
    return tuple((total * k // parts, total * (k + 1) // parts) for k in range(parts))


def sampled(parts: int, seed: int, space: str) -> tuple[int, ...]:
    """Order part numbers at random, by SHA-256 of seed, space and number.

    A sample of k parts is the first k, so that a larger sample keeps the smaller one.
    """
    return tuple(sorted(range(parts), key=lambda number: digest([seed, space, number])))


def coarse(fit: int, parts: int) -> int:
    """Round a sample down to 1, 2 or 5 × 10^k parts, so that noise does not change it."""
    sizes = [step * 10**k for k in range(7) for step in (1, 2, 5)]
    return max((size for size in sizes if size <= min(fit, parts)), default=1)


def save(plan: Plan, store: Store) -> None:
    """Store a plan, its spec and its solved strategies with the run, before anything runs."""
    digests = dict(plan.digests)
    for name, strategy in plan.strategies.items():
        path, data = strategy_path(plan.game, plan.run, name), strategy_bytes(strategy)
        store.write(path, data)
        digests[path] = strategy.digest(), hashlib.sha256(data).hexdigest()
    store.write(f"{plan.folder}/spec.json", spec_json(plan.spec).encode())
    store.write(f"{plan.folder}/plan.json", replace(plan, digests=digests).to_json().encode())
    store.write(_request_path(plan.game, plan.request), canonical_json({"run": plan.run}).encode())


def save_took(plan: Plan, seconds: float, store: Store) -> None:
    """Store how long a run took, from its start to its report, beside what its plan projected."""
    record = {"projected_seconds": plan.seconds, "took_seconds": seconds, "cores": plan.cores}
    store.write(f"{plan.folder}/took.json", canonical_json(record).encode())


def load(game: str, run: str, store: Store) -> Plan:
    """Read the plan of a run back; raise DealproofError, with its path, where it is none."""
    path = f"{run_folder(game, run)}/plan.json"
    try:
        return Plan.from_json(store.read(path).decode())
    except UnicodeDecodeError:
        raise DealproofError(f"{store.locate(path)}: not UTF-8 text") from None
    except DealproofError as error:
        reason = str(error).removeprefix(f"{store.locate(path)}: ")
        raise DealproofError(f"{store.locate(path)}: {reason}") from None


def unfinished(game: str, request: str, store: Store) -> Plan | None:
    """The plan of the same request that was begun and has no certificate yet, if any."""
    path = _request_path(game, request)
    if not store.exists(path):
        return None
    run = json.loads(store.read(path))["run"]
    folder = run_folder(game, run)
    if store.exists(f"{folder}/certificate.json") or not store.exists(f"{folder}/plan.json"):
        return None
    return load(game, run, store)


def _request_path(game: str, request: str) -> str:
    return f"requests/{game}-{request}.json"
