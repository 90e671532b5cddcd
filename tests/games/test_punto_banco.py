"""Punto Banco: the printed tableau, hand-worked deals, published counts and closed forms."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import perm

import pytest

from engine.analysis import analysis
from engine.cards.deck import parse_cards
from engine.games.punto_banco import referee
from engine.games.punto_banco.rules import NONE
from engine.spec.loading import load_spec
from engine.studies import published
from tests.games.punto_banco_tables import PAIRS, POINTS_ONLY, RACK_CARD, counted, game, whole


def test_referee_is_the_rack_card() -> None:
    for player, banker in itertools.product(range(10), repeat=2):
        stop = player >= 8 or banker >= 8
        assert referee.player_draws(player, banker) == (not stop and player <= 5)
        alone = not stop and player in (6, 7) and banker <= 5
        assert referee.banker_draws(player, banker, NONE) == alone or player <= 5
        for third in range(10):
            if player <= 5:
                expected = not stop and third in RACK_CARD[banker]
                assert referee.banker_draws(player, banker, third) == expected


def test_rounds_worked_by_hand() -> None:
    one = game(1)
    # Player 9♠ K♦ = 9 is natural; Banker 3♣ 4♣ = 7; nobody draws.
    text = one.play(parse_cards("9s 3c Kd 4c 2h 2d"), {})
    row = text.rows["main"]
    assert (row["player_total"], row["banker_total"], row["winner"], row["margin"]) == (
        9, 7, "player", 2,
    )  # fmt: skip
    assert (row["player_natural"], row["banker_natural"], row["player_third_value"]) == (
        1,
        0,
        -1,
    )
    assert text.steps[-1] == "Player wins by 2"
    # Player 2♥ 3♥ = 5 draws 8♥: 3. Banker 3♠ K♠ = 3 stands on an 8: a tie, all hearts for Player.
    row = one.play(parse_cards("2h 3s 3h Ks 8h 9c"), {}).rows["main"]
    assert (row["player_total"], row["banker_total"], row["winner"]) == (3, 3, "tie")
    assert (row["player_cards"], row["banker_cards"]) == (3, 2)
    assert (row["player_suit"], row["player_colour"]) == ("hearts", "red")
    assert (row["banker_suit"], row["banker_colour"], row["banker_pictures"]) == (
        "spades", "black", 1,
    )  # fmt: skip
    # Player J♣ J♦ = 0 draws J♥: 0. Banker Q♣ Q♠ = 0 draws 7♦: 7 wins; both have pairs.
    row = one.play(parse_cards("Jc Qc Jd Qs Jh 7d"), {}).rows["main"]
    assert (row["player_trips"], row["player_pair_rank"], row["player_pictures"]) == (
        1,
        11,
        3,
    )
    assert (row["banker_pair"], row["banker_pair_rank"], row["banker_suited_pair"]) == (
        1,
        12,
        0,
    )
    assert (row["winner"], row["banker_colour"], row["banker_third_value"]) == (
        "banker",
        "mixed",
        7,
    )
    # Eight decks can pair a card with itself. Player stands on 6, Banker draws on 5.
    row = game().play((20, 3, 48, 15, 0, 0), {}).rows["main"]
    assert (row["player_total"], row["player_cards"], row["banker_cards"]) == (6, 2, 3)
    row = game().play((4, 12, 4, 13, 44, 0), {}).rows["main"]
    assert (row["player_suited_pair"], row["player_pair"], row["player_pair_rank"]) == (
        1,
        1,
        2,
    )


def test_published_counts_of_eight_decks() -> None:
    # Wizard of Odds, Baccarat: eight decks, six cards in order (416·415·414·413·412·411).
    table = whole(8, POINTS_ONLY)
    assert table.deals == game().main.deals == 4_998_398_275_503_360
    assert counted(table, winner="banker") == 2_292_252_566_437_888
    assert counted(table, winner="player") == 2_230_518_282_592_256
    assert counted(table, winner="tie") == 475_627_426_473_216
    # Wizard of Odds, EZ Baccarat: winning three-card 7 of Banker, three-card 8 of Player.
    seven = counted(table, winner="banker", banker_total=7, banker_cards=3)
    eight = counted(table, winner="player", player_total=8, player_cards=3)
    assert (seven, eight) == (112_633_011_329_024, 172_660_763_262_976)


#: Misprints of Wizard of Odds by deck count: Dragon Bonus and 4-5-6 (Baccarat Side Bets), and EZ
#: Baccarat. The tables add up otherwise, or are worked out from probabilities of six digits.
MISPRINTS = {
    8: {
        ("banker-no-7", "2,179,619,555,108,870"),
        ("dragon-bonus-player", "4,998,398,275,503,350"),
        ("dragon-bonus-banker", "4,998,398,275,503,350"),
        ("five-cards", "-0.089668"),
        ("six-cards", "-0.046939"),
    },
    6: {("four-cards", "-0.052688"), ("five-cards", "-0.089380")},
}


@pytest.mark.parametrize("decks", [1, 2, 4, 6, 8])
def test_spec_matches_every_published_figure(decks: int) -> None:
    spec = load_spec("punto-banco").under({"decks": decks})
    printed = {figure.wager for figure in spec.published if figure.rules["decks"] == decks}
    kept = tuple(wager for wager in spec.wagers if decks == 8 or wager.name in printed)
    figures = tuple(f for f in spec.published if f.wager in {wager.name for wager in kept})
    spec = spec.model_copy(update={"wagers": kept, "published": figures})
    result = analysis.analyse(spec, strict=decks == 8)
    compared = published.compare(result, spec.rule_values)
    due = [c for c in compared if c.figure.rules["decks"] == decks]
    assert len(due) == sum(figure.rules["decks"] == decks for figure in spec.published) > 0
    allowed = ("match", "match to 15 digits", "refuted")
    assert [c for c in due if c.fault or c.verdict not in allowed] == []
    # What the sources misprint; each line says how that came about.
    refuted = {(c.figure.wager, c.figure.printed) for c in due if c.verdict == "refuted"}
    assert refuted == MISPRINTS.get(decks, set())


def test_pairs_by_closed_form() -> None:
    for decks in (1, 3, 8):
        table = whole(decks, PAIRS)
        share = Fraction(4 * decks - 1, 52 * decks - 1)
        suited = Fraction(decks - 1, 52 * decks - 1)
        for side in ("player", "banker"):
            pair = counted(table, **{f"{side}_pair": 1})
            assert Fraction(pair, table.deals) == share
            assert Fraction(counted(table, **{f"{side}_suited_pair": 1}), table.deals) == suited
            kings = counted(table, **{f"{side}_pair_rank": 13})
            assert Fraction(kings, table.deals) == share / 13
            assert counted(table, **{f"{side}_pair_rank": -1}) == table.deals - pair


def test_six_pictures_by_closed_form() -> None:
    # Player and Banker both stand at 0 after two cards and draw pictures: all six cards pictures.
    # Nothing else leads there, so the count is the ordered choice of six of the pictures.
    for decks in (1, 2, 8):
        names = (
            "player_pictures banker_pictures player_colour banker_colour player_suit banker_suit"
        )
        table = whole(decks, frozenset(names.split()))
        six: dict[str, str | int] = {"player_pictures": 3, "banker_pictures": 3}
        assert counted(table, **six) == perm(12 * decks, 6)
        red = counted(table, **six, player_colour="red", banker_colour="red")
        assert red == perm(6 * decks, 6)
        hearts = counted(table, **six, player_suit="hearts", banker_suit="hearts")
        assert hearts == perm(3 * decks, 6)


def test_four_cards_of_one_suit_by_closed_form() -> None:
    # Two-card totals depend on ranks alone: given that the first four cards are hearts, the
    # share of deals that end there is counted over the 13 hearts of one deck by hand.
    table = whole(1, frozenset({"player_cards", "banker_cards", "player_suit", "banker_suit"}))
    values = [min(rank, 10) % 10 for rank in range(1, 14)]
    stops = sum(
        max((a + b) % 10, (c + d) % 10) >= 8 or min((a + b) % 10, (c + d) % 10) >= 6
        for a, b, c, d in itertools.permutations(values, 4)
    )
    row: dict[str, str | int] = {
        "player_cards": 2,
        "banker_cards": 2,
        "player_suit": "hearts",
        "banker_suit": "hearts",
    }
    assert counted(table, **row) == stops * perm(48, 2)


def test_three_of_a_kind_needs_a_draw() -> None:
    # P(first three cards of Player equal) bounds it: 52·3·2 / (52·51·50) with one deck, from above.
    table = whole(1, frozenset({"player_trips", "player_pair_rank", "player_total"}))
    trips = Fraction(counted(table, player_trips=1), table.deals)
    assert 0 < trips < Fraction(3 * 2, 51 * 50)
    # Pairs of 3, 4, 8 and 9 make 6, 8, 6 and 8: such a Player never draws.
    for rank in (3, 4, 8, 9):
        assert counted(table, player_trips=1, player_pair_rank=rank) == 0
    assert counted(table, player_trips=1, player_pair_rank=7, player_total=1) > 0
