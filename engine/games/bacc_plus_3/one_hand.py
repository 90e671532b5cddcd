"""One hand of the player's by itself, against every dealer hand that can come up.

For an answer at once: what all other hands are worth is not worked out, and nothing is compiled.
The dealer is set by the enumeration's order of preference, not by the referee.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from engine.cards.deck import SUITS
from engine.cards.hands.suits import canonical_sets
from engine.cards.hands.three_card import CLASSES
from engine.games.bacc_plus_3.enumeration import CELLS, TOTALS, lay_out
from engine.games.bacc_plus_3.rules import CARDS, Rules

Int = NDArray[np.int64]


def meet(cards: Sequence[int], rules: Rules) -> Int:
    """Count the 1,533,939 dealer hands without five cards by poker class and total: (741, 10).

    Of the hands that renamed suits make of one, so many are free of the five cards as the one is
    of the renamings of the five.
    """
    hands, weight = canonical_sets(CARDS)
    _, dealer = lay_out(hands, rules)
    mask = reduce(np.bitwise_or, (1 << hands).T)
    free = np.zeros(len(hands), dtype=np.int8)
    renamings = list(permutations(range(len(SUITS))))
    for to in renamings:
        free += mask & sum(1 << 4 * (card // 4) + to[card % 4] for card in cards) == 0
    counts = np.zeros(CELLS, dtype=np.int64)
    np.add.at(counts, dealer, weight * free // len(renamings))
    return counts.reshape(CLASSES, TOTALS)
