"""Expressions and strategies in words, read by hand against the sources they are taken from."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from engine.analysis.binding import bind
from engine.program.wording import Wording, strategy_lines
from engine.spec.loading import catalogue, load_spec


def lines(game: str, strategy: str, **rules: str) -> tuple[str, ...]:
    program = bind(load_spec(game).under(rules))
    return strategy_lines(program.strategy(strategy))


@pytest.mark.parametrize("game", catalogue())
def test_no_strategy_shows_a_column_a_class_or_a_sign(game: str) -> None:
    program = bind(load_spec(game))
    for name, strategy in program.strategies.items():
        text = "\n".join(strategy_lines(strategy))
        assert text, name
        assert not re.search(r"[a-z]_[a-z]|[<>=]|\bCASE\b|\bTHEN\b|\d{3}", text), text


def test_the_published_three_lines() -> None:
    # shared reading of the source: stand on a total equal to the up-card, and on 6 or more
    assert lines("fu-bacc", "tie published") == (
        "The first line that holds decides, where its action is open:",
        ("1. stand if the player's total equals the dealer's up-card or the player's total is "
        "6 or more"),
        "2. draw",
        "Only actions after which this holds for certain are open: the player's choice is play.",
    )  # fmt: skip


def test_words_are_those_of_the_rules_as_they_are_set() -> None:
    text = lines("fu-bacc", "tie published", naturals="stand")
    assert text[1] == "1. stand if the player's total is 8 or more"
    assert "the category of the poker hand is pair or flush" in lines("bacc-plus-3", "house way")[3]
    only = lines("bacc-plus-3", "house way", house_step_3="pair only")[3]
    assert only == "3. the category of the poker hand is pair"


def test_thresholds_are_called_by_the_hands_that_they_stand_for() -> None:
    # the spec's own comment: 156 king high, 382 a pair of jacks, 707 a 6-high straight, …
    text = lines("bacc-plus-3", "10 rules")
    assert text[0] == "Take the split that meets the earliest of these lines that any split meets:"
    assert text[1:4] == (
        "1. the baccarat total is 6 or more and the poker hand is a 6-high straight or better",
        "2. the baccarat total is 7 or more and the poker hand is a pair of jacks or better",
        "3. the poker hand is a king-high straight or better",
    )
    assert text[-3:] == (
        "10. none of these: any split",
        "Among equals the split with the highest baccarat total.",
        "Among equals the split with the highest poker hand.",
    )


def test_an_order_of_values_is_told_as_the_source_prints_it() -> None:
    # Baccarat + 3, Tie: 8, 9, 7, 6, 5, 0, 4, 3, 2, 1
    (text,) = lines("bacc-plus-3", "tie published")
    assert text.endswith("order of the baccarat total: 8, 9, 7, 6, 5, 0, 4, 3, 2, 1.")


def test_an_optimum_says_what_it_maximises_and_what_is_closed_to_it() -> None:
    assert "highest expected result of Ante and Tie together" in lines("fu-bacc", "ante and tie")[0]
    assert lines("double-ace", "never double")[1].endswith("open: the bet was not doubled.")
    assert lines("double-ace", "by totals")[0].startswith(
        "All hands with the same value of the player's total take one action"
    )


def test_own_words_of_a_spec_come_first() -> None:
    spec = load_spec("double-ace")
    chart = spec.strategy("chart").model_copy(update={"in_words": ("Double an ace.",)})
    others = tuple(chart if s.name == "chart" else s for s in spec.strategies)
    program = bind(spec.model_copy(update={"strategies": others}))
    assert strategy_lines(program.strategy("chart")) == ("Double an ace.",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("player_total >= 7", "the player's final total is 7 or more"),
        ("player_total > 18", "the player's final total is 19 or more"),
        ("20 <= player_total", "the player's final total is 20"),
        ("dealer_bust = 0", "the dealer's final hand does not exceed ten"),
        ("player_double_ace = 1", "the player's final hand is two aces"),
        ("decks = 6", True),
        ("decks = 6 and held_total between 3 and 5", "the player's total is from 3 to 5"),
        ("decks = 8 or held_total <> 3", "the player's total is not 3"),
        ("not (decks = 6) and held_total = 3", False),
        (
            "held_total = 2 and (held_cards = 1 or doubled = 1)",
            (
                "the player's total is 2 and either the number of cards held is 1 or the bet was "
                "doubled"
            ),
        ),
    ],
)
def test_conditions(text: str, message: str | bool) -> None:
    program = bind(load_spec("double-ace"))
    space = program.strategy("optimal").space
    words = Wording(space, program.strategy("optimal").constants)
    assert words.condition(text) == message


def test_grades_name_every_class_in_ascending_order() -> None:
    program = bind(load_spec("bacc-plus-3"))
    names = program.strategy("optimal").space.grades("player_poker_class")
    # without a pair 5 high to ace high, 13 pairs, flushes as without, straights 3-high to ace-high
    assert len(names) == 741
    runs = [a for a, b in pairwise([*names, ""]) if a != b]
    assert len(runs) == len(set(runs)) == 10 + 13 + 10 + 12 + 13 + 12
    assert (names[0], names[-1]) == ("5 high", "an ace-high straight flush")
    assert (runs[10], runs[22]) == ("a pair of 2s", "a pair of aces")
