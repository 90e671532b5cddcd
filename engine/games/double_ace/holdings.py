"""Names of the hands that a player decides with: the exact cards held, in no order.

This is bookkeeping for information sets, not rules: it lists every hand of card values that sums
to ten or less, and ace-ten. Hands of three and more aces and nothing else are left out, since
two aces end the player's hand.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.games.double_ace.rules import DOUBLE, HIT, STAND, VALUES

Hand = tuple[int, ...]


def _hands() -> tuple[Hand, ...]:
    hands: list[Hand] = [(1, 10)]

    def grow(hand: Hand, total: int) -> None:
        for value in range(hand[-1] if hand else 1, 11 - total):
            larger = (*hand, value)
            if value > 1 or len(larger) < 3:
                hands.append(larger)
            grow(larger, total + value)

    grow((), 0)
    return tuple(sorted(hands, key=lambda hand: (pips_of(hand), len(hand), hand)))


def pips_of(hand: Hand) -> int:
    """Total of a listed hand: ace-ten is 10."""
    return 10 if hand == (1, 10) else sum(hand)


#: All hands by total, number of cards and cards: 131 of them, (1,) first.
HANDS = _hands()
#: Hand → its number.
NUMBER = {hand: number for number, hand in enumerate(HANDS)}
#: Words of the hands, such as ``A-A-2``.
WORDS = tuple("-".join("A" if v == 1 else str(v) for v in hand) for hand in HANDS)
#: Number of the hand after one more card: shape (hands, 11), −1 where it is not listed.
NEXT: NDArray[np.int64] = np.full((len(HANDS), len(VALUES) + 1), -1, dtype=np.int64)
for _number, _hand in enumerate(HANDS):
    for _value in VALUES:
        NEXT[_number, _value] = NUMBER.get(tuple(sorted((*_hand, _value))), -1)


def counts_of(hand: Hand) -> NDArray[np.int64]:
    """Cards of each value in a hand, shape (10,)."""
    return np.bincount(np.array(hand, dtype=np.int64) - 1, minlength=len(VALUES))


def advised() -> NDArray[np.int64]:
    """The source's advice for every hand: double an ace, hit 6 or less, stand; shape (hands,)."""
    acts = [
        DOUBLE if hand == (1,) else HIT if pips_of(hand) <= 6 and hand != (1, 1) else STAND
        for hand in HANDS
    ]
    return np.array(acts, dtype=np.int64)


def shared_counts() -> dict[str, int]:
    """What can be counted in this module, for `Shared.counts`."""
    followed = all(
        NEXT[number, value] == NUMBER.get(tuple(sorted((*hand, value))), -1)
        for number, hand in enumerate(HANDS)
        for value in VALUES
    )
    return {"hands": len(set(HANDS)) if followed else -1}
