"""Red/Green straight from its rules, hand by hand: shares nothing with the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb

Rules = Mapping[str, object]
#: What a hand is, its card in front, its two cards at the back.
Set = tuple[str, str, tuple[str, str]]
FACES = "A23456789TJQK"


def height(card: str, rules: Rules) -> int:
    """How high one card is."""
    if card == "A":
        return 14 if rules["ace"] == "high" else 1
    return FACES.index(card) + 1


def splits(pair: str, single: str, rules: Rules) -> bool:
    """Whether the house way splits a pair."""
    pips = FACES.index(single) + 1
    if pair == "A":
        return {
            "unless king": single != "K",
            "always": True,
            "never": False,
            "only with king": single == "K",
            "below queen": pips < 12,
            "below jack": pips < 11,
        }[str(rules["aces_split"])]
    if pair == "K":
        low = single != "A"
        return {
            "to ten": low and pips <= 10,
            "to jack": low and pips <= 11,
            "to queen": low and pips <= 12,
            "to ten or ace": pips <= 10,
            "to jack or ace": pips <= 11,
            "always": True,
            "never": False,
        }[str(rules["kings_split"])]
    return False


def set_hand(cards: tuple[str, ...], rules: Rules) -> Set:
    """Set three cards the house way."""
    high, middle, low = sorted(cards, key=lambda card: height(card, rules), reverse=True)
    (common, number), *_ = Counter(cards).most_common(1)
    if number == 3:
        return "three of a kind", common, (common, common)
    if number == 2:
        (single,) = (card for card in cards if card != common)
        if splits(common, single, rules):
            return "split pair", common, (common, single)
        return "pair", single, (common, common)
    if rules["no_pair_front"] == "middle":
        return "no pair", middle, (high, low)
    if rules["no_pair_front"] == "lowest":
        return "no pair", low, (high, middle)
    return "no pair", high, (middle, low)


def higher(red: str, green: str, deuce_beats_ace: bool, rules: Rules) -> str:
    """Who has the higher of two cards (or two or three equal ones)."""
    if red == green:
        return "tie"
    if deuce_beats_ace and {red, green} == {"2", "A"}:
        return "red" if red == "2" else "green"
    return "red" if height(red, rules) > height(green, rules) else "green"


def backs(red: tuple[str, str], green: tuple[str, str], rules: Rules) -> str:
    """Who has the higher two cards: a pair, then the higher card, then the lower."""
    red_pair, green_pair = len(set(red)) == 1, len(set(green)) == 1
    if red_pair and green_pair:
        return higher(red[0], green[0], rules["pair_of_deuces"] == "beats", rules)
    if red_pair or green_pair:
        return "red" if red_pair else "green"
    for one, other in zip(
        sorted((height(card, rules) for card in red), reverse=True),
        sorted((height(card, rules) for card in green), reverse=True),
        strict=True,
    ):
        if one != other:
            return "red" if one > other else "green"
    return "tie"


def compare(red: Set, green: Set, rules: Rules) -> tuple[str, str]:
    """Who wins in front and who at the back."""
    threes = [hand[0] == "three of a kind" for hand in (red, green)]
    if rules["three_of_a_kind"] != "pair" and any(threes):
        if not all(threes):
            winner = "red" if threes[0] else "green"
        elif rules["three_of_a_kind"] == "equal":
            winner = "tie"
        else:
            winner = higher(red[1], green[1], rules["three_deuces"] == "beats", rules)
        return winner, winner
    front = higher(red[1], green[1], rules["lone_deuce"] == "beats", rules)
    return front, backs(red[2], green[2], rules)


def net(bet: str, front: str, back: str, rules: Rules) -> Fraction:
    """What one unit on Red or Green brings."""
    points = 0
    for winner in (front, back):
        points += 0 if winner == "tie" else 1 if winner == bet else -1
    decided = abs(points) == 2 or (abs(points) == 1 and rules["one_tie"] == "decides")
    if not decided:
        return Fraction(0)
    return Fraction(19, 20) if points > 0 else Fraction(-1)


def shown(card: str) -> int:
    """A card's rank as the table prints it."""
    return 14 if card == "A" else FACES.index(card) + 1


def deals(ranks: str, copies: int, rules: Rules) -> Iterator[tuple[tuple[object, ...], int]]:
    """Every deal of a shoe with so many copies of some ranks: its row, and the deals behind it."""
    hands = list(combinations_with_replacement(ranks, 3))
    placed = {hand: set_hand(hand, rules) for hand in hands}
    for red in hands:
        gone = Counter(red)
        ways = 1
        for number in gone.values():
            ways *= comb(copies, number)
        for green in hands:
            more = ways
            for card, number in Counter(green).items():
                more *= comb(copies - gone[card], number)
            if more:
                one, other = placed[red], placed[green]
                front, back = compare(one, other, rules)
                yield (one[0], other[0], shown(one[1]), shown(other[1]), front, back), more
