"""Red/Green as its rule sheet reads: set a hand the house way, then compare two hands.

Ranks are 0 for an ace, 1 for a deuce … 12 for a king. `exhaust`, `simulate` and `deal` ask here.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.cards.hands import five_cards
from engine.exact.kernels import njit
from engine.games.red_green.rules import Rules

ACE, DEUCE, TEN, JACK, QUEEN, KING = 0, 1, 9, 10, 11, 12
THREE_OF_A_KIND, PAIR, SPLIT_PAIR, NO_PAIR = 0, 1, 2, 3
RED, GREEN, TIE = 0, 1, 2


class Numbers(NamedTuple):
    """The rules as compiled code takes them: one number each, flags 0 or 1."""

    decks: int
    aces_split: int
    kings_split: int
    no_pair_front: int
    three_of_a_kind: int
    lone_deuce: int
    pair_of_deuces: int
    three_deuces: int
    ace: int


#: Numbers by which the functions below know the words.
_ACES = {
    "unless king": 0, "always": 1, "never": 2, "only with king": 3, "below queen": 4,
    "below jack": 5,
}  # fmt: skip
_KINGS = {
    "to ten": 0, "to jack": 1, "to queen": 2, "to ten or ace": 3, "to jack or ace": 4,
    "always": 5, "never": 6,
}  # fmt: skip
_FRONT = {"middle": 0, "lowest": 1, "highest": 2}
_THREES = {"ranked": 0, "equal": 1, "pair": 2}
_DEUCES = {"loses": 0, "beats": 1}
_ACE = {"high": 0, "low": 1}


def numbers(rules: Rules) -> Numbers:
    """Read the words of a setting."""
    return Numbers(
        rules.decks,
        _ACES[rules.aces_split],
        _KINGS[rules.kings_split],
        _FRONT[rules.no_pair_front],
        _THREES[rules.three_of_a_kind],
        _DEUCES[rules.lone_deuce],
        _DEUCES[rules.pair_of_deuces],
        _DEUCES[rules.three_deuces],
        _ACE[rules.ace],
    )


@njit
def strength(rank: int, rules: Numbers) -> int:
    """How high a single card is: a king is 12, and an ace 13 or, where it is low, 0."""
    if rank == ACE and rules.ace == 0:
        return 13
    return rank


@njit
def aces_are_split(other: int, rules: Numbers) -> bool:
    """Tell whether a pair of aces is split when the third card is `other`."""
    if rules.aces_split == 0:
        return other != KING
    if rules.aces_split == 1:
        return True
    if rules.aces_split == 2:
        return False
    if rules.aces_split == 3:
        return other == KING
    if rules.aces_split == 4:
        return other < QUEEN
    return other < JACK


@njit
def kings_are_split(other: int, rules: Numbers) -> bool:
    """Tell whether a pair of kings is split when the third card is `other`."""
    if rules.kings_split == 5:
        return True
    if rules.kings_split == 6:
        return False
    if other == ACE:
        return rules.kings_split == 3 or rules.kings_split == 4
    if rules.kings_split == 2:
        return other <= QUEEN
    if rules.kings_split == 1 or rules.kings_split == 4:
        return other <= JACK
    return other <= TEN


@njit
def is_split(pair: int, other: int, rules: Numbers) -> bool:
    """Tell whether a pair is split between front and back: only aces and kings ever are."""
    if pair == ACE:
        return aces_are_split(other, rules)
    if pair == KING:
        return kings_are_split(other, rules)
    return False


@njit
def set_hand(first: int, second: int, third: int, rules: Numbers) -> tuple[int, int, int, int]:
    """Set three ranks the house way.

    Returns what the hand is, its front card, and the higher and lower card of its back.
    """
    high, middle, low = first, second, third
    if strength(high, rules) < strength(middle, rules):
        high, middle = middle, high
    if strength(middle, rules) < strength(low, rules):
        middle, low = low, middle
    if strength(high, rules) < strength(middle, rules):
        high, middle = middle, high

    if high == low:
        return THREE_OF_A_KIND, high, high, high
    if high == middle:
        if is_split(high, low, rules):
            return SPLIT_PAIR, high, middle, low
        return PAIR, low, high, middle
    if middle == low:
        if is_split(low, high, rules):
            return SPLIT_PAIR, middle, high, low
        return PAIR, high, middle, low
    if rules.no_pair_front == 0:
        return NO_PAIR, middle, high, low
    if rules.no_pair_front == 1:
        return NO_PAIR, low, high, middle
    return NO_PAIR, high, middle, low


@njit
def compare_ranks(red: int, green: int, deuce_beats_ace: int, rules: Numbers) -> int:
    """Compare two ranks, with the exception for a deuce against an ace where it is made."""
    if red == green:
        return TIE
    if deuce_beats_ace == 1:
        if red == DEUCE and green == ACE:
            return RED
        if red == ACE and green == DEUCE:
            return GREEN
    if strength(red, rules) > strength(green, rules):
        return RED
    return GREEN


@njit
def compare_backs(
    red_high: int, red_low: int, green_high: int, green_low: int, rules: Numbers
) -> int:
    """Compare two cards with two: a pair beats no pair, then the higher card, then the lower."""
    red_pair, green_pair = red_high == red_low, green_high == green_low
    if red_pair and green_pair:
        return compare_ranks(red_high, green_high, rules.pair_of_deuces, rules)
    if red_pair:
        return RED
    if green_pair:
        return GREEN
    if red_high != green_high:
        return compare_ranks(red_high, green_high, 0, rules)
    return compare_ranks(red_low, green_low, 0, rules)


@njit
def compare(
    red: tuple[int, int, int, int], green: tuple[int, int, int, int], rules: Numbers
) -> tuple[int, int]:
    """Compare two set hands: who wins in front and who wins at the back.

    Unless it counts as a pair with a third card, three of a kind wins both comparisons against
    anything else.
    """
    red_hand, red_front, red_high, red_low = red
    green_hand, green_front, green_high, green_low = green
    if rules.three_of_a_kind != 2:
        red_three, green_three = (
            red_hand == THREE_OF_A_KIND,
            green_hand == THREE_OF_A_KIND,
        )
        if red_three and green_three:
            if rules.three_of_a_kind == 1:
                return TIE, TIE
            winner = compare_ranks(red_front, green_front, rules.three_deuces, rules)
            return winner, winner
        if red_three:
            return RED, RED
        if green_three:
            return GREEN, GREEN
    front = compare_ranks(red_front, green_front, rules.lone_deuce, rules)
    back = compare_backs(red_high, red_low, green_high, green_low, rules)
    return front, back


@njit
def bonus(a: int, b: int, c: int, d: int, e: int, f: int) -> tuple[int, int, int, int, int]:
    """Settle the bonus on six cards (0–51): every five of them are tried.

    Returns the best category (index into CATEGORIES); the best kind by ranks alone (0 for six of
    a kind, else 1 + index into KINDS); and over all fives the number that are a flush, whether
    one is a straight, and the best straight flush (0 none, 1 yes, 2 royal).
    """
    best, kinds, fives, flushes, straights, straight_flush = 10, 6, 0, 0, 0, 0
    for _ in range(6):
        f, a, b, c, d, e = a, b, c, d, e, f
        v, w, x, y, z = a >> 2, b >> 2, c >> 2, d >> 2, e >> 2
        kind = five_cards.kind(v, w, x, y, z)
        run = five_cards.straight(v, w, x, y, z)
        suit = a & 3
        flush = b & 3 == suit and c & 3 == suit and d & 3 == suit and e & 3 == suit
        best = min(best, five_cards.category(kind, run, flush))
        kinds = min(kinds, kind)
        fives += kind == 0
        flushes += flush
        straights |= run > 0
        if flush:
            straight_flush = max(straight_flush, run)
    return best, 0 if fives == 6 else kinds + 1, flushes, straights, straight_flush
