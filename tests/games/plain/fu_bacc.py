"""Fu Bacc straight from its rules, card by card: shares nothing with the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product

Rules = Mapping[str, object]
#: Lower and higher value of the player's two cards, dealer's up-card, bonus offered.
Known = tuple[int, int, int, str]
#: Action, decision, player's cards, dealer's cards, player's total, dealer's total, winner.
End = tuple[str, str, int, int, int, int, str]
FACES = "A23456789TJQK"


def points(card: str) -> int:
    """What a card counts."""
    return FACES.index(card) + 1 if card in "A23456789" else 0


def offer(one: str, other: str, up: str, rules: Rules) -> str:
    """Which bonus the player may take."""
    total = (points(one) + points(other)) % 10
    if total == 9:
        return "nine"
    if total == 8:
        return "eight"
    pair = "JQK" if rules["bonus_pair"] == "face" else "TJQK"
    return "pair" if one in pair and other in pair and points(up) == 9 else "none"


def actions(total: int, offered: str, rules: Rules) -> list[str]:
    """What the player may do with two cards of a total."""
    free = ["fold", "stand"]
    free += ["bonus"] if offered != "none" else []
    if total < 8 or rules["naturals"] == "may draw":
        free.append("draw")
        if rules["tie_after_end"] == "plays":
            free += [f"{way} and draw" for way in ("fold", "bonus") if way in free]
    return free


def play(one: str, other: str, up: str, rest: tuple[str, ...], action: str, rules: Rules) -> End:
    """Play a round to its end; the next cards of the shoe are `rest`."""
    left = [points(card) for card in rest]
    player, dealer = [points(one), points(other)], [points(up)]
    if action.endswith("draw"):
        player.append(left.pop(0))
    dealer.append(left.pop(0))
    if sum(dealer) % 10 <= int(str(rules["dealer_draws_to"])):
        dealer.append(left.pop(0))
    mine, theirs = sum(player) % 10, sum(dealer) % 10
    winner = "player" if mine > theirs else "dealer" if mine < theirs else "tie"
    word = action.split()[0]
    decision = word if word in ("fold", "bonus") else "play"
    return action, decision, len(player), len(dealer), mine, theirs, winner


def ante(offered: str, end: End) -> Fraction:
    """What the ante brings."""
    _, decision, *_, winner = end
    if decision == "fold":
        return Fraction(-1)
    if decision == "bonus":
        return {"nine": Fraction(2), "eight": Fraction(3, 2), "pair": Fraction(1)}[offered]
    return Fraction({"player": 3, "tie": -1, "dealer": -3}[winner])


def tie(end: End, rules: Rules) -> int:
    """What the tie bet brings."""
    stands = end[1] == "play" or rules["tie_after_end"] != "lose"
    return 7 if stands and end[-1] == "tie" else -1


def deals(ranks: str, copies: int, rules: Rules) -> Iterator[tuple[Known, End, int]]:
    """Every deal of a shoe of some ranks, under every action, twice (player's cards in order)."""
    for dealt in product(ranks, repeat=6):
        left = Counter(dict.fromkeys(ranks, copies))
        ways = 1
        for card in dealt:
            ways *= left[card]
            left[card] -= 1
        if not ways:
            continue
        one, other, up, *rest = dealt
        low, high = sorted((points(one), points(other)))
        offered = offer(one, other, up, rules)
        known = low, high, points(up), offered
        for action in actions((low + high) % 10, offered, rules):
            yield known, play(one, other, up, tuple(rest), action, rules), ways
