"""Double Ace, whole: the main bet's space and the bonus bets', rounds dealt and told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.cards import streams
from engine.cards.deck import card_name, names
from engine.cards.hands.ace_ten import TARGET, is_double_ace
from engine.cards.hands.bonus_poker import CODES
from engine.contract.game import Claim, Game, Key, Round, Wanted
from engine.contract.strategy import Strategy
from engine.exact.errors import DealproofError
from engine.exact.tables import Table
from engine.games.double_ace import playout, playout_bonus, referee, rounds, unbiased
from engine.games.double_ace.bonus import Bonus
from engine.games.double_ace.holdings import HANDS, NEXT, NUMBER, advised
from engine.games.double_ace.long_hands import LongHands
from engine.games.double_ace.rules import ACTIONS, DOUBLE, SHARED, STAND, VALUES, Rules
from engine.games.double_ace.space import CARDS, Main, actions_of, tabulate

Int = NDArray[np.int64]


#: Cards that suffice for every round.
ENOUGH = 19


class DoubleAce(Game):
    """Double Ace under one setting of its rules.

    The bonus on the player's five cards and the bonus on the dealer's have a space each, equal in
    every count, so that each is simulated by its own hands.
    """

    shared = SHARED

    def __init__(self, rules: Rules) -> None:
        self.rules, self.numbers = rules, referee.numbers(rules)
        self.main = Main(rules)
        player = "player-five", "Player's five bonus cards"
        self.bonuses = (
            LongHands(*player, rules)
            if self.numbers.long_hand
            else Bonus(*player, 5, rules.decks, rules.flush_beats),
            Bonus("dealer-five", "Dealer's five bonus cards", 5, rules.decks, rules.flush_beats),
            Bonus("player-six", "Player's six bonus cards", 6, rules.decks, rules.flush_beats),
        )
        self.spaces = (self.main, *self.bonuses)
        self.most = self.main.length - playout.most_dealer_cards(self.numbers)

    def simulate(
        self,
        lo: int,
        hi: int,
        seed: int,
        strategies: Sequence[Strategy] = (),
        wanted: Wanted = None,
    ) -> dict[Key, Table]:
        """Deal fresh shoes and play every round under each strategy; see `rounds.play_rounds`.

        The bonus hands are drawn as the source advises where an own hand of six cards matters,
        else as the first strategy draws (without one, the player stands).
        """
        played = [strategy for strategy in strategies if strategy.space == "main"]
        acts = [self._lawful(strategy) for strategy in played]
        if self.numbers.long_hand or not acts:
            acts.append(advised() if self.numbers.long_hand else np.zeros_like(advised()))
        chosen = np.stack(acts)
        drawn = len(chosen) - 1 if self.numbers.long_hand else 0
        ranks = playout_bonus.ranking(self.rules.flush_beats)
        replaced = self.rules.decks == 0
        divided = rounds.sizes(self.rules.decks)
        ends = rounds.empty_ends(len(chosen))
        bonus = np.zeros((4, CODES), dtype=np.int64)
        for block in range(lo, hi):
            first, second, third = (
                streams.fair_words(seed, block, rounds.below(self.rules.decks, lane), lane)
                for lane in range(rounds.LANES)
            )
            rounds.play_rounds(
                first,
                second,
                third,
                *divided,
                replaced,
                self.numbers,
                chosen,
                NEXT,
                rounds.SINGLE,
                drawn,
                ranks,
                ends,
                bonus,
            )
        tables: dict[Key, Table] = {
            (space.name, None): space.tabulate_codes(counts)
            for space, counts in zip(self.bonuses, bonus[:3], strict=True)
        }
        if bonus[3].any():
            five = self.bonuses[0]
            parts = [tables[five.name, None], five.tabulate_codes(bonus[3], "no bonus")]
            tables[five.name, None] = Table.merge(parts)
        for index, strategy in enumerate(played):
            tables["main", strategy.name] = self._tabulate(ends[index], chosen[index])
        return tables

    def _lawful(self, strategy: Strategy) -> Int:
        """Actions by hand, shape (hands,), each one allowed by the referee."""
        actions = np.zeros(len(HANDS), dtype=np.int64)
        for hand, action in actions_of(strategy).items():
            cards, pips = len(HANDS[hand]), sum(HANDS[hand])
            if not referee.may(action, cards, pips, 1 in HANDS[hand], self.most, self.numbers):
                raise DealproofError(
                    f"strategy {strategy.name}: may not {ACTIONS[action]} with "
                    f"{self.main.feature('held').label(hand)}"
                )
            actions[hand] = action
        return actions

    def _tabulate(self, counts: Int, chosen: Int) -> Table:
        """Turn counted ends, shape (PLAYER_CODES, DEALER_CODES), into an outcome table."""
        ends: dict[tuple[playout.End, int], int] = {}
        for code in np.flatnonzero(counts.any(axis=1)):
            rest, last = divmod(int(code), len(VALUES) + 1)
            first, hand = divmod(rest, len(HANDS))
            end = self._end(first + 1, hand, int(chosen[hand]), last)
            for dealer in np.flatnonzero(counts[code]):
                key = end, int(dealer)
                ends[key] = ends.get(key, 0) + int(counts[code, dealer])
        return tabulate(ends)

    def _end(self, first: int, hand: int, action: int, last: int) -> playout.End:
        cards, pips = int(CARDS[hand]) + (action != STAND), sum(HANDS[hand]) + last
        ace = last == 1 or 1 in HANDS[hand]
        total = referee.player_total(cards, pips, ace, action == DOUBLE, self.numbers)
        return playout.End(first, hand, action, cards, total, is_double_ace(cards, pips))

    def deal(self, seed: int, number: int = 0) -> tuple[int, ...]:
        """Draw the cards of one round in the order of the shoe, as types 0–39: all 21."""
        decks = self.rules.decks
        size = rounds.LANES * rounds.PER_WORD
        picks, cards = np.empty((size, 1), dtype=np.int16), np.empty((size, 1), dtype=np.uint8)
        divided = rounds.sizes(decks)
        for lane in range(rounds.LANES):
            words = streams.fair_words(seed, 0, rounds.below(decks, lane), lane)
            word = words[number : number + 1]
            rounds.draw_words(word, lane, *divided, decks == 0, picks)
        rounds.take(picks, decks == 0, cards)
        return tuple(int(card) for card in cards[:, 0])

    def play(self, cards: Sequence[int], strategies: Mapping[str, Strategy]) -> Round:
        """Play one round with the cards in this order.

        Player's card, dealer's card, five for the table, then draws in turn; 19 cards suffice for
        every round. Raises DealproofError where the round, its bonus hands among it, needs more
        cards than there are.
        """
        community = list(cards[2 : 2 + rounds.COMMUNITY])
        rest = iter(cards[2 + rounds.COMMUNITY :])
        player, dealer, steps = [cards[0]], [cards[1]], []
        steps.append(f"player is dealt {card_name(cards[0])}, dealer a card face down")
        steps.append(f"on the table for the bonus hands: {names(community)}")
        held, action, last = NUMBER[(_value(cards[0]),)], STAND, 0
        while True:
            action = ACTIONS.index(strategies["main"].action_at(self._set(held)))
            if action == STAND:
                break
            player.append(_next(rest))
            last = _value(player[-1])
            verb = "doubles" if action == DOUBLE else "hits"
            end = self._end(_value(cards[0]), held, action, last)
            steps.append(f"player {verb}, draws {card_name(player[-1])}: {_in_words(end)}")
            if action == DOUBLE or end.total > TARGET:
                break
            held, last = int(NEXT[held, last]), 0
        end = self._end(_value(cards[0]), held, action, last)
        if action == STAND:
            steps.append(f"player stands: {_in_words(end)}")
        code = self._dealer(dealer, rest, steps)
        row = tabulate({(end, code): 1}).row(0)
        result = {"player": "player's hand ranks higher", "dealer": "dealer's hand ranks higher"}
        steps.append(result.get(str(row["winner"]), "the hands are equal"))
        rows: dict[str, Mapping[str, str | int]] = {"main": row}
        fifth = max(len(dealer), self.bonuses[1].number)
        dealt = cards[: len(player) + len(community) + fifth]
        filled = (player + community, dealer + list(rest), player + community)
        counts = len(player), 0, len(player)
        for space, hand, number in zip(self.bonuses, filled, counts, strict=True):
            best = hand[: space.number]
            if len(best) < space.number:
                raise DealproofError(
                    f"{len(cards)} cards are too few for this round; {ENOUGH} always suffice"
                )
            row = space.row(np.array(hand[:6], dtype=np.int64), number)
            rows[space.name] = row
            steps.append(f"{space.title.lower()}: {names(best)}, {row['category']}")
        return Round(tuple(card_name(card) for card in dealt), tuple(steps), rows)

    def claims(self, strategies: Sequence[Strategy]) -> tuple[Claim, ...]:
        """Prove that drawing does not bias the bonus, under each strategy; see `unbiased`."""
        mine = ((s.name, actions_of(s)) for s in strategies if s.space == "main")
        drawn = unbiased.drawn_by(mine)
        return (unbiased.claim(self.rules, drawn, not self.numbers.long_hand),) if drawn else ()

    def information(self, space: str, cards: Sequence[int]) -> Mapping[str, str | int] | None:
        """What a player knows who holds these cards; refuses a hand that decides nothing."""
        hand = tuple(sorted(map(_value, cards)))
        index = NUMBER.get(hand, -1)
        if index < 0 or not self.main.tree.holdable[index]:
            raise DealproofError(f"hand {names(cards)}: not a hand that a player can decide with")
        return self._set(index)

    def _set(self, hand: int) -> dict[str, str | int]:
        table = self.main.sets()
        return table.row(int(np.flatnonzero(table.codes["held"] == hand)[0]))

    def _dealer(self, hand: list[int], rest: Iterator[int], steps: list[str]) -> int:
        """Play the dealer's hand and return its number."""
        steps.append(f"dealer shows {card_name(hand[0])}")
        while True:
            pips, ace = sum(map(_value, hand)), 1 in map(_value, hand)
            total = int(referee.dealer_total(len(hand), pips, ace, self.numbers))
            if not referee.dealer_draws(len(hand), pips, ace, self.numbers):
                break
            hand.append(_next(rest))
            steps.append(f"dealer draws {card_name(hand[-1])}")
        over = ", over ten" if total > TARGET else ""
        double_ace = is_double_ace(len(hand), pips)
        steps.append("dealer has double ace" if double_ace else f"dealer has {total}{over}")
        return int(playout.dealer_code(len(hand), total))


def _next(rest: Iterator[int]) -> int:
    card = next(rest, None)
    if card is None:
        raise DealproofError(f"the cards run out before the round ends; {ENOUGH} always suffice")
    return card


def _value(card: int) -> int:
    return card // 4 + 1


def _in_words(end: playout.End) -> str:
    if end.double_ace:
        return "double ace"
    return f"{end.total}, over ten" if end.total > TARGET else str(end.total)
