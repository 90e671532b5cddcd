"""Printed figures: digits, signs, percentages, and verdicts."""

from __future__ import annotations

from fractions import Fraction
from math import comb, perm

import pytest

from engine.analysis.analysis import Analysis, analyse
from engine.analysis.binding import bind
from engine.exact.errors import DealproofError
from engine.spec.base import Model
from engine.spec.figures import Published, PublishedTable, figures
from engine.spec.loading import load_spec, parse
from engine.spec.model import Event, Spec, Wager
from engine.studies.bases import Count, in_basis, source_basis
from engine.studies.printed import Comparison, Printed, figures_met
from engine.studies.published import compare
from tasks.certificate.checks import published


@pytest.mark.parametrize(
    ("text", "value", "half"),
    [
        ("3.05%", Fraction(305, 10_000), Fraction(1, 20_000)),
        ("1,403,360,904", Fraction(1_403_360_904), Fraction(1, 2)),
        ("-0.030496", Fraction(-30_496, 10**6), Fraction(1, 2 * 10**6)),
        (".5", Fraction(1, 2), Fraction(1, 20)),
    ],
)
def test_digits(text: str, value: Fraction, half: Fraction) -> None:
    assert Printed.read(text) == Printed(value, half)


@pytest.mark.parametrize("text", ["", "three", "3.0.5", "%", "1e5"])
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(DealproofError, match="printed"):
        Printed.read(text)


def test_an_inexact_change_of_basis_is_refused() -> None:
    assert in_basis(6, 12, 4) == 2
    with pytest.raises(DealproofError, match="not a whole number"):
        in_basis(5, 12, 4)


FU_BACC = load_spec("fu-bacc")


@pytest.fixture(scope="module")
def fu_bacc() -> Analysis:
    return analyse(FU_BACC)


def laid(analysis: Analysis, spec: Spec) -> Analysis:
    """The same tables and strategies under a spec of other wagers or figures."""
    return Analysis(bind(spec), analysis.tables, analysis.strategies)


def compared(analysis: Analysis, *figures: Published) -> tuple[Comparison, ...]:
    """What these figures come to, compared with what is already analysed."""
    spec = analysis.spec.model_copy(update={"published": figures})
    return compare(laid(analysis, spec), spec.rule_values)


def tie(printed: str, **changes: object) -> Published:
    """The printed edge of the Tie bet, 10.41%, with something else in its place."""
    figure = next(f for f in FU_BACC.published if f.wager == "tie")
    return figure.model_copy(update={"printed": printed, **changes})


def test_every_verdict(fu_bacc: Analysis) -> None:
    def verdict(printed: str, **changes: object) -> tuple[str, str]:
        (result,) = compared(fu_bacc, tie(printed, **changes))
        return result.verdict, result.reason

    assert verdict("10.41%") == ("match", "")
    assert verdict("10.42%") == ("refuted", "not explained")
    assert verdict("10.42%", refuted_because="misprint") == ("refuted", "misprint")
    # Ours is 10.4101%: 0.0099% from 10.42%.
    text = (
        "standard error 0.01%, off by 1.0 of them; allowed 3 and half a unit of the last printed "
        "digit"
    )
    assert verdict("10.42%", error="0.01%") == ("within error", text)
    assert "off by 2.5 of them" in verdict("10.42%", error="0.004%")[1]
    assert verdict("10.46%", error="0.01%")[0] == "refuted"
    assert verdict("10.41%", rules={"decks": 2})[0] == "not applicable"
    # The chart is the Ante bet's, but a Tie bet may be played by it too, and then costs more.
    assert verdict("10.41%", strategy="chart")[0] == "refuted"


def test_only_an_explanation_explains(fu_bacc: Analysis) -> None:
    """The planted fault: 9.99% in print for an edge of 3.05%, with a note."""
    ante = next(f for f in FU_BACC.published if f.printed == "3.05%")
    planted = ante.model_copy(update={"printed": "9.99%", "note": "a misprint of the source"})
    check = published(compared(fu_bacc, planted))
    assert (check.verdict, check.required) == ("fail", True)
    assert "ante house edge 9.99%: refuted, and 'refuted_because' does not say why" in check.detail

    explained = planted.model_copy(update={"refuted_because": "the source forgets the bonus"})
    check = published(compared(fu_bacc, explained))
    assert check.verdict == "pass"
    assert "ante house edge 9.99% refuted: the source forgets the bonus" in check.detail


