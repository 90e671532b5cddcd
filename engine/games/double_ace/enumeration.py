"""Double Ace solved and counted by hands of card values, each weighed by its physical copies.

The player never sees the dealer's card, so cards can be taken from the shoe in any order: first
all that the player will hold, then the dealer's. A hand in no order is counted once with the
number of orders that the rules allow. Every deal is weighed to `length` cards, so that hands of
different length stand on one basis: the worth of a decision is a sum of integers, without one
fraction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.exact.errors import DealproofError
from engine.exact.tables import Counts
from engine.games.double_ace.holdings import HANDS, NEXT, NUMBER, Hand, counts_of, pips_of
from engine.games.double_ace.rules import ACTIONS, DOUBLE, HIT, STAND, VALUES, Rules, Shoe

Int = NDArray[np.int64]
ACE, TEN = 1, 10
#: Those whose ace may count differently.
PLAYER, DOUBLED, DEALER = "player", "player after doubling", "dealer"


@dataclass(frozen=True)
class Kind:
    """How a player's hand can end, the order of its cards aside.

    `decided`: number of the hand at the last decision; `action` taken there; `hand`: all cards at
    the end; `total` of them.
    """

    decided: int
    action: int
    hand: Hand
    total: int

    @property
    def double_ace(self) -> bool:
        """Whether the hand is two aces."""
        return self.hand == (ACE, ACE)

    @property
    def drawn(self) -> int:
        """Value of the card that ended the hand, 0 for none."""
        return 0 if self.action == STAND else self.hand[-1]


@dataclass(frozen=True)
class DealerFinals:
    """How a dealer's hand can end: `cards`, `total`, `aces` (1 for two aces), shape (finals,)."""

    cards: Int
    total: Int
    aces: Int


@dataclass(frozen=True)
class Solved:
    """A strategy over `sets`, numbers of the hands that can be held, in their order.

    `weight`, shape (n,): deals that give the player these cards, if they only ever draw; `reached`,
    shape (n,): deals that do so under the strategy; `worth`, shape (n, actions): sums of net over
    the deals of `weight`; `usable`, `chosen`: actions that may be taken, and the one that is.
    """

    sets: Int
    weight: Counts
    reached: Counts
    worth: Counts
    usable: NDArray[np.bool_]
    chosen: Int


