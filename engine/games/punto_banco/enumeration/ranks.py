"""How often each rank lies in both final hands together, from the ranks of either hand."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from engine.games.punto_banco.columns import RANKS
from engine.games.punto_banco.enumeration.cards import ALL_RANKS, hands, unpack_ranks

Int = NDArray[np.int64]
Flags = NDArray[np.bool_]

_NONE = len(RANKS)


def count(allowed: Flags, decks: int, ranks: Collection[int]) -> tuple[dict[str, Int], Int]:
    """Count the deals of six cards by all that lies in both final hands.

    `allowed`: which (rank, rank, suit, suit) Player's first two cards may be; `ranks`: those that
    the shoe holds. Returns columns of
    rows that need not be distinct, and the deals of each row, int64.
    """
    allowed_ranks = np.isin(np.arange(len(RANKS)), list(ranks))
    left, right, deals = hands(allowed, allowed_ranks, decks, (ALL_RANKS,), (ALL_RANKS,))
    six = np.concatenate([unpack_ranks(left[ALL_RANKS]), unpack_ranks(right[ALL_RANKS])])
    dealt = six < _NONE
    alike = np.stack([((six == card) & dealt).sum(axis=0) * (card < _NONE) for card in six])
    most = alike.max(axis=0)
    rank = np.take_along_axis(six, alike.argmax(axis=0)[None], axis=0)
    others = np.where(six == rank, 0, alike).max(axis=0)
    columns = {name: (six == number).sum(axis=0) for number, name in enumerate(RANKS)}
    return columns | {"dealt": dealt.sum(axis=0), "most_alike": most, "next_alike": others}, deals