def test_an_explanation_of_what_agrees_is_a_fault(fu_bacc: Analysis) -> None:
    check = published(compared(fu_bacc, tie("10.41%", refuted_because="a misprint")))
    assert (check.verdict, check.required) == ("fail", True)
    assert "match, although 'refuted_because' explains a difference" in check.detail


def test_where_no_figure_applies_nothing_passes(fu_bacc: Analysis) -> None:
    for printed in ((), (tie("10.41%", rules={"decks": 2}),)):
        check = published(compared(fu_bacc, *printed))
        assert (check.verdict, check.required) == ("no figure applies", False)


@pytest.mark.parametrize(
    ("printed", "ours", "kept"),
    [
        ("3,460,101,558,850,300", 3_460_101_558_850_304, True),  # Wizard of Odds, Dragon Bonus
        ("2,292,252,566,437,890", 2_292_252_566_437_888, True),  # rounded up
        ("2,230,518,282,592,250", 2_230_518_282_592_256, True),  # cut
        ("2,230,518,282,592,260", 2_230_518_282_592_256, True),  # rounded
        ("2,230,518,282,592,240", 2_230_518_282_592_256, False),
        ("2,230,518,282,592,251", 2_230_518_282_592_256, False),
        ("4,998,398,275,503,360", 4_998_398_275_503_360, False),  # equal: no need of it
        ("123,456,789,012,340", 123_456_789_012_345, False),  # 15 digits are kept whole
        ("12,345,678,901,234,600", 12_345_678_901_234_567, True),
        ("12,345,678,901,234,560", 12_345_678_901_234_567, False),  # 16 digits are too many
        ("-3,460,101,558,850,300", 3_460_101_558_850_304, False),
        ("3,460,101,558,850,300.5", 3_460_101_558_850_304, False),
    ],
)
def test_what_a_spreadsheet_keeps(printed: str, ours: int, kept: bool) -> None:
    assert Printed.read(printed).is_of_spreadsheet(Fraction(ours)) is kept


#: Eight decks: the first four cards in order, as two hands, as four cards, as one hand.
BASES = {
    "ordered deals": perm(416, 4),
    "deals of two cards each, unordered": comb(416, 2) * comb(414, 2),
    "hands of four cards": comb(416, 4),
    "hands of two cards": comb(416, 2),
}
FOUR_NINES = Fraction(comb(32, 4), comb(416, 4))


def counted(*printed: str, total: str = "", stated: bool = False) -> str | None:
    """The basis of a table that prints these counts of four nines."""
    counts = [Count(Printed.read(text), FOUR_NINES, False) for text in printed]
    if total:
        counts.append(Count(Printed.read(total), Fraction(1), True))
    return source_basis(counts, BASES, "ordered deals", stated)


def test_a_table_is_counted_in_one_basis() -> None:
    # Wizard of Odds, Lucky Nines: 35,960 of 1,229,930,520.
    assert counted("35,960") == "hands of four cards"
    assert counted("35,960", total="1,229,930,520") == "hands of four cards"
    assert counted(f"{perm(32, 4)}") == "ordered deals"
    # A wrong count is one in the basis of its own table, whatever it equals in another.
    assert counted("35,960", total=f"{perm(416, 4)}") == "ordered deals"
    assert counted("35,960", f"{perm(32, 4)}") == "ordered deals"
    assert counted("35,961") == "ordered deals"
    assert counted("35,960", total="1,229,930,521") is None
    assert counted("35,961", total="1,229,930,521", stated=True) == "ordered deals"


def nines(printed: str, quantity: str = "combinations", **changes: object) -> Published:
    text = {"wager": "nines", "source": "Wizard of Odds, Lucky Nines", "quantity": quantity}
    event = {} if quantity == "deals" else {"event": "Four nines"}
    return Published.model_validate({**text, **event, "printed": printed, **changes})


@pytest.fixture(scope="module")
def four_nines() -> Analysis:
    when = " and ".join(f"{side}_{end} = 9" for side in ("player", "banker") for end in
                        ("low", "high"))  # fmt: skip
    events = (
        Event(event="Four nines", when=when, pays="500 to 1"),
        Event(event="All other", when="true", pays="lose"),
    )
    spec = load_spec("punto-banco")
    wager = Wager(name="nines", title="Nines", space="first-four", events=events)
    bare = dict.fromkeys(("published", "distributions"), ())
    return analyse(spec.model_copy(update={**bare, "wagers": (wager,)}))


