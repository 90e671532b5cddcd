"""Red/Green's bonus: known frequencies, closed forms, hand-worked deals, and exhaustion."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.analysis.binding import bind_wager
from engine.cards.deck import parse_cards
from engine.cards.hands import five_cards
from engine.exact.kernels import njit
from engine.exact.tables import Table, same
from engine.games.red_green import playout
from engine.games.red_green.game import RedGreen
from engine.games.red_green.rules import Rules
from engine.pricing import pricer
from engine.spec.loading import catalogue_folder, read
from engine.spec.model import WagerFile


@njit
def five_card_hands(counts: np.ndarray) -> None:
    for e in range(52):
        for d in range(e):
            for c in range(d):
                for b in range(c):
                    for a in range(b):
                        v, w, x, y, z = a >> 2, b >> 2, c >> 2, d >> 2, e >> 2
                        suit = a & 3
                        flush = b & 3 == suit and c & 3 == suit and d & 3 == suit and e & 3 == suit
                        kind = five_cards.kind(v, w, x, y, z)
                        run = five_cards.straight(v, w, x, y, z)
                        counts[five_cards.category(kind, run, flush)] += 1


def test_five_card_categories_on_all_hands_of_one_deck() -> None:
    """Poker's classical frequencies of 2,598,960 hands."""
    counts = np.zeros(len(five_cards.CATEGORIES), dtype=np.int64)
    five_card_hands(counts)
    assert dict(zip(five_cards.CATEGORIES, counts.tolist(), strict=True)) == {
        "royal flush": 4,
        "straight flush": 36,
        "five of a kind": 0,
        "four of a kind": 624,
        "full house": 3_744,
        "flush": 5_108,
        "straight": 10_200,
        "three of a kind": 54_912,
        "two pair": 123_552,
        "pair": 1_098_240,
        "nothing": 1_302_540,
    }


def bonus_counts(decks: int) -> dict[str | int, int]:
    table = RedGreen(Rules(decks=decks)).bonus
    whole = table.enumerate(0, table.starts).select(["category"])
    counts = [int(count) for count in whole.combinations]
    return dict(zip(whole.labels("category"), counts, strict=True))


def test_bonus_with_one_deck() -> None:
    """Brian Alspach, 6-Card Poker Hands (2000)."""
    counts = bonus_counts(1)
    assert sum(counts.values()) == 20_358_520
    assert counts["royal flush"] + counts["straight flush"] == 1_844
    assert counts["four of a kind"] == 14_664
    assert counts["full house"] == 165_984
    assert "five of a kind" not in counts


@pytest.mark.parametrize("decks", range(1, 9))
def test_bonus_by_closed_forms(decks: int) -> None:
    """Categories that one formula each counts, with n cards of a rank and d of a type."""
    counts, d, n = bonus_counts(decks), decks, 4 * decks
    assert sum(counts.values()) == comb(52 * d, 6)
    # Five of a kind and one other card, or six.
    assert counts.get("five of a kind", 0) == 13 * (comb(n, 5) * 12 * n + comb(n, 6))
    assert counts["four of a kind"] == 13 * comb(n, 4) * comb(12 * n, 2)
    # Two threes, or three, two and one.
    assert counts["full house"] == comb(13, 2) * comb(n, 3) ** 2 + 13 * 12 * 11 * (
        comb(n, 3) * comb(n, 2) * n
    )
    # All five types of a royal, and either a sixth card of another type or one of them twice.
    assert counts["royal flush"] == 4 * (d**5 * 47 * d + 5 * comb(d, 2) * d**4)


def test_with_seven_decks_flush_and_straight_are_rarer_than_what_they_rank_below() -> None:
    counts = bonus_counts(7)
    assert sum(counts.values()) == comb(364, 6)
    assert counts["full house"] > counts["flush"] > counts["straight"]


def test_pay_tables_are_data() -> None:
    """The same hands win under either order of straight, flush and full house."""
    space = RedGreen(Rules()).bonus
    path = catalogue_folder().parent / "wagers" / "red-green" / "bonus.toml"
    usual, by_frequency = (
        pricer.price(bind_wager(wager, space), space.enumerate(0, space.starts))
        for wager in read(path, WagerFile).wagers
    )
    counts = list(bonus_counts(7).values())
    won = sum(n * pay for n, pay in zip(counts, (1000, 300, 100, 50, 10, 6, 4, 3), strict=False))
    assert usual.house_edge == Fraction(sum(counts[8:]) - won, sum(counts))
    assert Fraction(4, 100) < usual.house_edge < Fraction(5, 100)
    assert Fraction(4, 100) < by_frequency.house_edge < Fraction(5, 100)
    assert by_frequency.hit_frequency == usual.hit_frequency
    full_house, flush = counts[4:6]
    assert by_frequency.lines[6].combinations < full_house
    assert by_frequency.lines[5].combinations > flush


