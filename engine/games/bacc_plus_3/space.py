"""The spaces of Baccarat + 3: `main`, hand against hand, and `poker`, the player's best three."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import cached_property
from itertools import permutations
from math import comb, factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.cards.deck import DECK, card_name, names
from engine.cards.hands.baccarat import POINTS
from engine.cards.hands.suits import CHOOSE, SuitClasses, canonical, colex_index, suit_classes
from engine.cards.hands.three_card import CATEGORIES, CLASSES, ThreeCard, grades, indices
from engine.contract.decision import Decision
from engine.contract.game import Dealt, Space, Wanted, check_range
from engine.contract.strategy import Strategy, best
from engine.exact.errors import DealproofError
from engine.exact.kernels import python
from engine.exact.tables import Counts, Table, integer, word
from engine.games.bacc_plus_3 import enumeration, one_hand, playout, referee
from engine.games.bacc_plus_3.expectation import Expectation, expectation
from engine.games.bacc_plus_3.rules import (
    ACTIONS,
    CARDS,
    SPLITS,
    WINNERS,
    Rules,
)

Int = NDArray[np.int64]

HANDS = comb(DECK, CARDS)
DEALER_HANDS = comb(DECK - CARDS, CARDS)
#: Hands up to a renaming of the suits (Burnside's lemma).
CANONICAL = 134_459

FEATURES = (
    integer("player_baccarat", "total of the player's baccarat hand", 0, 9, "baccarat total"),
    integer("dealer_baccarat", "total of the dealer's baccarat hand", 0, 9),
    word(
        "baccarat_winner",
        "who wins the baccarat hands, equal totals included",
        *WINNERS,
        phrase="winner of the baccarat hands",
    ),
    word(
        "player_poker",
        "category of the player's poker hand",
        *CATEGORIES,
        phrase="category of the poker hand",
    ),
    integer("player_poker_high", "rank that names the player's poker hand (ace 14)", 2, 14),
    integer("player_poker_class", "player's poker hand among all, lowest 0", 0, 740, "poker hand"),
    word("dealer_poker", "category of the dealer's poker hand", *CATEGORIES),
    word(
        "poker_winner",
        "whose poker hand is higher",
        *WINNERS,
        phrase="winner of the poker hands",
    ),
)
#: Categories of the poker bet: an A-K-Q of one suit stands apart from other straight flushes.
BEST = (*CATEGORIES, "ace-king-queen suited")
#: Columns of one information set: the player's cards up to suits, highest first.
INFORMATION = tuple(
    word(f"card_{index}", f"card {index} of the player's five", *map(card_name, range(DECK)))
    for index in range(1, CARDS + 1)
)


def locate(cards: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    """Find the canonical hand of five cards; raise DealproofError unless they are five.

    Returns (its number, the same cards in the order that the actions' places refer to).
    """
    _, ordered = ranked(cards)
    rank = colex_index(np.sort(ordered)[::-1].copy(), CHOOSE)
    return int(suit_classes(CARDS).of_rank[rank]), tuple(int(card) for card in ordered)


def ranked(cards: Sequence[int]) -> tuple[Int, Int]:
    """Rename the suits of five cards: the canonical hand, and the same cards in its order.

    Raises DealproofError unless they are five.
    """
    if len(set(cards)) != CARDS or len(cards) != CARDS:
        raise DealproofError(f"a hand has {CARDS} different cards, not {len(set(cards))}")
    image, suit_to = np.empty(CARDS, dtype=np.int64), np.empty(4, dtype=np.int64)
    masks = np.empty(4, dtype=np.int64)
    python(canonical)(np.array(cards, dtype=np.int64), masks, image, suit_to)
    ordered: Int = 4 * (image // 4) + np.argsort(suit_to)[image % 4]
    return image, ordered


def _alike(cards: Int) -> int:
    """Count the hands that some renaming of the suits makes of a hand."""
    return len({frozenset((4 * (cards // 4) + np.array(to)[cards % 4]).tolist())
                for to in permutations(range(4))})  # fmt: skip


class Main(Space):
    """The player's split against the dealer's house way, over all pairs of disjoint hands.

    Starts are the 134,459 hands of the player up to suits, which no rule looks at beyond a flush.
    """

    name = "main"
    title = "Player's split against the house way"
    features = FEATURES
    decision = Decision(
        tuple(f.name for f in INFORMATION),
        ACTIONS,
        tabulated=False,
        alike="that differ by a renaming of the suits alone",
        hands=HANDS,
        settles=("player_baccarat", "player_poker", "player_poker_high", "player_poker_class"),
        noun="split",
        knows="their own five cards",
    )
    deals = HANDS * DEALER_HANDS
    starts = CANONICAL

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.removal = True
        self.poker = enumeration.order(rules)
        self.denominators = {"deals": self.deals, "ordered deals": factorial(5) ** 2 * self.deals}

    def grades(self, column: str) -> Sequence[str]:
        """Poker hands by their category and leading rank."""
        return grades(self.poker) if column == "player_poker_class" else ()

    @property
    def hands(self) -> SuitClasses:
        """All hands up to suits, sorted out when first needed."""
        return suit_classes(CARDS)

    @property
    def expectation(self) -> Expectation:
        """Exact expectations of every split, made when first needed."""
        return expectation(self.rules.of_hands, self.removal)

    def without_removal(self) -> Main:
        """The same decision for a player who forgets that the dealer cannot hold their cards."""
        view = copy(self)
        view.removal = False
        return view

    def deals_in(self, lo: int, hi: int) -> int:
        """Count the deals in a range of canonical hands."""
        return int(self.hands.weight[check_range(lo, hi, self.starts)].sum()) * DEALER_HANDS

    def sets(self) -> Table:
        """List every information set: the canonical hands in ascending order."""
        return Table(INFORMATION, self._information(), np.ones(self.starts, dtype=np.int64))

    def _information(self) -> dict[str, Int]:
        return {f.name: self.hands.cards[:, index] for index, f in enumerate(INFORMATION)}

    @cached_property
    def _outcomes(self) -> Table:
        cell, code, dealer = self.expectation.rows.T
        category = self.poker.category[cell // 10]
        codes = self._codes(
            cell,
            dealer,
            enumeration.baccarat_won(cell % 10, dealer, self.rules),
            enumeration.comparison(category, code),
            enumeration.dealer_category(category, code),
        )
        return Table(FEATURES, codes, np.ones(len(cell), dtype=np.int64))

    def outcomes(self) -> Table:
        """List the rows that some split can end in against some dealer hand."""
        return self._outcomes

    def settled(self, space: str) -> Table | None:
        """Give the best poker hand of every canonical hand."""
        if space != Poker.name:
            return None
        classes = enumeration.best_classes(self.hands.cards, self.rules)
        codes = {"best_poker": enumeration.best_category(classes, self.rules)}
        return Table(Poker.features, codes, np.ones(self.starts, dtype=np.int64))

    def solve(
        self,
        name: str,
        net: Counts,
        staked: Counts,
        allowed: NDArray[np.bool_],
        preferred: Int | None = None,
    ) -> Strategy:
        """Find the best of ten splits for every canonical hand, exactly."""
        worth = self.expectation.of(net)
        # One stake for all ways to end breaks no tie.
        alike = preferred is not None or staked.min() == staked.max()
        stake = np.zeros(worth.shape, dtype=np.int64) if alike else self.expectation.of(staked)
        open_ = np.ones(worth.shape, dtype=bool)
        if not allowed.all():
            open_ = np.array(self.expectation.of((~allowed).astype(np.int64)) == 0, dtype=bool)
        if not open_.any(axis=1).all():
            raise DealproofError(f"strategies[{name}].allowed: leaves no split of some hand")
        if preferred is None:
            chosen = best(worth, stake, open_)
        else:
            chosen = self._first_open(name, preferred, open_)
        weight = self.hands.weight * self.expectation.dealer_hands
        return Strategy(
            name, self.name, INFORMATION, self._information(), ACTIONS, chosen, weight, worth, 1,
            open_,
        )  # fmt: skip

    def _first_open(self, name: str, preferred: Int, open_: NDArray[np.bool_]) -> Int:
        rows = np.arange(len(preferred))[:, None]
        takes = (preferred >= 0) & open_[rows, np.maximum(preferred, 0)]
        if not takes.any(axis=1).all():
            raise DealproofError(f"strategies[{name}].choose: no open split of some hand")
        chosen: Int = preferred[rows[:, 0], takes.argmax(axis=1)]
        return chosen

    def dealt(self, cards: Sequence[int]) -> Dealt:
        """Set five cards, and all hands like them but for suits, in all ten ways."""
        image, ordered = ranked(cards)
        counts = one_hand.meet(cards, self.rules) * _alike(ordered)
        first, second, a, b, c = ordered[SPLITS].T
        total = (POINTS[first] + POINTS[second]) % 10
        triple = np.sort(np.stack([a, b, c], axis=1), axis=1)[:, ::-1].T
        poker_class = self.poker.class_of[indices(*triple)].astype(np.int64)
        other, dealer = np.nonzero(counts)
        cell = np.repeat(10 * poker_class + total, len(other))
        other, dealer = (np.tile(values, len(SPLITS)) for values in (other, dealer))
        codes = self._codes(
            cell,
            dealer,
            enumeration.baccarat_won(cell % 10, dealer, self.rules),
            np.select([other < cell // 10, other == cell // 10], [0, 2], 1),
            self.poker.category[other],
        )
        action = word("action", "places of the two baccarat cards", *ACTIONS)
        codes["action"] = np.repeat(np.arange(len(SPLITS)), len(cell) // len(SPLITS))
        table = Table.of((action, *FEATURES), codes, counts[other, dealer])
        words = tuple(
            f"{names(ordered[split[:2]])} for baccarat ({points}), "
            f"{names(ordered[split[2:]])} for poker ({CATEGORIES[category]})"
            for split, points, category in zip(
                SPLITS, total.tolist(), self.poker.category[poker_class], strict=True
            )
        )
        information = {
            f.name: f.label(int(card)) for f, card in zip(INFORMATION, image, strict=True)
        }
        return Dealt(tuple(int(card) for card in ordered), information, words, table)

    def enumerate(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Tabulate a strategy's outcomes over a range of canonical hands, by symmetry."""
        part = check_range(lo, hi, self.starts)
        splits = self._chosen(strategy)[part]
        whole = wanted is None or "dealer_poker" in wanted
        edges = enumeration.standings(self.poker) if whole else enumeration.comparisons()
        counts = self.expectation.counts(lo, splits, edges)
        cell, code, dealer = np.nonzero(counts)
        # Three intervals are the standings within category 0.
        category = self.poker.category[cell // 10] if whole else np.zeros_like(cell)
        codes = self._codes(
            cell,
            dealer,
            enumeration.baccarat_won(cell % 10, dealer, self.rules),
            enumeration.comparison(category, code),
            enumeration.dealer_category(category, code) if whole else None,
        )
        return _table(codes, counts[cell, code, dealer], wanted)

    def exhaust(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Tabulate a strategy's outcomes, every canonical hand against every dealer hand."""
        return self.exhaust_each(lo, hi, [strategy], wanted)[0]

    def exhaust_each(
        self, lo: int, hi: int, strategies: Sequence[Strategy | None], wanted: Wanted = None
    ) -> list[Table]:
        """Tabulate several strategies at once, dealing the dealer's hands only once."""
        part = check_range(lo, hi, self.starts)
        splits = np.stack([self._chosen(strategy)[part] for strategy in strategies], axis=1)
        cells, played = self.played(lo, hi, splits)
        return [self.tabulate(counts, wanted, cells) for counts in played]

    def played(self, lo: int, hi: int, splits: Int) -> tuple[Int, Int]:
        """Play a range of hands against every dealer hand in several ways.

        `splits`, shape (hands, ways): split that each way of play takes. Returns the player's cells
        that occur, ascending, shape (cells,); and deals by (way, number of the player's cell,
        dealer's total, dealer's category, poker winner), shape (ways, cells, 10, 6, 3), int64.
        """
        part = check_range(lo, hi, self.starts)
        cards = self.hands.cards[part]
        laid = playout.lay_out(cards, self.rules)
        taken = laid[np.arange(len(laid))[:, None], splits]
        cells, index = np.unique(10 * taken[..., 1] + taken[..., 0], return_inverse=True)
        counts = np.zeros((splits.shape[1], len(cells), *playout.SHAPE[1:]), dtype=np.int64)
        playout.exhaust_hands(
            cards,
            self.hands.weight[part],
            cells,
            index.reshape(splits.shape),
            playout.house(self.rules.of_hands),
            playout.dealer_hands(self.rules.of_hands),
            referee.order(self.rules),
            counts,
        )
        return cells, counts

    def tabulate(
        self, counts: NDArray[np.integer[Any]], wanted: Wanted, cells: Int | None = None
    ) -> Table:
        """Turn played deals, of shape `playout.SHAPE`, into a table; the referee names winners.

        With `cells` the first axis counts these cells of the player alone.
        """
        cell, dealer, category, won = reached = np.nonzero(counts)
        if cells is not None:
            cell = cells[cell]
        rules = referee.numbers(self.rules)
        winner = np.array(
            [[referee.baccarat_winner(p, d, rules) for d in range(10)] for p in range(10)]
        )
        codes = self._codes(
            cell, dealer, winner[cell % 10, dealer], won, category, referee.order(self.rules)
        )
        return _table(codes, counts[reached].astype(np.int64), wanted)

    def _chosen(self, strategy: Strategy | None) -> Int:
        if strategy is None or len(strategy) != self.starts:
            raise ValueError(f"space {self.name} is tabulated under one of its strategies")
        return strategy.action

    def _codes(
        self,
        cell: Int,
        dealer: Int,
        winner: Int,
        won: Int,
        category: Int | None,
        poker: ThreeCard | None = None,
    ) -> dict[str, Int]:
        poker_class, poker = cell // 10, poker or self.poker
        codes = {
            "player_baccarat": cell % 10,
            "dealer_baccarat": dealer,
            "baccarat_winner": winner,
            "player_poker": poker.category[poker_class],
            "player_poker_high": poker.high[poker_class],
            "player_poker_class": poker_class,
            "poker_winner": won,
        }
        return codes if category is None else {**codes, "dealer_poker": category}


def _table(codes: dict[str, Int], combinations: Int, wanted: Wanted) -> Table:
    names = codes.keys() if wanted is None else wanted & codes.keys()
    return Table.of([f for f in FEATURES if f.name in names], codes, combinations)


class Poker(Space):
    """The player's five cards and the best three-card hand in them: 2,598,960 hands."""

    name = "poker"
    title = "Best three of the player's five cards"
    features = (word("best_poker", "best three-card hand in the player's five cards", *BEST),)
    deals = HANDS
    starts = CANONICAL

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.denominators = {"hands": self.deals, "ordered hands": factorial(5) * self.deals}

    @property
    def hands(self) -> SuitClasses:
        """All hands up to suits, sorted out when first needed."""
        return suit_classes(CARDS)

    def deals_in(self, lo: int, hi: int) -> int:
        """Count the hands that a range of canonical hands stands for."""
        return int(self.hands.weight[check_range(lo, hi, self.starts)].sum())

    def enumerate(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Tabulate a range of canonical hands at once."""
        part = check_range(lo, hi, self.starts)
        classes = enumeration.best_classes(self.hands.cards[part], self.rules)
        codes = {"best_poker": enumeration.best_category(classes, self.rules)}
        return Table.of(self.features, codes, self.hands.weight[part])

    def exhaust(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Ask the referee about every canonical hand of a range."""
        part = check_range(lo, hi, self.starts)
        laid = playout.lay_out(self.hands.cards[part], self.rules)
        classes = np.array([referee.best_poker(hands) for hands in laid], dtype=np.int64)
        return self.tabulate(classes, self.hands.weight[part])

    def tabulate(self, classes: Int, combinations: Int) -> Table:
        """Turn highest poker classes into a table of what the referee settles them by."""
        poker = referee.order(self.rules)
        paid = [referee.poker_bet(poker_class, poker) for poker_class in range(CLASSES)]
        codes = {"best_poker": np.array(paid, dtype=np.int64)[classes]}
        return Table.of(self.features, codes, combinations)
