"""Double Ace's solver against a game tree, brute force and exhaustion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import perm

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.analysis.binding import bind_wager
from engine.contract.strategy import Strategy
from engine.exact.tables import Table, same
from engine.games.double_ace import playout, referee
from engine.games.double_ace.holdings import HANDS
from engine.games.double_ace.rules import ACE_TEN, Rules, Shoe
from engine.games.double_ace.space import Main
from engine.pricing.pricer import Pricer, price
from engine.spec.model import Spec
from tests.games.double_ace_exact import BASE, SPEC, analysed, edge, game_of

# The solver against a game tree that deals the dealer's hidden card first and learns nothing.

Pay = Callable[[tuple[int, ...], tuple[int, ...], bool], Fraction]


def total_of(cards: tuple[int, ...]) -> int:
    return 10 if sorted(cards) == [1, 10] else sum(cards)


def pay(player: tuple[int, ...], dealer: tuple[int, ...], doubled: bool) -> Fraction:
    """Net by the brief's rules, written out anew."""
    bet = 2 if doubled else 1
    aces, theirs = player == (1, 1), dealer == (1, 1)
    mine, other = total_of(player), total_of(dealer)
    if aces or theirs:
        return Fraction(0 if aces and theirs else 3 * bet if aces else -2 * bet, 2)
    if mine > 10:
        return Fraction(0 if other > 10 and mine < other else -bet)
    if other > 10 or mine > other:
        return Fraction(bet)
    return Fraction(0 if mine == other else -bet)


class GameTree:
    """Values of the player's hands when the dealer's card is dealt before he draws."""

    def __init__(self, counts: tuple[int, ...], replaced: bool = False) -> None:
        self.counts, self.replaced = counts, replaced
        self.values: dict[tuple[int, ...], Fraction] = {}
        self.stands: dict[tuple[object, ...], Fraction] = {}
        self.drawn: dict[tuple[int, ...], dict[int, Fraction]] = {}

    def chances(self, gone: tuple[int, ...]) -> dict[int, Fraction]:
        key = () if self.replaced else tuple(sorted(gone))
        if key not in self.drawn:
            left = Counter(dict(enumerate(self.counts, start=1)))
            left.subtract(key)
            cards = sum(left.values())
            self.drawn[key] = {value: Fraction(n, cards) for value, n in left.items() if n > 0}
        return self.drawn[key]

    def stood(self, player: tuple[int, ...], dealer: tuple[int, ...], doubled: bool) -> Fraction:
        """Worth of a final hand; no order matters but which two cards a hand of two has."""
        key = (*sorted(player), 0, *sorted(dealer), doubled)
        if key not in self.stands:
            self.stands[key] = self._stood(player, dealer, doubled)
        return self.stands[key]

    def _stood(self, player: tuple[int, ...], dealer: tuple[int, ...], doubled: bool) -> Fraction:
        if total_of(dealer) >= 6 or dealer == (1, 1):
            return pay(player, dealer, doubled)
        return sum(
            (
                p * self.stood(player, (*dealer, value), doubled)
                for value, p in self.chances(player + dealer).items()
            ),
            Fraction(),
        )

    def hidden(self, player: tuple[int, ...]) -> dict[int, Fraction]:
        """Chances of the dealer's card given that the player was dealt his, in order."""
        result = {}
        for dealer, p in self.chances(player[:1]).items():
            for drawn in range(1, len(player)):
                p *= self.chances((*player[:drawn], dealer)).get(player[drawn], Fraction())
            result[dealer] = p
        whole = sum(result.values())
        return {dealer: p / whole for dealer, p in result.items() if p}

    def value(self, player: tuple[int, ...], doubled: bool = False) -> Fraction:
        key = (*sorted(player), doubled)
        if key not in self.values:
            self.values[key] = self._value(player, doubled)
        return self.values[key]

    def _value(self, player: tuple[int, ...], doubled: bool) -> Fraction:
        hidden = self.hidden(player)
        options = [
            sum((p * self.stood(player, (d,), doubled) for d, p in hidden.items()), Fraction())
        ]
        if not doubled and total_of(player) < 10 and player != (1, 1):
            options.append(self.after(player, hidden, False))
        if not doubled and player == (1,):
            options.append(self.after(player, hidden, True))
        return max(options)

    def after(
        self, player: tuple[int, ...], hidden: dict[int, Fraction], doubled: bool
    ) -> Fraction:
        chances: Counter[int] = Counter()
        for dealer, p in hidden.items():
            for value, q in self.chances((*player, dealer)).items():
                chances[value] += p * q  # type: ignore[assignment]
        return sum(
            (p * self.value((*player, value), doubled) for value, p in chances.items()),
            Fraction(),
        )

    def mean(self) -> Fraction:
        return sum((p * self.value((v,)) for v, p in self.chances(()).items()), Fraction())


