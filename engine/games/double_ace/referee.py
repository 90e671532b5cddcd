"""Double Ace as its rule sheet reads. `exhaust`, `simulate` and `play` ask here, card by card.

A hand is given by its number of cards, the sum of its pips (ace = 1) and whether it holds an ace.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.cards.hands.ace_ten import TARGET, hand_total, is_double_ace, strength
from engine.exact.kernels import njit
from engine.games.double_ace.rules import Rules


class Numbers(NamedTuple):
    """The rules as compiled code takes them; flags are 0 or 1.

    `double_any`: any first card may be doubled, not an ace alone. `dealer_draws_to_aces`: the
    dealer draws to two aces, a total of 2. `zero_*`: the ace of a two-card ace and ten
    counts 0 for the player, the player after doubling, the dealer. `long_hand`: 0 the first five
    cards of an own hand of six count, 1 the best five, 2 none.
    """

    dealer_stands_on: int
    dealer_draws_to_aces: int
    double_any: int
    zero_player: int
    zero_doubled: int
    zero_dealer: int
    long_hand: int


#: Whose ace counts zero: player, player after doubling, dealer.
_ZERO = {
    "ten for all": (1, 1, 1),
    "eleven after doubling": (1, 0, 1),
    "eleven for the player": (0, 0, 1),
    "eleven for the dealer": (1, 1, 0),
    "eleven for all": (0, 0, 0),
}
FIRST_FIVE, BEST_FIVE, NO_BONUS = range(3)


def numbers(rules: Rules) -> Numbers:
    """Read the words of a setting."""
    return Numbers(
        rules.dealer_stands_on,
        {"stands": 0, "draws": 1}[rules.dealer_double_ace],
        {"ace": 0, "any first card": 1}[rules.double_on],
        *_ZERO[rules.ace_ten],
        {"first five": FIRST_FIVE, "best five": BEST_FIVE, "no bonus": NO_BONUS}[rules.long_hand],
    )


@njit
def player_total(cards: int, pips: int, ace: bool, doubled: bool, rules: Numbers) -> int:
    """Total of the player's hand."""
    zero = rules.zero_doubled if doubled else rules.zero_player
    return hand_total(cards, pips, ace, zero == 1)


@njit
def may(action: int, cards: int, pips: int, ace: bool, most: int, rules: Numbers) -> bool:
    """Tell whether the player may stand (0), hit (1) or double (2).

    Two aces stand, and so do a ten, a bust, and a hand of `most` cards. Only the first card can
    be doubled: an ace, or any card.
    """
    if action == 0:
        return True
    total = player_total(cards, pips, ace, False, rules)
    if total >= TARGET and action == 1:
        return False
    if action == 2:
        return cards == 1 and (ace or rules.double_any == 1)
    return not is_double_ace(cards, pips) and cards < most


@njit
def dealer_total(cards: int, pips: int, ace: bool, rules: Numbers) -> int:
    """Total of the dealer's hand."""
    return hand_total(cards, pips, ace, rules.zero_dealer == 1)


@njit
def dealer_draws(cards: int, pips: int, ace: bool, rules: Numbers) -> bool:
    """Tell whether the dealer takes another card: two aces stop the draw, then totals from 6 up."""
    if is_double_ace(cards, pips) and rules.dealer_draws_to_aces == 0:
        return False
    return dealer_total(cards, pips, ace, rules) < rules.dealer_stands_on


@njit
def winner(player: int, player_aces: bool, dealer: int, dealer_aces: bool) -> int:
    """Whose final hand ranks higher: 0 player, 1 dealer, 2 tie.

    Two aces beat everything, totals up to ten go by size, and a bust ranks below all of them, the
    closer to ten the better.
    """
    mine, theirs = strength(player, player_aces), strength(dealer, dealer_aces)
    if mine > theirs:
        return 0
    return 1 if mine < theirs else 2


def final_word(total: int, double_ace: bool) -> str:
    """A final hand in a word: its total, two aces, or a bust."""
    if double_ace:
        return "double ace"
    return f"bust {total}" if is_bust(total) else str(total)


def is_bust(total: int) -> bool:
    """Tell whether a total is over ten."""
    return total > TARGET
