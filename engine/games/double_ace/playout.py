"""Every ordered sequence of card values of a start, played out through the referee."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.cards.hands.ace_ten import TARGET, is_double_ace
from engine.exact.kernels import njit
from engine.games.double_ace import referee
from engine.games.double_ace.holdings import NEXT, NUMBER
from engine.games.double_ace.referee import Numbers
from engine.games.double_ace.rules import DOUBLE, STAND, VALUES, Shoe

Int = NDArray[np.int64]

#: Dealer's final hands are numbered densely: cards 1–7, total 0–16.
DEALER_CARDS, DEALER_TOTALS = 7, 17
DEALER_CODES = DEALER_CARDS * DEALER_TOTALS


@njit
def dealer_code(cards: int, total: int) -> int:
    """Number a dealer's final hand."""
    return (cards - 1) * DEALER_TOTALS + total


def dealer_hand(code: int) -> tuple[int, int, bool]:
    """Cards, total and whether it is two aces, of a dealer's final hand by its number."""
    cards, total = code // DEALER_TOTALS + 1, code % DEALER_TOTALS
    return cards, total, bool(is_double_ace(cards, total))


def most_dealer_cards(rules: Numbers) -> int:
    """Cards of the dealer's longest hand: all aces but as few twos as the rules demand."""
    cards, pips = 1, 1
    while referee.dealer_draws(cards, pips, True, rules):
        cards += 1
        pips += 2 if cards == 2 and not referee.dealer_draws(2, 2, True, rules) else 1
    return cards


@njit
def dealer_sequences(first: int, left: Int, replaced: bool, rules: Numbers, counts: Int) -> None:
    """Play every ordered sequence of the dealer's cards after the first.

    `left`: copies left of each value, shape (11,), index 0 idle, given back unchanged; with
    `replaced` cards never run out. Adds the ordered ways of each final hand to `counts`, shape
    (DEALER_CODES,): at most six further cards, 480^6 < 1.3e16 < 2^63.
    """
    drawn = np.zeros(DEALER_CARDS + 1, dtype=np.int64)
    ways = np.ones(DEALER_CARDS + 1, dtype=np.int64)
    pips = np.zeros(DEALER_CARDS + 1, dtype=np.int64)
    aces = np.zeros(DEALER_CARDS + 1, dtype=np.int64)
    pips[1], aces[1] = first, first == 1
    cards = 1
    forward = True
    while cards > 0:
        if forward and not referee.dealer_draws(cards, pips[cards], aces[cards] > 0, rules):
            total = referee.dealer_total(cards, pips[cards], aces[cards] > 0, rules)
            counts[dealer_code(cards, total)] += ways[cards]
            forward = False
        elif forward:
            cards += 1
            drawn[cards] = 0
        if not forward:
            if cards == 1:
                return
            if not replaced:
                left[drawn[cards]] += 1
        value = drawn[cards] + 1
        while value <= 10 and left[value] == 0:
            value += 1
        if value > 10:
            cards -= 1
            forward = False
            continue
        drawn[cards] = value
        ways[cards] = ways[cards - 1] * (1 if replaced else left[value])
        pips[cards] = pips[cards - 1] + value
        aces[cards] = aces[cards - 1] + (1 if value == 1 else 0)
        if not replaced:
            left[value] -= 1
        forward = True


@dataclass(frozen=True)
class End:
    """A player's final hand in one order of cards: the columns it gives."""

    first: int
    decided: int
    action: int
    cards: int
    total: int
    double_ace: bool

    @property
    def row(self) -> tuple[int, ...]:
        """First card, hand and action at the last decision, cards, total, two aces or not."""
        return self.first, self.decided, self.action, self.cards, self.total, int(self.double_ace)


def player_sequences(
    first: int, left: Int, shoe: Shoe, most: int, rules: Numbers, chosen: Mapping[int, int]
) -> Iterator[tuple[End, int]]:
    """Play every ordered sequence of the player's cards after the first, as a strategy decides.

    `left` as in `dealer_sequences`; while an end is handed out, its cards are missing from it.
    Yields the end and the ordered ways of its further cards, a Python integer.
    """

    def play(cards: int, pips: int, ace: bool, hand: int, ways: int) -> Iterator[tuple[End, int]]:
        action = chosen[hand]
        if not referee.may(action, cards, pips, ace, most, rules):
            raise ValueError(f"the referee forbids action {action} with hand {hand}")
        if action == STAND:
            total = referee.player_total(cards, pips, ace, False, rules)
            double_ace = is_double_ace(cards, pips)
            yield End(first, hand, action, cards, total, double_ace), ways
            return
        for value in VALUES:
            copies = int(left[value])
            if copies == 0:
                continue
            left[value] -= not shoe.infinite
            more, sum_, has_ace = cards + 1, pips + value, ace or value == 1
            way = ways * (1 if shoe.infinite else copies)
            total = referee.player_total(more, sum_, has_ace, action == DOUBLE, rules)
            if action == DOUBLE or total > TARGET:
                double_ace = is_double_ace(more, sum_)
                yield End(first, hand, action, more, total, double_ace), way
            else:
                yield from play(more, sum_, has_ace, int(NEXT[hand, value]), way)
            left[value] += not shoe.infinite

    yield from play(1, first, first == 1, NUMBER[(first,)], 1)


def exhaust_start(
    first: int,
    dealer_first: int,
    shoe: Shoe,
    length: int,
    most: int,
    rules: Numbers,
    chosen: Mapping[int, int],
) -> dict[tuple[End, int], int]:
    """Play every ordered sequence of card values that begins with these two cards.

    Returns (player's end, dealer's code) → ordered deals of `length` cards, Python integers.
    """
    left = np.array((0, *shoe.counts), dtype=np.int64)
    taken = 0 if shoe.infinite else 1
    begun = 1 if shoe.infinite else int(left[first])
    left[first] -= taken
    begun *= 1 if shoe.infinite else int(left[dealer_first])
    if begun == 0:
        return {}
    left[dealer_first] -= taken
    ends: dict[tuple[End, int], int] = {}
    for end, ways in player_sequences(first, left, shoe, most, rules, chosen):
        counts = np.zeros(DEALER_CODES, dtype=np.int64)
        dealer_sequences(dealer_first, left, shoe.infinite, rules, counts)
        for code in np.flatnonzero(counts):
            dealt = end.cards + int(code) // DEALER_TOTALS + 1
            deals = begun * ways * int(counts[code]) * shoe.further(dealt, length - dealt)
            key = end, int(code)
            ends[key] = ends.get(key, 0) + deals
    return ends
