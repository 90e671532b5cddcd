"""Six different cards of a shoe from one random number.

A number below n(n−1)…(n−5), in mixed radix, says which of the cards that are left comes next, so
that every ordered six cards come from equally many numbers. No shoe is shuffled: the cards drawn
so far, kept in order, tell which card is the k-th of those left.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels import njit

CARDS = 6


def divisors(shoe: int) -> NDArray[np.uint64]:
    """Multipliers that divide by shoe … shoe − 5 through a shift of 38 bits, shape (6,).

    For x < d^3 and d ≤ 624, x · d < 2^38, so that x · ceil(2^38 / d) >> 38 is x // d exactly; the
    product is below 2^57 (shoe − 5 is 47 at least).
    """
    return np.array([-(-(1 << 38) // (shoe - k)) for k in range(CARDS)], dtype=np.uint64)


@njit
def _three(
    number: np.uint64, first: int, by: NDArray[np.uint64], shoe: np.uint64
) -> tuple[np.int64, np.int64, np.int64]:
    """Read three digits, each below the number of cards left after `first`, one and two more."""
    shift = np.uint64(38)
    rest = (number * by[first]) >> shift
    a = np.int64(number - rest * (shoe - np.uint64(first)))
    c = (rest * by[first + 1]) >> shift
    b = np.int64(rest - c * (shoe - np.uint64(first + 1)))
    return a, b, np.int64(c)


@njit
def six(
    word: np.uint64, by: NDArray[np.uint64], shoe: np.uint64
) -> tuple[np.int64, np.int64, np.int64, np.int64, np.int64, np.int64]:
    """Six different cards 0 … `shoe` − 1 (52 … 624) in the order of drawing.

    `word` is fair modulo shoe·(shoe − 1)…(shoe − 5); `by` holds the shoe's `divisors`.
    """
    one, two, three = np.uint64(1), np.uint64(2), np.uint64(3)
    half = shoe * (shoe - one) * (shoe - two)
    left = shoe - three
    upper = word // half
    a, b, c = _three(word - upper * half, 0, by, shoe)
    d, e, f = _three(upper % (left * (left - one) * (left - two)), 3, by, shoe)
    b += b >= a
    p, q = min(a, b), max(a, b)
    c += c >= p
    c += c >= q
    p, q, r = min(p, c), max(p, min(q, c)), max(q, c)
    d += d >= p
    d += d >= q
    d += d >= r
    p, q, r, s = min(p, d), max(p, min(q, d)), max(q, min(r, d)), max(r, d)
    e += e >= p
    e += e >= q
    e += e >= r
    e += e >= s
    p, q, r, s, t = (
        min(p, e),
        max(p, min(q, e)),
        max(q, min(r, e)),
        max(r, min(s, e)),
        max(s, e),
    )
    f += f >= p
    f += f >= q
    f += f >= r
    f += f >= s
    f += f >= t
    return a, b, c, d, e, f