def solved(main: Main, spec: Spec = SPEC) -> tuple[Strategy, Fraction]:
    """Solve a space of any shoe for the base bet; return the strategy and its expected net."""
    rows = main.outcomes()
    base = bind_wager(BASE, main, spec.rule_values)
    value = Pricer(rows).value([(base, Fraction(1))])
    strategy = main.solve("optimal", value.net, value.staked, np.ones(len(rows), dtype=bool))
    strategy = replace(strategy, unit=value.net_unit)
    table = main.enumerate(0, main.starts, strategy)
    assert table.deals == main.deals
    return strategy, price(base, table).mean


@settings(max_examples=12, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=10, max_size=10).filter(lambda c: sum(c) >= 14))
def test_solver_against_game_tree_on_small_shoes(counts: list[int]) -> None:
    main = Main(Rules(), Shoe(tuple(counts)))
    strategy, mean = solved(main)
    tree = GameTree(tuple(counts))
    assert mean == tree.mean()
    for index in range(len(strategy)):
        hand = HANDS[int(strategy.sets["held"][index])]
        if len(hand) == 1:
            assert strategy.ev(index, int(strategy.action[index])) == tree.value(hand)


def test_infinite_shoe_against_game_tree() -> None:
    assert -edge(decks=0) == GameTree((1,) * 10, replaced=True).mean()


def test_dealer_against_ordered_draws_of_a_tiny_shoe() -> None:
    counts = (3, 2, 0, 1, 2, 0, 2, 0, 1, 4)
    cards = [value for value, n in enumerate(counts, start=1) for _ in range(n)]
    result: Counter[tuple[int, int]] = Counter()

    def draw(hand: tuple[int, ...], left: list[int], weight: int) -> None:
        if total_of(hand) >= 6 or hand == (1, 1):
            result[len(hand), total_of(hand)] += weight * perm(len(left), 14 - 1 - len(hand))
            return
        for position, card in enumerate(left):
            draw((*hand, card), left[:position] + left[position + 1 :], weight)

    for first, player in enumerate(cards):  # the player stands on his first card
        rest = cards[:first] + cards[first + 1 :]
        for location, card in enumerate(rest):
            draw((card,), rest[:location] + rest[location + 1 :], 1)
        assert player > 0
    main = Main(Rules(), Shoe(counts))
    stands = _fixed(main, "stand")
    table = main.enumerate(0, 100, stands).select(["dealer_cards", "dealer_total"])
    ours = zip(
        table.labels("dealer_cards"), table.labels("dealer_total"), table.combinations, strict=True
    )
    assert {(cards, total): int(n) for cards, total, n in ours} == dict(result)


def _fixed(main: Main, action: str) -> Strategy:
    assert main.decision is not None
    rows, index = main.outcomes(), main.decision.actions.index(action)
    nothing = np.zeros(len(rows), dtype=np.int64)
    wish = np.tile([index, 0], (len(main.sets()), 1))
    return main.solve(action, nothing, nothing, np.ones(len(rows), dtype=bool), wish)


# Methods against each other.

PLAY = [
    {},
    {"decks": 1},
    {"decks": 12},
    {"decks": 0},
    {"dealer_stands_on": 5},
    {"dealer_stands_on": 7},
    {"dealer_double_ace": "draws"},
    {"double_on": "any first card"},
    *({"ace_ten": word} for word in list(ACE_TEN)[1:]),
]


