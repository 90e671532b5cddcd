"""Every deal of a range of starts, and random rounds, set and compared by the referee."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK
from engine.games.red_green.referee import bonus, compare, set_hand
from engine.games.red_green.rules import Rules
from engine.kernels import njit

#: What the referee can say of one hand: 4 kinds × 13 front ranks.
FACES = 4 * 13
#: Codes of a whole comparison: both hands × winner in front (3) × winner at the back (3).
CODES = FACES * FACES * 9
#: Codes of a settled bonus: category (11) × kind (8) × flushes (7) × straight (2) × its flush (3).
BONUS_CODES = 11 * 8 * 7 * 2 * 3

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
def code_of(red: tuple[int, int, int, int], green: tuple[int, int, int, int], rules: Rules) -> int:
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
        red = setting(settings, number[cards[start, 0], cards[start, 1], cards[start, 2]])
        for green in range(len(settings)):
            code = code_of(red, setting(settings, green), rules)
            counts[code] += weight[start] * greens[green]


@njit
def bonus_code(a: int, b: int, c: int, d: int, e: int, f: int) -> int:
    """Number the bonus's outcome on six cards (0–51), 0 … BONUS_CODES − 1."""
    category, kind, flushes, straight, straight_flush = bonus(a, b, c, d, e, f)
    return (((category * 8 + kind) * 7 + flushes) * 2 + straight) * 3 + straight_flush


@njit
def taken_once_more(ways: int, card: int, last: int, run: int, decks: int) -> tuple[int, int]:
    """Add a card type to cards in ascending order; `run` copies of type `last` end them so far.

    Returns the number of physical hands behind the longer list and the copies that end it:
    C(decks, run + 1) in place of C(decks, run), or a factor of `decks` for a new type.
    """
    if card == last:
        return ways * (decks - run) // (run + 1), run + 1
    return ways * decks, 1


@njit
def exhaust_bonus(first: int, second: int, decks: int, counts: Int) -> None:
    """Settle every hand of six card types whose two lowest ranks are `first` ≤ `second`.

    Cards of one type are counted, not told apart; order within the hand does not matter. Adds to
    `counts`, shape (BONUS_CODES,), int64: at most C(416, 6) < 2^43 hands.
    """
    for a in range(4 * first, 4 * first + 4):
        for b in range(max(a, 4 * second), 4 * second + 4):
            ways_b, run_b = taken_once_more(decks, b, a, 1, decks)
            for c in range(b, DECK):
                ways_c, run_c = taken_once_more(ways_b, c, b, run_b, decks)
                if ways_c == 0:
                    continue
                for d in range(c, DECK):
                    ways_d, run_d = taken_once_more(ways_c, d, c, run_c, decks)
                    if ways_d == 0:
                        continue
                    for e in range(d, DECK):
                        ways_e, run_e = taken_once_more(ways_d, e, d, run_d, decks)
                        if ways_e == 0:
                            continue
                        for f in range(e, DECK):
                            ways, _ = taken_once_more(ways_e, f, e, run_e, decks)
                            if ways > 0:
                                counts[bonus_code(a, b, c, d, e, f)] += ways


@njit
def draw_cards(word: np.uint64, shoe: Int, taken: Int) -> None:
    """Turn a number, fair modulo n(n−1)…(n−5), into six different cards of a shoe of n, in order.

    `shoe` is left as it was found; `taken` receives the six. With n ≤ 416 the number's two halves
    are below 2^27, and 32-bit division is fast.
    """
    size = np.uint64(len(shoe))
    half = size * (size - np.uint64(1)) * (size - np.uint64(2))
    upper = word // half
    rest = np.uint32(word - upper * half)
    for k in range(6):
        if k == 3:
            left = size - np.uint64(3)
            rest = np.uint32(upper % (left * (left - np.uint64(1)) * (left - np.uint64(2))))
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
def simulate_rounds(words: NDArray[np.uint64], rules: Rules, counts: Int, bonuses: Int) -> None:
    """Play rounds from fresh shoes, three cards to Red, then three to Green.

    Adds to `counts`, shape (CODES,), and `bonuses`, shape (BONUS_CODES,), int64.
    """
    shoe = np.arange(DECK * rules.decks) % DECK
    cards = np.empty(6, dtype=np.int64)
    for word in words:
        draw_cards(word, shoe, cards)
        a, b, c, d, e, f = cards[0], cards[1], cards[2], cards[3], cards[4], cards[5]
        red = set_hand(a // 4, b // 4, c // 4, rules)
        green = set_hand(d // 4, e // 4, f // 4, rules)
        counts[code_of(red, green, rules)] += 1
        bonuses[bonus_code(a, b, c, d, e, f)] += 1
