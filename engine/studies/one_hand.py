"""One hand: from cards to the information set that they make, and what every action is worth there.

Cards are written as they are dealt. Where a space can tabulate one hand alone
(`Space.dealt`), nothing else is solved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from engine.analysis.analysis import Analysis
from engine.cards.deck import DECK, RANKS, SUITS, card_name, names, parse_cards
from engine.contract.game import Dealt, Space
from engine.contract.strategy import Strategy, best
from engine.exact.errors import DealproofError, nearest
from engine.exact.tables import exact_sums, exact_total
from engine.pricing.pricer import Pricer
from engine.program.bound import BoundJoint, BoundStrategy, Objective, Program
from engine.studies.joint import lines

#: Copies of a card in infinitely many decks: more than a hand can hold.
INFINITE = 10**9


@dataclass(frozen=True)
class Hand:
    """The open actions of one hand: each in words, and its expected net in every bet asked.

    `label`: its cards; `information`: the information set that they make; `worth`: exact net in
    base units, bet by bet, action by action; `deals`: deals behind the set, which may stand for
    other hands too; `taken`: index of the best action for the first bet.
    """

    label: str
    information: Mapping[str, str | int]
    actions: tuple[str, ...]
    words: tuple[str, ...]
    worth: tuple[tuple[Fraction, ...], ...]
    deals: int
    taken: int


def optimum(program: Program, strategy: BoundStrategy, cards: str) -> Hand | None:
    """What an optimal strategy does with one hand, where that is known without solving the game.

    None where it is not: bound strategies, and spaces that do not tabulate one hand alone.
    """
    if not strategy.optimum or strategy.allowed is not None:
        return None
    dealt = strategy.space.dealt(hand_cards(program, cards, strategy.space))
    return None if dealt is None else _tabulated(strategy.space, dealt, [strategy.objective])


def in_both_bets(analysis: Analysis, joint: BoundJoint, cards: str) -> Hand:
    """Value every open action of a hand in the base and in the side bet of a joint study."""
    program, space = analysis.program, joint.space
    dealt = None
    if joint.spec.allowed is None:
        dealt = space.dealt(hand_cards(program, cards, space))
    if dealt is not None:
        return _tabulated(space, dealt, [joint.base.objective, joint.side.objective])
    bets = lines(analysis, joint)
    (index,) = find(analysis, bets.base, cards, {})
    open_ = np.flatnonzero(bets.base.allowed[index])
    deals = int(bets.base.deals[index])
    actions = tuple(bets.base.actions[a] for a in open_)
    return Hand(
        names(hand_cards(program, cards, space)),
        bets.base.label(index),
        actions,
        actions,
        tuple(
            tuple(Fraction(int(worth[index, a]), bets.unit * deals) for a in open_)
            for worth in (bets.intercepts, bets.slopes)
        ),
        deals,
        int(np.flatnonzero(open_ == bets.base.action[index])[0]),
    )


def _tabulated(space: Space, dealt: Dealt, bets: Sequence[Objective]) -> Hand:
    actions = space.decision.actions if space.decision else ()
    width = len(actions)
    pricer = Pricer(dealt.table)
    action = dealt.table.codes["action"]
    deals = exact_total(dealt.table.combinations) // width
    worth, stakes = [], []
    for bet in bets:
        value = pricer.value(bet)
        sums = exact_sums(action, width, dealt.table.combinations, value.net)
        worth.append(tuple(Fraction(int(total), value.net_unit * deals) for total in sums))
        stakes.append(exact_sums(action, width, dealt.table.combinations, value.staked))
    unit = lcm(*(value.denominator for value in worth[0]))
    first = np.array([[int(value * unit) for value in worth[0]]], dtype=object)
    open_ = np.ones((1, width), dtype=bool)
    return Hand(
        names(dealt.cards),
        dict(dealt.information),
        actions,
        dealt.words,
        tuple(worth),
        deals,
        int(best(first, stakes[0].reshape(1, width), open_)[0]),
    )


def columns_of(
    analysis: Analysis, strategy: Strategy, columns: Sequence[str]
) -> dict[str, list[str | int]]:
    """Readable values of columns at every information set of a strategy.

    Besides the information itself any column will do that is settled when the player decides.
    """
    features = {f.name: f for f in strategy.information}
    values = {
        name: [features[name].label(int(code)) for code in strategy.sets[name]]
        for name in columns
        if name in features
    }
    others = [name for name in columns if name not in features]
    if not others:
        return values
    view = analysis.view(strategy.space, others)
    if view is None:
        raise DealproofError(f"column '{others[0]}': {nearest(others[0], features)}")
    index = strategy.locate(view)
    for name in others:
        feature = view.table.feature(name)
        seen = view.at_sets(view.table.codes[name])
        if seen is None:
            raise DealproofError(f"column '{name}': it is not settled yet when the player decides")
        codes = np.zeros(len(strategy), dtype=np.int64)
        codes[index] = seen
        values[name] = [feature.label(int(code)) for code in codes]
    return values


def find(
    analysis: Analysis, strategy: Strategy, hand: str | None, at: Mapping[str, str]
) -> list[int]:
    """Indices of the information sets that a hand or column values point to.

    `hand` lists cards as they are dealt; `at` may leave columns open. Raises DealproofError where
    nothing fits.
    """
    wanted: dict[str, str | int] = dict(at)
    if hand is not None:
        wanted = {**information_of(analysis.program, strategy, hand), **wanted}
    rows = np.ones(len(strategy), dtype=bool)
    features = {f.name: f for f in strategy.information}
    known = [*features, *(f.name for f in analysis.game.space(strategy.space).features)]
    for name, value in wanted.items():
        if name not in known:
            raise DealproofError(f"--where {name}: {nearest(name, features)}")
        column = [str(v) for v in columns_of(analysis, strategy, [name])[name]]
        if str(value) not in column:
            raise DealproofError(f"--where {name} = {value}: {nearest(str(value), column)}")
        rows &= np.array(column) == str(value)
    if not rows.any():
        where = ", ".join(f"{name} = {value}" for name, value in wanted.items())
        raise DealproofError(f"no information set has {where}")
    return [int(index) for index in np.flatnonzero(rows)]


def information_of(program: Program, strategy: Strategy, hand: str) -> dict[str, str | int]:
    """What the player knows once these cards are dealt, in dealing order.

    The rest of the round is dealt in many ways, until every card has stood at every place:
    whatever then differs was not known yet, so that the hand is incomplete.
    """
    game = program.game
    space = game.space(strategy.space)
    cards = hand_cards(program, hand, space)
    dealt = space.dealt(cards)
    if dealt is not None:
        return dict(dealt.information)
    length = len(game.deal(0))
    if len(cards) > length:
        raise DealproofError(f"hand '{hand}': {len(cards)} cards; a round has {length} at most")
    known = game.information(strategy.space, cards)
    if known is not None:
        if "/" in hand:
            raise DealproofError(
                f"hand '{hand}': the player sees their own cards alone; list those"
            )
        return dict(known)
    unseen = [card for card in range(DECK) if card not in cards]
    columns = [f.name for f in strategy.information]
    seen: dict[str, set[str | int]] = {name: set() for name in columns}
    for turn in range(len(unseen)):
        rest = [*unseen[turn:], *unseen[:turn]]
        round_ = game.play([*cards, *rest][:length], {strategy.space: strategy})
        row = round_.rows.get(strategy.space, {})
        missing = [name for name in columns if name not in row]
        if missing:
            raise DealproofError(
                f"hand '{hand}': a round does not tell {missing[0]}; use --where for this game"
            )
        for name in columns:
            seen[name].add(row[name])
    open_ = [name for name in columns if len(seen[name]) > 1]
    if open_:
        raise DealproofError(
            f"hand '{hand}': {len(cards)} cards do not settle {', '.join(open_)}; "
            "list all that are seen, in dealing order"
        )
    return {name: values.pop() for name, values in seen.items()}


def copies(program: Program) -> int:
    """How many cards of one rank and suit a game's shoe holds; `INFINITE` for rule decks = 0."""
    decks = program.constants.get("decks", 1)
    return decks if isinstance(decks, int) and decks else INFINITE


def hand_cards(program: Program, hand: str, space: Space) -> list[int]:
    """Read cards; a card may come as often as the shoe has decks (0: infinitely many).

    Where a space's decision knows ranks alone, suits may be left out.
    """
    most = copies(program)
    ranks_do = space.decision is not None and not space.decision.suits
    cards: list[int] = []
    for word in hand.replace("/", " ").replace(",", " ").split():
        rank = word.upper().replace("10", "T")
        if ranks_do and len(rank) == 1 and rank in RANKS:
            first = len(SUITS) * RANKS.index(rank)
            alike = range(first, first + len(SUITS))
            cards.append(min(alike, key=cards.count))
        else:
            cards += parse_cards(word)
    for card in cards:
        times = cards.count(card)
        if times > most:
            often = "twice" if times == 2 else f"{times} times"
            decks = "1 deck holds 1" if most == 1 else f"{most} decks hold {most}"
            raise DealproofError(f"card {card_name(card)} appears {often} in '{hand}'; {decks}")
    if not cards:
        raise DealproofError(f"hand '{hand}': no cards")
    return cards
