"""Punto Banco's side bets: the library, a stranger's file, and errors that teach."""

from __future__ import annotations

from fractions import Fraction
from math import perm
from pathlib import Path

import pytest

from engine.analysis import analysis
from engine.exact.errors import DealproofError
from engine.spec.loading import load_spec, parse, read
from engine.spec.model import WagerFile
from tests.games.punto_banco_tables import POINTS_ONLY, counted, whole

WAGERS = Path(__file__).parents[2] / "data" / "wagers" / "punto-banco"


def test_every_wager_says_its_rule() -> None:
    spec = load_spec("punto-banco")
    assert len(spec.wagers) > 26
    assert all(wager.rule.endswith(".") for wager in spec.wagers)
    example = WAGERS / "cards.toml"
    given = read(example, WagerFile)
    outcome = analysis.analyse(
        spec.model_copy(update={"wagers": given.wagers, "published": ()}), strict=True
    )
    assert all(0 < result.priced.house_edge < Fraction(1, 5) for result in outcome.results)


def priced(text: str, decks: int = 8, strict: bool = True) -> Fraction:
    """Price a stranger's file the way `dealproof price` does."""
    given = parse(text, WagerFile, "my-bet.toml")
    spec = load_spec("punto-banco").under({"decks": decks})
    spec = spec.model_copy(update={"wagers": given.wagers, "published": ()})
    return analysis.analyse(spec, strict).results[0].priced.house_edge


BET = """
[[wagers]]
name  = "my-bet"
title = "Six Pair"
events = [
  {{ event = "First", when = "{first}", pays = {pays} }},
  {{ event = "Second", when = "{second}", pays = "{second_pays}" }},
  {{ event = "Rest", when = "{rest}", pays = "lose" }},
]
"""


def bet(
    first: str = "winner = 'player' and player_pair = 1",
    pays: str = '"3 to 1"',
    second: str = "player_pair = 1",
    second_pays: str = "2 to 1",
    rest: str = "true",
) -> str:
    return BET.format(first=first, pays=pays, second=second, second_pays=second_pays, rest=rest)


def test_a_strangers_bet_is_priced_at_any_deck_count() -> None:
    text = bet(first="player_pair = 1 and banker_pair = 1", pays='"50 to 1"')
    for decks in (6, 8):
        pair = Fraction(4 * decks - 1, 52 * decks - 1)
        n, d = 52 * decks, 4 * decks
        same_rank = Fraction(perm(d, 4), perm(n, 4)) * 13
        others = Fraction(perm(d, 2) ** 2, perm(n, 4)) * 13 * 12
        both = same_rank + others
        assert priced(text, decks) == 1 - (both * 51 + (pair - both) * 3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (bet(first="winer = 'player'"), ["First", "'winer' is not known", "did you mean 'winner'"]),
        (bet(first="sevens = 3"), ["First", "'sevens' belongs to space 'ranks'"]),
        (bet(first="winner = 'playr'"), ["never 'playr'", "did you mean 'player'"]),
        (bet(first="player_total = 'nine'"), ["player_total is an integer", "nine"]),
        (bet(first="player_total = 10"), ["player_total is never 10", "0 … 9"]),
        (bet(first="player_third_value in (1, -2)"), ["player_third_value is never -2", "-1 … 9"]),
        (bet(first="player_total"), ["First", "expected a condition"]),
        (bet(rest="winner = 'tie'"), ["kinds of row are covered by no event", "winner = ", "true"]),
        (bet(first="true"), ["Second", "earlier events leave nothing"]),
        (bet(first="player_cards = 2 and player_third_value = 3"), ["First", "can never happen"]),
        (bet(pays='"3 too 1"'), ["pays", "3 too 1", "A to B"]),
        (bet(pays='"three to 1"'), ["pays", "three"]),
        (bet(pays='"3 for 1"'), ["mixes 'to'"]),
        (bet(pays='"3 to 0"'), ["stake of 0"]),
        (bet(pays="true"), ["pays", "number"]),
        (bet(first="player_total in (select 1)"), ["subquery", "not allowed"]),
        (bet(first="exists (select 1)"), ["subquery", "not allowed"]),
        (bet(first="random() < 0.5"), ["random", "not allowed"]),
        (bet(first="getenv('HOME') = 'x'"), ["getenv", "not allowed"]),
        (bet(first="current_setting('threads') = 1"), ["current_setting", "not allowed"]),
        (bet(first="row_number() over () = 1"), ["row_number", "not allowed"]),
        (bet(first="1 = 1) from read_csv('x.csv') --"), ["comment"]),
        (bet(first="1 = 1 from read_csv('x.csv')"), ["First", "not an expression", "FROM"]),
        (bet(first="true; drop table x"), ["second statement"]),
        (bet(first="true -- ) and"), ["comment"]),
        (bet(first="player_total = $1"), ["parameter", "not allowed"]),
        (bet(first="player_total = 1, 2"), ["one expression, not a list"]),
        (bet(first="player_total = "), ["not an expression"]),
        (bet(first="player_total / 2 = 1"), ["/", "not allowed"]),
        (bet(first="player_total = 9 and"), ["not an expression"]),
        (bet(first="sum(player_total) = 9"), ["sum", "not allowed"]),
        (bet(first="player_total = NULL"), ["NULL", "not allowed"]),
        (bet(first="player_total::varchar = '9'"), ["cast", "not allowed"]),
    ],
)  # fmt: skip
def test_errors_teach(text: str, words: list[str]) -> None:
    with pytest.raises(DealproofError) as error:
        priced(text)
    message = str(error.value)
    assert "\n" not in message
    assert [word for word in words if word not in message] == [], message


def test_arithmetic_may_stand_in_a_predicate() -> None:
    # Wizard of Odds, Quik Baccarat: 8.155%; the same bands by arithmetic.
    text = bet(
        first="abs(2 * (player_total + banker_total) - 18) // 2 = 9 and player_total = 0",
        pays='"50 to 1"',
        second="player_total + banker_total = 18",
        second_pays="25 to 1",
        rest="case when greatest(player_total, banker_total) >= 0 then true else false end",
    )
    edge = priced(text)
    table = whole(8, POINTS_ONLY)
    none = Fraction(counted(table, player_total=0, banker_total=0), table.deals)
    all_ = Fraction(counted(table, player_total=9, banker_total=9), table.deals)
    assert edge == 1 - 51 * none - 26 * all_
