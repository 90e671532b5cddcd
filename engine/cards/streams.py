"""Random rounds from keyed streams: the same for any number of workers and any split.

Rounds come in blocks of 2^20. Block `b` of root seed `s` is the Philox stream of
``SeedSequence(s, spawn_key=(b,))``; asking for more rounds keeps the earlier blocks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.exact.kernels import njit

BLOCK = 1 << 20


@njit
def _keep(words: NDArray[np.uint64], fair: np.uint64, kept: NDArray[np.uint64]) -> int:
    """Copy the words below `fair` to the front of `kept`, maybe the same array; return how many."""
    count = 0
    for k in range(len(words)):
        word = words[k]
        kept[count] = word
        count += word < fair
    return count


def fair_words(seed: int, block: int, below: int, lane: int = 0) -> NDArray[np.uint64]:
    """Draw one block: 2^20 independent 64-bit words, fair modulo `below`.

    `below` is the number of equally likely deals, 1 … 2^64. Words at or above its largest multiple
    are rejected and drawn again further down the stream, so that no remainder is favoured. Rounds
    that need more cards than one word holds take further words in `lane` 1, 2, …, the streams with
    spawn key (block, lane). Returns shape (2^20,), uint64.
    """
    if not 0 < below <= 1 << 64:
        raise ValueError(f"below = {below} is outside 1 … 2^64")
    key = (block, lane) if lane else (block,)
    stream = np.random.Philox(np.random.SeedSequence(entropy=seed, spawn_key=key))
    fair = (1 << 64) - (1 << 64) % below
    kept = stream.random_raw(BLOCK)
    if fair < 1 << 64 and kept.max() >= fair:
        count = _keep(kept, np.uint64(fair), kept)
        while count < BLOCK:
            count += _keep(stream.random_raw(BLOCK - count), np.uint64(fair), kept[count:])
    return kept


def words(seed: int, block: int, below: int, lane: int = 0) -> NDArray[np.uint64]:
    """Draw one block of integers, each uniform on 0 … `below` − 1; shape (2^20,), uint64."""
    kept = fair_words(seed, block, below, lane)
    return kept if below == 1 << 64 else kept % np.uint64(below)
