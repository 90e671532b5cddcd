"""What an edge owes to the choice among actions that a strategy's criterion holds equal."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.analysis.analysis import Analysis, analyse
from engine.analysis.binding import bind
from engine.spec.loading import load_spec
from engine.spec.model import Choice, Event, Spec, StrategySpec, Wager
from engine.studies.ties import tied

SPEC = load_spec("fu-bacc")
#: HandClasses at the dealer's card alone: every action is equal in each of the 550 sets.
BLIND = StrategySpec(name="blind", title="Blind", space="main", prefers=("dealer_up",))
#: Compares whether to play at all: standing and drawing stay equal.
PLAYS = StrategySpec(name="plays", title="Plays", prefers=("decision = 'play'",))
#: One action for every up-card, without a look at the own hand.
BY_UP = StrategySpec(name="by up", title="By up-card", maximises={"lost": 1}, by=("dealer_up",))


def under(*rules: StrategySpec) -> Spec:
    """Fu Bacc with ante and tie priced under these strategies too, and a bet that always loses."""
    names = tuple(rule.name for rule in rules)
    bets = [
        wager.model_copy(update={"strategies": (*wager.strategies, *names)})
        for wager in SPEC.wagers
        if wager.name in ("ante", "tie")
    ]
    lost = (Event(event="Lost", when="true", pays="lose"),)
    bets.append(Wager(name="lost", title="Lost", space="main", strategies=names, events=lost))
    changes = {"wagers": tuple(bets), "strategies": (*SPEC.strategies, *rules)}
    return SPEC.model_copy(update={**changes, "published": ()})


@pytest.fixture(scope="module")
def exact() -> Analysis:
    spec = under(BLIND, PLAYS, BY_UP)
    return analyse(spec)


def plain(
    analysis: Analysis, wager: str, ties: dict[tuple[object, ...], list[str]]
) -> list[Fraction]:
    """Least and greatest edge, from each set's net under each action, row by row."""
    table, bet = analysis.tables["main", None], analysis.program.wager(wager)
    priced = analysis.pricer("main").classified(bet)
    names = ("player_low", "player_high", "dealer_up", "bonus_offer")
    net: dict[tuple[object, ...], Fraction] = {}
    labels = [table.labels(name) for name in (*names, "action")]
    for row, key in enumerate(zip(*labels, strict=True)):
        line = priced.lines[int(priced.line[row])]
        net[key] = net.get(key, Fraction()) + int(table.combinations[row]) * line.net
    deals = analysis.game.space("main").deals
    ranges = []
    for pick in (max, min):
        totals = (pick(net[*known, action] for action in may) for known, may in ties.items())
        total = sum(totals, Fraction())
        ranges.append(-total / deals)
    return ranges


def open_actions(analysis: Analysis, among: tuple[str, ...]) -> dict[tuple[object, ...], list[str]]:
    table = analysis.tables["main", None]
    names = ("player_low", "player_high", "dealer_up", "bonus_offer", "action")
    result: dict[tuple[object, ...], list[str]] = {}
    for *known, action in sorted(set(zip(*(table.labels(n) for n in names), strict=True)), key=str):
        if action in among:
            result.setdefault(tuple(known), []).append(str(action))
    return result


def test_a_criterion_that_never_decides_leaves_best_and_worst_play(exact: Analysis) -> None:
    result = tied(exact, exact.program.strategy(BLIND.name))
    assert result is not None
    assert result.sets == 550
    assert result.edges is not None
    # The least edge of each bet over all choices is that of its own optimum.
    assert result.edges["ante"][0] == exact.price("ante", "optimal").house_edge
    assert result.edges["tie"][0] == exact.price("tie", "tie optimal").house_edge
    every = ("fold", "bonus", "stand", "draw")
    for wager in ("ante", "tie"):
        assert list(result.edges[wager]) == plain(exact, wager, open_actions(exact, every))
    assert result.edges["lost"] == (Fraction(1), Fraction(1))