@pytest.mark.parametrize("changes", PLAY, ids=str)
@pytest.mark.parametrize("strategy", ["optimal", "chart"])
def test_enumerate_equals_exhaust(changes: dict[str, int | str], strategy: str) -> None:
    analysis = analysed(**changes)
    main, played = game_of(analysis).main, analysis.strategies[strategy]
    whole = main.enumerate(0, 100, played)
    assert whole.deals == main.deals
    assert same(whole, main.exhaust(0, 100, played))


def test_ranges_of_starts_add_up() -> None:
    analysis = analysed()
    main, played = game_of(analysis).main, analysis.strategies["optimal"]
    cuts = [0, 1, 8, 10, 57, 100]
    parts = []
    for lo, hi in pairwise(cuts):
        part = main.enumerate(lo, hi, played)
        assert part.deals == main.deals_in(lo, hi)
        assert same(part, main.exhaust(lo, hi, played))
        parts.append(part)
    assert same(Table.merge(parts), main.enumerate(0, 100, played))
    assert main.deals == perm(240, 14)


def test_deals_fit_38_digits_with_twelve_decks() -> None:
    assert Main(Rules(decks=12)).deals < 10**38


@pytest.mark.parametrize("stands_on", [5, 6, 7])
@pytest.mark.parametrize("aces", ["stands", "draws"])
@pytest.mark.parametrize("ace_ten", ["ten for all", "eleven for the dealer"])
def test_fourteen_cards_restrict_no_best_play(stands_on: int, aces: str, ace_ten: str) -> None:
    rules = Rules(dealer_stands_on=stands_on, dealer_double_ace=aces, ace_ten=ace_ten)
    usual, longer = Main(rules), Main(rules, length=17)
    assert usual.tree.dealer_most == playout.most_dealer_cards(referee.numbers(rules))
    assert longer.tree.most >= 10  # nine cards at most make ten or less: nothing is cut
    (strategy, mean), (other, same_mean) = solved(usual), solved(longer)
    assert mean == same_mean
    acts = dict(zip(other.sets["held"], other.action, strict=True))
    for values, action in zip(strategy.sets["held"], strategy.action, strict=True):
        assert acts[values] == action


def test_no_single_changed_decision_gains() -> None:
    analysis = analysed()
    main, best = game_of(analysis).main, analysis.strategies["optimal"]
    mean, base = analysis.price("base", "optimal").priced.mean, analysis.program.wager("base")
    for index, action in zip(*np.nonzero(best.allowed), strict=True):
        if action == best.action[index]:
            continue
        chosen = best.action.copy()
        chosen[index] = action
        table = main.enumerate(0, 100, replace(best, action=chosen))
        changed = price(base, table).mean
        assert changed <= mean
        if best.sets["held_cards"][index] == 1:
            loss = best.ev(index, int(best.action[index])) - best.ev(index, int(action))
            assert mean - changed == loss / 10  # each first card comes once in ten


def test_worth_of_hands_adds_up() -> None:
    analysis = analysed()
    best = analysis.strategies["optimal"]
    first = best.sets["held_cards"] == 1
    assert sum(int(w) for w in best.deals[first]) == analysis.game.spaces[0].deals
    chosen = [best.ev(int(i), int(best.action[i])) for i in np.flatnonzero(first)]
    assert sum(chosen, Fraction()) / 10 == analysis.price("base", "optimal").priced.mean


def test_composition_matters_with_one_deck_only() -> None:
    for decks in (*range(2, 13), 0):
        assert edge("optimal", decks=decks) == edge("by totals", decks=decks)
        assert edge("optimal", decks=decks) == edge("chart", decks=decks)
    # Both edges and the difference: another program, of ordered draws and fractions.
    assert edge("optimal", decks=1) == Fraction(133823537, 10766655900)
    assert edge("by totals", decks=1) - edge("optimal", decks=1) == Fraction(2315491, 3915147600)


def test_more_decks_approach_the_infinite_shoe() -> None:
    edges = [edge(decks=decks) for decks in (2, 6, 12, 0)]
    assert edges == sorted(edges, reverse=True)
    assert abs(float(2 * edge(decks=12) - edge(decks=6) - edge(decks=0))) < 1e-5
