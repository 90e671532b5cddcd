"""The one error that a user is meant to read."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class DealproofError(Exception):
    """A mistake of the user or of an input file, told in one line.

    Everything else that is raised is a defect of this software.
    """


def meant(word: str, allowed: Iterable[str]) -> str | None:
    """The nearest allowed name, capital and small letters alike; None where none is near."""
    alike = {str(name).lower(): str(name) for name in allowed}
    close = difflib.get_close_matches(word.lower(), alike, n=1, cutoff=0.6)
    return alike[close[0]] if close else None


def nearest(word: str, allowed: Iterable[str]) -> str:
    """Return the closing words of an error: the nearest allowed name and all allowed ones.

    Example: ``nearest("winer", ["winner", "margin"])`` gives
    ``"did you mean 'winner'? allowed: margin, winner"``.
    """
    names = sorted({str(name) for name in allowed})
    close = meant(word, names)
    guess = f"did you mean '{close}'? " if close else ""
    return f"{guess}allowed: {', '.join(names) if names else '(none)'}"
