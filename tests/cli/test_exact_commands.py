"""`games`, `price`, `strategy` and `deal`: figures against closed forms and a second method."""

from __future__ import annotations

import json
import subprocess
from fractions import Fraction
from itertools import pairwise, permutations
from pathlib import Path

import pytest

from tests.cli.conftest import PROGRAM, Dealproof

ACES = """
[[wagers]]
name   = "dealer-ace"
title  = "Dealer shows an ace"
space  = "starts"
events = [
  { event = "Ace", when = "dealer_up = 1", pays = "10 to 1" },
  { event = "Other", when = "true", pays = "lose" },
]
"""
#: Values A–K of one deck, four of each.
DECK = [value for value in (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0) for _ in range(4)]


def exact(figure: dict[str, str]) -> Fraction:
    return Fraction(figure["exact"])


def play_out(hand: tuple[int, int, int], draw: bool) -> Fraction:
    """Mean net of raising 2 antes, from the rule sheet: every order of the unseen cards."""
    first, second, up = hand
    unseen = list(DECK)
    for card in hand:
        unseen.remove(card)
    net = 0
    for a, b, c in permutations(unseen, 3):
        player, rest = first + second, (a, b, c)
        if draw:
            player, rest = player + a, (b, c, 0)
        dealer = (up + rest[0]) % 10
        if dealer <= 5:
            dealer = (dealer + rest[1]) % 10
        player %= 10
        net += 3 if player > dealer else -1 if player == dealer else -3
    return Fraction(net, 49 * 48 * 47)


def test_price_prints_the_published_table(dealproof: Dealproof) -> None:
    """Counts from Wizard of Odds, Fu Bacc, Lucky Monkey Analysis."""
    answer = dealproof("price", "fu-bacc", "--wager", "lucky-monkey")
    assert (answer.status, answer.err) == (0, "")
    for figure in ("480", "4,080", "60,300", "66,300", "0.217195", "-0.058824", "5.8824%", "1/17"):
        assert figure in answer.out


INSURANCE = """
[[wagers]]
name = "insurance"
title = "Insurance"
space = "starts"
events = [
  { event = "Two nines", when = "dealer_up = 9 and player_initial_total = 9", pays = "6 to 1" },
  { event = "A nine shows", when = "dealer_up = 9", pays = "lose" },
  { event = "Not offered", when = "true", pays = "push", staked = 0 },
]

[[wagers]]
name = "amounts"
title = "Amounts"
space = "starts"
events = [
  { event = "A nine shows", when = "dealer_up = 9", pays = 1234567.5, staked = 0.5 },
  { event = "Other", when = "true", pays = "lose" },
]
"""


def test_a_bet_that_is_not_always_offered_leads_with_its_edge_per_unit_staked(
    dealproof: Dealproof, tmp_path: Path
) -> None:
    """The dealer shows one of 4 nines before C(51, 2) = 1,275 hands: 5,100 of 66,300 starts.

    48 hands of a ten-value and one of 3 nines, and 4 × 16 of 1-8, 2-7, 3-6, 4-5, make a nine: 112
    against each of them, 448 in all. 6 × 448 - 4,652 = -1,964, a loss of 1,964/5,100 per unit.
    """
    (tmp_path / "bet.toml").write_text(INSURANCE)
    request = ("price", "fu-bacc", "bet.toml", "--wager", "insurance")
    text = dealproof(*request).out
    first, second = [line.split() for line in text.splitlines() if "491/" in line][:2]
    assert first == ["Edge", "per", "unit", "staked", "38.5098%", "491/1275"]
    assert second == ["Loss", "per", "base", "unit", "2.9623%", "491/16575"]
    assert "That is the element of risk, since nothing is staked in some deals." in text
    assert "House edge" not in text
    (figures,) = dealproof(*request, "--json").json["wagers"]
    assert figures["headline"] == "element_of_risk"
    assert exact(figures[figures["headline"]]) == Fraction(1964, 5100)
    assert exact(figures["house_edge"]) == Fraction(1964, 66300)


