"""What verification finds, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

#: "differs" is a failure; "not checked" says what could not be looked at, and why.
Outcome = Literal["verified", "differs", "not checked"]


@dataclass(frozen=True)
class Finding:
    """One thing that differs: where, what the certificate says, and what is found."""

    file: str
    row: str
    theirs: str
    ours: str

    def __str__(self) -> str:
        row = f", {self.row}" if self.row else ""
        return f"{self.file}{row}: certified {self.theirs}, found {self.ours}"


@dataclass(frozen=True)
class Step:
    """One step of a verification: its outcome, what it covered, and what differs."""

    name: str
    outcome: Outcome
    detail: str
    findings: tuple[Finding, ...] = ()

    @classmethod
    def of(cls, name: str, detail: str, findings: Sequence[Finding]) -> Step:
        """A step that ran."""
        return cls(name, "differs" if findings else "verified", detail, tuple(findings))

    @classmethod
    def skipped(cls, name: str, reason: str) -> Step:
        """A step that could not run."""
        return cls(name, "not checked", reason)

    def document(self) -> dict[str, Any]:
        """The step as JSON has it."""
        return asdict(self)
