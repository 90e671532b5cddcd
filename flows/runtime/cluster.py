"""The dask cluster that carries a run: one of our own, or one that runs already."""

from __future__ import annotations

import platform
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import metadata
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Any

from engine.exact.digest import engine_digest
from engine.exact.errors import DealproofError
from tasks.run import calibrate
from tasks.store.store import Store

if TYPE_CHECKING:
    from distributed import Client

#: Seconds to wait for a scheduler, and for its first worker.
CONNECT_TIMEOUT, WORKERS_TIMEOUT = 5, 15


class ClusterLost(DealproofError):  # noqa: N818 (it is the cluster that is lost)
    """No scheduler answers, or one does no more: another try may find it again."""


class Cluster:
    """A connection to a cluster that is made when it is first needed, and made anew when lost."""

    def __init__(self, workers: int | None = None, address: str | None = None) -> None:
        if workers is not None and workers < 1:
            raise DealproofError(f"workers = {workers}: at least 1 is needed")
        self.workers, self.address = workers, address
        self._client: Client | None = None
        self._local: Any = None

    def client(self) -> Client:
        """Return a client that is connected, with at least one worker of this very version."""
        if self._client is None or self._client.status != "running":
            self.close()
            self._client = self._remote() if self.address else self._own()
        return self._client

    def close(self) -> None:
        """Let go of the cluster; one of our own ends with all its workers."""
        client, local, self._client, self._local = self._client, self._local, None, None
        for part in (client, local):
            if part is not None:
                with suppress(Exception):
                    part.close(timeout=5)

    @property
    def cores(self) -> int:
        """Threads that work on parts."""
        if self.address:
            return sum(self.client().nthreads().values())
        return self.workers or calibrate.cores()

    @property
    def memory_mb(self) -> float | None:
        """Memory of a foreign cluster's workers where they tell it; None: this machine's."""
        if not self.address:
            return None
        workers = self.client().scheduler_info(n_workers=-1)["workers"].values()
        limits = [worker["memory_limit"] for worker in workers]
        return sum(limits) / 2**20 if all(limits) else None

    def _own(self) -> Client:
        from distributed import Client, LocalCluster

        processes = calibrate.processes(self.cores)
        # Workers are born deaf to Ctrl-C, which reaches all of a terminal's processes: it is meant
        # for the command, which ends them itself. Threads and processes inherit the mask, unless
        # the resource tracker starts in between: it lifts the mask where it starts.
        resource_tracker.ensure_running()
        with held_back(signal.SIGINT):
            self._local = LocalCluster(
                n_workers=processes,
                threads_per_worker=-(-self.cores // processes),
                dashboard_address=None,
                scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
                silence_logs=False,
                preload="tasks.run.partition",
            )
            return Client(self._local, set_as_default=False)

    def _remote(self) -> Client:
        from distributed import Client

        check_scheduler(f"{self.address}")
        client = Client(self.address, timeout=WORKERS_TIMEOUT, set_as_default=False)
        try:
            _check_workers(client, f"{self.address}")
        except BaseException:
            client.close(timeout=5)
            raise
        return client

    def check_store(self, store: Store, path: str) -> None:
        """Raise DealproofError unless every worker of a foreign cluster sees a file of a store."""
        if self.address is None:
            return
        seen = self.client().run(sees, store.uri, path)
        blind = sorted(worker for worker, there in seen.items() if not there)
        if blind:
            raise DealproofError(
                f"store {store.uri}: worker {blind[0]} does not see it; "
                "use a folder that all machines share, or s3://bucket/prefix"
            )


@contextmanager
def held_back(*signals: signal.Signals) -> Iterator[None]:
    """Keep signals waiting until the context ends, for what must not be interrupted half-way."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def fingerprint() -> dict[str, str]:
    """What has to be the same wherever a run is computed."""
    packages = ("distributed", "numba", "numpy", "pyarrow")
    return {
        "engine": engine_digest()[:16],
        "python": ".".join(platform.python_version_tuple()[:2]),
        **{name: metadata.version(name) for name in packages},
    }


def sees(uri: str, path: str) -> bool:
    """Whether this machine sees a file of a store."""
    try:
        return Store(uri).exists(path)
    except (DealproofError, OSError):
        return False


def check_scheduler(address: str) -> None:
    """Raise DealproofError unless a dask scheduler answers; a client that fails is slow to end."""
    import asyncio

    from distributed.core import rpc
    from distributed.security import Security

    async def ask() -> Any:
        arguments = Security().get_connection_args("client")
        async with rpc(address, timeout=CONNECT_TIMEOUT, connection_args=arguments) as scheduler:
            return await asyncio.wait_for(scheduler.identity(), CONNECT_TIMEOUT)

    fault = f"cluster {address}: no dask scheduler answers"
    try:
        kind = asyncio.run(ask())["type"]
    except TimeoutError:
        raise ClusterLost(f"{fault} within {CONNECT_TIMEOUT} s") from None
    except (OSError, ValueError, RuntimeError, TypeError, KeyError) as error:
        reason = f"{error}".splitlines()[0] if f"{error}" else type(error).__name__
        raise ClusterLost(f"{fault} ({reason})") from None
    if kind != "Scheduler":
        raise DealproofError(f"cluster {address}: a dask {kind.lower()} answers, not a scheduler")


def _check_workers(client: Client, address: str) -> None:
    from distributed import TimeoutError as TooLate

    try:
        client.wait_for_workers(1, timeout=WORKERS_TIMEOUT)
    except TooLate:
        raise ClusterLost(f"cluster {address}: the scheduler has no worker") from None
    ours = fingerprint()
    fingerprints = client.run(fingerprint, on_error="return")
    for worker, theirs in sorted(fingerprints.items()):
        if isinstance(theirs, BaseException):
            raise DealproofError(
                f"cluster {address}: worker {worker} cannot run Dealproof "
                f"({type(theirs).__name__}: {theirs}); install the same version there, and have "
                "no other modules named engine, tasks or flows on its PYTHONPATH"
            )
        for name, value in ours.items():
            if theirs[name] != value:
                raise DealproofError(
                    f"cluster {address}: worker {worker} has {name} {theirs[name]}, "
                    f"here it is {value}; install the same version everywhere"
                )


_held: list[Cluster] = []


@contextmanager
def connect(workers: int | None = None, address: str | None = None) -> Iterator[Cluster]:
    """Provide a cluster: `workers` threads of this machine (default: all), or a scheduler's
    `address`. Within such a context another one of the same kind shares its cluster.
    """
    for cluster in _held:
        if (cluster.workers, cluster.address) == (workers, address):
            yield cluster
            return
    cluster = Cluster(workers, address)
    _held.append(cluster)
    try:
        yield cluster
    finally:
        _held.remove(cluster)
        cluster.close()
