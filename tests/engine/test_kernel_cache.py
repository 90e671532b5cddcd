"""Kernels: compiled once, when first called, and never from an older source."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """
from engine.analysis.binding import make_game
from engine.spec.loading import load_spec
main = make_game(load_spec("fu-bacc"))[0].space("main")
print(main.exhaust(0, 1).digest(), main.enumerate(0, 1).digest())
"""

#: Several threads are the first to call a kernel, which calls another one.
THREADS = """
import pickle, sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from engine.cards.hands.baccarat import add
assert pickle.loads(pickle.dumps(add)) is add
assert "numba" not in sys.modules
together = Barrier(4)
def first(points):
    together.wait()
    return add(7, points)
with ThreadPoolExecutor(4) as pool:
    found = list(pool.map(first, (1, 2, 3, 9)))
print(*found, sum(add.compiled.stats.cache_misses.values()))
"""


def run(folder: Path, cache: Path, program: str = PROGRAM) -> list[str]:
    env = {**os.environ, "PYTHONPATH": str(folder), "DEALPROOF_KERNEL_CACHE": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, cwd=folder, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    return done.stdout.split()


def test_a_changed_callee_in_another_file_is_compiled_anew(tmp_path: Path) -> None:
    for name in ("engine", "data"):
        shutil.copytree(ROOT / name, tmp_path / "copy" / name)
    cache = tmp_path / "cache"
    exhausted, enumerated = run(tmp_path / "copy", cache)
    assert exhausted == enumerated
    callee = tmp_path / "copy" / "engine" / "cards" / "hands" / "baccarat.py"
    source = callee.read_text()
    assert "total > 9" in source
    callee.write_text(source.replace("total - 10 if total > 9", "0 if total > 9"))
    spoiled, still = run(tmp_path / "copy", cache)
    assert still == enumerated
    assert spoiled != exhausted


def test_a_kernel_is_compiled_once_at_its_first_call(tmp_path: Path) -> None:
    # seven with an ace, a two, a three and a nine
    cache = tmp_path / "cache"
    assert run(ROOT, cache, THREADS) == ["8", "9", "0", "6", "1"]
    assert run(ROOT, cache, THREADS) == ["8", "9", "0", "6", "0"]
