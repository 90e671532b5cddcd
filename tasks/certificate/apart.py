"""Evidence that methods do work of their own: what each runs is watched on one start of a space.

An exhaustion that borrows the enumeration's table would agree with it in every cell. So a start is
played once more under watch, and the functions of the game that ran are listed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import engine
from engine.analysis.analysis import Analysis
from tasks.certificate.check import Check, checked, not_run
from tasks.run.reduce import Collected

GAMES = str(Path(str(engine.__file__)).parent / "games")
#: Modules of a game, and folders of them, that enumerate; and those that ask the rule sheet.
ENUMERATES = ("enumeration", "enumeration_bonus", "expectation")
PLAYS = ("referee", "playout", "playout_bonus", "rounds")


def apart(analysis: Analysis, collected: Collected) -> Check:
    """No exhaustion runs the enumeration, and no enumeration the referee."""
    if "exhaust" not in collected.tables:
        return not_run("apart", "exhaust")
    faults: list[str] = []
    evidence: dict[str, dict[str, list[str]]] = {}
    for space in analysis.game.spaces:
        keys = [key for key in collected.tables["exhaust"] if key[0] == space.name]
        if not keys:
            continue
        strategies = [analysis.strategy(name) if name else None for _, name in keys]
        wanted = analysis.program.columns(space)
        ran = {
            "exhaust": watched(lambda: space.exhaust_each(0, 1, strategies, wanted)),  # noqa: B023
            "enumerate": watched(lambda: space.enumerate(0, 1, strategies[0], wanted)),  # noqa: B023
        }
        evidence[space.name] = {method: sorted(names) for method, names in ran.items()}
        for method, others in (("exhaust", ENUMERATES), ("enumerate", PLAYS)):
            borrowed = sorted(name for name in ran[method] if _module(name) & {*others})
            if borrowed:
                faults.append(f"{method} of {space.name} runs {borrowed[0]}")
    functions = sum(len(names) for each in evidence.values() for names in each.values())
    return checked(
        "apart",
        faults,
        f"{len(evidence)} spaces, one start of each",
        f"{functions} functions of the game ran; no exhaustion ran the enumeration, no enumeration "
        "the referee",
        {"functions": evidence},
    )


def watched(work: Callable[[], Any]) -> set[str]:
    """Names of the game's own functions that run during some work, by module."""
    names: set[str] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(GAMES):
            module = Path(code.co_filename).relative_to(GAMES).with_suffix("")
            names.add(f"{'.'.join(module.parts)}.{code.co_qualname}")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return names


def _module(name: str) -> set[str]:
    return set(name.split(".")[1:-1])
