"""From cards or columns, as a user writes them, to the information sets of a strategy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.analysis import Analysis
from engine.asked import tabulated
from engine.cards import DECK, RANKS, SUITS, card_name, parse_cards
from engine.errors import DealproofError, nearest
from engine.game import Game, Space
from engine.spec import Spec
from engine.strategy import Strategy, View

#: Copies of a card in infinitely many decks: more than a hand can hold.
INFINITE = 10**9


def columns_of(
    found: Analysis, strategy: Strategy, names: Sequence[str]
) -> dict[str, list[str | int]]:
    """Readable values of columns at every information set of a strategy.

    Besides the information itself any column will do that is settled when the player decides.
    """
    own = {f.name: f for f in strategy.information}
    values = {
        name: [own[name].label(int(code)) for code in strategy.sets[name]]
        for name in names
        if name in own
    }
    others = [name for name in names if name not in own]
    if not others:
        return values
    space = found.game.space(strategy.space)
    if not tabulated(space):
        raise DealproofError(f"column '{others[0]}': {nearest(others[0], own)}")
    view = View.of(found.tables[space.name, None], space)
    place = strategy.locate(view)
    for name in others:
        feature = view.table.feature(name)
        seen = view.at_sets(view.table.codes[name])
        if seen is None:
            raise DealproofError(f"column '{name}': it is not settled yet when the player decides")
        codes = np.zeros(len(strategy), dtype=np.int64)
        codes[place] = seen
        values[name] = [feature.label(int(code)) for code in codes]
    return values


def find(
    spec: Spec,
    game: Game,
    found: Analysis,
    strategy: Strategy,
    hand: str | None,
    at: Mapping[str, str],
) -> list[int]:
    """Indices of the information sets that a hand or column values point to.

    `hand` lists cards as they are dealt; `at` may leave columns open. Raises DealproofError where
    nothing fits.
    """
    wanted: dict[str, Any] = dict(at)
    if hand is not None:
        wanted = {**information_of(spec, game, strategy, hand), **wanted}
    rows = np.ones(len(strategy), dtype=bool)
    features = {f.name: f for f in strategy.information}
    known = [*features, *(f.name for f in game.space(strategy.space).features)]
    for name, value in wanted.items():
        if name not in known:
            raise DealproofError(f"--at {name}: {nearest(name, features)}")
        column = [str(v) for v in columns_of(found, strategy, [name])[name]]
        if str(value) not in column:
            raise DealproofError(f"--at {name} = {value}: {nearest(str(value), column)}")
        rows &= np.array(column) == str(value)
    if not rows.any():
        told = ", ".join(f"{name} = {value}" for name, value in wanted.items())
        raise DealproofError(f"no information set has {told}")
    return [int(index) for index in np.flatnonzero(rows)]


def information_of(spec: Spec, game: Game, strategy: Strategy, hand: str) -> dict[str, str | int]:
    """What the player knows once these cards are dealt, in dealing order.

    The rest of the round is dealt in many ways, until every card has stood at every place:
    whatever then differs was not known yet, so that the hand is incomplete.
    """
    space = game.space(strategy.space)
    cards = hand_cards(spec, hand, space)
    dealt = space.dealt(cards)
    if dealt is not None:
        return dict(dealt.information)
    length = len(game.deal(0))
    if len(cards) > length:
        raise DealproofError(f"hand '{hand}': {len(cards)} cards; a round has {length} at most")
    known = game.information(strategy.space, cards)
    if known is not None:
        if "/" in hand:
            raise DealproofError(f"hand '{hand}': the player sees his own cards alone; list those")
        return dict(known)
    unseen = [card for card in range(DECK) if card not in cards]
    names = [f.name for f in strategy.information]
    told: dict[str, set[str | int]] = {name: set() for name in names}
    for turn in range(len(unseen)):
        rest = [*unseen[turn:], *unseen[:turn]]
        round_ = game.play([*cards, *rest][:length], {strategy.space: strategy})
        row = round_.rows.get(strategy.space, {})
        missing = [name for name in names if name not in row]
        if missing:
            raise DealproofError(
                f"hand '{hand}': a round does not tell {missing[0]}; use --at for this game"
            )
        for name in names:
            told[name].add(row[name])
    open_ = [name for name in names if len(told[name]) > 1]
    if open_:
        raise DealproofError(
            f"hand '{hand}': {len(cards)} cards do not settle {', '.join(open_)}; "
            "list all that are seen, in dealing order"
        )
    return {name: values.pop() for name, values in told.items()}


def hand_cards(spec: Spec, hand: str, space: Space) -> list[int]:
    """Read cards; a card may come as often as the shoe has decks (0: infinitely many).

    Where a space's decision knows ranks alone, suits may be left out.
    """
    copies = spec.settings.get("decks", 1)
    most = copies if isinstance(copies, int) and copies else INFINITE
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
            told = "twice" if times == 2 else f"{times} times"
            held = "1 deck holds 1" if most == 1 else f"{most} decks hold {most}"
            raise DealproofError(f"card {card_name(card)} stands {told} in '{hand}'; {held}")
    if not cards:
        raise DealproofError(f"hand '{hand}': no cards")
    return cards
