"""The spaces of Baccarat + 3: `main`, hand against hand, and `poker`, the player's best three."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK, card_name
from engine.errors import DealproofError
from engine.game import Decision, Space, Wanted, chunk
from engine.games.bacc_plus_3 import enumeration, playout, referee
from engine.games.bacc_plus_3.expectation import Expectation
from engine.games.bacc_plus_3.rules import ACTIONS, CARDS, POKER_WINNERS, WINNERS, Rules
from engine.hands.suits import CHOOSE, SuitClasses, canonical, rank_of, suit_classes
from engine.hands.three_card import CATEGORIES, three_card
from engine.strategy import Strategy, best
from engine.tables import Counts, Feature, Table, integer, word

Int = NDArray[np.int64]

HANDS = comb(DECK, CARDS)
DEALER_HANDS = comb(DECK - CARDS, CARDS)

FEATURES = (
    integer("player_baccarat", "total of the player's baccarat hand", 0, 9),
    integer("dealer_baccarat", "total of the dealer's baccarat hand", 0, 9),
    word("baccarat_winner", "who wins the baccarat hands, equal totals included", *WINNERS),
    word("player_poker", "category of the player's poker hand", *CATEGORIES),
    integer("player_poker_high", "rank that names the player's poker hand (ace 14)", 2, 14),
    integer("player_poker_class", "player's poker hand among all, lowest 0", 0, 740),
    word("dealer_poker", "category of the dealer's poker hand", *CATEGORIES),
    word("poker_winner", "whose poker hand is higher", *POKER_WINNERS),
)
#: Columns of one information set: the player's cards up to suits, highest first.
INFORMATION = tuple(
    word(f"card_{place}", f"card {place} of the player's five", *map(card_name, range(DECK)))
    for place in range(1, CARDS + 1)
)


def locate(cards: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    """Find the canonical hand of five cards; raise DealproofError unless they are five.

    Returns (its number, the same cards in the order that the actions' places refer to).
    """
    if len(set(cards)) != CARDS:
        raise DealproofError(f"a hand has {CARDS} different cards, not {len(set(cards))}")
    given = np.array(cards, dtype=np.int64)
    image, suit_to = np.empty(CARDS, dtype=np.int64), np.empty(4, dtype=np.int64)
    canonical(given, np.empty(4, dtype=np.int64), image, suit_to)
    suit_from = np.argsort(suit_to)
    ordered = 4 * (image // 4) + suit_from[image % 4]
    rank = rank_of(np.sort(given)[::-1].copy(), CHOOSE)
    return int(suit_classes(CARDS).of_rank[rank]), tuple(int(card) for card in ordered)


class Main(Space):
    """The player's split against the dealer's house way, over all pairs of disjoint hands.

    Starts are the 134,459 hands of the player up to suits, which no rule looks at beyond a flush.
    """

    name = "main"
    title = "Player's split against the house way"
    features = FEATURES
    decision = Decision(tuple(f.name for f in INFORMATION), ACTIONS, tabulated=False)
    deals = HANDS * DEALER_HANDS

    def __init__(self, rules: Rules, removal: bool = True) -> None:
        self.rules = rules
        self.removal = removal
        self.poker = three_card(bool(rules.low_straight_second))
        self.hands: SuitClasses = suit_classes(CARDS)
        self.starts = len(self.hands.weight)
        self.denominators = {"deals": self.deals}
        self._expectation: Expectation | None = None

    @property
    def expectation(self) -> Expectation:
        """Exact expectations of every split, made when first needed."""
        if self._expectation is None:
            self._expectation = Expectation(self.rules, self.removal)
        return self._expectation

    def without_removal(self) -> Main:
        """The same decision for a player who forgets that the dealer cannot hold his cards."""
        return Main(self.rules, removal=False)

    def deals_in(self, lo: int, hi: int) -> int:
        """Count the deals in a range of canonical hands."""
        return int(self.hands.weight[chunk(lo, hi, self.starts)].sum()) * DEALER_HANDS

    def outcomes(self) -> Table:
        """List the rows that some split can end in against some dealer hand."""
        rows = self.expectation.rows
        cell, code, dealer = rows.T
        return self._table(FEATURES, cell, dealer, self._category(cell, code), np.ones_like(cell),
                           enumeration.won(self.poker, cell // 10, code), merge=False)

    def solve(self, name: str, net: Counts, staked: Counts, allowed: NDArray[np.bool_]) -> Strategy:
        """Find the best of ten splits for every canonical hand, exactly."""
        expectation = self.expectation
        worth = expectation.of(net)
        open_ = np.ones(worth.shape, dtype=bool)
        if not allowed.all():
            open_ = expectation.of((~allowed).astype(np.int64)) == 0
        if not open_.any(axis=1).all():
            raise DealproofError(f"strategies[{name}].allowed: leaves no split for some hand")
        weight = self.hands.weight * expectation.dealer_hands
        return Strategy(
            name,
            self.name,
            INFORMATION,
            {f.name: self.hands.cards[:, place] for place, f in enumerate(INFORMATION)},
            ACTIONS,
            best(worth, expectation.of(staked), open_),
            weight,
            worth,
            1,
            open_,
        )

    def cells(self, strategy: Strategy, part: slice) -> Int:
        """Cell that a strategy sets each canonical hand of a range to, shape (hands,)."""
        splits = strategy.chosen[part]
        cells: Int = self.expectation.layouts.cell[part]
        return cells[np.arange(len(splits)), splits]
