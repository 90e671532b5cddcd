"""Every deal of a range of starts, and random rounds, set and compared by the referee."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK
from engine.games.red_green.referee import compare, set_hand
from engine.games.red_green.rules import Rules
from engine.kernels import njit

#: What the referee can say of one hand: 4 kinds × 13 front ranks.
FACES = 4 * 13
#: Codes of a whole comparison: both hands × winner in front (3) × winner at the back (3).
CODES = FACES * FACES * 9

Int = NDArray[np.int64]


def hands(decks: int) -> tuple[Int, Int]:
    """List all hands of three card types, in no order, that a shoe can give.

    Returns (`cards`, `weight`): types 0–51, ascending, shape (n, 3), and the number of physical
    hands behind each, shape (n,): 22,100 of weight 1 with one deck.
    """
    a, b, c = np.indices((DECK, DECK, DECK)).reshape(3, -1)
    a, b, c = (column[(a <= b) & (b <= c)] for column in (a, b, c))
    ways = decks * (decks - (a == b)) * np.maximum(decks - (b == c) - (a == c), 0)
    weight = ways // np.array([1, 2, 6])[(a == b).astype(np.int64) + (b == c)]
    dealt = weight > 0
    return np.stack([a, b, c], axis=1)[dealt].astype(np.int64), weight[dealt]


@njit
def code_of(
    red: tuple[int, int, int, int], green: tuple[int, int, int, int], rules: Rules
) -> int:
    """Number the outcome of two set hands, 0 … CODES − 1."""
    front, back = compare(red, green, rules)
    faces = (red[0] * 13 + red[1]) * FACES + green[0] * 13 + green[1]
    return faces * 9 + front * 3 + back


@njit
def set_all(rules: Rules) -> tuple[NDArray[np.int16], Int]:
    """Let the referee set every hand of three card types a ≤ b ≤ c.

    Returns (`number`, `settings`): the number of each hand's setting, shape (52, 52, 52), and the
    distinct settings as `set_hand` gives them, shape (n, 4).
    """
    number = np.zeros((DECK, DECK, DECK), dtype=np.int16)
    seen = np.full(4 * 13**3, -1, dtype=np.int64)
    settings = np.empty((4 * 13**3, 4), dtype=np.int64)
    found = 0
    for a in range(DECK):
        for b in range(a, DECK):
            for c in range(b, DECK):
                hand = set_hand(a // 4, b // 4, c // 4, rules)
                key = ((hand[0] * 13 + hand[1]) * 13 + hand[2]) * 13 + hand[3]
                if seen[key] < 0:
                    seen[key] = found
                    for k in range(4):
                        settings[found, k] = hand[k]
                    found += 1
                number[a, b, c] = seen[key]
    return number, settings[:found].copy()


@njit
def setting(settings: Int, number: int) -> tuple[int, int, int, int]:
    """Read one set hand back."""
    return (
        settings[number, 0],
        settings[number, 1],
        settings[number, 2],
        settings[number, 3],
    )


@njit
def exhaust_starts(cards: Int, weight: Int, rules: Rules, counts: Int) -> None:
    """Deal every Green hand to each of some Red hands, card by card, and compare the two.

    `cards` and `weight` list Red hands as `hands` does. Adds to `counts`, shape (CODES,), int64:
    at most C(416, 3)·C(413, 3) < 2^48 deals. Cards of one type are counted, not told apart; Green
    hands that are set alike are compared with Red together.
    """
    number, settings = set_all(rules)
    left = np.empty(DECK, dtype=np.int64)
    greens = np.empty(len(settings), dtype=np.int64)
    for start in range(len(cards)):
        left[:] = rules.decks
        for k in range(3):
            left[cards[start, k]] -= 1
        greens[:] = 0
        for a in range(DECK):
            for b in range(a, DECK):
                if a < b:
                    ways = left[a] * left[b]
                    greens[number[a, b, b]] += ways * (left[b] - 1) // 2
                else:
                    ways = left[a] * (left[a] - 1) // 2
                    greens[number[a, a, a]] += ways * (left[a] - 2) // 3
                if ways > 0:
                    for c in range(b + 1, DECK):
                        greens[number[a, b, c]] += ways * left[c]
        red = setting(
            settings, number[cards[start, 0], cards[start, 1], cards[start, 2]]
        )
        for green in range(len(settings)):
            code = code_of(red, setting(settings, green), rules)
            counts[code] += weight[start] * greens[green]


@njit
def draw_cards(word: np.uint64, shoe: Int, taken: Int) -> None:
    """Turn a number below n·(n−1)·…·(n−5) into six different cards of a shoe of n, in order.

    `shoe` is left as it was found; `taken` receives the six. With n ≤ 416 the number's two halves
    are below 2^27, and 32-bit division is fast.
    """
    size = np.uint64(len(shoe))
    half = size * (size - np.uint64(1)) * (size - np.uint64(2))
    upper = word // half
    rest = np.uint32(word - upper * half)
    for k in range(6):
        if k == 3:
            rest = np.uint32(upper)
        choices = np.uint32(len(shoe) - k)
        quotient = rest // choices
        place = k + np.int64(rest - quotient * choices)
        rest = quotient
        taken[k] = place
        shoe[k], shoe[place] = shoe[place], shoe[k]
    for k in range(5, -1, -1):
        place = taken[k]
        taken[k] = shoe[k]
        shoe[k], shoe[place] = shoe[place], shoe[k]


@njit
def simulate_rounds(words: NDArray[np.uint64], rules: Rules, counts: Int) -> None:
    """Play rounds from fresh shoes; adds to `counts`, shape (CODES,), int64."""
    shoe = np.arange(DECK * rules.decks) % DECK
    cards = np.empty(6, dtype=np.int64)
    for word in words:
        draw_cards(word, shoe, cards)
        red = set_hand(cards[0] // 4, cards[1] // 4, cards[2] // 4, rules)
        green = set_hand(cards[3] // 4, cards[4] // 4, cards[5] // 4, rules)
        counts[code_of(red, green, rules)] += 1
