"""Playing cards as integers, and their names.

A card of a 52-card deck is ``4 * rank + suit`` with rank 0 = ace … 12 = king and
suit 0 = clubs, 1 = diamonds, 2 = hearts, 3 = spades.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.exact.errors import DealproofError

RANKS = "A23456789TJQK"
SUITS = "cdhs"
SYMBOLS = "♣♦♥♠"
DECK = 52


def card_name(card: int) -> str:
    """Name a card (0–51) as a rule sheet prints it: ``card_name(51) == "K♠"``."""
    return RANKS[card // 4] + SYMBOLS[card % 4]


def parse_cards(text: str) -> tuple[int, ...]:
    """Read cards such as ``"Ks Kh 9d 10c 2♠"``; raise DealproofError that names the bad one."""
    cards = []
    for word in text.replace(",", " ").split():
        rank, suit = word[:-1].upper().replace("10", "T"), word[-1]
        suits = SUITS if suit.lower() in SUITS else SYMBOLS
        suit = suit.lower() if suits is SUITS else suit
        if len(rank) != 1 or rank not in RANKS or suit not in suits:
            raise DealproofError(
                f"card '{word}' is not known; write rank ({', '.join(RANKS)}) "
                f"then suit ({', '.join(SUITS)}), for example Ks"
            )
        cards.append(4 * RANKS.index(rank) + suits.index(suit))
    doubled = {card for card in cards if cards.count(card) > 1}
    if doubled:
        raise DealproofError(f"card {card_name(min(doubled))} appears twice in '{text}'")
    return tuple(cards)


def pairs(types: int, copies: int) -> NDArray[np.int64]:
    """List all unordered pairs of card types that a shoe with `copies` of each can give.

    Returns shape (n, 2), sorted, first ≤ second; equal types only where copies ≥ 2.
    """
    return np.stack(np.triu_indices(types, 1 if copies == 1 else 0), axis=1).astype(np.int64)


def ordered_ways(decks: int, *types: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the ways to deal card types in this order from a shoe of `decks` cards of each type.

    `types` are arrays of one shape (n,), one for each card dealt; returns shape (n,), 0 where a
    type runs out.
    """
    ways = np.ones_like(types[0])
    for position, card in enumerate(types):
        gone = sum((earlier == card).astype(np.int64) for earlier in types[:position])
        ways = ways * np.maximum(decks - gone, 0)
    return ways


def names(cards: Sequence[int]) -> str:
    """Name several cards, separated by blanks."""
    return " ".join(card_name(card) for card in cards)


def shared_counts() -> dict[str, int]:
    """What can be counted in this module, for `Shared.counts`."""
    first, second = np.divmod(np.arange(DECK * DECK), DECK)
    return {
        "cards": DECK,
        "pairs of card types, one deck": len(pairs(DECK, 1)),
        "ordered pairs, eight decks": int(ordered_ways(8, first, second).sum()),
    }
