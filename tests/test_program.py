"""Where the program starts: it never runs modules of others in place of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = str(Path(sys.executable).with_name("dealproof"))
NAMES = ("engine", "tasks", "flows")


def stranger(folder: Path, name: str, package: bool) -> Path:
    """A module of one of our names that leaves a mark when it is run; return its file."""
    file = folder / name / "__init__.py" if package else folder / f"{name}.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"open({str(folder / 'mark')!r}, 'w')\n")
    return file


def run(*command: str, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command, "games", "--json"],
        cwd=folder, env={**os.environ, **env}, capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip


@pytest.mark.parametrize("package", [False, True])
def test_a_command_ignores_the_folder_where_it_runs(tmp_path: Path, package: bool) -> None:
    for name in NAMES:
        stranger(tmp_path, name, package)
    done = run(PROGRAM, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "fu-bacc" in done.stdout
    assert not (tmp_path / "mark").exists()


@pytest.mark.parametrize("package", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_a_module_that_comes_before_ours_is_told_and_not_run(
    tmp_path: Path, name: str, package: bool
) -> None:
    file = stranger(tmp_path, name, package)
    text = f"dealproof: module '{name}': Python finds {file} instead of Dealproof's own; "
    for done in (
        run(PROGRAM, folder=tmp_path.parent, PYTHONPATH=str(tmp_path)),
        run(sys.executable, "-m", "dealproof", folder=tmp_path),
    ):
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(text)
        assert done.stderr.count("\n") == 1
    assert not (tmp_path / "mark").exists()


def test_a_plain_folder_of_the_same_name_is_harmless(tmp_path: Path) -> None:
    (tmp_path / "engine").mkdir()
    assert run(PROGRAM, folder=tmp_path, PYTHONPATH=str(tmp_path)).returncode == 0
