"""What a game's methods share: counted against closed forms, and valued a second, plainer way.

Methods that share a part cannot check it in each other. So every part is counted by itself, and the
values of cards and the order of hands are worked out again here, for every card and every hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from engine.cards.hands import baccarat, three_card
from engine.contract.shared import Shared
from tasks.certificate.check import Check, checked

RANKS = "A23456789TJQK"


def shared(parts: tuple[Shared, ...]) -> Check:
    """Every part meets its closed counts, and every card and hand its plain value."""
    faults, counted, valued = [], 0, 0
    for part in parts:
        counts = part.counted()
        counted += len(part.counts)
        faults += [
            f"{part.name}: {counts.get(what, 0):,} {what}, {number:,} by closed form"
            for what, number in part.counts.items()
            if counts.get(what) != number
        ]
        for fault in PLAIN.get(part.module, _nothing)():
            valued += 1
            faults += [f"{part.name}: {fault}"] if fault else []
    return checked(
        "shared",
        faults[:FEW] + ([f"{len(faults) - FEW:,} more"] if len(faults) > FEW else []),
        f"{len(parts):,} parts",
        f"{counted:,} counts equal closed forms; {valued:,} cards and hands have their plain value",
        {"counts": counted, "valued": valued},
    )


#: Faults that the finding names.
FEW = 5


def _nothing() -> Iterator[str]:
    return iter(())


def _points() -> Iterator[str]:
    """An ace counts 1, two to nine their pips, tens and pictures nothing; faults, card by card."""
    for card in range(52):
        face = RANKS[card // 4]
        value = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0}.get(face) if not face.isdigit() else None
        plain = int(face) if value is None else value
        points, picture = int(baccarat.POINTS[card]), bool(baccarat.FACES[card])
        right = points == plain and picture == (face in "JQK")
        yield "" if right else f"{face} counts {points}, plainly {plain}"


def _three_cards() -> Iterator[str]:
    """The order of all 22,100 hands of three cards, by comparing what a player sees."""
    ranked = three_card.three_card()
    hands = list(combinations(range(52), 3))
    plain = [_seen(hand) for hand in hands]
    order = {seen: number for number, seen in enumerate(sorted(set(plain)))}
    for hand, seen in zip(hands, plain, strict=True):
        number = int(ranked.class_of[three_card.indices(*reversed(hand))])
        names = " ".join(RANKS[card // 4] for card in hand)
        yield "" if number == order[seen] else f"{names} is class {number:,}, not {order[seen]:,}"


def _seen(hand: tuple[int, ...]) -> tuple[int, ...]:
    """A hand as it compares: its kind, then its ranks in the order in which they count."""
    ranks = sorted(((card // 4 + 12) % 13 for card in hand), reverse=True)  # two 0 … ace 12
    suited = len({card % 4 for card in hand}) == 1
    low = ranks == [12, 1, 0]
    straight = low or (ranks[0] - ranks[1], ranks[1] - ranks[2]) == (1, 1)
    if straight:
        return (5 if suited else 3), (1 if low else ranks[0])
    if ranks[0] == ranks[2]:
        return 4, ranks[0]
    if suited:
        return 2, *ranks
    if ranks[0] == ranks[1] or ranks[1] == ranks[2]:
        pair = ranks[1]
        return 1, pair, next(rank for rank in ranks if rank != pair)
    return 0, *ranks


#: Module → its plain valuation, which yields a fault or nothing for each card or hand.
PLAIN: dict[str, Callable[[], Iterator[str]]] = {
    "engine.cards.hands.baccarat": _points,
    "engine.cards.hands.three_card": _three_cards,
}
