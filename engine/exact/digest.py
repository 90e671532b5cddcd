"""Digests: over the engine's own source text, and over any JSON-like value."""

from __future__ import annotations

import functools
import hashlib
import json
from fractions import Fraction
from pathlib import Path
from typing import Any


@functools.cache
def engine_digest() -> str:
    """SHA-256 over every source file of the engine, in path order (hexadecimal).

    Path names are part of it; specs under ``data`` are not, since they have digests of their own.
    """
    root = Path(__file__).parents[1]
    sha = hashlib.sha256()
    for path in sorted(root.rglob("*.py"), key=lambda p: p.relative_to(root).as_posix()):
        sha.update(path.relative_to(root).as_posix().encode() + b"\0")
        sha.update(path.read_bytes() + b"\0")
    return sha.hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no canonical form")


def canonical_json(value: Any) -> str:
    """Write a value as JSON with sorted keys, no blanks, and fractions as exact text."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_plain
    )


def digest(value: Any) -> str:
    """SHA-256 (hexadecimal) of a value's canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()
