"""Baccarat + 3 under one setting of its rules: random rounds, and one round told in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.cards import streams
from engine.cards.deck import DECK, names
from engine.cards.hands.baccarat import POINTS
from engine.cards.hands.suits import CHOOSE, suit_classes, unrank
from engine.cards.hands.three_card import CATEGORIES, CLASSES
from engine.contract.game import Game, Key, Round, Wanted
from engine.contract.strategy import Strategy
from engine.exact.errors import DealproofError
from engine.exact.tables import Table
from engine.games.bacc_plus_3 import playout, referee
from engine.games.bacc_plus_3.rules import CARDS, SHARED, SPLITS, WINNERS, Rules
from engine.games.bacc_plus_3.space import BEST, Main, Poker, locate


class BaccPlus3(Game):
    """Baccarat + 3 under one setting of its rules."""

    shared = SHARED

    def __init__(self, rules: Rules) -> None:
        self.rules, self.numbers = rules, referee.numbers(rules)
        self.order = referee.order(rules)
        self.main = Main(rules)
        self.poker = Poker(rules)
        self.spaces = (self.main, self.poker)

    def simulate(
        self,
        lo: int,
        hi: int,
        seed: int,
        strategies: Sequence[Strategy] = (),
        wanted: Wanted = None,
    ) -> dict[Key, Table]:
        """Deal fresh decks; all strategies of `main` play the same cards."""
        playing = [strategy for strategy in strategies if strategy.space == self.main.name]
        laid = playout.laid_out(self.rules.of_hands)
        rows = np.arange(len(laid))
        cells = np.empty((len(playing), playout.HANDS), dtype=np.int16)
        for s, strategy in enumerate(playing):
            hands = laid[rows, strategy.action]
            cell_of = (10 * hands[:, 1] + hands[:, 0]).astype(np.int16)
            cells[s] = cell_of[suit_classes(CARDS).of_rank]
        counts = np.zeros((len(playing), *playout.SHAPE), dtype=np.int64)
        best = np.zeros(CLASSES, dtype=np.int64)
        for block in range(lo, hi):
            playout.simulate_rounds(
                streams.words(seed, block, self.main.deals),
                playout.packed_hands(),
                cells,
                playout.best_classes(self.rules.of_hands),
                playout.house(self.rules.of_hands),
                self.order,
                CHOOSE,
                counts,
                best,
            )
        tables: dict[Key, Table] = {
            (self.main.name, strategy.name): self.main.tabulate(counts[s], wanted)
            for s, strategy in enumerate(playing)
        }
        classes = np.flatnonzero(best)
        tables[self.poker.name, None] = self.poker.tabulate(classes, best[classes])
        return tables

    def deal(self, seed: int, number: int = 0) -> tuple[int, ...]:
        """Draw the player's five cards, then the dealer's, each from high to low."""
        word = int(streams.words(seed, 0, self.main.deals)[number])
        rank, other = divmod(word, playout.DEALER_HANDS)
        ranks = np.array([rank, other])
        player, places = (tuple(int(card) for card in cards) for cards in unrank(ranks, CARDS))
        left = [card for card in range(DECK) if card not in player]
        return (*player, *(left[index] for index in places))

    def play(self, cards: Sequence[int], strategies: Mapping[str, Strategy]) -> Round:
        """Play one round: five cards to the player, five to the dealer."""
        if len(set(cards)) != 2 * CARDS:
            raise DealproofError(f"a round takes {2 * CARDS} different cards")
        index, suited = locate(cards[:CARDS])
        split = int(strategies[self.main.name].action[index])
        dealt = tuple(sorted(cards[CARDS:], reverse=True))
        # Renamed suits may put cards of one rank in another order than the referee wants them in.
        hands, house = self._lay_out(self.main.hands.cards[index]), self._lay_out(dealt)
        choice = referee.house_way(house, self.order, self.numbers)
        (own_total, poker_class), (total, other) = hands[split], house[choice]
        poker = self.order
        baccarat = WINNERS[referee.baccarat_winner(own_total, total, self.numbers)]
        higher = WINNERS[referee.poker_winner(poker_class, other)]
        top = referee.best_poker(hands)
        row: dict[str, str | int] = {
            "player_baccarat": int(own_total),
            "dealer_baccarat": int(total),
            "baccarat_winner": baccarat,
            "player_poker": CATEGORIES[poker.category[poker_class]],
            "player_poker_high": int(poker.high[poker_class]),
            "player_poker_class": int(poker_class),
            "dealer_poker": CATEGORIES[poker.category[other]],
            "poker_winner": higher,
        }
        best = BEST[referee.poker_bet(top, poker)]
        steps = (
            _in_words("player", suited, split, own_total, str(row["player_poker"])),
            _in_words("dealer", dealt, choice, total, str(row["dealer_poker"])),
            "the baccarat hands push" if baccarat == "tie" else f"{baccarat} wins baccarat",
            "the poker hands are copies" if higher == "tie" else f"{higher} wins poker",
            f"player's best three cards for the poker bet: {best}",
        )
        rows: dict[str, dict[str, str | int]] = {
            self.main.name: row,
            self.poker.name: {"best_poker": best},
        }
        return Round(tuple(names(cards).split()), steps, rows)

    def _lay_out(self, cards: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        hands = np.empty((len(SPLITS), 2), dtype=np.int64)
        dealt = np.array(cards, dtype=np.int64)
        referee.set_hands(dealt, SPLITS, POINTS, self.order, hands)
        return hands


def _in_words(who: str, cards: Sequence[int], split: int, total: int, category: str) -> str:
    placed = [cards[index] for index in SPLITS[split]]
    return (
        f"{who} sets {names(placed[:2])} for baccarat, total {total}, "
        f"and {names(placed[2:])} for poker, {category}"
    )
