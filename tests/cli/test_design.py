"""`design`: tables in print are found, what is found prices as it says, and mistakes are told."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from tests.cli.conftest import Dealproof

#: Best three of five cards: hands of 2,598,960 with a suited A-K-Q, another straight flush, three
#: of a kind, a straight (tests/games/test_bacc_plus_3_hands.py counts them by hand).
POKER = {"A-K-Q suited": 4_704, "Straight flush": 49_628, "Three of a kind": 58_848,
         "Straight": 569_268}  # fmt: skip


def test_the_only_rack_card_that_gives_a_printed_edge(in_process: Dealproof) -> None:
    """Wizard of Odds, Baccarat + 3: the poker bet's house edge is printed as 3.09%."""
    text = in_process("design", "bacc-plus-3", "poker", "--edge", "3.09%", "--equal", "--json").json
    assert {c["event"]: c["combinations"] for c in text["categories"][:4]} == POKER
    assert text["complete"]
    assert text["total"] == len(text["tables"]) == 1
    (table,) = text["tables"]
    assert list(table["pays"].values()) == [60, 6, 2, 2]
    won = sum(POKER[event] * pay for event, pay in table["pays"].items())
    lost = 2_598_960 - sum(POKER.values())
    edge = Fraction(table["house_edge"]["exact"])
    assert edge == Fraction(lost - won, 2_598_960)
    assert f"{float(edge):.4f}" == "0.0309"


@pytest.mark.parametrize(
    ("wager", "hit", "lowest"),
    [("player-five", "19.14%", "Two pair"), ("player-six", "19.83%", "Three of a kind")],
)
def test_a_printed_win_frequency_says_which_hands_win(
    in_process: Dealproof, wager: str, hit: str, lowest: str
) -> None:
    """Double Ace prints how often its bonus bets win; their pay tables are lost."""
    text = in_process(
        "design", "double-ace", wager, "--edge", "3%..6%", "--hit-frequency", hit,
        "--limit", "3", "--json",
    ).json  # fmt: skip
    assert text["total"] > 3 == len(text["tables"])
    for table in text["tables"]:
        pays = list(table["pays"].values())
        assert list(table["pays"])[-1] == lowest
        assert pays == sorted(set(pays), reverse=True)
        assert pays[-1] >= 1
        assert f"{100 * float(Fraction(table['hit_frequency']['exact'])):.2f}%" == hit
        assert Fraction(3, 100) <= Fraction(table["house_edge"]["exact"]) <= Fraction(6, 100)


def test_what_is_found_prices_as_it_says(in_process: Dealproof, tmp_path: Path) -> None:
    request = ("design", "red-green", "bonus", "--edge", "4%..5%", "--pays-to", "Three of a kind",
             "--push", "Two pair", "--pay", "Flush=5..8", "--max", "500",
             "--limit", "2")  # fmt: skip
    tables = in_process(*request, "--json").json["tables"]
    (tmp_path / "found.toml").write_text(in_process(*request, "--toml").out, encoding="utf-8")
    priced = in_process("price", "red-green", "found.toml", "--json").json["wagers"]
    assert [w["wager"] for w in priced] == ["bonus-1", "bonus-2"]
    for table, wager in zip(tables, priced, strict=True):
        for figure in ("house_edge", "hit_frequency", "variance"):
            assert table[figure] == wager[figure]
        assert 5 <= table["pays"]["Flush"] <= 8
        assert table["pays"]["Royal flush"] <= 500
        assert [e["pays"] for e in wager["events"]][8:] == ["push", "lose", "lose"]


def test_a_wager_with_a_table_keeps_what_wins(in_process: Dealproof) -> None:
    """Wizard of Odds, Baccarat: a tie at 9 to 1 has an edge of 4.84% with eight decks."""
    text = in_process("design", "punto-banco", "tie", "--edge", "4%..6%").out
    assert "1 table fits" in text
    assert "4.844%" in text.replace("4.8440%", "4.844%")
    row = next(line.split() for line in text.splitlines() if line.startswith("Tie  "))
    assert row[-1] == "9"
    assert row[1] == "475,627,426,473,216"


def test_pays_rise_in_the_order_of_the_wagers_own(in_process: Dealproof) -> None:
    """Lucky 6 pays 12 and 23 to 1 (Wizard of Odds): the commoner event stands first in the file."""
    answer = in_process("design", "punto-banco", "lucky-6", "--edge", "10%..20%", "--json")
    tables = answer.json["tables"]
    assert tables
    for table in tables:
        assert list(table["pays"]) == ["Three-card 6", "Two-card 6"]
        assert table["pays"]["Three-card 6"] > table["pays"]["Two-card 6"]
    text = in_process("design", "punto-banco", "lucky-6", "--edge", "10%..20%").out
    assert "most valuable first, as the wager pays now: Three-card 6, Two-card 6" in text


def test_an_edge_between_those_of_the_tables_is_told_what_helps(in_process: Dealproof) -> None:
    """The table that Baccarat + 3's poker bet has pays 60, 6, 2 and 2: equal ones."""
    request = ("design", "bacc-plus-3", "poker", "--edge", "3.09%", "--max", "1000")
    text = in_process(*request).out
    reason = next(line for line in text.splitlines() if line.startswith("no table fits"))
    assert "%" not in reason
    shown = dict(re.findall(r"(--[^(,:]*?) \((\d+)\)", reason))
    assert list(shown) == ["--equal", "--menu 1..1000", "--equal --menu 1..1000"]
    for options, tables in shown.items():
        result = in_process(*request, *options.split(), "--json").json
        assert (result["total"], result["complete"]) == (int(tables), True)
        assert result["total"] > 0


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("bonu", "--edge", "3%..6%"), 1, ("wager 'bonu'", "did you mean 'bonus'?")),
        (("bonus", "--edge", "6%..3%"), 2, ("--edge", "empty range")),
        (("bonus", "--edge", "3..6"), 2, ("--edge", "'3' without a % sign is 300%; write 3%")),
        (("bonus", "--edge", "3.09"), 2, ("--edge", "is 309%; write 3.09%, or a share below 1")),
        (("bonus", "--edge", "3%..6"), 2, ("--edge", "'6' without a % sign is 600%; write 6%")),
        (
            ("bonus", "--edge", "3%..6%", "--hit-frequency", "19"),
            2,
            ("--hit-frequency", "is 1900%; write 19%"),
        ),
        (("bonus", "--edge", "few"), 2, ("--edge", "such as 19.14%")),
        (("bonus", "--edge", "3%..6%", "--menu", "9..1"), 2, ("--menu", "20..100/5")),
        (("bonus", "--edge", "3%..6%", "--pay", "Flush"), 2, ("--pay Flush", "EVENT=PAYS")),
        (("bonus", "--edge", "3%..6%", "--pays-to", "Pear"), 1, ("did you mean 'Pair'?",)),
        (("bonus", "--edge", "3%..6%", "--hit-frequency", "19.14%"), 1, ("can give", "12.1228%")),
        (("bonus", "--edge", "3%..6%", "--max", "3"), 0, ("no table fits", "99.9")),
    ],
)
def test_mistakes_are_told(
    in_process: Dealproof, arguments: tuple[str, ...], status: int, words: tuple[str, ...]
) -> None:
    answer = in_process("design", "red-green", *arguments)
    assert answer.status == status
    text = answer.complaint if status else answer.out
    assert [word for word in words if word not in text] == []
