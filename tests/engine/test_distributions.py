"""Distributions and values that a spec asks for, against counts made by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from engine.analysis.analysis import Analysis, analyse
from engine.analysis.binding import bind
from engine.exact.errors import DealproofError
from engine.program.bound import BoundDistribution
from engine.spec.loading import load_spec
from engine.spec.model import Values
from engine.studies.distributions import Worth, distribute, worths

SPEC = load_spec("double-ace")


@pytest.fixture(scope="module")
def exact() -> Analysis:
    return analyse(SPEC)


def named(analysis: Analysis, name: str) -> BoundDistribution:
    return next(d for d in analysis.program.distributions if d.spec.name == name)


def values(analysis: Analysis, number: int) -> tuple[Worth, ...]:
    table = analysis.program.values[number]
    return worths(analysis.strategy(table.strategy.name), table)


def test_dealers_hand_whole_and_given_the_first_card(exact: Analysis) -> None:
    whole = {
        s.row["dealer_final"]: s.probability for s in distribute(exact, named(exact, "dealer"))
    }
    assert sum(whole.values()) == 1
    assert whole["double ace"] == Fraction(24 * 23, 240 * 239)
    given = distribute(exact, named(exact, "dealer given first card"))
    aces = {s.row["first_card"]: s.probability for s in given if "ace" in str(s.column)}
    assert aces[1] == Fraction(23 * 22, 239 * 238)
    assert aces[7] == Fraction(24 * 23, 239 * 238)
    for card in range(1, 11):
        assert sum(s.probability for s in given if s.row["first_card"] == card) == 1
    for word, share in whole.items():
        mean = sum(s.probability for s in given if s.column["dealer_final"] == word) / 10
        assert mean == share  # each first card comes once in ten


def test_what_the_player_does_leaves_the_dealers_hand_as_it_is(exact: Analysis) -> None:
    result = []
    for strategy in ("optimal", "never double", "chart"):
        one = named(exact, "dealer")
        values = replace(one, strategy=exact.program.strategy(strategy))
        result.append([(dict(s.row), s.probability) for s in distribute(exact, values)])
    assert result[0] == result[1] == result[2]


def test_all_ends_settle_the_base_bet(exact: Analysis) -> None:
    """The full table of ends, paid by the brief's rules, gives the edge."""
    mean = Fraction()
    ends = distribute(exact, named(exact, "ends"))
    assert sum(s.probability for s in ends) == 1
    for share in ends:
        player, dealer = (
            {"double ace": 100}.get(str(final)) or int(str(final).removeprefix("bust "))
            for final in (share.row["player_final"], share.column["dealer_final"])
        )
        bet = 1 + int(share.row["doubled"])
        net = Fraction(bet * (player > dealer) - bet * (player < dealer))
        if player == 100 != dealer:
            net = Fraction(3 * bet, 2)
        elif dealer == 100 != player:
            net = Fraction(-bet)
        elif 10 < player < 100:
            net = Fraction(0 if dealer > player else -bet)
        elif 10 < dealer < 100:
            net = Fraction(bet)
        mean += share.probability * net
    assert mean == exact.price("base", "optimal").priced.mean
    assert -mean == Fraction(1442304847616, 171744349296975)


def test_values_of_first_cards_add_up_to_the_edge(exact: Analysis) -> None:
    optimal = exact.strategies["optimal"]
    first = values(exact, 0)
    assert [w.information["held"] for w in first] == ["A", *map(str, range(2, 11))]
    assert {w.by_cards for w in first} == {w.reached for w in first} == {Fraction(1, 10)}
    mean = Fraction()
    for worth in first:
        known = [ev for ev in worth.ev.values() if ev is not None]
        assert worth.ev[worth.taken[0]] == max(known)
        mean += max(known) / 10
    assert mean == optimal.mean
    assert first[0].ev["double"] == Fraction(13394859284, 57854499365)  # by another program
    assert first[5].ev["hit"] == Fraction(-178958405439, 404981495555)


def test_values_by_totals_cover_every_hand(exact: Analysis) -> None:
    optimal = exact.strategies["optimal"]
    grouped = values(exact, 1)
    assert sum(w.sets for w in grouped) == len(optimal)
    assert all(len(w.taken) == 1 for w in grouped)
    (aces,) = (w for w in grouped if w.information == {"held_total": 2, "held_cards": 2})
    assert aces.ev["hit"] is None
    assert aces.ev["stand"] is not None
    assert aces.ev_reached["stand"] is None
    assert aces.by_cards == Fraction(24 * 23, 240 * 239)
    assert aces.reached == 0  # an ace is doubled


def test_hands_of_a_line_are_weighed_by_cards_and_by_play(exact: Analysis) -> None:
    """By hand: two cards make 4 as A-3, 3-A or 2-2; an ace comes first in none that is played."""
    optimal = exact.strategies["optimal"]
    grouped = values(exact, 1)
    (four,) = (w for w in grouped if w.information == {"held_total": 4, "held_cards": 2})
    assert four.by_cards == Fraction(2 * 24 * 24 + 24 * 23, 240 * 239)
    assert four.reached == Fraction(24 * 24 + 24 * 23, 240 * 239)
    hit = {}
    for kept_values in ("A-3", "2-2"):
        index = optimal.index_of({"held": kept_values, "held_total": 4, "held_cards": 2})
        hit[kept_values] = optimal.ev(index, optimal.actions.index("hit"))
    assert four.ev["hit"] == (48 * hit["A-3"] + 23 * hit["2-2"]) / 71
    assert four.ev_reached["hit"] == (24 * hit["A-3"] + 23 * hit["2-2"]) / 47
    # First cards are dealt, not drawn: both measures agree, and they add up to the edge.
    assert optimal.mean == sum(
        w.reached * (w.ev_reached[w.taken[0]] or 0) for w in values(exact, 0)
    )


def test_errors_name_the_table() -> None:
    odd = SPEC.distributions[0].model_copy(update={"rows": ("dealer_finale",)})
    with pytest.raises(DealproofError, match=r"distributions\[dealer\]\.rows: column 'dealer_fin"):
        bind(SPEC.model_copy(update={"distributions": (odd,)}))
    text = Values(title="x", strategy="optimal", by=("dealer_total",))
    with pytest.raises(DealproofError, match=r"values\[x\]\.by: column 'dealer_total'"):
        bind(SPEC.model_copy(update={"values": (text,)}))
