"""Three-card poker: 741 classes of hands in six categories.

Straight flush beats three of a kind beats straight beats flush beats a pair beats nothing.
"""

from __future__ import annotations

import functools
from itertools import combinations
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.cards.deck import DECK
from engine.exact.kernels import njit, python

Int = NDArray[np.int64]
N = TypeVar("N", int, Int)

#: Categories in ascending order; the code of a category is its place here.
CATEGORIES = ("nothing", "pair", "flush", "straight", "three of a kind", "straight flush")
NOTHING, PAIR, FLUSH, STRAIGHT, THREE_OF_A_KIND, STRAIGHT_FLUSH = range(6)
#: Number of distinct hands, suits aside.
CLASSES = 741


class ThreeCard(NamedTuple):
    """The order of all three-card hands.

    `class_of[r]`: class 0 (lowest) … 740 of the three cards with colexicographic rank r
    (`index`), shape (22100,), int16. Per class, each of shape (741,), int64: `category`, and
    `high`, the rank that names it (2 … 14 = ace): its pair, its three of a kind, or its highest
    card. `first[k]`: lowest class of category k, and 741 at the end, shape (7,), int64.
    """

    class_of: NDArray[np.int16]
    category: Int
    high: Int
    first: Int


@njit
def index(a: N, b: N, c: N) -> N:
    """Colexicographic rank of three cards a > b > c: 0 … 22,099."""
    return a * (a - 1) * (a - 2) // 6 + b * (b - 1) // 2 + c


#: `index` for arrays, without a compiler.
indices = python(index)


@functools.cache
def three_card(low_straight_second: bool = False) -> ThreeCard:
    """Order all hands; A-2-3 is the lowest straight, or the second highest on demand."""
    cards = np.array(list(combinations(reversed(range(DECK)), 3)), dtype=np.int64)
    cards = cards[np.argsort(indices(*cards.T))]
    ranks = np.sort(np.where(cards // 4 == 0, 14, cards // 4 + 1), axis=1)[:, ::-1]
    high, middle, low = ranks.T
    same_suit = (cards % 4 == cards[:, :1] % 4).all(axis=1)
    wheel = (high == 14) & (middle == 3) & (low == 2)
    straight = ((high == middle + 1) & (middle == low + 1)) | wheel
    triple, paired = high == low, (high == middle) | (middle == low)
    category = np.select(
        [straight & same_suit, triple, straight, same_suit, paired],
        [STRAIGHT_FLUSH, THREE_OF_A_KIND, STRAIGHT, FLUSH, PAIR],
        NOTHING,
    )
    kicker = np.where(high == middle, low, high)
    lead = np.select([straight & wheel, paired], [3, middle], high)
    # Twice the leading rank leaves room for A-2-3 between K-Q-J (26) and A-K-Q (28).
    strength = np.where(straight & wheel & low_straight_second, 27, 2 * lead)
    second = np.select([straight, paired], [0, kicker], middle)
    third = np.where(straight | paired, 0, low)
    key = ((category * 32 + strength) * 16 + second) * 16 + third
    distinct, example, class_of = np.unique(key, return_index=True, return_inverse=True)
    if len(distinct) != CLASSES:
        raise ValueError(f"{len(distinct)} classes of three-card hands instead of {CLASSES}")
    return ThreeCard(
        class_of.astype(np.int16),
        category[example],
        lead[example],
        np.searchsorted(category[example], np.arange(7)).astype(np.int64),
    )


#: What a hand is called by its leading rank; the order of `CATEGORIES`.
_CALLED = (
    "{} high", "a pair of {}s", "a {}-high flush", "a {}-high straight", "three {}s",
    "a {}-high straight flush",
)  # fmt: skip
_RANKS = {11: "jack", 12: "queen", 13: "king", 14: "ace"}


def grades(order: ThreeCard) -> tuple[str, ...]:
    """Name every class of an order by its category and leading rank, lowest class first: (741,)."""
    pairs = zip(order.category.tolist(), order.high.tolist(), strict=True)
    names = (
        _CALLED[category].replace("{}", str(_RANKS.get(high, high))) for category, high in pairs
    )
    return tuple(name.replace("a ace", "an ace").replace("a 8", "an 8") for name in names)


def shared_counts() -> dict[str, int]:
    """What can be counted in this module, for `Shared.counts`."""
    ranked = three_card()
    category = np.bincount(ranked.category[ranked.class_of], minlength=len(CATEGORIES))
    # Every class is met, and a higher class is never of a lower category.
    met, rising = np.unique(ranked.class_of), (np.diff(ranked.category) >= 0).all()
    whole = len(met) == len(ranked.category) and rising
    counts = {name: int(category[code]) for code, name in enumerate(CATEGORIES)}
    return counts | {"classes": len(ranked.category) if whole else -1}
