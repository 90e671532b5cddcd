"""Red/Green: published figures, hand-worked settings, and proof that three methods agree."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.analysis import analysis
from engine.analysis.analysis import Analysis
from engine.analysis.binding import bind, make_game
from engine.cards.deck import parse_cards
from engine.contract.game import RuleValue
from engine.exact.tables import Table, exact_total, same
from engine.games.red_green import RULE_SPECS, enumeration, playout, referee
from engine.games.red_green.game import RedGreen
from engine.games.red_green.rules import HANDS, Rules
from engine.spec.loading import load_spec
from engine.studies.published import compare

SPEC = load_spec("red-green")
USUAL = referee.numbers(Rules())


def set_ranks(ranks: Iterable[int], rules: Rules) -> tuple[int, int, int, int]:
    first, second, third = ranks
    return referee.set_hand(first, second, third, referee.numbers(rules))


@pytest.fixture(scope="module")
def seven() -> Analysis:
    return analysis.analyse(SPEC, strict=True)


def edge(**changes: RuleValue) -> Fraction:
    other = analysis.analyse(SPEC.under(changes))
    red, green = (other.price(name).priced for name in ("red", "green"))
    assert red.house_edge == green.house_edge
    return red.house_edge


def test_published_figures(seven: Analysis) -> None:
    red = seven.price("red").priced
    won = sum(line.combinations for line in red.lines if line.net > 0)
    lost = sum(line.combinations for line in red.lines if line.net < 0)
    pushed = sum(line.combinations for line in red.lines if line.net == 0)
    # Baccarat RedGreen, Mathematical Analysis
    assert red.deals == 61_989_513_746_160 == comb(364, 3) * comb(361, 3)
    assert len(enumeration.rank_hands()) == 455
    assert f"{won / red.deals:.4%}" == "35.2472%"
    assert f"{lost / red.deals:.4%}" == "35.2472%"
    assert f"{pushed / red.deals:.4%}" == "29.5057%"
    assert f"{float(red.house_edge):.4%}" == "1.7624%"


def test_every_published_figure_matches(seven: Analysis) -> None:
    verdicts = compare(seven, SPEC.rule_values)
    assert len(verdicts) == 7
    assert {verdict.verdict for verdict in verdicts} == {"match"}
    (half,) = (v.ours for v in verdicts if v.figure.quantity == "edge_per_resolved")
    assert half == Fraction(1, 40)
    (deals,) = (v.figure.note for v in verdicts if v.figure.quantity == "deals")
    assert f"{comb(15, 3)} distinct hands" in deals


def test_a_low_ace_leaves_open_what_a_pair_of_kings_does_with_it() -> None:
    together, apart = (edge(ace="low", kings_split=value) for value in ("to ten", "to ten or ace"))
    assert apart == Fraction(859581989, 48550684325)
    assert (f"{float(together):.4%}", f"{float(apart):.4%}") == ("1.7662%", "1.7705%")
    meaning = SPEC.rule("ace").meaning["low"]
    assert "K-K-A stays together" in meaning
    assert f"{apart} = {float(apart):.4%}" in meaning


def test_red_and_green_are_alike(seven: Analysis) -> None:
    table = seven.tables["main", None]
    swapped = {
        "red_hand": table.codes["green_hand"],
        "green_hand": table.codes["red_hand"],
        "red_front": table.codes["green_front"],
        "green_front": table.codes["red_front"],
        "front": np.array([1, 0, 2])[table.codes["front"]],
        "back": np.array([1, 0, 2])[table.codes["back"]],
    }
    assert same(table, type(table).of(table.features, swapped, table.combinations))


@pytest.mark.parametrize("decks", range(1, 9))
def test_half_the_commission_is_lost_on_every_resolved_bet(decks: int) -> None:
    """Without ties the edge would be 2.5% (the source says so): half of all wins times 5%."""
    priced = analysis.analyse(SPEC.under({"decks": decks})).price("red").priced
    assert priced.edge_per_resolved == Fraction(1, 40)
    assert priced.deals == comb(52 * decks, 3) * comb(52 * decks - 3, 3)


# Front card, then back, worked by hand from the rule sheet; ranks as cards name them.
SET_BY_HAND = [
    ("As Ah Kd", "pair", "K", "AA"),
    ("As Ah Qd", "split pair", "A", "AQ"),
    ("As 2h Ad", "split pair", "A", "A2"),
    ("Ks Kh Ad", "pair", "A", "KK"),
    ("Ks Kh Qd", "pair", "Q", "KK"),
    ("Ks Jh Kd", "pair", "J", "KK"),
    ("Ts Kh Kd", "split pair", "K", "KT"),
    ("Ks Kh 2d", "split pair", "K", "K2"),
    ("Qs Qh 2d", "pair", "2", "QQ"),
    ("2s 2h Ad", "pair", "A", "22"),
    ("9s 5h Kd", "no pair", "9", "K5"),
    ("2s As Kh", "no pair", "K", "A2"),
    ("7s 7h 7d", "three of a kind", "7", "77"),
]


@pytest.mark.parametrize(("cards", "hand", "front", "back"), SET_BY_HAND)
def test_house_way(cards: str, hand: str, front: str, back: str) -> None:
    ranks = [card // 4 for card in parse_cards(cards)]
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0), (0, 2, 1), (1, 0, 2), (2, 1, 0)):
        result = set_ranks((ranks[k] for k in order), Rules())
        text = [HANDS[result[0]], *("A23456789TJQK"[rank] for rank in result[1:])]
        assert text == [hand, front, *back]


# Red's cards, Green's cards, winner in front, winner at the back: worked by hand.
COMPARED = [
    ("9s 5h Kd", "9h 4h Kc", "tie", "red"),
    ("2s 2h 3d", "As Ah Kd", "green", "red"),
    ("2s 2h 3d", "4s 4h 3c", "tie", "green"),
    ("As Ah 2d", "3s 3h Ad", "tie", "green"),
    ("2s 2h 2d", "As Ah Ad", "red", "red"),
    ("2s 2h 2d", "3s 3h 3d", "green", "green"),
    ("As Ah Ad", "Ks Kh Kd", "red", "red"),
    ("4s 4h 4d", "As Ah Kd", "red", "red"),
    ("Qs Qh 2d", "Ks Kh Ad", "green", "green"),
    ("Qs Qh 2d", "Js Jh Ad", "green", "red"),
]


@pytest.mark.parametrize(("red", "green", "front", "back"), COMPARED)
def test_comparison(red: str, green: str, front: str, back: str) -> None:
    cards = (*parse_cards(red), *parse_cards(green))
    row = RedGreen(Rules()).play(cards, {}).rows["main"]
    assert (row["front"], row["back"]) == (front, back)


def test_the_front_never_beats_the_back() -> None:
    for first, second, third in np.ndindex(13, 13, 13):
        hand, front, high, low = referee.set_hand(first, second, third, USUAL)
        value = (high == low, referee.strength(high, USUAL))
        assert hand == 0 or (False, referee.strength(front, USUAL)) <= value


RULES = st.builds(
    Rules,
    decks=st.integers(1, 8),
    **{p.name: st.sampled_from(p.words) for p in RULE_SPECS if p.words},
)


@settings(max_examples=60, deadline=None)
@given(rules=RULES, at=st.floats(0, 1))
def test_enumerate_is_exhaust_under_any_rules(rules: Rules, at: float) -> None:
    space = RedGreen(rules).main
    lo = int(at * (space.starts - 100))
    table = space.enumerate(lo, lo + 100)
    assert same(table, space.exhaust(lo, lo + 100))
    assert table.deals == space.deals_in(lo, lo + 100)


@pytest.mark.parametrize("decks", [1, 2, 7])
def test_enumerate_is_exhaust_on_every_deal(decks: int) -> None:
    space = RedGreen(Rules(decks=decks)).main
    table = space.exhaust(0, space.starts)
    assert same(table, space.enumerate(0, space.starts))
    assert table.deals == space.deals_in(0, space.starts) == space.deals
    if decks == 1:
        assert space.deals == 407_170_400  # C(52, 3) · C(49, 3), Red/Green brief


def test_exhaust_deals_every_physical_hand_once() -> None:
    """One deck: C(49, 3) Green hands per Red hand from itertools, each set by the referee."""
    rules = Rules(decks=1)
    space = RedGreen(rules).main
    for start in (0, 777, 22_099):
        values = [int(card) for card in space.cards[start]]
        red = set_ranks((card // 4 for card in values), rules)
        counts = np.zeros(playout.CODES, dtype=np.int64)
        for dealt in combinations(sorted(set(range(52)) - set(values)), 3):
            green = set_ranks((card // 4 for card in dealt), rules)
            counts[playout.code_of(red, green, referee.numbers(rules))] += 1
        assert same(space.tabulate(counts), space.exhaust(start, start + 1))


def test_simulated_rounds_agree_with_the_exact_tables(seven: Analysis) -> None:
    """2^22 rounds: every event of every wager within five standard errors, both spaces at once."""
    game = make_game(SPEC)[0]
    simulated = Analysis(bind(SPEC), game.simulate(0, 4, seed=20))
    rounds = 4 << 20
    for result in simulated.results:
        assert result.priced.deals == rounds
        exact = seven.price(result.wager.name).priced
        for line, known in zip(result.priced.lines, exact.lines, strict=True):
            p = float(known.probability)
            assert abs(line.combinations - rounds * p) < 5 * sqrt(rounds * p * (1 - p)) + 1


def test_simulation_does_not_depend_on_the_split() -> None:
    game = RedGreen(Rules(decks=3))
    whole, first, rest = (game.simulate(lo, hi, seed=5) for lo, hi in ((2, 4), (2, 3), (3, 4)))
    for key, table in whole.items():
        assert same(table, Table.merge([first[key], rest[key]]))
        assert exact_total(table.combinations) == 2 << 20


def test_a_dealt_round_can_be_replayed() -> None:
    game = RedGreen(Rules())
    cards = game.deal(seed=7, number=3)
    assert cards == game.deal(seed=7, number=3) != game.deal(seed=7, number=4)
    text = game.play(cards, {})
    assert len(text.cards) == 6
    assert text.steps[0].startswith("Red is dealt")
    assert all(word in text.steps[-1] for word in str(text.rows["bonus"]["category"]).split())


READINGS = [(rule.name, value) for rule in SPEC.rules if rule.reading for value in rule.choices]


@pytest.mark.parametrize(
    ("rule", "value"),
    [(r, v) for r, v in READINGS if v != SPEC.rule(r).value],
)
def test_every_reading_changes_the_edge_but_one(seven: Analysis, rule: str, value: str) -> None:
    """Three deuces against three aces: by symmetry no price can depend on it."""
    changed = edge(**{rule: value}) != seven.price("red").priced.house_edge
    assert changed == (rule != "three_deuces")


def test_three_deuces_change_counts_all_the_same() -> None:
    beats, loses = (
        RedGreen(Rules(three_deuces=word)).main.enumerate(0, 24_804) for word in ("beats", "loses")
    )
    assert not same(beats, loses)


def test_threes_that_are_equal_tie() -> None:
    game = RedGreen(Rules(three_of_a_kind="equal"))
    row = game.play(parse_cards("2s 2h 2d As Ah Ad"), {}).rows["main"]
    assert (row["front"], row["back"]) == ("tie", "tie")


def test_a_space_that_nobody_asks_for_is_not_simulated() -> None:
    game = RedGreen(Rules())
    assert set(game.simulate(0, 1, seed=1, wanted=frozenset({"front"}))) == {("main", None)}
    bonus = game.simulate(0, 1, seed=1, wanted=frozenset({"category"}))
    assert same(bonus["bonus", None], game.simulate(0, 1, seed=1)["bonus", None])
    assert set(bonus) == {("bonus", None)}


def test_rounds_are_set_and_compared_as_they_are_played() -> None:
    """The first rounds of a stream, each set by the referee on its own, make the same table."""
    game = RedGreen(Rules(decks=2, lone_deuce="beats"))
    by_rank, codes = playout.answers(game.numbers)
    for number in range(40):
        cards = game.deal(3, number)
        red, green = (
            set_ranks((c // 4 for c in hand), game.rules) for hand in (cards[:3], cards[3:])
        )
        numbers = [by_rank[tuple(c // 4 for c in hand)] for hand in (cards[:3], cards[3:])]
        assert codes[tuple(numbers)] == playout.code_of(red, green, game.numbers)
