"""Six cards from one number, against a slow dealing by Python integers."""

from __future__ import annotations

from math import perm

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards.draw import BATCH, radix, six, sixes, unpack


def slowly(word: int, size: int) -> list[int]:
    """Read mixed radix digits, lowest first, each the place of a card among those left.

    The word's lower half holds three digits, its upper half the other three.
    """
    left = list(range(size))
    digits = []
    for k in range(6):
        word, digit = divmod(word, size - k)
        digits.append(digit)
    return [left.pop(digit) for digit in digits]


@settings(deadline=None)
@given(
    size=st.sampled_from([52, 53, 104, 312, 364, 416, 623, 624]),
    word=st.integers(0, 2**64 - 1),
)
def test_any_number_deals_the_cards_that_its_digits_name(size: int, word: int) -> None:
    drawn = list(six(word, size))
    assert drawn == slowly(word, size)
    assert len(set(drawn)) == 6


@pytest.mark.parametrize("size", [52, 364, 416, 624])
def test_numbers_at_the_edges(size: int) -> None:
    half = size * (size - 1) * (size - 2)
    for word in (0, 1, half - 1, half, perm(size, 6) - 1, 2**64 - 1):
        assert list(six(word, size)) == slowly(word, size)


@settings(deadline=None, max_examples=300)
@given(
    size=st.sampled_from([52, 312, 416, 624]),
    digit=st.integers(0, 7),
    multiple=st.integers(0, 2**50),
    off=st.sampled_from([-1, 0, 1]),
)
def test_products_with_shares_are_exact_quotients(
    size: int, digit: int, multiple: int, off: int
) -> None:
    """Where a quotient is about to change it is right, up to 2^50."""
    by = [size - k for k in range(6)] + [perm(size, 3), perm(size - 3, 3)]
    number = min(multiple // by[digit] * by[digit] + off, 2**50 - 1)
    share = radix(size).shares[digit]
    assert int(max(number, 0) * share) == max(number, 0) // by[digit]


@pytest.mark.parametrize("size", [52, 624])
@pytest.mark.parametrize("number", [1, 7, BATCH - 1, BATCH])
def test_a_batch_deals_what_its_words_deal_singly(size: int, number: int) -> None:
    three = perm(size, 3)
    words = np.random.default_rng(number).integers(0, 2**64, size=number, dtype=np.uint64)
    # Next to multiples of the first divisor, and at the very top, quotients are hardest.
    words[::3] = words[::3] // np.uint64(three) * np.uint64(three)
    words[1::3] = words[1::3] // np.uint64(three) * np.uint64(three) - np.uint64(1)
    words[-1] = 2**64 - 1
    for word, packed in zip(words, sixes(words, radix(size)), strict=True):
        assert list(unpack(int(packed))) == slowly(int(word), size)
