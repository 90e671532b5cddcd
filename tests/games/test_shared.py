"""What the methods of a game share, each part counted by itself against its closed counts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.analysis.binding import make_game
from engine.cards.hands import baccarat, three_card
from engine.contract.shared import POINTS as POINTS_OF_CARDS
from engine.contract.shared import Shared
from engine.spec.loading import catalogue, load_spec
from tasks.certificate.shared import shared

GAMES = {name: make_game(load_spec(name))[0] for name in catalogue()}
PARTS: list[tuple[str, Shared]] = list(
    {(p.module, p.name): (game, p) for game, g in GAMES.items() for p in g.shared}.values()
)


@pytest.mark.parametrize(("game", "part"), PARTS, ids=[p.module for _, p in PARTS])
def test_shared_parts_meet_their_closed_counts(game: str, part: Shared) -> None:
    assert dict(part.counted()) == dict(part.counts), game
    assert part.description.endswith(".")


@pytest.mark.parametrize("game", GAMES)
def test_the_check_passes_for_every_game(game: str) -> None:
    check = shared(GAMES[game].shared)
    assert (check.verdict, check.required) == ("pass", True), check.detail


def test_a_card_value_that_is_wrong_for_all_methods_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wrong = baccarat.POINTS.copy()
    wrong[[16, 20]] = wrong[[20, 16]]  # a five and a six change places
    monkeypatch.setattr(baccarat, "POINTS", wrong)
    check = shared(GAMES["punto-banco"].shared)
    assert check.verdict == "fail"
    assert "points of cards: 5 counts 6, plainly 5" in check.detail


def test_an_order_of_hands_that_is_wrong_for_all_methods_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = three_card.three_card()
    swapped = right.class_of.copy()
    first, second = np.flatnonzero(swapped == 100), np.flatnonzero(swapped == 101)
    swapped[first], swapped[second] = 101, 100
    monkeypatch.setattr(three_card, "three_card", lambda: right._replace(class_of=swapped))
    check = shared(GAMES["bacc-plus-3"].shared)
    assert check.verdict == "fail"
    assert "is class 101, not 100" in check.detail


def test_a_count_that_is_wrong_is_named() -> None:
    part = POINTS_OF_CARDS
    wrong = replace(part, counts={**part.counts, "cards that count nothing": 15})
    check = shared((wrong,))
    assert "16 cards that count nothing, 15 by closed form" in check.detail
