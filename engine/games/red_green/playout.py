"""Every deal of a range of starts, and random rounds, set and compared by the referee."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.cards.deck import DECK, ordered_ways
from engine.cards.draw import BATCH, Radix, sixes, unpack
from engine.exact.kernels import njit
from engine.games.red_green.referee import Numbers, bonus, compare, set_hand

#: What the referee can say of one hand: 4 kinds × 13 front ranks.
FACES = 4 * 13
#: Codes of a whole comparison: both hands × winner in front (3) × winner at the back (3).
CODES = FACES * FACES * 9
#: Codes of a settled bonus: category (11) × kind (8) × flushes (7) × straight (2) × its flush (3).
BONUS_CODES = 11 * 8 * 7 * 2 * 3

Int = NDArray[np.int64]


def hands(decks: int, ranks: Collection[int] = range(13)) -> tuple[Int, Int]:
    """List all hands of three card types, in no order, that a shoe of some ranks can give.

    Returns (`cards`, `weight`): types 0–51, ascending, shape (n, 3), and the number of physical
    hands behind each, shape (n,): 22,100 of weight 1 with one deck.
    """
    a, b, c = np.indices((DECK, DECK, DECK)).reshape(3, -1)
    a, b, c = (column[(a <= b) & (b <= c)] for column in (a, b, c))
    weight = (
        ordered_ways(decks, a, b, c) // np.array([1, 2, 6])[(a == b).astype(np.int64) + (b == c)]
    )
    dealt = (weight > 0) & np.isin(np.stack([a, b, c]) // 4, list(ranks)).all(axis=0)
    return np.stack([a, b, c], axis=1)[dealt].astype(np.int64), weight[dealt]


@njit
def code_of(
    red: tuple[int, int, int, int], green: tuple[int, int, int, int], rules: Numbers
) -> int:
    """Number the outcome of two set hands, 0 … CODES − 1."""
    front, back = compare(red, green, rules)
    faces = (red[0] * 13 + red[1]) * FACES + green[0] * 13 + green[1]
    return faces * 9 + front * 3 + back


@njit
def set_all(rules: Numbers) -> tuple[NDArray[np.int16], Int]:
    """Let the referee set every hand of three card types a ≤ b ≤ c.

    Returns (`number`, `settings`): the number of each hand's setting, shape (52, 52, 52), and the
    distinct settings as `set_hand` gives them, shape (n, 4).
    """
    number = np.zeros((DECK, DECK, DECK), dtype=np.int16)
    seen = np.full(4 * 13**3, -1, dtype=np.int64)
    settings = np.empty((4 * 13**3, 4), dtype=np.int64)
    index = 0
    for a in range(DECK):
        for b in range(a, DECK):
            for c in range(b, DECK):
                hand = set_hand(a // 4, b // 4, c // 4, rules)
                key = ((hand[0] * 13 + hand[1]) * 13 + hand[2]) * 13 + hand[3]
                if seen[key] < 0:
                    seen[key] = index
                    for k in range(4):
                        settings[index, k] = hand[k]
                    index += 1
                number[a, b, c] = seen[key]
    return number, settings[:index].copy()


@njit
def setting(settings: Int, number: int) -> tuple[int, int, int, int]:
    """Read one set hand back."""
    return (
        settings[number, 0],
        settings[number, 1],
        settings[number, 2],
        settings[number, 3],
    )


@njit
def exhaust_starts(cards: Int, weight: Int, copies: Int, rules: Numbers, counts: Int) -> None:
    """Deal every Green hand to each of some Red hands, card by card, and compare the two.

    `cards` and `weight` list Red hands as `hands` does; `copies`: cards of each type in the shoe,
    shape (52,). Adds to `counts`, shape (CODES,), int64:
    at most C(416, 3)·C(413, 3) < 2^48 deals. Cards of one type are counted, not told apart; Green
    hands that are set alike are compared with Red together.
    """
    number, settings = set_all(rules)
    left = np.empty(DECK, dtype=np.int64)
    greens = np.empty(len(settings), dtype=np.int64)
    for start in range(len(cards)):
        left[:] = copies
        for k in range(3):
            left[cards[start, k]] -= 1
        greens[:] = 0
        for a in range(DECK):
            for b in range(a, DECK):
                if a < b:
                    ways = left[a] * left[b]
                    greens[number[a, b, b]] += ways * (left[b] - 1) // 2
                else:
                    ways = left[a] * (left[a] - 1) // 2
                    greens[number[a, a, a]] += ways * (left[a] - 2) // 3
                if ways > 0:
                    for c in range(b + 1, DECK):
                        greens[number[a, b, c]] += ways * left[c]
        red = setting(settings, number[cards[start, 0], cards[start, 1], cards[start, 2]])
        for green in range(len(settings)):
            code = code_of(red, setting(settings, green), rules)
            counts[code] += weight[start] * greens[green]


@njit
def bonus_code(a: int, b: int, c: int, d: int, e: int, f: int) -> int:
    """Number the bonus's outcome on six cards (0–51), 0 … BONUS_CODES − 1."""
    category, kind, flushes, straight, straight_flush = bonus(a, b, c, d, e, f)
    return (((category * 8 + kind) * 7 + flushes) * 2 + straight) * 3 + straight_flush


@njit
def taken_once_more(ways: int, card: int, last: int, run: int, decks: int) -> tuple[int, int]:
    """Add a card type to cards in ascending order; `run` copies of type `last` end them so far.

    Returns the number of physical hands behind the longer list and the copies that end it:
    C(decks, run + 1) in place of C(decks, run), or a factor of `decks` for a new type.
    """
    if card == last:
        return ways * (decks - run) // (run + 1), run + 1
    return ways * decks, 1