@dataclass(frozen=True)
class Tree:
    """All hands under one setting of the rules, and the dealer's chances against each."""

    rules: Rules
    shoe: Shoe
    length: int
    dealer_most: int
    finals: DealerFinals
    kinds: tuple[Kind, ...]
    index_of: Mapping[tuple[int, int, int], int]
    #: Ordered dealer's deals of `dealer_most` cards, by the player's final hand (kind), the
    #: dealer's first value and final hand, shape (kinds, 10, finals). At most
    #: 480·479·…·474 < 5.9e18 < 2^63 over all of them.
    dealt: Int = field(repr=False)
    #: Whether a hand can be held, shape (hands,).
    holdable: NDArray[np.bool_] = field(repr=False)

    @property
    def most(self) -> int:
        """Cards at which a player's hand stands, so that the dealer's fit the length."""
        return self.length - self.dealer_most

    @classmethod
    def of(cls, rules: Rules, shoe: Shoe, length: int) -> Tree:
        """Grow the tree; the shoe has to hold `length` cards."""
        if not shoe.infinite and shoe.cards < length:
            raise ValueError(f"a shoe of {shoe.cards} cards cannot give {length}")
        hands = list(dealer_hands(rules))
        most = max(len(cards) for cards, _ in hands)
        kinds = tuple(kind for kind in _kinds(rules, length - most) if _copies(shoe, kind.hand) > 0)
        holdable = np.zeros(len(HANDS), dtype=bool)
        holdable[[kind.decided for kind in kinds]] = True
        index_of = {(k.decided, k.action, k.drawn): index for index, k in enumerate(kinds)}
        finals, dealt = _dealt(rules, shoe, kinds, hands, most)
        return cls(rules, shoe, length, most, finals, kinds, index_of, dealt, holdable)

    def open(self, number: int) -> tuple[int, ...]:
        """What the player may do with a hand."""
        return _open(self.rules, HANDS[number], self.most)

    def draws(self, number: int) -> Iterator[tuple[int, int]]:
        """Values that can come to a hand, with the copies left of each."""
        for value in VALUES:
            left = self.shoe.ways(value, 1, HANDS[number].count(value))
            if left > 0:
                yield value, left

    def child(self, number: int, value: int) -> int:
        """Number of the hand after a hit, or −1 where it is over ten."""
        return _child(self.rules, number, value)

    def end(self, number: int, action: int, value: int = 0) -> int:
        """Index of the kind of an end."""
        return self.index_of[number, action, value]

    def completions(self, kind: Kind) -> int:
        """Ways to fill a deal up to the full length behind both hands."""
        taken = len(kind.hand) + self.dealer_most
        return self.shoe.further(taken, self.length - taken)

    def orders(self, chosen: Mapping[int, int] | None = None) -> NDArray[np.object_]:
        """Count the orders in which a hand comes together, by its first card.

        Under `chosen` actions (hand → action), or drawing wherever the rules let them. Shape
        (11, hands), Python integers; row 0 is empty.
        """
        ways = np.zeros((len(VALUES) + 1, len(HANDS)), dtype=object)
        for value in VALUES:
            ways[value, NUMBER[(value,)]] = 1
        for number in range(len(HANDS)):
            if HIT not in self.open(number) or (chosen is not None and chosen.get(number) != HIT):
                continue
            for value in VALUES:
                child = self.child(number, value)
                if child >= 0:
                    ways[:, child] += ways[:, number]
        return ways

    def copies(self, hand: Hand) -> int:
        """Ways to take a hand's cards from the shoe, in a given order of values."""
        return _copies(self.shoe, hand)

    def solve(
        self,
        net: NDArray[np.object_],
        stake: NDArray[np.object_],
        allowed: NDArray[np.bool_],
        preferred: Int | None,
    ) -> Solved:
        """Find the best action with every hand, from the largest totals down.

        `net`, `stake`: integers per kind and dealer's final hand, shape (kinds, finals);
        `allowed`: which kinds a strategy may end in, shape (kinds,); `preferred`: instead of the
        best, the first open action of row h, shape (hands, k), −1 for none; a row of −1 alone
        leaves the best.
        """
        dealt = self.dealt.sum(axis=1).astype(object)
        fill = np.array([self.completions(kind) for kind in self.kinds], dtype=object)
        nets, stakes = (dealt * net).sum(axis=1) * fill, (dealt * stake).sum(axis=1) * fill
        shape = (len(HANDS), len(ACTIONS))
        worth, cost = np.zeros(shape, dtype=object), np.zeros(shape, dtype=object)
        usable = np.zeros(shape, dtype=bool)
        chosen = np.full(len(HANDS), -1, dtype=np.int64)
        for number in np.flatnonzero(self.holdable)[::-1]:
            for action in self.open(number):
                usable[number, action] = True
                steps = ((0, 1),) if action == STAND else self.draws(number)
                for value, left in steps:
                    child = self.child(number, value) if action == HIT else -1
                    if child >= 0:
                        best = chosen[child]
                        usable[number, action] &= best >= 0
                        worth[number, action] += left * worth[child, best]
                        cost[number, action] += left * cost[child, best]
                    else:
                        end = self.end(number, action, value)
                        usable[number, action] &= allowed[end]
                        worth[number, action] += left * nets[end]
                        cost[number, action] += left * stakes[end]
            wish = () if preferred is None else [a for a in preferred[number] if a >= 0]
            chosen[number] = _choose(worth[number], cost[number], usable[number], wish)
        return self._weighed(worth, usable, chosen)

    def _weighed(
        self, worth: NDArray[np.object_], usable: NDArray[np.bool_], chosen: Int
    ) -> Solved:
        ways = self.orders().sum(axis=0)
        ways *= np.array([self.copies(hand) for hand in HANDS], dtype=object)
        sets = np.flatnonzero(ways > 0)
        if np.any(chosen[sets] < 0):
            raise DealproofError("the strategy may lead to no allowed end with some first card")
        further = [self.shoe.further(len(HANDS[s]), self.length - len(HANDS[s])) for s in sets]
        weight = ways[sets] * np.array(further, dtype=object)
        orders = self.orders(dict(zip(sets.tolist(), chosen[sets].tolist(), strict=True)))
        copies = np.array([self.copies(HANDS[s]) for s in sets], dtype=object)
        reached = orders.sum(axis=0)[sets] * copies * np.array(further, dtype=object)
        worths = worth[sets] * ways[sets, None]
        return Solved(sets, weight, reached, worths, usable[sets], chosen[sets])

    def ends(self, chosen: Mapping[int, int]) -> dict[tuple[int, int], int]:
        """Count the orders of every end under chosen actions, by (first card, kind)."""
        ways: dict[tuple[int, int], int] = {}
        orders = self.orders(chosen)
        for number, action in chosen.items():
            for first in set(HANDS[number]):
                reached = orders[first, number]
                steps = ((0, 1),) if action == STAND else self.draws(number)
                for value, _ in steps if reached else ():
                    if action != HIT or self.child(number, value) < 0:
                        ways[first, self.end(number, action, value)] = reached
        return ways


def _choose(
    worth: NDArray[np.object_],
    cost: NDArray[np.object_],
    usable: NDArray[np.bool_],
    wish: Sequence[int],
) -> int:
    """First usable action of a wish; without one the best: worth, smaller stake, then order."""
    if len(wish):
        return next((int(action) for action in wish if usable[action]), -1)
    may = np.flatnonzero(usable).tolist()
    return min(may, key=lambda action: (-worth[action], cost[action], action), default=-1)


def _copies(shoe: Shoe, hand: Hand) -> int:
    ways = 1
    for value in set(hand):
        ways *= shoe.ways(value, hand.count(value))
    return ways


