"""`explain`: the rows behind every event add up, and a round is found that ends in it."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from engine.analysis.analysis import Analysis
from engine.analysis.binding import bind
from engine.cards.deck import parse_cards
from engine.exact.errors import DealproofError
from engine.exact.tables import Table
from engine.pricing.settlement import Classified, classify
from engine.program.bound import BoundWager
from engine.spec.loading import catalogue, load_spec
from engine.studies.explain import ExplainedEvent, Explanation, explain, sample

#: Games whose wagers are all settled in spaces that are enumerated in a moment.
CHEAP = ("dai-bacc", "fu-bacc", "red-green")
#: Every so many bets of Punto Banco are gone through by default.
EVERY = 8


@pytest.fixture(scope="module")
def fu_bacc() -> Analysis:
    return Analysis(bind(load_spec("fu-bacc")))


def check(analysis: Analysis, explained: Explanation, event: ExplainedEvent) -> None:
    """Its rows make its count in both bases, and a round that ends in it has one of them."""
    rows = list(event.rows())
    assert sum(row.deals for row in rows) == event.deals
    assert sum(row.combinations for row in rows) == event.combinations
    lines = [line for line in explained.result.priced.lines if line.event == event.name]
    assert event.deals == sum(line.combinations for line in lines)
    dealt = sample(analysis, explained, event)
    assert dealt is not None, f"{explained.result.key}: no round ends in {event.name}"
    assert dealt.settled.event == event.name
    assert dealt.values in [row.values for row in rows]
    assert dealt.returned == dealt.settled.staked + dealt.settled.net


def walk(game: str, wagers: slice, every_event: bool) -> int:
    """Explain some wagers of a game; return how many events were checked."""
    analysis, checked = Analysis(bind(load_spec(game))), 0
    for name in list(analysis.program.wagers)[wagers]:
        for strategy in analysis.program.wager(name).strategies or (None,):
            explained = explain(analysis, name, strategy)
            assert explained.deals == explained.result.wager.space.deals
            happen = sorted((e for e in explained.events if e.deals), key=lambda e: e.deals)
            for event in happen if every_event else [*happen[:1], *happen[1:][-1:]]:
                check(analysis, explained, event)
                checked += 1
            if not every_event:
                break
    return checked


@pytest.mark.parametrize("game", CHEAP)
def test_most_and_least_frequent_event_of_every_wager(game: str) -> None:
    assert walk(game, slice(None), every_event=False) >= 2


def test_bets_of_punto_banco() -> None:
    assert walk("punto-banco", slice(0, None, EVERY), every_event=False) >= 10


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("game", catalogue())
def test_every_event_of_every_wager(game: str) -> None:
    assert walk(game, slice(None), every_event=True) > 2


def test_lucky_monkey_is_counted_by_hand(fu_bacc: Analysis) -> None:
    """Two of the 16 cards that count nothing, and one of four nines; 0 … 5 is all that is left."""
    explained = explain(fu_bacc, "lucky-monkey")
    assert explained.columns == ("player_low", "player_high", "dealer_up")
    pair = explained.event("0-0 and dealer 9")
    (row,) = pair.rows()
    assert row.values == {"player_low": 0, "player_high": 0, "dealer_up": 9}
    assert row.deals == comb(16, 2) * 4
    low = explained.event("0-0 and dealer 0 to 5")
    up = {r.values["dealer_up"]: r.deals for r in low.rows()}
    assert up == {0: comb(16, 2) * 14, **{value: comb(16, 2) * 4 for value in range(1, 6)}}
    assert low.earlier == tuple(f"0-0 and dealer {value}" for value in (9, 8, 7, 6))
    assert explained.deals == comb(52, 2) * 50


def test_the_cards_of_a_sample_end_in_the_event(fu_bacc: Analysis) -> None:
    explained = explain(fu_bacc, "lucky-monkey")
    event = explained.event("0-0 and dealer 9")
    for seed in (1, 2):
        dealt = sample(fu_bacc, explained, event, seed)
        assert dealt is not None
        first, second, up = parse_cards(" ".join(dealt.round.round.cards[:3]))
        assert (min(first // 4, second // 4) >= 9, up // 4) == (True, 8)
        assert [dealt.settled.staked, dealt.settled.net, dealt.returned] == [1, 30, 31]
        assert dealt == sample(fu_bacc, explained, event, seed)


def test_counts_in_the_basis_of_the_wager(fu_bacc: Analysis) -> None:
    for event in explain(fu_bacc, "ante").events:
        assert event.combinations == Fraction(event.deals, 2)
        assert all(2 * row.combinations == row.deals for row in event.rows())


def test_an_event_without_deals_has_no_sample() -> None:
    analysis = Analysis(bind(load_spec("red-green").under({"decks": 1})))
    explained = explain(analysis, "bonus")
    event = explained.event("Five of a kind")
    assert (event.deals, list(event.rows())) == (0, [])
    assert sample(analysis, explained, event) is None


def test_rows_that_do_not_add_up_are_a_defect(
    fu_bacc: Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    def shifted(wager: BoundWager, table: Table) -> Classified:
        lines = classify(wager, table)
        return Classified(np.roll(lines.line, 1), lines.lines)

    monkeypatch.setattr("engine.studies.explain.classify", shifted)
    with pytest.raises(ValueError, match="rows add up to"):
        explain(fu_bacc, "lucky-monkey")


def test_unknown_names_are_told_with_the_known(fu_bacc: Analysis) -> None:
    explained = explain(fu_bacc, "tie")
    with pytest.raises(DealproofError, match="event 'tie' of wager tie: did you mean 'Tie'"):
        explained.event("tie")
    with pytest.raises(DealproofError, match="wager 'ante2': did you mean 'ante'"):
        explain(fu_bacc, "ante2")
