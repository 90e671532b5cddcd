"""`deal`: only the cards of the round, in the order in which they were dealt."""

from __future__ import annotations

import re

import pytest

from tests.cli.conftest import Dealproof

CARD = re.compile("[A2-9TJQK][♣♦♥♠]")


@pytest.mark.parametrize("game", ["fu-bacc", "punto-banco", "red-green"])
@pytest.mark.parametrize("seed", ["3", "4", "7"])
def test_every_card_that_is_listed_went_to_somebody(
    in_process: Dealproof, game: str, seed: str
) -> None:
    text = in_process("deal", game, "--seed", seed).out
    listed = next(line for line in text.splitlines() if "cards dealt" in line)
    cards = CARD.findall(listed)
    taken = {"fu-bacc": "dealt|shows|draws|card is", "punto-banco": "dealt|draws"}
    word = re.compile(taken.get(game, "is dealt"))
    steps = [line.split(" (")[0].split(" and sets")[0] for line in text.splitlines()[2:]]
    given = [card for line in steps if word.search(line) for card in CARD.findall(line)]
    assert sorted(cards) == sorted(given)
    assert listed.startswith(f"{len(cards)} cards dealt")


def test_nobody_draws_to_a_natural(in_process: Dealproof) -> None:
    """In baccarat a natural ends the round with four cards."""
    for seed in map(str, range(20)):
        text = in_process("deal", "punto-banco", "--seed", seed).out
        if "a natural" in text:
            assert "4 cards dealt" in text
            return
    raise AssertionError("no natural in 20 rounds")  # 0.34 a round
