"""Every command in infra/ and in the README is one that its program understands."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from flows.cli import _application

ROOT = Path(__file__).parents[1]
INFRA = ROOT / "infra"
COMPOSE = yaml.safe_load((INFRA / "compose.yaml").read_text("utf-8"))


def parse_click(command: Any, words: Sequence[str]) -> None:
    """Read words as a click command does, groups to their last command; run nothing."""
    context = command.make_context(command.name, list(words))
    if hasattr(command, "resolve_command"):
        rest = [*context._protected_args, *context.args]
        _, inner, left = command.resolve_command(context, rest)
        parse_click(inner, left)


def parse_dealproof(words: Sequence[str]) -> None:
    parse_click(typer.main.get_command(_application(())), words)


def parse_dask(words: Sequence[str]) -> None:
    from distributed.cli import dask_scheduler, dask_worker

    commands = {"scheduler": dask_scheduler.main, "worker": dask_worker.main}
    parse_click(commands[words[0]], words[1:])


def parse_prefect(words: Sequence[str]) -> None:
    from prefect.cli import _app as cli

    cli._app.parse_args(list(words), exit_on_error=False, print_error=False)


def parse_python(words: Sequence[str]) -> None:
    assert words[0] == "-c"
    compile(words[1], "-c", "exec")


PARSERS: dict[str, Callable[[Sequence[str]], None]] = {
    "dealproof": parse_dealproof,
    "dask": parse_dask,
    "prefect": parse_prefect,
    "python": parse_python,
}


def container(line: str) -> list[str]:
    """The JSON list of an instruction of the Containerfile."""
    (result,) = re.findall(rf"^{line} (\[.*\])$", (INFRA / "Containerfile").read_text(), re.M)
    words: list[str] = json.loads(result)
    return words


def composed() -> Iterator[tuple[str, list[str]]]:
    """Commands and health checks of all services that run our image."""
    for name, service in COMPOSE["services"].items():
        if service["image"] == "dealproof":
            entry = service.get("entrypoint", container("ENTRYPOINT"))
            yield name, [*entry, *service.get("command", container("CMD"))]
            check = service.get("healthcheck", {}).get("test")
            if check:
                assert check[0] == "CMD"
                yield f"{name}, health", check[1:]


def printed() -> Iterator[tuple[str, list[str]]]:
    """Commands in code blocks of the two READMEs; a `docker … run` ends in words for the image."""
    for file in (ROOT / "README.md", INFRA / "README.md"):
        block = re.compile(
            r"^(?: {4}|\$ |(?=\.venv))(?:\.venv/bin/)?((?:docker|dealproof|prefect|dask) .*)$", re.M
        )
        for line in block.findall(file.read_text("utf-8")):
            words = shlex.split(line, comments=True)
            if words[0] == "docker":
                if "run" not in words:
                    continue
                services = {"dealproof", *COMPOSE["services"]}
                run = words.index("run")
                image = next(k for k in range(run, len(words)) if words[k] in services)
                words = [*container("ENTRYPOINT"), *words[image + 1 :]]
            if not any(word.startswith(("…", "[", "<")) for word in words):
                yield f"{file.relative_to(ROOT)}: {line}", words


@pytest.mark.parametrize("words", [pytest.param(w, id=name) for name, w in composed()])
def test_a_service_starts_a_command_that_exists(words: list[str]) -> None:
    PARSERS[words[0]](words[1:])


@pytest.mark.parametrize("words", [pytest.param(w, id=name) for name, w in printed()])
def test_a_printed_command_exists(words: list[str]) -> None:
    PARSERS[words[0]](words[1:])


@pytest.mark.parametrize(
    "line",
    [
        "dealproof serve --clusters tcp://scheduler:8786",
        "dealproof certify --all --stores /store",
        "dealproof serves",
        "dask scheduler --hosts 0.0.0.0",
        "dask worker tcp://scheduler:8786 --workers 1",
        "prefect server start --hosts 0.0.0.0",
        "prefect server begin",
        "python -c 'import = 1'",
    ],
)
def test_a_wrong_command_is_found(line: str) -> None:
    words = shlex.split(line)
    with pytest.raises(Exception, match=r"(?i)no such|unknown|invalid|unused|syntax"):
        PARSERS[words[0]](words[1:])


def test_ports_and_paths_of_the_services_agree() -> None:
    services = COMPOSE["services"]
    text = {name: json.dumps(service) for name, service in services.items()}
    port = services["prefect"]["command"][services["prefect"]["command"].index("--port") + 1]
    outer, inner = services["prefect"]["ports"][0].rsplit(":", 1)
    assert inner == port
    assert services["prefect"]["environment"]["PREFECT_SERVER_UI_API_URL"] == f"http://{outer}/api"
    assert services["serve"]["environment"]["PREFECT_API_URL"] == f"http://prefect:{port}/api"
    scheduler = services["scheduler"]["command"]
    address = f"tcp://scheduler:{scheduler[scheduler.index('--port') + 1]}"
    assert address in services["worker"]["command"]
    assert address in services["serve"]["command"]
    assert f"127.0.0.1:{port}/api/ready" in text["prefect"]
    board = scheduler[scheduler.index("--dashboard-address") + 1]
    assert f"http://{board}/health" in text["scheduler"]
    store = services["serve"]["command"][services["serve"]["command"].index("--store") + 1]
    for name in ("worker", "serve"):
        assert services[name]["volumes"] == [f"store:{store}"]
