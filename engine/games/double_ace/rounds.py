"""Random rounds with physical cards: a fresh shoe for each, all wagers settled from it."""

from __future__ import annotations

from math import perm

import numpy as np
from numpy.typing import NDArray

from engine.cards.draw import split
from engine.cards.hands.ace_ten import TARGET
from engine.cards.hands.bonus_poker import FIVE, TYPES, hand_codes
from engine.exact.kernels import njit
from engine.games.double_ace import referee
from engine.games.double_ace.holdings import HANDS, NUMBER
from engine.games.double_ace.playout import DEALER_CODES, dealer_code
from engine.games.double_ace.playout_bonus import best_five
from engine.games.double_ace.referee import BEST_FIVE, FIRST_FIVE, Numbers
from engine.games.double_ace.rules import DOUBLE, STAND, VALUES

Int = NDArray[np.int64]
Words = NDArray[np.uint64]
Places = NDArray[np.int16]

#: Cards drawn from one random word: 480·479·…·474 < 2^64 with twelve decks.
PER_WORD = 7
#: Words of a round. The player's hand and the dealer's have 14 cards at most, the dealer's five
#: for the bonus among them, and five lie on the table: 19 cards.
LANES = 3
#: Cards on the table for the bonus hands; the third to the seventh of a round.
COMMUNITY = 5
#: Rounds that are played side by side.
BATCH = 512
#: Player's ends are numbered: first card (10) × hand at the last decision × last card (11).
PLAYER_CODES = len(VALUES) * len(HANDS) * (len(VALUES) + 1)
#: Number of the hand of one card, by value; index 0 idle.
SINGLE = np.array([-1, *(NUMBER[(value,)] for value in VALUES)], dtype=np.int64)


def below(decks: int, lane: int) -> int:
    """Number of equally likely draws that a lane's word has to be fair for."""
    return perm(TYPES * decks - PER_WORD * lane, PER_WORD) if decks else TYPES**PER_WORD


def sizes(decks: int) -> tuple[Int, NDArray[np.float64]]:
    """Divisors that turn random words into cards, and their reciprocals, rounded up.

    Indices 0–20: cards in the shoe before each card of a round. 21–23: ways to draw the first
    three cards of each word.
    """
    cards = np.arange(LANES * PER_WORD)
    shoe = TYPES * decks - cards if decks else np.full(len(cards), TYPES)
    threes = shoe.reshape(LANES, PER_WORD)[:, :3].prod(axis=1)
    divisors = np.concatenate([shoe, threes])
    return divisors, np.nextafter(1 / divisors, 1)


@njit
def _next_places(
    numbers: NDArray[np.float64], by: int, share: float, gone: int, places: Places
) -> None:
    """Split the lowest digit off some numbers: the place of the next card behind `gone` cards."""
    size = np.float64(by)
    for k in range(len(places)):
        rest = np.floor(numbers[k] * share)
        places[k] = np.int32(numbers[k] - rest * size) + gone
        numbers[k] = rest


@njit
def draw_words(
    words: Words,
    lane: int,
    divisors: Int,
    shares: NDArray[np.float64],
    replaced: bool,
    picks: Places,
) -> None:
    """Turn a lane's random words, fair modulo `below`, into the places of seven cards in the shoe.

    Mixed radix: the remainder by the shoe's size is the first card's place among the cards that
    are left, and so on. `divisors`, `shares`: see `sizes`; the places go to rows 7 × lane … of
    `picks`, shape (21, words).

    Products with shares are exact quotients, as `draw.Radix` shows: after `split` numbers stay
    below 2^64 / (40·39·38) < 2^49.
    """
    low, high = np.empty(len(words)), np.empty(len(words))
    split(words, divisors[LANES * PER_WORD + lane], shares[LANES * PER_WORD + lane], low, high)
    first = lane * PER_WORD
    for number in range(first, first + PER_WORD):
        _next_places(
            low if number < first + 3 else high,
            divisors[number],
            shares[number],
            0 if replaced else number,
            picks[number],
        )


@njit
def _refilled(earlier: int, gap: Places, places: Places) -> None:
    """Where a place is the gap that an `earlier` card left, put the place of the card in it."""
    for k in range(len(places)):
        places[k] = np.int16(earlier) if places[k] == gap[k] else places[k]


@njit
def _types(places: Places, cards: NDArray[np.uint8]) -> None:
    for k in range(len(places)):
        cards[k] = np.uint16(places[k]) % np.uint16(TYPES)


