"""Every deal of a range of starts, and random rounds, played through the referee.

Cards are *types*: the 52 cards, the 13 ranks, or the ten point values, as the columns need.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK
from engine.games.punto_banco import columns, referee
from engine.games.punto_banco.rules import NONE
from engine.hands.baccarat import POINTS, add
from engine.kernels import njit
from engine.tables import Feature, Table

Int = NDArray[np.int64]

#: A card of each point value, to stand for it.
_OF_VALUE = np.array([list(POINTS).index(value) for value in range(10)], dtype=np.int64)


def describe(first: Int, second: Int, third: Int) -> dict[str, Int]:
    """Every column of some hands, card by card; `third` is −1 where a hand has two cards.

    Cards are 0–51 as in `engine.cards`; all arrays have one shape.
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
        "two": two,
        "natural": np.isin(two, (8, 9)).astype(np.int64),
        "third": np.where(drew, POINTS[third], NONE),
        "pair": (rank == second_rank).astype(np.int64),
        "pair_rank": np.where(rank == second_rank, rank + 1, -1),
        "trips": ((rank == second_rank) & (rank == third_rank)).astype(np.int64),
        "pictures": pictures,
        "suited_pair": (first == second).astype(np.int64),
        "colour": np.where(black, 0, np.where(red, 1, 2)),
        "suit": np.where(one_suit, suit, 4),
    }


@dataclass(frozen=True)
class Looks:
    """Classes of hands that look equal by some columns.

    `of` has shape (types, types, types + 1) and dtype int64, the third index `types` for no third
    card; `columns[name]` has shape (classes,).
    """

    of: Int
    columns: dict[str, Int]

    @classmethod
    def by(cls, types: Int, names: tuple[str, ...], draws_to: int) -> Looks:
        """Number the hands of these card types that a side can end with.

        A side takes a third card on `draws_to` or less at most.
        """
        count = len(types)
        first, second, third = (g.reshape(-1) for g in np.indices((count, count, count + 1)))
        cards = np.append(types, -1)
        found = describe(cards[first], cards[second], cards[third])
        can_be = (found["third"] == NONE) | (found["two"] <= draws_to)
        codes = np.zeros(len(first), dtype=np.int64)
        for name in names:
            feature = columns.OF_HAND["player"][name]
            codes = codes * feature.size + found[name] - feature.first
        seen, one, member = np.unique(codes[can_be], return_index=True, return_inverse=True)
        of = np.full(len(first), -1, dtype=np.int64)
        of[can_be] = member
        own = {name: found[name][can_be][one] for name in names}
        return cls(of.reshape(count, count, count + 1), own | {"": seen})

    def __len__(self) -> int:
        return len(self.columns[""])


@dataclass(frozen=True)
class Lens:
    """What a table wants to see: the card types that tell it, and the looks of both hands.

    `type_of` maps the 52 cards to types, shape (52,); `points` gives each type's value.
    """

    features: tuple[Feature, ...]
    type_of: Int
    points: Int
    player: Looks
    banker: Looks

    def empty(self) -> Int:
        """Allocate the counts that the kernels add to, shape (Player's looks, Banker's)."""
        return np.zeros((len(self.player), len(self.banker)), dtype=np.int64)

    def sides(self, left: Int, right: Int) -> tuple[dict[str, Int], dict[str, Int]]:
        """Columns of both hands for some pairs of looks, each of shape (n,)."""
        return (
            {name: codes[left] for name, codes in self.player.columns.items()},
            {name: codes[right] for name, codes in self.banker.columns.items()},
        )

    def tabulate(self, counts: Int) -> Table:
        """Turn counts of looks into a table."""
        left, right = np.nonzero(counts)
        return columns.lay_out(self.features, *self.sides(left, right), counts[left, right])


@functools.lru_cache(maxsize=8)
def lens(features: tuple[Feature, ...]) -> Lens:
    """See no more than these columns need: the 52 cards, the 13 ranks, or the ten values."""
    if columns.asks(features, columns.SUIT_COLUMNS):
        types, type_of = np.arange(DECK), np.arange(DECK)
    elif columns.asks(features, columns.RANK_COLUMNS):
        types, type_of = np.arange(0, DECK, 4), np.arange(DECK) // 4
    else:
        types, type_of = _OF_VALUE, POINTS
    player = Looks.by(types, columns.of_side("player", features), draws_to=5)
    banker = Looks.by(types, columns.of_side("banker", features), draws_to=6)
    return Lens(features, type_of, POINTS[types], player, banker)


