"""Punto Banco and Dai Bacc straight from their rules, card by card: shares nothing with the engine.

A card is its rank and suit, such as ``Kh``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

Rules = Mapping[str, object]
Row = dict[str, str | int]
FACES = "A23456789TJQK"
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


def points(card: str) -> int:
    """What a card counts."""
    return FACES.index(card[0]) + 1 if card[0] in "A23456789" else 0


def total(hand: Sequence[str]) -> int:
    """Total of a hand."""
    return sum(map(points, hand)) % 10


def play(cards: Sequence[str]) -> tuple[list[str], list[str]]:
    """Deal Player, Banker, Player, Banker, and draw third cards."""
    player, banker, rest = [cards[0], cards[2]], [cards[1], cards[3]], list(cards[4:])
    if total(player) >= 8 or total(banker) >= 8:
        return player, banker
    two = total(banker)
    if total(player) > 5:
        if two <= 5:
            banker.append(rest.pop(0))
        return player, banker
    player.append(rest.pop(0))
    third = points(player[2])
    if third in (2, 3):
        draws = two <= 4
    elif third in (4, 5):
        draws = two <= 5
    elif third in (6, 7):
        draws = two <= 6
    elif third == 8:
        draws = two <= 2
    else:  # 9, ten or picture, ace
        draws = two <= 3
    if draws:
        banker.append(rest.pop(0))
    return player, banker


def _of_hand(hand: Sequence[str]) -> Row:
    ranks, suits = [card[0] for card in hand], [card[1] for card in hand]
    two = total(hand[:2])
    pair = ranks[0] == ranks[1]
    colours = {"red" if suit in "dh" else "black" for suit in suits}
    return {
        "total": total(hand),
        "cards": len(hand),
        "initial_total": two,
        "natural": int(two in (8, 9)),
        "third_value": points(hand[2]) if len(hand) == 3 else -1,
        "pair": int(pair),
        "pair_rank": FACES.index(ranks[0]) + 1 if pair else -1,
        "trips": int(len(hand) == 3 and len(set(ranks)) == 1),
        "pictures": sum(rank in "JQK" for rank in ranks),
        "suited_pair": int(hand[0] == hand[1]),
        "colour": colours.pop() if len(colours) == 1 else "mixed",
        "suit": SUITS[suits[0]] if len(set(suits)) == 1 else "mixed",
    }


def row(player: Sequence[str], banker: Sequence[str]) -> Row:
    """What the main table says of two final hands."""
    result: Row = {}
    for side, hand in (("player", player), ("banker", banker)):
        result |= {f"{side}_{name}": value for name, value in _of_hand(hand).items()}
    mine, theirs = total(player), total(banker)
    result["winner"] = "player" if mine > theirs else "banker" if mine < theirs else "tie"
    result["margin"] = abs(mine - theirs)
    return result


def ranks(player: Sequence[str], banker: Sequence[str]) -> Row:
    """How many cards of each rank lie in both final hands."""
    values = Counter(card[0] for card in (*player, *banker))
    names = (
        "aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens",
        "jacks", "queens", "kings",
    )  # fmt: skip
    alike = [*sorted(values.values(), reverse=True), 0]
    result: Row = {name: values[face] for name, face in zip(names, FACES, strict=True)}
    return result | {"dealt": values.total(), "most_alike": alike[0], "next_alike": alike[1]}


def first_four(cards: Sequence[str]) -> Row:
    """Rank and suit of either first two cards, the lower first (and the lower suit of a pair)."""
    result: Row = {}
    for side, hand in (("player", cards[0:4:2]), ("banker", cards[1:4:2])):
        low, high = sorted(hand, key=lambda card: (FACES.index(card[0]), "cdhs".index(card[1])))
        result |= {
            f"{side}_low": FACES.index(low[0]) + 1,
            f"{side}_high": FACES.index(high[0]) + 1,
            f"{side}_low_suit": SUITS[low[1]],
            f"{side}_high_suit": SUITS[high[1]],
            f"{side}_suited": int(low[1] == high[1]),
        }
    return result


def deals(types: Sequence[str], copies: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Every six cards in order from a shoe with so many copies of some cards, with their ways."""
    for cards in product(types, repeat=6):
        left = dict.fromkeys(types, copies)
        ways = 1
        for card in cards:
            ways *= left[card]
            left[card] -= 1
        if ways:
            yield cards, ways


def net(bet: str, message: Row, rules: Rules) -> Fraction:
    """What one unit on a bet of Dai Bacc brings."""
    dealer = str(rules["player_dealer"])
    winner = message["winner"]

    def three(side: str, points_: int) -> bool:
        return message[f"{side}_cards"] == 3 and message[f"{side}_total"] == points_

    def even(side: str) -> int:
        barred = side == dealer or rules["seven_pushes"] == "either"
        if winner == side:
            return 0 if three(side, 7) and barred else 1
        return 0 if winner == "tie" else -1

    def killed(side: str, points_: int) -> bool:
        beaten = winner not in (side, "tie")
        spared = winner == "tie" and rules["kill_when"] == "does not win"
        return three(side, points_) and (beaten or spared)

    pictures = int(message["player_pictures"]) + int(message["banker_pictures"]) == 6
    prize = 2_500
    for column, more in (("colour", 20_000), ("suit", 100_000)):
        if message[f"player_{column}"] == message[f"banker_{column}"] != "mixed":
            prize = more
    seats, kept = int(str(rules["seats"])), int(str(rules["dollar_kept"]))
    nets: dict[str, Fraction] = {
        "player-dealer": Fraction(even("banker")),
        "player": Fraction(even("player")),
        "tiger-7": Fraction(40 if winner == dealer and three(dealer, 7) else -1),
        "ox-6": Fraction(40 if winner == "player" and three("player", 6) else -1),
        "kill": Fraction(30 if killed("player", 6) or killed(dealer, 7) else -1),
        "six-card-picture": Fraction(prize, seats) - kept if pictures else Fraction(-1),
        "six-card-prize": Fraction(prize if pictures else 0),
    }
    return nets[bet]
