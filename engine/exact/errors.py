"""The one error that a user is meant to read, and where in their files it lies."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class DealproofError(Exception):
    """A mistake of the user or of an input file, told in one line.

    `path` says where it lies, from the outside in: file, key, key of that. Everything else that is
    raised is a defect of this software.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.path: tuple[str, ...] = ()

    def __str__(self) -> str:
        return _joined(self.path, super().__str__())


def _joined(path: tuple[str, ...], message: str) -> str:
    """Put a path before a message: ``games/x.toml: wagers[a].pays: …``, ``… = 3: …``.

    A file ends with a colon of its own, a key joins the key before it by a dot, an index as it is.
    """
    text = ""
    for step in path:
        joint = "" if not text or text.endswith(": ") or step.startswith("[") else "."
        text += f"{joint}{step}"
    if not text:
        return message
    text = text.removesuffix(": ")
    return f"{text} {message}" if message.startswith("= ") else f"{text}: {message}"


@contextmanager
def at(*steps: str) -> Iterator[None]:
    """Whatever is wrong inside lies at these steps: put them before its path."""
    try:
        yield
    except DealproofError as error:
        error.path = (*steps, *error.path)
        raise


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
