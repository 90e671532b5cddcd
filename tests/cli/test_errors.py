"""Errors: one line on stderr, nothing on stdout, status 1; a wrong call 2."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Dealproof

COMMANDS = (
    "games", "certify", "plan", "price", "explain", "design", "shoes", "deal", "strategy", "report",
    "query", "runs", "serve",
)  # fmt: skip

BET = """
[[wagers]]
name   = "bet"
title  = "Bet"
space  = "{space}"
{extra}
events = [
  {{ event = "Yes", when = "{when}", pays = {pays} }},
  {{ event = "No", when = "{other}", pays = "lose" }},
]
"""


def bet(space: str = "starts", when: str = "dealer_up = 9", pays: str = '"9 to 1"',
        other: str = "true", extra: str = "") -> str:  # fmt: skip
    return BET.format(space=space, when=when, pays=pays, other=other, extra=extra)


def strategy(way: str) -> str:
    return f'[[strategies]]\nname = "s"\ntitle = "S"\n{way}\n'


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("price", "fu-bac"), ("game 'fu-bac'", "did you mean 'fu-bacc'?")),
        (("price", "nowhere.toml"), ("nowhere.toml", "No such file")),
        (("price", "fu-bacc", "--wager", "ant"), ("wager 'ant'", "did you mean 'ante'?")),
        (("price", "fu-bacc", "--set", "decks=0"), ("rule decks = 0", "1 … 8")),
        (("price", "fu-bacc", "--set", "decks=1.5"), ("rule decks = 1.5", "1 … 8")),
        (("price", "fu-bacc", "--set", "deck=2"), ("rule 'deck'", "did you mean 'decks'?")),
        (("price", "fu-bacc", "--set", "naturals=x"), ("rule naturals = x", "may draw, stand")),
        (("price", "fu-bacc", "missing.toml"), ("missing.toml", "No such file")),
        (("price", "fu-bacc", "--strategy", "best"), ("strategy 'best'", "allowed: ")),
        (("price", "punto-banco", "--strategy", "x"),
         ("--strategy x", "punto-banco: the player decides nothing")),
        (("price", "fu-bacc", "--wager", "lucky-monkey", "--strategy", "chart"),
         ("--strategy chart: the player decides nothing in lucky-monkey",)),
        (("strategy", "fu-bacc", "5d 9s"), ("do not settle dealer_up",)),
        (("strategy", "fu-bacc", ""), ("no cards",)),
        (("strategy", "fu-bacc", "5d 5d 7c"), ("5♦ appears twice",)),
        (("strategy", "double-ace", "2s 2s 2s 2s 2s 2s 2s"),
         ("2♠ appears 7 times in '2s 2s 2s 2s 2s 2s 2s'; 6 decks hold 6",)),
        (("strategy", "fu-bacc", "5 5 5 5 5"), ("5♣ appears twice", "1 deck holds 1")),
        (("strategy", "bacc-plus-3", "K K 9d 4c 2s"), ("card 'K'", "for example Ks")),
        (("strategy", "fu-bacc", "5d 9x 7c"), ("card '9x'", "for example Ks")),
        (("strategy", "fu-bacc", "2c 2d 2h 2s 3c 3d 3h"), ("a round has 6",)),
        (("strategy", "fu-bacc", "--where", "dealer=3"), ("--where dealer", "dealer_up")),
        (
            ("strategy", "fu-bacc", "--where", "dealer_up=12"),
            ("--where dealer_up = 12", "allowed: 0"),
        ),
        (("strategy", "fu-bacc", "--where", "winner=tie"), ("not settled yet",)),
        (("strategy", "fu-bacc", "--joint", "x"), ("--joint x", "ante and tie")),
        (("strategy", "punto-banco"), ("the player decides nothing",)),
        (("certify", "fu-bac"), ("game 'fu-bac'", "did you mean 'fu-bacc'?")),
        (("certify", "fu-bacc", "--set", "decks=9"), ("rule decks = 9", "1 … 8")),
        (("certify", "fu-bacc", "--store", "/proc/none"), ("store /proc/none: not writable",)),
        (("certify", "fu-bacc", "--store", "ftp://x/y"), ("s3://bucket/prefix",)),
        (("plan", "fu-bacc", "--workers", "100000"), ("memory: 100000 cores", "fewer workers")),
        (("serve", "fu-bac"), ("game 'fu-bac'", "did you mean 'fu-bacc'?")),
        (("deal", "fu-bacc", "--strategy", "chart", "--strategy", "optimal"), ("plays space",)),
        (("distribution", "punto-banco"), ("lists no distribution", "double-ace 'dealer'")),
    ],
)  # fmt: skip
def test_a_mistake_is_told_in_one_line(
    in_process: Dealproof, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    answer = in_process(*arguments)
    assert answer.status == 1
    for word in words:
        assert word in answer.complaint


def test_a_process_of_its_own_tells_mistakes_alike(dealproof: Dealproof) -> None:
    for arguments, status in ((("price", "fu-bac"), 1), (("price", "fu-bacc", "--sett", "x"), 2)):
        answer = dealproof(*arguments)
        assert answer.status == status
        assert answer.complaint


@pytest.mark.parametrize("command", ["plan", "report", "runs"])
def test_a_store_that_is_a_file_is_refused(
    in_process: Dealproof, tmp_path: Path, command: str
) -> None:
    (tmp_path / "file").write_text("no folder")
    answer = in_process(command, "fu-bacc", "--store", "file")
    assert answer.status == 1
    assert "store file: a file; allowed: a folder" in answer.complaint


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (bet(when="dealer_upp = 9"), ("events[Yes].when", "did you mean 'dealer_up'?")),
        (bet(pays='"9 to"'), ("events[Yes].pays", '"A to B"')),
        (bet(other="dealer_up < 5"), ("covered by no event", 'when = "true"')),
        (bet(when="dealer_up = 9 and dealer_up = 8"), ("events[Yes].when", "never happen")),
        (bet(space="begin"), ("wagers[bet].space = 'begin'", "starts")),
        (bet(extra='counted_in = "hands"'), ("counted_in", "starts")),
        (bet(space="main", extra='strategies = ["best"]'), ("strategy 'best'", "allowed")),
        (bet(space="main", extra='counted_in = "dealer\'s cards unordered"',
             when="winner = 'tie' and dealer_cards = 3"), None),
        (bet(extra="color = 3"), ("wagers[bet].color", "unknown key")),
        (bet() + bet(), ("wagers[bet]", "twice")),
        (bet().replace('"No"', '"Yes"'), ("wagers[bet].events[Yes]: the name appears twice",)),
        (bet(pays='"9 to 1", staked = -3'), ("events[Yes].staked: -3 units; allowed: 0 or more",)),
        (bet(pays='"loose"'), ("events[Yes].pays", "did you mean 'lose'?")),
        (bet(when="DEALER_UP = 8"), ("events[Yes].when", "did you mean 'dealer_up'?")),
        (bet(pays='"9 to 1", staked = "1 // 0"'), ("events[Yes].staked: division by zero",)),
        (bet(pays='"9 to 1", staked = "dealer_up // 0"'), ("events[Yes].staked: division by",)),
        (bet(pays='"9 to 1", staked = "dealer_up = 9"'), ("Yes].staked", "expected a number")),
        (bet(pays='"9 to 1", staked = "\'x\'"'), ("Yes].staked", "expected a number")),
        (bet(when="dealer_up // (dealer_up - dealer_up) = 1"),
         ("events[Yes].when: division by zero where dealer_up = 0;",)),
        (bet(space="main", when="dealer_total % player_total = 1"),
         ("events[Yes].when: division by zero where ", "CASE WHEN player_total <> 0 THEN")),
        (bet(space="main", when="winner = player_total"), ("winner is a word, not a number",)),
        (bet(when="not " * 2000 + "true"), ("events[Yes].when: nested too deeply",)),
        (bet(pays='"9 to 1", staked = 0.5'), None),
        (bet(when="dealer_up and dealer_up = 9"),
         ("events[Yes].when", "dealer_up is an integer, 0 … 9: write", "dealer_up = 9")),
        (bet(when="not naturals"), ("naturals is 'may draw'", "naturals = 'may draw'")),
        (bet() + strategy("maximises = { ant = 1 }"),
         ("strategies[s].maximises = 'ant'", "did you mean 'ante'?")),
        (bet() + strategy("maximises = { ante = \"1e400000000\" }"),
         ("strategies[s].maximises.ante", "a number of units")),
        (bet() + strategy('choose = [{ when = "dealer_upp = 9", action = "fold" }]'),
         ("strategies[s].choose[1].when", "did you mean 'dealer_up'?")),
        (bet() + strategy('choose = [{ when = "true", action = "hit" }]'),
         ("strategies[s].choose[1].action = 'hit'", "fold")),
        (bet() + strategy('maximises = { ante = 1 }\nby = ["player"]'),
         ("strategies[s].by", "player_cards")),
        ("wagers = []", ("wagers",)),
        ("[[wagers", ("not TOML",)),
    ],
)  # fmt: skip
def test_a_mistake_in_a_wager_file_names_file_and_key(
    in_process: Dealproof, tmp_path: Path, text: str, words: tuple[str, ...] | None
) -> None:
    (tmp_path / "my.toml").write_text(text, encoding="utf-8")
    answer = in_process("price", "fu-bacc", "my.toml")
    if words is None:
        assert answer.status == 0
        return
    assert answer.status == 1
    assert answer.complaint.startswith("my.toml: ")
    for word in words:
        assert word in answer.complaint


@pytest.mark.parametrize("when", ["dealer_up > 9", "dealer_up < 3 and dealer_up > 6"])
def test_other_rules_hide_no_impossible_event(
    in_process: Dealproof, tmp_path: Path, when: str
) -> None:
    (tmp_path / "my.toml").write_text(bet(when=when), encoding="utf-8")
    answer = in_process("price", "fu-bacc", "my.toml", "--set", "decks=6")
    assert answer.status == 1
    assert answer.complaint.startswith("my.toml: wagers[bet].events[Yes].when: ")
    assert "never" in answer.complaint


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("prise", "fu-bacc"), ("No such command 'prise'", "price")),
        (("price",), ("Missing argument 'GAME'", "dealproof price --help")),
        (("price", "fu-bacc", "--sett", "decks=2"), ("No such option", "--set")),
        (("price", "fu-bacc", "--set", "decks"), ("--set decks", "NAME=VALUE")),
        (("price", "fu-bacc", "--set", "decks=1", "--set", "decks=2"), ("given twice",)),
        (("deal", "fu-bacc", "--seed", "x"), ("--seed", "integer")),
        (("deal", "fu-bacc", "--seed", "-1"), ("--seed", "greater")),
        (("deal", "fu-bacc", "--round", "1048576"), ("--round", "less")),
        (("certify",), ("name one game or more", "--all")),
        (("certify", "fu-bacc", "--all"), ("name one game or more", "--all")),
        (("certify", "fu-bacc", "--rounds", "0"), ("--rounds", "greater")),
        (("certify", "fu-bacc", "--workers", "0"), ("--workers", "greater")),
        (("certify", "fu-bacc", "--method", "exhasut"), ("'exhasut'", "'exhaust'")),
        (("certify", "fu-bacc", "--workers", "2", "--cluster", "tcp://x:1"), ("exclude each",)),
        (("serve", "--port", "70000"), ("--port", "less")),
    ],
)
def test_a_wrong_call_has_status_2(
    in_process: Dealproof, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    answer = in_process(*arguments)
    assert answer.status == 2
    for word in words:
        assert word in answer.complaint


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_an_example(in_process: Dealproof, command: str) -> None:
    answer = in_process(command, "--help")
    assert (answer.status, answer.err) == (0, "")
    assert "--json" in answer.out
    last = answer.out.split("\n\n")[-1]
    assert f"dealproof {command}" in last


def test_version(dealproof: Dealproof) -> None:
    answer = dealproof("--version")
    assert (answer.status, answer.out) == (0, f"dealproof {version('dealproof')}\n")


def test_no_command_is_a_question_for_help(dealproof: Dealproof) -> None:
    answer = dealproof()
    assert (answer.status, answer.out) == (2, "")
    assert "Usage: dealproof" in answer.err


def test_help_loads_nothing_heavy() -> None:
    script = (
        "import sys\nfrom flows.cli import main\nsys.argv = ['dealproof', '--help']\n"
        "try:\n    main()\nfinally:\n"
        "    heavy = 'prefect numba duckdb pyarrow distributed pydantic numpy'.split()\n"
        "    print({*heavy} & {*sys.modules}, file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stderr.strip() == "set()"
    for command in COMMANDS:
        assert f"  {command} " in run.stdout


@pytest.mark.parametrize("command", ["price", "plan", "deal", "certify"])
def test_a_mistake_in_a_spec_names_its_file(
    command: str, in_process: Dealproof, tmp_path: Path
) -> None:
    path = tmp_path / "fu-bacc.toml"
    good = (ROOT / "data/games/fu-bacc.toml").read_text(encoding="utf-8")
    path.write_text(good.replace("winner = 'tie' and (", "winer = 'tie' and (", 1), "utf-8")
    answer = in_process(command, path)
    assert answer.status == 1
    assert answer.out == ""
    text = f"dealproof: {path}: wagers[tie].events[Tie].when: column 'winer' is not known; "
    assert answer.err.startswith(text)
    assert len(answer.err.splitlines()) == 1