def test_amounts_have_every_digit(dealproof: Dealproof, tmp_path: Path) -> None:
    (tmp_path / "bet.toml").write_text(INSURANCE)
    request = ("price", "fu-bacc", "bet.toml", "--wager", "amounts")
    assert "1234567.5 on 0.5" in dealproof(*request).out
    (figures,) = dealproof(*request, "--json").json["wagers"]
    (event, _) = figures["events"]
    assert (event["pays"], event["net"], event["staked"]) == ("1234567.5", "2469135/2", "1/2")


def test_price_of_a_strangers_wager(dealproof: Dealproof, tmp_path: Path) -> None:
    """One card in 13 is an ace, with any number of decks: 4·C(51, 2) of 66,300 starts with one."""
    (tmp_path / "bet.toml").write_text(ACES, encoding="utf-8")
    result = dealproof("price", "fu-bacc", "bet.toml", "--json").json["wagers"]
    assert [w["wager"] for w in result] == ["dealer-ace"]
    assert [e["combinations"] for e in result[0]["events"]] == [5100, 61200]
    assert exact(result[0]["house_edge"]) == Fraction(2, 13)
    assert exact(result[0]["hit_frequency"]) == Fraction(1, 13)
    assert exact(result[0]["variance"]) == 11**2 * Fraction(12, 169)
    six = dealproof("price", "fu-bacc", "bet.toml", "--set", "decks=6", "--json").json
    assert six["rules"]["decks"] == 6
    assert exact(six["wagers"][0]["house_edge"]) == Fraction(2, 13)


def test_price_replaces_a_wager_of_the_same_name(in_process: Dealproof, tmp_path: Path) -> None:
    """Tie at 8 to 1 gains one unit per published tie: 410,381,616 of 3,664,533,600 hands."""
    text = """
    [[wagers]]
    name       = "tie"
    title      = "Tie at 8 to 1"
    space      = "main"
    strategies = ["tie published"]
    events     = [
      { event = "Tie", when = "winner = 'tie'", pays = "8 to 1" },
      { event = "No tie", when = "true", pays = "lose" },
    ]
    """
    (tmp_path / "tie.toml").write_text(text, encoding="utf-8")
    (tie,) = in_process("price", "fu-bacc", "tie.toml", "--json").json["wagers"]
    assert exact(tie["house_edge"]) == 1 - 9 * Fraction(410_381_616, 3_664_533_600)


def test_price_takes_strategies_from_the_file(in_process: Dealproof, tmp_path: Path) -> None:
    """C(16, 2) · 50 starts give two cards worth nothing; who always stands ends with them."""
    text = """
    [[strategies]]
    name    = "always stand"
    title   = "Stand on everything"
    space   = "main"
    choose  = [{ when = "true", action = "stand" }]

    [[wagers]]
    name       = "nothing"
    title      = "Player ends with two cards worth nothing"
    space      = "main"
    counted_in = "ordered deals"
    strategies = ["always stand"]
    events     = [
      { event = "0-0", when = "player_low = 0 and player_high = 0 and player_cards = 2", pays = 9 },
      { event = "Other", when = "true", pays = "lose" },
    ]
    """
    (tmp_path / "nothing.toml").write_text(text, encoding="utf-8")
    (result,) = in_process("price", "fu-bacc", "nothing.toml", "--json").json["wagers"]
    assert result["strategy"] == "always stand"
    assert result["events"][0]["combinations"] == 120 * 50 * 49 * 48 * 47


def test_price_under_another_strategy(in_process: Dealproof) -> None:
    answer = in_process(
        "price", "fu-bacc", "--wager", "tie", "--strategy", "tie published", "--json"
    )
    (tie,) = answer.json["wagers"]
    assert [e["combinations"] for e in tie["events"]] == [410_381_616, 3_254_151_984]


