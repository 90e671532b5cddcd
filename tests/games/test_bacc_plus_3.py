"""Baccarat + 3: published figures, what each strategy is worth, readings, and joint play."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from operator import mul

import numpy as np
import pytest

from engine.analysis.analysis import Analysis, analyse
from engine.analysis.binding import bind, make_game
from engine.cards.deck import parse_cards
from engine.cards.hands.suits import suit_classes
from engine.cards.hands.three_card import three_card
from engine.contract.strategy import exceptions, improvements
from engine.design import rule_lists
from engine.exact.roots import root
from engine.exact.tables import Counts
from engine.games.bacc_plus_3.space import DEALER_HANDS, HANDS, locate
from engine.pricing.pricer import Priced
from engine.spec.loading import load_spec
from engine.spec.model import Spec
from engine.studies.joint import Study, study, upper_envelopes
from engine.studies.published import compare
from tasks.certificate import checks, strategies

SPEC = load_spec("bacc-plus-3")
DEALS = 3_986_646_103_440


@pytest.fixture(scope="module")
def exact() -> Analysis:
    return analyse(SPEC, strict=True)


@pytest.fixture(scope="module")
def joint(exact: Analysis) -> Study:
    return study(exact, exact.program.joints["main and tie"])


def edge(analysis: Analysis, wager: str, strategy: str | None = None) -> Fraction:
    return analysis.price(wager, strategy).priced.house_edge


def worth_of(analysis: Analysis, strategy: str, action: Counts) -> Fraction:
    values = analysis.strategies[strategy]
    total = values.ev_sum[np.arange(len(values)), action].sum()
    return Fraction(int(total), values.unit * DEALS)


def test_published_figures(exact: Analysis) -> None:
    result = {(c.figure.wager, c.figure.printed): c for c in compare(exact, SPEC.rule_values)}
    assert {key: c.verdict for key, c in result.items()} == {
        ("main", "3.75%"): "within error",
        ("tie", "7.69%"): "within error",
        ("poker", "3.09%"): "recovered",
    }


def test_the_sources_errors_are_those_of_its_sample(exact: Analysis) -> None:
    # Standard deviation of a mean over 250,000,000 hands, in percentage points.
    for wager, strategy, printed in (
        ("main", "sum of chances", 0.003),
        ("tie", "tie published", 0.013),
    ):
        deviation = float(root(exact.price(wager, strategy).priced.variance))
        assert round(100 * deviation / 250_000_000**0.5, 3) == printed


def test_every_deal_is_counted_once(exact: Analysis) -> None:
    for result in exact.results:
        total = sum(line.combinations for line in result.priced.lines)
        assert total == (DEALS if result.space == "main" else HANDS)


def test_strategies_are_priced_alike_by_their_worth_and_by_their_table(exact: Analysis) -> None:
    for result in exact.results:
        name = result.key[1]
        if name is not None:
            values = exact.strategies[name]
            assert worth_of(exact, name, values.action) == -result.priced.house_edge


def test_no_decision_can_be_improved(exact: Analysis) -> None:
    for name in ("optimal", "tie optimal"):
        assert improvements(exact.strategies[name]) == []
    best = edge(exact, "main", "optimal")
    for name in ("sum of chances", "sum without removal", "house way", "5 rules", "10 rules"):
        assert edge(exact, "main", name) >= best


@pytest.mark.parametrize("copies", ["dealer", "player"])
def test_the_sources_criterion_is_the_ev_when_every_hand_has_a_winner(copies: str) -> None:
    """Win both +1, lose both −1: the net is (hands won) − 1, so its mean is the sum of chances − 1.

    So at every hand and split the EV is the criterion less one, not only where they are best.
    """
    spec = lean("main", "optimal", "sum of chances").under({"copies": copies})
    analysis = Analysis(bind(spec), {})
    space = analysis.game.space("main")
    rows = space.outcomes()
    won = (rows.codes["baccarat_winner"] == 0).astype(np.int64)
    poker = rows.codes["poker_winner"]
    won += (poker == 0) | ((poker == 2) & (copies == "player"))
    nothing = np.zeros(len(rows), dtype=np.int64)
    chances = space.solve("sum", won, nothing, np.ones(len(rows), dtype=bool))
    main = analysis.strategies["optimal"]
    weight = suit_classes(5).weight[:, None] * DEALER_HANDS
    assert np.array_equal(main.ev_sum, chances.ev_sum - weight)
    assert np.array_equal(main.action, analysis.strategies["sum of chances"].action)


def test_the_criterion_is_no_optimum_when_copies_push() -> None:
    analysis = analyse(lean("main", "optimal", "sum of chances").under({"copies": "push"}))
    assert edge(analysis, "main", "sum of chances") > edge(analysis, "main", "optimal")


def test_forgetting_removal_costs_something(exact: Analysis) -> None:
    with_removal = edge(exact, "main", "sum of chances")
    without = edge(exact, "main", "sum without removal")
    assert with_removal < without < with_removal + Fraction(2, 10_000)


def test_without_removal_only_total_and_poker_class_count(exact: Analysis) -> None:
    """Hands that can be set to the same totals and classes are set alike: a fixed order."""
    chosen = exact.strategies["sum without removal"].action
    space = make_game(SPEC)[0].space("main")
    cells = space.expectation.layouts.cell  # type: ignore[attr-defined]
    dealer = space.expectation.layouts.dealer  # type: ignore[attr-defined]
    weight = suit_classes(5).weight
    totals = np.bincount(dealer % 10, weight, 10)
    classes = np.bincount(dealer // 10, weight, 741)
    # Dealer hands of a whole deck that lose: equal totals below nine count, equal classes do not.
    lower = np.cumsum(totals) - np.where(np.arange(10) == 9, totals, 0)
    score = lower[cells % 10] + (np.cumsum(classes) - classes)[cells // 10]
    rows = np.arange(len(cells))
    assert np.array_equal(score[rows, chosen], score.max(axis=1))


def test_the_published_tie_order_follows_from_the_dealers_totals() -> None:
    """6 to 1 on a total below nine, 1 to 1 on nine: the dealer's own chances give the order."""

    def order(spec: Spec) -> list[int]:
        layouts = make_game(spec)[0].space("main").expectation.layouts  # type: ignore[attr-defined]
        chance = np.bincount(layouts.dealer % 10, suit_classes(5).weight, 10)
        value = chance * np.where(np.arange(10) == 9, 2, 7)
        return [int(total) for total in np.argsort(-value)]

    assert order(SPEC) == [8, 9, 7, 6, 5, 0, 4, 3, 2, 1]
    # … under the reading of step 3 that a flush serves too, and under no other.
    other = SPEC.under({"house_step_3": "pair only"})
    assert order(other) != [8, 9, 7, 6, 5, 0, 4, 3, 2, 1]


