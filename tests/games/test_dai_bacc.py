"""Dai Bacc: published figures, closed forms of its picture bonus, and every reading."""

from __future__ import annotations

from fractions import Fraction
from math import perm

import pytest

from engine.analysis.analysis import Analysis, analyse
from engine.analysis.binding import make_game
from engine.exact.errors import DealproofError
from engine.exact.tables import same
from engine.spec import pays
from engine.spec.base import RuleValue
from engine.spec.expressions import Scope, guard, mask
from engine.spec.loading import load_spec
from engine.studies.published import compare
from engine.studies.readings import readings


def analysed(**rules: RuleValue) -> Analysis:
    return analyse(load_spec("dai-bacc").under(rules), strict=not rules)


def edge(result: Analysis, wager: str) -> Fraction:
    return result.price(wager).priced.house_edge


@pytest.fixture(scope="module")
def default() -> Analysis:
    return analysed()


def test_every_published_figure_matches(default: Analysis) -> None:
    compared = compare(default, default.spec.rule_values)
    assert len(compared) == len(default.spec.published) > 10
    assert {c.verdict for c in compared} == {"match", "match to 15 digits"}


def test_published_figures_once_more_by_hand(default: Analysis) -> None:
    # The sources' counts, out of 4,998,398,275,503,360: Wizard of Odds (EZ Baccarat, Ox 6, Kill).
    deals = 4_998_398_275_503_360
    wins, losses, seven = 2_292_252_566_437_888, 2_230_518_282_592_256, 112_633_011_329_024
    assert edge(default, "player-dealer") == Fraction(losses - (wins - seven), deals)
    assert edge(default, "player") == Fraction(wins - losses, deals)
    assert edge(default, "tiger-7") == 1 - Fraction(41 * seven, deals)
    assert edge(default, "ox-6") == 1 - Fraction(41 * 109_309_407_541_248, deals)
    killed = 84_102_272_663_808 + 54_956_551_870_464
    assert edge(default, "kill") == 1 - Fraction(31 * killed, deals)


@pytest.mark.parametrize("decks", range(1, 9))
def test_six_pictures_by_closed_form(decks: int) -> None:
    # Six pictures: both hands stand at 0 after four cards and draw two more, so any order of any
    # six pictures does it. The prize is the same whatever the seats.
    deals = perm(52 * decks, 6)
    suit = Fraction(4 * perm(3 * decks, 6), deals)
    colour = Fraction(2 * perm(6 * decks, 6), deals) - suit
    mixed = Fraction(perm(12 * decks, 6), deals) - colour - suit
    prize = 100_000 * suit + 20_000 * colour + 2_500 * mixed
    result = analysed(decks=decks)
    lines = result.price("six-card-picture").priced.lines
    assert [line.probability for line in lines[:3]] == [suit, colour, mixed]
    assert result.price("six-card-prize").priced.mean == prize
    assert edge(result, "six-card-picture") == 1 - prize


@pytest.mark.parametrize("seats", [1, 3, 7])
def test_seats_share_the_prize(default: Analysis, seats: int) -> None:
    prize = default.price("six-card-prize").priced.mean
    kept = analysed(seats=seats)
    assert kept.price("six-card-prize").priced.mean == prize
    assert edge(kept, "six-card-picture") == 1 - prize / seats
    hit = kept.price("six-card-picture").priced.hit_frequency
    back = analysed(seats=seats, dollar_kept=0)
    assert edge(back, "six-card-picture") == 1 - prize / seats - hit
    # All seats together cost the house the prize and bring it their dollars.
    assert seats * (1 - edge(kept, "six-card-picture")) == prize


#: Which wagers a reading touches, by the sentence that it reads.
TOUCHED = {
    ("player_dealer", "player"): {"player-dealer", "player", "tiger-7", "kill"},
    ("seven_pushes", "either"): {"player"},
    ("kill_when", "loses"): {"kill"},
    ("dollar_kept", 0): {"six-card-picture"},
}


def test_readings_change_what_they_say_and_nothing_else(default: Analysis) -> None:
    result = readings(default)
    assert {(a.rule, a.value) for a in result} == set(TOUCHED)
    for alternative in result:
        touched = alternative.wager in TOUCHED[alternative.rule, alternative.value]
        assert (alternative.effect != "none") == touched, alternative


