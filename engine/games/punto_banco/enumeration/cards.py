"""All deals by ranks and suits, without going through them card by card.

Ranks decide who draws; suits only add colour. How many ways the suits of a sequence of ranks can
fall depends on which of its cards are of equal rank, and on nothing else: 203 patterns for six
cards. So every sequence of ranks adds the suit weights of its pattern. Nothing here asks the
referee; the two share the points of cards alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from math import prod

import numpy as np
from numpy.typing import NDArray

from engine.cards.hands.baccarat import POINTS
from engine.games.punto_banco.columns import POINT_COLUMNS, RANK_COLUMNS, SUIT_COLUMNS
from engine.games.punto_banco.enumeration import points
from engine.games.punto_banco.enumeration.tableau import (
    BANKER_DRAWS_ALONE,
    BANKER_DRAWS_ON,
    PLAYER_DRAWS,
)

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
    distinct, member = np.unique(rows, axis=0, return_inverse=True)
    return member.reshape(-1), {name: distinct[:, k] for k, name in enumerate(names)}


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


def _ways(firsts: Int, suits: NDArray[np.int8], copies: int) -> Int:
    """Ways to deal suits to patterns of equal ranks, shape (patterns, sequences of suits).

    `firsts`: shape (patterns, cards); `suits`: shape (cards, sequences); `copies`: cards of each
    rank and suit.
    """
    ways = np.full((len(firsts), suits.shape[1]), copies, dtype=np.int64)
    for card in range(1, len(suits)):
        gone = np.zeros(ways.shape, dtype=np.int8)
        for other in range(card):
            equal = firsts[:, other] == firsts[:, card]
            gone += equal[:, None] & (suits[other] == suits[card])
        ways *= np.maximum(copies - gone, 0)
    return ways


def _weigh(firsts: Int, ways: Int, alike: Flags, row: Int, rows: int, weights: Int) -> None:
    """Add up the ways of all suit sequences in `weights`, shape (patterns, suit rows).

    `firsts`: patterns of equal ranks; `ways`: shape (patterns, sequences); `alike`: whether the
    first two cards of Player and of Banker are of one suit and this is told, shape (2, sequences);
    `row`: of both suit classes together, which have so many `rows`.
    """
    pairs = np.stack([firsts[:, 1] == 0, firsts[:, 3] == firsts[:, 2]])
    for pair in itertools.product((False, True), repeat=2):
        of_player, of_banker = alike & np.array(pair)[:, None]
        whole = (2 * of_player + of_banker) * rows + row
        patterns = np.flatnonzero((pairs == np.array(pair)[:, None]).all(axis=0))
        order = np.argsort(whole, kind="stable")
        distinct, start = np.unique(whole[order], return_index=True)
        sums = np.add.reduceat(ways[np.ix_(patterns, order)], start, axis=1)
        weights[np.ix_(patterns, distinct)] = sums


def _sequences(kind: Int, present: Flags) -> Iterator[list[Int]]:
    """All sequences of ranks, for each of DRAWN: two of Player's, two of Banker's, third cards.

    `kind`: −1 where Player's first two ranks cannot be, shape (13, 13). Banker's two cards stand in
    ascending order. Yields the rank of every card, each of shape (sequences,).
    """
    cards = np.flatnonzero(present)
    p, q = np.nonzero((kind >= 0) & np.outer(present, present))
    b, c = (cards[side] for side in np.triu_indices(len(cards)))
    banker, third = (VALUE[b] + VALUE[c]) % 10, VALUE[cards]
    at = np.ix_((VALUE[p] + VALUE[q]) % 10, banker)
    player_draws, alone = PLAYER_DRAWS[at], BANKER_DRAWS_ALONE[at]
    on = BANKER_DRAWS_ON[np.ix_(banker, third)]
    every = np.ones(len(cards), dtype=bool)
    for open_ in (
        ~player_draws & ~alone,
        alone[..., None] & every,
        player_draws[..., None] & ~on,
        (player_draws[..., None] & on)[..., None] & every,
    ):
        player, banker, *drawn = np.nonzero(open_)
        yield [p[player], q[player], b[banker], c[banker], *(cards[card] for card in drawn)]


def _pattern(ranks: list[Int], number: Int) -> Int:
    """Number of the pattern of equal ranks of every sequence, as `_patterns` numbers them."""
    code = np.zeros(len(ranks[0]), dtype=np.int64)
    small = [rank.astype(np.int8) for rank in ranks]
    for card in range(1, len(small)):
        first = np.full(len(code), card, dtype=np.int8)
        for other in reversed(range(card)):
            np.putmask(first, small[other] == small[card], other)
        code = code * (card + 1) + first
    pattern: Int = number[code]
    return pattern


def _sum(
    kind: Int, present: Flags, player_rank: Int, banker_rank: Int, weights: Int
) -> tuple[Int, Int]:
    """Go through all sequences of ranks: numbers of rank rows, counts (rank rows, suit rows).

    `kind` says for each pair of Player's first two ranks which suit weights hold, shape (13, 13),
    −1 for none; `weights` has shape (kinds, 4, patterns, suit rows). A rank row is Player's rank
    class × Banker's classes + Banker's. Banker's two cards are taken in no order and count twice.
    """
    right = int(banker_rank.max()) + 1
    kinds, _, patterns, suit_rows = weights.shape
    parts = []
    for case, ranks in enumerate(_sequences(kind, present)):
        dealt = len(ranks)
        player_drew, banker_drew = DRAWN[case]
        p, q, b, c = ranks[:4]
        x = ranks[4] if player_drew else NO_RANK
        y = ranks[-1] if banker_drew else NO_RANK
        key = player_rank[p, q, x] * right + banker_rank[b, c, y]
        key = (key * kinds + kind[p, q]) * patterns + _pattern(ranks, PATTERNS[dealt][1])
        twice, times = np.unique(2 * key + (b < c), return_counts=True)
        times[twice % 2 == 1] *= 2
        row, column = np.divmod(twice // 2, kinds * patterns)
        parts.append((*np.unique(row, return_index=True), column, times))
    rows = np.unique(np.concatenate([distinct for distinct, *_ in parts]))
    counts = np.zeros((suit_rows, len(rows)), dtype=np.int64)
    for case, (distinct, start, column, times) in enumerate(parts):
        at = np.searchsorted(rows, distinct)
        for suit_row in range(suit_rows if len(distinct) else 0):
            ways = weights[:, case, :, suit_row].reshape(-1)[column]
            counts[suit_row, at] += np.add.reduceat(ways * times, start)
    return rows, counts.T


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
    suited = np.array(["suited_pair" in names for names in (player, banker)])
    most = len(PATTERNS[6][0])
    weights = np.zeros((len(several), len(DRAWN), most, int(np.prod(shape))), dtype=np.int64)
    for case, (player_drew, banker_drew) in enumerate(DRAWN):
        dealt = 4 + player_drew + banker_drew
        firsts = PATTERNS[dealt][0]
        dealing = np.indices((SUITS,) * dealt, dtype=np.int8).reshape(dealt, -1)
        # Cards that nobody draws come in any order from all that are left.
        ways = _ways(firsts, dealing, copies) * prod(cards - card for card in range(dealt, 6))
        a, b, c, d = dealing[:4]
        alike = np.stack([a == b, c == d]) & suited[:, None]
        row = player_suit[a, b, dealing[4] if player_drew else NO_SUIT] * shape[3]
        row += banker_suit[c, d, dealing[-1] if banker_drew else NO_SUIT]
        for which, mask in enumerate(several):
            open_ = mask.reshape(SUITS, SUITS)[a, b]
            if open_.any():
                _weigh(
                    firsts, ways[:, open_], alike[:, open_], row[open_], shape[2] * shape[3],
                    weights[which, case],
                )  # fmt: skip
    used = np.flatnonzero(weights.any(axis=(0, 1, 2)))
    of_player, of_banker, player_class, banker_class = np.unravel_index(used, shape)
    first = {"suited_pair": of_player} | {n: c[player_class] for n, c in player_suits.items()}
    second = {"suited_pair": of_banker} | {n: c[banker_class] for n, c in banker_suits.items()}
    used = used[order := _order(first, second, SUIT_COLUMNS)]
    suits = [{n: c[order] for n, c in side.items()} for side in (first, second)]

    rows, counts = _sum(kind, ranks, player_rank, banker_rank, weights[..., used])
    left, right = np.divmod(rows, int(banker_rank.max()) + 1)
    first = {name: codes[left] for name, codes in player_columns.items()}
    second = {name: codes[right] for name, codes in banker_columns.items()}
    order = _order(first, second, (*POINT_COLUMNS, *RANK_COLUMNS, ALL_RANKS))
    ranked = [{n: c[order] for n, c in side.items()} for side in (first, second)]
    counts = counts[order]

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
