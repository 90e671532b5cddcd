"""Punto Banco's tables and Dai Bacc's rules in pairs, against a plain evaluation of small shoes."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from engine.exact.tables import Table, same
from engine.games.punto_banco.first_four import FirstFour
from engine.games.punto_banco.game import Main
from engine.games.punto_banco.ranks import Ranks
from engine.games.punto_banco.rules import Rules
from engine.games.punto_banco.starts import FromStarts
from engine.pricing.pricer import price
from engine.spec.loading import load_spec
from tests.bound import bound
from tests.games.plain import punto_banco as plain
from tests.games.plain.pairs import pairs

SPEC = load_spec("dai-bacc")
PAIRS = pairs(SPEC, ranges=(2, 7))
#: Two ranks in four suits, once each: eight cards. Two more stand among the slow tests.
SUITED = (("JQ", 1), ("36", 1))
#: Ranks alone, each four times.
RANKED = ("267K", "A34", "J8Q5", "7T9")
POINTS = frozenset(
    f"{side}_{name}"
    for side in ("player", "banker")
    for name in ("total", "cards", "initial_total", "natural", "third_value")
) | {"winner", "margin"}


def rows(table: Table) -> Counter[tuple[tuple[str, object], ...]]:
    result: Counter[tuple[tuple[str, object], ...]] = Counter()
    names = sorted(table.names)
    for labels in zip(*(table.labels(n) for n in names), table.combinations, strict=True):
        result[tuple(zip(names, labels[:-1], strict=True))] += int(labels[-1])
    return result


def packed(row: plain.Row, names: frozenset[str] | None = None) -> tuple[tuple[str, object], ...]:
    return tuple(sorted((n, v) for n, v in row.items() if names is None or n in names))


def spaces(ranks: str, decks: int) -> tuple[FromStarts, ...]:
    rules, values = Rules(decks), [plain.FACES.index(rank) for rank in ranks]
    return Main(rules, values), FirstFour(rules, values), Ranks(rules, values)


def check_suited(ranks: str, decks: int) -> Table:
    main, four, by_ranks = spaces(ranks, decks)
    types = [rank + suit for rank, suit in product(ranks, plain.SUITS)]
    counted: list[Counter[tuple[tuple[str, object], ...]]] = [Counter(), Counter(), Counter()]
    for cards, ways in plain.deals(types, decks):
        hands = plain.play(cards)
        counted[0][packed(plain.row(*hands))] += ways
        counted[1][packed(plain.first_four(cards))] += ways
        counted[2][packed(plain.ranks(*hands))] += ways
    left = len(types) * decks - 4
    counted[1] = Counter({row: ways // (left * (left - 1)) for row, ways in counted[1].items()})
    tables = [space.enumerate(0, space.starts) for space in (main, four, by_ranks)]
    for table, space, plainly in zip(tables, (main, four, by_ranks), counted, strict=True):
        assert rows(table) == plainly
        assert same(table, space.exhaust(0, space.starts))
    return tables[0]


def check_points(ranks: str) -> None:
    main, _, by_ranks = spaces(ranks, 1)
    counted: Counter[tuple[tuple[str, object], ...]] = Counter()
    alike: Counter[tuple[tuple[str, object], ...]] = Counter()
    for cards, ways in plain.deals([rank + "c" for rank in ranks], 4):
        hands = plain.play(cards)
        counted[packed(plain.row(*hands), POINTS)] += ways
        alike[packed(plain.ranks(*hands))] += ways
    for space, columns, plainly in ((main, POINTS, counted), (by_ranks, None, alike)):
        table = space.enumerate(0, space.starts, None, columns)
        assert rows(table) == plainly
        assert same(table, space.exhaust(0, space.starts, None, columns))


@pytest.mark.parametrize("ranks", RANKED)
def test_points_and_ranks_of_small_shoes(ranks: str) -> None:
    check_points(ranks)


@pytest.mark.slow
@pytest.mark.parametrize("ranks", ["A2345", "6789T", "37K85", "492Q6"])
def test_points_and_ranks_of_more_shoes(ranks: str) -> None:
    check_points(ranks)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ranks", "decks"), [("K7", 1), ("A9", 1), ("KQ", 4), ("37", 4), ("J67", 1)]
)
def test_more_suited_shoes(ranks: str, decks: int) -> None:
    check_suited(ranks, decks)


@pytest.mark.parametrize(("ranks", "decks"), SUITED)
def test_suits_of_small_shoes_and_dai_bacc_under_every_pair(ranks: str, decks: int) -> None:
    table = check_suited(ranks, decks)
    text = [dict(row) for row in rows(table)]
    deals = list(rows(table).values())
    for changes in PAIRS:
        spec = SPEC.under(changes)
        for wager in spec.wagers:
            name = wager.name
            nets = (plain.net(name, row, spec.rule_values) for row in text)  # type: ignore[arg-type]
            mean = sum((n * ways for n, ways in zip(nets, deals, strict=True)), Fraction())
            assert price(bound(wager, table, spec.rule_values), table).mean == mean / sum(deals), (
                name,
                changes,
            )
