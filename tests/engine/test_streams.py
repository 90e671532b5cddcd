"""Keyed streams: the same rounds for any split, and fair."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cards import streams


def test_a_block_is_fixed_by_seed_and_number() -> None:
    below = 52 * 51 * 50 * 49 * 48 * 47
    first = streams.words(7, 3, below)
    assert len(first) == streams.BLOCK
    assert np.array_equal(first, streams.words(7, 3, below))
    assert not np.array_equal(first, streams.words(7, 4, below))
    assert not np.array_equal(first, streams.words(8, 3, below))
    assert int(first.max()) < below


def test_rejection_is_fair_where_it_bites() -> None:
    # With 3·2^62 of 2^64 words kept a quarter is rejected; thirds have to stay equal.
    below = 3 << 62
    words = streams.words(1, 0, below)
    thirds = np.bincount((words >> np.uint64(62)).astype(np.int64), minlength=3)
    assert len(words) == streams.BLOCK
    # five standard deviations of a binomial with n = 2^20, p = 1/3
    assert np.all(np.abs(thirds - streams.BLOCK / 3) < 5 * 483)


@pytest.mark.parametrize("below", [0, (1 << 64) + 1])
def test_an_impossible_range_is_refused(below: int) -> None:
    with pytest.raises(ValueError, match="outside"):
        streams.words(1, 0, below)


def test_rejected_words_are_replaced_from_further_down_the_stream() -> None:
    below = 240 * 239 * 238 * 237 * 236 * 235 * 234
    fair = (1 << 64) // below * below
    stream = np.random.Philox(np.random.SeedSequence(entropy=5, spawn_key=(2, 1)))
    raw = stream.random_raw(streams.BLOCK + 20_000)
    kept = raw[raw < np.uint64(fair)][: streams.BLOCK]
    assert np.count_nonzero(raw[: streams.BLOCK] >= np.uint64(fair)) > 0
    assert np.array_equal(streams.fair_words(5, 2, below, lane=1), kept)
