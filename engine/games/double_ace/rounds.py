"""Random rounds with physical cards: a fresh shoe for each, all wagers settled from it."""

from __future__ import annotations

from math import perm

import numpy as np
from numpy.typing import NDArray

from engine.games.double_ace import referee
from engine.games.double_ace.holdings import HANDS, NUMBER
from engine.games.double_ace.long_hands import BEST_FIVE, FIRST_FIVE, best_five
from engine.games.double_ace.playout import DEALER_CODES, dealer_code
from engine.games.double_ace.rules import DOUBLE, STAND, VALUES, Rules
from engine.hands.ace_ten import TARGET
from engine.hands.bonus_poker import TYPES, hand_code
from engine.kernels import njit

Int = NDArray[np.int64]
Words = NDArray[np.uint64]

#: Cards drawn from one random word: 480·479·…·474 < 2^64 with twelve decks.
PER_WORD = 7
#: Words of a round. The player's hand and the dealer's have 14 cards at most, the dealer's five
#: for his bonus among them, and five lie on the table: 19 cards.
LANES = 3
#: Cards on the table for the bonus hands; the third to the seventh of a round.
COMMUNITY = 5
#: Player's ends are numbered: first card (10) × hand at the last decision × last card (11).
PLAYER_CODES = len(VALUES) * len(HANDS) * (len(VALUES) + 1)
#: Number of the hand of one card, by value; index 0 idle.
SINGLE = np.array([-1, *(NUMBER[(value,)] for value in VALUES)], dtype=np.int64)


def below(decks: int, lane: int) -> int:
    """Number of equally likely draws that a lane's word has to be fair for."""
    return perm(TYPES * decks - PER_WORD * lane, PER_WORD) if decks else TYPES**PER_WORD


def shoe_of(decks: int) -> Int:
    """Types of all physical cards, shape (40 × decks,); one of each type for infinitely many."""
    return np.tile(np.arange(TYPES), decks or 1)


def sizes(decks: int) -> tuple[Int, NDArray[np.float64]]:
    """Divisors that turn random words into cards, and their reciprocals, rounded up.

    Indices 0–20: cards in the shoe before each card of a round. 21–23: half the number of ways
    to draw the first three cards of each word.
    """
    cards = np.arange(LANES * PER_WORD)
    shoe = TYPES * decks - cards if decks else np.full(len(cards), TYPES)
    threes = shoe.reshape(LANES, PER_WORD)[:, :3].prod(axis=1) // 2
    divisors = np.concatenate([shoe, threes])
    return divisors, np.nextafter(1 / divisors, 1)


@njit
def draw_word(
    word: np.uint64,
    lane: int,
    divisors: Int,
    shares: NDArray[np.float64],
    replaced: bool,
    picks: Int,
) -> None:
    """Turn a lane's random word, fair modulo `below`, into the places of seven cards in the shoe.

    Mixed radix: the remainder by the shoe's size is the first card's place among the cards that
    are left, and so on. `divisors`, `shares`: see `sizes`; the places go to `picks`, shape (21,).

    Products with reciprocals stand for divisions. The word's upper part q = word // (ways to draw
    three cards) may be off by one, which is mended. After that a number stays below
    2^64 / (40·39·38) < 2^48.2: its quotient by d, computed in doubles with the reciprocal rounded
    up, is not below the exact one and exceeds it by less than 2^48.2 / d · 2^-51 < 1 / d, so that
    truncation gives the floor.
    """
    half = divisors[LANES * PER_WORD + lane]
    upper = np.int64(np.int64(word >> np.uint64(1)) * shares[LANES * PER_WORD + lane])
    lower = np.int64(word - np.uint64(upper) * np.uint64(2 * half))
    if lower < 0:
        lower += 2 * half
        upper -= 1
    elif lower >= 2 * half:
        lower -= 2 * half
        upper += 1
    first = lane * PER_WORD
    for number in range(first, first + PER_WORD):
        if number == first + 3:
            lower = upper
        rest = np.int64(lower * shares[number])
        place = lower - rest * divisors[number]
        picks[number] = place if replaced else place + number
        lower = rest


@njit
def take(lo: int, hi: int, shoe: Int, picks: Int, replaced: bool, cards: Int) -> None:
    """Take cards `lo` … `hi` − 1 of a round from their places; their types go to `cards`."""
    for number in range(lo, hi):
        place = picks[number]
        cards[number] = shoe[place]
        if not replaced:
            shoe[place] = shoe[number]
            shoe[number] = cards[number]


