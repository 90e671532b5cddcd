"""Fu Bacc: published integers, a second derivation's exact figures, and hand-worked deals.

Figures marked (B) come from a second, independent derivation: a C++ program that played out all
7,329,067,200 named-card deals and knows nothing of this code.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.analysis.analysis import Analysis, analyse
from engine.analysis.binding import make_game
from engine.cards.deck import parse_cards
from engine.contract.game import RuleValue, Space
from engine.contract.strategy import exceptions
from engine.exact.tables import Table, same
from engine.pricing.pricer import price
from engine.spec.loading import load_spec
from engine.studies.joint import study
from engine.studies.published import compare
from engine.studies.readings import readings

SPEC = load_spec("fu-bacc")


@pytest.fixture(scope="module")
def exact() -> Analysis:
    return analyse(SPEC, strict=True)


def edges(analysis: Analysis) -> dict[tuple[str, str | None], Fraction]:
    return {result.key: result.priced.house_edge for result in analysis.results}


def test_every_published_figure_is_met(exact: Analysis) -> None:
    result = compare(exact, SPEC.rule_values)
    assert len(result) == 50
    assert [c for c in result if c.verdict != "match"] == []


def test_exact_figures_of_the_second_derivation(exact: Analysis) -> None:
    ante = exact.price("ante", "optimal").priced
    # (B), parts 1–3 and 5
    assert ante.house_edge == Fraction(6984511, 229033350)
    assert ante.average_wager == Fraction(2841, 1105)
    assert ante.element_of_risk == Fraction(6984511, 588854070)
    assert ante.variance == Fraction(173807053135482877, 26228137706111250)
    assert ante.hit_frequency == Fraction(20906701, 50896300)
    assert edges(exact)["ante", "chart"] == Fraction(238603, 7634445)
    assert edges(exact)["tie", "tie published"] == Fraction(3973757, 38172225)
    assert edges(exact)["tie", "tie optimal"] == Fraction(3933049, 38172225)
    monkey = exact.price("lucky-monkey").priced
    assert (monkey.house_edge, monkey.variance) == (Fraction(1, 17), Fraction(53384, 3757))


def test_exceptions_and_their_cost(exact: Analysis) -> None:
    chart = exceptions(exact.strategies["optimal"], exact.strategies["chart"])
    # (B), part 2: 25 exceptions, the dearest 5-6 against 5
    assert len(chart) == 25
    assert sum(e.cost for e in chart) == Fraction(24797, 32719050)
    dearest = chart[0]
    assert (dearest.information["player_low"], dearest.information["player_high"]) == (5, 6)
    assert (dearest.better, dearest.cost) == ("fold", Fraction(3734, 38172225))
    tie = exceptions(exact.strategies["tie optimal"], exact.strategies["tie published"])
    # (B), part 3: 23 exceptions, all stand → draw
    assert len(tie) == 23
    assert {(e.worse, e.better) for e in tie} == {("stand", "draw")}
    assert tie[0].cost == Fraction(1408, 6736275)


@pytest.mark.parametrize(
    ("reading", "changes", "ratios", "first", "last", "losses"),
    [  # (B), part 4: losses at t = 0, 1/2, 1, 2
        ("lose", 230, 229, "139/20192", "75179/760",
         ["6984511/229033350", "231151/1624350", "1430152/6736275", "1965101/5872650"]),
        ("stands", 213, 213, "19/1380", "123109/760",
         ["6984511/229033350", "12963512/114516675", "4227506/22903335", "34347377/114516675"]),
        ("plays", 73, 73, "19/1380", "11051/232",
         ["6984511/229033350", "800896/8808975", "33916661/229033350", "28996481/114516675"]),
    ],
)  # fmt: skip
def test_joint_play_for_any_ratio(
    reading: str, changes: int, ratios: int, first: str, last: str, losses: list[str]
) -> None:
    analysis = analyse(SPEC.under({"tie_after_end": reading}))
    result = study(analysis, analysis.program.joints["ante and tie"])
    assert len(result.breaks) == changes
    assert len({b.ratio for b in result.breaks}) == ratios
    assert (result.breaks[0].ratio, result.breaks[-1].ratio) == (Fraction(first), Fraction(last))
    points = (Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2))
    assert [result.loss(t) for t in points] == [Fraction(loss) for loss in losses]


def test_covariances(exact: Analysis) -> None:
    ante = exact.price("ante", "optimal")
    # (B), part 6
    assert exact.covariance(exact.program.wager("tie"), ante) == Fraction(
        -8824053659084233, 13114068853055625
    )
    assert exact.covariance(exact.program.wager("lucky-monkey"), ante) == Fraction(
        -847521592, 1946783475
    )


def test_every_reading(exact: Analysis) -> None:
    result = {(a.rule, a.value, a.wager, a.strategy): a.house_edge for a in readings(exact)}
    same_ante, same_tie = Fraction(6984511, 229033350), Fraction(3933049, 38172225)
    expected: dict[tuple[str, RuleValue], tuple[Fraction, Fraction]] = {  # (B), part 7
        ("bonus", "forced"): (Fraction(21447163, 229033350), same_tie),
        ("bonus_pair", "face"): (Fraction(1695371, 45806670), same_tie),
        ("naturals", "stand"): (same_ante, Fraction(11854397, 114516675)),
        ("dealer_draws_to", 4): (Fraction(3133037, 229033350), Fraction(11938223, 114516675)),
        ("dealer_draws_to", 6): (Fraction(-2423, 76344450), Fraction(4035361, 38172225)),
        ("tie_after_end", "stands"): (same_ante, same_tie),
        ("tie_after_end", "plays"): (same_ante, same_tie),
    }
    for (rule, value), (ante, tie) in expected.items():
        assert result[rule, value, "ante", "optimal"] == ante
        assert result[rule, value, "tie", "tie optimal"] == tie
        assert result[rule, value, "lucky-monkey", None] == Fraction(1, 17)
    changed = {(a.rule, a.value) for a in readings(exact) if a.change}
    assert changed == set(expected), "a rule flag that nothing reads"


@pytest.mark.parametrize(
    ("decks", "ante", "tie", "monkey"),
    [  # (B), part 8
        (2, "230710511/6828217110", "6094213/62074701", "3065/68289"),
        (6, "8330355809/234740706970", "142397484993/1525814595305", "4493/125333"),
        (8, "1392746971549/39049986527370", "30662832391/330932089215", "38789/1116765"),
    ],
)
def test_more_decks(decks: int, ante: str, tie: str, monkey: str) -> None:
    result = edges(analyse(SPEC.under({"decks": decks})))
    assert result["ante", "optimal"] == Fraction(ante)
    assert result["tie", "tie optimal"] == Fraction(tie)
    assert result["lucky-monkey", None] == Fraction(monkey)


@pytest.mark.parametrize(
    ("cards", "action", "ante", "tie"),
    [  # worked by hand from the rule sheet: player's two, dealer's up-card, next three
        ("9s 4d 5c 5h 2s Kd", "draw", 3, -1),
        ("Ks 7h 4c 3d As 2s", "stand", -1, 7),
        ("Qh 10s 9c Ad Kd 6c", "bonus", 1, -1),
        ("6s 2h 6d 7c 6c As", "stand", -3, -1),
        ("8c 3s 7d 2h 8s As", "fold", -1, -1),
    ],
)
def test_deals_worked_by_hand(
    exact: Analysis, cards: str, action: str, ante: int, tie: int
) -> None:
    round_ = exact.game.play(parse_cards(cards), {"main": exact.strategies["optimal"]})
    row = round_.rows["main"]
    assert row["action"] == action
    space = exact.game.space("main")
    codes = {f.name: np.array([f.code(row[f.name])]) for f in space.features}
    table = Table.of(space.features, codes, np.ones(1, dtype=np.int64))
    assert price(exact.program.wager("ante"), table).mean == ante
    assert price(exact.program.wager("tie"), table).mean == tie


def main_of(**changes: RuleValue) -> Space:
    return make_game(SPEC.under(changes))[0].space("main")


@settings(max_examples=12, deadline=None)
@given(
    st.sampled_from([1, 2, 6, 8]), st.sampled_from([4, 5, 6]),
    st.sampled_from(["face", "zero-point"]),
    st.sampled_from(["stand", "may draw"]), st.sampled_from(["lose", "plays"]),
    st.floats(0, 1), st.integers(1, 40),
)  # fmt: skip
def test_enumeration_equals_exhaustion_on_any_range(
    decks: int, to: int, pair: str, naturals: str, after: str, at: float, size: int
) -> None:
    space = main_of(
        decks=decks, dealer_draws_to=to, bonus_pair=pair, naturals=naturals, tie_after_end=after
    )
    lo = int(at * (space.starts - size))
    assert same(space.enumerate(lo, lo + size), space.exhaust(lo, lo + size))


def test_the_first_three_cards_are_exhausted_whole() -> None:
    starts = make_game(SPEC)[0].space("starts")
    assert same(starts.enumerate(0, starts.starts), starts.exhaust(0, starts.starts))
    assert starts.deals == 66_300  # C(52,2) · 50


@pytest.mark.slow
def test_all_deals_whole() -> None:
    space = main_of()
    assert same(space.enumerate(0, space.starts), space.exhaust(0, space.starts))


@settings(max_examples=10, deadline=None)
@given(st.fractions(0, 5, max_denominator=1000))
@example(Fraction(1, 10**31))
def test_a_larger_strategy_set_is_never_worse(ratio: Fraction) -> None:
    weights = {"ante": Fraction(1), "tie": ratio}
    free = SPEC.strategy("ante and tie").model_copy(update={"maximises": weights})
    bound = free.model_copy(update={"by": ("player_initial_total", "dealer_up", "bonus_offer")})
    losses = []
    for rule in (free, bound):
        spec = SPEC.model_copy(update={"strategies": (*SPEC.strategies[:-1], rule)})
        result = edges(analyse(spec))
        losses.append(result["ante", "ante and tie"] + ratio * result["tie", "ante and tie"])
    assert losses[0] <= losses[1]
