"""The code in `docs/` runs, and prints what stands under it."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import dealproof

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").glob("*.md"))
_CODE = re.compile(r"```python\n(.*?)```(?:\n+```text\n(.*?)```)?", re.S)
HEAVY = "prefect distributed numba pyarrow duckdb numpy pydantic scipy typer engine flows"


def test_there_are_pages_with_code() -> None:
    assert any(_CODE.search(page.read_text(encoding="utf-8")) for page in PAGES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_code_prints_what_stands_under_it(page: Path) -> None:
    names: dict[str, Any] = {}
    for code, shown in _CODE.findall(page.read_text(encoding="utf-8")):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(code, str(page), "exec"), names)
        assert printed.getvalue() == shown, code


def test_every_public_name_is_there() -> None:
    assert list(dealproof.__all__) == sorted(dealproof.__all__)
    for name in dealproof.__all__:
        assert getattr(dealproof, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'flows'"):
        _ = dealproof.flows


def test_importing_it_loads_nothing() -> None:
    script = f"import dealproof, sys; print(*({set(HEAVY.split())} & set(sys.modules)))"
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == []


def test_pricing_from_python_loads_no_command_line() -> None:
    script = (
        "import sys\nfrom dealproof import Analysis, bind, load\n"
        "Analysis(bind(load('fu-bacc'))).price('lucky-monkey')\n"
        "print(*({'prefect', 'distributed', 'typer', 'flows', 'pyarrow'} & set(sys.modules)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == []
