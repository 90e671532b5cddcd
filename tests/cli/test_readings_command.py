"""`dealproof readings` as it is typed."""

from __future__ import annotations

from tests.cli.conftest import Dealproof


def test_all_combinations_of_fu_bacc(in_process: Dealproof) -> None:
    done = in_process("readings", "fu-bacc", "--all", "--workers", "1")
    assert done.status == 0
    assert "72 combinations of readings, 50 figures in print" in done.out
    assert "3 of them reproduce every figure" in done.out
    assert "no figure depends on it" in done.out


def test_one_change_at_a_time(in_process: Dealproof) -> None:
    done = in_process("readings", "dai-bacc", "--json")
    rows = done.json
    assert {row["rule"] for row in rows} == {
        "player_dealer", "seven_pushes", "kill_when", "dollar_kept",
    }  # fmt: skip
