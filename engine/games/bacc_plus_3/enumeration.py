"""Baccarat + 3 by symmetry: all 3,986,646,103,440 deals by inclusion and exclusion.

A player holding P meets the dealer hands D that share no card with it. Their number with any
property is the sum over the subsets S of P of (−1)^|S| × (dealer hands with it that contain S), and
hands that contain S depend on S only up to a renaming of the suits: 18,370 classes of S replace
2,598,960 dealer hands for each player. Every class is visited once: the canonical hands above it
give the dealer's distribution, and the same hands, as the player's, receive it.

Nothing here asks the referee; the two share the order of poker hands and the points of cards alone.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards.hands.baccarat import POINTS
from engine.cards.hands.suits import CHOOSE, suit_classes
from engine.cards.hands.three_card import (
    CATEGORIES,
    CLASSES,
    PAIR,
    STRAIGHT,
    ThreeCard,
    indices,
    three_card,
)
from engine.exact.kernels import njit
from engine.games.bacc_plus_3.rules import SPLITS, TIE_RULES, Rules

Int = NDArray[np.int64]

TOTALS = 10
#: A split or a dealer's setting is a cell: 10 × poker class + baccarat total.
CELLS = CLASSES * TOTALS
#: How a dealer's poker hand stands to a player's of category k, in ascending order of classes:
#: code d for a lower category d < k; k, k + 1, k + 2 for lower, equal, higher in category k;
#: d + 2 for a higher category d > k.
STANDINGS = len(CATEGORIES) + 2


class Layouts(NamedTuple):
    """Every canonical hand in all its settings.

    `cell`: the player's ten splits, shape (134459, 10), int16, which is fast to reach; `dealer`:
    the house way's cell, shape (134459,); `weight`: physical hands behind each; both int64.
    """

    cell: NDArray[np.int16]
    dealer: Int
    weight: Int


class Lattice(NamedTuple):
    """Which canonical hands contain which classes of up to four cards.

    Class s has the hands ``hands[start[s]:start[s + 1]]``, ascending, one entry for each subset of
    the hand that belongs to it. `orbit`: sets in the class; `sign`: (−1)^size. All over 18,370
    classes in ascending order of their size.
    """

    start: Int
    hands: NDArray[np.int32]
    orbit: Int
    sign: Int


def order(rules: Rules) -> ThreeCard:
    """The order of poker hands under a setting."""
    return three_card(rules.ace_two_three == "second")


def layouts(rules: Rules) -> Layouts:
    """Lay all canonical hands out, and set each by the house way."""
    hands = suit_classes(5)
    cell, dealer = lay_out(hands.cards, rules)
    return Layouts(np.ascontiguousarray(cell.T), dealer, hands.weight)


def lay_out(cards: Int, rules: Rules) -> tuple[NDArray[np.int16], Int]:
    """Cells of hands in all their settings, shape (10, n), and of the house way's, shape (n,).

    `cards`: descending, shape (n, 5).
    """
    class_of = order(rules).class_of
    places = np.ascontiguousarray(cards.T)
    points = POINTS[places]
    # The rank of three cards, as `index` has it, in parts that each card is looked up for once.
    highest, middle = CHOOSE[:, 3][places], CHOOSE[:, 2][places]
    cell = np.empty((len(SPLITS), len(cards)), dtype=np.int16)
    for split, (first, second, a, b, c) in enumerate(SPLITS):
        poker = class_of[highest[a] + middle[b] + places[c]]
        cell[split] = poker * TOTALS + (points[first] + points[second]) % 10
    preferred = _house_order(rules)
    rank = np.argsort(preferred).astype(np.int16)
    return cell, preferred[rank[cell].max(axis=0)]


def _house_order(rules: Rules) -> Int:
    """All cells in the house way's order: by step, then by what the step looks at, best last."""
    poker, baccarat = np.divmod(np.arange(CELLS), TOTALS)
    category = order(rules).category[poker]
    paired = category == PAIR if rules.house_step_3 == "pair only" else category >= PAIR
    step = np.select([category >= STRAIGHT, baccarat == 9, paired], [3, 2, 1], 0)
    # Step 2 compares nines only, so total and poker class in turn serve every step.
    return np.lexsort((poker, baccarat, step))


