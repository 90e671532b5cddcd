"""All deals by ranks and suits, without going through them card by card.

Ranks decide who draws; suits only add colour. How many ways the suits of a sequence of ranks can
fall depends on which of its cards are of equal rank, and on nothing else: 203 patterns for six
cards. So every sequence of ranks adds the suit weights of its pattern. Nothing here asks the
referee; the two share the points of cards alone.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from engine.games.punto_banco.columns import POINT_COLUMNS, RANK_COLUMNS, SUIT_COLUMNS
from engine.games.punto_banco.enumeration import points
from engine.games.punto_banco.enumeration.tableau import (
    BANKER_DRAWS_ALONE,
    BANKER_DRAWS_ON,
    PLAYER_DRAWS,
)
from engine.hands.baccarat import POINTS
from engine.kernels import njit

Int = NDArray[np.int64]
Flags = NDArray[np.bool_]

RANKS, SUITS = 13, 4
VALUE = POINTS[::4].copy()
#: Column of a hand that tells the ranks of all its cards.
ALL_RANKS = "ranks"
#: Third card that is none, among the ranks and among the suits.
NO_RANK, NO_SUIT = RANKS, SUITS


def _patterns(cards: int) -> tuple[Int, Int]:
    """Patterns of equal ranks: for each card the first one of its rank; and their numbers.

    Returns (`firsts`, shape (patterns, cards); `number`, shape (cards!,), by the mixed radix code
    of a pattern, −1 for codes that are none).
    """
    firsts: list[tuple[int, ...]] = []
    number = []
    for code in itertools.product(*(range(k + 1) for k in range(cards))):
        valid = all(code[first] == first for first in code)
        number.append(len(firsts) if valid else -1)
        if valid:
            firsts.append(code)
    return np.array(firsts, dtype=np.int64), np.array(number, dtype=np.int64)


PATTERNS = {cards: _patterns(cards) for cards in (4, 5, 6)}
#: Who drew, in the order in which the suit weights are stored: (Player, Banker).
DRAWN = ((False, False), (False, True), (True, False), (True, True))


def _distinct(columns: dict[str, Int], names: tuple[str, ...]) -> tuple[Int, dict[str, Int]]:
    """Number equal rows of some columns; returns (number of each row, columns of each number)."""
    if not names:
        return np.zeros(len(next(iter(columns.values()))), dtype=np.int64), {}
    rows = np.stack([columns[name] for name in names], axis=1)
    found, member = np.unique(rows, axis=0, return_inverse=True)
    return member.reshape(-1), {name: found[:, k] for k, name in enumerate(names)}


def rank_classes(names: tuple[str, ...]) -> tuple[Int, dict[str, Int]]:
    """Hands that look equal by these columns of points and ranks.

    Returns (class of (first, second, third rank), shape (13, 13, 14), third rank 13 for none;
    columns of each class, shape (classes,)).
    """
    first, second, third = (g.reshape(-1) for g in np.indices((RANKS, RANKS, RANKS + 1)))
    value = np.append(VALUE, -1)
    columns = points.describe((value[first] + value[second]) % 10, value[third])
    pair = first == second
    columns["pair"] = pair.astype(np.int64)
    columns["pair_rank"] = np.where(pair, first + 1, -1)
    columns["trips"] = (pair & (second == third)).astype(np.int64)
    picture = np.array([rank in (10, 11, 12) for rank in range(RANKS + 1)], dtype=np.int64)
    columns["pictures"] = picture[first] + picture[second] + picture[third]
    columns[ALL_RANKS] = pack_ranks(np.sort(np.stack([first, second, third]), axis=0))
    member, distinct = _distinct(columns, tuple(n for n in columns if n in names))
    return member.reshape(RANKS, RANKS, RANKS + 1), distinct


def pack_ranks(ranks: Int) -> Int:
    """Number hands by the ranks of their cards, shape (3, n), 13 for no card."""
    number: Int = (ranks[0] * (RANKS + 1) + ranks[1]) * (RANKS + 1) + ranks[2]
    return number


def unpack_ranks(number: Int) -> Int:
    """Read `pack_ranks` back: shape (3, n)."""
    first, rest = np.divmod(number, (RANKS + 1) ** 2)
    return np.stack([first, *np.divmod(rest, RANKS + 1)])


def suit_classes(names: tuple[str, ...]) -> tuple[Int, dict[str, Int]]:
    """Hands that look equal by colour and suit, as these columns ask for them.

    Returns (class of (first, second, third suit), shape (4, 4, 5), third suit 4 for none; columns
    of each class, shape (classes,)).
    """
    first, second, third = (g.reshape(-1) for g in np.indices((SUITS, SUITS, SUITS + 1)))
    third = np.where(third == NO_SUIT, first, third)
    red = np.array([0, 1, 1, 0])
    reds = red[first] + red[second] + red[third]
    columns = {
        "colour": np.select([reds == 0, reds == 3], [0, 1], 2),
        "suit": np.where((first == second) & (second == third), first, 4),
    }
    member, distinct = _distinct(columns, tuple(n for n in columns if n in names))
    return member.reshape(SUITS, SUITS, SUITS + 1), distinct


@njit
def _weigh(
    firsts: Int,
    copies: int,
    further: int,
    allowed: Flags,
    player_drew: bool,
    banker_drew: bool,
    player_suit: Int,
    banker_suit: Int,
    player_suited: int,
    banker_suited: int,
    banker_classes: int,
    player_classes: int,
    weights: Int,
) -> None:
    """Add the ways of all suit sequences to `weights`, shape (patterns, suit rows).

    `firsts`: patterns of equal ranks; `copies`: cards of each rank and suit; `further`: ordered
    ways to deal the cards that nobody draws; `allowed`: suits of Player's first two cards that
    count, shape (4, 4). A suit row is ((suited pair of Player × 2 + of Banker) × Player's suit
    class + …) × Banker's suit class; a suited pair is told only where its flag is 1.
    """
    cards = firsts.shape[1]
    suit = np.zeros(cards, dtype=np.int64)
    for pattern in range(len(firsts)):
        first = firsts[pattern]
        for sequence in range(4**cards):
            rest = sequence
            for k in range(cards):
                suit[k] = rest & 3
                rest >>= 2
            if not allowed[suit[0], suit[1]]:
                continue
            ways = further
            for k in range(cards):
                left = copies
                for j in range(k):
                    if first[j] == first[k] and suit[j] == suit[k]:
                        left -= 1
                ways *= max(left, 0)
            if ways == 0:
                continue
            player_third = suit[4] if player_drew else NO_SUIT
            banker_third = suit[cards - 1] if banker_drew else NO_SUIT
            of_player = player_suited * (first[1] == 0 and suit[0] == suit[1])
            of_banker = banker_suited * (first[3] == first[2] and suit[2] == suit[3])
            row = (2 * of_player + of_banker) * player_classes
            row = (row + player_suit[suit[0], suit[1], player_third]) * banker_classes
            row += banker_suit[suit[2], suit[3], banker_third]
            weights[pattern, row] += ways


@njit
def _sum(
    kind: Int,
    present: Flags,
    value: Int,
    player_draws: Flags,
    banker_alone: Flags,
    banker_draws: Flags,
    four: Int,
    five: Int,
    six: Int,
    player_rank: Int,
    banker_rank: Int,
    weights: Int,
    row_of: Int,
) -> Int:
    """Go through all sequences of ranks; returns counts, shape (rank rows, suit rows).

    `kind` says for each pair of Player's first two ranks which suit weights hold, shape (13, 13),
    −1 for none; `four`, `five`, `six` number the patterns by code; `weights` has shape (kinds, 4,
    patterns, suit rows); `row_of`, shape (Player's rank classes, Banker's), receives the rank row
    of each pair of classes. Banker's two cards are taken in no order and count twice.
    """
    suit_rows = weights.shape[3]
    counts = np.zeros((256, suit_rows), dtype=np.int64)
    used = 0
    place = np.full(RANKS, -1, dtype=np.int64)
    for p in range(RANKS):
        if not present[p]:
            continue
        place[p] = 0
        for q in range(RANKS):
            which = kind[p, q]
            if which < 0 or not present[q]:
                continue
            new_q = place[q] < 0
            if new_q:
                place[q] = 1
            player = (value[p] + value[q]) % 10
            for b in range(RANKS):
                if not present[b]:
                    continue
                new_b = place[b] < 0
                if new_b:
                    place[b] = 2
                for c in range(b, RANKS):
                    if not present[c]:
                        continue
                    new_c = place[c] < 0
                    if new_c:
                        place[c] = 3
                    times = 1 if b == c else 2
                    banker = (value[b] + value[c]) % 10
                    code = (place[q] * 3 + place[b]) * 4 + place[c]
                    player_drew = player_draws[player, banker]
                    alone = banker_alone[player, banker]
                    for x in range(RANKS + 1):
                        if player_drew != (x < RANKS):
                            continue
                        code_x = code
                        new_x = False
                        if player_drew:
                            if not present[x]:
                                continue
                            new_x = place[x] < 0
                            if new_x:
                                place[x] = 4
                            code_x = code * 5 + place[x]
                            banker_drew = banker_draws[banker, value[x]]
                        else:
                            banker_drew = alone
                        for y in range(RANKS + 1):
                            if banker_drew != (y < RANKS):
                                continue
                            drawn = 2 * player_drew + banker_drew
                            if banker_drew:
                                if not present[y]:
                                    continue
                                at = 4 + player_drew
                                if place[y] >= 0:
                                    at = place[y]
                                code_y = code_x * (5 + player_drew) + at
                            else:
                                code_y = code_x
                            if drawn == 0:
                                pattern = four[code_y]
                            elif drawn == 3:
                                pattern = six[code_y]
                            else:
                                pattern = five[code_y]
                            left, right = player_rank[p, q, x], banker_rank[b, c, y]
                            row = row_of[left, right]
                            if row < 0:
                                row = used
                                used += 1
                                row_of[left, right] = row
                                if used > len(counts):
                                    more = np.zeros((2 * len(counts), suit_rows), dtype=np.int64)
                                    more[: len(counts)] = counts
                                    counts = more
                            weight = weights[which, drawn, pattern]
                            total = counts[row]
                            for k in range(suit_rows):
                                total[k] += times * weight[k]
                        if new_x:
                            place[x] = -1
                    if new_c:
                        place[c] = -1
                if new_b:
                    place[b] = -1
            if new_q:
                place[q] = -1
        place[p] = -1
    return counts[:used]


def hands(
    allowed: Flags,
    ranks: Flags,
    copies: int,
    player: tuple[str, ...],
    banker: tuple[str, ...],
) -> tuple[dict[str, Int], dict[str, Int], Int]:
    """Count the deals of six cards from a shoe with `copies` of every card of some ranks.

    `allowed`: which (rank, rank, suit, suit) Player's first two cards may be, shape (13, 13, 4, 4);
    `ranks`: which ranks the shoe holds, shape (13,); `player`, `banker`: what to tell of each hand.
    Returns rows of distinct hands: Player's columns, Banker's columns, deals of each row, shape
    (rows,), int64. All counts together are at most 624·623·622·621·620·619 < 2^56.
    """
    cards = int(ranks.sum()) * SUITS * copies
    masks = allowed.reshape(RANKS * RANKS, SUITS * SUITS)
    several, kind = np.unique(masks, axis=0, return_inverse=True)
    kind = np.where(masks.any(axis=1), kind.reshape(-1), -1).reshape(RANKS, RANKS)
    player_rank, player_columns = rank_classes(player)
    banker_rank, banker_columns = rank_classes(banker)
    player_suit, player_suits = suit_classes(player)
    banker_suit, banker_suits = suit_classes(banker)
    shape = (2, 2, int(player_suit.max()) + 1, int(banker_suit.max()) + 1)
    player_suited, banker_suited = (int("suited_pair" in names) for names in (player, banker))
    most = len(PATTERNS[6][0])
    weights = np.zeros((len(several), len(DRAWN), most, int(np.prod(shape))), dtype=np.int64)
    for which, mask in enumerate(several):
        for case, (player_drew, banker_drew) in enumerate(DRAWN):
            dealt = 4 + player_drew + banker_drew
            further = 1
            for k in range(dealt, 6):
                further *= cards - k
            _weigh(
                PATTERNS[dealt][0], copies, further, mask.reshape(SUITS, SUITS),
                player_drew, banker_drew, player_suit, banker_suit, player_suited, banker_suited,
                shape[3], shape[2], weights[which, case],
            )  # fmt: skip
    used = np.flatnonzero(weights.any(axis=(0, 1, 2)))
    of_player, of_banker, player_class, banker_class = np.unravel_index(used, shape)
    first = {"suited_pair": of_player} | {n: c[player_class] for n, c in player_suits.items()}
    second = {"suited_pair": of_banker} | {n: c[banker_class] for n, c in banker_suits.items()}
    used = used[order := _order(first, second, SUIT_COLUMNS)]
    suits = [{n: c[order] for n, c in side.items()} for side in (first, second)]

    row_of = np.full((int(player_rank.max()) + 1, int(banker_rank.max()) + 1), -1, dtype=np.int64)
    counts = _sum(
        kind, ranks, VALUE, PLAYER_DRAWS, BANKER_DRAWS_ALONE, BANKER_DRAWS_ON,
        PATTERNS[4][1], PATTERNS[5][1], PATTERNS[6][1],
        player_rank, banker_rank, np.ascontiguousarray(weights[..., used]), row_of,
    )  # fmt: skip
    left, right = np.nonzero(row_of >= 0)
    first = {name: codes[left] for name, codes in player_columns.items()}
    second = {name: codes[right] for name, codes in banker_columns.items()}
    order = _order(first, second, (*POINT_COLUMNS, *RANK_COLUMNS, ALL_RANKS))
    ranked = [{n: c[order] for n, c in side.items()} for side in (first, second)]
    counts = counts[row_of[left, right][order]]

    row, column = np.nonzero(counts)
    of_both = [
        {n: c[row] for n, c in by_rank.items()} | {n: c[column] for n, c in by_suit.items()}
        for by_rank, by_suit in zip(ranked, suits, strict=True)
    ]
    return of_both[0], of_both[1], counts[row, column]


def _order(player: dict[str, Int], banker: dict[str, Int], names: tuple[str, ...]) -> Int:
    """Sort rows as tables are sorted, so that they need no sorting later."""
    keys = [side[name] for name in names for side in (player, banker) if name in side]
    return np.lexsort(keys[::-1]) if keys else np.arange(1)