@pytest.mark.parametrize(
    ("hand", "values"),
    [("5d 9s / 7c", (5, 9, 7)), ("Kh 10d 3s", (0, 0, 3)), ("2c,6d,9h", (2, 6, 9))],
)
def test_strategy_values_every_action_of_a_hand(
    in_process: Dealproof, hand: str, values: tuple[int, int, int]
) -> None:
    """All 110,544 orders of the unseen cards played out from the rule sheet."""
    (text,) = in_process("strategy", "fu-bacc", hand, "--json").json["sets"]
    expected = {
        "fold": Fraction(-1),
        "stand": play_out(values, draw=False),
        "draw": play_out(values, draw=True),
    }
    if sum(values[:2]) % 10 == 8:
        expected["bonus"] = Fraction(3, 2)
    result = {line["action"]: exact(line["ev"]) for line in text["actions"]}
    assert result == expected
    assert expected[text["action"]] == max(expected.values())
    assert {line["action"]: exact(line["cost"]) for line in text["actions"]} == {
        action: max(expected.values()) - value for action, value in expected.items()
    }


def test_strategy_by_columns_equals_strategy_by_cards(in_process: Dealproof) -> None:
    by_cards = in_process("strategy", "fu-bacc", "5d 9s 7c", "--json").json
    by_columns = in_process(
        "strategy", "fu-bacc", "--where", "player_low=5", "--where", "player_high=9",
        "--where", "dealer_up=7", "--json",
    ).json  # fmt: skip
    assert by_cards == by_columns
    # 0-4, 1-3, 2-2, 5-9, 6-8, 7-7
    by_total = in_process(
        "strategy", "fu-bacc", "--where", "player_initial_total=4", "--where", "dealer_up=7"
    )
    assert by_total.out.count("strategy 'optimal'") == 6


@pytest.mark.parametrize(
    ("game", "ranks", "cards"),
    [
        ("double-ace", "A", "As"),
        ("double-ace", "10", "Th"),
        ("double-ace", "2 2 a 2", "2s 2s 2s As"),
        ("fu-bacc", "5 9 / 7", "5d 9s / 7c"),
        ("fu-bacc", "K 5d 5", "Ks 5d 5h"),
    ],
)
def test_suits_may_be_left_out_where_they_play_no_part(
    in_process: Dealproof, game: str, ranks: str, cards: str
) -> None:
    by_ranks = in_process("strategy", game, ranks, "--json")
    assert (by_ranks.status, by_ranks.err) == (0, "")
    assert by_ranks.json["sets"] == in_process("strategy", game, cards, "--json").json["sets"]


def test_a_hand_that_a_strategy_never_comes_to_is_told(in_process: Dealproof) -> None:
    """On an ace he doubles, for one more card at once, so that he never decides with two."""
    text = in_process("strategy", "double-ace", "A A").out
    assert "never comes here" in text
    assert "probability" not in text
    assert "come with probability 0.1" in in_process("strategy", "double-ace", "A").out


def test_strategy_exceptions_add_up_to_the_difference_in_edge(in_process: Dealproof) -> None:
    """Published: 10.41% by the three lines, 10.30% with their exceptions."""
    text = in_process(
        "strategy", "fu-bacc", "--strategy", "tie optimal", "--against", "tie published", "--json"
    ).json
    edges = [
        exact(w["house_edge"])
        for w in in_process("price", "fu-bacc", "--wager", "tie", "--json").json["wagers"]
        if w["strategy"] in ("tie published", "tie optimal")
    ]
    assert sum(exact(e["cost"]) for e in text["exceptions"]) == edges[0] - edges[1]
    assert [f"{float(edge):.4f}" for edge in edges] == ["0.1041", "0.1030"]
    assert all(exact(e["cost"]) >= 0 for e in text["exceptions"])


def test_strategy_chart_marks_its_exceptions(in_process: Dealproof) -> None:
    answer = in_process("strategy", "fu-bacc")
    grid = answer.out.split("Ante, optimal play by starting hand")[1].split("F = fold")[0]
    assert grid.count("*") == 25
    assert "25 exceptions to 'chart'" in answer.out
    lines = {line[:3]: line[3:].split() for line in grid.splitlines() if line[:1].isdigit()}
    assert len(lines) == 55
    assert lines["0 0"][9] == "B"