@pytest.mark.parametrize("decks", [1, 7])
def test_bonus_enumerate_is_exhaust_on_every_hand(decks: int) -> None:
    space = RedGreen(Rules(decks=decks)).bonus
    parts = [space.exhaust(lo, min(lo + 13, space.starts)) for lo in range(0, space.starts, 13)]
    assert same(Table.merge(parts), space.enumerate(0, space.starts))
    for lo, part in zip(range(0, space.starts, 13), parts, strict=True):
        hi = min(lo + 13, space.starts)
        assert part.deals == space.deals_in(lo, hi)
        assert same(part, space.enumerate(lo, hi))
    assert space.deals_in(0, space.starts) == space.deals == comb(52 * decks, 6)


@settings(max_examples=20, deadline=None)
@given(decks=st.integers(1, 8), at=st.integers(40, 77))
def test_bonus_enumerate_is_exhaust_on_any_start(decks: int, at: int) -> None:
    space = RedGreen(Rules(decks=decks)).bonus
    assert same(space.enumerate(at, at + 1), space.exhaust(at, at + 1))


# Six cards and the row of the bonus space, worked by hand.
SETTLED = [
    ("As Ks Qs Js Ts 9s", "royal flush", "no pair", 6, 1, "royal flush"),
    ("Ah 2h 3h 4h 5h Kd", "straight flush", "no pair", 5, 1, "straight flush"),
    ("Ah 2h 3h 4h 6h 5d", "flush", "no pair", 5, 1, "none"),
    ("Qs Kh Ah 2d 3c 4c", "nothing", "no pair", 0, 0, "none"),
    ("9s 9h 9d 9c 4c 4d", "four of a kind", "four of a kind", 0, 0, "none"),
    ("9s 9h 9d 4c 4h 4d", "full house", "full house", 0, 0, "none"),
    ("9s 9h 4c 4h 2d 2c", "two pair", "two pair", 0, 0, "none"),
    ("5s 6s 7s 8c 9h 9s", "straight", "pair", 0, 1, "none"),
]


@pytest.mark.parametrize(
    ("cards", "category", "rank_pattern", "flush_cards", "straight", "straight_flush"), SETTLED
)
def test_bonus_of_one_deal(
    cards: str,
    category: str,
    rank_pattern: str,
    flush_cards: int,
    straight: int,
    straight_flush: str,
) -> None:
    dealt = parse_cards(cards)
    for order in (dealt, dealt[::-1], dealt[3:] + dealt[:3]):
        assert RedGreen(Rules()).play(order, {}).rows["bonus"] == {
            "category": category,
            "rank_pattern": rank_pattern,
            "flush_cards": flush_cards,
            "straight": straight,
            "straight_flush": straight_flush,
        }


def test_five_and_six_of_a_kind() -> None:
    for cards, ranks, flush_cards in (
        ((51, 51, 51, 50, 49, 0), "five of a kind", 0),
        ((51, 51, 51, 51, 51, 0), "five of a kind", 5),
        ((51, 51, 51, 51, 51, 51), "six of a kind", 6),
    ):
        row = RedGreen(Rules()).play(cards, {}).rows["bonus"]
        assert (row["category"], row["rank_pattern"]) == ("five of a kind", ranks)
        assert row["flush_cards"] == flush_cards


def test_looked_up_outcomes_are_the_referees() -> None:
    """Random sixes, and sixes of two suits, of which most hold five or six cards of one."""
    number, codes = playout.bonus_answers()
    random = np.random.default_rng(5)
    plain = random.integers(0, 52, (2000, 6))
    suited = 4 * random.integers(0, 13, (2000, 6)) + (random.random((2000, 6)) < 0.2)
    for a, b, c, d, e, f in np.concatenate([plain, suited]).tolist():
        looked_up = playout.settle_bonus(a, b, c, d, e, f, number, codes)
        assert looked_up == playout.bonus_code(a, b, c, d, e, f)