def test_tie_deviations_add_up(exact: Analysis) -> None:
    best, order = exact.strategies["tie optimal"], exact.strategies["tie published"]
    result = exceptions(best, order)
    gain = edge(exact, "tie", "tie published") - edge(exact, "tie", "tie optimal")
    assert sum(deviation.cost for deviation in result) == gain > 0


def test_the_published_order_is_the_best_of_all_static_orders(exact: Analysis) -> None:
    """All 10! orders at once: the best order of the totals in a set, built up set by set."""
    best = exact.strategies["tie optimal"]
    totals = exact.game.space("main").expectation.layouts.cell % 10  # type: ignore[attr-defined]
    rows = np.arange(len(best))
    has = np.bitwise_or.reduce(1 << totals, axis=1)
    worth = np.zeros((1 << 10, 10), dtype=np.int64)
    text = np.zeros((len(best), 10), dtype=bool)
    for split in range(10):
        total = totals[:, split]
        fresh = ~text[rows, total]
        np.add.at(worth, (has[fresh], total[fresh]), best.ev_sum[fresh, split])
        text[rows, total] = True
    inside = [[m for m in range(1 << 10) if m & ~s == 0] for s in range(1 << 10)]
    value: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for s in range(1, 1 << 10):
        options: list[tuple[int, tuple[int, ...]]] = []
        for total in range(10):
            if s >> total & 1:
                # Of the hands with totals in s alone, those that can show this one do.
                taken = int(worth[[m for m in inside[s] if m >> total & 1], total].sum())
                rest, order = value[s & ~(1 << total)]
                options.append((taken + rest, (total, *order)))
        value[s] = max(options)
    highest, order = value[(1 << 10) - 1]
    assert order == (8, 9, 7, 6, 5, 0, 4, 3, 2, 1)
    assert Fraction(-highest, DEALS) == edge(exact, "tie", "tie published")
    # The certificate's check finds the same in its own way.
    (check,) = checks.orders(exact)
    assert check.verdict == "pass"
    assert "all 3,628,800 orders" in check.coverage
    (result,) = check.evidence["best"]
    assert tuple(result["order"]) == order
    assert Fraction(result["edge"]["exact"]) == Fraction(-highest, DEALS)
    assert result["cost"]["exact"] == "0"


