"""A kernel compiled from an older source must never answer for a newer one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """
from engine.analysis import build
from engine.loading import load_spec
main = build(load_spec("fu-bacc")).space("main")
print(main.exhaust(0, 1).digest(), main.enumerate(0, 1).digest())
"""


def run(folder: Path, cache: Path) -> list[str]:
    env = {**os.environ, "PYTHONPATH": str(folder), "DEALPROOF_KERNEL_CACHE": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=env, cwd=folder, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    return done.stdout.split()


def test_a_changed_callee_in_another_file_is_compiled_anew(tmp_path: Path) -> None:
    for name in ("engine", "data"):
        shutil.copytree(ROOT / name, tmp_path / "copy" / name)
    cache = tmp_path / "cache"
    exhausted, enumerated = run(tmp_path / "copy", cache)
    assert exhausted == enumerated
    callee = tmp_path / "copy" / "engine" / "hands" / "baccarat.py"
    source = callee.read_text()
    assert "total > 9" in source
    callee.write_text(source.replace("total - 10 if total > 9", "0 if total > 9"))
    spoiled, still = run(tmp_path / "copy", cache)
    assert still == enumerated
    assert spoiled != exhausted
