"""Whole shoes of Punto Banco: averages, their errors, burning and the cut card."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from engine.analysis.analysis import Analysis, analyse
from engine.analysis.binding import bind
from engine.contract.shoes import BLOCK, Procedure, Shoes
from engine.exact.errors import DealproofError
from engine.exact.roots import root
from engine.spec.loading import load_spec
from tasks.run import shoes as study
from tests.games.punto_banco_tables import game

NAMES = ("player", "banker", "tie", "dragon-7", "panda-8")
BLOCKS = 16


@cache
def bets() -> tuple[Analysis, np.ndarray]:
    """Library wagers priced alone, and their nets in twentieths of a unit on every row."""
    spec = load_spec("punto-banco")
    result = Analysis(bind(spec))
    kept = tuple(map(result.program.wager, NAMES))
    pricer = result.pricer("main", kept)
    values = [pricer.value([(wager, Fraction(1))]) for wager in kept]
    return result, np.stack([value.net * (20 // value.net_unit) for value in values])


@cache
def dealt(procedure: Procedure = Procedure(), blocks: range = range(BLOCKS)) -> Shoes:  # noqa: B008
    result, nets = bets()
    kept = tuple(map(result.program.wager, NAMES))
    return game().shoes("main", result.pricer("main", kept).table, nets, blocks, 11, procedure)


def exact(bet: int) -> Fraction:
    """Average net a round from a fresh shoe, in twentieths."""
    return 20 * bets()[0].price(NAMES[bet]).priced.mean


def in_blocks(whole: Shoes) -> list[Shoes]:
    cuts = [slice(lo, lo + BLOCK) for lo in range(0, len(whole.rounds), BLOCK)]
    return [Shoes(whole.rounds[c], whole.net[:, c], whole.first, whole.head[:, c]) for c in cuts]


def test_so_many_rounds_a_shoe_average_to_the_exact_edges() -> None:
    """Without a cut card the fresh shoe's edge is met, and its errors are standard errors."""
    whole = dealt(Procedure(rounds=20))
    assert whole.rounds.tolist() == [20] * (BLOCKS * BLOCK)
    for bet, name in enumerate(NAMES):
        miss = float(whole.mean(bet) - exact(bet))
        assert abs(miss) < 5 * whole.error(bet)
        assert whole.effect(bet, exact(bet)) == (whole.mean(bet) - exact(bet), whole.error(bet))
        # Rounds within a shoe depend little on each other: near deviation / √rounds.
        plain = (
            20 * float(root(bets()[0].price(name).priced.variance)) / np.sqrt(20 * BLOCKS * BLOCK)
        )
        assert 0.97 < whole.error(bet) / plain < 1.03
    misses = [
        float(part.mean(bet) - exact(bet)) / part.error(bet)
        for part in in_blocks(whole)
        for bet in range(len(NAMES))
    ]
    # 80 squares of standard normals average to 1 ± 0.16; the bets of one block are correlated.
    assert 0.4 < np.mean(np.square(misses)) < 1.8


def test_the_luck_of_the_first_rounds_is_taken_out() -> None:
    whole = dealt()
    assert whole.first == (416 - 14 - 11) // 6 == 65
    assert whole.rounds.min() >= 65
    # The same streams, stopped after 65 rounds.
    assert np.array_equal(dealt(Procedure(rounds=65), range(2)).net, whole.head[:, : 2 * BLOCK])
    for bet in range(len(NAMES)):
        plain = float(whole.mean(bet) - exact(bet))
        effect, error = whole.effect(bet, exact(bet))
        assert error < 0.55 * whole.error(bet)
        # Both estimate the same; what they differ by is the luck of the first rounds.
        luck = whole.head[bet].std() * np.sqrt(len(whole.rounds)) / whole.rounds.sum()
        assert abs(plain - float(effect)) < 5 * luck
        parts = [part.effect(bet, exact(bet)) for part in in_blocks(whole)]
        spread = np.std([float(e) for e, _ in parts], ddof=1)
        assert 0.5 < spread / np.mean([e for _, e in parts]) < 1.7


def test_more_blocks_keep_the_earlier_shoes() -> None:
    fewer = dealt(Procedure(), range(1, 2))
    assert np.array_equal(fewer.net, dealt().net[:, BLOCK : 2 * BLOCK])


def test_burning_and_the_cut_card_are_read() -> None:
    def rounds(behind: int, burns: bool) -> float:
        return float(dealt(Procedure(behind, burns), range(1)).rounds.mean())

    # A round uses 4·0.378868 + 5·0.303444 + 6·0.317687 = 4.9388 cards (Wizard of Odds, 4-5-6);
    # one card and on average (10·4 + 1 + … + 9) / 13 = 85/13 more are burnt.
    cards = 4.9388
    assert rounds(14, True) - rounds(114, True) == pytest.approx(100 / cards, abs=0.1)
    assert rounds(14, False) - rounds(14, True) == pytest.approx((1 + 85 / 13) / cards, abs=0.1)
    for procedure in (Procedure(10), Procedure(405), Procedure(rounds=68), Procedure(rounds=0)):
        with pytest.raises(DealproofError, match=r"allowed|for sure"):
            dealt(procedure, range(1))


def test_a_study_does_not_depend_on_threads() -> None:
    spec = load_spec("punto-banco")
    text: list[tuple[int, int]] = []
    one = study.study(
        analyse(spec), NAMES, shoes=5000, seed=11, progressed=lambda *shoes: text.append(shoes)
    )
    two = study.study(analyse(spec), NAMES, shoes=8192, seed=11, workers=2)
    assert one == two
    assert text == [(4096, 8192), (8192, 8192)]
    assert (one.shoes, one.first) == (8192, 65)
    whole = Shoes.merge(in_blocks(dealt())[:2])
    for bet, effect in enumerate(one.effects):
        assert effect.fresh == -exact(bet) / 20
        assert effect.dealt == -whole.mean(bet) / 20
        assert effect.error == pytest.approx(whole.error(bet) / 20)


@pytest.mark.parametrize(
    ("name", "wagers", "message"),
    [
        ("red-green", ("red",), "no whole shoes"),
        ("red-green", ("red", "bonus"), "wagers of one space"),
        ("fu-bacc", (), "the player decides"),
        ("punto-banco", ("lucky-match",), "bets of main only"),
        ("punto-banco", ("plyer",), "did you mean 'player'"),
    ],
)
def test_what_cannot_be_studied(name: str, wagers: tuple[str, ...], message: str) -> None:
    with pytest.raises(DealproofError, match=message):
        study.study(analyse(load_spec(name)), wagers, shoes=1)
