"""Sets of cards up to a renaming of the suits: 134,459 five-card hands stand for 2,598,960.

A set of cards is numbered by its colexicographic rank: with c1 < c2 < … < ck the rank is
C(c1, 1) + C(c2, 2) + … + C(ck, k), so that sets are ordered by their highest card first.
"""

from __future__ import annotations

import functools
from collections import Counter
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards.deck import DECK, RANKS, SUITS
from engine.exact.kernels import njit

Int = NDArray[np.int64]

#: ``CHOOSE[n, k]`` = C(n, k) for n ≤ 52 and k ≤ 5, int64.
CHOOSE = np.array([[comb(n, k) for k in range(6)] for n in range(DECK + 1)], dtype=np.int64)


class SuitClasses(NamedTuple):
    """All sets of `size` cards, sorted into classes that a renaming of suits maps onto themselves.

    `of_rank[r]`: class of the set of rank r, shape (C(52, size),), int32. `cards`: one set of each
    class, cards descending, shape (classes, size), int64; classes are in ascending order of these
    cards. `weight`: number of sets in each class, shape (classes,), int64.
    """

    of_rank: NDArray[np.int32]
    cards: Int
    weight: Int


@njit
def colex_index(cards: Int, choose: Int) -> int:
    """Rank of a set whose cards stand in descending order."""
    size = len(cards)
    rank = 0
    for k in range(size):
        rank += choose[cards[k], size - k]
    return rank


@njit
def canonical(cards: Int, masks: Int, image: Int, suit_to: Int) -> None:
    """Rename the suits of a set: spades to the suit with the highest ranks, then hearts, …

    `cards`: in any order. `masks`, shape (4,): scratch. `image`, shape of `cards`, receives the
    renamed set, descending; `suit_to`, shape (4,), the new name of every suit.
    """
    masks[:] = 0
    for card in cards:
        masks[card % 4] |= 1 << (card // 4)
    for suit in range(4):
        above = 0
        for other in range(4):
            if masks[other] > masks[suit] or (masks[other] == masks[suit] and other > suit):
                above += 1
        suit_to[suit] = 3 - above
    for k in range(len(cards)):
        card = 4 * (cards[k] // 4) + suit_to[cards[k] % 4]
        position = k
        while position > 0 and image[position - 1] < card:
            image[position] = image[position - 1]
            position -= 1
        image[position] = card


@njit
def next_set(cards: Int) -> bool:
    """Step a set (descending) to the next rank; False after the last of a 52-card deck."""
    size = len(cards)
    for k in range(size - 1, -1, -1):
        ceiling = 51 if k == 0 else cards[k - 1] - 1
        if cards[k] < ceiling:
            cards[k] += 1
            for lower in range(k + 1, size):
                cards[lower] = size - 1 - lower
            return True
    return False


@njit
def _canonical_ranks(size: int, choose: Int, ranks: NDArray[np.int32]) -> None:
    cards = np.arange(size - 1, -1, -1)
    masks, suit_to = np.empty(4, dtype=np.int64), np.empty(4, dtype=np.int64)
    image = np.empty(size, dtype=np.int64)
    for rank in range(len(ranks)):
        canonical(cards, masks, image, suit_to)
        ranks[rank] = colex_index(image, choose)
        next_set(cards)


@njit
def _unranked(ranks: Int, choose: Int, cards: Int) -> None:
    size = cards.shape[1]
    for row in range(len(ranks)):
        left = ranks[row]
        card = 51
        for k in range(size):
            while choose[card, size - k] > left:
                card -= 1
            cards[row, k] = card
            left -= choose[card, size - k]


def unrank(ranks: Int, size: int) -> Int:
    """Cards of the sets with these ranks, descending, shape (len(ranks), size), int64."""
    cards = np.empty((len(ranks), size), dtype=np.int64)
    _unranked(ranks, CHOOSE, cards)
    return cards


@functools.cache
def suit_classes(size: int) -> SuitClasses:
    """Sort all sets of `size` (1 … 5) cards into classes up to suits."""
    ranks = np.empty(comb(DECK, size), dtype=np.int32)
    _canonical_ranks(size, CHOOSE, ranks)
    representatives = np.flatnonzero(ranks == np.arange(len(ranks)))
    number = np.zeros(len(ranks), dtype=np.int32)
    number[representatives] = np.arange(len(representatives), dtype=np.int32)
    of_rank = number[ranks]
    weight = np.bincount(of_rank, minlength=len(representatives)).astype(np.int64)
    return SuitClasses(of_rank, unrank(representatives, size), weight)


def canonical_sets(size: int) -> tuple[Int, Int]:
    """Give one set of each class and its weight, without a compiler.

    Made of the sets of ranks that its suits hold; for who needs nothing of the other sets. Returns
    cards, descending, shape (classes, size), int64, and weights, shape (classes,), int64. Which set
    stands for its class, and the order of classes, are not those of `suit_classes`.
    """
    classes, weights = [], []
    for shape in combinations_with_replacement(range(size, -1, -1), len(SUITS)):
        if sum(shape) == size:
            cards, weight = _of_suits(shape)
            classes.append(cards)
            weights.append(weight)
    return np.concatenate(classes), np.concatenate(weights)


def _of_suits(shape: tuple[int, ...]) -> tuple[Int, Int]:
    """Canonical sets with so many cards in each of the suits, most first, and their weights."""
    parts, marks = [], []
    for size, suits in Counter(shape).items():
        # Small integers, since half the time goes to memory.
        ranks = np.array(list(combinations(range(len(RANKS)), size)), dtype=np.int16)
        several = np.array(list(combinations_with_replacement(range(len(ranks)), suits)))
        parts.append(ranks[several])
        marks.append((1 << ranks).sum(axis=1, dtype=np.int16)[several])
    places = np.indices([len(part) for part in parts]).reshape(len(parts), -1)
    by_suit = [
        part[row, k] for part, row in zip(parts, places, strict=True) for k in range(part.shape[1])
    ]
    cards = np.concatenate(
        [len(SUITS) * ranks + suit for suit, ranks in enumerate(by_suit)], axis=1
    )
    # Suits that hold the same ranks stand side by side.
    masks = [
        mark[row, k] for mark, row in zip(marks, places, strict=True) for k in range(mark.shape[1])
    ]
    weight = np.full(len(cards), 24, dtype=np.int64)
    alike = np.ones(len(cards), dtype=np.int64)
    for one, other in pairwise(masks):
        alike = np.where(one == other, alike + 1, 1)
        weight //= alike
    return np.sort(cards, axis=1)[:, ::-1].astype(np.int64), weight


def shared_counts() -> dict[str, int]:
    """What can be counted in this module, for `Shared.counts`."""
    classes = suit_classes(5)
    return {"hands": int(classes.weight.sum()), "classes": len(classes.weight)}