def _zero(rules: Rules, who: str) -> bool:
    """Whether the ace of a two-card ace and ten counts nothing for somebody."""
    counts_one = {
        "ten for all": (),
        "eleven after doubling": (DOUBLED,),
        "eleven for the player": (PLAYER, DOUBLED),
        "eleven for the dealer": (DEALER,),
        "eleven for all": (PLAYER, DOUBLED, DEALER),
    }
    return who not in counts_one[rules.ace_ten]


def _total(hand: Hand, zero: bool) -> int:
    return 10 if zero and sorted(hand) == [ACE, TEN] else sum(hand)


def _child(rules: Rules, number: int, value: int) -> int:
    child = int(NEXT[number, value])
    return -1 if child == NUMBER[ACE, TEN] and not _zero(rules, PLAYER) else child


def _open(rules: Rules, hand: Hand, most: int) -> tuple[int, ...]:
    hit = pips_of(hand) < 10 and hand != (ACE, ACE) and len(hand) < most
    double = len(hand) == 1 and (hand == (ACE,) or rules.double_on != "ace")
    return (STAND, *((HIT,) if hit else ()), *((DOUBLE,) if double else ()))


def _kinds(rules: Rules, most: int) -> Iterator[Kind]:
    """List every end, by hand and action."""
    for number, hand in enumerate(HANDS):
        if len(hand) > most or (hand == (ACE, TEN) and not _zero(rules, PLAYER)):
            continue
        for action in _open(rules, hand, most):
            if action == STAND:
                yield Kind(number, action, hand, _total(hand, _zero(rules, PLAYER)))
                continue
            zero = _zero(rules, DOUBLED if action == DOUBLE else PLAYER)
            for value in VALUES:
                if action == DOUBLE or _child(rules, number, value) < 0:
                    full = (*hand, value)
                    yield Kind(number, action, full, _total(full, zero))


def dealer_hands(rules: Rules) -> Iterator[tuple[Hand, int]]:
    """List the dealer's final hands: first card, then the others sorted, with their orders."""
    level: dict[Hand, int] = {(value,): 1 for value in VALUES}
    while level:
        grown: dict[Hand, int] = {}
        for hand, orders in level.items():
            aces = hand == (ACE, ACE) and rules.dealer_double_ace == "stands"
            if aces or _total(hand, _zero(rules, DEALER)) >= rules.dealer_stands_on:
                yield hand, orders
                continue
            for value in VALUES:
                longer = (hand[0], *sorted((*hand[1:], value)))
                grown[longer] = grown.get(longer, 0) + orders
        level = grown


def _dealt(
    rules: Rules, shoe: Shoe, kinds: tuple[Kind, ...], hands: list[tuple[Hand, int]], most: int
) -> tuple[DealerFinals, Int]:
    """Count the dealer's deals against every kind of player's hand; see `Tree.dealt`."""
    rows = [
        (len(hand), _total(hand, _zero(rules, DEALER)), int(hand == (ACE, ACE)))
        for hand, _ in hands
    ]
    finals = sorted(set(rows))
    final = np.array([finals.index(row) for row in rows])
    first = np.array([hand[0] - 1 for hand, _ in hands])
    needed = np.stack([counts_of(hand) for hand, _ in hands])
    gone = np.stack([counts_of(kind.hand) for kind in kinds])
    distinct, member = np.unique(gone, axis=0, return_inverse=True)
    taken = distinct.sum(axis=1)
    orders = np.array([count for _, count in hands], dtype=np.int64)
    deals = np.broadcast_to(orders, (len(distinct), len(hands))).copy()
    for value in VALUES:
        column, top = distinct[:, value - 1], needed[:, value - 1]
        ways = np.array(
            [
                [shoe.ways(value, k, g) for k in range(int(top.max()) + 1)]
                for g in range(int(column.max()) + 1)
            ],
            dtype=np.int64,
        )
        deals *= ways[column[:, None], top[None, :]]
    cards = needed.sum(axis=1)
    fill = np.array(
        [[shoe.further(t + k, most - k) for k in range(most + 1)] for t in range(taken.max() + 1)],
        dtype=np.int64,
    )
    deals *= fill[taken[:, None], cards[None, :]]
    dealt = np.zeros((len(distinct), len(VALUES), len(finals)), dtype=np.int64)
    for number in range(len(hands)):
        dealt[:, first[number], final[number]] += deals[:, number]
    cards_, total, aces = np.array(finals, dtype=np.int64).T
    return DealerFinals(cards_, total, aces), dealt[member.reshape(-1)]


def winner(total: Int, aces: Int, dealer_total: Int, dealer_aces: Int) -> Int:
    """Whose hand ranks higher on every row: 0 player, 1 dealer, 2 tie."""

    def score(sums: Int, double: Int) -> Int:
        return np.where(double == 1, 100, np.where(sums > 10, -sums, sums))

    mine, theirs = score(total, aces), score(dealer_total, dealer_aces)
    return np.where(mine > theirs, 0, np.where(mine < theirs, 1, 2))


def finals(total: Int, aces: Int) -> Int:
    """Number of a final hand's word: totals 1 … 10, two aces, busts from 11 up; shape (n,)."""
    return np.where(aces == 1, 10, np.where(total > 10, total, total - 1))
