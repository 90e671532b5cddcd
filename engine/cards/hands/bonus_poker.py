"""Poker hands of five or six cards from A–10 decks, where one card may occur several times.

A card is ``4 * rank + suit`` with rank 0 = ace … 9 = ten. A flush is five or more cards of one
suit, whatever their ranks. There are six straights, A2345 to 678910. Of six cards the best five
count, but six of a kind and three pair use all six.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.exact.kernels import njit

RANKS, SUITS = 10, 4
TYPES = RANKS * SUITS
#: Straights by their highest card, 0 for none.
STRAIGHTS = (0, 5, 6, 7, 8, 9, 10)
#: Categories, best first.
CATEGORIES = (
    "six of a kind", "five of a kind", "straight flush", "four of a kind", "full house", "flush",
    "straight", "three pair", "three of a kind", "two pair", "pair", "high card",
)  # fmt: skip
#: How many cards share a rank, by number of cards: words in the order of PATTERN_KEYS.
PATTERNS = {
    5: ("5", "4-1", "3-2", "3-1-1", "2-2-1", "2-1-1-1", "1-1-1-1-1"),
    6: (
        "6", "5-1", "4-2", "4-1-1", "3-3", "3-2-1", "3-1-1-1", "2-2-2", "2-2-1-1", "2-1-1-1-1",
        "1-1-1-1-1-1",
    ),
}  # fmt: skip
#: Number of codes that `hand_code` can give.
CODES = 16 * 8 * 7 * 2 * 7
#: Bits of the first five cards' code in what `hand_codes` writes.
FIVE = (1 << 16) - 1


#: What cards add up to one by one: numbers by rank and by suit (four bits each), cards by bits
#: (14 × suit + rank), pairs of equal rank, different ranks.
Held = tuple[int, int, int, int, int]
_NOTHING: Held = (0, 0, 0, 0, 0)
#: Adding 3 to a suit's count sets the top of its four bits from five cards on.
_FLUSH_AT_FIVE, _FLUSH_BITS = 0x3333, 0x8888


@njit
def _high(windows: int) -> int:
    """Place in STRAIGHTS of the highest straight among windows, bit i for ranks i … i + 4."""
    high = 0
    for start in range(6):
        high += windows >> start != 0
    return high


@njit
def _with(card: int | np.integer[Any], profile: Held) -> Held:
    """Take one more card."""
    counts, suited, cards, pairs, ranks = profile
    rank, suit = int(card >> 2), int(card & 3)
    same = counts >> (4 * rank) & 15
    counts += 1 << (4 * rank)
    suited += 1 << (4 * suit)
    cards |= 1 << (14 * suit + rank)
    return counts, suited, cards, pairs + same, ranks + int(same == 0)


@njit
def _code(profile: Held) -> int:
    _, suited, cards, pairs, ranks = profile
    mask = (cards | cards >> 14 | cards >> 28 | cards >> 42) & 1023
    windows = mask & mask >> 1 & mask >> 2 & mask >> 3 & mask >> 4
    flush = int((suited + _FLUSH_AT_FIVE) & _FLUSH_BITS != 0)
    runs = cards & cards >> 1 & cards >> 2 & cards >> 3 & cards >> 4
    suited_runs = (runs | runs >> 14 | runs >> 28 | runs >> 42) & 1023
    straight = 14 * _high(windows) + flush * _high(suited_runs)
    return (pairs * 8 + ranks) * 98 + 7 * flush + straight


@njit
def hand_code(cards: NDArray[np.int64], number: int) -> int:
    """Describe the first `number` (five or six) of some cards by one integer below CODES.

    Mixed radix of: pairs of cards of equal rank (16), different ranks (8), highest straight (7),
    flush (2), highest straight flush (7). `describe` reads it.
    """
    profile = _NOTHING
    for k in range(number):
        profile = _with(cards[k], profile)
    return _code(profile)


@njit
def hand_codes(cards: NDArray[np.uint8], codes: NDArray[np.int32]) -> None:
    """Describe many hands, shape (6, n), by their first five cards and by all six.

    Writes 2^16 × the code of six + the code of five (`FIVE`) to `codes`, shape (n,).
    """
    a, b, c, d, e, f = cards[0], cards[1], cards[2], cards[3], cards[4], cards[5]
    for k in range(len(codes)):
        five = _with(e[k], _with(d[k], _with(c[k], _with(b[k], _with(a[k], _NOTHING)))))
        codes[k] = _code(_with(f[k], five)) << 16 | _code(five)


def pattern_key(pattern: Sequence[int]) -> tuple[int, int]:
    """Pairs of equal rank and different ranks of a pattern; no two patterns share both."""
    return sum(m * (m - 1) // 2 for m in pattern), len(pattern)


def describe(code: int, number: int) -> tuple[str, int, int, int]:
    """Pattern, highest straight, flush and highest straight flush of a `hand_code`."""
    code, straight_flush = divmod(code, 7)
    code, flush = divmod(code, 2)
    code, straight = divmod(code, 7)
    key = divmod(code, 8)
    for pattern in PATTERNS[number]:
        if pattern_key([int(m) for m in pattern.split("-")]) == key:
            return pattern, STRAIGHTS[straight], flush, STRAIGHTS[straight_flush]
    raise ValueError(f"no hand of {number} cards has {key[0]} pairs in {key[1]} ranks")


def shared_counts() -> dict[str, int]:
    """What can be counted in this module, for `Shared.counts`."""
    return {
        "card types": TYPES,
        "patterns of six cards": len(set(PATTERNS[6])),
    }
