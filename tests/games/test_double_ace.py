"""Double Ace: published figures, hands worked by hand, and what its rules change."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from engine.analysis.analysis import analyse
from engine.analysis.binding import bind_wager, make_game
from engine.cards.deck import parse_cards
from engine.contract.strategy import improvements
from engine.exact.errors import DealproofError
from engine.exact.tables import Table
from engine.games.double_ace.holdings import HANDS, WORDS
from engine.games.double_ace.rules import Rules
from engine.games.double_ace.space import Main
from engine.pricing.pricer import price
from engine.spec.model import Choice, StrategySpec
from tests.games.double_ace_exact import BASE, SPEC, analysed, edge, game_of

# Published: Stanley Ko, No Bust Double Ace (2007), Primary Bet.


def test_published_house_edge() -> None:
    priced = analysed().price("base", "optimal").priced
    assert f"{float(priced.house_edge):.2%}" == "0.84%"
    assert priced.element_of_risk is not None
    assert f"{float(priced.element_of_risk):.2%}" == "0.76%"


def test_published_strategy_doubles_an_ace_and_nothing_else_gains() -> None:
    optimal = analysed().strategies["optimal"]
    assert optimal.action_at({"held": "A", "held_cards": 1, "held_total": 1}) == "double"
    assert improvements(optimal) == []
    assert edge("never double") > edge("optimal")


def test_spec_has_no_idle_event() -> None:
    analyse(SPEC, strict=True)


# The hands of the source's rules, with what each of them pays.


def settle(cards: str, action: str, **changes: int | str) -> Fraction:
    """Net of the base bet: the player takes one card by `action` (or stands), then stands."""
    choose = (Choice(when="held_cards = 1", action=action), Choice(when="true", action="stand"))
    once = StrategySpec(name="once", title="once", space="main", choose=choose)
    base = BASE.model_copy(update={"strategies": ("once",)})
    nothing: dict[str, object] = dict.fromkeys(
        ("charts", "values", "distributions", "published"), ()
    )
    spec = SPEC.under(changes).model_copy(
        update={**nothing, "strategies": (once,), "wagers": (base,)}
    )
    analysis = analyse(spec)
    player, dealer, *further = parse_cards(cards)
    table, rest = parse_cards("2c 2d 2s 3c 3d"), parse_cards("7c 7d 7h 7s")
    ordered = (player, dealer, *table, *further, *rest)
    row = analysis.game.play(ordered, {"main": analysis.strategies["once"]}).rows["main"]
    main = game_of(analysis).main
    codes = {f.name: np.array([f.code(row[f.name])]) for f in main.features}
    one = Table.of(main.features, codes, np.ones(1, dtype=np.int64))
    return price(analysis.program.wager("base"), one).mean


@pytest.mark.parametrize(
    ("cards", "action", "net"),
    [
        # player's card, dealer's card, then the player's and the dealer's further cards
        ("3h 2h 9c 9s", "hit", -1),  # 12 against 11: dealer closer
        ("3c 2h 8d 9s", "hit", -1),  # 11 against 11: equal busts lose
        ("2h 2d 9s 10c", "hit", 0),  # 11 against 12: player closer, a push
        ("5c 2h 4s 6d", "hit", 1),  # 9 against 8
        ("3c Ah 6h 10c", "hit", -1),  # 9 against ace-ten, 10
        ("2h 3d 6d 5c", "hit", 0),  # 8 against 8
        ("9h 2c 3h 6c", "stand", 1),  # dealer 2-3-6 over ten
        ("9h Ah 3h 7c", "stand", 1),  # dealer A-3-7 over ten
        ("Ac 9h As", "double", 3),  # double ace on a doubled bet
        ("Ac Ah As Ad", "double", 0),  # double ace against double ace
        ("Ac 9h 2s", "double", -2),  # 3 against 9
        ("Ac 2c 2s 3h 6c", "double", 2),  # 3 against a dealer over ten
        ("Ac 9h 10s", "double", 2),  # doubled ace-ten counts 10
        ("10c Ah Ad", "stand", -1),  # the dealer's two aces beat a ten
        ("Ac 9h As", "hit", Fraction(3, 2)),
    ],
)
def test_source_hands(cards: str, action: str, net: Fraction) -> None:
    assert settle(cards, action) == net


@pytest.mark.parametrize(
    ("cards", "action", "changes", "net"),
    [
        ("Ac 9h As", "double", {"double_ace_pays": "3 to 2 on the original bet"}, Fraction(5, 2)),
        ("Ac 9h As", "double", {"double_ace_pays": "1 to 1"}, 2),
        ("Ac 9h As", "hit", {"double_ace_pays": "1 to 1"}, 1),
        ("Ac Ah As Ad", "double", {"double_aces_meet": "player wins"}, 3),
        ("Ac Ah 9s Ad", "double", {"dealer_double_ace_takes": "original bet"}, -1),
        ("3c 2h 8d 9s", "hit", {"both_bust": "push if closer or equal"}, 0),
        ("2h 2d 9s 10c", "hit", {"both_bust": "lose"}, -1),
        ("Ac 9h 10s", "double", {"ace_ten": "eleven after doubling"}, -2),
        ("9c Ah 10c", "stand", {"ace_ten": "eleven for the dealer"}, 1),
        ("10c Ah Ad 8s", "stand", {"dealer_double_ace": "draws"}, 0),
        ("7c 2h 3d", "stand", {"dealer_stands_on": 5}, 1),
        ("7c 6h 3d", "stand", {"dealer_stands_on": 7}, -1),
        ("7c 7h 3d", "double", {"double_on": "any first card"}, 2),
    ],
)
def test_readings_by_hand(
    cards: str, action: str, changes: dict[str, int | str], net: Fraction
) -> None:
    assert settle(cards, action, **changes) == net


# Rules.


@pytest.mark.parametrize(
    ("rule", "value"),
    [(rule.name, v) for rule in SPEC.rules for v in rule.choices if v != rule.value],
)
def test_every_rule_is_read(rule: str, value: int | str) -> None:
    changed, usual = analysed(**{rule: value}), analysed()
    edges = [[r.priced.house_edge for r in a.results] for a in (changed, usual)]
    open_ = [a.strategies["optimal"].allowed.sum() for a in (changed, usual)]
    assert edges[0] != edges[1] or open_[0] != open_[1]


def test_lines_of_other_readings_do_not_stand() -> None:
    doubled = "Double ace, doubled"
    split = "Double ace, doubled, paid on the original bet"
    usual = [line.event for line in analysed().price("base").priced.lines]
    other = analysed(double_ace_pays="3 to 2 on the original bet").price("base", "chart")
    assert doubled in usual
    assert split not in usual
    lines = {line.event: line for line in other.priced.lines}
    assert doubled not in lines
    assert lines[split].net == Fraction(5, 2)
    assert lines[split].staked == 2


def test_condition_on_an_unknown_rule_is_refused() -> None:
    event = BASE.events[0].model_copy(update={"under": "double_ace_pay = '1 to 1'"})
    wager = BASE.model_copy(update={"events": (event, *BASE.events[1:])})
    with pytest.raises(DealproofError, match=r"under: column 'double_ace_pay' is not known"):
        bind_wager(wager, game_of(analysed()).main, SPEC.rule_values)


def test_double_on_any_card_changes_nothing_at_the_optimum() -> None:
    free = analysed(double_on="any first card").strategies["optimal"]
    double = free.actions.index("double")
    assert free.allowed[:, double].sum() == 10
    assert [free.label(int(i))["held"] for i in np.flatnonzero(free.action == double)] == ["A"]
    assert edge(double_on="any first card") == edge()


def test_wager_on_the_order_of_cards_cannot_be_maximised() -> None:
    main = Main(Rules())
    rows = main.outcomes()
    net = (rows.codes["first_card"] == 2).astype(np.int64)
    with pytest.raises(DealproofError, match="order of the player's cards"):
        main.solve("odd", net, np.ones_like(net), np.ones(len(rows), dtype=bool))


def test_forbidden_action_is_refused() -> None:
    analysis = analysed()
    best = analysis.strategies["optimal"]
    ten = best.index_of({"held": "10", "held_cards": 1, "held_total": 10})
    chosen = best.action.copy()
    chosen[ten] = best.actions.index("hit")
    with pytest.raises(DealproofError, match="may not hit with 10"):
        analysis.game.simulate(0, 0, 1, [replace(best, action=chosen)])


def test_hands_that_can_be_held() -> None:
    # Partitions of 1 … 10 number 138; eight are three aces or more; ace-ten makes one more.
    assert len(HANDS) == 138 - 8 + 1
    assert WORDS[0] == "A"
    assert "A-10" in WORDS


def test_build_refuses_nothing_that_the_spec_allows() -> None:
    for decks in (0, 1, 12):
        assert make_game(SPEC.under({"decks": decks}))[0].spaces[0].deals > 0
