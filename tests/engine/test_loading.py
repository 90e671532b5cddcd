"""Specs: every mistake is told in one line that names file, key and what is allowed."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from engine.analysis.analysis import analyse
from engine.analysis.binding import bind
from engine.exact.errors import DealproofError
from engine.spec.loading import catalogue, load_spec, spec_path
from engine.studies.published import compare

GOOD = spec_path("fu-bacc").read_text(encoding="utf-8")


def spoiled(tmp_path: Path, old: str, new: str) -> Path:
    assert old in GOOD, old
    path = tmp_path / "fu-bacc.toml"
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    return path


def certified(path: Path) -> None:
    spec = load_spec(str(path))
    analysis = analyse(spec, strict=True)
    assert analysis.strategies
    assert analysis.results
    result = compare(analysis, spec.rule_values)
    if any(c.verdict == "refuted" for c in result):
        raise DealproofError("match")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('game    = "fu-bacc"', 'game    = "fu-back"', "allowed: 'fu-bacc', the file"),
        ('summary = "', 'sumary = "', "did you mean 'summary'"),
        ('family  = "fu-bacc"', 'family  = "fu-back"', "did you mean 'fu-bacc'"),
        ("value   = 1\n", "value   = 0\n", "allowed: 1 … 8"),
        ("value   = 1\n", "value   = 1.5\n", "rules[decks].value"),
        ("value   = 1\n", 'value   = "one"\n', "rules[decks].value = 'one': allowed: 1 … 8"),
        ("{ min = 1, max = 8 }", "{ min = 1, max = 9 }", "family fu-bacc can play 1 … 8"),
        ("{ min = 1, max = 8 }", "{ min = 1, max = 8.5 }", "rules[decks].allowed"),
        ('name    = "naturals"', 'name    = "natural"', "naturals"),
        (', pays = "7 to 1" }', " }", "pays: missing"),
        ('pays = "7 to 1"', 'pays = "7 too 1"', "wagers[tie].events[Tie].pays"),
        ('pays = "7 to 1"', "pays = true", "wagers[tie].events[Tie].pays"),
        ("winner = 'tie' and (decision", "winer = 'tie' and (decision", "did you mean 'winner'"),
        ("winner = 'tie' and (decision", "winner = 'ties' and (decision", "did you mean 'tie'"),
        ('dealer_up <= 5"', 'dealer_up <= 4"', "earlier events|covered|match|can never"),
        ('strategies = ["optimal", "chart"', 'strategies = ["optimum", "chart"', "'optimal'"),
        ("maximises = { ante = 1 }", "maximises = { anti = 1 }", "did you mean 'ante'"),
        ("maximises = { ante = 1 }", "maximises = { ante = -1 }", "expected 0 units or more"),
        ('action = "draw"', 'action = "hit"', "allowed"),
        (
            'by        = ["player_initial_total"',
            'by        = ["player_total"',
            "not known when deciding",
        ),
        ('counted_in = "starts"', 'counted_in = "start"', "counted_in"),
        (
            'counted_in = "starts"',
            'recovered_from = ["1%"]',
            "recovered_from = '1%': allowed: -0.058824",
        ),
        ('house_edge = "3.05%"', 'house_edge = "3.05%", counted_in = "starts"', "counts of deals"),
        ('space      = "starts"', 'space      = "start"', "did you mean 'starts'"),
        ('name       = "tie"\n', 'name       = "ante"\n', "appears twice"),
        ('event = "Fold"', 'event = "Tie"', "wagers[ante].events[Tie]: the name appears twice"),
        (
            'combinations = "480", probability = "0.007240", return = "0.217195"',
            'combinations = "a lot"',
            "'a lot'",
        ),
        ('{ deals = "66,300"', '{ combinations = "480"', "it needs 'event' or 'when'"),
        ('deals = "66,300"', 'dealz = "66,300"', "published[3].figures[7].dealz: unknown key; did"),
        ('deals = "66,300"', "deals = 66300", "figures[7].deals = 66300: expected text in quotes"),
        ('{ house_edge = "5.88%" }', "{ event = 'Tie' }", "expected a quantity in print"),
        ('wager   = "tie"\nrules', "rules", "published[2].figures[1].wager: missing"),
        ("rules   = { decks = 1 }\nfigures", 'printed = "3%"\nfigurs', "figures stand in rows"),
        ('rows     = ["player_low"', 'rows     = ["player_lo"', "did you mean 'player_low'"),
        ("[[charts]]", "[[charts", "not TOML"),
    ],
)
def test_mistakes(tmp_path: Path, old: str, new: str, words: str) -> None:
    path = spoiled(tmp_path, old, new)
    with pytest.raises(DealproofError) as refused:
        certified(path)
    message = str(refused.value)
    assert any(word in message for word in words.split("|")), message
    assert "\n" not in message


def test_errors_name_the_file(tmp_path: Path) -> None:
    path = spoiled(tmp_path, 'summary = "', 'sumary = "')
    with pytest.raises(DealproofError, match=r"fu-bacc\.toml"):
        load_spec(str(path))
    with pytest.raises(DealproofError, match="No such file"):
        load_spec(str(tmp_path / "missing.toml"))
    (tmp_path / "latin.toml").write_bytes(b"title = '\xe9'")
    with pytest.raises(DealproofError, match="not UTF-8"):
        load_spec(str(tmp_path / "latin.toml"))


def test_a_game_that_is_not_there_is_answered_with_the_nearest() -> None:
    with pytest.raises(DealproofError, match="did you mean 'fu-bacc'"):
        load_spec("fu-back")


def test_decimals_stay_exact(tmp_path: Path) -> None:
    path = spoiled(
        tmp_path, 'when = "true", pays = "lose" },\n]', 'when = "true", pays = -0.1 },\n]'
    )
    assert load_spec(str(path)).wager("tie").events[-1].pays == Fraction(-1, 10)


def test_other_rule_values_are_checked() -> None:
    spec = load_spec("fu-bacc")
    with pytest.raises(DealproofError, match="allowed: 1 … 8"):
        spec.under({"decks": 9})
    with pytest.raises(DealproofError, match="did you mean 'decks'"):
        spec.under({"deck": 2})


def test_every_spec_of_the_catalogue_loads() -> None:
    assert "fu-bacc" in catalogue()
    for game in catalogue():
        assert load_spec(game).game == game


@pytest.mark.parametrize(
    ("game", "old", "new", "message"),
    [
        ("fu-bacc", 'rows     = ["player_low"', 'rows     = ["player_lo"', "charts[Ante"),
        ("double-ace", 'by       = ["held', 'by       = ["helt', "values["),
        ("double-ace", 'where    = "', 'where    = "x = 1 and ', "].where: column 'x'"),
        ("double-ace", 'rows     = ["dealer_final', 'rows     = ["dealer_fina', "].rows: column"),
    ],
)
def test_columns_that_nobody_has_are_told_before_anything_is_dealt(
    tmp_path: Path, game: str, old: str, new: str, message: str
) -> None:
    text = spec_path(game).read_text(encoding="utf-8")
    assert old in text, old
    path = tmp_path / f"{game}.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    spec = load_spec(str(path))
    with pytest.raises(DealproofError) as raised:
        bind(spec)
    assert message in str(raised.value)


def test_a_rule_that_nothing_reads_is_told_by_its_name(tmp_path: Path) -> None:
    """Texts name `tie_after_end` and the word 'tie'; neither reads a rule that is called `tie`."""
    unread = '\n[[rules]]\nname = "tie"\nvalue = 1\nallowed = [1, 2]\nclause = "none"\n'
    path = tmp_path / "fu-bacc.toml"
    path.write_text(GOOD + unread, encoding="utf-8")
    assert "tie_after_end" in GOOD
    with pytest.raises(DealproofError, match=r"rules\[tie\]: no family, wager or strategy reads"):
        bind(load_spec(str(path)))


@pytest.mark.parametrize(
    ("new", "message"),
    [
        ("tie_after_end <> 'looses'", "never 'looses'; did you mean 'lose'?"),
        ("tie_after_end in ('lose', 'pusch')", "tie_after_end is never 'pusch'"),
        ("decks = 9", "decks is never 9; allowed: 1 … 8"),
        ("case decks when 12 then true else false end", "decks is never 12; allowed: 1 … 8"),
    ],
)
def test_a_rule_is_compared_with_its_own_values(tmp_path: Path, new: str, message: str) -> None:
    path = spoiled(tmp_path, "tie_after_end <> 'lose'", new)
    with pytest.raises(DealproofError, match=re.escape(message)):
        bind(load_spec(str(path)))
