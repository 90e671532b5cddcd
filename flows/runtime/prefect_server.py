"""A Prefect server of our own for as long as one command runs.

Prefect can start one by itself, but only after it has been imported, and that one outlives a
command that is killed. This one starts at once, while everything else is loading, and ends with
the process that started it, however that ends.
"""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from engine.exact.errors import DealproofError
from engine.exact.rendering import floating

#: Seconds that a server may take to answer; a first start creates its database.
START_TIMEOUT = 120.0
#: Seconds that a server may take to write what it holds and end.
GRACE = 10.0
_OFFLINE = {
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "DO_NOT_TRACK": "1",
    "DASK_LOGGING__DISTRIBUTED": "warning",
}
_SILENT = {
    "DASK_LOGGING__DISTRIBUTED": "critical",
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
    "PREFECT_INTERNAL_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_CLIENT_SERVER_VERSION_CHECK_ENABLED": "false",
}
#: What our processes start takes no module from the folder where a command happens to run.
_SAFE = {"PYTHONSAFEPATH": "1"}
_FOR_ONE_RUN = {
    "PREFECT_UI_ENABLED": "0",
    "PREFECT__SERVER_EPHEMERAL": "1",
    "PREFECT__SERVER_FINAL": "1",
}


def configure(verbose: bool) -> None:
    """Set Prefect up for a command line, before it is imported: offline, and quiet by default.

    Whatever the user's environment sets already stays as it is.
    """
    for name, value in (_OFFLINE if verbose else _OFFLINE | _SILENT).items():
        os.environ.setdefault(name, value)
    os.environ.update(_SAFE)
    if not _writable(_home()):
        # As in a container without a home: what Prefect records lasts as long as the machine.
        os.environ["PREFECT_HOME"] = f"{tempfile.gettempdir()}/dealproof-{os.getuid()}/prefect"


def _at(port: int) -> dict[str, str]:
    """Settings of a server with pages: its port, which the pages ask, and where they are unpacked.

    An address that the user's environment gives to the pages (of a proxy, say) stays as it is.
    """
    settings = {"PREFECT_SERVER_API_HOST": "127.0.0.1", "PREFECT_SERVER_API_PORT": str(port)}
    package = importlib.util.find_spec("prefect")
    if (
        package
        and package.origin
        and not os.access(Path(package.origin).parent / "server", os.W_OK)
    ):
        chosen = {"PREFECT_SERVER_UI_STATIC_DIRECTORY", "PREFECT_UI_STATIC_DIRECTORY"} & {
            *os.environ
        }
        settings |= {} if chosen else {"PREFECT_UI_STATIC_DIRECTORY": str(_home() / "pages")}
    return settings


def _home() -> Path:
    return Path(os.environ.get("PREFECT_HOME") or Path.home() / ".prefect")


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def configured_url() -> str | None:
    """Address of the API that the user's environment or Prefect profile names, if any."""
    if os.environ.get("PREFECT_API_URL"):
        return os.environ["PREFECT_API_URL"]
    if not _has_settings():
        return None
    from prefect.settings import get_current_settings

    return get_current_settings().api.url


def _has_settings() -> bool:
    """Whether Prefect would read settings from some file; importing it to know takes seconds."""
    home = _home()
    profiles = os.environ.get("PREFECT_PROFILES_PATH")
    if any(Path(p).is_file() for p in (profiles or home / "profiles.toml", "prefect.toml", ".env")):
        return True
    try:
        return "prefect" in tomllib.loads(Path("pyproject.toml").read_text("utf-8")).get("tool", {})
    except (OSError, ValueError):
        return False


def check(url: str) -> None:
    """Raise DealproofError unless something answers at a Prefect API's address."""
    try:
        with urllib.request.urlopen(f"{url.rstrip('/')}/health", timeout=10):
            return
    except urllib.error.HTTPError:
        return  # It answers; whether it lets us in is for Prefect to tell.
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise DealproofError(
            f"PREFECT_API_URL = {url}: no Prefect server answers ({reason}); "
            "start it, or unset PREFECT_API_URL to run with one of our own"
        ) from None


