"""Red/Green under every pair of rules, against a plain evaluation of small shoes."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from engine.analysis.binding import bind_wager
from engine.exact.tables import Table, same
from engine.games.red_green.game import Main, RedGreen
from engine.games.red_green.rules import Rules
from engine.pricing.pricer import price
from engine.spec.loading import load_spec
from tests.games.plain import red_green as plain
from tests.games.plain.pairs import Settings, pairs, told

SPEC = load_spec("red-green")
#: Shoes by their ranks; each card four times.
SHOES = ("A2TJ", "A2QK", "ATJQK", "A23K", "2TQK")
PAIRS = pairs(SPEC)
COLUMNS = ("red_hand", "green_hand", "red_front", "green_front", "front", "back")


def rows(table: Table) -> Counter[tuple[object, ...]]:
    result: Counter[tuple[object, ...]] = Counter()
    labels = zip(*(table.labels(name) for name in COLUMNS), strict=True)
    for row, deals in zip(labels, table.combinations, strict=True):
        result[row] += int(deals)
    return result


def check(changes: Settings, ranks: str, decks: int = 1) -> None:
    spec = SPEC.under(changes)
    settings = {**spec.rule_values, "decks": decks}
    space = Main(Rules.of(settings), [plain.FACES.index(rank) for rank in ranks])
    table = space.enumerate(0, space.starts)
    counted: Counter[tuple[object, ...]] = Counter()
    for row, deals in plain.deals(ranks, 4 * decks, settings):
        counted[row] += deals
    assert rows(table) == counted
    assert same(table, space.exhaust(0, space.starts))
    if "one_tie" in changes or not changes:
        for bet in ("red", "green"):
            mean = sum(
                deals * plain.net(bet, str(row[4]), str(row[5]), settings)
                for row, deals in counted.items()
            )
            priced = price(bind_wager(spec.wager(bet), space, spec.rule_values), table)
            assert priced.mean == Fraction(mean) / space.deals


def test_every_pair_is_there() -> None:
    # 5, 6, 2, 2, 1, 1, 1, 1 and 1 values beside the certified ones of nine rules.
    others = (5, 6, 2, 2, 1, 1, 1, 1, 1)
    assert len(PAIRS) == 1 + sum(others) + (sum(others) ** 2 - sum(n * n for n in others)) // 2


@pytest.mark.parametrize("number", range(len(SHOES)))
def test_pairs_of_rules_on_small_shoes(number: int) -> None:
    for position, changes in enumerate(PAIRS):
        if position % len(SHOES) == number:
            check(changes, SHOES[number])


@pytest.mark.slow
@pytest.mark.parametrize("changes", PAIRS, ids=told)
def test_pairs_of_rules_on_all_ranks(changes: Settings) -> None:
    check(changes, plain.FACES, decks=2)


@pytest.mark.parametrize("block", range(4))
def test_random_rounds_are_told_as_they_are_played_plainly(block: int) -> None:
    for changes in PAIRS[block::4]:
        settings = SPEC.under(changes).rule_values
        game = RedGreen(Rules.of(settings))
        for number in range(3):
            cards = game.deal(block, number)
            faces = [plain.FACES[card // 4] for card in cards]
            red, green = (plain.set_hand(tuple(hand), settings) for hand in (faces[:3], faces[3:6]))
            row = game.play(cards, {}).rows["main"]
            assert (row["front"], row["back"]) == plain.compare(red, green, settings)
            assert (row["red_hand"], row["green_hand"]) == (red[0], green[0])
