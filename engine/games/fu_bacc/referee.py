"""Fu Bacc as its rule sheet reads. `exhaust`, `simulate` and `deal` ask here, card by card."""

from __future__ import annotations

from typing import NamedTuple

from engine.cards.hands.baccarat import add
from engine.exact.kernels import njit
from engine.games.fu_bacc.rules import Rules


class Numbers(NamedTuple):
    """The rules as compiled code takes them; flags are 0 or 1."""

    decks: int
    bonus_faces_only: int
    naturals_stand: int
    dealer_draws_to: int
    tie_plays_on: int


def numbers(rules: Rules) -> Numbers:
    """Read the words of a setting."""
    return Numbers(
        rules.decks,
        {"zero-point": 0, "face": 1}[rules.bonus_pair],
        {"may draw": 0, "stand": 1}[rules.naturals],
        rules.dealer_draws_to,
        {"lose": 0, "stands": 0, "plays": 1}[rules.tie_after_end],
    )


@njit
def bonus_offer(first: int, second: int, faces: int, up: int, rules: Numbers) -> int:
    """Which bonus the player is offered: 0 none, 1 for a nine, 2 for an eight, 3 for a pair.

    `first`, `second`, `up` are point values of the player's cards and the dealer's up-card;
    `faces` counts jacks, queens and kings among the player's two.
    """
    total = add(first, second)
    if total == 9:
        return 1
    if total == 8:
        return 2
    if first == 0 and second == 0 and up == 9:
        if rules.bonus_faces_only == 1 and faces < 2:
            return 0
        return 3
    return 0


@njit
def may(action: int, offer: int, two: int, rules: Numbers) -> bool:
    """Tell whether the player may take an action (index into ACTIONS) with these two cards."""
    bonus, draw, fold_and_draw, bonus_and_draw = 1, 3, 4, 5
    may_draw = not (two >= 8 and rules.naturals_stand == 1)
    if action == bonus:
        return offer > 0
    if action == draw:
        return may_draw
    if action == fold_and_draw:
        return may_draw and rules.tie_plays_on == 1
    if action == bonus_and_draw:
        return offer > 0 and may_draw and rules.tie_plays_on == 1
    return True


@njit
def play_out(first: int, second: int, up: int, a: int, b: int, c: int, draws: bool, to: int) -> int:
    """Play a hand to its end; `a`, `b`, `c` are the points of the next three cards in the shoe.

    The player draws first if they want to, then the dealer takes a second card, and a third
    where these two make `to` or less. Returns the settlement code
    20 × player's total + 2 × dealer's total + (1 if the dealer took a third card).
    """
    player = add(first, second)
    if draws:
        player = add(player, a)
        dealer = add(up, b)
        third = c
    else:
        dealer = add(up, a)
        third = b
    if dealer <= to:
        return 20 * player + 2 * add(dealer, third) + 1
    return 20 * player + 2 * dealer


@njit
def takes_third(action: int) -> bool:
    """Tell whether the player draws a card with an action (index into ACTIONS)."""
    draw, fold_and_draw, bonus_and_draw = 3, 4, 5
    return action == draw or action == fold_and_draw or action == bonus_and_draw


@njit
def decision(action: int) -> int:
    """What becomes of the ante: 0 folded, 1 bonus taken, 2 played on."""
    fold, bonus, fold_and_draw, bonus_and_draw = 0, 1, 4, 5
    if action == fold or action == fold_and_draw:
        return 0
    if action == bonus or action == bonus_and_draw:
        return 1
    return 2


@njit
def winner(player: int, dealer: int) -> int:
    """Whose total is higher: 0 player, 1 equal, 2 dealer."""
    if player > dealer:
        return 0
    return 1 if player == dealer else 2
