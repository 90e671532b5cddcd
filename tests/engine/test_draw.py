"""Six cards from one number, against a slow dealing by Python integers."""

from __future__ import annotations

from math import perm

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.draw import divisors, six


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
    drawn = [int(card) for card in six(np.uint64(word), divisors(size), np.uint64(size))]
    assert drawn == slowly(word, size)
    assert len(set(drawn)) == 6


@pytest.mark.parametrize("size", [52, 364, 416, 624])
def test_numbers_at_the_edges(size: int) -> None:
    half = size * (size - 1) * (size - 2)
    for word in (0, 1, half - 1, half, perm(size, 6) - 1, 2**64 - 1):
        drawn = [int(card) for card in six(np.uint64(word), divisors(size), np.uint64(size))]
        assert drawn == slowly(word, size)


def test_all_sixes_of_the_smallest_shoes_digit_are_reached() -> None:
    """Every value of a digit is divided exactly: all quotients up to the largest shoe's."""
    for size in (52, 416, 624):
        by = divisors(size).astype(object)
        largest = size * (size - 1) * (size - 2)
        for k in range(6):
            for number in (0, size - k - 1, size - k, largest - 1, largest // 2):
                assert number * int(by[k]) >> 38 == number // (size - k)