def test_joint_play_is_an_envelope(in_process: Dealproof) -> None:
    text = in_process("strategy", "fu-bacc", "--joint", "ante and tie", "--json").json
    pieces = [(exact(p["from"]), exact(p["loss"]), exact(p["slope"])) for p in text["pieces"]]
    # Lines meet where they change, ever flatter: the loss is continuous and concave.
    for (_, loss, slope), (at, next_loss, next_slope) in pairwise(pieces):
        assert loss + at * slope == next_loss + at * next_slope
        assert next_slope < slope
    together = [
        exact(w["house_edge"])
        for w in in_process(
            "price", "fu-bacc", "--wager", "ante", "--wager", "tie",
            "--strategy", "ante and tie", "--json",
        ).json["wagers"]
    ]  # fmt: skip
    loss, slope = [p[1:] for p in pieces if p[0] <= 1][-1]
    assert loss + slope == sum(together)


def test_deal_follows_the_strategy_and_settles(dealproof: Dealproof, in_process: Dealproof) -> None:
    text = dealproof("deal", "fu-bacc", "--seed", "7", "--json").json
    again = in_process("deal", "fu-bacc", "--seed", "7", "--json").json
    other = in_process("deal", "fu-bacc", "--seed", "8", "--json").json
    assert text == again
    assert text["cards"] != other["cards"]
    # folded on one, played on by standing; the dealer's two-card six stands: four cards are dealt
    assert len(set(text["cards"])) == len(text["cards"]) == 4
    hand = " ".join(text["cards"][:3])
    (advice,) = in_process("strategy", "fu-bacc", hand, "--json").json["sets"]
    row = text["rows"]["main"]
    assert row["action"] == advice["action"]
    ante = next(w for w in text["wagers"] if w["wager"] == "ante")
    nets = {
        "fold": "-1",
        "bonus": {"nine": "2", "eight": "3/2", "pair": "1"}.get(row["bonus_offer"]),
    }
    won = {"player": "3", "tie": "-1", "dealer": "-3"}[row["winner"]]
    assert ante["net"] == nets.get(row["action"], won)


def test_games_lists_and_describes(in_process: Dealproof) -> None:
    listed = in_process("games", "--json").json
    assert "fu-bacc" in [game["game"] for game in listed]
    assert "fu-bacc" in in_process("games").out
    library = next(
        line for line in in_process("games").out.splitlines() if line.startswith("punto-banco")
    )
    assert "player, banker" in library
    assert max(map(len, in_process("games").out.splitlines())) <= 110
    wagers = in_process("games", "punto-banco").out
    assert "lucky-match" in wagers
    assert "Ranks of all cards of both hands together" in wagers
    text = in_process("games", "fu-bacc").out
    for word in ("dealer_draws_to", "4, 5, 6", "tie published", "lucky-monkey"):
        assert word in text


