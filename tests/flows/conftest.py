"""Real processes: the command line, a Prefect server, a dask scheduler."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

BIN = Path(sys.executable).parent
PROGRAM = str(BIN / "dealproof")
SILENT: dict[str, Any] = {
    "stdout": subprocess.DEVNULL,
    "stderr": subprocess.DEVNULL,
    "start_new_session": True,
}
QUIET = {
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "DO_NOT_TRACK": "1",
    "PREFECT_LOGGING_LEVEL": "ERROR",
}


def dealproof(
    environment: dict[str, str], *arguments: str | Path
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [PROGRAM, *map(str, arguments)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )


def wait_for(what: Callable[[], Any], seconds: float, message: str) -> Any:
    """Wait until something is true and return it."""
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
        with suppress(OSError):
            result = what()
            if result:
                return result
        time.sleep(0.1)
    raise AssertionError(f"{message}: not within {seconds:.0f} s")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def parts(store: Path) -> int:
    """Number of parts in a store."""
    return len(list(store.glob("tables/**/*.parquet")))


def descendants(pid: int) -> set[int]:
    """Processes that a process has started, and those that they have."""
    listed = subprocess.run(
        ["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True
    ).stdout
    children: dict[int, list[int]] = {}
    for line in listed.splitlines():
        child, parent = map(int, line.split())
        children.setdefault(parent, []).append(child)
    result: set[int] = set()
    todo = [pid]
    while todo:
        for child in children.get(todo.pop(), []):
            if child not in result:
                result.add(child)
                todo.append(child)
    return result


def alive(pids: set[int]) -> set[int]:
    """Which processes still run; zombies do not."""
    running = set()
    for pid in pids:
        stat = subprocess.run(
            ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
        ).stdout.strip()
        if stat and not stat.startswith("Z"):
            running.add(pid)
    return running


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment with a Prefect home of its own and no Prefect server."""
    home = tmp_path_factory.mktemp("prefect")
    text = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    return {**text, "PREFECT_HOME": str(home)}


@dataclass
class Running:
    """A command at a terminal of its own (a pseudo-terminal), and what it printed."""

    pid: int
    terminal: int
    said: bytes = b""
    started: set[int] = field(default_factory=set)

    def read(self, seconds: float = 0.1) -> bool:
        """Take in what is printed; tell whether anything was."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return False
        try:
            more = os.read(self.terminal, 65536)
        except OSError:  # nobody is left at the other end
            return False
        self.said += more
        return bool(more)

    def until(self, what: Callable[[], Any], seconds: float = 120) -> None:
        """Let it run until something is true."""
        begun = time.monotonic()
        while not what():
            assert time.monotonic() - begun < seconds, self.text
            assert os.waitpid(self.pid, os.WNOHANG) == (0, 0), self.text
            self.read()
        self.started |= descendants(self.pid)

    def press_ctrl_c(self) -> None:
        """Press Ctrl-C: every process of the terminal's group gets it."""
        self.started |= descendants(self.pid)
        os.write(self.terminal, b"\x03")

    def end(self, seconds: float = 60) -> int:
        """Wait for its end; return the exit status (negative: the signal)."""
        begun = time.monotonic()
        while True:
            self.read()
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                # The kernel hands over a terminal's last words in its own time.
                for _ in range(20):
                    self.read()
                    time.sleep(0.05)
                return os.waitstatus_to_exitcode(status)
            assert time.monotonic() - begun < seconds, self.text

    @property
    def text(self) -> str:
        """What it printed, without colours and moves of the cursor."""
        plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.said.decode(errors="replace"))
        return plain.replace("\r", "\n")


@pytest.fixture
def at_terminal(environment: dict[str, str], tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """Start commands at a terminal; whatever is left of them at the end is killed."""
    started: list[Running] = []

    def start(*arguments: str | Path) -> Running:
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(tmp_path)
            os.execve(
                PROGRAM,
                [PROGRAM, *map(str, arguments)],
                {**environment, "TERM": "xterm", "COLUMNS": "120"},
            )
        started.append(Running(pid, terminal))
        return started[-1]

    yield start
    for command in started:
        for pid in {command.pid} | command.started:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(command.pid, 0)
        os.close(command.terminal)


@dataclass(frozen=True)
class Api:
    """A Prefect server and a way to ask it."""

    url: str
    environment: dict[str, str]

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """Call the API; with a body by POST."""
        request = urllib.request.Request(
            f"{self.url}/{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read() or "null")


@pytest.fixture(scope="session")
def prefect(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """A real Prefect server with schedules, on a database of its own."""
    home, port = tmp_path_factory.mktemp("server"), free_port()
    text = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    text |= QUIET | {"PREFECT_HOME": str(home)}
    process = subprocess.Popen(
        [str(BIN / "prefect"), "server", "start", "--host", "127.0.0.1", "--port", str(port),
         "--no-ui"],
        env=text, **SILENT,
    )  # fmt: skip
    url = f"http://127.0.0.1:{port}/api"
    api = Api(url, {**text, "PREFECT_API_URL": url})
    try:
        wait_for(lambda: api.ask("health"), 120, "a Prefect server")
        yield api
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Start dask schedulers of their own, with or without a worker."""
    started: list[subprocess.Popen[bytes]] = []

    def start(workers: int = 1) -> str:
        address = f"tcp://127.0.0.1:{free_port()}"
        commands = [["scheduler", "--host", "127.0.0.1", "--port", address.rpartition(":")[2]]]
        commands += [["worker", address, "--nthreads", "1", "--local-directory", str(tmp_path)]]
        for command in commands[: 2 if workers else 1]:
            line = [str(BIN / "dask"), *command, "--no-dashboard"]
            started.append(subprocess.Popen(line, **SILENT))
        host, port = "127.0.0.1", int(address.rpartition(":")[2])
        wait_for(lambda: socket.create_connection((host, port), 1), 30, "a dask scheduler")
        return address

    yield start
    for process in started:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)