def test_readings_are_worth_what_their_counts_say(default: Analysis) -> None:
    table = default.tables["main", None]
    deals = table.deals

    def share(when: str) -> Fraction:
        return Fraction(
            table.where(mask(guard(when, Scope(table.features, {})), table, {})).deals, deals
        )

    barred = share("winner = 'player' and player_total = 7 and player_cards = 3")
    either = analysed(seven_pushes="either")
    assert edge(either, "player") - edge(default, "player") == barred
    # Named after the Player hand, the bar leaves Banker: it wins even money always.
    other = analysed(player_dealer="player")
    assert edge(other, "player-dealer") == -edge(default, "player")
    assert edge(other, "player") == edge(either, "player")
    assert edge(other, "tiger-7") == 1 - 41 * barred
    tied = share(
        "winner = 'tie' and ((player_total = 6 and player_cards = 3)"
        " or (banker_total = 7 and banker_cards = 3))"
    )
    loses = analysed(kill_when="loses")
    assert edge(loses, "kill") - edge(default, "kill") == 31 * tied


def test_tiger_and_kill_can_win_together(default: Analysis) -> None:
    # A Banker three-card 7 that beats a Player three-card 6 wins both bets at once.
    together = "banker_total = 7 and banker_cards = 3 and player_total = 6 and player_cards = 3"
    table = default.tables["main", None]
    values = mask(guard(together, Scope(table.features, {})), table, {})
    both = Fraction(table.where(values).deals, table.deals)
    tiger, kill = default.price("tiger-7").priced, default.price("kill").priced
    expected = 41 * 31 * (both - tiger.hit_frequency * kill.hit_frequency)
    result = default.covariance(default.program.wager("tiger-7"), default.price("kill"))
    assert result == expected > 0
    ox = default.price("ox-6")
    apart = default.covariance(default.program.wager("tiger-7"), ox)
    assert apart == -41 * 41 * tiger.hit_frequency * ox.priced.hit_frequency


def test_bonus_bets_never_push(default: Analysis) -> None:
    for name in ("tiger-7", "ox-6", "kill", "six-card-picture"):
        assert default.price(name).priced.resolved == 1


@pytest.mark.parametrize("decks", [1, 8])
def test_enumerate_is_exhaust_on_some_starts(decks: int) -> None:
    spec = load_spec("dai-bacc").under({"decks": decks})
    main = make_game(spec)[0].spaces[0]
    names = {"winner", "player_total", "banker_total", "player_cards", "banker_cards"} | {
        f"{side}_{column}"
        for side in ("player", "banker")
        for column in ("pictures", "colour", "suit")
    }
    for lo, hi in ((0, 20), (2500, 2520)):
        wanted = frozenset(names)
        assert same(main.enumerate(lo, hi, wanted=wanted), main.exhaust(lo, hi, wanted=wanted))


def test_amounts_compute_with_rules() -> None:
    rules = {"seats": 7, "kept": 1}
    assert pays.parse("2,500 - kept * seats to seats", rules).net == Fraction(2493, 7)
    assert pays.parse("1 + 1/2 + 2 * kept to 1", rules).net == Fraction(7, 2)
    assert pays.parse("2500 for seats", rules).net == Fraction(2493, 7)
    for text, words in (
        ("seats - 8 to 1", "not negative"),
        ("2 * seat to 1", "did you mean 'seats'"),
        ("2 ** 3 to 1", "not an amount"),
        ("40 to 1 to 1", "not an amount"),
    ):
        with pytest.raises(DealproofError, match=words.replace("'", ".")):
            pays.parse(text, rules)


def test_titles_hold_whichever_hand_is_the_players_and_dealers() -> None:
    """Both bets are on a hand by its place; only the reading says which is the Player/Dealer's."""
    spec = load_spec("dai-bacc")
    for value in spec.rule("player_dealer").choices:
        text = spec.under({"player_dealer": value})
        titles = [text.wager(name).title for name in ("player-dealer", "player")]
        assert titles == ["Banker hand", "Player hand"]
