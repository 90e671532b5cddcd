"""What commands and a report say, word for word.

A difference is either a fault or meant; `python -m tests.golden` writes the texts anew.
"""

from __future__ import annotations

from difflib import unified_diff

import pytest

from tests.golden.cases import CASES, FOLDER, words


@pytest.mark.parametrize("name", CASES)
def test_text_is_as_it_was(name: str) -> None:
    kept = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    now = CASES[name]().splitlines()
    changed = list(unified_diff(kept, now, f"tests/golden/{name}", "now", lineterm="", n=1))
    if changed:
        text = "\n".join(changed)
        pytest.fail(f"{text}\nmeant? then: python -m tests.golden", pytrace=False)


def test_no_text_is_left_over() -> None:
    assert {path.name for path in FOLDER.glob("*.txt")} == set(CASES)


def test_what_is_masked_and_what_is_not() -> None:
    page = (
        "<html><head><title>x</title></head><body><table><tr><td>strategy</td><td>7,329,067,200"
        f"</td><td>{'0a' * 32}</td></tr></table><p>Issued</p><p>1 December <b>2026, 05:00 UTC</b>"
        "</p><dl><dt>Run</dt><dd>ab12cd34ef56</dd></dl><p>Dealproof 0.1.0, commit ab12</p>"
        "<svg><text>1</text></svg></body></html>"
    )
    assert words(page).splitlines() == [
        f"strategy | 7,329,067,200 | {'0a' * 32}",
        "Issued", "<time>", "Run", "<run>", "Dealproof <version>",
    ]  # fmt: skip
