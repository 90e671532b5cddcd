"""The drawing tableau as it is printed. `exhaust`, `simulate` and `play` ask here, card by card.

All arguments are totals (0–9) and point values (0–9) of cards.
"""

from __future__ import annotations

from engine.exact.kernels import njit
from engine.games.punto_banco.rules import NONE


@njit
def natural(player_initial_total: int, banker_initial_total: int) -> bool:
    """Tell whether two cards of either hand make 8 or 9: then both hands stand."""
    return player_initial_total >= 8 or banker_initial_total >= 8


@njit
def player_draws(player_initial_total: int, banker_initial_total: int) -> bool:
    """Player draws a third card on 0–5 and stands on 6 and 7."""
    if natural(player_initial_total, banker_initial_total):
        return False
    return player_initial_total <= 5


@njit
def banker_draws(
    player_initial_total: int, banker_initial_total: int, player_third_value: int
) -> bool:
    """Banker draws by Banker's total and Player's third card (`NONE` where Player stood)."""
    if natural(player_initial_total, banker_initial_total):
        return False
    if player_third_value == NONE:
        return banker_initial_total <= 5
    if banker_initial_total <= 2:
        return True
    if banker_initial_total == 3:
        return player_third_value != 8
    if banker_initial_total == 4:
        return 2 <= player_third_value <= 7
    if banker_initial_total == 5:
        return 4 <= player_third_value <= 7
    if banker_initial_total == 6:
        return 6 <= player_third_value <= 7
    return False


@njit
def winner(player: int, banker: int) -> int:
    """Whose final total is higher: 0 Player, 1 Banker, 2 a tie."""
    if player > banker:
        return 0
    return 1 if player < banker else 2


@njit
def margin(player: int, banker: int) -> int:
    """By how much the winner's total is the higher one."""
    return player - banker if player > banker else banker - player
