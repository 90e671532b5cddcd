"""Five-card hands from shoes of several decks: poker's order, with five of a kind in it.

Ranks are 0 for an ace … 12 for a king; an ace ends a straight at either end.
"""

from __future__ import annotations

from engine.exact.kernels import njit

#: Categories from the best down, in the order of their codes.
CATEGORIES = (
    "royal flush", "straight flush", "five of a kind", "four of a kind", "full house", "flush",
    "straight", "three of a kind", "two pair", "pair", "nothing",
)  # fmt: skip
#: What ranks alone make of five cards, from the best down, in the order of their codes.
KINDS = (
    "five of a kind", "four of a kind", "full house", "three of a kind", "two pair", "pair",
    "no pair",
)  # fmt: skip


@njit
def kind(a: int, b: int, c: int, d: int, e: int) -> int:
    """What five ranks make by equality alone (index into KINDS).

    The number of pairs of equal cards among the ten tells all seven kinds apart.
    """
    equal = (a == b) + (a == c) + (a == d) + (a == e) + (b == c)
    equal += (b == d) + (b == e) + (c == d) + (c == e) + (d == e)
    if equal == 10:
        return 0
    if equal == 6:
        return 1
    if equal == 4:
        return 2
    return 6 - equal


@njit
def straight(a: int, b: int, c: int, d: int, e: int) -> int:
    """Tell whether five ranks run: 0 no, 1 yes, 2 yes and from ten to ace."""
    ranks = 1 << a | 1 << b | 1 << c | 1 << d | 1 << e
    if ranks == 0b1111000000001:
        return 2
    low = ranks & -ranks
    return 1 if ranks == low * 0b11111 else 0


@njit
def category(kind_: int, run: int, flush: bool) -> int:
    """Category of five cards (index into CATEGORIES) from their kind, run and suits."""
    if flush and run == 2:
        return 0
    if flush and run == 1:
        return 1
    if kind_ <= 2:
        return kind_ + 2
    if flush:
        return 5
    if run > 0:
        return 6
    return kind_ + 4
