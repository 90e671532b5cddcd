"""`shoes`: whole shoes against the exact fresh shoe, repeatable, with errors stated."""

from __future__ import annotations

from fractions import Fraction

from tests.cli.conftest import Dealproof


def test_whole_shoes_are_told_with_their_errors(in_process: Dealproof) -> None:
    """Wizard of Odds, Baccarat: Tie at 8 to 1 has an edge of 14.3596% from a fresh shoe."""
    request = ("shoes", "punto-banco", "--wager", "tie", "--wager", "player", "--shoes", "5000")
    answer = in_process(*request, "--seed", "4", "--json")
    text = answer.json
    assert "8,192 of 8,192 shoes" in answer.err
    assert (text["shoes"], text["behind"], text["seed"]) == (8192, 14, 4)
    assert [w["wager"] for w in text["wagers"]] == ["tie", "player"]
    for wager, fresh in zip(text["wagers"], ("14.3596%", "1.2351%"), strict=True):
        exact, whole, effect = (
            float(Fraction(wager[name]["exact"]))
            for name in ("fresh_shoe", "whole_shoes", "effect")
        )
        assert f"{exact:.4%}" == fresh
        assert abs(whole - exact) < 5 * wager["standard_error"]
        assert abs(effect) < 5 * wager["effect_standard_error"]
        assert 0 < wager["effect_standard_error"] < wager["standard_error"]
    again = in_process(*request, "--seed", "4", "--workers", "1", "--json").json
    assert again == text
    assert in_process(*request, "--seed", "5", "--json").json["wagers"] != text["wagers"]


def test_a_table_names_the_procedure(in_process: Dealproof) -> None:
    text = in_process(
        "shoes", "dai-bacc", "--wager", "ox-6", "--shoes", "1", "--rounds", "5", "--no-burn",
        "--set", "decks=6",
    ).out  # fmt: skip
    assert "4,096 whole shoes, 5 rounds each, nothing burnt; seed 1" in text
    assert "20,480 rounds, 5.000 a shoe" in text
    assert "10.3841%" in text
    assert "SE: the standard error of the figure before it" in " ".join(text.split())
    assert "over 4,096 shoes; a shoe is one observation" in text


def test_what_no_shoe_can_give_is_refused(in_process: Dealproof) -> None:
    answer = in_process("shoes", "punto-banco", "--wager", "tie", "--cut-card", "5")
    assert (answer.status, "behind = 5: allowed: 11 … 399" in answer.err) == (1, True)
