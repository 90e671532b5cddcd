"""Double Ace straight from its rules, card by card: shares nothing with the engine.

The player never sees the dealer's card, so that it may as well be drawn after his hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product

Rules = Mapping[str, object]
Hand = tuple[int, ...]
#: Player's hand, was it doubled, dealer's hand.
End = tuple[Hand, bool, Hand]
Shoe = tuple[int, ...]


def total(hand: Hand, who: str, doubled: bool, rules: Rules) -> int:
    """Total of a hand; two cards ace and ten make 10 or 11 by the rules."""
    if sorted(hand) != [1, 10]:
        return sum(hand)
    eleven = {
        "ten for all": False,
        "eleven after doubling": who == "player" and doubled,
        "eleven for the player": who == "player",
        "eleven for the dealer": who == "dealer",
        "eleven for all": True,
    }[str(rules["ace_ten"])]
    return 11 if eleven else 10


def dealer_ends(shoe: Shoe, rules: Rules, hand: Hand = ()) -> Iterator[tuple[Hand, Fraction]]:
    """Every hand that the dealer can end with, in order, and its chance."""
    if hand:
        aces = hand == (1, 1) and rules["dealer_double_ace"] == "stands"
        if aces or total(hand, "dealer", False, rules) >= int(str(rules["dealer_stands_on"])):
            yield hand, Fraction(1)
            return
    for value, copies in enumerate(shoe, start=1):
        if copies:
            for end, chance in dealer_ends(less(shoe, value), rules, (*hand, value)):
                yield end, chance * Fraction(copies, sum(shoe))


def less(shoe: Shoe, value: int) -> Shoe:
    """The shoe without one card of a value."""
    return tuple(copies - (position == value) for position, copies in enumerate(shoe, start=1))


def actions(hand: Hand, rules: Rules) -> list[str]:
    """What the player may do."""
    free = ["stand"]
    if hand != (1, 1) and total(hand, "player", False, rules) < 10:
        free.append("hit")
    if len(hand) == 1 and (hand == (1,) or rules["double_on"] == "any first card"):
        free.append("double")
    return free


def rank(points: int, aces: bool) -> int:
    """How high a final hand is: two aces, totals up to ten, busts by closeness to ten."""
    return 100 if aces else points if points <= 10 else -points


def winner(end: End, rules: Rules) -> str:
    """Whose hand ranks higher."""
    mine, doubled, theirs = end
    one = rank(total(mine, "player", doubled, rules), mine == (1, 1))
    other = rank(total(theirs, "dealer", False, rules), theirs == (1, 1))
    return "player" if one > other else "dealer" if one < other else "tie"


def net(end: End, rules: Rules) -> Fraction:
    """What one unit on the base bet brings."""
    mine, doubled, theirs = end
    bet = 2 if doubled else 1
    aces, others = mine == (1, 1), theirs == (1, 1)
    if aces and (not others or rules["double_aces_meet"] == "player wins"):
        return {
            "3 to 2 on everything": Fraction(3, 2) * bet,
            "3 to 2 on the original bet": Fraction(3, 2) + bet - 1,
            "1 to 1": Fraction(bet),
        }[str(rules["double_ace_pays"])]
    if aces:
        return Fraction(0)
    if others:
        return Fraction(-1 if rules["dealer_double_ace_takes"] == "original bet" else -bet)
    higher = winner(end, rules)
    if total(mine, "player", doubled, rules) > 10:
        saved = {
            "push if closer": ("player",),
            "push if closer or equal": ("player", "tie"),
            "lose": (),
        }[str(rules["both_bust"])]
        both = total(theirs, "dealer", False, rules) > 10
        return Fraction(0 if both and higher in saved else -bet)
    return Fraction({"player": bet, "tie": 0, "dealer": -bet}[higher])


class Solved:
    """The best play of the base bet from a shoe, and what it leads to."""

    def __init__(self, shoe: Shoe, rules: Rules) -> None:
        self.shoe, self.rules = shoe, rules
        self._dealers: dict[Hand, list[tuple[Hand, Fraction]]] = {}
        self._values: dict[Hand, dict[str, Fraction]] = {}

    def left(self, hand: Hand) -> Shoe:
        gone = Counter(hand)
        return tuple(copies - gone[value] for value, copies in enumerate(self.shoe, start=1))

    def dealers(self, hand: Hand) -> list[tuple[Hand, Fraction]]:
        key = tuple(sorted(hand))
        if key not in self._dealers:
            self._dealers[key] = list(dealer_ends(self.left(hand), self.rules))
        return self._dealers[key]

    def final(self, hand: Hand, doubled: bool) -> Fraction:
        ends = self.dealers(hand)
        return sum((c * net((hand, doubled, e), self.rules) for e, c in ends), Fraction())

    def draws(self, hand: Hand) -> Iterator[tuple[Hand, Fraction]]:
        left = self.left(hand)
        for value, copies in enumerate(left, start=1):
            if copies:
                yield (*hand, value), Fraction(copies, sum(left))

    def values(self, hand: Hand) -> dict[str, Fraction]:
        """What every action is worth with a hand."""
        key = tuple(sorted(hand))
        if key not in self._values:
            result = {"stand": self.final(hand, False)}
            for action in actions(hand, self.rules)[1:]:
                result[action] = Fraction()
                for more, chance in self.draws(hand):
                    over = total(more, "player", False, self.rules) > 10
                    if action == "double" or over:
                        value = self.final(more, action == "double")
                    else:
                        value = max(self.values(more).values())
                    result[action] += chance * value
            self._values[key] = result
        return self._values[key]

    @property
    def mean(self) -> Fraction:
        """Expected net of the best play."""
        result = Fraction()
        for hand, chance in self.draws(()):
            result += chance * max(self.values(hand).values())
        return result

    def ends(
        self, act: Callable[[Hand], str], hand: Hand = ()
    ) -> Iterator[tuple[Hand, str, Hand, Fraction]]:
        """Hand at the last decision, action there, final hand, and its chance, under some play."""
        if not hand:
            for first, chance in self.draws(()):
                yield from ((h, a, e, chance * c) for h, a, e, c in self.ends(act, first))
            return
        action = act(hand)
        if action == "stand":
            yield hand, action, hand, Fraction(1)
            return
        for more, chance in self.draws(hand):
            if action == "double" or total(more, "player", False, self.rules) > 10:
                yield hand, action, more, chance
            else:
                yield from ((h, a, e, chance * c) for h, a, e, c in self.ends(act, more))


def words(hand: Hand, points: int) -> str:
    """A final hand in a word."""
    if hand == (1, 1):
        return "double ace"
    return f"bust {points}" if points > 10 else str(points)


def row(values: Hand, action: str, end: End, rules: Rules) -> dict[str, str | int]:
    """What the main table says of a round's end."""
    mine, doubled, theirs = end
    points, others = total(mine, "player", doubled, rules), total(theirs, "dealer", False, rules)
    return {
        "first_card": mine[0],
        "held": "-".join("A" if value == 1 else str(value) for value in sorted(values)),
        "action": action,
        "doubled": int(doubled),
        "player_cards": len(mine),
        "player_total": points,
        "player_double_ace": int(mine == (1, 1)),
        "player_bust": int(points > 10),
        "dealer_cards": len(theirs),
        "dealer_total": others,
        "dealer_double_ace": int(theirs == (1, 1)),
        "dealer_bust": int(others > 10),
        "winner": winner(end, rules),
        "player_final": words(mine, points),
        "dealer_final": words(theirs, others),
    }