@njit
def take(picks: Places, replaced: bool, cards: NDArray[np.uint8]) -> None:
    """Take cards from their places in shoes, round by round; their types go to `cards`.

    Both arrays have shape (21, rounds). Card number n is taken from the n-th place or a later one,
    and the card at the n-th place fills the gap. So which card lies at a place is told by going
    back through the cards taken before: where one came from this place, what fills it now was at
    that card's number then. Nothing is moved, and all rounds go side by side. A fresh shoe has one
    deck behind the other, the types 0–39 in order.
    """
    places = np.empty(picks.shape[1], dtype=np.int16)
    for number in range(len(picks)):
        places[:] = picks[number]
        if not replaced:
            for earlier in range(number - 1, -1, -1):
                _refilled(earlier, picks[earlier], places)
        _types(places, cards[number])


@njit
def _value(card: np.uint8) -> int:
    return int(card >> 2) + 1


@njit
def _count_bonus(
    mine: NDArray[np.uint8],
    theirs: NDArray[np.uint8],
    player_cards: Int,
    ranks: Int,
    rules: Numbers,
    bonus: Int,
) -> None:
    """Count the bonus hands of rounds; `player_cards`, shape (rounds,): cards of each hand."""
    codes = np.empty(len(player_cards), dtype=np.int32)
    hand_codes(theirs, codes)
    for code in codes:
        bonus[1, code & FIVE] += 1
    hand_codes(mine, codes)
    for k in range(len(player_cards)):
        bonus[2, codes[k] >> 16] += 1
        if player_cards[k] < 6 or rules.long_hand == FIRST_FIVE:
            bonus[0, codes[k] & FIVE] += 1
        elif rules.long_hand == BEST_FIVE:
            bonus[0, best_five(mine[:, k].astype(np.int64), ranks)] += 1
        else:
            bonus[3, codes[k] & FIVE] += 1


@njit
def play_rounds(
    first_words: Words,
    second_words: Words,
    third_words: Words,
    divisors: Int,
    shares: NDArray[np.float64],
    replaced: bool,
    rules: Numbers,
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
    `playout_bonus.ranking`. Adds to `ends`, shape (strategies, PLAYER_CODES, DEALER_CODES), and
    `bonus`, shape (4, CODES): player's five, dealer's five, player's six cards, and the first five
    of players who get no bonus.
    """
    hands, values = following.shape
    for begin in range(0, len(first_words), BATCH):
        size = min(BATCH, len(first_words) - begin)
        picks = np.empty((LANES * PER_WORD, size), dtype=np.int16)
        cards = np.empty((LANES * PER_WORD, size), dtype=np.uint8)
        for lane, words in enumerate((first_words, second_words, third_words)):
            draw_words(words[begin : begin + size], lane, divisors, shares, replaced, picks)
        take(picks, replaced, cards)
        mine, theirs = np.empty((6, size), dtype=np.uint8), np.zeros((6, size), dtype=np.uint8)
        player_cards = np.empty(size, dtype=np.int64)
        for k in range(size):
            first = _value(cards[0, k])
            for strategy in range(len(chosen)):
                next_card = 2 + COMMUNITY
                count, pips, ace, hand, last = 1, first, first == 1, single[first], 0
                while chosen[strategy, hand] != STAND:
                    value = _value(cards[next_card, k])
                    next_card += 1
                    count += 1
                    pips += value
                    ace = ace or value == 1
                    doubled = chosen[strategy, hand] == DOUBLE
                    total = referee.player_total(count, pips, ace, doubled, rules)
                    if doubled or total > TARGET:
                        last = value
                        break
                    hand = following[hand, value]
                end = ((first - 1) * hands + hand) * values + last
                if strategy == drawn:
                    player_cards[k] = count
                    mine[0, k], theirs[0, k] = cards[0, k], cards[1, k]
                    for j in range(1, 6):
                        mine[j, k] = cards[1 + COMMUNITY + j if j < count else 2 + j - count, k]
                    for j in range(1, 5):
                        theirs[j, k] = cards[next_card + j - 1, k]
                count, pips = 1, _value(cards[1, k])
                ace = pips == 1
                while referee.dealer_draws(count, pips, ace, rules):
                    value = _value(cards[next_card, k])
                    next_card += 1
                    count += 1
                    pips += value
                    ace = ace or value == 1
                total = referee.dealer_total(count, pips, ace, rules)
                ends[strategy, end, dealer_code(count, total)] += 1
        _count_bonus(mine, theirs, player_cards, ranks, rules, bonus)


def empty_ends(strategies: int) -> Int:
    """Allocate the counts of ends that `play_rounds` adds to."""
    return np.zeros((strategies, PLAYER_CODES, DEALER_CODES), dtype=np.int64)