@njit
def exhaust_starts(
    first: Int,
    second: Int,
    weight: Int,
    copies: Int,
    points: Int,
    player_looks: Int,
    banker_looks: Int,
    counts: Int,
) -> None:
    """Play every ordered deal of some starts; `first` and `second` are Player's first two types.

    `weight`: physical ways to deal each start, shape (n,); `copies`: cards of each type in the
    shoe. A sequence of types weighs the product of the copies left, and the cards that nobody
    draws are counted all the same, so that every deal has six. Adds to `counts`, shape (Player's
    looks, Banker's), int64: at most 624·623·622·621·620·619 < 2^56 in all.
    """
    types = len(copies)
    cards = copies.sum()
    left = copies.copy()
    for start in range(len(weight)):
        p, q = first[start], second[start]
        left[:] = copies
        left[p] -= 1
        left[q] -= 1
        player_two = add(points[p], points[q])
        for b in range(types):
            three = weight[start] * left[b]
            if three == 0:
                continue
            left[b] -= 1
            for c in range(types):
                four = three * left[c]
                if four == 0:
                    continue
                left[c] -= 1
                banker_two = add(points[b], points[c])
                if referee.player_draws(player_two, banker_two):
                    for x in range(types):
                        five = four * left[x]
                        if five == 0:
                            continue
                        seen = counts[player_looks[p, q, x]]
                        if referee.banker_draws(player_two, banker_two, points[x]):
                            left[x] -= 1
                            for y in range(types):
                                seen[banker_looks[b, c, y]] += five * left[y]
                            left[x] += 1
                        else:
                            seen[banker_looks[b, c, types]] += five * (cards - 5)
                else:
                    seen = counts[player_looks[p, q, types]]
                    if referee.banker_draws(player_two, banker_two, NONE):
                        for y in range(types):
                            seen[banker_looks[b, c, y]] += four * left[y] * (cards - 5)
                    else:
                        seen[banker_looks[b, c, types]] += four * (cards - 4) * (cards - 5)
                left[c] += 1
            left[b] += 1


@njit
def divide(
    number: int | np.int64, by: int, inverse: float
) -> tuple[int | np.int64, int | np.int64]:
    """Divide a number below 2^62, given 1 / `by`; returns quotient and remainder, exactly.

    Multiplying is faster than dividing; the rounded product misses the quotient by little, which
    the remainder shows and mends.
    """
    quotient = int(number * inverse)
    rest = number - quotient * by
    while rest < 0:
        quotient -= 1
        rest += by
    while rest >= by:
        quotient += 1
        rest -= by
    return quotient, rest


@njit
def deal_cards(number: int | np.int64, shoe: Int, inverse: NDArray[np.float64], taken: Int) -> None:
    """Turn a number below n·(n−1)·…·(n−5) into six different cards of a shoe of n, in order.

    `shoe` holds the type of every physical card and is left as it was; `inverse` holds 1 / (n − k)
    for k = 0 … 5; `taken` receives six types.
    """
    cards = len(shoe)
    three = cards * (cards - 1) * (cards - 2)
    rest, part = divide(number, three, inverse[0] * inverse[1] * inverse[2])
    for k in range(6):
        if k == 3:
            part = rest
        part, choice = divide(part, cards - k, inverse[k])
        place = k + choice
        taken[k] = place
        shoe[k], shoe[place] = shoe[place], shoe[k]
    for k in range(5, -1, -1):
        place, card = taken[k], shoe[k]
        shoe[k], shoe[place] = shoe[place], card
        taken[k] = card


@njit
def draw(cards: Int, at: int, points: Int) -> tuple[int, int, int]:
    """Finish a round whose cards begin at place `at`: Player, Banker, Player, Banker, then draws.

    Returns the types of Player's and Banker's third cards (`len(points)` for none) and the number
    of cards used, 4–6.
    """
    none = len(points)
    player_two = add(points[cards[at]], points[cards[at + 2]])
    banker_two = add(points[cards[at + 1]], points[cards[at + 3]])
    player, banker, used = none, none, 4
    player_third = NONE
    if referee.player_draws(player_two, banker_two):
        player = cards[at + used]
        player_third = points[player]
        used += 1
    if referee.banker_draws(player_two, banker_two, player_third):
        banker = cards[at + used]
        used += 1
    return player, banker, used


@njit
def simulate_rounds(
    words: NDArray[np.uint64],
    shoe: Int,
    points: Int,
    player_looks: Int,
    banker_looks: Int,
    counts: Int,
) -> None:
    """Play one round from a fresh shoe for each word; adds to `counts` as `exhaust_starts` does."""
    card = np.empty(6, dtype=np.int64)
    inverse = 1.0 / (len(shoe) - np.arange(6))
    for word in words:
        deal_cards(np.int64(word), shoe, inverse, card)
        x, y, _ = draw(card, 0, points)
        counts[player_looks[card[0], card[2], x], banker_looks[card[1], card[3], y]] += 1
