"""Certifying through a real Prefect server and a real dask scheduler."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.flows.conftest import (
    PROGRAM,
    Api,
    alive,
    dealproof,
    descendants,
    free_port,
    parts,
    wait_for,
)

GAME = "red-green"
ROOT = Path(__file__).parents[2]


def runs(api: Api, name: str) -> list[dict[str, Any]]:
    """Flow runs of a flow, newest first."""
    body = {"sort": "START_TIME_DESC", "flows": {"name": {"any_": [name]}}}
    result: list[dict[str, Any]] = api.ask("flow_runs/filter", body)
    return result


@pytest.mark.server
def test_a_server_of_the_users_hears_of_a_run(prefect: Api, tmp_path: Path) -> None:
    store = tmp_path / "store"
    done = dealproof(prefect.environment, "certify", GAME, "--store", store, "--json")
    assert done.returncode == 0, done.stderr
    predicate = json.loads(done.stdout)
    assert (predicate["game"], predicate["verdict"]) == (GAME, "certified")
    assert {c["method"] for c in predicate["run"]["coverage"]} == {
        "enumerate", "exhaust", "simulate",
    }  # fmt: skip
    run = runs(prefect, "certify")[0]
    assert (run["state_type"], run["state_name"]) == ("COMPLETED", "Certified")
    assert (run["parameters"]["game"], run["parameters"]["store"]) == (GAME, str(store))
    tasks = prefect.ask("task_runs/filter", {"flow_runs": {"id": {"any_": [run["id"]]}}})
    assert sorted(task["name"] for task in tasks) == [f"compute {GAME}", f"conclude {GAME}"]
    artifacts = {
        a["key"]: a
        for a in prefect.ask(
            "artifacts/filter", {"artifacts": {"flow_run_id": {"any_": [run["id"]]}}}
        )
    }
    assert float(artifacts[f"{GAME}-progress"]["data"]) == 100
    assert "house_edge" in artifacts[f"{GAME}-wagers"]["data"]
    assert predicate["run"]["id"] in artifacts[f"{GAME}-certificate"]["data"]


@pytest.mark.server
def test_less_than_all_methods_is_not_certified(prefect: Api, tmp_path: Path) -> None:
    done = dealproof(
        prefect.environment, "certify", GAME, "--method", "enumerate", "--store", tmp_path / "s"
    )
    assert done.returncode == 1
    assert "not certified" in done.stdout
    assert "not run" in done.stdout
    run = runs(prefect, "certify")[0]
    assert (run["state_type"], run["state_name"]) == ("FAILED", "Not certified")


@pytest.mark.server
def test_schedule_and_demand(prefect: Api, tmp_path: Path) -> None:
    """A cron line of every minute fires by itself; a run on demand takes parameters."""
    store = tmp_path / "store"
    with (tmp_path / "log").open("w+") as log:
        serving = subprocess.Popen(
            [PROGRAM, "serve", GAME, "--cron", "* * * * *", "--store", str(store), "--json"],
            env=prefect.environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:

            def served() -> list[dict[str, Any]]:
                result: list[dict[str, Any]] = prefect.ask("deployments/filter", {})
                return result if len(result) == 2 else []

            deployments = {d["name"]: d for d in wait_for(served, 60, "two deployments")}
            assert deployments["nightly"]["schedules"][0]["schedule"]["cron"] == "* * * * *"

            def fired() -> list[dict[str, Any]]:
                return [
                    run
                    for run in runs(prefect, "certify-catalogue")
                    if run["state_type"] in ("COMPLETED", "FAILED", "CRASHED")
                ]

            run = wait_for(fired, 150, "a scheduled run")[-1]
            log.seek(0)
            assert run["state_name"] == "Certified", log.read()
            assert run["auto_scheduled"] is True
            prefect.ask(
                f"deployments/{deployments['on-demand']['id']}/create_flow_run",
                {"parameters": {"game": GAME, "rules": {"decks": 6}, "methods": ["enumerate"]}},
            )

            def answered() -> list[dict[str, Any]]:
                return [
                    run
                    for run in runs(prefect, "certify")
                    if run["parameters"].get("rules") == {"decks": 6}
                    and run["state_type"] in ("COMPLETED", "FAILED", "CRASHED")
                ]

            (request,) = wait_for(answered, 120, "a run on demand")
            assert request["state_name"] == "Not certified"
        finally:
            started = descendants(serving.pid)
            serving.send_signal(signal.SIGINT)
            status = serving.wait(60)
    assert status == 0
    wait_for(lambda: not alive(started), 20, "the end of all processes")
    listed = dealproof(prefect.environment, "runs", "--store", store, "--json")
    rules = [run["rules"]["decks"] for run in json.loads(listed.stdout)]
    assert sorted(rules) == [6, 7]


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder of modules that others call as we do, each of which leaves a mark when it is run."""
    folder = tmp_path / "hostile"
    folder.mkdir()
    for name in ("tasks", "flows", "engine", "prefect", "numpy"):
        text = f"open({str(tmp_path / 'mark')!r}, 'a').write({name!r})\nraise SystemExit(3)\n"
        (folder / f"{name}.py").write_text(text)
    return folder


