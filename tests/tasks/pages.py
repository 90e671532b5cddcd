"""Reading a page of a report in a test."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "br", "wbr", "link", "img", "hr", "input"}


class Balanced(HTMLParser):
    """Checks that tags open and close in order; keeps text, attributes, and each element's text."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.cells: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID:
            self.stack.append(tag)
            self.cells.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert "svg" in self.stack, f"<{tag}/> closes nothing outside SVG"
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert tag not in VOID
        assert self.stack.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.cells:
            self.cells[-1] += data


def read(page: str) -> Balanced:
    reader = Balanced()
    reader.feed(page)
    reader.close()
    assert reader.stack == []
    return reader
