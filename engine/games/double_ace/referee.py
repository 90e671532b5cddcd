"""Double Ace as its rule sheet reads. `exhaust`, `simulate` and `play` ask here, card by card.

A hand is given by its number of cards, the sum of its pips (ace = 1) and whether it holds an ace.
"""

from __future__ import annotations

from engine.games.double_ace.rules import Rules
from engine.hands.ace_ten import TARGET, hand_total, is_double_ace, rank_of
from engine.kernels import njit


@njit
def player_total(cards: int, pips: int, ace: bool, doubled: bool, rules: Rules) -> int:
    """Total of the player's hand."""
    zero = rules.zero_doubled if doubled else rules.zero_player
    return hand_total(cards, pips, ace, zero == 1)


@njit
def may(action: int, cards: int, pips: int, ace: bool, most: int, rules: Rules) -> bool:
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
def dealer_total(cards: int, pips: int, ace: bool, rules: Rules) -> int:
    """Total of the dealer's hand."""
    return hand_total(cards, pips, ace, rules.zero_dealer == 1)


@njit
def dealer_draws(cards: int, pips: int, ace: bool, rules: Rules) -> bool:
    """Tell whether the dealer takes another card: two aces stop him, then totals from 6 up."""
    if is_double_ace(cards, pips) and rules.dealer_draws_to_aces == 0:
        return False
    return dealer_total(cards, pips, ace, rules) < rules.dealer_stands_on


@njit
def better(player: int, player_aces: bool, dealer: int, dealer_aces: bool) -> int:
    """Whose final hand ranks higher: 0 player, 1 dealer, 2 equal.

    Two aces beat everything, totals up to ten go by size, and a bust ranks below all of them, the
    closer to ten the better.
    """
    mine, theirs = rank_of(player, player_aces), rank_of(dealer, dealer_aces)
    if mine > theirs:
        return 0
    return 1 if mine < theirs else 2