# The bonus bets. A card is (value, suit).

Card = tuple[int, int]
BASE = (
    "six of a kind", "five of a kind", "straight flush", "four of a kind", "full house", "flush",
    "straight", "three pair", "three of a kind", "two pair", "pair", "high card",
)  # fmt: skip


def order(rules: Rules) -> list[str]:
    """Categories, best first; a flush stands just above what it beats."""
    result = [name for name in BASE if name != "flush"]
    result.insert(result.index(str(rules["flush_beats"])), "flush")
    return result


def five_of(cards: Sequence[Card], rules: Rules) -> str:
    """Best category of five cards."""
    shares = sorted(Counter(value for value, _ in cards).values(), reverse=True)
    values = sorted(value for value, _ in cards)
    run = len(shares) == 5 and values[4] - values[0] == 4
    suited = len({suit for _, suit in cards}) == 1
    result = {
        "five of a kind": shares[0] == 5,
        "straight flush": run and suited,
        "four of a kind": shares[0] == 4,
        "full house": shares == [3, 2],
        "flush": suited,
        "straight": run,
        "three of a kind": shares[0] == 3,
        "two pair": shares.count(2) == 2,
        "pair": shares[0] == 2,
        "high card": True,
    }
    return next(name for name in order(rules) if result.get(name))


def six_of(cards: Sequence[Card], rules: Rules) -> str:
    """Best category of six cards: of any five, or six of a kind or three pair."""
    shares = sorted(Counter(value for value, _ in cards).values())
    result = {five_of(five, rules) for five in combinations(cards, 5)}
    result |= {"six of a kind"} if shares == [6] else set()
    result |= {"three pair"} if shares == [2, 2, 2] else set()
    return next(name for name in order(rules) if name in result)


def own_cards(values: Sequence[int]) -> int:
    """Cards that a player takes who doubles an ace, hits 6 or less and stands on 7 or more."""
    if values[0] == 1:
        return 2
    number = 1
    while sum(values[:number]) <= 6:
        number += 1
    return number


def long_hand(cards: Sequence[Card], rules: Rules) -> str:
    """The player's five-card bonus of six cards in order, as his own hand calls for them."""
    if own_cards([value for value, _ in cards]) < 6 or rules["long_hand"] == "first five":
        return five_of(cards[:5], rules)
    if rules["long_hand"] == "no bonus":
        return "no bonus"
    every = [five_of(five, rules) for five in combinations(cards, 5)]
    return min(every, key=order(rules).index)


def long_deals(values: int, copies: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Every six cards in order from a shoe of the lowest values, with their ways."""
    types = list(product(range(1, values + 1), range(4)))
    for cards in product(types, repeat=6):
        ways = 1
        for position, card in enumerate(cards):
            ways *= copies - cards[:position].count(card)
            if ways == 0:
                break
        if ways:
            yield cards, ways