@njit
def take_rest(
    word: np.uint64,
    shoe: Int,
    divisors: Int,
    shares: NDArray[np.float64],
    replaced: bool,
    picks: Int,
    cards: Int,
) -> int:
    """Take the third word's cards, which few rounds need; return the number of cards taken."""
    draw_word(word, 2, divisors, shares, replaced, picks)
    take(2 * PER_WORD, 3 * PER_WORD, shoe, picks, replaced, cards)
    return 3 * PER_WORD


@njit
def give_back(dealt: int, shoe: Int, picks: Int) -> None:
    """Put the shoe back as it was before `dealt` cards were drawn."""
    for number in range(dealt - 1, -1, -1):
        place = picks[number]
        card = shoe[number]
        shoe[number] = shoe[place]
        shoe[place] = card


@njit
def play_rounds(
    first_words: Words,
    second_words: Words,
    third_words: Words,
    shoe: Int,
    divisors: Int,
    shares: NDArray[np.float64],
    replaced: bool,
    rules: Rules,
    chosen: Int,
    following: Int,
    single: Int,
    drawn: int,
    ranks: Int,
    ends: Int,
    bonus: Int,
) -> None:
    """Play random rounds under several strategies.

    The player's card, the dealer's and five for the table are dealt; then the player draws, then
    the dealer, then the dealer's bonus hand is filled up. Every strategy meets the same shoe; the
    bonus hands are those of number `drawn`. `chosen`: action by strategy and hand; `ranks`: see
    `long_hands.ranking`. Adds to `ends`, shape (strategies, PLAYER_CODES, DEALER_CODES), and
    `bonus`, shape (4, CODES): player's five, dealer's five, player's six cards, and the first five
    of players who get no bonus.
    """
    most = LANES * PER_WORD
    usual = 2 * PER_WORD
    picks = np.empty(most, dtype=np.int64)
    cards = np.empty(most, dtype=np.int64)
    hand = np.empty(most, dtype=np.int64)
    hands, values = following.shape
    for index in range(len(first_words)):
        draw_word(first_words[index], 0, divisors, shares, replaced, picks)
        draw_word(second_words[index], 1, divisors, shares, replaced, picks)
        take(0, usual, shoe, picks, replaced, cards)
        dealt = usual
        first = (cards[0] >> 2) + 1
        for strategy in range(len(chosen)):
            place = 2 + COMMUNITY
            count, pips, ace, held, last = 1, first, first == 1, single[first], 0
            hand[0] = cards[0]
            while chosen[strategy, held] != STAND:
                if place == dealt:
                    dealt = take_rest(
                        third_words[index], shoe, divisors, shares, replaced, picks, cards
                    )
                hand[count] = cards[place]
                value = (cards[place] >> 2) + 1
                place += 1
                count += 1
                pips += value
                ace = ace or value == 1
                doubled = chosen[strategy, held] == DOUBLE
                total = referee.player_total(count, pips, ace, doubled, rules)
                if doubled or total > TARGET:
                    last = value
                    break
                held = following[held, value]
            end = ((first - 1) * hands + held) * values + last
            if strategy == drawn:
                for k in range(count, 6):
                    hand[k] = cards[2 + k - count]
                if count < 6 or rules.long_hand == FIRST_FIVE:
                    bonus[0, hand_code(hand, 5)] += 1
                elif rules.long_hand == BEST_FIVE:
                    bonus[0, best_five(hand, ranks)] += 1
                else:
                    bonus[3, hand_code(hand, 5)] += 1
                bonus[2, hand_code(hand, 6)] += 1
                hand[0] = cards[1]
            count, pips = 1, (cards[1] >> 2) + 1
            ace = pips == 1
            while referee.dealer_draws(count, pips, ace, rules):
                if place == dealt:
                    dealt = take_rest(
                        third_words[index], shoe, divisors, shares, replaced, picks, cards
                    )
                hand[count] = cards[place]
                value = (cards[place] >> 2) + 1
                place += 1
                count += 1
                pips += value
                ace = ace or value == 1
            total = referee.dealer_total(count, pips, ace, rules)
            ends[strategy, end, dealer_code(count, total)] += 1
            if strategy == drawn:
                while count < 5:
                    if place == dealt:
                        dealt = take_rest(
                            third_words[index], shoe, divisors, shares, replaced, picks, cards
                        )
                    hand[count] = cards[place]
                    place += 1
                    count += 1
                bonus[1, hand_code(hand, 5)] += 1
        if not replaced:
            give_back(dealt, shoe, picks)


def empty_ends(strategies: int) -> Int:
    """Allocate the counts of ends that `play_rounds` adds to."""
    return np.zeros((strategies, PLAYER_CODES, DEALER_CODES), dtype=np.int64)
