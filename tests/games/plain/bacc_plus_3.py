"""Baccarat + 3 straight from its rules, hand by hand: shares nothing with the engine.

A card is its rank and suit, such as ``Kh``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

Rules = Mapping[str, object]
#: Rank of the category, then ranks that break ties.
Poker = tuple[int, tuple[float, ...]]
CATEGORIES = ("nothing", "pair", "flush", "straight", "three of a kind", "straight flush")
FACES = "A23456789TJQK"


def baccarat(cards: Sequence[str]) -> int:
    """Total of two cards."""
    return sum(FACES.index(card[0]) + 1 for card in cards if card[0] in "A23456789") % 10


def heights(cards: Sequence[str]) -> list[int]:
    """Ranks from the highest down, an ace 14."""
    return sorted((14 if c[0] == "A" else FACES.index(c[0]) + 1 for c in cards), reverse=True)


def poker(cards: Sequence[str], rules: Rules) -> Poker:
    """Rank of three cards as a poker hand: the larger, the higher."""
    values = heights(cards)
    wheel = values == [14, 3, 2]
    straight = wheel or (values[0] - 1 == values[1] == values[2] + 1)
    flush = len({card[1] for card in cards}) == 1
    top: tuple[float, ...] = tuple(values)
    if straight:
        second = rules["ace_two_three"] == "second"
        top = ((13.5 if second else 3),) if wheel else (values[0],)
    common, number = Counter(values).most_common(1)[0]
    if number == 2:
        top = (common, next(rank for rank in values if rank != common))
    if straight and flush:
        return 5, top
    if number == 3:
        return 4, top
    if straight:
        return 3, top
    if flush:
        return 2, top
    return (1 if number == 2 else 0), top


def named(cards: Sequence[str]) -> int:
    """Rank that names a poker hand: of its pair, else its highest card (3 for A-2-3)."""
    values = heights(cards)
    if values == [14, 3, 2]:
        return 3
    common, number = Counter(values).most_common(1)[0]
    return common if number > 1 else values[0]


def splits(cards: Sequence[str]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """All ways to set five cards: two for baccarat, three for poker."""
    return [
        (pair, tuple(card for card in cards if card not in pair)) for pair in combinations(cards, 2)
    ]


def house_way(cards: Sequence[str], rules: Rules) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """How the dealer sets five cards."""
    pairs = (1,) if rules["house_step_3"] == "pair only" else (1, 2, 3, 4, 5)
    every = splits(cards)
    for serving in (
        [s for s in every if poker(s[1], rules)[0] >= 3],
        [s for s in every if baccarat(s[0]) == 9],
        [s for s in every if poker(s[1], rules)[0] in pairs],
        every,
    ):
        if serving:
            return max(serving, key=lambda s: (baccarat(s[0]), poker(s[1], rules)))
    raise AssertionError("the last step is served by every split")


def baccarat_winner(player: int, dealer: int, rules: Rules) -> str:
    """Who takes the baccarat hands."""
    if player == dealer:
        taker = rules["nine_nine"] if player == 9 else rules["equal_totals"]
        return "tie" if taker == "push" else str(taker)
    return "player" if player > dealer else "dealer"


def best_poker(cards: Sequence[str], rules: Rules) -> str:
    """What the poker bet is settled by: the best three of five cards."""
    rank, three = max((poker(three, rules), three) for three in combinations(cards, 3))
    if rank[0] == 5 and heights(three) == [14, 13, 12]:
        return "ace-king-queen suited"
    return CATEGORIES[rank[0]]


def row(
    split: tuple[Sequence[str], Sequence[str]], dealt: Sequence[str], rules: Rules
) -> dict[str, str | int]:
    """The row of the player's split against the dealer's five cards."""
    theirs = house_way(dealt, rules)
    mine, other = (poker(cards, rules) for cards in (split[1], theirs[1]))
    totals = baccarat(split[0]), baccarat(theirs[0])
    return {
        "player_baccarat": totals[0],
        "dealer_baccarat": totals[1],
        "baccarat_winner": baccarat_winner(*totals, rules),
        "player_poker": CATEGORIES[mine[0]],
        "player_poker_high": named(split[1]),
        "dealer_poker": CATEGORIES[other[0]],
        "poker_winner": "player" if mine > other else "dealer" if mine < other else "tie",
    }


def net(message: Mapping[str, str | int], bet: str, rules: Rules) -> Fraction:
    """What one unit on the main bet or on Tie brings."""
    if bet == "tie":
        if message["player_baccarat"] != message["dealer_baccarat"]:
            return Fraction(-1)
        return Fraction(1 if message["player_baccarat"] == 9 else 6)
    three = message["poker_winner"]
    copies = str(rules["copies"]).replace("push", "tie")
    winners = {message["baccarat_winner"], copies if three == "tie" else three}
    return Fraction({"player": 1, "dealer": -1}.get(str(winners.pop()), 0)) * (not winners)
