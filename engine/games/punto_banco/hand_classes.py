"""What the methods that deal card by card see of a hand: its columns, and no more than is asked.

Cards are *types*: the 52 cards, the 13 ranks, or the ten point values, as the columns need.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.cards.deck import DECK
from engine.cards.hands.baccarat import POINTS
from engine.exact.tables import Feature, Table
from engine.games.punto_banco import columns, referee
from engine.games.punto_banco.rules import NONE

Int = NDArray[np.int64]
Flags = NDArray[np.bool_]

#: A card of each point value, to stand for it.
_OF_VALUE = np.array([list(POINTS).index(value) for value in range(10)], dtype=np.int64)


def describe(first: Int, second: Int, third: Int) -> dict[str, Int]:
    """Every column of some hands, card by card; `third` is −1 where a hand has two cards.

    Cards are 0–51 as in `engine.cards.deck`; all arrays have one shape.
    """
    drew = third >= 0
    two = (POINTS[first] + POINTS[second]) % 10
    rank, suit = first // 4, first % 4
    second_rank, third_rank = second // 4, np.where(drew, third // 4, -1)
    one_suit = (second % 4 == suit) & (~drew | (third % 4 == suit))
    black, red = np.ones_like(drew), np.ones_like(drew)
    pictures = np.zeros_like(first)
    for card, dealt in (
        (first, np.ones_like(drew)),
        (second, np.ones_like(drew)),
        (third, drew),
    ):
        hearts_or_diamonds = (card % 4 == 1) | (card % 4 == 2)
        black &= ~dealt | ~hearts_or_diamonds
        red &= ~dealt | hearts_or_diamonds
        pictures += dealt & (card // 4 >= 10)
    return {
        "total": np.where(drew, (two + POINTS[third]) % 10, two),
        "cards": np.where(drew, 3, 2),
        "initial_total": two,
        "natural": np.isin(two, (8, 9)).astype(np.int64),
        "third_value": np.where(drew, POINTS[third], NONE),
        "pair": (rank == second_rank).astype(np.int64),
        "pair_rank": np.where(rank == second_rank, rank + 1, -1),
        "trips": ((rank == second_rank) & (rank == third_rank)).astype(np.int64),
        "pictures": pictures,
        "suited_pair": (first == second).astype(np.int64),
        "colour": np.where(black, 0, np.where(red, 1, 2)),
        "suit": np.where(one_suit, suit, 4),
    }


@functools.cache
def _compared() -> tuple[Int, Int]:
    """Ask the referee for winner and margin of all totals, each of shape (10, 10)."""
    pairs = [(player, banker) for player in range(10) for banker in range(10)]
    winner = np.array([referee.winner(*pair) for pair in pairs]).reshape(10, 10)
    margin = np.array([referee.margin(*pair) for pair in pairs]).reshape(10, 10)
    return winner, margin


def compare(player: Int, banker: Int) -> tuple[Int, Int]:
    """Winner and margin of totals (0–9), each of shape (n,), as the referee has them."""
    winner, margin = _compared()
    return winner[player, banker], margin[player, banker]


def every_hand(types: Int) -> tuple[Int, Int, Int]:
    """List first, second and third card of all hands of these types; third −1 for none last."""
    count = len(types)
    first, second, third = (g.reshape(-1) for g in np.indices((count, count, count + 1)))
    cards = np.append(types, -1)
    return cards[first], cards[second], cards[third]


@dataclass(frozen=True)
class HandClasses:
    """Classes of hands that look equal by some columns.

    `of` has shape (types, types, types + 1) and dtype int64, the third index `types` for no third
    card; `columns[name]` has shape (classes,).
    """

    of: Int
    classes: int
    columns: dict[str, Int]

    @classmethod
    def by(cls, types: Int, names: tuple[str, ...], draws_to: int) -> HandClasses:
        """Number the hands of these card types that a side can end with.

        A side takes a third card on `draws_to` or less at most.
        """
        first, second, third = every_hand(types)
        described = describe(first, second, third)
        can_be = (described["third_value"] == NONE) | (described["initial_total"] <= draws_to)
        features = [columns.OF_HAND["player"][name] for name in names]
        return cls.of_columns(len(types), features, described, can_be)

    @classmethod
    def of_columns(
        cls, types: int, features: Sequence[Feature], columns: Mapping[str, Int], can_be: Flags
    ) -> HandClasses:
        """Number equal-looking hands; `columns` describes `every_hand`, `can_be` those that count.

        A feature's column stands in `columns` under the feature's name without the side's.
        """
        codes = np.zeros(len(can_be), dtype=np.int64)
        names = [feature.name.removeprefix("player_") for feature in features]
        for name, feature in zip(names, features, strict=True):
            codes = codes * feature.size + columns[name] - feature.first
        seen, one, member = np.unique(codes[can_be], return_index=True, return_inverse=True)
        of = np.full(len(can_be), -1, dtype=np.int64)
        of[can_be] = member
        distinct = {name: columns[name][can_be][one] for name in names}
        return cls(of.reshape(types, types, types + 1), len(seen), distinct)

    def __len__(self) -> int:
        return self.classes


@dataclass(frozen=True)
class Lens:
    """What a table wants to see: the card types that tell it, and the classes of both hands.

    `type_of` maps the 52 cards to types, shape (52,); `points` gives each type's value.
    """

    features: tuple[Feature, ...]
    type_of: Int
    points: Int
    player: HandClasses
    banker: HandClasses

    def empty(self) -> Int:
        """Allocate the counts that the kernels add to, shape (Player's classes, Banker's)."""
        return np.zeros((len(self.player), len(self.banker)), dtype=np.int64)

    def sides(self, left: Int, right: Int) -> tuple[dict[str, Int], dict[str, Int]]:
        """Columns of both hands for some pairs of classes, each of shape (n,)."""
        return (
            {name: codes[left] for name, codes in self.player.columns.items()},
            {name: codes[right] for name, codes in self.banker.columns.items()},
        )

    def tabulate(self, counts: Int) -> Table:
        """Turn counts of classes into a table."""
        left, right = np.nonzero(counts)
        player, banker = self.sides(left, right)
        return columns.lay_out(self.features, player, banker, counts[left, right], compare)


@functools.lru_cache(maxsize=8)
def lens(features: tuple[Feature, ...]) -> Lens:
    """See no more than these columns need: the 52 cards, the 13 ranks, or the ten values."""
    if columns.asks(features, columns.SUIT_COLUMNS):
        types, type_of = np.arange(DECK), np.arange(DECK)
    elif columns.asks(features, columns.RANK_COLUMNS):
        types, type_of = np.arange(0, DECK, 4), np.arange(DECK) // 4
    else:
        types, type_of = _OF_VALUE, POINTS
    player = HandClasses.by(types, columns.of_side("player", features), draws_to=5)
    banker = HandClasses.by(types, columns.of_side("banker", features), draws_to=6)
    return Lens(features, type_of, POINTS[types], player, banker)
