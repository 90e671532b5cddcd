"""`explain`: what it prints, and its JSON."""

from __future__ import annotations

from math import perm

from tests.cli.conftest import Dealproof


def test_the_command_tells_rows_sums_and_a_deal(in_process: Dealproof) -> None:
    text = in_process("explain", "fu-bacc", "lucky-monkey", "0-0 and dealer 0 to 5", "--limit", "2")
    assert text.status == 0
    lines = [line.split() for line in text.out.splitlines()]
    assert ["0", "0", "0", "1,680"] in lines
    assert ["4", "more", "rows", "1,920"] in lines
    assert ["Total", "4,080"] in lines
    assert "returns 6 (net 5)" in text.out
    table = in_process("explain", "fu-bacc", "lucky-monkey").out
    assert any(line.split() == ["Total", "550", "66,300"] for line in table.splitlines())


def test_the_command_gives_exact_counts_as_json(in_process: Dealproof) -> None:
    text = in_process("explain", "punto-banco", "banker", "Tie", "--json", "--set", "decks=12").json
    # Beyond 2^53, so as text.
    assert text["total"] == dict.fromkeys(("deals", "combinations"), str(perm(12 * 52, 6)))
    (event,) = text["events"]
    assert sum(int(row["deals"]) for row in event["largest"]) == int(event["deals"])
    assert text["sample"]["returned"] == "1"


def test_unknown_events_and_strategies_are_told_in_one_line(in_process: Dealproof) -> None:
    wrong = in_process("explain", "fu-bacc", "ante", "fold")
    assert (wrong.status, wrong.complaint.split(";")[0][:48]) == (
        1, "event 'fold' of wager ante: did you mean 'Fold'?",
    )  # fmt: skip
    decided = in_process("explain", "fu-bacc", "lucky-monkey", "--strategy", "optimal")
    assert decided.status == 1
    assert "the player decides nothing" in decided.complaint
