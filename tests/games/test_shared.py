"""What the methods of a game share, each part counted by itself against its closed counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

import numpy as np
import pytest

from engine.analysis.binding import make_game
from engine.cards.deck import DECK, ordered_ways, pairs
from engine.cards.hands import bonus_poker, three_card
from engine.cards.hands.baccarat import CARDS_OF_VALUE, FACES, POINTS
from engine.cards.hands.suits import suit_classes
from engine.contract.shared import Shared
from engine.games.bacc_plus_3 import rules as bacc_plus_3
from engine.games.double_ace import holdings
from engine.games.double_ace import rules as double_ace
from engine.games.fu_bacc import rules as fu_bacc
from engine.games.punto_banco import columns
from engine.games.punto_banco import rules as punto_banco
from engine.games.red_green import rules as red_green
from engine.spec.loading import catalogue, load_spec

GAMES = {name: make_game(load_spec(name))[0] for name in catalogue()}
PARTS: list[tuple[str, Shared]] = list(
    {(p.module, p.name): (game, p) for game, g in GAMES.items() for p in g.shared}.values()
)


def cards() -> dict[str, int]:
    first, second = np.divmod(np.arange(DECK * DECK), DECK)
    return {
        "cards": DECK,
        "pairs of card types, one deck": len(pairs(DECK, 1)),
        "ordered pairs, eight decks": int(ordered_ways(8, first, second).sum()),
    }


def points() -> dict[str, int]:
    value = Counter(POINTS.tolist())
    (others,) = {value[pips] for pips in range(1, 10)}
    assert [int(n) for n in CARDS_OF_VALUE] == [value[pips] for pips in range(10)]
    assert np.flatnonzero(FACES).tolist() == list(range(40, 52))
    return {
        "cards that count nothing": value[0],
        "cards of every other value": others,
        "jacks, queens and kings": int(FACES.sum()),
    }


def three_cards() -> dict[str, int]:
    ranked = three_card.three_card()
    category = Counter(ranked.category[ranked.class_of].tolist())
    names = {name: category[code] for code, name in enumerate(three_card.CATEGORIES)}
    # Every class is met, and a higher class is never of a lower category.
    assert set(ranked.class_of.tolist()) == set(range(len(ranked.category)))
    assert (np.diff(ranked.category) >= 0).all()
    return names | {"classes": len(ranked.category)}


def suits() -> dict[str, int]:
    classes = suit_classes(5)
    return {"hands": int(classes.weight.sum()), "classes": len(classes.weight)}


def deciding() -> dict[str, int]:
    known = set(holdings.HANDS)
    for number, hand in enumerate(holdings.HANDS):
        for value in double_ace.VALUES:
            after = tuple(sorted((*hand, value)))
            assert holdings.NEXT[number, value] == holdings.NUMBER.get(after, -1)
    return {"hands": len(known)}


def bonus_names() -> dict[str, int]:
    assert len(set(bonus_poker.CATEGORIES)) == len(bonus_poker.CATEGORIES) == 12
    return {
        "card types": bonus_poker.TYPES,
        "patterns of six cards": len(set(bonus_poker.PATTERNS[6])),
    }


def shoe() -> dict[str, int]:
    six = double_ace.Shoe.of(6)
    return {
        "ordered deals of 14 cards, six decks": six.further(0, 14),
        "ordered pairs of aces": six.ways(1, 1) * six.ways(1, 1, 1),
    }


def settings() -> dict[str, int]:
    number = 1
    for rule in red_green.RULE_SPECS:
        number *= len(set(rule.words)) or rule.high - rule.low + 1
    return {"settings of one to eight decks": number}


COUNTED: dict[str, Callable[[], Mapping[str, int]]] = {
    "engine.cards.deck": cards,
    "engine.cards.hands.baccarat": points,
    "engine.cards.hands.three_card": three_cards,
    "engine.cards.hands.suits": suits,
    "engine.cards.hands.bonus_poker": bonus_names,
    "engine.games.double_ace.holdings": deciding,
    "engine.games.double_ace.rules": shoe,
    "engine.games.red_green.rules": settings,
    "engine.games.fu_bacc.rules": lambda: {"ends": fu_bacc.SETTLEMENTS},
    "engine.games.bacc_plus_3.rules": lambda: {
        "splits": len({frozenset(split[:2]) for split in bacc_plus_3.SPLITS.tolist()})
    },
    "engine.games.punto_banco.rules": lambda: {"cards of a deal": punto_banco.DEAL},
    "engine.games.punto_banco.columns": lambda: {
        "columns": len({f.name for f in columns.FEATURES})
    },
}


@pytest.mark.parametrize(("game", "part"), PARTS, ids=[p.module for _, p in PARTS])
def test_shared_parts_meet_their_closed_counts(game: str, part: Shared) -> None:
    assert dict(COUNTED[part.module]()) == dict(part.counts), game
    assert part.description.endswith(".")
