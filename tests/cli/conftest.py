"""The command line as a user meets it: a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from flows.cli import main

ROOT = Path(__file__).parents[2]
#: The installed entry point, as a user types it.
PROGRAM = str(Path(sys.executable).with_name("dealproof"))


@dataclass(frozen=True)
class Answer:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def complaint(self) -> str:
        """The one line on stderr that every error has to be; kernels may be compiled before."""
        lines = self.err.splitlines()
        errors = [line for line in lines if not line.startswith("compiling the kernels of ")]
        assert self.out == ""
        assert len(errors) == 1
        assert errors[0].startswith("dealproof: ")
        return errors[0].removeprefix("dealproof: ")


Dealproof = Callable[..., Answer]


@pytest.fixture
def dealproof(tmp_path: Path) -> Dealproof:
    """Run `dealproof` in an empty folder."""

    def run(*arguments: str | Path, env: dict[str, str] | None = None) -> Answer:
        done = subprocess.run(
            [PROGRAM, *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, **(env or {})},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def in_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Dealproof:
    """Run `dealproof` in an empty folder within this process: as good for what is printed."""

    def run(*arguments: str | Path, env: dict[str, str] | None = None) -> Answer:
        for name, value in (env or {}).items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["dealproof", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            main()
        printed = capsys.readouterr()
        code = left.value.code
        return Answer(code if isinstance(code, int) else int(bool(code)), printed.out, printed.err)

    return run
