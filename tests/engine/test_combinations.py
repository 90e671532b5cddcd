"""All combinations of readings: grouped as the study does, and all at once."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from engine.analysis.analysis import Analysis
from engine.analysis.binding import bind
from engine.spec.loading import load_spec
from engine.studies import combinations
from engine.studies.printed import MET
from engine.studies.published import compare

FU_BACC = load_spec("fu-bacc")


def found(game: str) -> list[combinations.Found]:
    spec = load_spec(game)
    return [
        combinations.Found(
            group,
            tuple(combinations.attempt(spec, group, combinations.combinations_of(spec, group))),
        )
        for group in combinations.groups(spec)
    ]


@pytest.fixture(scope="module")
def fu_bacc() -> list[combinations.Found]:
    return found("fu-bacc")


def test_the_source_of_fu_bacc_is_found_unaided(fu_bacc: list[combinations.Found]) -> None:
    """Of 72 combinations three are left; they differ in a reading that no figure depends on."""
    assert combinations.number(FU_BACC) == 72
    assert combinations.meeting(FU_BACC, fu_bacc) == 3
    (main,) = (one for one in fu_bacc if "ante" in one.group.wagers)
    (only,) = main.meeting
    assert dict(only.values) == {
        name: value for name, value in FU_BACC.rule_values.items() if name in only.values
    }


def test_groups_give_what_all_combinations_together_give(
    fu_bacc: list[combinations.Found],
) -> None:
    """Every combination of all five readings at once, without any grouping."""
    figures = combinations.figures_to_meet(FU_BACC)
    spec = FU_BACC.model_copy(update={"published": figures})
    readings = [rule for rule in spec.rules if rule.reading]
    meeting = 0
    for values in product(*(rule.choices for rule in readings)):
        chosen = {rule.name: value for rule, value in zip(readings, values, strict=True)}
        under = spec.under(chosen)
        verdicts = {c.verdict for c in compare(Analysis(bind(under)), under.rule_values)}
        meeting += verdicts <= set(MET)
    assert meeting == combinations.meeting(FU_BACC, fu_bacc) == 3


def test_dai_bacc_leaves_one_combination() -> None:
    """Eleven figures of Dai Bacc at the decks that it is certified with."""
    spec = load_spec("dai-bacc")
    studied = found("dai-bacc")
    assert combinations.number(spec) == 16
    for one in studied:
        certified = [
            tried
            for tried in one.meeting
            if all(spec.rule_values[name] == value for name, value in tried.values.items())
        ]
        assert len(certified) == 1, one.group


def test_a_misprint_is_met_by_nothing(fu_bacc: list[combinations.Found]) -> None:
    figures = tuple(
        figure.model_copy(update={"printed": "9.99%"}) if figure.printed == "3.05%" else figure
        for figure in FU_BACC.published
    )
    spec = FU_BACC.model_copy(update={"published": figures})
    (group,) = (g for g in combinations.groups(spec) if "ante" in g.wagers)
    tried = combinations.attempt(spec, group, combinations.combinations_of(spec, group))
    assert not combinations.Found(group, tuple(tried)).meeting
    best = min(tried, key=lambda one: len(one.missed))
    assert [figure.printed for figure in best.missed] == ["9.99%"]
    assert replace(best, missed=()).edges[("ante", "optimal")] is not None
