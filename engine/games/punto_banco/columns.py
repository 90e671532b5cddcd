"""The columns of Punto Banco's table: what may be said of each hand, and of the two together.

A method describes each hand by its own means; here the descriptions of both hands are laid side by
side as a table. Columns that nobody asks for are left out, and their rows merge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from engine.contract.game import Wanted
from engine.exact.tables import Counts, Feature, Table, integer, word

Int = NDArray[np.int64]
#: Winner and margin of Player's and Banker's totals; each method brings its own.
Compare = Callable[[Int, Int], tuple[Int, Int]]

SIDES = ("player", "banker")
#: Columns of one hand by what they need to be known of its cards, without the side's name.
POINT_COLUMNS = ("total", "cards", "initial_total", "natural", "third_value")
RANK_COLUMNS = ("pair", "pair_rank", "trips", "pictures")
SUIT_COLUMNS = ("suited_pair", "colour", "suit")
COLOURS = ("black", "red", "mixed")
SUITS = ("clubs", "diamonds", "hearts", "spades", "mixed")
WINNERS = ("player", "banker", "tie")


def _of_hand(side: str) -> dict[str, Feature]:
    hand = side.capitalize()
    return {
        feature.name.removeprefix(f"{side}_"): feature
        for feature in (
            integer(f"{side}_total", f"total of {hand}'s final hand", 0, 9),
            integer(f"{side}_cards", f"cards in {hand}'s final hand", 2, 3),
            integer(f"{side}_initial_total", f"total of {hand}'s first two cards", 0, 9),
            integer(
                f"{side}_natural",
                f"1 if {hand}'s first two cards make 8 or 9, else 0",
                0,
                1,
            ),
            integer(
                f"{side}_third_value",
                f"point value of {hand}'s third card, -1 for none",
                -1,
                9,
            ),
            integer(
                f"{side}_pair",
                f"1 if {hand}'s first two cards are of equal rank, else 0",
                0,
                1,
            ),
            integer(
                f"{side}_pair_rank",
                f"rank of {hand}'s pair, 1 ace … 11 jack, 12 queen, 13 king; -1 for no pair",
                -1,
                13,
            ),
            integer(
                f"{side}_trips",
                f"1 if {hand}'s hand is three cards of equal rank, else 0",
                0,
                1,
            ),
            integer(
                f"{side}_pictures",
                f"jacks, queens and kings in {hand}'s final hand",
                0,
                3,
            ),
            integer(
                f"{side}_suited_pair",
                f"1 if {hand}'s first two cards are of equal rank and suit, else 0",
                0,
                1,
            ),
            word(
                f"{side}_colour",
                f"colour of all cards of {hand}'s final hand",
                *COLOURS,
            ),
            word(f"{side}_suit", f"suit of all cards of {hand}'s final hand", *SUITS),
        )
    }


#: Names of ranks where their cards are counted, ace first.
RANKS = (
    "aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens",
    "jacks", "queens", "kings",
)  # fmt: skip

#: Feature of each hand's column: side → column without the side's name → feature.
OF_HAND = {side: _of_hand(side) for side in SIDES}
WINNER = word("winner", "whose final hand is higher", *WINNERS)
MARGIN = integer("margin", "winner's total minus loser's, 0 for a tie", 0, 9)


def _all() -> tuple[Feature, ...]:
    both = {
        column: [OF_HAND[side][column] for side in SIDES]
        for column in (*POINT_COLUMNS, *RANK_COLUMNS, *SUIT_COLUMNS)
    }
    together = {"cards": [WINNER], "natural": [MARGIN]}
    return tuple(f for column, pair in both.items() for f in (*pair, *together.get(column, ())))


#: Every column, those of points first, then ranks, then suits.
FEATURES = _all()


def chosen(wanted: Wanted) -> tuple[Feature, ...]:
    """Columns of a table for these wishes: exactly those wanted, and never none at all."""
    if wanted is None:
        return FEATURES
    return tuple(feature for feature in FEATURES if feature.name in wanted) or (WINNER,)


def of_side(side: str, features: tuple[Feature, ...]) -> tuple[str, ...]:
    """What has to be known of one hand for these columns, without the side's name."""
    names = {feature.name for feature in features}
    known = {c for c, feature in OF_HAND[side].items() if feature.name in names}
    if names & {WINNER.name, MARGIN.name}:
        known.add("total")
    return tuple(column for column in OF_HAND[side] if column in known)


def asks(features: tuple[Feature, ...], columns: tuple[str, ...]) -> bool:
    """Tell whether any of these columns of a hand is among the features."""
    names = {feature.name for feature in features}
    return any(OF_HAND[side][column].name in names for side in SIDES for column in columns)


def beside(
    features: tuple[Feature, ...],
    player: Mapping[str, Int],
    banker: Mapping[str, Int],
    compare: Compare,
) -> dict[str, Int]:
    """Set two descriptions of hands side by side: codes of the features, each of shape (n,)."""
    names = {feature.name for feature in features}
    codes = {}
    for side, hand in zip(SIDES, (player, banker), strict=True):
        for column, feature in OF_HAND[side].items():
            if feature.name in names:
                codes[feature.name] = hand[column]
    if names & {WINNER.name, MARGIN.name}:
        codes[WINNER.name], codes[MARGIN.name] = compare(player["total"], banker["total"])
    return {name: column for name, column in codes.items() if name in names}


def lay_out(
    features: tuple[Feature, ...],
    player: Mapping[str, Int],
    banker: Mapping[str, Int],
    combinations: Counts,
    compare: Compare,
) -> Table:
    """Make a table of hands side by side; `combinations` has shape (n,).

    `compare` tells winner (index into WINNERS) and margin by both totals, each of shape (n,).
    """
    return Table.of(features, beside(features, player, banker, compare), combinations)


def shared_counts() -> dict[str, int]:
    """What can be counted in this module, for `Shared.counts`."""
    return {"columns": len({feature.name for feature in FEATURES})}
