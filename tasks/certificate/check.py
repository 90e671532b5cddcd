"""What a check is. "Not run" is never "pass"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from engine.contract.game import Key
from engine.exact import rendering

Verdict = Literal["pass", "fail", "not run", "no figure applies"]

TITLES = {
    "completeness": "Every deal is counted once",
    "integrity": "The evidence is whole and untouched",
    "conservation": "Probabilities sum to 1",
    "shared": "What the methods share is right by itself",
    "apart": "Exhaustion and enumeration each do their own work",
    "agreement": "Enumeration equals exhaustion",
    "strategies": "Strategies re-derived from the exhaustion",
    "simulation": "Simulation agrees",
    "optimality": "No decision can be improved",
    "published": "Published figures are met",
    "orders": "The best order of all is known",
    "readings": "Every reading and variant was exhausted on a sample",
    "repriced": "A second pricer finds the same numbers",
}


@dataclass(frozen=True)
class Check:
    """One check: what it covered, what it came to, and figures as evidence."""

    name: str
    title: str
    required: bool
    verdict: Verdict
    coverage: str
    detail: str
    evidence: Mapping[str, Any] = field(default_factory=dict)


def checked(
    name: str,
    faults: list[str],
    coverage: str,
    detail: str,
    evidence: Mapping[str, Any] | None = None,
    required: bool = True,
) -> Check:
    """A check that ran: it fails where there are `faults`, and then tells these."""
    return Check(
        name,
        TITLES[name],
        required,
        "fail" if faults else "pass",
        coverage,
        "; ".join(faults) or detail,
        evidence or {},
    )


def not_run(name: str, method: str, required: bool = True) -> Check:
    """A check without the method that it needs."""
    return Check(name, TITLES[name], required, "not run", "nothing", f"{method} not run")


def out_of(done: int, total: int) -> str:
    """A number out of another, in words."""
    if done == total:
        return f"all {total:,}"
    return f"{done:,} of {total:,} ({rendering.share(done, total)})"


def named(key: Key) -> str:
    """A table in words: its space, and its strategy if it holds one."""
    return f"{key[0]} under {key[1]}" if key[1] else key[0]