@njit
def exhaust_bonus(first: int, second: int, decks: int, counts: Int) -> None:
    """Settle every hand of six card types whose two lowest ranks are `first` ≤ `second`.

    Cards of one type are counted, not told apart; order within the hand does not matter. Adds to
    `counts`, shape (BONUS_CODES,), int64: at most C(416, 6) < 2^43 hands.
    """
    for a in range(4 * first, 4 * first + 4):
        for b in range(max(a, 4 * second), 4 * second + 4):
            ways_b, run_b = taken_once_more(decks, b, a, 1, decks)
            for c in range(b, DECK):
                ways_c, run_c = taken_once_more(ways_b, c, b, run_b, decks)
                if ways_c == 0:
                    continue
                for d in range(c, DECK):
                    ways_d, run_d = taken_once_more(ways_c, d, c, run_c, decks)
                    if ways_d == 0:
                        continue
                    for e in range(d, DECK):
                        ways_e, run_e = taken_once_more(ways_d, e, d, run_d, decks)
                        if ways_e == 0:
                            continue
                        for f in range(e, DECK):
                            ways, _ = taken_once_more(ways_e, f, e, run_e, decks)
                            if ways > 0:
                                counts[bonus_code(a, b, c, d, e, f)] += ways


@njit
def answers(rules: Numbers) -> tuple[NDArray[np.int16], NDArray[np.int32]]:
    """Ask the referee how every three ranks are set, and how any two settings compare.

    Returns the number of each hand's setting, shape (13, 13, 13) in any order of the ranks, and
    the code of each pair of settings, shape (n, n).
    """
    number, settings = set_all(rules)
    by_rank = np.empty((13, 13, 13), dtype=np.int16)
    for a in range(13):
        for b in range(13):
            for c in range(13):
                low, high = min(a, b, c), max(a, b, c)
                by_rank[a, b, c] = number[4 * low, 4 * (a + b + c - low - high), 4 * high]
    codes = np.empty((len(settings), len(settings)), dtype=np.int32)
    for red in range(len(settings)):
        for green in range(len(settings)):
            codes[red, green] = code_of(setting(settings, red), setting(settings, green), rules)
    return by_rank, codes


@njit
def simulate_main(
    words: NDArray[np.uint64],
    by: Radix,
    by_rank: NDArray[np.int16],
    codes: NDArray[np.int32],
    counts: Int,
) -> None:
    """Play rounds from fresh shoes, three cards to Red, then three to Green.

    `by` is the shoe's `radix`, `by_rank` and `codes` the referee's `answers`. Adds to
    `counts`, shape (CODES,), int64.
    """
    rank = (np.arange(by.shoe) % DECK // 4).astype(np.uint8)
    for begin in range(0, len(words), BATCH):
        for packed in sixes(words[begin : begin + BATCH], by):
            a, b, c, d, e, f = unpack(packed)
            red, green = by_rank[rank[a], rank[b], rank[c]], by_rank[rank[d], rank[e], rank[f]]
            counts[codes[red, green]] += 1


@cache
def bonus_answers() -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Ask the referee how all hands of six end in which no suit holds five cards.

    Returns the number of three ranks in any order, shape (13, 13, 13), and the code of two such
    threes together, shape (455, 455). Suits cannot matter where none holds five.
    """
    number, codes = np.empty((13, 13, 13), dtype=np.int16), np.empty((455, 455), dtype=np.int16)
    _ask_bonus(number, codes)
    return number, codes


@njit
def _ask_bonus(number: NDArray[np.int16], codes: NDArray[np.int16]) -> None:
    threes = np.empty((455, 3), dtype=np.int64)
    index = 0
    for a in range(13):
        for b in range(a, 13):
            for c in range(b, 13):
                number[a, b, c] = number[a, c, b] = number[b, a, c] = index
                number[b, c, a] = number[c, a, b] = number[c, b, a] = index
                threes[index, 0], threes[index, 1], threes[index, 2] = a, b, c
                index += 1
    for left in range(455):
        for right in range(455):
            p, q = 4 * threes[left], 4 * threes[right]
            code = bonus_code(p[0], p[1] + 1, p[2] + 2, q[0] + 3, q[1], q[2] + 1)
            codes[left, right] = code


@njit
def settle_bonus(
    a: int, b: int, c: int, d: int, e: int, f: int,
    number: NDArray[np.int16], codes: NDArray[np.int16],
) -> int:  # fmt: skip
    """Look the bonus's outcome up by `bonus_answers`; where a suit holds five, ask the referee."""
    suits = 1 << 4 * (a & 3)
    suits += 1 << 4 * (b & 3)
    suits += 1 << 4 * (c & 3)
    suits += 1 << 4 * (d & 3)
    suits += 1 << 4 * (e & 3)
    suits += 1 << 4 * (f & 3)
    if (suits + 0x3333) & 0x8888:
        return bonus_code(a, b, c, d, e, f)
    code: int = codes[number[a >> 2, b >> 2, c >> 2], number[d >> 2, e >> 2, f >> 2]]
    return code


@njit
def simulate_bonus(
    words: NDArray[np.uint64],
    by: Radix,
    number: NDArray[np.int16],
    codes: NDArray[np.int16],
    counts: Int,
) -> None:
    """Settle the bonus on six cards from fresh shoes; adds to `counts`, shape (BONUS_CODES,)."""
    shoe = np.arange(by.shoe) % DECK
    for begin in range(0, len(words), BATCH):
        for packed in sixes(words[begin : begin + BATCH], by):
            a, b, c, d, e, f = unpack(packed)
            code = settle_bonus(shoe[a], shoe[b], shoe[c], shoe[d], shoe[e], shoe[f], number, codes)
            counts[code] += 1
