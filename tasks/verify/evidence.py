"""A certificate's own file, its signature, and the digests of every file that it names."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from engine.exact.errors import DealproofError
from tasks.certificate import signature
from tasks.certificate.model import Statement, validated
from tasks.store import parquet
from tasks.store.store import Store
from tasks.verify.findings import Finding, Step


@dataclass(frozen=True)
class Evidence:
    """A statement, the bytes of its file, and where the run's files are; None where nowhere."""

    statement: Statement
    text: bytes
    path: Path
    store: Store | None

    @property
    def folder(self) -> str:
        """Folder of the run in the store."""
        predicate = self.statement.predicate
        return f"runs/game={predicate.game}/run={predicate.run.id}"

    def read(self, path: str) -> bytes | None:
        """A file of the run; None where it is missing."""
        if self.store is None or not self.store.exists(path):
            return None
        return self.store.read(path)


def opened(path: Path) -> tuple[Evidence, bytes | None]:
    """Read a certificate, or the envelope around one; also the envelope, where there is one.

    Files of the run are looked for in the nearest folder above that has `runs`. Raises
    DealproofError.
    """
    data = _read(path)
    if path.suffix == ".dsse":
        envelope: bytes | None = data
        text, _ = signature.opened(data, None)
    else:
        text = data
        beside = path.with_suffix(".dsse")
        envelope = _read(beside) if beside.exists() else None
    try:
        statement = validated(json.loads(text))
    except (ValueError, RecursionError):
        raise DealproofError(f"{path}: not a certificate: not JSON") from None
    except DealproofError as error:
        raise DealproofError(f"{path}: {error}") from None
    root = next((folder for folder in path.absolute().parents if (folder / "runs").is_dir()), None)
    return Evidence(statement, text, path, None if root is None else Store(str(root))), envelope


def signed(evidence: Evidence, envelope: bytes | None, key: Path | None) -> Step:
    """Whether a key has signed exactly this certificate."""
    name = "signature"
    if envelope is None:
        if key is None:
            return Step.skipped(name, "the certificate is not signed")
        finding = Finding(str(evidence.path), "", f"signed by {key}", "no signature beside it")
        return Step.of(name, "not signed", [finding])
    if key is None:
        return Step.skipped(name, "signed; give --key PUBLIC to check by whom")
    try:
        payload, by = signature.opened(envelope, key)
    except DealproofError as error:
        finding = Finding(
            str(evidence.path.with_suffix(".dsse")), "", f"signed by {key}", str(error)
        )
        return Step.of(name, "the signature does not hold", [finding])
    if payload != evidence.text:
        row = _first_difference(evidence.text, payload)
        finding = Finding(str(evidence.path), row, "what was signed", "another text")
        return Step.of(name, "the certificate was changed after it was signed", [finding])
    return Step.of(name, f"ed25519 by {key}, key {by[:16]}", [])


def digests(evidence: Evidence) -> tuple[Step, frozenset[str]]:
    """The SHA-256 of every file that the certificate names; also those files that are missing."""
    subjects = evidence.statement.subject
    findings, missing, checked = [], [], 0
    for subject in subjects:
        data = evidence.read(subject.name)
        if data is None:
            missing.append(subject.name)
            continue
        found = hashlib.sha256(data).hexdigest()
        checked += 1
        if found != subject.digest.sha256:
            findings.append(
                Finding(subject.name, "", f"sha256 {subject.digest.sha256[:16]}…", f"{found[:16]}…")
            )
    detail = f"{checked:,} of {len(subjects):,} files have the SHA-256 that is certified"
    if missing:
        detail += f"; {len(missing):,} are not here, {missing[0]} the first of them"
    if not checked:
        return Step.skipped("files", "none of the run's files are here"), frozenset(missing)
    return Step.of("files", detail, findings), frozenset(missing)


def tables(evidence: Evidence) -> Step:
    """The canonical digest of every table and strategy: what it holds, however it was packed."""
    findings, checked = [], 0
    for subject in evidence.statement.subject:
        path = Path(subject.name)
        data = evidence.read(subject.name) if path.suffix == ".parquet" else None
        if data is None or path.parent.name == "joint":
            continue
        strategy = path.parent.name == "strategies"
        try:
            if strategy:
                parquet.read_strategy(data)
            else:
                parquet.read_table(data)
        except DealproofError as error:
            what = "a strategy" if strategy else "a table"
            findings.append(Finding(subject.name, "", f"{what} with its digest", str(error)))
        checked += 1
    if not checked:
        return Step.skipped("tables", "no table of the run is here")
    return Step.of("tables", f"{checked:,} tables hold what their digests say", findings)


def _first_difference(one: bytes, other: bytes) -> str:
    """The first line in which two texts differ."""
    lines = zip(one.splitlines(), other.splitlines(), strict=False)
    number = next((n for n, (a, b) in enumerate(lines, start=1) if a != b), 0)
    return f"line {number}" if number else "the length"


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DealproofError(f"{path}: {error.strerror or error}") from None
