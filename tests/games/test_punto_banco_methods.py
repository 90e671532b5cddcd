"""Punto Banco: the slow, obvious way, and the three methods against each other."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from math import perm

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.exact.tables import Table, same
from engine.games.punto_banco import columns, hand_classes, playout, shoe_study
from engine.games.punto_banco.enumeration import cards as by_cards
from engine.games.punto_banco.enumeration import points as by_points
from engine.games.punto_banco.enumeration import tableau
from engine.games.punto_banco.rules import NONE
from tests.games.punto_banco_tables import PAIRS, POINTS_ONLY, RACK_CARD, counted, game, whole


def plainly(shoe: list[int]) -> Counter[tuple[int, int, int, int]]:
    """Deal every ordered six cards of a small shoe of point values and play the printed rules."""
    result: Counter[tuple[int, int, int, int]] = Counter()
    for p, b, q, c, *rest in itertools.permutations(shoe, 6):
        player, banker = (p + q) % 10, (b + c) % 10
        third = drawn = NONE
        if max(player, banker) < 8:
            if player < 6:
                third = rest.pop(0)
            if (third == NONE and banker < 6) or (third != NONE and third in RACK_CARD[banker]):
                drawn = rest.pop(0)
        result[player, third, banker, drawn] += 1
    return result


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
    player, banker, deals = columns_of
    return columns.lay_out(columns.FEATURES, player, banker, deals, tableau.compare)


def exhausted(copies: np.ndarray) -> Table:
    """Every deal of a shoe of any 52 numbers of copies, card by card through the referee."""
    seen = hand_classes.lens(columns.FEATURES)
    first, second = np.divmod(np.arange(52 * 52), 52)
    weight = copies[first] * (copies[second] - (first == second))
    counts = seen.empty()
    playout.exhaust_starts(
        first[weight > 0], second[weight > 0], weight[weight > 0], copies, seen.points,
        seen.player.of, seen.banker.of, counts,
    )  # fmt: skip
    return seen.tabulate(counts)


@settings(max_examples=12, deadline=None)
@given(
    st.sets(st.integers(0, 12), min_size=1, max_size=3),
    st.integers(1, 3),
)
def test_cards_of_small_shoes_against_exhaustion(ranks: set[int], copies: int) -> None:
    if len(ranks) * 4 * copies < 6:
        copies = 2
    values = np.zeros(13, dtype=bool)
    values[list(ranks)] = True
    every = tuple(columns.OF_HAND["player"])
    allowed = np.ones((13, 13, 4, 4), dtype=bool)
    left, right, deals = by_cards.hands(allowed, values, copies, every, every)
    enumerated = columns.lay_out(columns.FEATURES, left, right, deals, tableau.compare)
    assert same(enumerated, exhausted(np.repeat(values * copies, 4)))


@settings(max_examples=12, deadline=None)
@given(st.lists(st.integers(0, 51), min_size=6, max_size=7))
def test_exhaustion_of_any_shoe_against_plain_dealing(shoe: list[int]) -> None:
    table = exhausted(np.bincount(shoe, minlength=52).astype(np.int64))
    value = [min(card // 4 + 1, 10) % 10 for card in shoe]
    result: Counter[tuple[int, ...]] = Counter()
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
        result[tuple(row)] += 1
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
    text = table.select(names)
    rows = zip(*(text.codes[name].tolist() for name in names), strict=True)
    assert dict(zip(rows, text.combinations.tolist(), strict=True)) == dict(result)


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
        result = main.enumerate(lo, hi)
        assert same(result, main.exhaust(lo, hi))
        assert result.deals == main.deals_in(lo, hi)


@pytest.mark.slow
@pytest.mark.parametrize("decks", [1, 6, 8])
def test_enumerate_is_exhaust_whole(decks: int) -> None:
    main = game(decks).main
    assert same(main.enumerate(0, main.starts), main.exhaust(0, main.starts))


def test_ranges_add_up() -> None:
    main = game(2).main
    cuts = [0, 1, 40, 1111, main.starts]
    for wanted in (POINTS_ONLY, PAIRS):
        parts = [main.enumerate(lo, hi, wanted=wanted) for lo, hi in itertools.pairwise(cuts)]
        assert same(Table.merge(parts), main.enumerate(0, main.starts, wanted=wanted))
    assert sum(main.deals_in(lo, hi) for lo, hi in itertools.pairwise(cuts)) == main.deals
    assert main.deals == perm(104, 6)
    assert len(main.enumerate(5, 5, wanted=POINTS_ONLY)) == 0


def test_both_kernels_agree_and_columns_are_those_wanted() -> None:
    points, issue = whole(8, POINTS_ONLY), whole(8, PAIRS)
    assert same(issue.select(sorted(POINTS_ONLY)), points)
    assert set(points.names) == POINTS_ONLY
    assert set(issue.names) == PAIRS
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
    for name in ("winner", "banker_cards", "player_total", "margin", "banker_third_value"):
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
        made.simulate(lo, hi, seed=3, wanted=PAIRS)["main", None]
        for lo, hi in ((0, 1), (1, 2), (0, 2))
    )
    assert same(Table.merge([first, second]), both)
    deals = [made.deal(3, number) for number in range(40)]
    assert len(set(deals)) == 40
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
            assert shoe_study.divide(number, by, 1.0 / by) == divmod(number, by)
