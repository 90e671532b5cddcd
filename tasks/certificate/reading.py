"""Certificates of a store; one of another version is told apart from one that was edited."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from engine.exact.errors import DealproofError
from tasks.certificate.model import PREDICATE, SCHEMA, Statement, validated
from tasks.run.jobs import run_folder
from tasks.store.store import Store

_KIND = PREDICATE.rsplit(":", 1)[0]


class OtherVersionError(DealproofError):
    """A certificate that another version of the software wrote, with a schema of its own."""


def read_statement(game: str, run: str, store: Store) -> Statement:
    """Read the certificate of a run.

    Raises OtherVersionError for one of another schema, DealproofError for a file that is none;
    both name its path.
    """
    path = f"{run_folder(game, run)}/certificate.json"
    where = store.locate(path)
    try:
        raw = json.loads(store.read(path).decode())
    except (ValueError, RecursionError):
        raise DealproofError(f"{where}: not a certificate: not JSON; {_ADVICE}") from None
    other = _other_schema(raw)
    if other is not None:
        raise OtherVersionError(
            f"{where}: a certificate of schema {other}; this version reads schema {SCHEMA}"
        )
    try:
        return validated(raw)
    except DealproofError as error:
        raise DealproofError(f"{where}: {error}; {_ADVICE}") from None


_ADVICE = "move it away, or take it back from certificates/ of the store"


def _other_schema(raw: Any) -> str | None:
    """Schema of a certificate of ours that is not today's; None for any other file."""
    kind = raw.get("predicateType") if isinstance(raw, Mapping) else None
    if not isinstance(kind, str) or not kind.startswith(f"{_KIND}:") or kind == PREDICATE:
        return None
    return kind.removeprefix(f"{_KIND}:v")
