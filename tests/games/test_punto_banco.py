"""Punto Banco: published counts, the slow obvious way, hand-worked deals, and all three methods."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from math import perm
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import analysis, compare
from engine.cards import parse_cards
from engine.errors import DealproofError
from engine.game import Wanted
from engine.games import punto_banco
from engine.games.punto_banco import columns, playout, referee, shoe_study
from engine.games.punto_banco.enumeration import cards as by_cards
from engine.games.punto_banco.enumeration import points as by_points
from engine.games.punto_banco.rules import NONE, Rules
from engine.games.punto_banco.space import PuntoBanco
from engine.loading import load_spec, load_wagers, parse
from engine.pricing import Pricer
from engine.spec import WagerFile
from engine.tables import Table, same

WAGERS = Path(__file__).parents[2] / "data" / "wagers" / "punto-banco"

POINTS_ONLY = frozenset(
    f"{side}_{column}"
    for side in ("player", "banker")
    for column in ("total", "cards", "two", "natural", "third")
) | {"winner", "margin"}
ISSUE = POINTS_ONLY | {
    f"{side}_{column}"
    for side in ("player", "banker")
    for column in ("pair", "pair_rank", "suited_pair")
}


def game(decks: int = 8) -> PuntoBanco:
    made = punto_banco.build({"decks": decks})
    assert isinstance(made, PuntoBanco)
    return made


def whole(decks: int, wanted: Wanted) -> Table:
    main = game(decks).main
    return main.enumerate(0, main.starts, wanted=wanted)


def counted(table: Table, **values: str | int) -> int:
    """Deals of the rows with these readable values."""
    rows = np.ones(len(table), dtype=bool)
    for name, value in values.items():
        rows &= table.codes[name] == table.feature(name).code(value)
    return int(table.where(rows).deals)


# --- the tableau ------------------------------------------------------------------------------

#: Banker's draws as a rule card prints them (the Dai Bacc rack card): total → third cards drawn on.
RACK_CARD = {
    6: {6, 7}, 5: {4, 5, 6, 7}, 4: {2, 3, 4, 5, 6, 7}, 3: {0, 1, 2, 3, 4, 5, 6, 7, 9},
    2: set(range(10)), 1: set(range(10)), 0: set(range(10)), 7: set(),
}  # fmt: skip


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
    told = one.play(parse_cards("9s 3c Kd 4c 2h 2d"), {})
    row = told.rows["main"]
    assert (row["player_total"], row["banker_total"], row["winner"], row["margin"]) == (
        9, 7, "player", 2,
    )  # fmt: skip
    assert (row["player_natural"], row["banker_natural"], row["player_third"]) == (
        1,
        0,
        -1,
    )
    assert told.steps[-1] == "Player wins by 2"
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
    assert (row["winner"], row["banker_colour"], row["banker_third"]) == (
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


# --- published and closed forms ---------------------------------------------------------------


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


@pytest.mark.parametrize("decks", [1, 2, 4, 6, 8])
def test_spec_matches_every_published_figure(decks: int) -> None:
    spec = load_spec("punto-banco").under({"decks": decks})
    found = analysis.analyse_exactly(spec, strict=decks == 8)
    compared = compare.compare(found, spec.settings)
    due = [c for c in compared if c.figure.rules["decks"] == decks]
    assert len(due) == sum(figure.rules["decks"] == decks for figure in spec.published) > 0
    assert [c for c in due if c.verdict != "match"] == []


def test_pairs_by_closed_form() -> None:
    for decks in (1, 3, 8):
        table = whole(decks, ISSUE)
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


# --- the slow, obvious way --------------------------------------------------------------------


def plainly(shoe: list[int]) -> Counter[tuple[int, int, int, int]]:
    """Deal every ordered six cards of a small shoe of point values and play the printed rules."""
    found: Counter[tuple[int, int, int, int]] = Counter()
    for p, b, q, c, *rest in itertools.permutations(shoe, 6):
        player, banker = (p + q) % 10, (b + c) % 10
        third = drawn = NONE
        if max(player, banker) < 8:
            if player < 6:
                third = rest.pop(0)
            if (third == NONE and banker < 6) or (third != NONE and third in RACK_CARD[banker]):
                drawn = rest.pop(0)
        found[player, third, banker, drawn] += 1
    return found


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=6, max_size=8))
def test_points_of_any_shoe_against_plain_dealing(shoe: list[int]) -> None:
    copies = np.bincount(shoe, minlength=10).astype(np.int64)
    starts = np.outer(copies, copies) - np.diag(copies)
    counts = by_points.count(starts, copies)
    expected = plainly(shoe)
    assert counts.sum() == perm(len(shoe), 6)
    for (player, third, banker, drawn), deals in expected.items():
        assert counts[player, third + 1, banker, drawn + 1] == deals
    assert np.count_nonzero(counts) == len(expected)


def reduced(
    columns_of: tuple[dict[str, np.ndarray], dict[str, np.ndarray], np.ndarray],
) -> Table:
    return columns.lay_out(columns.FEATURES, *columns_of)


def exhausted(copies: np.ndarray) -> Table:
    """Every deal of a shoe of any 52 numbers of copies, card by card through the referee."""
    lens = playout.lens(columns.FEATURES)
    first, second = np.divmod(np.arange(52 * 52), 52)
    weight = copies[first] * (copies[second] - (first == second))
    counts = lens.empty()
    playout.exhaust_starts(
        first[weight > 0], second[weight > 0], weight[weight > 0], copies, lens.points,
        lens.player.of, lens.banker.of, counts,
    )  # fmt: skip
    return lens.tabulate(counts)


@settings(max_examples=12, deadline=None)
@given(
    st.sets(st.integers(0, 12), min_size=1, max_size=3),
    st.integers(1, 3),
)
def test_cards_of_small_shoes_against_exhaustion(ranks: set[int], copies: int) -> None:
    if len(ranks) * 4 * copies < 6:
        copies = 2
    held = np.zeros(13, dtype=bool)
    held[list(ranks)] = True
    every = tuple(columns.OF_HAND["player"])
    allowed = np.ones((13, 13, 4, 4), dtype=bool)
    left, right, deals = by_cards.hands(allowed, held, copies, every, every)
    enumerated = columns.lay_out(columns.FEATURES, left, right, deals)
    assert same(enumerated, exhausted(np.repeat(held * copies, 4)))


@settings(max_examples=12, deadline=None)
@given(st.lists(st.integers(0, 51), min_size=6, max_size=7))
def test_exhaustion_of_any_shoe_against_plain_dealing(shoe: list[int]) -> None:
    table = exhausted(np.bincount(shoe, minlength=52).astype(np.int64))
    value = [min(card // 4 + 1, 10) % 10 for card in shoe]
    found: Counter[tuple[int, ...]] = Counter()
    for order in itertools.permutations(range(len(shoe)), 6):
        p, b, q, c, *rest = order
        player, banker = [p, q], [b, c]
        two, other = (
            sum(value[i] for i in player) % 10,
            sum(value[i] for i in banker) % 10,
        )
        if max(two, other) < 8:
            third = NONE
            if two < 6:
                player.append(rest.pop(0))
                third = value[player[2]]
            if (third == NONE and other < 6) or (third != NONE and third in RACK_CARD[other]):
                banker.append(rest.pop(0))
        row: list[int] = []
        for hand in (player, banker):
            cards = [shoe[i] for i in hand]
            suits = {card % 4 for card in cards}
            red = {suit in (1, 2) for suit in suits}
            row += [
                sum(value[i] for i in hand) % 10,
                int(cards[0] // 4 == cards[1] // 4),
                int(cards[0] == cards[1]),
                int(len({card // 4 for card in cards}) == 1 and len(cards) == 3),
                sum(card // 4 in (10, 11, 12) for card in cards),
                suits.pop() if len(suits) == 1 else 4,
                int(red == {True}) if len(red) == 1 else 2,
            ]
        found[tuple(row)] += 1
    names = [
        f"{side}_{column}"
        for side in ("player", "banker")
        for column in (
            "total",
            "pair",
            "suited_pair",
            "trips",
            "pictures",
            "suit",
            "colour",
        )
    ]
    told = table.select(names)
    rows = zip(*(told.codes[name].tolist() for name in names), strict=True)
    assert dict(zip(rows, told.combinations.tolist(), strict=True)) == dict(found)


# --- the three methods, columns and ranges ----------------------------------------------------


@pytest.mark.parametrize("decks", [1, 8, 12])
def test_enumerate_is_exhaust(decks: int) -> None:
    main = game(decks).main
    assert same(
        main.enumerate(0, main.starts, wanted=POINTS_ONLY),
        main.exhaust(0, main.starts, wanted=POINTS_ONLY),
    )
    ranks = {f"{s}_{c}" for s in ("player", "banker") for c in ("pair_rank", "trips", "pictures")}
    assert same(
        main.enumerate(0, main.starts, wanted=POINTS_ONLY | ranks),
        main.exhaust(0, main.starts, wanted=POINTS_ONLY | ranks),
    )
    for lo, hi in ((0, 7), (1303, 1330), (main.starts - 5, main.starts)):
        found = main.enumerate(lo, hi)
        assert same(found, main.exhaust(lo, hi))
        assert found.deals == main.deals_in(lo, hi)


@pytest.mark.slow
@pytest.mark.parametrize("decks", [1, 6, 8])
def test_enumerate_is_exhaust_whole(decks: int) -> None:
    main = game(decks).main
    assert same(main.enumerate(0, main.starts), main.exhaust(0, main.starts))


def test_ranges_add_up() -> None:
    main = game(2).main
    cuts = [0, 1, 40, 1111, main.starts]
    for wanted in (POINTS_ONLY, ISSUE):
        parts = [main.enumerate(lo, hi, wanted=wanted) for lo, hi in itertools.pairwise(cuts)]
        assert same(Table.merge(parts), main.enumerate(0, main.starts, wanted=wanted))
    assert sum(main.deals_in(lo, hi) for lo, hi in itertools.pairwise(cuts)) == main.deals
    assert main.deals == perm(104, 6)
    assert len(main.enumerate(5, 5, wanted=POINTS_ONLY)) == 0


def test_both_kernels_agree_and_columns_are_those_wanted() -> None:
    points, issue = whole(8, POINTS_ONLY), whole(8, ISSUE)
    assert same(issue.select(sorted(POINTS_ONLY)), points)
    assert set(points.names) == POINTS_ONLY
    assert set(issue.names) == ISSUE
    assert whole(8, frozenset()).deals == game().main.deals
    everything = whole(3, None)
    assert everything.names == tuple(f.name for f in game().main.features)
    for names in (
        {"winner", "player_suit"},
        {"margin", "banker_trips"},
        {"banker_colour"},
    ):
        assert same(everything.select(sorted(names)), whole(3, frozenset(names)))


def test_renaming_suits_changes_nothing() -> None:
    # Swapping hearts with diamonds keeps colours; the table of a shoe with equal suits is its own
    # image, row by row.
    table = whole(2, frozenset({"player_suit", "banker_suit", "player_colour", "winner"}))
    swap = np.array([0, 2, 1, 3, 4])
    image = Table.of(
        table.features,
        dict(table.codes)
        | {name: swap[table.codes[name]] for name in ("player_suit", "banker_suit")},
        table.combinations,
    )
    assert same(image, table)


def test_decks_are_read() -> None:
    ties = [
        Fraction(counted(t := whole(d, POINTS_ONLY), winner="tie"), t.deals) for d in range(1, 13)
    ]
    assert sorted(ties) == ties
    assert len(set(ties)) == 12
    assert whole(12, POINTS_ONLY).deals == perm(624, 6)


def test_simulation_agrees_with_enumeration() -> None:
    played = game().simulate(0, 4, seed=5, wanted=POINTS_ONLY)["main", None]
    exact = whole(8, POINTS_ONLY)
    assert played.deals == 4 << 20
    for name in ("winner", "banker_cards", "player_total", "margin", "banker_third"):
        seen, due = played.select([name]), exact.select([name])
        assert np.array_equal(seen.codes[name], due.codes[name])
        expected = np.array([int(c) / exact.deals * played.deals for c in due.combinations])
        statistic = float((((seen.combinations - expected) ** 2) / expected).sum())
        # 60 lies beyond the 1e-7 quantile of chi-square with up to ten degrees of freedom.
        assert statistic < 60


def test_simulated_suits_agree_with_enumeration() -> None:
    names = frozenset({"player_suited_pair", "banker_colour", "player_suit", "player_pair_rank"})
    played = game(1).simulate(0, 2, seed=9, wanted=names)["main", None]
    exact = whole(1, names)
    for name in ("banker_colour", "player_suit"):
        seen, due = played.select([name]), exact.select([name])
        expected = np.array([int(c) / exact.deals * played.deals for c in due.combinations])
        assert float((((seen.combinations - expected) ** 2) / expected).sum()) < 60
    assert counted(played, player_suited_pair=1) == 0


def test_blocks_add_up_and_rounds_are_dealt_as_simulated() -> None:
    made = game(6)
    first, second, both = (
        made.simulate(lo, hi, seed=3, wanted=ISSUE)["main", None]
        for lo, hi in ((0, 1), (1, 2), (0, 2))
    )
    assert same(Table.merge([first, second]), both)
    deals = [made.deal(3, number) for number in range(200)]
    assert len(set(deals)) == 200
    winners = Counter(str(made.play(deal, {}).rows["main"]["winner"]) for deal in deals)
    assert set(winners) == {"player", "banker", "tie"}


def test_divide_is_exact() -> None:
    rng = np.random.default_rng(1)
    for by in (47, 411, 624 * 623 * 622, 416 * 415 * 414):
        numbers = [
            0,
            by - 1,
            by,
            by * 620 * 620 * 619 - 1,
            *rng.integers(0, 1 << 56, 200).tolist(),
        ]
        for number in numbers:
            assert playout.divide(number, by, 1.0 / by) == divmod(number, by)


# --- whole shoes ------------------------------------------------------------------------------


def bets(names: list[str]) -> tuple[analysis.Analysis, np.ndarray]:
    """Library wagers priced alone, and their nets in twentieths of a unit on every row."""
    spec = load_spec("punto-banco")
    kept = tuple(spec.wager(name) for name in names)
    found = analysis.analyse_exactly(spec.model_copy(update={"wagers": kept}))
    pricer = Pricer(found.tables["main", None], spec.settings)
    values = [pricer.value([(wager, Fraction(1))]) for wager in kept]
    return found, np.stack([value.net * (20 // value.net_unit) for value in values])


def test_whole_shoes_average_to_the_exact_edges() -> None:
    names = ["player", "banker", "tie", "dragon-7", "panda-8"]
    found, nets = bets(names)
    table = found.tables["main", None]
    shoes = shoe_study.play(Rules(8), table, nets, range(4), seed=11)
    assert shoes.rounds.shape == (4 * shoe_study.BLOCK,)
    for bet, name in enumerate(names):
        exact = -found.result(name).priced.house_edge
        error = shoes.error(bet) / 20
        # A cut card moves these edges by far less than the error of 16,384 shoes.
        assert abs(float(shoes.mean(bet) / 20 - exact)) < 5 * error
        # Rounds within a shoe depend little on each other: near deviation / √rounds.
        plain = found.result(name).priced.standard_deviation / np.sqrt(shoes.rounds.sum())
        assert 0.9 < error / plain < 1.1
    fewer = shoe_study.play(Rules(8), table, nets, range(1, 2), seed=11)
    assert np.array_equal(fewer.net, shoes.net[:, shoe_study.BLOCK : 2 * shoe_study.BLOCK])


def test_burning_and_the_cut_card_are_read() -> None:
    found, nets = bets(["banker"])
    table = found.tables["main", None]

    def rounds(behind: int, burns: bool) -> float:
        procedure = shoe_study.Procedure(behind, burns)
        return float(shoe_study.play(Rules(8), table, nets, range(1), 2, procedure).rounds.mean())

    # A round uses 4·0.378868 + 5·0.303444 + 6·0.317687 = 4.9388 cards (Wizard of Odds, 4-5-6);
    # one card and on average (10·4 + 1 + … + 9) / 13 = 85/13 more are burnt.
    cards = 4.9388
    assert rounds(14, True) - rounds(114, True) == pytest.approx(100 / cards, abs=0.1)
    assert rounds(14, False) - rounds(14, True) == pytest.approx((1 + 85 / 13) / cards, abs=0.1)
    for behind in (10, 405):
        with pytest.raises(ValueError, match="behind"):
            shoe_study.play(Rules(8), table, nets, range(1), 2, shoe_study.Procedure(behind, True))


# --- the library, a stranger's file, and errors that teach --------------------------------------


def test_every_wager_says_its_rule() -> None:
    spec = load_spec("punto-banco")
    assert len(spec.wagers) > 26
    assert all(wager.rule.endswith(".") for wager in spec.wagers)
    example = WAGERS / "cards.toml"
    given = load_wagers(example)
    found = analysis.analyse_exactly(
        spec.model_copy(update={"wagers": given.wagers, "published": ()}), strict=True
    )
    assert all(0 < result.priced.house_edge < Fraction(1, 5) for result in found.results)


def priced(text: str, decks: int = 8, strict: bool = True) -> Fraction:
    """Price a stranger's file the way `dealproof price` does."""
    given = parse(text, WagerFile, "my-bet.toml")
    spec = load_spec("punto-banco").under({"decks": decks})
    spec = spec.model_copy(update={"wagers": given.wagers})
    return analysis.analyse_exactly(spec, strict).results[0].priced.house_edge


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
        (bet(first="winner = 'playr'"), ["never 'playr'", "did you mean 'player'"]),
        (bet(first="player_total = 'nine'"), ["player_total is an integer", "nine"]),
        (bet(first="player_total = 10"), ["player_total is never 10", "0 … 9"]),
        (bet(first="player_third in (1, -2)"), ["player_third is never -2", "-1 … 9"]),
        (bet(first="player_total"), ["First", "not true or false"]),
        (bet(rest="winner = 'tie'"), ["covered by no event", "winner = ", "true"]),
        (bet(first="true"), ["Second", "earlier events leave nothing"]),
        (bet(first="player_cards = 2 and player_third = 3"), ["First", "can never happen"]),
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
        (bet(first="row_number() over () = 1"), ["window", "not allowed"]),
        (bet(first="1 = 1) from read_csv('x.csv') --"), ["comment"]),
        (bet(first="1 = 1 from read_csv('x.csv')"), ["First", "not an expression", "from"]),
        (bet(first="true; drop table x"), ["second statement"]),
        (bet(first="true -- ) and"), ["comment"]),
        (bet(first="player_total = $1"), ["parameter", "not allowed"]),
        (bet(first="player_total = 1, 2"), ["row", "not allowed"]),
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
    told = str(error.value)
    assert "\n" not in told
    assert [word for word in words if word not in told] == [], told


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
