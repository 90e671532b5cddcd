"""Random rounds from keyed streams: the same for any number of workers and any split.

Rounds come in blocks of 2^20. Block `b` of root seed `s` is the Philox stream of
``SeedSequence(s, spawn_key=(b,))``; asking for more rounds keeps the earlier blocks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

BLOCK = 1 << 20


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
        kept = kept[kept < np.uint64(fair)]
        while len(kept) < BLOCK:
            more = stream.random_raw(BLOCK - len(kept))
            kept = np.concatenate([kept, more[more < np.uint64(fair)]])
    return kept


def words(seed: int, block: int, below: int, lane: int = 0) -> NDArray[np.uint64]:
    """Draw one block of integers, each uniform on 0 … `below` − 1; shape (2^20,), uint64."""
    kept = fair_words(seed, block, below, lane)
    return kept if below == 1 << 64 else kept % np.uint64(below)
