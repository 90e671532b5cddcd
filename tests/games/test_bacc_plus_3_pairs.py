"""Baccarat + 3 under every pair of rules, against a plain evaluation of random deals.

The deals come from packs of few ranks, in which equal totals, nines, copies and A-2-3 are frequent.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import cast

import numpy as np
import pytest

from engine.cards.deck import parse_cards
from engine.cards.hands.three_card import CATEGORIES
from engine.contract.strategy import Strategy
from engine.exact.tables import Table
from engine.games.bacc_plus_3 import enumeration
from engine.games.bacc_plus_3.game import BaccPlus3
from engine.games.bacc_plus_3.rules import SPLITS, WINNERS, Rules
from engine.games.bacc_plus_3.space import FEATURES, locate
from engine.pricing.pricer import price
from engine.spec.loading import load_spec
from tests.bound import bound
from tests.games.plain import bacc_plus_3 as plain
from tests.games.plain.pairs import Settings, pairs, told

SPEC = load_spec("bacc-plus-3")
PAIRS = pairs(SPEC)
PACKS = ("A23KQ", "A9T23", "98TJQA", "A234", "459TK", "".join(plain.FACES))


class Takes:
    """A strategy that takes one split of every hand."""

    def __init__(self, split: int, hands: int = 134_459) -> None:
        self.action = np.full(hands, split, dtype=np.int64)


def cards_of(pack: str, rng: np.random.Generator) -> list[str]:
    cards = [rank + suit for rank in pack for suit in "chds"]
    return [cards[position] for position in rng.permutation(len(cards))[:10]]


def check(changes: Settings, deals: int, seed: int) -> None:
    spec = SPEC.under(changes)
    rules = Rules.of(spec.rule_values)
    game, order = BaccPlus3(rules), enumeration.order(rules)
    rng = np.random.default_rng(seed)
    rows: list[dict[str, str | int]] = []
    for number in range(deals):
        names = cards_of(PACKS[number % len(PACKS)], rng)
        cards = [parse_cards(name)[0] for name in names]
        _, values = locate(cards[:5])
        laid = np.array([sorted(hand, reverse=True) for hand in (values, cards[5:])])
        cells, houses = enumeration.lay_out(laid, rules)
        choice = int(rng.integers(10))
        for split in {choice, int(rng.integers(10))}:
            pair = [names[cards.index(values[position])] for position in SPLITS[split, :2]]
            three = [names[cards.index(values[position])] for position in SPLITS[split, 2:]]
            row = plain.row((pair, three), names[5:], spec.rule_values)
            rows.append(row)
            round_ = game.play(cards, {"main": cast(Strategy, Takes(split))})
            ours = dict(round_.rows["main"])
            ours.pop("player_poker_class")
            assert ours == row, (names, pair)
            best = plain.best_poker(names[:5], spec.rule_values)
            assert round_.rows["poker"]["best_poker"] == best
            # The enumeration's own settings and winners.
            mine = next(
                int(cell)
                for places, cell in zip(SPLITS, cells[:, 0], strict=True)
                if {int(laid[0, position]) for position in places[:2]}
                == {values[position] for position in SPLITS[split, :2]}
            )
            other = int(houses[1])
            won = enumeration.baccarat_won(np.array([mine % 10]), np.array([other % 10]), rules)
            assert WINNERS[int(won[0])] == row["baccarat_winner"]
            category, theirs = (order.category[cell // 10] for cell in (mine, other))
            code = enumeration.standing(category, mine // 10, theirs, other // 10)
            shown = enumeration.comparison(np.array([category]), np.array([code]))
            assert WINNERS[int(shown[0])] == row["poker_winner"]
            assert (CATEGORIES[category], CATEGORIES[theirs]) == (
                row["player_poker"], row["dealer_poker"],
            )  # fmt: skip
            assert (mine % 10, other % 10) == (row["player_baccarat"], row["dealer_baccarat"])
    counted = Counter(tuple(row.items()) for row in rows)
    features = [f for f in FEATURES if f.name != "player_poker_class"]
    codes = {
        f.name: np.array([f.code(dict(row)[f.name]) for row in counted], dtype=np.int64)
        for f in features
    }
    table = Table.of(features, codes, np.array(list(counted.values()), dtype=np.int64))
    for bet in ("main", "tie"):
        nets = [plain.net(row, bet, spec.rule_values) for row in rows]
        assert price(bound(spec.wager(bet), table, spec.rule_values), table).mean == sum(
            nets, Fraction()
        ) / len(rows)


def test_pairs_of_rules_on_random_deals() -> None:
    for number, changes in enumerate(PAIRS):
        check(changes, deals=24, seed=number)


@pytest.mark.slow
@pytest.mark.parametrize("changes", PAIRS, ids=told)
def test_pairs_of_rules_on_many_random_deals(changes: Settings) -> None:
    check(changes, deals=2_000, seed=17)