def test_an_order_that_is_not_the_best_is_told_its_cost() -> None:
    # Nine before eight: 1 to 1 before 6 to 1.
    (published,) = SPEC.strategy("tie published").prefers or ()
    wrong = published.replace("8 THEN 9 WHEN 9 THEN 8", "9 THEN 9")
    wrong = wrong.replace("WHEN 7 THEN 7", "WHEN 8 THEN 8 WHEN 7 THEN 7")
    spec = lean("tie", "tie optimal", "tie published")
    rules = tuple(
        rule.model_copy(update={"prefers": (wrong,)}) if rule.prefers else rule
        for rule in spec.strategies
    )
    analysis = Analysis(bind(spec.model_copy(update={"strategies": rules})), {})
    (check,) = checks.orders(analysis)
    (result,) = check.evidence["best"]
    assert result["order"] == [8, 9, 7, 6, 5, 0, 4, 3, 2, 1]
    cost = Fraction(result["cost"]["exact"])
    assert (
        cost == -analysis.strategies["tie published"].mean - Fraction(result["edge"]["exact"]) > 0
    )
    assert check.verdict == "pass"
    assert f"'tie published' loses {cost} more" in check.detail


def test_exceptions_to_the_published_order_stand_in_the_certificate(
    exact: Analysis,
) -> None:
    (pair,) = strategies.compared(exact)
    assert (pair["strategy"], pair["against"]) == ("tie optimal", "tie published")
    best, order = exact.strategies["tie optimal"], exact.strategies["tie published"]
    assert pair["count"] == int(np.sum(best.action != order.action)) == 2_183
    gain = edge(exact, "tie", "tie published") - edge(exact, "tie", "tie optimal")
    assert Fraction(pair["cost"]["exact"]) == gain


def lean(wager: str, *strategies: str) -> Spec:
    """The game with one wager under a few strategies: little to solve."""
    bet = SPEC.wager(wager).model_copy(update={"strategies": strategies})
    kept = tuple(SPEC.strategy(name) for name in strategies)
    none: dict[str, object] = dict.fromkeys(("joint", "charts", "published"), ())
    # No rule may stand in a game that nothing reads: copies matter to the main bet alone.
    rules = tuple(rule for rule in SPEC.rules if rule.name != "copies" or wager == "main")
    return SPEC.model_copy(update={"wagers": (bet,), "strategies": kept, "rules": rules, **none})


def priced(wager: str, changes: dict[str, str]) -> Priced:
    return analyse(lean(wager, "optimal").under(changes)).price(wager).priced


def test_readings_move_the_edge_as_they_must(exact: Analysis) -> None:
    main = edge(exact, "main")
    push = priced("main", {"copies": "push"}).house_edge
    player = priced("main", {"copies": "player"}).house_edge
    assert main > push > player
    assert main < priced("main", {"equal_totals": "push"}).house_edge
    assert main < priced("main", {"equal_totals": "dealer"}).house_edge
    assert main > priced("main", {"nine_nine": "push"}).house_edge
    assert priced("main", {"nine_nine": "player"}).house_edge < main
    assert priced("main", {"house_step_3": "pair only"}).house_edge != main
    assert priced("main", {"ace_two_three": "second"}).house_edge != main


def test_the_rank_of_ace_two_three_leaves_ties_alone(exact: Analysis) -> None:
    """No hand can set A-2-3 and another straight that leave one total: the totals stay."""
    for name in ("tie optimal", "tie published"):
        other = analyse(lean("tie", name).under({"ace_two_three": "second"}))
        assert edge(other, "tie", name) == edge(exact, "tie", name)


def test_human_rules_beat_the_house_way(exact: Analysis) -> None:
    edges = [
        edge(exact, "main", n) for n in ("house way", "5 rules", "10 rules", "15 rules", "optimal")
    ]
    assert edges == sorted(edges, reverse=True)
    # Brief: the dealer's own house way costs the player about 4.6 points.
    assert round(float(100 * (edges[0] - edges[-1])), 1) == 4.6


