"""What a command never loads, since its user would wait for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT

BET = """[[wagers]]
name = "suited"
title = "Suited pair"
events = [
  { event = "Suited", when = "player_suited_pair = 1", pays = "25 to 1" },
  { event = "Other", when = "true", pays = "lose" },
]
"""
#: Certifying alone needs these.
SERVERS = {"prefect", "distributed", "dask"}
FILES = {"pyarrow", "scipy", "jinja2"}


def loaded(*arguments: str) -> set[str]:
    """Packages that a command has loaded when it ends."""
    script = (
        "import sys\n"
        "from flows.cli import main\n"
        "try:\n    main()\n"
        "finally:\n    print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=ROOT, capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    return set(run.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "never"),
    [
        (("games", "--json"), SERVERS | FILES | {"numba", "duckdb", "numpy"}),
        (
            ("strategy", "bacc-plus-3", "Ks Kh 9d 4c 2s", "--side", "tie=1/2"),
            SERVERS | FILES | {"numba"},
        ),
        (("strategy", "bacc-plus-3", "Ks Kh 9d 4c 2s"), SERVERS | FILES | {"numba"}),
        (("price", "punto-banco", "{bet}", "--set", "decks=6"), SERVERS | FILES | {"numba"}),
    ],
)
def test_a_command_loads_only_what_it_uses(
    arguments: tuple[str, ...], never: set[str], tmp_path: Path
) -> None:
    bet = tmp_path / "bet.toml"
    bet.write_text(BET)
    assert not loaded(*(word.format(bet=bet) for word in arguments)) & never
