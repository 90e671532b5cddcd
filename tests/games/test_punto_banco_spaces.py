"""Punto Banco's two further spaces: the first four cards, and ranks counted over both hands."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from math import comb, perm

import numpy as np
import pytest

from engine.contract.game import Space
from engine.exact.tables import Table, same
from tests.games.punto_banco_tables import RACK_CARD, counted, game


def spaces(decks: int) -> tuple[Space, Space]:
    made = game(decks)
    return made.first_four, made.ranks


def entire(space: Space, *names: str) -> Table:
    return space.enumerate(0, space.starts, wanted=frozenset(names))


@pytest.mark.parametrize("decks", [1, 8, 12])
def test_enumerate_is_exhaust(decks: int) -> None:
    for space, names in zip(
        spaces(decks),
        ({"player_low", "player_high_suit", "banker_suited"}, {"sevens", "most_alike", "dealt"}),
        strict=True,
    ):
        wanted = frozenset(names)
        whole = space.enumerate(0, space.starts, wanted=wanted)
        assert same(whole, space.exhaust(0, space.starts, wanted=wanted))
        assert whole.deals == space.deals == space.deals_in(0, space.starts)
        assert set(whole.names) == names
        for lo, hi in ((0, 3), (1303, 1330)):
            result = space.enumerate(lo, hi, wanted=wanted)
            assert same(result, space.exhaust(lo, hi, wanted=wanted))
            assert result.deals == space.deals_in(lo, hi)


def test_every_column_of_some_starts() -> None:
    for space in spaces(2):
        assert same(space.enumerate(700, 703), space.exhaust(700, 703))


def test_suited_hands_by_closed_form() -> None:
    for decks in (1, 6):
        four, _ = spaces(decks)
        table = entire(four, "player_suited", "player_low", "player_high", "player_low_suit")
        hands = comb(52 * decks, 2)
        scale = Fraction(hands, table.deals)
        assert counted(table, player_suited=1) * scale == 4 * comb(13 * decks, 2)
        royal = counted(table, player_suited=1, player_low=12, player_high=13)
        assert royal * scale == 4 * decks**2
        assert counted(table, player_low=1, player_high=1) * scale == comb(4 * decks, 2)
        spades = counted(table, player_suited=1, player_low_suit="spades")
        assert spades * scale == comb(13 * decks, 2)


def test_four_cards_of_one_suit_by_closed_form() -> None:
    four, _ = spaces(8)
    names = ("player_suited", "banker_suited", "player_low_suit", "banker_low_suit")
    table = entire(four, *names)
    hearts = {"player_low_suit": "hearts", "banker_low_suit": "hearts"}
    assert counted(table, player_suited=1, banker_suited=1, **hearts) == perm(104, 4)


def plain(shoe: list[int]) -> Counter[tuple[int, ...]]:
    """Cards of each rank in the final hands of every six ordered cards, by the printed tableau."""
    result: Counter[tuple[int, ...]] = Counter()
    for p, b, q, c, *rest in itertools.permutations(shoe, 6):
        value = [min(rank + 1, 10) % 10 for rank in (p, q, b, c)]
        player, banker = sum(value[:2]) % 10, sum(value[2:]) % 10
        values, third = [p, q, b, c], None
        if max(player, banker) < 8:
            if player < 6:
                values.append(rest.pop(0))
                third = min(values[-1] + 1, 10) % 10
            if (third is None and banker < 6) or (third is not None and third in RACK_CARD[banker]):
                values.append(rest.pop(0))
        result[values.count(min(values)), len(values), values.count(0)] += 1
    return result


def test_six_of_a_rank_by_closed_form() -> None:
    """All six cards aces: 1 + 1 = 2 draws, and Banker's 2 draws on an ace."""
    _, ranks = spaces(8)
    table = entire(ranks, "aces", "threes", "eights", "most_alike")
    assert counted(table, aces=6) == perm(32, 6)
    # 3 + 3 = 6 stands, 8 + 8 = 6 stands: four at most.
    for name in ("threes", "eights"):
        assert table.codes[name].max() == 4
    six = counted(table, most_alike=6)
    assert six % perm(32, 6) == 0
    assert six // perm(32, 6) == 13 - sum(
        counted(entire(ranks, name), **{name: 6}) == 0
        for name in ("threes", "fours", "eights", "nines")
    )


def test_expected_cards_of_each_rank_add_up() -> None:
    """By exchangeability a rank is 1/13 of the cards dealt only for all ranks together."""
    _, ranks = spaces(6)
    table = ranks.enumerate(0, ranks.starts)
    names = [f.name for f in ranks.features[3:]]
    values = sum(table.codes[name] for name in names)
    assert np.array_equal(values, table.codes["dealt"])
    # 4-5-6: 6 decks, Wizard of Odds, Baccarat Side Bets.
    for cards, share in ((4, "0.378925"), (5, "0.303540"), (6, "0.317535")):
        assert f"{counted(table, dealt=cards) / table.deals:.6f}" == share


@pytest.mark.parametrize("shoe", [[0, 0, 0, 6, 7, 12, 12], [0, 2, 2, 0, 9, 4]])
def test_ranks_of_small_shoes_against_plain_dealing(shoe: list[int]) -> None:
    from engine.cards.hands.baccarat import POINTS
    from engine.games.punto_banco import playout, ranks

    copies = np.bincount(shoe, minlength=13).astype(np.int64)
    first, second = (g.reshape(-1) for g in np.indices((13, 13)))
    weight = copies[first] * (copies[second] - (first == second))
    player, banker = ranks._hand_classes(5), ranks._hand_classes(6)
    counts = np.zeros((len(player), len(banker)), dtype=np.int64)
    playout.exhaust_starts(
        first[weight > 0], second[weight > 0], weight[weight > 0], copies,
        POINTS[::4], player.of, banker.of, counts,
    )  # fmt: skip
    text = ranks._tabulate(player, banker, counts, None)
    expected = plain(shoe)
    result: Counter[tuple[int, ...]] = Counter()
    for i in range(len(text)):
        values = {
            k: int(text.codes[name][i]) for k, name in enumerate(n.name for n in ranks.COUNTED)
        }
        lowest = next(count for count in values.values() if count)
        result[lowest, int(text.codes["dealt"][i]), values[0]] += int(text.combinations[i])
    assert result == expected


def test_simulated_spaces_agree_and_only_those_asked_for_are_filled() -> None:
    made = game(8)
    wanted = frozenset({"player_suited", "banker_low", "aces", "most_alike"})
    result = made.simulate(0, 2, 17, wanted=wanted)
    assert set(result) == {("first-four", None), ("ranks", None)}
    assert set(made.simulate(0, 1, 17, wanted=frozenset({"winner"}))) == {("main", None)}
    for space, name in ((made.first_four, "banker_low"), (made.ranks, "aces"),
                        (made.ranks, "most_alike")):  # fmt: skip
        seen = result[space.name, None].select([name])
        due = entire(space, name)
        expected = dict(zip(due.codes[name].tolist(), due.combinations.tolist(), strict=True))
        for code, count in zip(seen.codes[name].tolist(), seen.combinations.tolist(), strict=True):
            p = expected[code] / due.deals
            rounds = 2 << 20
            assert abs(count - rounds * p) < 5 * (rounds * p * (1 - p)) ** 0.5 + 3
