"""All steps of a verification, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

from engine.exact.errors import DealproofError
from tasks.verify import anew, evidence, proof
from tasks.verify.findings import Finding, Step


def verify(
    path: Path,
    key: Path | None = None,
    recompute: Fraction | None = None,
    seed: int = 1,
    told: Callable[[str], None] = lambda text: None,
) -> Iterator[Step]:
    """Verify a certificate from its files; yields each step when it is done.

    `key`: public key that should have signed it; `recompute`: share of the partitions to compute
    again, drawn by `seed`; `told` hears what is being done. Raises DealproofError for a file that
    is no certificate; whatever does not hold is a finding.
    """
    told("reading")
    found, envelope = evidence.opened(path)
    yield evidence.signed(found, envelope, key)
    told("digests")
    files, _ = evidence.digests(found)
    yield files
    yield evidence.tables(found)
    told("numbers")
    yield _guarded("numbers", found, lambda: proof.repriced(found))
    told("reduction")
    reduction, plan, collected = proof.reduced(found)
    yield reduction
    if plan is None or collected is None:
        yield Step.skipped("checks", "without all partitions they cannot be run again")
    else:
        told("checks")
        yield _guarded("checks", found, lambda: proof.checked(found, plan, collected))
    if recompute is None:
        yield Step.skipped("recomputation", "not asked for; see --recompute")
    elif plan is None:
        yield Step.skipped("recomputation", "the run's plan is not here")
    else:
        yield _guarded(
            "recomputation",
            found,
            lambda: anew.recomputed(found, plan, recompute, seed, told),
        )


def _guarded(name: str, found: evidence.Evidence, step: Callable[[], Step]) -> Step:
    """A step, or the finding that it cannot be carried through on what is here."""
    try:
        return step()
    except Exception as error:  # whatever a file can be that somebody changed
        reason = (
            str(error) if isinstance(error, DealproofError) else f"{type(error).__name__}: {error}"
        )
        reason = " ".join(reason.split())
        finding = Finding(found.path.name, "", f"what {name} need", reason)
        return Step.of(name, "cannot be worked out", [finding])
