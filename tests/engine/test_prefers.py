"""Strategies by preference: the highest expected value of one expression, then of the next."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.analysis.analysis import Analysis, analyse
from engine.analysis.binding import bind_strategy
from engine.exact.errors import DealproofError
from engine.spec.loading import load_spec, spec_path
from engine.spec.model import StrategySpec

SPEC = load_spec("fu-bacc")


@pytest.fixture(scope="module")
def exact() -> Analysis:
    return analyse(SPEC)


def rule(*prefers: str, removal: bool = True) -> StrategySpec:
    return StrategySpec(
        name="liked",
        title="Liked",
        space="main",
        prefers=prefers,
        removal=removal,
        allowed="decision = 'play'",
    )


def test_an_expression_of_unseen_cards_counts_by_its_mean(exact: Analysis) -> None:
    # The tie bet nets 7 or −1, which is what its own optimum maximises.
    liked = exact.solve(
        bind_strategy(exact.program, rule("CASE WHEN winner = 'tie' THEN 7 ELSE -1 END"))
    )
    assert np.array_equal(liked.action, exact.strategies["tie optimal"].action)


def test_truth_counts_one_and_fractions_stay_exact(exact: Analysis) -> None:
    ties = exact.solve(bind_strategy(exact.program, rule("winner = 'tie'")))
    assert np.array_equal(ties.action, exact.strategies["tie optimal"].action)
    tenths = exact.solve(
        bind_strategy(exact.program, rule("0.1 * player_total - 0.3 * dealer_total"))
    )
    whole = exact.solve(bind_strategy(exact.program, rule("player_total - 3 * dealer_total")))
    assert np.array_equal(tenths.action, whole.action)


def test_later_expressions_break_ties_of_earlier_ones(exact: Analysis) -> None:
    never = exact.solve(bind_strategy(exact.program, rule("0", "player_cards")))
    always = exact.solve(bind_strategy(exact.program, rule("0", "0 - player_cards")))
    draw, stand = never.actions.index("draw"), never.actions.index("stand")
    assert set(never.action) == {draw}
    assert set(always.action) == {stand}
    # The first expression decides wherever it can.
    first = exact.solve(bind_strategy(exact.program, rule("player_cards", "0 - player_cards")))
    assert np.array_equal(first.action, never.action)


def test_a_liked_strategy_is_worth_what_its_wager_pays(exact: Analysis) -> None:
    liked = exact.solve(bind_strategy(exact.program, rule("winner = 'tie'")))
    ante = exact.strategies["optimal"]
    assert np.array_equal(liked.ev_sum, ante.ev_sum)


def test_errors_name_the_line(exact: Analysis) -> None:
    with pytest.raises(DealproofError, match=r"strategies\[liked\]\.prefers\[2\]: column 'winer'"):
        exact.solve(bind_strategy(exact.program, rule("0", "winer = 'tie'")))
    with pytest.raises(DealproofError, match=r"prefers\[1\]: .*is not a number"):
        exact.solve(bind_strategy(exact.program, rule("winner")))
    with pytest.raises(DealproofError, match=r"removal: space main cannot forget"):
        exact.solve(bind_strategy(exact.program, rule("player_total", removal=False)))


@pytest.mark.parametrize(
    ("added", "message"),
    [
        ('maximises = { ante = 1 }\nprefers = ["player_total"]', "give either"),
        ("", "give either 'maximises', 'choose' or 'prefers'"),
        ("prefers = []", "prefers"),
        ('prefers = ["player_total"]\nby = ["player_initial_total"]', "goes with 'maximises' only"),
        (
            'choose = [{ when = "true", action = "stand" }]\nremoval = false',
            "goes with expected values only",
        ),
    ],
)
def test_a_spec_gives_one_way_to_decide(tmp_path: Path, added: str, message: str) -> None:
    text = spec_path("fu-bacc").read_text(encoding="utf-8")
    extra = f'\n[[strategies]]\nname = "x"\ntitle = "X"\nspace = "main"\n{added}\n'
    path = tmp_path / "fu-bacc.toml"
    path.write_text(text + extra, encoding="utf-8")
    with pytest.raises(DealproofError, match=message):
        load_spec(str(path))
