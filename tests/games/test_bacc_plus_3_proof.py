"""Baccarat + 3 counted twice: inclusion and exclusion against dealing every hand, and at random."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.analysis.analysis import Analysis
from engine.analysis.binding import bind, make_game
from engine.cards import streams
from engine.cards.deck import card_name, parse_cards
from engine.cards.hands.suits import CHOOSE, suit_classes, unrank
from engine.contract.strategy import Strategy
from engine.exact.tables import Table, same
from engine.games.bacc_plus_3 import playout
from engine.games.bacc_plus_3.enumeration import comparisons, standings
from engine.games.bacc_plus_3.expectation import expectation
from engine.games.bacc_plus_3.game import BaccPlus3
from engine.games.bacc_plus_3.rules import ACTIONS, Rules
from engine.games.bacc_plus_3.space import DEALER_HANDS, HANDS, Main
from engine.spec.loading import load_spec
from engine.spec.model import Spec

SPEC = load_spec("bacc-plus-3")
OTHER = SPEC.under(
    {
        "house_step_3": "pair only",
        "ace_two_three": "second",
        "equal_totals": "push",
        "nine_nine": "player",
        "copies": "push",
    }
)
Int = NDArray[np.int64]


def games() -> list[BaccPlus3]:
    made = [make_game(SPEC)[0], make_game(OTHER)[0]]
    assert all(isinstance(game, BaccPlus3) for game in made)
    return [game for game in made if isinstance(game, BaccPlus3)]


def every_way(game: BaccPlus3, seed: int = 3) -> Strategy:
    """A strategy that takes any split of any hand: nothing is left out because it is poor play."""
    main, rows = game.main, len(game.main.outcomes())
    nothing = np.zeros(rows, dtype=np.int64)
    strategy = main.solve("any", nothing, nothing, np.ones(rows, dtype=bool))
    chosen = np.random.default_rng(seed).integers(0, len(ACTIONS), main.starts)
    return replace(strategy, action=chosen)


def test_totals_are_closed_forms() -> None:
    main, poker = make_game(SPEC)[0].spaces
    assert main.deals == comb(52, 5) * comb(47, 5) == 3_986_646_103_440
    assert poker.deals == comb(52, 5)
    # Canonical hands against all dealer hands: the deals of a whole exhaustion.
    assert main.starts * DEALER_HANDS == 206_251_904_001


def met(cards: Int, game: BaccPlus3) -> tuple[Int, Int]:
    """Poker class and total of every dealer hand that shares no card, found by bit masks."""
    everyone = (1 << unrank(np.arange(HANDS), 5)).sum(axis=1)
    free = everyone & np.bitwise_or.reduce(1 << cards) == 0
    house = playout.house(game.rules.of_hands)
    code = house.code[free]
    return house.poker[code], house.baccarat[code]


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("hand", ["Ks Kh 9d 4c 2s", "As 2s 3s 4s 5s", "9s 9h 9d 9c As", "seeded"])
def test_all_ten_splits_against_all_dealer_hands(game: BaccPlus3, hand: str) -> None:
    made = expectation(game.rules.of_hands)
    if hand == "seeded":
        number = int(np.random.default_rng(21).integers(game.main.starts))
    else:
        cards = sorted(parse_cards(hand), reverse=True)
        number = int(np.flatnonzero((suit_classes(5).cards == cards).all(axis=1))[0])
    cards = suit_classes(5).cards[number]
    other, total = met(cards, game)
    assert len(other) == DEALER_HANDS
    weight = int(suit_classes(5).weight[number])
    first = game.main.poker.first
    cells, played = game.main.played(number, number + 1, np.arange(10)[None, :])
    for split in range(10):
        counts = made.counts(number, np.array([split]), comparisons())
        fine = made.counts(number, np.array([split]), standings(game.main.poker))
        cell = int(made.layouts.cell[number, split])
        mine = cell // 10
        assert counts.sum() == counts[cell].sum() == weight * DEALER_HANDS
        for dealer in range(10):
            there = other[total == dealer]
            beaten = [np.sum(there < mine), np.sum(there == mine), np.sum(there > mine)]
            assert counts[cell, :, dealer].tolist() == [weight * int(n) for n in beaten]
            by_category = [int(np.sum((there >= a) & (there < b))) for a, b in pairwise(first)]
            category = int(game.main.poker.category[mine])
            folded = fine[cell, :, dealer].tolist()
            folded[category : category + 3] = [sum(folded[category : category + 3])]
            assert folded == [weight * n for n in by_category]
            # The exhaustion of the referee: dealer's total, category, poker winner.
            theirs = played[split, cells.tolist().index(cell), dealer]
            assert theirs.sum(axis=1).tolist() == [weight * n for n in by_category]
            assert theirs.sum(axis=0).tolist() == [weight * int(beaten[k]) for k in (0, 2, 1)]


@pytest.mark.parametrize("game", games())
def test_exhaustion_equals_enumeration(game: BaccPlus3) -> None:
    strategy = every_way(game)
    main = game.main
    for lo in (0, 51_234, main.starts - 40):
        exhausted = main.exhaust(lo, lo + 40, strategy)
        assert same(exhausted, main.enumerate(lo, lo + 40, strategy))
        assert exhausted.deals == main.deals_in(lo, lo + 40)
        wanted = frozenset({"baccarat_winner", "poker_winner"})
        narrow = main.enumerate(lo, lo + 40, strategy, wanted)
        assert same(narrow, exhausted.select(["baccarat_winner", "poker_winner"]))


def test_several_strategies_share_one_pass() -> None:
    game = games()[0]
    strategies = [every_way(game, seed) for seed in (1, 2, 3)]
    for strategy, table in zip(
        strategies, game.main.exhaust_each(70_000, 70_020, strategies), strict=True
    ):
        assert same(table, game.main.exhaust(70_000, 70_020, strategy))


@pytest.mark.parametrize("game", games())
def test_poker_space_both_ways(game: BaccPlus3) -> None:
    poker = game.poker
    assert same(poker.exhaust(60_000, 66_000), poker.enumerate(60_000, 66_000))
    parts = [
        poker.enumerate(lo, min(lo + 40_000, poker.starts)) for lo in range(0, poker.starts, 40_000)
    ]
    assert same(Table.merge(parts), poker.enumerate(0, poker.starts))


def test_expectations_of_any_values() -> None:
    """Values that depend on all that a row tells, the poker class in steps, against direct sums."""
    game = games()[1]
    main, made = game.main, game.main.expectation
    rows = main.outcomes().codes
    rng = np.random.default_rng(4)
    table = rng.integers(-50, 50, (10, 10, 13, 6, 3))

    def value(player: Int, dealer: Int, one_side: Int, category: Int, won: Int) -> Int:
        values: Int = table[player, dealer, one_side // 60, category, won]
        return values

    names = ("player_baccarat", "dealer_baccarat", "player_poker_class", "dealer_poker")
    small = value(*(rows[name] for name in (*names, "poker_winner")))
    worth = made.of(small)
    for number in (17, 90_001):
        other, total = met(suit_classes(5).cards[number], game)
        weight = int(suit_classes(5).weight[number])
        for split in range(10):
            one_side, player = divmod(int(made.layouts.cell[number, split]), 10)
            won = np.where(other < one_side, 0, np.where(other == one_side, 2, 1))
            category = main.poker.category[other]
            mine = (np.full_like(total, player), np.full_like(total, one_side))
            direct = value(mine[0], total, mine[1], category, won).sum()
            assert worth[number, split] == weight * int(direct)


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("number", [5, 77_777, 134_458])
def test_one_hand_alone_is_tabulated_like_the_same_among_all(game: BaccPlus3, number: int) -> None:
    cards = suit_classes(5).cards[number]
    # Other suits, in another order: the same information set.
    mixed = [int(4 * (card // 4) + (3, 0, 2, 1)[card % 4]) for card in cards[[3, 0, 4, 1, 2]]]
    dealt = game.main.dealt(mixed)
    assert sorted(dealt.cards) == sorted(mixed)
    assert dealt.information == game.main.sets().row(number)
    for split, action in enumerate(ACTIONS):
        mine = dealt.table.where(dealt.table.codes["action"] == split)
        strategy = replace(every_way(game), action=np.full(game.main.starts, split))
        expected = game.main.enumerate(number, number + 1, strategy)
        assert same(mine.select(expected.names), expected), action
        places = [int(position) - 1 for position in action.removeprefix("baccarat ").split("-")]
        kept = " ".join(card_name(dealt.cards[position]) for position in places)
        assert dealt.words[split].startswith(
            f"{kept} for baccarat ({mine.labels('player_baccarat')[0]}), "
        )


def test_values_beyond_64_bits_stay_exact() -> None:
    game = games()[0]
    main, made = game.main, game.main.expectation
    rows = main.outcomes().codes
    small = 3 * rows["player_baccarat"] - 5 * (rows["poker_winner"] == 1)
    huge = small.astype(object) * (1 << 90) + 12345
    big, worth = made.of(huge), made.of(small)
    weight = suit_classes(5).weight
    for number, split in ((0, 0), (90_001, 3), (134_458, 9)):
        least = 12345 * int(weight[number]) * DEALER_HANDS
        assert big[number, split] == int(worth[number, split]) * (1 << 90) + least


def test_values_of_the_own_hand_need_no_dealer() -> None:
    made = expectation(Rules().of_hands)
    main = Main(Rules())
    mine = main.outcomes().codes["player_poker_class"]
    worth = made.of(mine)
    values = made.layouts.cell // 10
    assert np.array_equal(worth, values * suit_classes(5).weight[:, None] * DEALER_HANDS)


def test_random_rounds_are_the_told_rounds() -> None:
    """The compiled simulation and the told round agree on the cards and on the settlement."""
    game = games()[1]
    strategy = every_way(game)
    words = streams.words(9, 0, game.main.deals)[:150]
    laid = playout.laid_out(game.rules.of_hands)
    hands = laid[np.arange(len(laid)), strategy.action]
    cells = (10 * hands[:, 1] + hands[:, 0]).astype(np.int16)[suit_classes(5).of_rank][None]
    counts = np.zeros((1, *playout.SHAPE), dtype=np.int64)
    best = np.zeros(741, dtype=np.int64)
    playout.simulate_rounds(
        words, playout.packed_hands(), cells, playout.best_classes(game.rules.of_hands),
        playout.house(game.rules.of_hands), game.main.poker, CHOOSE, counts, best,
    )  # fmt: skip
    table = game.main.tabulate(counts[0], None)
    text = [game.play(game.deal(9, k), {"main": strategy}).rows for k in range(150)]
    codes = {
        f.name: np.array([f.code(rows["main"][f.name]) for rows in text]) for f in table.features
    }
    assert same(table, Table.of(table.features, codes, np.ones(150, dtype=np.int64)))
    kind = game.poker.features[0]
    poker = Table.of(
        [kind],
        {kind.name: np.array([kind.code(rows["poker"][kind.name]) for rows in text])},
        np.ones(150, dtype=np.int64),
    )
    classes = np.flatnonzero(best)
    assert same(poker, game.poker.tabulate(classes, best[classes]))


def test_dealt_cards_are_fair() -> None:
    game = games()[0]
    dealt = np.array([game.deal(2, k) for k in range(40)])
    assert all(len(set(row)) == 10 for row in dealt.tolist())
    # The first word's remainder and quotient: rank of the player's hand and of the rest.
    word = int(streams.words(2, 0, game.main.deals)[0])
    assert dealt[0, :5].tolist() == unrank(np.array([word // DEALER_HANDS]), 5)[0].tolist()


@pytest.mark.parametrize("spec", [SPEC, OTHER])
def test_simulation_agrees_with_the_exact_table(spec: Spec) -> None:
    game = make_game(spec)[0]
    assert isinstance(game, BaccPlus3)
    strategy = Analysis(bind(spec)).strategy("optimal")
    wanted = frozenset({"player_baccarat", "dealer_baccarat", "poker_winner"})
    exact = game.main.enumerate(0, game.main.starts, strategy, wanted)
    simulated = game.simulate(0, 4, 31, [strategy], wanted)
    seen = simulated["main", "optimal"]
    rounds = 4 * streams.BLOCK
    assert seen.deals == simulated["poker", None].deals == rounds
    key = dict(zip(zip(*(exact.codes[n].tolist() for n in sorted(wanted)), strict=True),
                   range(len(exact)), strict=True))  # fmt: skip
    counts = np.zeros(len(exact))
    position = [
        key[row] for row in zip(*(seen.codes[n].tolist() for n in sorted(wanted)), strict=True)
    ]
    counts[position] = seen.combinations
    mean = np.array(exact.combinations, dtype=float) / game.main.deals * rounds
    big = mean >= 25
    chi = float(np.sum((counts[big] - mean[big]) ** 2 / mean[big]))
    free = int(big.sum()) - 1
    # Wilson and Hilferty: a normal score beyond 6 has a chance of 1e-9.
    score = ((chi / free) ** (1 / 3) - (1 - 2 / (9 * free))) / (2 / (9 * free)) ** 0.5
    assert abs(score) < 6
