"""Samples that are exhausted under other settings: drawn by seed, telling, and able to disagree."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from engine.analysis.binding import bind
from engine.contract.game import RuleValue
from engine.contract.strategy import Strategy
from engine.exact.tables import Table, integer
from engine.program.bound import Program
from engine.spec.loading import load_spec
from engine.spec.model import Spec
from engine.studies import agreement
from engine.studies.agreement import RANGES, difference, drawn, joined, sample

FU_BACC, RED_GREEN = load_spec("fu-bacc"), load_spec("red-green")


def test_ranges_are_drawn_in_order_and_apart() -> None:
    result = drawn(66_300, 100 * RANGES, 7, "bonus_pair", "face", "starts")
    assert [hi - lo for lo, hi in result] == [100] * RANGES
    assert result == tuple(sorted(result))
    stretch = 66_300 / RANGES
    assert all(int(lo / stretch) == n for n, (lo, _) in enumerate(result))
    assert all(hi <= (n + 1) * stretch for n, (_, hi) in enumerate(result))
    assert result == drawn(66_300, 100 * RANGES, 7, "bonus_pair", "face", "starts")
    assert result != drawn(66_300, 100 * RANGES, 8, "bonus_pair", "face", "starts")
    assert result != drawn(66_300, 100 * RANGES, 7, "bonus_pair", "rank", "starts")


def test_a_small_space_is_taken_whole() -> None:
    assert joined(drawn(40, 1000, 1), ()) == ((0, 40),)
    assert joined(drawn(2, 4, 1), ()) == ((0, 2),)


def test_ranges_laid_together_do_not_meet() -> None:
    assert joined(((8, 9), (1, 3)), ((3, 5), (4, 6))) == ((1, 6), (8, 9))


def table(*combinations: int) -> Table:
    feature = integer("margin", "", 0, 9)
    codes = np.arange(len(combinations), dtype=np.int64)
    return Table.of((feature,), {"margin": codes}, np.array(combinations, dtype=np.int64))


def test_the_first_differing_cell_is_named() -> None:
    assert difference(table(1, 2, 3), table(1, 2, 3)) == ""
    text = difference(table(1, 2000, 3), table(1, 1999, 4))
    assert text == "enumerate 2,000, exhaust 1,999 at margin = 1"
    assert difference(table(1, 2), table(1, 0)) == "enumerate 2, exhaust 0 at margin = 1"


def test_a_reading_of_few_deals_is_sampled_where_it_tells() -> None:
    """A pair of faces: 12 × 11 of 2,652 ordered hands, which a few starts of 66,300 would miss."""
    main, starts = sample(FU_BACC, ("bonus_pair", "face"), 3, {"main": RANGES, "starts": RANGES})
    assert (main.space, starts.space) == ("main", "starts")
    for one in (main, starts):
        assert one.read
        assert one.telling is True
        assert one.difference == ""
        assert len(one.ranges) == RANGES + 1
    assert starts.deals == sum(hi - lo for lo, hi in starts.ranges) == RANGES + 1
    assert (starts.deals_total, main.deals_total) == (66_300, 7_329_067_200)


def test_a_rule_that_wagers_alone_read_moves_nothing() -> None:
    result = sample(FU_BACC, ("bonus", "forced"), 3, {"main": 4, "starts": 4})
    assert [(one.read, one.telling, one.difference) for one in result] == [(False, False, "")] * 2


def test_a_change_that_no_deal_tells_is_sampled_more_widely() -> None:
    """Whether a tied round is played on after it has ended changes no hand of Fu Bacc's."""
    counts = {"main": RANGES, "starts": 50 * RANGES}
    result = sample(FU_BACC, ("tie_after_end", "stands"), 3, counts)
    assert [one.telling for one in result] == [False, False]
    taken = [sum(hi - lo for lo, hi in one.ranges) for one in result]
    assert taken == [count * agreement.WIDER for count in counts.values()]


def test_strategies_are_solved_under_the_change() -> None:
    spec = load_spec("double-ace")
    counts = dict.fromkeys(("main", "player-five", "dealer-five", "player-six"), 4)
    result = sample(spec, ("dealer_stands_on", 5), 1, counts)
    assert {one.strategy for one in result if one.space == "main"} == {
        strategy.name for strategy in spec.strategies
    }
    assert {one.difference for one in result} == {""}
    assert all(one.telling for one in result if one.space == "main")


class Overlooking:
    """Plants a fault: one space is enumerated as under other rules than the game is built for."""

    def __init__(self, patch: pytest.MonkeyPatch, space: str, rule: str, value: RuleValue) -> None:
        self.patch, self.space, self.rule, self.value = patch, space, rule, value
        patch.setattr(agreement, "bind", self)

    def __call__(self, spec: Spec) -> Program:
        program = bind(spec)
        game = program.game
        if spec.rule_values[self.rule] == self.value:
            right: Mapping[str, RuleValue] = load_spec(spec.game).rule_values
            other = bind(spec.under({self.rule: right[self.rule]})).game.space(self.space)
            self.patch.setattr(game.space(self.space), "enumerate", other.enumerate)
        return program


@pytest.mark.parametrize(
    ("spec", "space", "rule", "value", "counts"),
    [
        (FU_BACC, "main", "dealer_draws_to", 6, {"main": 100, "starts": 100}),
        (FU_BACC, "starts", "bonus_pair", "face", {"main": 4, "starts": 20_000}),
        (RED_GREEN, "main", "ace", "low", {"main": 2000, "bonus": 5}),
        (RED_GREEN, "main", "kings_split", "never", {"main": 2000, "bonus": 5}),
    ],
)
def test_an_enumeration_that_overlooks_a_reading_is_found(
    monkeypatch: pytest.MonkeyPatch,
    spec: Spec,
    space: str,
    rule: str,
    value: RuleValue,
    counts: Mapping[str, int],
) -> None:
    Overlooking(monkeypatch, space, rule, value)
    result = sample(spec, (rule, value), 1, counts)
    assert {one.space for one in result if one.difference} == {space}
    right = load_spec(spec.game)
    assert {
        one.difference for one in sample(right, (rule, right.rule_values[rule]), 1, counts)
    } == {""}


def test_a_fault_in_rare_deals_is_found_where_the_reading_tells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Three deuces, counted twice by an enumeration under the reading that makes them lose."""
    whole = bind(RED_GREEN).game.space("main")

    def doubling(spec: Spec) -> Program:
        program = bind(spec)
        if spec.rule_values["three_deuces"] == "loses":
            made = program.game.space("main")
            right = made.enumerate

            def doubled(
                lo: int, hi: int, strategy: Strategy | None, wanted: frozenset[str] | None
            ) -> Table:
                result = right(lo, hi, strategy, wanted)
                before = whole.enumerate(lo, hi, strategy, wanted)
                return result if not difference(result, before) else Table.merge([result, result])

            monkeypatch.setattr(made, "enumerate", doubled)
        return program

    monkeypatch.setattr(agreement, "bind", doubling)
    (main, bonus) = sample(RED_GREEN, ("three_deuces", "loses"), 1, {"main": 8, "bonus": 4})
    assert main.difference.startswith("enumerate ")
    assert bonus.difference == ""
