"""The drawing tableau as tables to index, for whole arrays of hands at once."""

from __future__ import annotations

import numpy as np

from engine.games.punto_banco.rules import NONE

#: Third cards of Player on which Banker draws, by Banker's two-card total (0–9).
_ON = (*["0123456789"] * 3, "012345679", "234567", "4567", "67", "", "", "")
#: Whether Banker draws to a total (row, 0–9) on Player's third card (column, 0–9), bool.
BANKER_DRAWS_ON = np.array([[str(card) in on for card in range(10)] for on in _ON])

_PLAYER, _BANKER = np.meshgrid(np.arange(10), np.arange(10), indexing="ij")
#: Who draws by (Player's two cards, Banker's two cards), shape (10, 10), bool.
PLAYER_DRAWS = (_PLAYER < 6) & (_BANKER < 8)
BANKER_DRAWS_ALONE = (_PLAYER > 5) & (_PLAYER < 8) & (_BANKER < 6)
NOBODY_DRAWS = ~(PLAYER_DRAWS | BANKER_DRAWS_ALONE)


def final(two: np.ndarray, third: np.ndarray) -> np.ndarray:
    """Totals of final hands; `third` is `NONE` for hands of two cards."""
    return (two + np.where(third == NONE, 0, third)) % 10


def compare(player: np.ndarray, banker: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Winner (0 Player, 1 Banker, 2 tie) and margin of final totals, each of shape (n,)."""
    ahead = np.sign(player - banker)
    return np.array([2, 0, 1])[ahead], np.abs(player - banker)