def best_classes(cards: Int, rules: Rules) -> Int:
    """Highest poker class that three of five cards make: hands of shape (n, 5) → (n,)."""
    class_of = order(rules).class_of
    triples = [cards[:, places] for places in SPLITS[:, 2:]]
    best: Int = np.max([class_of[indices(*three.T)] for three in triples], axis=0).astype(np.int64)
    return best


def best_category(classes: Int, rules: Rules) -> Int:
    """What the poker bet is settled by: the category, and one more for the highest class of all."""
    category: Int = order(rules).category[classes] + (classes == CLASSES - 1)
    return category


@njit
def _subsets(
    cards: Int,
    choose: Int,
    base: Int,
    ones: NDArray[np.int32],
    twos: NDArray[np.int32],
    threes: NDArray[np.int32],
    fours: NDArray[np.int32],
    into: Int,
) -> None:
    """Number the classes of the 31 subsets of five cards (descending) that leave one out."""
    for mask in range(31):
        size = 0
        for position in range(5):
            size += mask >> position & 1
        rank, left = 0, size
        for position in range(5):
            if mask >> position & 1:
                rank += choose[cards[position], left]
                left -= 1
        if size == 0:
            into[mask] = 0
        elif size == 1:
            into[mask] = base[1] + ones[rank]
        elif size == 2:
            into[mask] = base[2] + twos[rank]
        elif size == 3:
            into[mask] = base[3] + threes[rank]
        else:
            into[mask] = base[4] + fours[rank]


@njit
def _fill(
    cards: Int,
    choose: Int,
    base: Int,
    ones: NDArray[np.int32],
    twos: NDArray[np.int32],
    threes: NDArray[np.int32],
    fours: NDArray[np.int32],
    start: Int,
    hands: NDArray[np.int32],
) -> None:
    """Count (shape of `hands` 0), or list, the hands above every class of subsets."""
    above = np.empty(31, dtype=np.int64)
    next_free = start.copy()
    for hand in range(len(cards)):
        _subsets(cards[hand], choose, base, ones, twos, threes, fours, above)
        for number in above:
            if len(hands) == 0:
                start[number + 1] += 1
            else:
                hands[next_free[number]] = hand
                next_free[number] += 1


@functools.cache
def lattice() -> Lattice:
    """Relate the 134,459 canonical hands to all classes of their subsets: 4,168,229 entries."""
    cards = suit_classes(5).cards
    parts = [suit_classes(size) for size in range(1, 5)]
    orbit = np.concatenate([[1], *(part.weight for part in parts)]).astype(np.int64)
    sizes = np.repeat(np.arange(5), [1, *(len(part.weight) for part in parts)])
    base = np.searchsorted(sizes, np.arange(5)).astype(np.int64)
    ones, twos, threes, fours = (part.of_rank for part in parts)
    start = np.zeros(len(orbit) + 1, dtype=np.int64)
    _fill(cards, CHOOSE, base, ones, twos, threes, fours, start, np.zeros(0, dtype=np.int32))
    start = np.cumsum(start)
    hands = np.empty(start[-1], dtype=np.int32)
    _fill(cards, CHOOSE, base, ones, twos, threes, fours, start, hands)
    return Lattice(start, hands, orbit, 1 - 2 * (sizes % 2).astype(np.int64))