def test_the_search_for_rules_values_lists_exactly(exact: Analysis) -> None:
    main = exact.game.space("main")
    layouts = main.expectation.layouts  # type: ignore[attr-defined]
    hands = rule_lists.table(layouts.cell, exact.strategies["optimal"])
    for name in ("5 rules", "10 rules", "15 rules"):
        (text, *_) = exact.spec.strategy(name).prefers or ()
        lines = [line for line in text.splitlines() if "WHEN" in line]
        request = [dict(re.findall(r"player_(\w+) >= (\d+)", line)) for line in lines]
        rules = [(int(a.get("baccarat", 0)), int(a["poker_class"])) for a in request]
        assert len(rules) == int(name.removesuffix(" rules")) - 1
        assert rule_lists.edge(hands, rules) == edge(exact, "main", name)
    classes = rule_lists.thresholds(three_card())
    # Leading ranks: 5 to ace of nothing and of flushes, 10 each, pairs and triples of every rank,
    # straights and straight flushes from 3 to ace, 12 each.
    assert len(classes) == len({*classes}) == 10 + 13 + 10 + 12 + 13 + 12
    result, best = rule_lists.search(hands, classes, 5, seed=3, tries=40)
    assert (result, best) == rule_lists.search(hands, classes, 5, seed=3, tries=40)
    assert result == rule_lists.edge(hands, best) > edge(exact, "main", "optimal")


def test_poker_bet_counts(exact: Analysis) -> None:
    lines = {line.event: line.combinations for line in exact.price("poker").priced.lines}
    # Three kings of four and two other cards, or all four and one: 1 straight flush A-K-Q of a suit
    # lies in C(49, 2) hands; two suits need six cards, so that four times this is exact.
    assert lines["A-K-Q suited"] == 4 * 49 * 48 // 2
    assert sum(lines.values()) == HANDS


def test_joint_play_is_best_at_every_ratio(exact: Analysis, joint: Study) -> None:
    mine = joint.lines
    assert joint.loss(Fraction(0)) == edge(exact, "main", "optimal")
    peak = max(int(np.abs(mine.intercepts).max()), int(np.abs(mine.slopes).max()))
    assert peak * 31 * len(mine.base) < 1 << 62
    for step in range(31):
        ratio = Fraction(step, 6)
        worth = mine.intercepts * ratio.denominator + mine.slopes * ratio.numerator
        highest = int(worth.max(axis=1).sum())
        assert joint.loss(ratio) == Fraction(-highest, ratio.denominator * mine.unit * DEALS)


def test_every_hand_knows_its_poker_bet(exact: Analysis, joint: Study) -> None:
    # Σ of what the hands are worth is the bet's edge, which an enumeration of its own gives.
    weight, nets = joint.lines.base.deals.tolist(), joint.known["poker"]
    worth = sum(map(mul, weight, nets), Fraction()) / sum(weight)
    assert -worth == edge(exact, "poker")
    # A-K-Q suited pays 60, a straight beside a pair 2, two pairs nothing, by the pay table.
    for cards, net in (("Ah Kh Qh 5c 5d", 60), ("9c 8d 7h 7c 2s", 2), ("9c 9d 7h 7c 2s", -1)):
        assert nets[locate(parse_cards(cards))[0]] == net


def test_joint_loss_is_concave_and_ends_in_the_tie_optimum(exact: Analysis, joint: Study) -> None:
    for (start, loss, slope), (then, more, flatter) in pairwise(joint.pieces):
        assert start < then
        assert slope > flatter
        assert loss + then * slope == more + then * flatter
    assert joint.pieces[-1][2] == edge(exact, "tie", "tie optimal")
    assert [b.ratio for b in joint.breaks] == sorted(b.ratio for b in joint.breaks)
    assert {b.ratio for b in joint.breaks} - {0} == {p[0] for p in joint.pieces[1:]}


def test_envelopes_of_single_hands_against_a_fine_grid(joint: Study) -> None:
    one_side = joint.lines
    picked = np.random.default_rng(6).integers(0, len(one_side.base), 40)
    result = upper_envelopes(
        one_side.intercepts[picked], one_side.slopes[picked], one_side.base.allowed[picked]
    )
    for k, hand in enumerate(picked):
        mine = result.member == k
        starts = [
            Fraction(int(a), int(b))
            for a, b in zip(result.over[mine], result.under[mine], strict=True)
        ]
        for step in range(80):
            ratio = Fraction(step, 16)
            values = [i for i, start in enumerate(starts) if start <= ratio][-1]
            lines = zip(one_side.intercepts[hand], one_side.slopes[hand], strict=True)
            at = [int(a) + ratio * int(b) for a, b in lines]
            assert at[result.line[mine][values]] == max(at)
