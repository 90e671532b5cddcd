"""Whether drawing biases the bonus: every set of ranks, dealt with the draws and without.

A bonus hand begins with the cards that its owner drew, as many as their hand called for, and is
filled up from cards that nobody looked at. Here the draws are followed card by card from the whole
shoe, and how often each set of five or six ranks comes is compared with as many cards dealt
plainly. Suits follow, since nobody draws by them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations_with_replacement, product
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from engine.contract.game import Claim
from engine.exact.tables import exact_dot
from engine.games.double_ace import referee
from engine.games.double_ace.holdings import HANDS, NEXT, NUMBER, Hand
from engine.games.double_ace.rules import DOUBLE, STAND, VALUES, Rules, Shoe

Int = NDArray[np.int64]
#: Hand with no order → in how many orders it is drawn.
Drawn = Mapping[Hand, int]


def player_draws(acts: Sequence[int], most: int | None = None) -> Drawn:
    """Hands that a player ends with who takes these actions, shape (hands,).

    A hand that goes on after `most` cards is cut off there.
    """
    ways: Counter[Hand] = Counter()
    open_ = {NUMBER[(value,)]: 1 for value in VALUES}
    while open_:
        later: Counter[int] = Counter()
        for index, orders in open_.items():
            hand, action = HANDS[index], acts[index]
            if action == STAND or len(hand) == most:
                ways[hand] += orders
                continue
            for value in VALUES:
                after = int(NEXT[index, value])
                if action == DOUBLE or after < 0:
                    ways[tuple(sorted((*hand, value)))] += orders
                else:
                    later[after] += orders
        open_ = dict(later)
    return ways


def dealer_draws(rules: Rules, most: int) -> Drawn:
    """First cards, `most` of them at the most, that the dealer draws."""
    read = referee.numbers(rules)
    ways: Counter[Hand] = Counter()
    open_: Counter[Hand] = Counter({(value,): 1 for value in VALUES})
    while open_:
        later: Counter[Hand] = Counter()
        for hand, orders in open_.items():
            draws = referee.dealer_draws(len(hand), sum(hand), 1 in hand, read)
            if not draws or len(hand) == most:
                ways[hand] += orders
                continue
            for value in VALUES:
                later[tuple(sorted((*hand, value)))] += orders
        open_ = later
    return ways


def filled(drawn: Drawn, number: int) -> Counter[Hand]:
    """Orders in which each set of ranks comes once drawn hands are filled up with any cards."""
    filled_ways: Counter[Hand] = Counter()
    for hand, orders in drawn.items():
        left = number - len(hand)
        for rest in combinations_with_replacement(VALUES, left):
            ways = factorial(left) // prod(map(factorial, Counter(rest).values()))
            filled_ways[tuple(sorted((*hand, *rest)))] += orders * ways
    return filled_ways


def ranks(hands: Sequence[Hand]) -> Int:
    """Cards of each value, shape (hands, 10)."""
    return np.array([[hand.count(value) for value in VALUES] for hand in hands], dtype=np.int64)


def plain(number: int) -> dict[Hand, int]:
    """Every set of so many ranks, and in how many orders it is dealt."""
    return {
        hand: factorial(number) // prod(map(factorial, Counter(hand).values()))
        for hand in combinations_with_replacement(VALUES, number)
    }


def after(gone: Int, sets: Int, shoe: Shoe) -> Int:
    """Ordered ways to deal sets of ranks when hands are gone, shape (sets, hands)."""
    most = int(gone.max()) + 1, int(sets.max()) + 1
    ways = np.zeros((len(VALUES), *most), dtype=np.int64)
    for value_index, left, taken in product(range(len(VALUES)), *map(range, most)):
        ways[value_index, left, taken] = shoe.ways(value_index + 1, taken, left)
    result = np.ones((len(sets), len(gone)), dtype=np.int64)
    for value_index in range(len(VALUES)):
        result *= ways[value_index][gone[None, :, value_index], sets[:, None, value_index]]
    return result


def _differing(drawn: Drawn, number: int, shoe: Shoe, before: Drawn) -> int:
    """Sets of ranks whose chance the draws change.

    `drawn`: hands of the bonus's owner; `before`: those of somebody who drew earlier.
    """
    sets, hands = plain(number), list(before)
    orders = filled(drawn, number)
    gone, wanted = ranks(hands), ranks(list(sets))
    longest = max(map(len, hands))
    # A deal: the earlier hand, the set of ranks, and any cards up to the longest earlier hand.
    weight = [
        before[hand]
        * prod(shoe.ways(value, hand.count(value)) for value in VALUES)
        * shoe.further(len(hand) + number, longest - len(hand))
        for hand in hands
    ]
    sums = exact_dot(after(gone, wanted, shoe), weight)
    unmoved = shoe.further(number, longest)
    once = after(np.zeros((1, len(VALUES)), dtype=np.int64), wanted, shoe)[:, 0]
    return sum(
        orders[hand] * int(ways) != sets[hand] * int(single) * unmoved
        for hand, ways, single in zip(sets, sums, once, strict=True)
    )


def claim(rules: Rules, strategies: Mapping[str, Sequence[int]], first_five: bool) -> Claim:
    """Follow the draws of every strategy (actions by hand) and of the dealer through the shoe.

    The player's bonus of five is left out unless the `first_five` of a longer hand count for it.
    """
    shoe = Shoe.of(rules.decks)
    nobody: Drawn = {(): 1}
    distinct: dict[tuple[int, ...], str] = {}
    for name, acts in strategies.items():
        distinct.setdefault(tuple(acts), name)
    faults: dict[tuple[str, str], int] = {}
    for chosen, name in distinct.items():
        bonuses: dict[str, tuple[Drawn, int, Drawn]] = {
            "player's five": (player_draws(chosen, 5), 5, nobody),
            "dealer's five": (dealer_draws(rules, 5), 5, player_draws(chosen)),
            "player's six": (player_draws(chosen, 6), 6, nobody),
        }
        for bonus, (drawn, number, before) in bonuses.items():
            if first_five or bonus != "player's five":
                faults[name, bonus] = _differing(drawn, number, shoe, before)
    odd = [f"{bonus} under {name}: {n:,}" for (name, bonus), n in faults.items() if n]
    sets = {number: len(plain(number)) for number in (5, 6)}
    return Claim(
        "unbiased",
        "Drawing does not bias the bonus",
        not odd,
        f"all {sets[5]:,} sets of five ranks and {sets[6]:,} of six from the whole shoe, "
        f"for each way to draw: {', '.join(distinct.values())}",
        f"sets with another chance: {', '.join(odd)}"
        if odd
        else "each is as likely after the draws of player and dealer as in as many cards dealt "
        "plainly, exactly",
        {"sets": {str(n): count for n, count in sets.items()}, "strategies": [*distinct.values()],
         "differing": sum(faults.values())},
    )  # fmt: skip


def drawn_by(strategies: Iterable[tuple[str, Mapping[int, int]]]) -> dict[str, list[int]]:
    """Actions by hand of every strategy; a hand that it never holds stands."""
    return {name: [acts.get(h, STAND) for h in range(len(HANDS))] for name, acts in strategies}