@pytest.mark.server
def test_a_service_on_a_cluster_takes_no_module_from_its_folder(
    prefect: Api, tmp_path: Path, hostile: Path, scheduler: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Nor do workers that start there; a relative path among a run's parameters begins there."""
    monkeypatch.chdir(hostile)
    cluster, store = scheduler(), tmp_path / "store"
    serving = subprocess.Popen(
        [PROGRAM, "serve", "--store", "../store"],
        env={**prefect.environment, "DEALPROOF_CLUSTER": cluster},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:

        def ready() -> str:
            result = prefect.ask("deployments/filter", {})
            mine = [d for d in result if d["parameters"].get("cluster") == cluster]
            assert all(Path(d["parameters"]["store"]).resolve() == store for d in mine)
            return next((d["id"] for d in mine if d["name"] == "on-demand"), "")

        deployment = wait_for(ready, 60, "a deployment")
        shutil.copy(ROOT / "data" / "games" / f"{GAME}.toml", hostile / f"{GAME}.toml")
        run = prefect.ask(
            f"deployments/{deployment}/create_flow_run",
            {"parameters": {"game": f"{GAME}.toml", "methods": ["enumerate"]}},
        )

        def ended() -> dict[str, Any]:
            result: dict[str, Any] = prefect.ask(f"flow_runs/{run['id']}")
            return result if result["state_type"] in ("COMPLETED", "FAILED", "CRASHED") else {}

        state = wait_for(ended, 120, "a run on demand")
    finally:
        serving.terminate()
        serving.wait(60)
    assert not (tmp_path / "mark").exists(), (tmp_path / "mark").read_text()
    assert state["state_name"] == "Not certified", state["state"]["message"]
    assert parts(store) > 0


@pytest.mark.server
def test_pages_ask_the_port_that_they_come_from(
    environment: dict[str, str], tmp_path: Path
) -> None:
    port = free_port()
    serving = subprocess.Popen(
        [PROGRAM, "serve", "--port", str(port), "--store", str(tmp_path / "store")],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        pages = Api(f"http://127.0.0.1:{port}", environment)
        settings = wait_for(lambda: pages.ask("ui-settings"), 120, "pages")
        assert settings["api_url"] == f"http://127.0.0.1:{port}/api"
        assert settings["available_uis"]
    finally:
        serving.terminate()
        serving.wait(60)


@pytest.mark.server
def test_a_service_without_its_cluster_is_told(environment: dict[str, str], tmp_path: Path) -> None:
    address = f"tcp://127.0.0.1:{free_port()}"
    done = dealproof(environment, "serve", "--cluster", address, "--store", tmp_path / "s")
    assert done.returncode == 1
    assert done.stderr.startswith(f"dealproof: cluster {address}: no dask scheduler answers")
    assert done.stderr.count("\n") == 1


@pytest.mark.server
def test_workers_win_over_a_cluster_of_the_environment(
    environment: dict[str, str], tmp_path: Path
) -> None:
    nowhere = {**environment, "DEALPROOF_CLUSTER": f"tcp://127.0.0.1:{free_port()}"}
    store, enumerate_ = ("--store", tmp_path / "s"), ("--method", "enumerate", "--json")
    done = dealproof(nowhere, "certify", GAME, *enumerate_, *store, "--workers", "1")
    assert json.loads(done.stdout)["game"] == GAME
    done = dealproof(nowhere, "certify", GAME, *enumerate_, *store)
    assert "no dask scheduler answers" in done.stderr


@pytest.mark.server
def test_a_killed_service_takes_its_run_along(prefect: Api, tmp_path: Path) -> None:
    store = tmp_path / "store"
    serving = subprocess.Popen(
        [PROGRAM, "serve", "--store", str(store)],
        env=prefect.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    started: set[int] = set()
    try:

        def ready() -> str:
            result = prefect.ask("deployments/filter", {})
            wanted = [d for d in result if d["parameters"].get("store") == str(store)]
            return next((d["id"] for d in wanted if d["name"] == "on-demand"), "")

        deployment = wait_for(ready, 60, "a deployment")
        prefect.ask(
            f"deployments/{deployment}/create_flow_run", {"parameters": {"game": "fu-bacc"}}
        )
        wait_for(lambda: parts(store) > 5, 120, "some parts")
        started = descendants(serving.pid)
        assert len(started) >= 2
    finally:
        serving.kill()
        serving.wait()
    wait_for(lambda: not alive(started), 20, "the end of all processes")


def test_a_dead_server_is_told(environment: dict[str, str], tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}/api"
    done = dealproof(
        {**environment, "PREFECT_API_URL": url}, "certify", GAME, "--store", tmp_path / "s"
    )
    assert done.returncode == 1
    assert done.stderr.startswith(f"dealproof: PREFECT_API_URL = {url}: no Prefect server answers")
    assert done.stderr.count("\n") == 1


@pytest.mark.server
def test_a_foreign_cluster_certifies(
    environment: dict[str, str], tmp_path: Path, scheduler: Callable[..., str]
) -> None:
    done = dealproof(
        environment, "certify", GAME, "--cluster", scheduler(), "--store", tmp_path / "s"
    )
    assert done.returncode == 0, done.stderr
    assert "Baccarat Red/Green: certified" in done.stdout


@pytest.mark.server
@pytest.mark.parametrize("kind", ["nothing", "no worker", "no scheduler", "no address"])
def test_a_cluster_that_is_none_is_told(
    environment: dict[str, str], tmp_path: Path, scheduler: Callable[..., str], kind: str
) -> None:
    silent = socket.socket()
    silent.bind(("127.0.0.1", 0))
    silent.listen()
    match kind:
        case "nothing":
            address, words = f"tcp://127.0.0.1:{free_port()}", "no dask scheduler answers"
        case "no worker":
            address, words = scheduler(workers=0), "the scheduler has no worker"
        case "no scheduler":
            address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
            words = "no dask scheduler answers within"
        case _:
            address, words = "here", "missing port number"
    done = dealproof(environment, "certify", GAME, "--cluster", address, "--store", tmp_path / "s")
    silent.close()
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"dealproof: cluster {address}: ")
    assert words in last
    assert "Traceback" not in done.stderr


@pytest.mark.server
def test_two_runs_at_once_on_one_store(environment: dict[str, str], tmp_path: Path) -> None:
    store = tmp_path / "shared"
    both = [
        subprocess.Popen(
            [PROGRAM, "certify", GAME, "--store", str(store)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for _ in range(2)
    ]
    text = [process.communicate(timeout=240)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0], text
    assert len(list(store.glob("certificates/*.json"))) == 1
    left = [path for path in store.rglob(".*") if path.name != ".dealproof"]
    assert left == []
    answer = dealproof(
        environment, "query", "SELECT count(*) AS n FROM runs WHERE certified", "--store", store,
        "--json",
    )  # fmt: skip
    assert json.loads(answer.stdout) == [{"n": 1}]


@pytest.mark.server
def test_no_terminal_and_no_input(environment: dict[str, str], tmp_path: Path) -> None:
    """As a batch system starts it: no standard input, no terminal, another folder."""
    done = subprocess.run(
        [PROGRAM, "certify", GAME, "--method", "enumerate", "--json"],
        env={**environment, "TERM": "dumb"},
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        preexec_fn=os.setsid,
    )
    assert done.returncode == 1
    assert json.loads(done.stdout)["verdict"].startswith("not certified")
    assert "\x1b" not in done.stderr
    assert (tmp_path / "results" / "certificates").is_dir()
