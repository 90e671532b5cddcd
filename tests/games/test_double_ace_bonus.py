"""Double Ace's bonus bets: five and six cards of the shoe as poker hands."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.analysis.analysis import Analysis, analyse
from engine.cards.deck import parse_cards
from engine.cards.hands.bonus_poker import CATEGORIES, describe, hand_code
from engine.exact.errors import DealproofError
from engine.exact.tables import Table, same
from engine.games.double_ace.bonus import Bonus
from engine.games.double_ace.holdings import advised
from engine.games.double_ace.playout_bonus import category
from engine.games.double_ace.rules import FLUSH_BEATS
from engine.spec.loading import load_spec

SPEC = load_spec("double-ace")


@cache
def analysed(**changes: int | str) -> Analysis:
    return analyse(SPEC.under(changes))


def bonus(number: int, decks: int = 6, flush_beats: str = "straight") -> Bonus:
    return Bonus("bonus", "Bonus", number, decks, flush_beats)


def column(table: Table, name: str) -> dict[str | int, int]:
    chosen = table.select([name])
    return dict(zip(chosen.labels(name), map(int, chosen.combinations), strict=True))


def categories(number: int, decks: int = 6) -> dict[str | int, int]:
    return column(bonus(number, decks).enumerate(0, 40), "category")


# Published: Stanley Ko, No Bust Double Ace (2007), bonus side bets.


def test_published_totals() -> None:
    assert bonus(5).deals == sum(categories(5).values()) == 6_363_048_048
    assert bonus(6).deals == sum(categories(6).values()) == 249_219_381_880


def test_published_win_frequencies() -> None:
    five, six = categories(5), categories(6)
    lost_five = five["pair"] + five["high card"]
    lost_six = six["two pair"] + six["pair"] + six["high card"]
    assert f"{1 - lost_five / 6_363_048_048:.2%}" == "19.14%"
    assert f"{1 - lost_six / 249_219_381_880:.2%}" == "19.83%"
    for wager, printed in (("player-five-example", "19.14%"), ("player-six-example", "19.83%")):
        hits = analysed().price(wager).priced.hit_frequency
        assert f"{float(hits):.2%}" == printed


# Closed forms.


@pytest.mark.parametrize("decks", [1, 6, 8, 12])
def test_five_cards_by_closed_forms(decks: int) -> None:
    table = bonus(5, decks).enumerate(0, 40)
    ranks, copies = column(table, "pattern"), 4 * decks
    c = comb
    forms = {
        "5": 10 * c(copies, 5),
        "4-1": 10 * 9 * c(copies, 4) * copies,
        "3-2": 10 * 9 * c(copies, 3) * c(copies, 2),
        "3-1-1": 10 * c(9, 2) * c(copies, 3) * copies**2,
        "2-2-1": c(10, 2) * 8 * c(copies, 2) ** 2 * copies,
        "2-1-1-1": 10 * c(9, 3) * c(copies, 2) * copies**3,
        "1-1-1-1-1": c(10, 5) * copies**5,
    }
    assert ranks == {pattern: n for pattern, n in forms.items() if n}
    assert column(table, "flush")[1] == 4 * c(10 * decks, 5)
    assert column(table, "straight")[0] == table.deals - 6 * copies**5
    assert column(table, "straight_flush")[0] == table.deals - 6 * 4 * decks**5


@pytest.mark.parametrize("decks", [1, 6, 12])
def test_six_cards_by_closed_forms(decks: int) -> None:
    table = bonus(6, decks).enumerate(0, 40)
    ranks, copies = column(table, "pattern"), 4 * decks
    assert ranks.get("6", 0) == 10 * comb(copies, 6)
    assert ranks["2-2-2"] == comb(10, 3) * comb(copies, 2) ** 3
    assert ranks["3-3"] == comb(10, 2) * comb(copies, 3) ** 2
    assert ranks["1-1-1-1-1-1"] == comb(10, 6) * copies**6
    suited = 10 * decks
    flushes = 4 * (comb(suited, 6) + comb(suited, 5) * 3 * suited)
    assert column(table, "flush")[1] == flushes


def test_infinite_shoe_is_the_limit() -> None:
    for number in (5, 6):
        limit = bonus(number, 0)
        table = column(limit.enumerate(0, 40), "flush")
        single = Fraction(1, 4) ** 4 if number == 5 else Fraction(6 * 3 + 1, 4**5)
        assert Fraction(table[1], limit.deals) == single


# A second enumeration.


@pytest.mark.parametrize("number", [5, 6])
@pytest.mark.parametrize("decks", [0, 1, 6, 8, 12])
def test_enumerate_equals_exhaust(number: int, decks: int) -> None:
    space = bonus(number, decks)
    parts = []
    for lo, hi in ((0, 1), (1, 7), (7, 40)):
        part = space.enumerate(lo, hi)
        assert part.deals == space.deals_in(lo, hi)
        assert same(part, space.exhaust(lo, hi))
        parts.append(part)
    assert same(Table.merge(parts), space.enumerate(0, 40))


def best_five(cards: tuple[int, ...]) -> str:
    """Category of five cards, by their ranks and suits one after the other."""
    ranks = sorted(card // 4 for card in cards)
    same_rank = sorted(Counter(ranks).values(), reverse=True)
    flush = len({card % 4 for card in cards}) == 1
    straight = len(set(ranks)) == 5 and ranks[4] - ranks[0] == 4
    if flush and straight:
        return "straight flush"
    if same_rank[0] >= 4:
        return "five of a kind" if same_rank[0] == 5 else "four of a kind"
    if same_rank == [3, 2]:
        return "full house"
    if flush or straight:
        return "flush" if flush else "straight"
    if same_rank[0] == 3:
        return "three of a kind"
    return {2: "two pair", 1: "pair", 0: "high card"}[same_rank.count(2)]


def best_six(cards: tuple[int, ...]) -> str:
    shares = sorted(Counter(card // 4 for card in cards).values())
    result = [best_five(five) for five in combinations(cards, 5)]
    if shares == [6]:
        result.append("six of a kind")
    if shares == [2, 2, 2]:
        result.append("three pair")
    return min(result, key=CATEGORIES.index)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.integers(0, 39), min_size=6, max_size=6), st.integers(0, 9))
def test_hands_against_the_best_five_of_six(cards: list[int], spread: int) -> None:
    # With a small spread most hands hold pairs, straights or flushes.
    values = [card % (4 * spread + 4) for card in cards]
    array = np.array(values, dtype=np.int64)
    assert category(*describe(hand_code(array, 5), 5)) == best_five(tuple(values[:5]))
    assert category(*describe(hand_code(array, 6), 6)) == best_six(tuple(values))


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("A♣ A♣ 2♣ 2♣ 3♣", "flush"),  # pairs in a flush do not matter
        ("A♣ 2♦ 3♣ 4♣ 5♣", "straight"),
        ("6♣ 7♣ 8♣ 9♣ T♣", "straight flush"),
        ("T♣ A♦ 2♣ 3♣ 4♣", "high card"),  # no straight turns the corner
        ("A♣ A♦ 2♣ 2♦ 3♣ 3♦", "three pair"),
        ("A♣ A♦ A♣ 2♦ 2♣ 2♦", "full house"),
        ("A♣ 2♦ 3♣ 4♣ 5♣ 7♣", "flush"),  # A 3 4 5 7 of clubs beat the straight
    ],
)
def test_hands_worked_by_hand(cards: str, message: str) -> None:
    types = [4 * "A23456789T".index(c[0]) + "♣♦♥♠".index(c[1]) for c in cards.split()]
    result = describe(hand_code(np.array(types, dtype=np.int64), len(types)), len(types))
    assert category(*result) == message


# Drawing does not bias the bonus.


def test_every_five_cards_are_equally_likely_whatever_is_drawn() -> None:
    # Nine different cards, dealt in all 9! orders: the player hits to 6 and the dealer to 5, so
    # that both take one to three cards; then their hands are filled up.
    values = (3, 3, 4, 5, 6, 7, 8, 9, 10)
    players: Counter[tuple[int, ...]] = Counter()
    dealers: Counter[tuple[int, ...]] = Counter()
    lengths = set()
    for order in permutations(range(9)):
        mine, position, total = [order[0]], 6, values[order[0]]
        while total <= 6:
            mine.append(order[position])
            total += values[order[position]]
            position += 1
        players[tuple(sorted((*mine, *order[2:6])[:5]))] += 1
        lengths.add(len(mine))
        hand, total = [order[1]], values[order[1]]
        rest = [*order[6:][len(mine) - 1 :], *order[2:6]]
        while total <= 5:
            total += values[rest[0]]
            hand.append(rest.pop(0))
        dealers[tuple(sorted((*hand, *rest)[:5]))] += 1
    assert lengths == {1, 2, 3}
    for result in (players, dealers):
        assert set(result.values()) == {362_880 // comb(9, 5)}
        assert len(result) == comb(9, 5)


def test_six_own_cards_come_from_2_a_a_a_a_only() -> None:
    # The optimum hits 2-A-A-A-A, which comes in this order only: an ace first would be doubled.
    optimal = analysed().strategies["optimal"]
    values: dict[str, str | int] = {"held": "A-A-A-A-2", "held_cards": 5, "held_total": 6}
    assert optimal.action_at(values) == "hit"
    acts = advised()
    assert [acts[h] for h in optimal.sets["held"]] == optimal.action.tolist()
    chance = Fraction(24 * 24 * 23 * 22 * 21, 240 * 239 * 238 * 237 * 236)
    shares = {
        reading: {
            category: Fraction(n, analysed(long_hand=reading).game.space("player-five").deals)
            for category, n in column(player_five(reading), "category").items()
        }
        for reading in ("first five", "best five", "no bonus")
    }
    first, best, none = shares["first five"], shares["best five"], shares["no bonus"]
    # An ace more makes five of a kind; any other card leaves four of a kind.
    assert best["five of a kind"] - first["five of a kind"] == chance * Fraction(20, 235)
    assert first["four of a kind"] - none["four of a kind"] == chance
    assert none["no bonus"] == chance
    lost = chance * 41 - first.get("no bonus", 0)  # 40 to 1 becomes a lost unit
    edges = [analysed(long_hand=r).price("player-five-example") for r in ("first five", "no bonus")]
    assert edges[1].priced.house_edge - edges[0].priced.house_edge == lost


def player_five(reading: str) -> Table:
    return analysed(long_hand=reading).tables["player-five", None]


@pytest.mark.parametrize(
    ("reading", "decks"), [("best five", 6), ("no bonus", 1), ("best five", 0)]
)
def test_long_hands_are_counted_twice(reading: str, decks: int) -> None:
    space = analysed(long_hand=reading, decks=decks).game.space("player-five")
    table = space.enumerate(0, 1)
    assert table.deals == space.deals == space.deals_in(0, 1)
    assert same(table, space.exhaust(0, 1))


def test_the_best_five_of_six_are_picked_in_the_order_of_the_reading() -> None:
    # Issue 10, A17; confirmed by going through all multisets of five cards and, for own hands
    # of 2-A-A-A-A and one more, through every five of the six. Five aces or four and a deuce of
    # one suit are a flush that beats four of a kind.
    analysis = analysed(long_hand="best five", flush_beats="four of a kind")
    space = analysis.game.space("player-five")
    result = column(space.exhaust(0, 1), "category")
    assert result == column(analysis.tables["player-five", None], "category")
    assert result["flush"] == 610_801_205_760
    assert result["four of a kind"] == 646_202_603_520
    assert result["five of a kind"] == 12_108_539_520


def test_a_round_of_a_suited_deuce_and_aces_is_a_flush() -> None:
    # 2-A-A-A-A of hearts, hit once more: a spade. First five: a flush where it beats quads.
    cards = [*parse_cards("2h 10c 3c 5d 7s 9c 8h"), *4 * parse_cards("Ah")]
    cards += parse_cards("5s 4d 6d 2c 3s")
    analysis = analysed(long_hand="best five", flush_beats="four of a kind")
    row = analysis.game.play(cards, {"main": analysis.strategies["optimal"]}).rows
    assert row["player-five"]["category"] == "flush"


def test_a_round_with_too_few_cards_is_refused() -> None:
    # The dealer's nine stands: four more cards are missing for his bonus of five.
    cards = [*parse_cards("10h 9c 3c 5d 7s 9d 8h"), *parse_cards("4d 6d")]
    analysis = analysed()
    played = {"main": analysis.strategies["optimal"]}
    with pytest.raises(DealproofError, match="9 cards are too few for this round; 19 always"):
        analysis.game.play(cards, played)
    with pytest.raises(DealproofError, match="run out before the round ends"):
        analysis.game.play([*parse_cards("3h 9c 3c 5d 7s 9d 8h")], played)
    row = analysis.game.play([*cards, *parse_cards("2c 3s")], played).rows
    assert row["dealer-five"]["category"] == "high card"


def test_a_round_of_six_own_cards() -> None:
    # Own 2 A A A A, hit once more: an ace. The dealer's ten stands.
    cards = [*parse_cards("2h 10c 3c 5d 7s 9c 8h Ac Ad Ah As"), *parse_cards("Ac 4d 6d 2c 3s")]
    text = {}
    for reading in ("first five", "best five", "no bonus"):
        analysis = analysed(long_hand=reading)
        row = analysis.game.play(cards, {"main": analysis.strategies["optimal"]}).rows
        text[reading] = row["player-five"]["category"]
    assert text == {
        "first five": "four of a kind", "best five": "five of a kind", "no bonus": "no bonus",
    }  # fmt: skip


# Readings.


def test_flush_order_moves_hands_of_two_categories() -> None:
    usual, house, quads = (
        column(bonus(5, 6, word).enumerate(0, 40), "category") for word in FLUSH_BEATS
    )
    # A full house of one suit: two ranks of one suit, three and two of six copies.
    moved = 4 * 10 * 9 * comb(6, 3) * comb(6, 2)
    assert usual["full house"] - house["full house"] == house["flush"] - usual["flush"] == moved
    moved = 4 * 10 * 9 * comb(6, 4) * 6
    assert house["four of a kind"] - quads["four of a kind"] == moved


def test_both_five_card_versions_are_one_distribution() -> None:
    player, dealer = (analysed().game.space(name) for name in ("player-five", "dealer-five"))
    assert same(player.enumerate(0, 40), dealer.enumerate(0, 40))


def test_published_figures_of_the_spec_are_met() -> None:
    analysis = analysed()
    assert {figure.wager for figure in SPEC.published} == {
        "base", "player-five", "dealer-five", "player-six",
    }  # fmt: skip
    for figure in SPEC.published:
        if figure.quantity == "deals":
            deals = analysis.price(figure.wager).priced.deals
            assert f"{deals:,}" == figure.printed
