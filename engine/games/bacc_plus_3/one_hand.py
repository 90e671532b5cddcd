"""One hand of the player's by itself, against every dealer hand that can come up.

For an answer at once: what all other hands are worth is not worked out, and no table of hands is
built. The dealer is set by the enumeration's order of preference, not by the referee.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.games.bacc_plus_3.enumeration import TOTALS
from engine.games.bacc_plus_3.rules import Rules
from engine.hands.baccarat import POINTS, add
from engine.hands.three_card import CLASSES, PAIR, STRAIGHT, ThreeCard, three_card
from engine.kernels import njit

Int = NDArray[np.int64]

_CARDS = np.arange(52, dtype=np.int64)
_PAIRS, _TRIPLES = _CARDS * (_CARDS - 1) // 2, _CARDS * (_CARDS - 1) * (_CARDS - 2) // 6


@njit
def _preference(step: int, total: int, held: int) -> int:
    """Place of a setting in the house way's order: its step, its total, its poker class."""
    if step < 3 and total == 9:
        step = 2
    return (step * 10 + total) * CLASSES + held


@njit
def _meet(
    gone: NDArray[np.bool_],
    points: Int,
    pairs: Int,
    triples: Int,
    held: NDArray[np.int16],
    step: Int,
    counts: Int,
) -> None:
    """Set every dealer hand of the cards that are not `gone`, and count it in `counts`.

    `pairs`, `triples`: ranks of two and of three cards by their highest, shape (52,); `held`: class
    of every three-card hand by rank; `step`: that of each class, nines aside. Adds to
    `counts[class, total]`, shape (741, 10), int64.
    """
    best_of = np.empty(10, dtype=np.int64)
    for e in range(4, 52):
        if gone[e]:
            continue
        for d in range(3, e):
            if gone[d]:
                continue
            ed, sum_ed = triples[e] + pairs[d], add(points[e], points[d])
            for c in range(2, d):
                if gone[c]:
                    continue
                ec, dc = triples[e] + pairs[c], triples[d] + pairs[c]
                edc = held[ed + c]
                sum_ec, sum_dc = add(points[e], points[c]), add(points[d], points[c])
                for b in range(1, c):
                    if gone[b]:
                        continue
                    eb, db, cb = triples[e] + pairs[b], triples[d] + pairs[b], triples[c] + pairs[b]
                    edb, ecb, dcb = held[ed + b], held[ec + b], held[dc + b]
                    # The dealer's fifth card is in the baccarat hand in four settings.
                    sum_eb, sum_db = add(points[e], points[b]), add(points[d], points[b])
                    sum_cb = add(points[c], points[b])
                    for a in range(b):
                        if gone[a]:
                            continue
                        p = points[a]
                        best_of[0] = _preference(step[edc], add(points[b], p), edc)
                        best_of[1] = _preference(step[edb], add(points[c], p), edb)
                        best_of[2] = _preference(step[ecb], add(points[d], p), ecb)
                        best_of[3] = _preference(step[dcb], add(points[e], p), dcb)
                        eda, eca, eba = held[ed + a], held[ec + a], held[eb + a]
                        best_of[4] = _preference(step[eda], sum_cb, eda)
                        best_of[5] = _preference(step[eca], sum_db, eca)
                        best_of[6] = _preference(step[eba], sum_dc, eba)
                        dca, dba, cba = held[dc + a], held[db + a], held[cb + a]
                        best_of[7] = _preference(step[dca], sum_eb, dca)
                        best_of[8] = _preference(step[dba], sum_ec, dba)
                        best_of[9] = _preference(step[cba], sum_ed, cba)
                        best = best_of[0]
                        for setting in range(1, 10):
                            best = max(best, best_of[setting])
                        counts[best % CLASSES, best // CLASSES % 10] += 1


def meet(cards: Sequence[int], rules: Rules) -> Int:
    """Count the 1,533,939 dealer hands without five cards by poker class and total: (741, 10)."""
    poker: ThreeCard = three_card(bool(rules.low_straight_second))
    paired = poker.category == PAIR if rules.pair_only else poker.category >= PAIR
    step = np.where(poker.category >= STRAIGHT, 3, paired.astype(np.int64))
    gone = np.zeros(len(_CARDS), dtype=np.bool_)
    gone[list(cards)] = True
    counts = np.zeros((CLASSES, TOTALS), dtype=np.int64)
    _meet(gone, POINTS, _PAIRS, _TRIPLES, poker.class_of, step, counts)
    return counts
