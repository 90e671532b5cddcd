"""The second pricer's check: every number of the certificate, worked out again from its files."""

from __future__ import annotations

from tasks.certificate.check import Check, checked
from tasks.certificate.model import Statement
from tasks.reprice import Confirmation, reprice
from tasks.store.store import Store

#: Differences that the finding names.
NAMED = 3


def confirm(statement: Statement, store: Store) -> Check:
    """Reprice a statement from the files that are in the store, and check that nothing differs."""

    def read(path: str) -> bytes | None:
        return store.read(path) if store.exists(path) else None

    return repriced(reprice(statement.document(), read))


def repriced(found: Confirmation) -> Check:
    """Every number is confirmed, or listed with the reason why it cannot be."""
    faults = [str(difference) for difference in found.differences[:NAMED]]
    if len(found.differences) > NAMED:
        faults.append(f"{len(found.differences) - NAMED:,} more differ")
    faults += [f"{path}: nobody knows how to confirm it" for path in found.unlisted[:NAMED]]
    if len(found.unlisted) > NAMED:
        faults.append(f"{len(found.unlisted) - NAMED:,} more are not known")
    confirmed, others = found.confirmed.total(), found.unconfirmed
    return checked(
        "repriced",
        faults,
        f"{found.numbers:,} numbers",
        f"{confirmed:,} confirmed; not confirmed: "
        + "; ".join(f"{count:,} ({reason})" for reason, count in others.most_common()),
        {
            "numbers": found.numbers,
            "confirmed": dict(sorted(found.confirmed.items())),
            "unconfirmed": dict(sorted(others.items())),
        },
    )
