"""The space of ranks: how many cards of each rank lie in both final hands together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.cards.deck import DECK
from engine.cards.draw import radix
from engine.cards.hands.baccarat import POINTS
from engine.contract.game import Wanted, check_range
from engine.contract.strategy import Strategy
from engine.exact.tables import Counts, Feature, Table, integer
from engine.games.punto_banco import playout
from engine.games.punto_banco.columns import RANKS
from engine.games.punto_banco.enumeration import ranks as by_ranks
from engine.games.punto_banco.hand_classes import HandClasses, describe, every_hand
from engine.games.punto_banco.rules import DEAL, NONE
from engine.games.punto_banco.starts import FromStarts

Int = NDArray[np.int64]

COUNTED = tuple(integer(name, f"{name} in both final hands", 0, 6) for name in RANKS)
FEATURES = (
    integer("dealt", "cards in both final hands", 4, 6),
    integer("most_alike", "cards of the rank that both hands hold most of", 1, 6),
    integer("next_alike", "cards of the rank that both hands hold second most of", 0, 3),
    *COUNTED,
)
#: A card of each rank, to stand for it.
_TYPES = np.arange(0, DECK, 4)


class Ranks(FromStarts):
    """Six cards in order from a fresh shoe, seen by the ranks that the two hands end with."""

    name = "ranks"
    title = "Ranks in both final hands"
    features = FEATURES
    cards = DEAL

    def enumerate(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Tabulate a range of starts by the ranks of either hand and patterns of suits."""
        part = check_range(lo, hi, self.starts)
        codes, deals = by_ranks.count(self.allowed(part), self.rules.decks, self.ranks)
        return Table.of(_chosen(wanted), codes, deals)

    def exhaust(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Tabulate a range of starts, sequence by sequence of ranks, through the referee."""
        part = check_range(lo, hi, self.starts)
        player, banker = _hand_classes(5), _hand_classes(6)
        counts = np.zeros((len(player), len(banker)), dtype=np.int64)
        copies = self.copies.reshape(len(RANKS), 4).sum(axis=1)
        playout.exhaust_starts(
            self.first[part] // 4, self.second[part] // 4, self.weight[part], copies,
            POINTS[_TYPES], player.of, banker.of, counts,
        )  # fmt: skip
        return _tabulate(player, banker, counts, wanted)

    def simulate(self, words: Sequence[NDArray[np.uint64]], wanted: Wanted) -> Table:
        """Play random rounds from fresh shoes."""
        player, banker = _hand_classes(5), _hand_classes(6)
        counts = np.zeros((len(player), len(banker)), dtype=np.int64)
        shoe = np.arange(self.shoe) % DECK // 4
        for block in words:
            playout.simulate_rounds(
                block, radix(self.shoe), shoe, POINTS[_TYPES], player.of, banker.of, counts
            )
        return _tabulate(player, banker, counts, wanted)

    def row(self, player: Sequence[int], banker: Sequence[int]) -> dict[str, str | int]:
        """The row that two final hands make."""
        multiplicities = np.bincount(
            [card // 4 for card in (*player, *banker)], minlength=len(RANKS)
        )
        return _table(multiplicities[None], np.ones(1, dtype=np.int64), None).row(0)


def _chosen(wanted: Wanted) -> tuple[Feature, ...]:
    if wanted is None:
        return FEATURES
    return tuple(f for f in FEATURES if f.name in wanted) or (FEATURES[0],)


def _hand_classes(draws_to: int) -> HandClasses:
    """Hands that hold the same ranks."""
    hand = every_hand(_TYPES)
    columns = {
        name: sum(((card // 4 == rank) & (card >= 0)).astype(np.int64) for card in hand)
        for rank, name in enumerate(RANKS)
    }
    whole = describe(*hand)
    can_be = (whole["third_value"] == NONE) | (whole["initial_total"] <= draws_to)
    counted = tuple(integer(name, name, 0, 3) for name in RANKS)
    return HandClasses.of_columns(len(_TYPES), counted, columns, can_be)


def _tabulate(player: HandClasses, banker: HandClasses, counts: Int, wanted: Wanted) -> Table:
    left, right = np.nonzero(counts)
    multiplicities = [player.columns[name][left] + banker.columns[name][right] for name in RANKS]
    return _table(np.stack(multiplicities, axis=1), counts[left, right], wanted)


def _table(multiplicities: Int, deals: Counts, wanted: Wanted) -> Table:
    """Make a table of cards held by rank, shape (rows, 13)."""
    rising = np.sort(multiplicities, axis=1)
    codes = {name: multiplicities[:, rank] for rank, name in enumerate(RANKS)}
    codes |= {
        "dealt": multiplicities.sum(axis=1),
        "most_alike": rising[:, -1],
        "next_alike": rising[:, -2],
    }
    return Table.of(_chosen(wanted), codes, deals)
