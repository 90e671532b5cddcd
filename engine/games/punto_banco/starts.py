"""Spaces that begin with Player's first two cards in order, and the deals that follow."""

from __future__ import annotations

from collections.abc import Collection
from math import perm

import numpy as np
from numpy.typing import NDArray

from engine.cards.deck import DECK, ordered_ways
from engine.contract.game import Space, check_range
from engine.games.punto_banco.rules import Rules

Int = NDArray[np.int64]


class FromStarts(Space):
    """Cards in order from a fresh shoe; a start is Player's first two, by card types.

    `first`, `second`: types 0–51 of each start; `weight`: ordered ways of dealing it; `copies`:
    cards of each type in the shoe, shape (52,). The shoe can be made of some ranks alone.
    """

    #: Cards of a deal.
    cards: int

    def __init__(self, rules: Rules, ranks: Collection[int] = range(13)) -> None:
        self.rules, self.ranks = rules, ranks
        self.copies = np.where(np.isin(np.arange(DECK) // 4, list(ranks)), rules.decks, 0)
        rank, second_rank, suit, second_suit = (
            grid.reshape(-1).astype(np.int64) for grid in np.indices((13, 13, 4, 4))
        )
        first, second = 4 * rank + suit, 4 * second_rank + second_suit
        weight = ordered_ways(rules.decks, first, second)
        dealt = (weight > 0) & (self.copies[first] > 0) & (self.copies[second] > 0)
        self.first, self.second, self.weight = first[dealt], second[dealt], weight[dealt]
        self.starts = len(self.weight)
        self.shoe = int(self.copies.sum())
        self.deals = perm(self.shoe, self.cards)
        self.denominators = {
            "ordered deals": self.deals,
            "deals of two cards each, unordered": self.deals // 4,
        }

    def deals_in(self, lo: int, hi: int) -> int:
        """Count the ordered deals in a range of starts."""
        start = int(self.weight[check_range(lo, hi, self.starts)].sum())
        return start * perm(self.shoe - 2, self.cards - 2)

    def allowed(self, part: slice) -> NDArray[np.bool_]:
        """Which (rank, rank, suit, suit) a range of starts holds, shape (13, 13, 4, 4)."""
        first, second = self.first[part], self.second[part]
        allowed = np.zeros((13, 13, 4, 4), dtype=bool)
        allowed[first // 4, second // 4, first % 4, second % 4] = True
        return allowed
