"""What stands in a store after a run, and the commands that show it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.flows.conftest import dealproof

pytestmark = pytest.mark.server

GAME = "red-green"
#: C(364, 3) × C(361, 3) deals of seven decks.
DEALS = 61_989_513_746_160


@pytest.fixture(scope="module")
def store(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in which one game was certified."""
    folder = tmp_path_factory.mktemp("certified")
    done = dealproof(environment, "certify", GAME, "--store", folder)
    assert done.returncode == 0, done.stderr
    closing = done.stdout.split("Baccarat Red/Green: certified")[1]
    for word in ("Wager", "House edge", "Published", "1.7624%", "match", f"{DEALS:,}"):
        assert word in closing
    for name in ("certificate", "report", "data", "catalogue"):
        (line,) = [line for line in closing.splitlines() if line.strip().startswith(name)]
        assert Path(line.split()[1]).exists()
    return folder


def test_the_next_run_computes_nothing_again(environment: dict[str, str], store: Path) -> None:
    again = dealproof(environment, "certify", GAME, "--store", store, "--workers", "1")
    assert again.returncode == 0, again.stderr
    assert "parts were computed before" in again.stderr
    assert len(list(store.glob("certificates/*.json"))) == 1


def test_damaged_evidence_is_computed_again(
    environment: dict[str, str], store: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "damaged"
    shutil.copytree(store, copy)
    hurt = sorted(copy.glob("tables/**/method=exhaust/**/*.parquet"))[7]
    sound = hurt.read_bytes()
    data = bytearray(sound)
    data[len(data) // 2] ^= 0xFF
    hurt.write_bytes(data)
    again = dealproof(environment, "certify", GAME, "--store", copy)
    assert again.returncode == 0, again.stderr
    assert f"{hurt.relative_to(copy)}" in again.stderr
    assert "computing again" in again.stderr
    assert hurt.read_bytes() == sound


def test_runs_lists_it(environment: dict[str, str], store: Path) -> None:
    (run,) = json.loads(dealproof(environment, "runs", "--store", store, "--json").stdout)
    assert (run["game"], run["verdict"]) == (GAME, "certified")
    assert run["rules"]["decks"] == 7
    table = dealproof(environment, "runs", GAME, "--store", store).stdout
    assert run["run"] in table
    assert "as in the catalogue" in table


def test_report_is_found_by_its_first_letters(environment: dict[str, str], store: Path) -> None:
    latest = dealproof(environment, "report", GAME, "--store", store).stdout.strip()
    assert "Baccarat Red/Green" in Path(latest).read_text(encoding="utf-8")
    text = json.loads(dealproof(environment, "report", GAME, "--store", store, "--json").stdout)
    assert text["report"] == latest
    assert json.loads(Path(text["certificate"]).read_text("utf-8"))["predicate"]["game"] == GAME
    short = dealproof(environment, "report", GAME, text["run"][:4], "--store", store)
    assert short.stdout.strip() == latest
    wrong = dealproof(environment, "report", GAME, "zz", "--store", store)
    assert wrong.returncode == 1
    assert text["run"] in wrong.stderr


def test_query_is_exact(environment: dict[str, str], store: Path) -> None:
    sql = "SELECT space, sum(combinations) AS deals FROM outcomes_red_green GROUP BY space"
    result = json.loads(dealproof(environment, "query", sql, "--store", store, "--json").stdout)
    assert {row["space"]: row["deals"] for row in result}["main"] == DEALS
    sql = "SELECT house_edge_exact FROM wagers WHERE wager = 'red'"
    assert "32514200971/1844926004350" in dealproof(
        environment, "query", sql, "--store", store
    ).stdout  # fmt: skip
    wrong = dealproof(environment, "query", "SELECT x FROM wagers", "--store", store)
    assert (wrong.returncode, wrong.stderr.count("\n")) == (1, 1)


def test_price_gives_the_figures_of_the_certificate(
    environment: dict[str, str], store: Path
) -> None:
    (path,) = store.glob("certificates/*.json")
    certified = json.loads(path.read_text("utf-8"))["predicate"]["wagers"]
    priced = json.loads(dealproof(environment, "price", GAME, "--json").stdout)["wagers"]
    # What is in print is for a certificate to compare.
    compared = ("figures", "recovered_from")
    assert priced == [{k: v for k, v in w.items() if k not in compared} for w in certified]


@pytest.mark.parametrize("command", [("runs",), ("report", GAME), ("query", "SELECT 1")])
def test_a_store_that_is_not_there_is_not_made(
    environment: dict[str, str], tmp_path: Path, command: tuple[str, ...]
) -> None:
    done = dealproof(environment, *command, "--store", tmp_path / "none")
    assert done.returncode == 1
    assert done.stderr.startswith(f"dealproof: store {tmp_path / 'none'}: no such folder")
    assert not (tmp_path / "none").exists()
