"""What becomes of a spec under its readings and variants, worked out by a cluster meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from engine.exact.errors import DealproofError
from engine.exact.tables import Table
from engine.studies.agreement import RANGES, Sample, sample
from engine.studies.readings import Prices, Under, changes, under
from engine.studies.variants import variants
from tasks.run.jobs import Plan, coarse

if TYPE_CHECKING:
    from distributed import Client

#: Core-seconds that the sample of one space may take in the referee.
SECONDS = 0.1


@dataclass(frozen=True)
class Changed:
    """A spec under each change of its rules.

    `prices`, `outcomes`: under each of its `changes`, in their order, the outcome tables by space
    and strategy; `samples`: tables that were exhausted on a sample, under these and then under its
    `variants`; None where exhaustion is not asked for.
    """

    prices: list[Prices]
    samples: tuple[Sample, ...] | None
    outcomes: list[Mapping[tuple[str, str | None], Table]] = field(compare=False)


Awaited = Callable[[], Changed]


def here(plan: Plan) -> Changed:
    """Work it out in this process."""
    spec, seed, counts = plan.spec, plan.seed, starts(plan)
    priced = [under(spec, change, seed, counts) for change in changes(spec)]
    beside = variants(spec) if counts is not None else ()
    return _changed(priced, [sample(spec, change, seed, counts or {}) for change in beside], counts)


def begin(plan: Plan, client: Client) -> Awaited:
    """Start on a cluster; what is returned waits for it.

    A cluster that is lost in the meantime costs time only: this process does its work then.
    """
    spec, counts = plan.spec, starts(plan)
    price = partial(under, spec, seed=plan.seed, counts=counts)
    exhaust = partial(sample, spec, seed=plan.seed, counts=counts or {})
    priced = client.map(price, changes(spec), pure=False)
    sampled = client.map(exhaust, variants(spec) if counts is not None else (), pure=False)

    def waited() -> Changed:
        try:
            return _changed(client.gather(priced), client.gather(sampled), counts)
        except DealproofError:
            raise
        except Exception:
            return here(plan)

    return waited


def starts(plan: Plan) -> dict[str, int] | None:
    """Starts of each space to exhaust under every change, by what a plan projects their cost at.

    None where exhaustion is not asked for.
    """
    sizes = {}
    for job in plan.jobs:
        if job.method == "exhaust" and job.space is not None:
            share = SECONDS / max(job.seconds * job.parts_total / len(job.parts), SECONDS)
            total = plan.program.game.space(job.space).starts
            sizes[job.space] = max(RANGES, coarse(int(share * total), total))
    return sizes if "exhaust" in plan.methods else None


def _changed(
    priced: Iterable[Under],
    beside: Iterable[tuple[Sample, ...]],
    counts: Mapping[str, int] | None,
) -> Changed:
    changed = list(priced)
    drawn = [one for each in changed for one in each.samples]
    drawn += [one for samples in beside for one in samples]
    return Changed(
        [each.prices for each in changed],
        None if counts is None else tuple(drawn),
        [each.outcomes for each in changed],
    )
