"""The spaces of Red/Green: `main`, where two hands are compared, and `bonus`, all six cards."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import comb, factorial, perm

import numpy as np
from numpy.typing import NDArray

from engine.cards import streams
from engine.cards.deck import DECK, card_name, names
from engine.cards.draw import radix, six
from engine.cards.hands.five_cards import CATEGORIES, KINDS
from engine.contract.game import Game, Key, Round, Space, Wanted, asked_for, check_range
from engine.contract.strategy import Strategy
from engine.exact.tables import Counts, Table, integer, word
from engine.games.red_green import enumeration, playout, referee
from engine.games.red_green.rules import HANDS, SHARED, SIDES, Rules

Int = NDArray[np.int64]

_RANK = "11 jack, 12 queen, 13 king, 14 ace"
MAIN = (
    word("red_hand", "what Red's three cards are once they are set", *HANDS),
    word("green_hand", "what Green's three cards are once they are set", *HANDS),
    integer("red_front", f"rank of Red's front card ({_RANK})", 2, 14),
    integer("green_front", f"rank of Green's front card ({_RANK})", 2, 14),
    word("front", "whose front card is higher; three of a kind wins here too", *SIDES),
    word("back", "whose back hand is higher; three of a kind wins here too", *SIDES),
)
BONUS = (
    word("category", "best five of the six cards", *CATEGORIES),
    word("rank_pattern", "best hand by ranks alone", "six of a kind", *KINDS),
    integer("flush_cards", "cards of one suit where they are five or six, else 0", 0, 6),
    integer("straight", "1 where five cards are a straight, else 0", 0, 1),
    word("straight_flush", "best straight in one suit", "none", "straight flush", "royal flush"),
)
#: Number of flushes among the six fives → cards of one suit.
_FLUSH_CARDS = np.array([0, 5, 0, 0, 0, 0, 6])
#: Rank 0 (ace) … 12 (king) as the columns show it.
_SHOWN = np.array([14, *range(2, 14)])


class Main(Space):
    """Red's three cards and Green's: 61,989,513,746,160 deals with seven decks.

    A start is Red's hand by card types; every Green hand follows it. Nobody decides anything. The
    shoe can be made of some ranks alone.
    """

    name = "main"
    title = "Red against Green"
    features = MAIN

    def __init__(self, rules: Rules, ranks: Collection[int] = range(13)) -> None:
        self.rules, self.ranks = rules, ranks
        self.cards, self.weight = playout.hands(rules.decks, ranks)
        self.starts = len(self.weight)
        shoe = 4 * len(ranks) * rules.decks
        self.further = comb(shoe - 3, 3)
        self.deals = comb(shoe, 3) * self.further
        self.denominators = {"deals": self.deals, "ordered deals": perm(shoe, 6)}

    def deals_in(self, lo: int, hi: int) -> int:
        """Count the deals in a range of Red hands."""
        return int(self.weight[check_range(lo, hi, self.starts)].sum()) * self.further

    def enumerate(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Tabulate a range of Red hands against all Green hands, by rank."""
        part = check_range(lo, hi, self.starts)
        reds = np.zeros(len(enumeration.rank_hands()), dtype=np.int64)
        np.add.at(reds, enumeration.number_hands(self.cards[part]), self.weight[part])
        hand, front, back = enumeration.set_hands(self.rules)
        fronts, backs = enumeration.compare(hand, front, back, self.rules)
        deals = reds[:, None] * enumeration.weights(self.rules.decks, self.ranks)
        red, green = np.indices(deals.shape).reshape(2, -1)
        return _main_table(
            hand[red], front[red], hand[green], front[green],
            fronts.ravel(), backs.ravel(), deals.ravel(),
        )  # fmt: skip

    def exhaust(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Tabulate a range of Red hands against all Green hands, card by card."""
        part = check_range(lo, hi, self.starts)
        counts = np.zeros(playout.CODES, dtype=np.int64)
        copies = np.where(np.isin(np.arange(DECK) // 4, list(self.ranks)), self.rules.decks, 0)
        playout.exhaust_starts(
            self.cards[part], self.weight[part], copies, referee.numbers(self.rules), counts
        )
        return self.tabulate(counts)

    def tabulate(self, counts: Int) -> Table:
        """Turn the counts of the referee's outcomes, shape (CODES,), into a table."""
        code = np.flatnonzero(counts)
        faces, winners = code // 9, code % 9
        red, green = faces // playout.FACES, faces % playout.FACES
        return _main_table(
            red // 13,
            red % 13,
            green // 13,
            green % 13,
            winners // 3,
            winners % 3,
            counts[code],
        )


def _main_table(
    red_hand: Int, red_front: Int, green_hand: Int, green_front: Int,
    front: Int, back: Int, deals: Counts,
) -> Table:  # fmt: skip
    codes = {
        "red_hand": red_hand,
        "green_hand": green_hand,
        "red_front": _SHOWN[red_front],
        "green_front": _SHOWN[green_front],
        "front": front,
        "back": back,
    }
    return Table.of(MAIN, codes, deals)


class Bonus(Space):
    """All six cards in no order: C(364, 6) hands with seven decks.

    A start is the pair of the two lowest ranks, the ace counting lowest.
    """

    name = "bonus"
    title = "Best five of six cards"
    features = BONUS

    def __init__(self, decks: int) -> None:
        self.decks = decks
        self.deals = comb(DECK * decks, 6)
        self.denominators = {
            "hands": self.deals,
            "deals of three and three cards": comb(6, 3) * self.deals,
            "ordered deals": factorial(6) * self.deals,
        }
        pairs = [(low, next_) for low in range(13) for next_ in range(low, 13)]
        self._starts = [pair for pair in pairs if self._hands(*pair)]
        self.starts = len(self._starts)

    def _hands(self, low: int, next_: int) -> int:
        """Count the hands whose two lowest ranks are these."""
        rank = 4 * self.decks
        above = rank * (12 - next_)
        if low < next_:
            return rank * (comb(rank + above, 5) - comb(above, 5))
        return comb(rank + above, 6) - comb(above, 6) - rank * comb(above, 5)

    def deals_in(self, lo: int, hi: int) -> int:
        """Count the hands in a range of starts."""
        return sum(self._hands(*pair) for pair in self._starts[check_range(lo, hi, self.starts)])

    def enumerate(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Tabulate a range of starts by multisets of ranks and the suit that may be a flush."""
        sixes = enumeration.rank_sixes()
        numbers = np.full((13, 13), -1)
        for number, pair in enumerate(self._starts):
            numbers[pair] = number
        start = numbers[sixes[:, 0], sixes[:, 1]]
        codes, hands = enumeration.bonus(sixes[(lo <= start) & (start < hi)], self.decks)
        return Table.of(BONUS, codes, hands)

    def exhaust(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Settle every hand of card types in a range of starts, trying all its fives."""
        counts = np.zeros(playout.BONUS_CODES, dtype=np.int64)
        for low, next_ in self._starts[check_range(lo, hi, self.starts)]:
            playout.exhaust_bonus(low, next_, self.decks, counts)
        return self.tabulate(counts)

    def tabulate(self, counts: Int) -> Table:
        """Turn the counts of the referee's outcomes, shape (BONUS_CODES,), into a table."""
        code = np.flatnonzero(counts)
        codes = {
            "category": code // 336,
            "rank_pattern": code // 42 % 8,
            "flush_cards": _FLUSH_CARDS[code // 6 % 7],
            "straight": code // 3 % 2,
            "straight_flush": code % 3,
        }
        return Table.of(BONUS, codes, counts[code])


class RedGreen(Game):
    """Red/Green under one setting of its rules."""

    shared = SHARED

    def __init__(self, rules: Rules) -> None:
        self.rules, self.numbers = rules, referee.numbers(rules)
        self.main = Main(rules)
        self.bonus = Bonus(rules.decks)
        self.spaces = (self.main, self.bonus)

    @property
    def _rounds(self) -> int:
        return perm(DECK * self.rules.decks, 6)

    def simulate(
        self,
        lo: int,
        hi: int,
        seed: int,
        strategies: Sequence[Strategy] = (),
        wanted: Wanted = None,
    ) -> dict[Key, Table]:
        """Deal six cards from a fresh shoe for every round: three to Red, then three to Green.

        A space is filled where a column of it is wanted.
        """
        names = asked_for(self.spaces, wanted)
        by = radix(DECK * self.rules.decks)
        counts = np.zeros(playout.CODES, dtype=np.int64)
        bonuses = np.zeros(playout.BONUS_CODES, dtype=np.int64)
        answers = playout.answers(self.numbers)
        for block in range(lo, hi):
            words = streams.fair_words(seed, block, self._rounds)
            if "main" in names:
                playout.simulate_main(words, by, *answers, counts)
            if "bonus" in names:
                playout.simulate_bonus(words, by, *playout.bonus_answers(), bonuses)
        tables = {"main": self.main.tabulate(counts), "bonus": self.bonus.tabulate(bonuses)}
        return {(name, None): table for name, table in tables.items() if name in names}

    def deal(self, seed: int, number: int = 0) -> tuple[int, ...]:
        """Draw the six cards of one round, as types 0–51."""
        word_ = streams.fair_words(seed, 0, self._rounds)[number]
        return tuple(card % DECK for card in six(word_, DECK * self.rules.decks))

    def play(self, cards: Sequence[int], strategies: Mapping[str, Strategy]) -> Round:
        """Play one round: the first three cards are Red's, the next three Green's."""
        hands = (cards[:3], cards[3:6])
        red, green = (_set(hand, self.numbers) for hand in hands)
        front, back = referee.compare(red, green, self.numbers)
        row: dict[str, str | int] = {
            "red_hand": HANDS[red[0]],
            "green_hand": HANDS[green[0]],
            "red_front": int(_SHOWN[red[1]]),
            "green_front": int(_SHOWN[green[1]]),
            "front": SIDES[front],
            "back": SIDES[back],
        }
        steps = [
            f"{side} is dealt {names(hand)} ({HANDS[set_[0]]}) and sets {_in_words(hand, set_)}"
            for side, hand, set_ in zip(("Red", "Green"), hands, (red, green), strict=True)
        ]
        steps += [_winner("in front", front), _winner("at the back", back)]
        dealt = np.zeros(playout.BONUS_CODES, dtype=np.int64)
        dealt[playout.bonus_code(*cards[:6])] = 1
        best = self.bonus.tabulate(dealt).row(0)
        steps.append(f"best five of the six cards: {best['category']}")
        rows = {"main": row, "bonus": best}
        return Round(tuple(names(cards[:6]).split()), tuple(steps), rows)


def _set(cards: Sequence[int], rules: referee.Numbers) -> tuple[int, int, int, int]:
    first, second, third = (card // 4 for card in cards)
    return referee.set_hand(first, second, third, rules)


def _in_words(hand: Sequence[int], set_: tuple[int, int, int, int]) -> str:
    """Name the cards as they are set, front before back."""
    left = list(hand)
    order = []
    for rank in set_[1:]:
        order.append(next(card for card in left if card // 4 == rank))
        left.remove(order[-1])
    return f"{card_name(order[0])} in front, {names(order[1:])} at the back"


def _winner(pot: str, side: int) -> str:
    return f"tie {pot}" if side == referee.TIE else f"{SIDES[side].title()} wins {pot}"