@njit
def _spread(
    number: int, above: Lattice, hands: Layouts, dealer_hands: Int, seen: NDArray[np.bool_]
) -> None:
    """Count the dealer hands that contain a class's set: `dealer_hands[poker class, total]`.

    `seen` tells the poker classes that occur. Both are left to the next call as they are: what it
    finds there it clears.
    """
    for c in range(CLASSES):
        if seen[c]:
            dealer_hands[c] = 0
            seen[c] = False
    for entry in range(above.start[number], above.start[number + 1]):
        hand = above.hands[entry]
        cell = hands.dealer[hand]
        dealer_hands[cell // 10, cell % 10] += hands.weight[hand]
        seen[cell // 10] = True
    orbit = above.orbit[number]
    for c in range(CLASSES):
        if seen[c]:
            for dealer in range(10):
                if dealer_hands[c, dealer] != 0:
                    dealer_hands[c, dealer] //= orbit


@njit
def standing(category: int, player: int, other_category: int, dealer: int) -> int:
    """Code of STANDINGS for a dealer's class `dealer` against a player's class `player`."""
    if other_category < category:
        return other_category
    if other_category > category:
        return other_category + 2
    if dealer < player:
        return category
    return category + 1 if dealer == player else category + 2


@njit
def expected(
    above: Lattice,
    hands: Layouts,
    poker: ThreeCard,
    block: Int,
    value: Int,
    removal: bool,
    worth: Int,
) -> None:
    """Sum a value over all disjoint dealer hands, for every hand and split.

    With `removal` the player's own hand ends the alternating sum; the lattice gives the rest of it.

    `block`, shape (blocks + 1,): poker classes at which a new run of equal values begins, each
    within one category; `value[block, dealer's total, standing, player's total]`, contiguous. Adds
    to `worth`, shape (134459, 10), int64. With |value| ≤ V every partial sum is below 4.3e6 · V.
    """
    dealer_hands = np.zeros((CLASSES, 10), dtype=np.int64)
    seen = np.zeros(CLASSES, dtype=np.bool_)
    # The mean of a player's cell is mean[row[class] + cell]: classes that no dealer hand tells
    # apart share ten means.
    row = np.empty(CLASSES, dtype=np.int64)
    mean = np.empty(10 * (len(block) + 2 * CLASSES), dtype=np.int64)
    run = np.empty(10, dtype=np.int64)
    by_category = np.empty((6, 10), dtype=np.int64)
    lower = np.empty(10, dtype=np.int64)
    for number in range(len(above.orbit)):
        _spread(number, above, hands, dealer_hands, seen)
        sign = above.sign[number]
        by_category[:] = 0
        for c in range(CLASSES):
            if seen[c]:
                by_category[poker.category[c]] += dealer_hands[c]
        lower[:] = 0
        last = -10
        for b in range(len(block) - 1):
            player_category = poker.category[block[b]]
            if block[b] == poker.first[player_category]:
                lower[:] = 0
            run[:] = 0
            for dealer in range(10):
                for category in range(6):
                    count = sign * by_category[category, dealer]
                    if count == 0:
                        continue
                    low = sign * lower[dealer] if category == player_category else 0
                    code = category if category < player_category else category + 2
                    for player in range(10):
                        run[player] += low * value[b, dealer, player_category, player]
                        run[player] += (count - low) * value[b, dealer, code, player]
            last += 10
            for player in range(10):
                mean[last + player] = run[player]
            for c in range(block[b], block[b + 1]):
                if not seen[c]:
                    row[c] = last - 10 * c
                    continue
                last += 10
                row[c] = last - 10 * c
                for player in range(10):
                    mean[last + player] = run[player]
                for dealer in range(10):
                    if dealer_hands[c, dealer] == 0:
                        continue
                    lower[dealer] += dealer_hands[c, dealer]
                    count = sign * dealer_hands[c, dealer]
                    for player in range(10):
                        high = value[b, dealer, player_category + 2, player]
                        mean[last + player] += count * (
                            value[b, dealer, player_category + 1, player] - high
                        )
                        run[player] += count * (value[b, dealer, player_category, player] - high)
                last += 10
                for player in range(10):
                    mean[last + player] = run[player]
        for entry in range(above.start[number], above.start[number + 1]):
            hand = above.hands[entry]
            for split in range(10):
                cell = hands.cell[hand, split]
                worth[hand, split] += mean[row[cell // 10] + cell]
    if not removal:
        return
    for hand in range(len(hands.dealer)):
        other = hands.dealer[hand] // 10
        dealer = hands.dealer[hand] % 10
        for split in range(10):
            c = hands.cell[hand, split] // 10
            b = np.searchsorted(block, c, side="right") - 1
            code = standing(poker.category[c], c, poker.category[other], other)
            worth[hand, split] -= value[b, dealer, code, hands.cell[hand, split] % 10]


@njit
def tally(above: Lattice, hands: Layouts, edges: Int, lo: int, cell: Int, counts: Int) -> None:
    """Count all disjoint dealer hands by total and poker class, for the hands from `lo` on.

    `cell`, shape (hands,): the cell that each hand is set to. `edges[player_cell]` cuts the
    dealer's classes into intervals: shape (741, intervals), each given by its end. Adds the hand's
    weight × count to `counts[cell, interval, dealer's total]`, int64: below 2.6e6 × 2.6e6 < 7e12.
    """
    hi = lo + len(cell)
    dealer_hands = np.zeros((CLASSES, 10), dtype=np.int64)
    seen = np.zeros(CLASSES, dtype=np.bool_)
    # Dealer hands below a class: below[row[class]]; classes with none in between share a row.
    row = np.empty(CLASSES + 1, dtype=np.int64)
    below = np.zeros((CLASSES + 1, 10), dtype=np.int64)
    # Player's hands by cell, and the cells that occur.
    set_to = np.zeros(CELLS, dtype=np.int64)
    cells = np.empty(min(len(cell), CELLS), dtype=np.int64)
    intervals = edges.shape[1]
    for number in range(len(above.orbit)):
        begin, end = above.start[number], above.start[number + 1]
        first = begin + np.searchsorted(above.hands[begin:end], lo)
        if first == end or above.hands[first] >= hi:
            continue
        _spread(number, above, hands, dealer_hands, seen)
        last = 0
        for c in range(CLASSES):
            row[c] = last
            if seen[c]:
                below[last + 1] = below[last] + dealer_hands[c]
                last += 1
        row[CLASSES] = last
        present = 0
        for entry in range(first, end):
            hand = above.hands[entry]
            if hand >= hi:
                break
            player_cell = cell[hand - lo]
            if set_to[player_cell] == 0:
                cells[present] = player_cell
                present += 1
            set_to[player_cell] += hands.weight[hand]
        for index in range(present):
            player_cell = cells[index]
            weight = above.sign[number] * set_to[player_cell]
            set_to[player_cell] = 0
            for interval in range(intervals):
                upto = below[row[edges[player_cell // 10, interval]]]
                into = counts[player_cell, interval]
                for dealer in range(10):
                    into[dealer] += weight * upto[dealer]
    for hand in range(lo, hi):
        player_cell, other = cell[hand - lo], hands.dealer[hand]
        for interval in range(intervals):
            if other // 10 < edges[player_cell // 10, interval]:
                counts[player_cell, interval, other % 10] -= hands.weight[hand]
    for player_cell in range(len(counts)):
        for interval in range(intervals - 1, 0, -1):
            counts[player_cell, interval] -= counts[player_cell, interval - 1]


def dealer_category(category: Int, code: Int) -> Int:
    """Category of the dealer's poker hand, by its standing to a player's category."""
    return np.where(code < category, code, np.where(code > category + 2, code - 2, category))


def comparison(category: Int, code: Int) -> Int:
    """Who has the higher poker hand, by the dealer's standing: 0 player, 1 dealer, 2 tie."""
    return np.where(code <= category, 0, np.where(code == category + 1, 2, 1))


def baccarat_won(player: Int, dealer: Int, rules: Rules) -> Int:
    """Who wins the baccarat hands: 0 player, 1 dealer, 2 nobody."""
    nines, others = (TIE_RULES.index(word) for word in (rules.nine_nine, rules.equal_totals))
    equal = np.where(player == 9, nines, others)
    return np.where(player == dealer, equal, (player < dealer).astype(np.int64))


def standings(poker: ThreeCard) -> Int:
    """Ends of the eight STANDINGS of the dealer's class against every class, shape (741, 8)."""
    classes = np.arange(CLASSES)
    category = poker.category
    code = np.arange(STANDINGS)
    ends = poker.first[np.minimum(code + 1, len(CATEGORIES))]
    later = poker.first[np.maximum(code - 1, 0)]
    edges = np.where(code < category[:, None], ends, later)
    edges[classes, category] = classes
    edges[classes, category + 1] = classes + 1
    return np.ascontiguousarray(edges)


def comparisons() -> Int:
    """Ends of the classes below, at, and above every class, shape (741, 3)."""
    classes = np.arange(CLASSES)
    return np.stack([classes, classes + 1, np.full(CLASSES, CLASSES)], axis=1)
