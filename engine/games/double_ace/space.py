"""The space `main`: hands of player and dealer, solved and tabulated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.contract.decision import Decision
from engine.contract.game import Space, Wanted, check_range
from engine.contract.strategy import Reach, Strategy
from engine.exact.errors import DealproofError
from engine.exact.tables import Counts, Table, integer, narrowest, word
from engine.games.double_ace import enumeration, playout, referee
from engine.games.double_ace.holdings import HANDS, WORDS, pips_of
from engine.games.double_ace.rules import ACTIONS, DOUBLE, Rules, Shoe

Int = NDArray[np.int64]

#: Cards that every deal is weighed to: 480·479·…·467 < 10^38 with twelve decks.
LENGTH = 14

#: Final hands in words: a total of ten or less, two aces, a bust with its total.
PLAYER, DEALER = (
    (*map(str, range(1, 11)), "double ace", *(f"bust {total}" for total in range(11, most + 1)))
    for most in (20, 16)
)

HELD = (
    integer(
        "held_total", "total of the cards at the player's last decision", 1, 10, "player's total"
    ),
    integer(
        "held_cards", "number of cards at the player's last decision", 1, 13, "number of cards held"
    ),
    word("held", "cards that the player decides with, in no order", *WORDS),
)
FEATURES = (
    integer("first_card", "value of the player's first card, ace = 1", 1, 10),
    *HELD,
    word("action", "what the player did last", *ACTIONS),
    integer("doubled", "whether the bet was doubled", 0, 1),
    integer("player_cards", "cards in the player's final hand", 1, 14),
    integer(
        "player_total",
        "total of the player's final hand, two aces 2",
        *(1, 20),
        phrase="player's final total",
    ),
    integer("player_double_ace", "whether the player's final hand is two aces", 0, 1),
    integer("player_bust", "whether the player's final hand exceeds ten", 0, 1),
    integer("dealer_cards", "cards in the dealer's final hand", 1, 7),
    integer("dealer_total", "total of the dealer's final hand, two aces 2", 1, 16),
    integer("dealer_double_ace", "whether the dealer's final hand is two aces", 0, 1),
    integer("dealer_bust", "whether the dealer's final hand exceeds ten", 0, 1),
    word(
        "winner",
        "whose hand ranks higher: two aces, then totals up to ten, then busts by closeness to ten",
        *("player", "dealer", "tie"),
    ),
    word("player_final", "the player's final hand in a word: total, double ace, or bust", *PLAYER),
    word("dealer_final", "the dealer's final hand in a word: total, double ace, or bust", *DEALER),
)
TOTALS = np.array([pips_of(hand) for hand in HANDS])
CARDS = np.array([len(hand) for hand in HANDS])


class Main(Space):
    """Hands of player and dealer, under one strategy.

    Games last from two cards to many. So that they stand on one basis, every deal counts all
    ordered sequences of 14 physical cards that begin with its cards: 6 decks have
    240·239·…·227 deals, 12 decks still fewer than 10^38. Counts are Python integers. A player's
    hand stands at 14 − d cards, d being the most that the dealer may need: nine by the usual
    rules, where no hand of ten or less that may draw is longer.

    With `decks` = 0, infinitely many, physical cards cannot be counted; there the deals are the
    10^14 sequences of 14 card values.

    A start is the player's first card with the dealer's first card: number
    10 × (player's value − 1) + (dealer's value − 1).
    """

    name = "main"
    title = "Player's and dealer's hands"
    features = FEATURES
    starts = 100
    decision = Decision(
        ("held_total", "held_cards", "held"),
        ACTIONS,
        tabulated=False,
        suits=False,
        alike="of the same values in any order",
        knows="their own cards, not the dealer's",
    )

    def __init__(self, rules: Rules, shoe: Shoe | None = None, length: int = LENGTH) -> None:
        self.rules = rules
        self.shoe = shoe or Shoe.of(rules.decks)
        self.length = length
        self.deals = self.shoe.further(0, length)
        self.denominators = {"ordered deals of 14 cards": self.deals}

    @cached_property
    def tree(self) -> enumeration.Tree:
        """All hands and the dealer's chances against each, grown at first use."""
        return enumeration.Tree.of(self.rules, self.shoe, self.length)

    def deals_in(self, lo: int, hi: int) -> int:
        """Count the ordered deals in a range of starts."""
        check_range(lo, hi, self.starts)
        begun = sum(self._begun(start // 10 + 1, start % 10 + 1) for start in range(lo, hi))
        return begun * self.shoe.further(2, self.length - 2)

    def _begun(self, first: int, dealer: int) -> int:
        ways = self.shoe.ways(first, 1)
        return ways and ways * self.shoe.ways(dealer, 1, int(first == dealer))

    def sets(self) -> Table:
        """List every information set, each with a count of 1."""
        hands = np.flatnonzero(self.tree.holdable)
        codes = {"held_total": TOTALS[hands], "held_cards": CARDS[hands], "held": hands}
        return Table(HELD, codes, np.ones(len(hands), dtype=np.int64))

    @cached_property
    def _rows(self) -> tuple[Int, Int, Int]:
        """First card, kind and dealer's final hand of every row that can be reached."""
        kinds = self.tree.kinds
        pairs = [
            (first, index)
            for index, kind in enumerate(kinds)
            for first in sorted({*HANDS[kind.decided]})
        ]
        first, index = np.array(pairs, dtype=np.int64).T
        possible = self.tree.dealt.sum(axis=1) > 0
        end, final = np.nonzero(possible[index])
        return first[end], index[end], final

    @cached_property
    def _outcomes(self) -> Table:
        first, kind, final = self._rows
        return Table(FEATURES, self._codes(first, kind, final), np.ones(len(kind), dtype=np.int64))

    def outcomes(self) -> Table:
        """List every row that some player can end in against some dealer's hand."""
        return self._outcomes

    def _codes(self, first: Int, kind: Int, final: Int) -> dict[str, Int]:
        kinds, finals = self.tree.kinds, self.tree.finals
        hands = np.array([k.decided for k in kinds])[kind]
        action = np.array([k.action for k in kinds])[kind]
        cards = np.array([len(k.hand) for k in kinds])[kind]
        total = np.array([k.total for k in kinds])[kind]
        aces = np.array([int(k.double_ace) for k in kinds])[kind]
        dealer = finals.cards[final], finals.total[final], finals.aces[final]
        labels = Labels(
            doubled=(action == DOUBLE).astype(np.int64),
            player_bust=(total > 10).astype(np.int64),
            dealer_bust=(dealer[1] > 10).astype(np.int64),
            winner=enumeration.winner(total, aces, dealer[1], dealer[2]),
            player_final=enumeration.finals(total, aces),
            dealer_final=enumeration.finals(dealer[1], dealer[2]),
        )
        return _columns((first, hands, action, cards, total, aces, *dealer), labels)

    def solve(
        self,
        name: str,
        net: Counts,
        staked: Counts,
        allowed: NDArray[np.bool_],
        preferred: Int | None = None,
    ) -> Strategy:
        """Solve backwards over the player's exact cards.

        `net`, `staked`, `allowed` are over the rows of `outcomes()`; `preferred` over `sets()`,
        shape (sets, k): instead of the best, the first open action of each row; a row of −1
        alone leaves the best. A wager whose
        pay-off depends on the order of the player's cards is refused: it has no best action by
        the cards alone.
        """
        _, kind, final = self._rows
        shape = (len(self.tree.kinds), len(self.tree.finals.cards))
        nets, stakes = np.zeros(shape, dtype=object), np.zeros(shape, dtype=object)
        nets[kind, final], stakes[kind, final] = net.astype(object), staked.astype(object)
        if np.any(nets[kind, final] != net) or np.any(stakes[kind, final] != staked):
            raise DealproofError(
                f"strategy {name}: what is maximised depends on the order of the player's cards"
            )
        ends = np.ones(shape[0], dtype=bool)
        ends[kind[~allowed]] = False
        wish = None
        if preferred is not None:
            wish = np.full((len(HANDS), preferred.shape[1]), -1, dtype=np.int64)
            wish[self.tree.holdable] = preferred
        solved = self.tree.solve(nets, stakes, ends, wish)
        hands = solved.sets
        return Strategy(
            name,
            self.name,
            HELD,
            {"held_total": TOTALS[hands], "held_cards": CARDS[hands], "held": hands},
            ACTIONS,
            solved.chosen,
            narrowest(solved.weight),
            solved.worth,
            1,
            solved.usable,
            Reach(self.deals, narrowest(solved.reached), CARDS[hands] == 1),
        )

    def enumerate(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Tabulate a strategy over a range of starts, by hands in no order."""
        check_range(lo, hi, self.starts)
        kinds, tree = self.tree.kinds, self.tree
        firsts, index, counts = [], [], []
        for (first, number), orders in tree.ends(actions_of(strategy)).items():
            begun = 10 * (first - 1)
            part = slice(max(lo - begun, 0), max(hi - begun, 0))
            dealt = tree.dealt[number, part].sum(axis=0).astype(object)
            factor = orders * tree.copies(kinds[number].hand) * tree.completions(kinds[number])
            firsts.append(first)
            index.append(number)
            counts.append(dealt * factor)
        finals = len(tree.finals.cards)
        first_, kind = np.repeat(firsts, finals), np.repeat(index, finals)
        final = np.tile(np.arange(finals), len(index))
        return Table.of(FEATURES, self._codes(first_, kind, final), np.concatenate(counts))

    def exhaust(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Play every ordered sequence of card values of a range of starts through the referee."""
        check_range(lo, hi, self.starts)
        chosen = actions_of(strategy)
        ends: dict[tuple[playout.End, int], int] = {}
        rules = referee.numbers(self.rules)
        most = self.length - playout.most_dealer_cards(rules)
        for start in range(lo, hi):
            first, dealer = start // 10 + 1, start % 10 + 1
            played = playout.exhaust_start(
                first, dealer, self.shoe, self.length, most, rules, chosen
            )
            for key, deals in played.items():
                ends[key] = ends.get(key, 0) + deals
        return tabulate(ends)


def actions_of(strategy: Strategy | None) -> Mapping[int, int]:
    """Hand → action of a strategy of this space."""
    if strategy is None:
        raise ValueError("space main tabulates a strategy")
    hands = strategy.sets["held"]
    return dict(zip(hands.tolist(), strategy.action.tolist(), strict=True))


def tabulate(deals_of: Mapping[tuple[playout.End, int], int]) -> Table:
    """Turn counted ends, the referee comparing the hands, into an outcome table."""
    rows, rows_of_labels = [], []
    pairs: dict[tuple[int, bool, int], tuple[int, ...]] = {}
    dealers = {code: playout.dealer_hand(code) for _, code in deals_of}
    for end, code in deals_of:
        cards_, total_, aces_ = dealers[code]
        pair = end.total, end.double_ace, code
        if pair not in pairs:
            pairs[pair] = (
                int(referee.is_bust(end.total)),
                int(referee.is_bust(total_)),
                int(referee.winner(end.total, end.double_ace, total_, aces_)),
                PLAYER.index(referee.final_word(end.total, end.double_ace)),
                DEALER.index(referee.final_word(total_, aces_)),
            )
        rows.append((*end.row, cards_, total_, int(aces_)))
        rows_of_labels.append((int(ACTIONS[end.action] == "double"), *pairs[pair]))
    ends = np.array(rows, dtype=np.int64).reshape(-1, 9).T
    columns = Labels(*np.array(rows_of_labels, dtype=np.int64).reshape(-1, 6).T)
    deals = np.array(list(deals_of.values()), dtype=object)
    return Table.of(FEATURES, _columns(ends, columns), deals)


class Labels(NamedTuple):
    """What the columns say of two final hands, each of shape (n,); each method tells its own."""

    doubled: Int
    player_bust: Int
    dealer_bust: Int
    winner: Int
    player_final: Int
    dealer_final: Int


def _columns(ends: Iterable[Int], labels: Labels) -> dict[str, Int]:
    """Codes of all columns; `ends` as `End.row` has them, then dealer's cards, total, two aces."""
    first, hands, action, cards, total, aces, dealer_cards, dealer_total, dealer_aces = ends
    return {
        "first_card": first,
        "held_total": TOTALS[hands],
        "held_cards": CARDS[hands],
        "held": hands,
        "action": action,
        "player_cards": cards,
        "player_total": total,
        "player_double_ace": aces,
        "dealer_cards": dealer_cards,
        "dealer_total": dealer_total,
        "dealer_double_ace": dealer_aces,
        **labels._asdict(),
    }
