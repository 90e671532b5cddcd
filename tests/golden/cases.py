"""What the golden texts are made of: the commands whose words they keep, and one report."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock

from engine.analysis.analysis import analyse
from engine.spec.loading import catalogue, load_spec
from flows.cli import main
from tasks.certificate.model import validated
from tasks.report import render
from tests.tasks.statement import stated

FOLDER = Path(__file__).parent
#: Elements that end a line of text.
_LINES = {"p", "h1", "h2", "h3", "h4", "tr", "li", "div", "dt", "dd", "figcaption", "caption"}
_CELLS = {"td", "th"}
#: Parts of a page that say nothing in words.
_SKIPPED = {"style", "script", "svg", "head"}
#: What differs between machines, versions of the code and moments, and what stands in its place.
_MASKED = tuple(
    (re.compile(pattern, re.M), instead)
    for pattern, instead in (
        (r"(?<=^Run\n)[0-9a-f]+$", "<run>"),
        (r"(?<=^Engine digest\n)[0-9a-f]+$", "<digest>"),
        (r"^Dealproof \d.*$", "Dealproof <version>"),
        (r"^\d+ [A-Z][a-z]+ \d{4}, \d\d:\d\d UTC$", "<time>"),
        (r"(?<=^Python\n).*$", "<machine>"),
        (r"(?<=^Packages\n).*$", "<packages>"),
    )
)


class _Text(HTMLParser):
    """The words of a page: a line for each paragraph and row, cells parted by bars."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.skipped = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.skipped += tag in _SKIPPED

    def handle_endtag(self, tag: str) -> None:
        self.skipped -= tag in _SKIPPED
        if tag in _LINES:
            self.parts.append("\n")
        elif tag in _CELLS:
            self.parts.append(" | ")

    def handle_data(self, data: str) -> None:
        if not self.skipped:
            self.parts.append(re.sub(r"\s+", " ", data))


def words(page: str) -> str:
    """Text content of an HTML page, without what a machine or a moment puts into it."""
    reader = _Text()
    reader.feed(page)
    reader.close()
    lines = (re.sub(r" {2,}", " ", line).strip(" |") for line in "".join(reader.parts).split("\n"))
    text = "\n".join(line for line in lines if line) + "\n"
    for pattern, instead in _MASKED:
        text = pattern.sub(instead, text)
    return text


def printed(*arguments: str) -> str:
    """What a command prints."""
    with (
        contextlib.redirect_stdout(io.StringIO()) as out,
        mock.patch("sys.argv", ["dealproof", *arguments]),
        contextlib.suppress(SystemExit),
    ):
        main()
    return out.getvalue()


def report() -> str:
    """The words of Fu Bacc's report, from its enumeration alone."""
    exact = analyse(load_spec("fu-bacc"))
    return words(render(validated(stated(exact)), exact.spec, exact.strategies))


def _command(*arguments: str) -> Callable[[], str]:
    return lambda: printed(*arguments)


#: File name → how its text is made.
CASES: dict[str, Callable[[], str]] = {
    **{f"deal-{game}.txt": _command("deal", game, "--seed", "7") for game in catalogue()},
    "price-ante.txt": _command("price", "fu-bacc", "--wager", "ante"),
    "price-banker.txt": _command("price", "punto-banco", "--wager", "banker"),
    "explain-tie.txt": _command("explain", "fu-bacc", "tie", "Tie"),
    "report-fu-bacc.txt": report,
}
