"""Ctrl-C, SIGTERM and kill -9 lose at most what is in flight, and leave nothing behind."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.flows.conftest import PROGRAM, Running, alive, parts, wait_for

pytestmark = pytest.mark.server

Start = Callable[..., Running]


def certified(store: Path) -> dict[str, str]:
    """Files that the store's one certificate stands on, with their SHA-256."""
    (path,) = store.glob("runs/*/*/certificate.json")
    subjects = json.loads(path.read_text(encoding="utf-8"))["subject"]
    return {s["name"]: s["digest"]["sha256"] for s in subjects}


def test_kill_9_leaves_no_process_and_the_next_run_resumes(
    at_terminal: Start, environment: dict[str, str], tmp_path: Path
) -> None:
    store = tmp_path / "killed"
    run = at_terminal("certify", "fu-bacc", "--store", store)
    run.until(lambda: parts(store) > 20)
    os.kill(run.pid, signal.SIGKILL)
    assert run.end() == -signal.SIGKILL
    assert len(run.started) >= 2  # our Prefect server and a worker
    wait_for(lambda: not alive(run.started), 15, "the end of all processes")
    there = parts(store)
    again = subprocess.run(
        [PROGRAM, "certify", "fu-bacc", "--store", str(store)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert (again.returncode, "Fu Bacc: certified" in again.stdout) == (0, True), again.stderr
    assert f"resuming, {there} of " in again.stderr
    for name, sha256 in certified(store).items():
        assert hashlib.sha256((store / name).read_bytes()).hexdigest() == sha256


def test_ctrl_c_stops_at_once_in_one_line(at_terminal: Start, tmp_path: Path) -> None:
    store = tmp_path / "stopped"
    run = at_terminal("certify", "fu-bacc", "--store", store)
    run.until(lambda: parts(store) > 5)
    run.press_ctrl_c()
    begun = time.monotonic()
    assert run.end() == 130
    assert time.monotonic() - begun < 20
    assert run.text.rstrip().endswith(
        "dealproof: interrupted; what is computed is kept; the same command resumes"
    )
    assert "Traceback" not in run.text
    assert not alive(run.started)


@pytest.mark.parametrize("seconds", [1.5, 3, 4.5, 6])
def test_ctrl_c_while_starting(at_terminal: Start, tmp_path: Path, seconds: float) -> None:
    run = at_terminal("certify", "fu-bacc", "--store", tmp_path / "stopped")
    begun = time.monotonic()
    run.until(lambda: time.monotonic() - begun > seconds)
    run.press_ctrl_c()
    assert run.end() == 130
    assert "Traceback" not in run.text
    assert "dealproof: interrupted" in run.text
    assert not alive(run.started)


def test_sigterm_stops_like_ctrl_c(at_terminal: Start, tmp_path: Path) -> None:
    store = tmp_path / "stopped"
    run = at_terminal("certify", "fu-bacc", "--store", store)
    run.until(lambda: parts(store) > 5)
    os.kill(run.pid, signal.SIGTERM)
    assert run.end() == 128 + signal.SIGTERM
    assert "dealproof: interrupted" in run.text
    assert not alive(run.started)


def test_a_killed_worker_is_replaced(at_terminal: Start, tmp_path: Path) -> None:
    store = tmp_path / "maimed"
    run = at_terminal("certify", "fu-bacc", "--store", store)
    run.until(lambda: parts(store) > 5)
    (worker,) = [
        pid
        for pid in run.started
        if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8")
    ]
    os.kill(worker, signal.SIGKILL)
    assert run.end(240) == 0
    assert "Fu Bacc: certified" in run.text
