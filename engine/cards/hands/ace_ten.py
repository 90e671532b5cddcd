"""Values of Double Ace hands: pips with an ace as 1, and a two-card ace and ten worth 10.

A hand is known by its number of cards, the sum of its pips and whether it holds an ace. Of two
cards, only an ace and a ten make a sum of 11 with an ace, and only two aces make a sum of 2.
"""

from __future__ import annotations

from engine.exact.kernels import njit

#: The total that hands try to reach without going over.
TARGET = 10


@njit
def hand_total(cards: int, pips: int, ace: bool, zero: bool) -> int:
    """Total of a hand; with `zero` the ace of a two-card ace and ten counts 0."""
    if zero and ace and cards == 2 and pips == 11:
        return 10
    return pips


@njit
def is_double_ace(cards: int, pips: int) -> bool:
    """Tell whether a hand is two aces and nothing else."""
    return cards == 2 and pips == 2


@njit
def strength(total: int, double_ace: bool) -> int:
    """Rank a final hand: double ace 11, totals up to ten as they are, busts 0 (for 11) and less."""
    if double_ace:
        return 11
    return total if total <= 10 else 11 - total