def test_only_actions_that_are_equal_are_exchanged(exact: Analysis) -> None:
    result = tied(exact, exact.program.strategy(PLAYS.name))
    assert result is not None
    assert result.edges is not None
    assert result.sets == 550
    among = open_actions(exact, ("stand", "draw"))
    assert list(result.edges["ante"]) == plain(exact, "ante", among)
    low, high = result.edges["ante"]
    mine = exact.price("ante", "plays").house_edge
    assert mine is not None
    assert low < mine < high


def test_sets_that_act_alike_are_exchanged_together(exact: Analysis) -> None:
    result = tied(exact, exact.program.strategy(BY_UP.name))
    assert result is not None
    assert result.edges is not None
    assert result.sets == 10  # one for every up-card, where a bonus is not open to all hands
    table, bet = exact.tables["main", None], exact.program.wager("ante")
    priced = exact.pricer("main").classified(bet)
    net: dict[tuple[object, object], Fraction] = {}
    pairs = zip(table.labels("dealer_up"), table.labels("action"), strict=True)
    for row, key in enumerate(pairs):
        line = priced.lines[int(priced.line[row])]
        net[key] = net.get(key, Fraction()) + int(table.combinations[row]) * line.net
    deals = exact.game.space("main").deals
    common = ("fold", "stand", "draw")
    best, worst = (
        -sum(pick(net[up, action] for action in common) for up in range(10)) / deals
        for pick in (max, min)
    )
    assert result.edges["ante"] == (best, worst)


def test_an_optimum_keeps_the_edge_of_what_it_maximises(exact: Analysis) -> None:
    result = tied(exact, exact.program.strategy("optimal"))
    assert result is not None
    assert result.edges is not None
    edge = exact.price("ante", "optimal").house_edge
    assert result.edges["ante"] == (edge, edge)


def test_rules_that_name_every_action_have_no_ties(exact: Analysis) -> None:
    rule = StrategySpec(name="draws", title="Draws", choose=(Choice(when="true", action="draw"),))
    spec = under(rule)
    drawing = analyse(spec)
    assert tied(drawing, drawing.program.strategy(rule.name)) is None


def priced(spec: Spec, *rules: StrategySpec) -> Analysis:
    """Baccarat + 3's main bet alone, under these strategies."""
    main = spec.wager("main").model_copy(update={"strategies": tuple(r.name for r in rules)})
    rest: dict[str, object] = dict.fromkeys(
        ("joint", "charts", "values", "distributions", "published"), ()
    )
    lean = spec.model_copy(update={**rest, "wagers": (main,), "strategies": rules})
    return Analysis(bind(lean))


def test_equal_sums_of_chances_of_baccarat_and_three() -> None:
    # A second way: a further expression breaks the ties, once for the player and once against.
    base = load_spec("bacc-plus-3")
    rule = base.strategy("sum of chances")
    assert rule.prefers is not None
    won = "CASE WHEN baccarat_winner = {0} AND (poker_winner = {0} OR (poker_winner = 'tie' AND "
    won = f"({won}copies = {{0}})) THEN 1 ELSE 0 END)"
    net = won.format("'player'") + " - " + won.format("'dealer'")
    kind, harsh = (
        rule.model_copy(update={"name": name, "prefers": (*rule.prefers, text)})
        for name, text in (("kind", net), ("harsh", f"0 - ({net})"))
    )
    changes = {"copies": "dealer", "equal_totals": "player", "nine_nine": "push"}
    analysis = priced(base.under({**changes, "house_step_3": "pair only"}), rule, kind, harsh)
    result = tied(analysis, analysis.program.strategy(rule.name))
    assert result is not None
    assert result.edges is not None
    least, mine, greatest = (
        analysis.price("main", name).house_edge for name in ("kind", rule.name, "harsh")
    )
    assert result.edges["main"] == (least, greatest)
    assert least is not None
    assert mine is not None
    assert greatest is not None
    assert least <= mine <= greatest
    assert least < greatest
    # Under the certified rules it does not matter which of the equal splits is taken.
    certified = priced(base, rule)
    alike = tied(certified, certified.program.strategy(rule.name))
    assert alike is not None
    assert alike.edges is not None
    assert alike.edges["main"][0] == alike.edges["main"][1]