@contextmanager
def prefect_server(verbose: bool = False, port: int | None = None) -> Iterator[Server]:
    """Use the configured Prefect server, or start one that lives as long as this context.

    With a `port` ours is whole, with schedules and a page to look at; without one it only takes
    down what a single run reports. Prefect may be imported once this has begun; call `ready`
    before its API is used.
    """
    configure(verbose)
    url = configured_url()
    if url is not None:
        check(url)
    server = Server(url, verbose, port)
    try:
        yield server
    finally:
        server.stop()


class Server:
    """A Prefect server: one that runs already at `url`, or a process of our own."""

    def __init__(self, url: str | None, verbose: bool = False, port: int | None = None) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self.url = url or self._start(verbose, port)

    @property
    def ours(self) -> bool:
        """Whether it is a process of our own."""
        return self._process is not None

    def _start(self, verbose: bool, port: int | None) -> str:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (as long as the server)
        with socket.socket() as listener:
            try:
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                listener.bind(("127.0.0.1", port or 0))
            except OSError as error:
                raise DealproofError(
                    f"port {port}: {error.strerror}; choose another with --port, or set "
                    "PREFECT_API_URL to use a Prefect server that runs already"
                ) from None
            number = listener.getsockname()[1]
            # Ctrl-C reaches all processes of a terminal's group; the server has to outlive it, so
            # that Prefect can record how the run ended. It ends when its standard input closes.
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-P",
                    "-m",
                    "flows.runtime.prefect_server",
                    str(listener.fileno()),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=None if verbose else self._errors,
                pass_fds=(listener.fileno(),),
                start_new_session=True,
                env={**os.environ, **(_at(number) if port else _FOR_ONE_RUN)},
            )
        url = f"http://127.0.0.1:{number}/api"
        os.environ["PREFECT_API_URL"] = url
        return url

    def ready(self) -> None:
        """Wait until the API answers; raise DealproofError where it does not come up."""
        if self._process is None:
            return
        begun = time.monotonic()
        while time.monotonic() - begun < START_TIMEOUT:
            if self._process.poll() is not None:
                raise DealproofError(f"the Prefect server did not start: {self._last_words()}")
            with suppress(OSError), urllib.request.urlopen(f"{self.url}/health", timeout=10):
                return
            time.sleep(0.05)
        raise DealproofError(
            f"the Prefect server did not answer within {floating(START_TIMEOUT, 0)} s"
        )

    def _last_words(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        errors = [line for line in lines if "Error" in line]
        return (errors or lines or ["it said nothing"])[-1].strip()

    def stop(self) -> None:
        """End a server of our own; what it was told before is written first."""
        if self._process is None:
            return
        process, self._process = self._process, None
        _drain()
        os.environ.pop("PREFECT_API_URL", None)
        if process.stdin:
            process.stdin.close()
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _drain() -> None:
    """Send what Prefect still holds of logs and events, while there is a server to take it."""
    if "prefect" in sys.modules:
        from prefect.events.worker import EventsWorker
        from prefect.logging.handlers import APILogWorker

        for service in (APILogWorker, EventsWorker):
            service.drain_all(timeout=GRACE / 2)


def _serve(descriptor: int) -> None:
    """Serve on a socket that our parent has bound, until it closes our standard input."""
    import gc
    import threading

    begun: list[uvicorn.Server] = []

    def watch() -> None:
        sys.stdin.buffer.read()
        if not begun:
            os._exit(0)
        begun[0].should_exit = True
        time.sleep(GRACE)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    # Imports make no garbage worth looking for; collecting costs a tenth of the start.
    gc.disable()
    import uvicorn
    from prefect.server.api.server import create_app

    gc.enable()

    class OneAtATime(uvicorn.Server):
        """Two servers that create or migrate one database at once would trip over each other."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            with _lock():
                await super().startup(sockets)

    server = OneAtATime(uvicorn.Config(create_app(), log_level="error", lifespan="on"))
    begun.append(server)
    server.run([socket.socket(fileno=descriptor)])
    # All is written and closed; taking this many modules apart would cost seconds.
    os._exit(0)


@contextmanager
def _lock() -> Iterator[None]:
    import fcntl

    with (_home() / "dealproof.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    _serve(int(sys.argv[1]))
