"""Double Ace under every pair of rules, against a plain evaluation of small shoes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np
import pytest

from engine.analysis.binding import bind
from engine.cards.deck import parse_cards
from engine.exact.tables import Table, same
from engine.games.double_ace.bonus import Bonus
from engine.games.double_ace.game import DoubleAce
from engine.games.double_ace.long_hands import LongHands
from engine.games.double_ace.rules import Rules, Shoe
from engine.games.double_ace.space import Main
from engine.pricing.pricer import price
from engine.solving.optimum import solve_in_space
from engine.spec.loading import load_spec
from tests.games.plain import double_ace as plain
from tests.games.plain.pairs import Settings, pairs, told

SPEC = load_spec("double-ace")
#: Cards of each value, ace first: four or more of each, few values.
SHOES = (
    (5, 0, 0, 0, 5, 0, 0, 0, 0, 4),
    (4, 0, 0, 4, 0, 0, 0, 4, 0, 4),
    (4, 0, 4, 0, 0, 0, 4, 0, 0, 4),
    (5, 0, 0, 0, 0, 4, 4, 0, 0, 4),
)
BONUS = ("flush_beats", "long_hand")
PAIRS = pairs(SPEC, leave_out=("decks", *BONUS))
READINGS = pairs(SPEC, leave_out=[r.name for r in SPEC.rules if r.name not in BONUS])


def check(changes: Settings, shoe: plain.Shoe, exhaust: bool) -> None:
    spec = SPEC.under(changes)
    rules, settings = Rules.of(spec.rule_values), spec.rule_values
    main = Main(rules, Shoe(shoe))
    program = bind(spec)
    best = solve_in_space(replace(program.strategy("optimal"), space=main))
    solved = plain.Solved(shoe, settings)
    assert best.mean == solved.mean
    table = main.enumerate(0, main.starts, best)
    assert price(program.wager("base"), table).mean == solved.mean
    acts = {
        str(best.label(index)["held"]): best.actions[action]
        for index, action in enumerate(best.action.tolist())
    }

    def act(hand: plain.Hand) -> str:
        return str(acts["-".join("A" if v == 1 else str(v) for v in sorted(hand))])

    counted: Counter[tuple[object, ...]] = Counter()
    names = sorted(set(table.names) - {"held_total", "held_cards"})
    for values, action, mine, chance in solved.ends(act):
        for theirs, more in solved.dealers(mine):
            end = mine, action == "double", theirs
            row = plain.row(values, action, end, settings)
            counted[tuple(row[name] for name in names)] += chance * more  # type: ignore[assignment]
    ours = dict(
        zip(
            zip(*(table.labels(name) for name in names), strict=True),
            (Fraction(int(n), main.deals) for n in table.combinations),
            strict=True,
        )
    )
    assert ours == dict(counted)
    if exhaust:
        assert same(table, main.exhaust(0, main.starts, best))


@pytest.mark.parametrize("number", range(len(SHOES)))
def test_pairs_of_rules_on_small_shoes(number: int) -> None:
    for position, changes in enumerate(PAIRS):
        if position % len(SHOES) == number:
            check(changes, SHOES[number], exhaust=position % 8 == number)


@pytest.mark.slow
@pytest.mark.parametrize("changes", PAIRS, ids=told)
def test_pairs_of_rules_on_all_small_shoes(changes: Settings) -> None:
    for shoe in SHOES:
        check(changes, shoe, exhaust=True)


def categories(table: Table) -> dict[object, int]:
    chosen = table.select(["category"])
    return dict(zip(chosen.labels("category"), map(int, chosen.combinations), strict=True))


@cache
def own_hands() -> Counter[tuple[tuple[plain.Card, ...], bool]]:
    """Six cards of aces and deuces, four decks: by the first five, own hands of six whole."""
    result: Counter[tuple[tuple[plain.Card, ...], bool]] = Counter()
    for cards, ways in plain.long_deals(2, 4):
        long = plain.own_cards([value for value, _ in cards]) == 6
        result[cards if long else tuple(sorted(cards[:5])), long] += ways
    return result


@pytest.mark.parametrize("changes", READINGS, ids=told)
def test_pairs_of_readings_of_the_five_card_bonus(changes: Settings) -> None:
    settings = {**SPEC.under(changes).rule_values, "decks": 4}
    counted: Counter[object] = Counter()
    for (cards, long), ways in own_hands().items():
        name = plain.long_hand(cards, settings) if long else plain.five_of(cards, settings)
        counted[name] += ways
    rules = Rules.of(settings)
    if rules.long_hand == "first five":
        plainly = Bonus("player-five", "Five", 5, 4, rules.flush_beats, ranks=2)
        # Every hand of five stands for its 5! orders and 32 − 5 sixth cards.
        counted = Counter({name: deals // (120 * 27) for name, deals in counted.items()})
        tables = plainly.enumerate(0, 8), plainly.exhaust(0, 8)
    else:
        space = LongHands("player-five", "Five", rules, ranks=2)
        tables = space.enumerate(0, 1), space.exhaust(0, 1)
    assert categories(tables[0]) == categories(tables[1]) == counted
    assert same(*tables)


@pytest.mark.parametrize("changes", READINGS[3::4], ids=told)
def test_rounds_are_told_as_they_are_played_plainly(changes: Settings) -> None:
    spec = SPEC.under(changes)
    settings = spec.rule_values
    game = DoubleAce(Rules.of(settings))
    best = solve_in_space(replace(bind(spec).strategy("optimal"), space=game.main))
    long = (
        parse_cards("2h 9c 3c 5d 7s 9d 8h") + 4 * parse_cards("Ah") + parse_cards("5s 4d 6d 2c 3s")
    )
    for cards in (list(long), *(list(game.deal(10, number)) for number in range(30))):
        types = [(card // 4 + 1, card % 4) for card in cards]
        round_ = game.play(cards, {"main": best})
        row, table, rest = round_.rows["main"], types[2:7], types[7:]
        drawn, others = int(row["player_cards"]) - 1, int(row["dealer_cards"]) - 1
        mine = [types[0], *rest[:drawn]]
        theirs = [types[1], *rest[drawn : drawn + others]]
        end = (
            tuple(value for value, _ in mine),
            row["doubled"] == 1,
            tuple(value for value, _ in theirs),
        )
        values = end[0] if row["action"] == "stand" else end[0][:-1]
        expected = plain.row(values, str(row["action"]), end, settings)
        assert {name: row[name] for name in expected} == expected
        six = [*mine, *table][:6]
        five = plain.five_of(six[:5], settings)
        if len(mine) == 6 and changes.get("long_hand") is not None:
            five = plain.long_hand(six, settings)
        assert round_.rows["player-five"]["category"] == five
        assert round_.rows["player-six"]["category"] == plain.six_of(six, settings)
        filled = [*theirs, *rest[drawn + others :]][:5]
        assert round_.rows["dealer-five"]["category"] == plain.five_of(filled, settings)


@pytest.mark.parametrize("number", [5, 6])
@pytest.mark.parametrize("word", ["straight", "full house", "four of a kind"])
def test_bonus_hands_of_a_shoe_of_few_ranks(number: int, word: str) -> None:
    # The lowest card is an eight or more: 12 card types, four of each; and the lowest ranks.
    space = Bonus("b", "B", number, 4, word)
    counted: Counter[object] = Counter()
    for types in combinations_with_replacement(range(28, 40), number):
        ways = np.prod([comb(4, n) for n in Counter(types).values()], dtype=object)
        cards = [(card // 4 + 1, card % 4) for card in types]
        settings = {"flush_beats": word}
        best = plain.five_of(cards, settings) if number == 5 else plain.six_of(cards, settings)
        counted[best] += ways
    for table in (space.enumerate(28, 40), space.exhaust(28, 40)):
        assert categories(table) == {name: n for name, n in counted.items() if n}
    small = Bonus("b", "B", number, 4, word, ranks=3)
    assert categories(small.enumerate(0, 12)) == categories(space.enumerate(28, 40))


@pytest.mark.slow
@pytest.mark.parametrize("word", ["straight", "full house", "four of a kind"])
@pytest.mark.parametrize("number", [5, 6])
def test_bonus_hands_of_a_shoe_with_straights(number: int, word: str) -> None:
    space = Bonus("b", "B", number, 5, word)
    counted: Counter[object] = Counter()
    for types in combinations_with_replacement(range(20, 40), number):
        ways = np.prod([comb(5, n) for n in Counter(types).values()], dtype=object)
        cards = [(card // 4 + 1, card % 4) for card in types]
        settings = {"flush_beats": word}
        best = plain.five_of(cards, settings) if number == 5 else plain.six_of(cards, settings)
        counted[best] += ways
    for table in (space.enumerate(20, 40), space.exhaust(20, 40)):
        assert categories(table) == counted
