"""Six different cards of a shoe from one random number.

A number below n(n−1)…(n−5), in mixed radix, says which of the cards that are left comes next, so
that every ordered six cards come from equally many numbers. No shoe is shuffled: the cards drawn
so far, kept in order, tell which card is the k-th of those left.

Numbers are read a batch at a time. Each step is then one loop over small arrays without branches,
which the compiler turns into instructions for several rounds at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.exact.kernels import njit

CARDS = 6
#: Numbers that are best read together: what they need stays in the first cache.
BATCH = 1024
#: Bits of a card in a packed round.
_BITS, _MASK = 10, 1023
#: 2^52 as a double, and the bits of that double.
_LARGE, _BITS_OF_LARGE = 2.0**52, np.uint64(0x433 << 52)


class Radix(NamedTuple):
    """A shoe's number of cards (52 … 624), and what divides by it and by what is left of it.

    `shares`, shape (8,), float64: reciprocals of shoe … shoe − 5, of the ordered ways to draw the
    first three cards, and of those to draw the next three; all of them rounded up.

    The floor of x · share is x // d for integers 0 ≤ x < 2^50: the share is not below 1 / d, so
    neither is the rounded product below the integer x // d; and it exceeds x / d by less than
    x / d · 2^-50 < 1 / d, while x / d falls short of the next integer by 1 / d at least.
    """

    shoe: int
    shares: NDArray[np.float64]


def radix(shoe: int) -> Radix:
    """Prepare the divisions for a shoe of 52 … 624 cards."""
    by = [shoe - k for k in range(CARDS)]
    by += [by[0] * by[1] * by[2], by[3] * by[4] * by[5]]
    return Radix(shoe, np.nextafter(1 / np.array(by, dtype=np.float64), 1))


@njit
def split(
    words: NDArray[np.uint64],
    ways: int,
    share: float,
    low: NDArray[np.float64],
    high: NDArray[np.float64],
) -> None:
    """Divide words by the ordered ways to draw three cards: remainders to `low`, quotients `high`.

    `ways`: 38·39·40 at least; `share`: its reciprocal, rounded up. Doubles from 2^52 to 2^53 are
    the integers there, and their last 52 bits say which: words viewed as doubles turn into numbers,
    and back, where AVX2 has no instruction for it.

    The quotient, below 2^49, is calculated without a word's last 12 bits, less than 1/14 of `ways`,
    and with an error below 2^49 · 2^-51 = 1/4. Rounded to the nearest integer it is the floor or
    one more, and then the remainder is negative.
    """
    bits = np.empty(len(words), dtype=np.uint64)
    real = bits.view(np.float64)
    by = np.uint64(ways)
    for k in range(len(words)):
        bits[k] = words[k] >> np.uint64(12) | _BITS_OF_LARGE
    for k in range(len(words)):
        real[k] = (real[k] - _LARGE) * (share * 4096.0) + _LARGE
    for k in range(len(words)):
        upper = bits[k] & ~_BITS_OF_LARGE
        lower = np.int64(words[k] - upper * by)
        if lower < 0:
            lower += ways
            upper -= np.uint64(1)
        low[k] = np.int32(lower)
        bits[k] = upper | _BITS_OF_LARGE
    for k in range(len(words)):
        high[k] = real[k] - _LARGE


@njit
def _past(card: np.int32, gone: np.int32) -> np.int32:
    """Move a card on by one where it does not lie before a card that is gone."""
    return np.int32(card + (card >= gone))


@njit
def sixes(words: NDArray[np.uint64], by: Radix) -> NDArray[np.int64]:
    """Draw six different cards 0 … shoe − 1 from each of some words, `BATCH` at most.

    Words are fair modulo shoe·(shoe − 1)…(shoe − 5). Returns shape (words,), int64: cards in the
    order of drawing, packed as `unpack` reads them.
    """
    low, high = np.empty(len(words)), np.empty(len(words))
    packed = np.empty(len(words), dtype=np.int64)
    shoe, share_d, share_e = np.int32(by.shoe), by.shares[3], by.shares[4]
    share_a, share_b, share_upper = by.shares[0], by.shares[1], by.shares[7]
    split(words, by.shoe * (by.shoe - 1) * (by.shoe - 2), by.shares[6], low, high)
    ways = np.float64((by.shoe - 3) * (by.shoe - 4) * (by.shoe - 5))
    # Casts keep numbers at 32 bits, so that twice as many fit into an instruction.
    for k in range(len(words)):
        rest = np.int32(low[k] * share_a)
        a = np.int32(np.int32(low[k]) - rest * shoe)
        c = np.int32(rest * share_b)
        b = np.int32(rest - c * (shoe - 1))
        upper = np.int32(high[k] - np.floor(high[k] * share_upper) * ways)
        rest = np.int32(upper * share_d)
        d = np.int32(upper - rest * (shoe - 3))
        f = np.int32(rest * share_e)
        e = np.int32(rest - f * (shoe - 4))
        b = _past(b, a)
        p, q = min(a, b), max(a, b)
        c = _past(_past(c, p), q)
        p, q, r = min(p, c), max(p, min(q, c)), max(q, c)
        d = _past(_past(_past(d, p), q), r)
        p, q, r, s = min(p, d), max(p, min(q, d)), max(q, min(r, d)), max(r, d)
        e = _past(_past(_past(_past(e, p), q), r), s)
        f = _past(_past(f, min(p, e)), max(p, min(q, e)))
        f = _past(_past(_past(f, max(q, min(r, e))), max(r, min(s, e))), max(s, e))
        left = np.int64(c) << 2 * _BITS | np.int64(b) << _BITS | np.int64(a)
        right = np.int64(f) << 2 * _BITS | np.int64(e) << _BITS | np.int64(d)
        packed[k] = right << 3 * _BITS | left
    return packed


@njit
def unpack(packed: int) -> tuple[int, int, int, int, int, int]:
    """Six cards of a packed round, in the order of drawing."""
    return (
        packed & _MASK,
        packed >> _BITS & _MASK,
        packed >> 2 * _BITS & _MASK,
        packed >> 3 * _BITS & _MASK,
        packed >> 4 * _BITS & _MASK,
        packed >> 5 * _BITS & _MASK,
    )


def six(word: int | np.uint64, shoe: int) -> tuple[int, ...]:
    """Six different cards from one word, as `sixes` draws them."""
    packed = sixes(np.array([word], dtype=np.uint64), radix(shoe))
    return unpack(int(packed[0]))
