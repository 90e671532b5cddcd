"""The five-card bonus of a player whose own hand has six cards or more.

The rules do not say what then counts. The first five cards do not bias the bonus; the best five
of six, or no bonus at all, depend on how the player draws. Here these readings are exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from math import factorial, perm, prod

import numpy as np

from engine.games.double_ace.bonus import Bonus
from engine.games.double_ace.holdings import NEXT, NUMBER, Hand
from engine.games.double_ace.rules import HIT, VALUES
from engine.games.double_ace.space import actions_of
from engine.hands.bonus_poker import CATEGORIES, SUITS, TYPES, category, describe, hand_code
from engine.strategy import Strategy
from engine.tables import Table, word

READINGS = ("first five", "best five", "no bonus")
FEATURE = word("category", "best category of the hand", *CATEGORIES, "no bonus")


def distribution(bonus: Bonus, strategy: Strategy, reading: str) -> Table:
    """Distribute the player's five-card bonus by category under one of READINGS.

    Deals are ordered sequences of six cards, the five of the bonus and one more: 240·239·…·235
    with six decks.
    """
    if reading not in READINGS:
        raise ValueError(f"reading {reading!r} is none of {', '.join(READINGS)}")
    hands = bonus.enumerate(0, bonus.starts).select(["category"])
    scale = factorial(5) * (TYPES * bonus.decks - 5) if bonus.decks else TYPES
    counts: Counter[str] = Counter()
    for name, number in zip(hands.labels("category"), hands.combinations, strict=True):
        counts[str(name)] = int(number) * scale
    for cards, deals in _six_cards(bonus.decks, actions_of(strategy)):
        first = category(*describe(hand_code(cards, 5), 5), bonus.flush_beats)
        told = category(*describe(hand_code(cards, 6), 6), bonus.flush_beats)
        best = {"six of a kind": "five of a kind", "three pair": "two pair"}.get(told, told)
        counts[first] -= deals
        counts[{"first five": first, "best five": best}.get(reading, "no bonus")] += deals
    codes = {"category": np.array([FEATURE.code(name) for name in counts], dtype=np.int64)}
    return Table.of((FEATURE,), codes, np.array(list(counts.values()), dtype=np.int64))


def _six_cards(
    decks: int, chosen: Mapping[int, int]
) -> Iterator[tuple[np.ndarray[tuple[int], np.dtype[np.int64]], int]]:
    """List the first six cards of all hands that long, as card types, with their ordered ways.

    A strategy hits with each of the first five cards; the sixth may be any.
    """
    hands: list[tuple[Hand, int]] = [((value,), NUMBER[(value,)]) for value in VALUES]
    for _ in range(4):
        hands = [
            ((*values, value), int(NEXT[held, value]))
            for values, held in hands
            if chosen.get(held) == HIT
            for value in VALUES
            if NEXT[held, value] >= 0
        ]
    for values, held in hands:
        if chosen.get(held) != HIT:
            continue
        for last, suits in product(VALUES, product(range(SUITS), repeat=6)):
            types = [4 * (v - 1) + s for v, s in zip((*values, last), suits, strict=True)]
            ways = prod(perm(decks, n) for n in Counter(types).values()) if decks else 1
            if ways:
                yield np.array(types, dtype=np.int64), ways