def test_hands_in_print_are_hands_here_too(four_nines: Analysis) -> None:
    (result,) = compared(four_nines, nines("35,960"))
    assert (result.verdict, result.basis) == ("match", "hands of four cards")
    assert result.ours == 35_960
    assert result.reason == "counted in hands of four cards, 1,229,930,520 of them"
    (result,) = compared(four_nines, nines("35,961"))
    assert result.verdict == "refuted"
    (result,) = compared(four_nines, nines("35,961", counted_in="hands of four cards"))
    assert (result.verdict, result.ours) == ("refuted", Fraction(35_960))
    (result,) = compared(four_nines, nines("35,960", counted_in="ordered deals"))
    assert (result.verdict, result.ours) == ("refuted", Fraction(perm(32, 4)))


def test_an_unknown_basis_is_not_comparable(four_nines: Analysis) -> None:
    result = compared(four_nines, nines("35,960"), nines("1,229,930,521", "deals"))
    assert [(c.verdict, c.ours) for c in result] == [("not comparable", None)] * 2
    assert "1,229,930,520 hands of four cards" in result[0].reason
    assert published(result).verdict == "no figure applies"
    # 86,320 · 35,960 / 1,229,930,520 = 2.52…
    (one,) = compared(four_nines, nines("3", counted_in="hands of two cards"))
    assert one.verdict == "not comparable"
    assert "is not a whole number" in one.reason


def test_a_basis_has_to_be_one_of_the_space(four_nines: Analysis) -> None:
    wrong = nines("35,960", counted_in="hands of four card")
    with pytest.raises(DealproofError, match=r"published\.counted_in.*did you mean 'hands of"):
        compared(four_nines, wrong)


def test_figures_met_are_counted_once(fu_bacc: Analysis) -> None:
    """One count for the closing table, the report, the certificate and the data."""
    result = figures_met(compare(fu_bacc, FU_BACC.rule_values), fu_bacc.results)
    printed = [f for f in FU_BACC.published if f.wager == "ante"]
    assert result["ante", "optimal"].verdict == f"match ({len(printed)} of {len(printed)})"
    assert result["ante", "optimal"].edge == "3.05%"
    assert result["ante", "chart"].verdict == "none in print"
    assert sum(f.printed for f in result.values()) == len(FU_BACC.published)

    away = [tie("10.41%", rules={"decks": 2}), tie("10.42%"), tie("10.41%")]
    (one,) = (
        f for key, f in figures_met(compared(fu_bacc, *away), fu_bacc.results).items()
        if key == ("tie", "tie published")
    )  # fmt: skip
    assert (one.printed, one.tried, one.met) == (3, 2, 1)
    assert one.verdict == "refuted (1 of 2)"
    (one,) = (
        f for f in figures_met(compared(fu_bacc, away[0]), fu_bacc.results).values() if f.printed
    )
    assert one.verdict == "no figure applies"


def test_a_recovered_pay_table_is_not_confirmed(fu_bacc: Analysis) -> None:
    wagers = tuple(
        w.model_copy(update={"recovered_from": ("10.41%",)}) if w.name == "tie" else w
        for w in FU_BACC.wagers
    )
    spec = FU_BACC.model_copy(update={"wagers": wagers})
    (result,) = compared(laid(fu_bacc, spec), tie("10.41%"))
    assert result.verdict == "recovered"
    check = published((result,))
    assert (check.verdict, check.evidence["match"]) == ("no figure applies", 0)


class Tables(Model):
    """Nothing but figures in print."""

    published: tuple[PublishedTable, ...]


def test_a_row_inherits_from_its_table_and_wins_over_it() -> None:
    text = """
        [[published]]
        source  = "A table"
        wager   = "tie"
        note    = "of all"
        rules   = { decks = 1 }
        figures = [
          { event = "Tie", combinations = "12", probability = "0.5" },
          { wager = "ante", rules = { bonus = "forced" }, note = "mine", house_edge = "1%" },
        ]
    """
    (table,) = parse(text, Tables, "a file").published
    one, other, last = figures((table,), {"decks": 1, "bonus": "optional"})
    assert (one.quantity, one.printed) == ("combinations", "12")
    assert (other.quantity, other.printed, other.event) == ("probability", "0.5", "Tie")
    assert (one.wager, one.source, one.note) == ("tie", "A table", "of all")
    assert (one.rules, one.others) == ({"decks": 1}, {"bonus": "optional"})
    assert (last.wager, last.note, last.rules) == ("ante", "mine", {"decks": 1, "bonus": "forced"})
    assert (last.others, last.path) == ({}, "published[1].figures[2]")
