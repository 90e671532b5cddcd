"""The game of Punto Banco: its main space, and two more for what suits and ranks alone settle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.cards import streams
from engine.cards.deck import DECK, card_name, names
from engine.cards.draw import radix, six
from engine.cards.hands.baccarat import POINTS
from engine.contract.game import Game, Key, Round, Wanted, asked_for, check_range
from engine.contract.shoes import Procedure, Shoes
from engine.contract.strategy import Strategy
from engine.exact.errors import DealproofError
from engine.exact.tables import Table
from engine.games.punto_banco import columns, hand_classes, playout, referee, shoe_study
from engine.games.punto_banco.columns import RANK_COLUMNS, SIDES, SUIT_COLUMNS
from engine.games.punto_banco.enumeration import cards as by_cards
from engine.games.punto_banco.enumeration import points as by_points
from engine.games.punto_banco.enumeration import tableau
from engine.games.punto_banco.first_four import FirstFour
from engine.games.punto_banco.ranks import Ranks
from engine.games.punto_banco.rules import DEAL, NONE, SHARED, Rules
from engine.games.punto_banco.starts import FromStarts

Int = NDArray[np.int64]


class Main(FromStarts):
    """Six cards in order from a fresh shoe; those that nobody draws are counted all the same.

    Twelve decks have 624·623·622·621·620·619 < 2^56 deals, so every count fits int64.
    """

    name = "main"
    title = "Six cards from a fresh shoe"
    features = columns.FEATURES
    cards = DEAL

    def enumerate(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Tabulate a range of starts: by point values, or by ranks and suits if a column asks."""
        part = check_range(lo, hi, self.starts)
        first, second = self.first[part], self.second[part]
        features = columns.chosen(wanted)
        if columns.asks(features, (*RANK_COLUMNS, *SUIT_COLUMNS)):
            player, banker = (columns.of_side(side, features) for side in SIDES)
            ranks = np.isin(np.arange(13), list(self.ranks))
            left, right, deals = by_cards.hands(
                self.allowed(part), ranks, self.rules.decks, player, banker
            )
        else:
            starts = np.zeros((10, 10), dtype=np.int64)
            np.add.at(starts, (POINTS[first], POINTS[second]), self.weight[part])
            shoe = np.zeros(10, dtype=np.int64)
            np.add.at(shoe, POINTS, self.copies)
            counts = by_points.count(starts, shoe)
            left, right, deals = by_points.hands(counts)
        return columns.lay_out(features, left, right, deals, tableau.compare)

    def exhaust(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Tabulate a range of starts, sequence by sequence of cards, ranks or values as needed."""
        part = check_range(lo, hi, self.starts)
        seen = hand_classes.lens(columns.chosen(wanted))
        counts = seen.empty()
        copies = np.zeros(len(seen.points), dtype=np.int64)
        np.add.at(copies, seen.type_of, self.copies)
        playout.exhaust_starts(
            seen.type_of[self.first[part]], seen.type_of[self.second[part]], self.weight[part],
            copies, seen.points, seen.player.of, seen.banker.of, counts,
        )  # fmt: skip
        return seen.tabulate(counts)

    def simulate(self, words: Sequence[NDArray[np.uint64]], wanted: Wanted) -> Table:
        """Play random rounds from fresh shoes."""
        seen = hand_classes.lens(columns.chosen(wanted))
        counts = seen.empty()
        shoe = np.tile(seen.type_of, self.rules.decks)
        for block in words:
            playout.simulate_rounds(
                block, radix(self.shoe), shoe, seen.points, seen.player.of, seen.banker.of,
                counts,
            )  # fmt: skip
        return seen.tabulate(counts)


class PuntoBanco(Game):
    """Punto Banco under one setting of its rules."""

    shared = SHARED

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.main = Main(rules)
        self.first_four = FirstFour(rules)
        self.ranks = Ranks(rules)
        self.spaces = (self.main, self.first_four, self.ranks)

    def simulate(
        self,
        lo: int,
        hi: int,
        seed: int,
        strategies: Sequence[Strategy] = (),
        wanted: Wanted = None,
    ) -> dict[Key, Table]:
        """Deal a fresh shoe for every round; a space is filled where a column of it is wanted."""
        words = [streams.fair_words(seed, block, self.main.deals) for block in range(lo, hi)]
        names = asked_for(self.spaces, wanted)
        spaces = (self.main, self.first_four, self.ranks)
        return {(s.name, None): s.simulate(words, wanted) for s in spaces if s.name in names}

    def shoes(
        self, space: str, outcomes: Table, nets: Int, blocks: range, seed: int, procedure: Procedure
    ) -> Shoes:
        """Deal whole shoes to the cut card; bets of the main space alone are followed."""
        if space != self.main.name:
            raise DealproofError(f"space {space}: whole shoes are studied for bets of main only")
        return shoe_study.play(self.rules, outcomes, nets, blocks, seed, procedure)

    def deal(self, seed: int, number: int = 0) -> tuple[int, ...]:
        """Draw the six cards of one round, as types 0–51, in the order of the shoe."""
        word = streams.fair_words(seed, 0, self.main.deals)[number]
        return tuple(card % DECK for card in six(word, self.main.shoe))

    def play(self, cards: Sequence[int], strategies: Mapping[str, Strategy]) -> Round:
        """Play one round with cards in the order of the shoe: Player, Banker, Player, Banker …"""
        player, banker = [cards[0], cards[2]], [cards[1], cards[3]]
        following = list(cards[4:])
        player_initial_total, banker_initial_total = (
            int(POINTS[hand].sum()) % 10 for hand in (player, banker)
        )
        steps = [
            f"Player is dealt {names(player)}, total {player_initial_total}",
            f"Banker is dealt {names(banker)}, total {banker_initial_total}",
        ]
        third = NONE
        if referee.natural(player_initial_total, banker_initial_total):
            steps.append("a natural: both hands stand")
        else:
            if referee.player_draws(player_initial_total, banker_initial_total):
                player.append(following.pop(0))
                third = int(POINTS[player[2]])
                steps.append(_drawn("Player", player))
            else:
                steps.append(f"Player stands on {player_initial_total}")
            if referee.banker_draws(player_initial_total, banker_initial_total, third):
                banker.append(following.pop(0))
                steps.append(_drawn("Banker", banker))
            else:
                steps.append(f"Banker stands on {banker_initial_total}")
        row = _row(player, banker)
        winner = str(row["winner"])
        steps.append("tie" if winner == "tie" else f"{winner.capitalize()} wins by {row['margin']}")
        rows = {
            "main": row,
            "first-four": self.first_four.row(cards),
            "ranks": self.ranks.row(player, banker),
        }
        dealt = cards[: len(player) + len(banker)]
        return Round(tuple(names(dealt).split()), tuple(steps), rows)


def _drawn(side: str, hand: Sequence[int]) -> str:
    return f"{side} draws {card_name(hand[2])}, total {int(POINTS[list(hand)].sum()) % 10}"


def _row(player: Sequence[int], banker: Sequence[int]) -> dict[str, str | int]:
    left, right = (
        hand_classes.describe(*(np.array([card]) for card in (*hand, -1)[:3]))
        for hand in (player, banker)
    )
    one = np.ones(1, dtype=np.int64)
    table = columns.lay_out(columns.FEATURES, left, right, one, hand_classes.compare)
    return table.row(0)