def test_output_to_a_closed_pipe_is_no_accident() -> None:
    run = subprocess.run(
        f"{PROGRAM} strategy fu-bacc --all | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.stdout.startswith("Fu Bacc")
    assert run.stderr == ""


def test_plan_counts_by_closed_form_and_writes_nothing(
    in_process: Dealproof, tmp_path: Path
) -> None:
    """66,300 starts × 49 · 48 · 47 orders of the cards to come."""
    plan = in_process("plan", "fu-bacc", "--rounds", "1", "--full", "--json").json
    jobs = {(job["method"], job["space"]): job for job in plan["jobs"]}
    main = jobs["exhaust", "main"]
    assert main["deals"] == main["deals_total"] == 66_300 * 49 * 48 * 47
    assert sum(part["deals"] for part in main["parts"]) == main["deals"]
    assert jobs["simulate", None]["deals"] == 1 << 20
    alone = ("--workers", "1", "--json")
    again = in_process("plan", "fu-bacc", "--rounds", "1", "--full", *alone).json
    assert again["run"] == plan["run"]
    text = in_process("plan", "fu-bacc", "--full").out
    assert "7,329,067,200" in text
    assert "core-hours" in text
    assert list(tmp_path.iterdir()) == []


def test_one_hand_at_one_ratio_of_two_bets(in_process: Dealproof) -> None:
    """By hand: with a pair kept the kings' main bet is worth most; a nine ties more often."""
    hand = "9d Ks 4c 2s Kh"
    text = in_process("strategy", "bacc-plus-3", hand, "--side", "tie=0.5", "--json").json
    by_side = in_process("strategy", "bacc-plus-3", hand, "--side", "tie=1/2", "--json").json
    assert text == by_side
    values = {a["told"]: a for a in text["actions"]}
    assert len(values) == 10
    for line in values.values():
        main, tie = (exact(line["ev"][name]) for name in ("main", "tie"))
        assert exact(line["together"]) == main + tie / 2
    best = max(exact(a["together"]) for a in values.values())
    assert exact(values[text["told"]]["together"]) == best
    assert all(exact(a["cost"]) == best - exact(a["together"]) for a in values.values())
    # The one break point is where the lines of the two best settings cross.
    (bend,) = text["breaks"]
    lines = {a["action"]: a["ev"] for a in text["actions"]}
    before, after = lines[bend["before"]], lines[bend["after"]]
    gain = exact(after["tie"]) - exact(before["tie"])
    assert exact(bend["ratio"]) * gain == exact(before["main"]) - exact(after["main"])
    alone = in_process("strategy", "bacc-plus-3", hand, "--json").json["sets"][0]
    assert alone["action"] == bend["before"]
    assert {a["action"]: a["ev"] for a in alone["actions"]} == {
        action: ev["main"] for action, ev in lines.items()
    }


def test_one_hand_at_a_ratio_in_a_game_that_is_solved_whole(in_process: Dealproof) -> None:
    text = in_process("strategy", "fu-bacc", "5d 9s / 7c", "--side", "tie=0", "--json").json
    (alone,) = in_process("strategy", "fu-bacc", "5d 9s / 7c", "--json").json["sets"]
    assert text["action"] == alone["action"]
    assert {a["action"]: a["together"] for a in text["actions"]} == {
        a["action"]: a["ev"] for a in alone["actions"]
    }


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("Ks Kh 9d 4c", "--side", "tie=1"), "a hand has 5 different cards, not 4"),
        (("Ks Kh 9d 4c 2s 3s", "--side", "tie=1"), "a hand has 5 different cards, not 6"),
        (
            ("Ks Ks 9d 4c 2s", "--side", "tie=1"),
            "card K♠ appears twice in 'Ks Ks 9d 4c 2s'; 1 deck holds 1",
        ),
        (("Ks Kh 9d 4c 2s", "--side=tie=-1"), "ratio -1: allowed: 0 or more"),
        (
            ("Ks Kh 9d 4c 2s", "--side", "tie=x"),
            "ratio 'x': write a number, for example 0.5 or 1/2",
        ),
        (("Ks Kh 9d 4c 2s", "--side", "poker=1"), "--side poker: allowed: tie"),
    ],
)
def test_a_wrong_hand_or_ratio_is_told(
    in_process: Dealproof, arguments: tuple[str, ...], complaint: str
) -> None:
    answer = in_process("strategy", "bacc-plus-3", *arguments)
    assert answer.status == 1
    assert answer.complaint == complaint


def test_a_hand_stands_for_all_that_differ_by_suits(in_process: Dealproof) -> None:
    """C(52, 5) = 2,598,960 hands. No two suits hold the same ranks (spades K 2, hearts K,
    diamonds 9, clubs 4), so that all 24 renamings of the suits differ."""
    text = in_process("strategy", "bacc-plus-3", "Ks Kh 9d 4c 2s").out
    assert "24 hands that differ by a renaming of the suits alone play like it" in text
    assert "= 1/108290, each by itself with 1/2598960" in text
    assert "Costs per hand" in text
    given = json.loads(in_process("strategy", "bacc-plus-3", "Ks Kh 9d 4c 2s", "--json").out)
    assert given["sets"][0]["hands"] == 24
    assert given["alike"] == "that differ by a renaming of the suits alone"


def test_a_start_stands_for_all_of_its_point_values(in_process: Dealproof) -> None:
    """Four fives, four nines and four sevens: 64 of C(52, 2) × 50 = 66,300 starts."""
    text = in_process("strategy", "fu-bacc", "5d 9s / 7c").out
    assert "64 hands of the same point values" in text
    assert "= 16/16575, each by itself with 1/66300" in text
