"""The spaces of Fu Bacc: `main`, where hands are played, and `starts`, the first three cards."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import comb, perm

import numpy as np
from numpy.typing import NDArray

from engine.cards import draw, streams
from engine.cards.deck import DECK, card_name, names
from engine.cards.hands.baccarat import FACES, POINTS, add
from engine.contract.decision import Decision
from engine.contract.game import Game, Key, Round, Space, Wanted, check_range
from engine.contract.strategy import Strategy
from engine.exact.tables import Table, integer, word
from engine.games.fu_bacc import enumeration, playout, referee
from engine.games.fu_bacc.rules import (
    ACTIONS,
    DECISIONS,
    OFFERS,
    SETTLEMENTS,
    SHARED,
    WINNERS,
    Labels,
    Rules,
)

Int = NDArray[np.int64]

START = (
    integer("player_low", "lower point value of the player's two cards", 0, 9),
    integer("player_high", "higher point value of the player's two cards", 0, 9),
    integer("player_initial_total", "total of the player's two cards", 0, 9, "player's total"),
    integer("dealer_up", "point value of the dealer's up-card", 0, 9, "dealer's up-card"),
    word("bonus_offer", "bonus the player is offered", *OFFERS, phrase="bonus that is offered"),
)
PLAYED = (
    word("action", "what the player does", *ACTIONS),
    word("decision", "fold, bonus taken, or play", *DECISIONS, phrase="player's choice"),
    integer("player_cards", "cards in the player's final hand", 2, 3),
    integer("dealer_cards", "cards in the dealer's final hand", 2, 3),
    integer("player_total", "total of the player's final hand", 0, 9),
    integer("dealer_total", "total of the dealer's final hand", 0, 9),
    word("winner", "whose final hand is higher", *WINNERS),
)


class Starts(Space):
    """The player's two cards and the dealer's up-card: 66,300 with one deck."""

    name = "starts"
    title = "First three cards"
    features = START

    def __init__(self, rules: Rules, ranks: Collection[int] = range(13)) -> None:
        self.rules, self.numbers = rules, referee.numbers(rules)
        self.cards, self.weight = playout.starts(rules.decks, ranks)
        self.starts = len(self.weight)
        shoe = 4 * len(ranks) * rules.decks
        self.deals = comb(shoe, 2) * (shoe - 2)
        self.denominators = {"starts": self.deals, "ordered deals": 2 * self.deals}

    def deals_in(self, lo: int, hi: int) -> int:
        """Count the physical starts in a range."""
        return int(self.weight[check_range(lo, hi, self.starts)].sum())

    def enumerate(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Tabulate a range of starts at once."""
        part = check_range(lo, hi, self.starts)
        low, high, up, offer = enumeration.information(self.cards[part], self.rules)
        return _start_table(low, high, (low + high) % 10, up, offer, self.weight[part])

    def exhaust(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Ask the referee about every start of a range."""
        rows, weights = [], []
        for start in range(lo, hi):
            cards = self.cards[start]
            first, second, shown = (int(p) for p in POINTS[cards])
            faces = int(FACES[cards[0]] + FACES[cards[1]])
            given = referee.bonus_offer(first, second, faces, shown, self.numbers)
            two = add(first, second)
            rows.append((min(first, second), max(first, second), two, shown, given))
            weights.append(int(self.weight[start]))
        low, high, total, up, offer = np.array(rows, dtype=np.int64).reshape(-1, 5).T
        return _start_table(low, high, total, up, offer, np.array(weights, dtype=np.int64))


def _start_table(low: Int, high: Int, two: Int, up: Int, offer: Int, weight: Int) -> Table:
    codes = {
        "player_low": low,
        "player_high": high,
        "player_initial_total": two,
        "dealer_up": up,
        "bonus_offer": offer,
    }
    return Table.of(START, codes, weight)


class Main(Space):
    """Whole hands: every start with three further cards in order.

    Standing leaves cards unused; they are counted all the same, so that every deal has six cards
    and all actions of an information set cover equally many deals.
    """

    name = "main"
    title = "Played hands"
    features = (*START, *PLAYED)
    includes = ("starts",)
    decision = Decision(
        ("player_low", "player_high", "dealer_up", "bonus_offer"),
        ACTIONS,
        suits=False,
        alike="of the same point values against an up-card of the same value",
        knows="their own two cards and the dealer's up-card",
    )

    def __init__(self, rules: Rules, ranks: Collection[int] = range(13)) -> None:
        self.rules, self.numbers = rules, referee.numbers(rules)
        self.cards, self.weight = playout.starts(rules.decks, ranks)
        self.starts = len(self.weight)
        in_deck = np.isin(np.arange(DECK) // 4, list(ranks))
        self.copies = np.where(in_deck, rules.decks, 0)
        shoe = int(self.copies.sum())
        self.further = perm(shoe - 3, 3)
        hands = comb(shoe, 2) * (shoe - 2)
        self.deals = hands * self.further
        self.decision = replace(Main.decision, hands=hands)
        self.denominators = {
            "ordered deals": self.deals,
            "dealer's cards unordered": self.deals // 2,
            "deals with the player's two cards in order": 2 * self.deals,
        }

    def deals_in(self, lo: int, hi: int) -> int:
        """Count the ordered deals in a range of starts."""
        return int(self.weight[check_range(lo, hi, self.starts)].sum()) * self.further

    def enumerate(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Tabulate every action over a range of starts, by point values."""
        part = check_range(lo, hi, self.starts)
        low, high, up, offer = enumeration.information(self.cards[part], self.rules)
        key = ((low * 10 + high) * 10 + up) * 4 + offer
        weight = np.zeros(4000, dtype=np.int64)
        np.add.at(weight, key, self.weight[part])
        present = np.flatnonzero(weight)
        offer, up = present % 4, present // 4 % 10
        high, low = present // 40 % 10, present // 400
        two = (low + high) % 10
        shoe = np.zeros(10, dtype=np.int64)
        np.add.at(shoe, POINTS, self.copies)
        counts = enumeration.continuations(low, high, up, shoe, self.rules.dealer_draws_to)
        counts *= weight[present][:, None, None]
        may = enumeration.open_actions(two, offer, self.rules)
        return _action_table((low, high, two, up, offer), counts, may, enumeration.labels())

    def exhaust(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Tabulate every action over a range of starts, deal by deal."""
        part = check_range(lo, hi, self.starts)
        counts = playout.empty_counts()
        playout.exhaust_starts(
            self.cards[part], self.weight[part], self.copies, POINTS, FACES, self.numbers, counts
        )
        return self.tabulate(counts)

    def tabulate(self, counts: Int) -> Table:
        """Turn the counts of play-outs into an action table, the referee opening the actions."""
        present = np.flatnonzero(counts.any(axis=(1, 2)))
        known = playout.known_at(self.numbers)
        present = present[np.lexsort(known[::-1, present])]
        low, high, up, offer = known[:, present]
        two = playout.added(low, high)
        may = playout.open_actions(offer, two, self.numbers)
        return _action_table((low, high, two, up, offer), counts[present], may, playout.labels())


#: Settlement codes in the order of a table's rows: dealer's cards, player's total, dealer's total.
_BY_ROW = np.arange(SETTLEMENTS).reshape(100, 2).T.ravel()
_PLAYER, _DEALER = np.arange(SETTLEMENTS) // 20, np.arange(SETTLEMENTS) // 2 % 10
_DEALER_CARDS = 2 + np.arange(SETTLEMENTS) % 2


def _action_table(
    known: tuple[Int, ...], counts: Int, may: NDArray[np.bool_], labels: Labels
) -> Table:
    """Lay out play-outs, shape (sets, 2, settlements), under every open action.

    `known`: the columns of START, each of shape (sets,).

    Sets come sorted by (low, high, up, offer), so that the rows are sorted as they are made.
    """
    laid = counts.reshape(-1, 2, 100, 2).swapaxes(2, 3).reshape(-1, 2, SETTLEMENTS)
    sets, actions = np.nonzero(may)
    cells = laid[sets, labels.draws[actions]]
    rows = np.flatnonzero(cells)
    here = np.count_nonzero(cells, axis=1)

    code = _BY_ROW[rows % SETTLEMENTS]
    by_cell = (
        *(column[sets] for column in known),
        actions,
        labels.decision[actions],
        2 + labels.draws[actions],
    )
    by_code = (_DEALER_CARDS, _PLAYER, _DEALER, labels.winner)
    # One block of memory for all columns: a dozen smaller ones cost more to get than to fill.
    columns = np.empty((len(by_cell) + len(by_code), len(rows)), dtype=np.int64)
    for column, values in zip(columns, by_cell, strict=False):
        column[:] = np.repeat(values, here)
    for column, values in zip(columns[len(by_cell) :], by_code, strict=True):
        np.take(values, code, out=column)
    features = (*START, *PLAYED)
    codes = {f.name: column for f, column in zip(features, columns, strict=True)}
    return Table(features, codes, cells.ravel()[rows])


class FuBacc(Game):
    """Fu Bacc under one setting of its rules; a small shoe of some ranks can be enumerated."""

    shared = SHARED

    def __init__(self, rules: Rules, ranks: Collection[int] = range(13)) -> None:
        self.rules, self.numbers = rules, referee.numbers(rules)
        self.main = Main(rules, ranks)
        self.spaces = (self.main, Starts(rules, ranks))

    @property
    def _rounds(self) -> int:
        return perm(DECK * self.rules.decks, draw.CARDS)

    def simulate(
        self,
        lo: int,
        hi: int,
        seed: int,
        strategies: Sequence[Strategy] = (),
        wanted: Wanted = None,
    ) -> dict[Key, Table]:
        """Deal fresh shoes and play every round both ways, so that any strategy can be applied."""
        counts = playout.empty_counts()
        points, faces = playout.shoe_values(self.rules.decks)
        by = draw.radix(len(points))
        for block in range(lo, hi):
            words = streams.fair_words(seed, block, self._rounds)
            playout.simulate_rounds(words, by, points, faces, self.numbers, counts)
        played = self.main.tabulate(counts)
        stood = counts[:, 0, :].sum(axis=1)
        present = np.flatnonzero(stood)
        low, high, up, offer = playout.known_at(self.numbers)[:, present]
        begun = _start_table(low, high, playout.added(low, high), up, offer, stood[present])
        return {("main", None): played, ("starts", None): begun}

    def deal(self, seed: int, number: int = 0) -> tuple[int, ...]:
        """Draw the six cards of one round, as types 0–51."""
        word = streams.fair_words(seed, 0, self._rounds)[number]
        return tuple(card % DECK for card in draw.six(word, DECK * self.rules.decks))

    def play(self, cards: Sequence[int], strategies: Mapping[str, Strategy]) -> Round:
        """Play one round with six cards in the order of the shoe."""
        first, second, up, third, fourth, fifth = (int(POINTS[card]) for card in cards)
        faces = int(FACES[cards[0]] + FACES[cards[1]])
        offer = referee.bonus_offer(first, second, faces, up, self.numbers)
        begun: dict[str, str | int] = {
            "player_low": min(first, second),
            "player_high": max(first, second),
            "player_initial_total": add(first, second),
            "dealer_up": up,
            "bonus_offer": OFFERS[offer],
        }
        action = strategies["main"].action_at(begun)
        index = ACTIONS.index(action)
        draws, to = bool(referee.takes_third(index)), self.rules.dealer_draws_to
        code = referee.play_out(first, second, up, third, fourth, fifth, draws, to)
        player, dealer = code // 20, code // 2 % 10
        played: dict[str, str | int] = {
            **begun,
            "action": action,
            "decision": DECISIONS[referee.decision(index)],
            "player_cards": 2 + draws,
            "dealer_cards": 2 + code % 2,
            "player_total": player,
            "dealer_total": dealer,
            "winner": WINNERS[referee.winner(player, dealer)],
        }
        dealt = cards[: 4 + draws + code % 2]
        names = tuple(card_name(card) for card in dealt)
        return Round(names, _steps(cards, played), {"main": played, "starts": begun})


def _steps(cards: Sequence[int], row: Mapping[str, str | int]) -> tuple[str, ...]:
    draws, dealer_drew = row["player_cards"] == 3, row["dealer_cards"] == 3
    rest = list(cards[3:])
    steps = [
        f"player is dealt {names(cards[:2])}, total {row['player_initial_total']}",
        f"dealer shows {card_name(cards[2])}, counting {row['dealer_up']}",
    ]
    if row["bonus_offer"] != "none":
        steps.append(f"a bonus is offered ({row['bonus_offer']})")
    done = {"fold": "folds", "bonus": "takes the bonus", "play": "plays"}[str(row["decision"])]
    over = "" if row["decision"] == "play" else "; the hand is played on to show its end"
    steps.append(f"player {done}{over}")
    if draws:
        steps.append(f"player draws {card_name(rest.pop(0))}, total {row['player_total']}")
    else:
        steps.append(f"player stands on {row['player_total']}")
    second = rest.pop(0)
    two = (int(POINTS[cards[2]]) + int(POINTS[second])) % 10
    steps.append(f"dealer's second card is {card_name(second)}, total {two}")
    if dealer_drew:
        steps.append(f"dealer draws {card_name(rest.pop(0))}, total {row['dealer_total']}")
    else:
        steps.append(f"dealer stands on {two}")
    steps.append("tie" if row["winner"] == "tie" else f"{row['winner']}'s hand is higher")
    return tuple(steps)
