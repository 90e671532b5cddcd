"""What a game is to the rest of the system.

A game names its *spaces*. A space fills the same kind of table in three ways: `enumerate`
(by symmetry), `exhaust` (deal by deal, through the referee), and the game's `simulate` (random
rounds, through the referee). Game code never sees a wager.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.contract.decision import Decision
from engine.contract.shared import Shared
from engine.exact.errors import DealproofError
from engine.exact.tables import Codes, Counts, Feature, Table

if TYPE_CHECKING:
    from engine.contract.shoes import Procedure, Shoes
    from engine.contract.strategy import Strategy

RuleValue = int | str
#: A table's place in an analysis: (space, strategy it holds or None).
Key = tuple[str, str | None]
#: Columns that a caller needs; None for all. A space may give more, never fewer.
Wanted = frozenset[str] | None


@dataclass(frozen=True)
class RuleSpec:
    """A rule that a family of games reads: its name and what it can be set to.

    `words` lists the allowed words; without words the rule is an integer in `low` … `high`.
    """

    name: str
    words: tuple[str, ...] = ()
    low: int = 0
    high: int = 0

    def admits(self, value: RuleValue) -> bool:
        """Tell whether the family can play by this value."""
        if self.words:
            return value in self.words
        return type(value) is int and self.low <= value <= self.high

    def number(self, value: RuleValue) -> int:
        """The value as compiled code takes it: the index of a word, or the integer itself."""
        return self.words.index(str(value)) if self.words else int(value)

    @property
    def allowed(self) -> str:
        """What the rule can be set to, for an error's last words."""
        return ", ".join(self.words) if self.words else f"{self.low} … {self.high}"


@dataclass(frozen=True)
class Dealt:
    """What one hand of the player's comes to, action by action.

    `cards`: as the actions refer to them; `information`: the information set that they make;
    `words`: every action in words, in the order of the decision's actions; `table`: the column
    ``action`` and the space's features, every action over all deals of the information set.
    """

    cards: tuple[int, ...]
    information: Mapping[str, str | int]
    words: tuple[str, ...]
    table: Table


class Space(ABC):
    """A set of deals with an exact total, in which some wagers of a game are settled."""

    name: str
    title: str
    features: tuple[Feature, ...]
    #: Exact number of deals in the space.
    deals: int
    #: Number of starts, the unit of partitioning.
    starts: int
    #: Basis that a source prints its counts in → number of deals in that basis.
    denominators: Mapping[str, int]
    decision: Decision | None = None
    #: Spaces whose columns stand here too with the same meaning, so that their wagers are settled
    #: in the same deals.
    includes: tuple[str, ...] = ()

    @abstractmethod
    def deals_in(self, lo: int, hi: int) -> int:
        """Count the deals of starts `lo` … `hi` − 1 by closed form."""

    @abstractmethod
    def enumerate(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Tabulate starts `lo` … `hi` − 1 by symmetry."""

    @abstractmethod
    def exhaust(
        self, lo: int, hi: int, strategy: Strategy | None = None, wanted: Wanted = None
    ) -> Table:
        """Tabulate starts `lo` … `hi` − 1 deal by deal through the referee."""

    def exhaust_each(
        self, lo: int, hi: int, strategies: Sequence[Strategy | None], wanted: Wanted = None
    ) -> list[Table]:
        """Exhaust under several strategies; a space may deal its cards only once for all."""
        return [self.exhaust(lo, hi, strategy, wanted) for strategy in strategies]

    def outcomes(self) -> Table:
        """List every distinct row that a deal can end in, each with a count of 1.

        Only spaces that solve for themselves (`decision.tabulated` is False) give it.
        """
        raise NotImplementedError(f"space {self.name} tabulates every action")

    def sets(self) -> Table:
        """List every information set by the columns of `decision`, each with a count of 1.

        Only spaces that solve for themselves (`decision.tabulated` is False) give it.
        """
        raise NotImplementedError(f"space {self.name} tabulates every action")

    def settled(self, space: str) -> Table | None:
        """List the rows of another space that the information sets alone come to, set by set.

        One row for each of `sets()`, in their order, each with a count of 1; None where more than
        the information decides what is bet there.
        """
        return None

    def solve(
        self,
        name: str,
        net: Counts,
        staked: Counts,
        allowed: NDArray[np.bool_],
        preferred: Codes | None = None,
    ) -> Strategy:
        """Solve for the best strategy, where decisions come in sequence.

        `net`, `staked`: integers over the rows of `outcomes()`, shape (rows,), over common
        denominators; `allowed`: which of these rows a strategy may lead to, shape (rows,). Equal
        values: the smaller stake, then the order of `decision.actions`. With `preferred`, actions
        over the rows of `sets()`, shape (sets, k), −1 for none, each set takes the first action
        of its row that it may take, and the strategy is valued instead; where decisions come in
        sequence a row of −1 alone leaves the set its best action. The strategy's `unit` is 1: the
        worth counts units of `net`.
        """
        raise NotImplementedError(f"space {self.name} tabulates every action")

    def dealt(self, cards: Sequence[int]) -> Dealt | None:
        """Tabulate every action of one hand, where that is faster than to solve the space.

        Raises DealproofError where the cards are not a hand of this space.
        """
        return None

    def without_removal(self) -> Space:
        """Return the space as a player sees it who forgets that seen cards cannot come again.

        It has the same outcomes and sets and is asked to `solve` only.
        """
        raise NotImplementedError(f"space {self.name} knows no play without removal")

    def feature(self, name: str) -> Feature:
        """Look a column up by name."""
        return next(feature for feature in self.features if feature.name == name)

    def grades(self, column: str) -> Sequence[str]:
        """What a player calls each value of a column that ranks hands, lowest first.

        Neighbours may share a name. None (an empty sequence) for all other columns.
        """
        return ()

    def hands_in(self, deals: int) -> int | None:
        """Number of hands of cards that an information set of so many deals stands for.

        None where that is not the same for all hands.
        """
        all_hands = self.decision.hands if self.decision else 0
        hands, rest = divmod(deals * all_hands, self.deals)
        return hands if hands and not rest else None


@dataclass(frozen=True)
class Round:
    """One round told in words: the cards dealt in their order, what happened, and the row it adds
    to each space. A card that the shoe gave but nobody took is not among them.
    """

    cards: tuple[str, ...]
    steps: tuple[str, ...]
    rows: Mapping[str, Mapping[str, str | int]]


@dataclass(frozen=True)
class Claim:
    """Something that a game's analysis rests on beside its tables, proved for this setting.

    `coverage`: what was gone through; `finding`: what came out; `evidence`: figures behind it, as
    JSON has them.
    """

    name: str
    title: str
    holds: bool
    coverage: str
    finding: str
    evidence: Mapping[str, Any]


class Game(ABC):
    """A game under one setting of its rules."""

    spaces: tuple[Space, ...]
    #: What its methods have in common, and so cannot check in each other.
    shared: tuple[Shared, ...]

    @abstractmethod
    def simulate(
        self,
        lo: int,
        hi: int,
        seed: int,
        strategies: Sequence[Strategy] = (),
        wanted: Wanted = None,
    ) -> dict[Key, Table]:
        """Play the rounds of stream blocks `lo` … `hi` − 1; one table per space.

        A space whose tables hold one strategy gives one table for each of `strategies`.
        """

    @abstractmethod
    def play(self, cards: Sequence[int], strategies: Mapping[str, Strategy]) -> Round:
        """Play one round with the cards in this order; `strategies` maps space → strategy."""

    @abstractmethod
    def deal(self, seed: int, number: int = 0) -> tuple[int, ...]:
        """Draw the cards of round `number` (0 … 2^20 − 1) of the seed's first block."""

    def shoes(
        self,
        space: str,
        outcomes: Table,
        nets: NDArray[np.int64],
        blocks: range,
        seed: int,
        procedure: Procedure,
    ) -> Shoes:
        """Deal whole shoes and add up what some bets of a space net in each.

        `outcomes`: the space's table of the columns that settle the bets; `nets`: whole numbers of
        any unit, shape (bets, rows of `outcomes`). A block is 4,096 shoes. Raises DealproofError
        where the game is not dealt from shoes.
        """
        raise DealproofError("the game is dealt from a fresh shoe in every round: no whole shoes")

    def information(self, space: str, cards: Sequence[int]) -> Mapping[str, str | int] | None:
        """What a player knows in a space who holds these cards and may go on drawing.

        None where the cards are not their own alone: then a round that begins with them tells it.
        """
        return None

    def claims(self, strategies: Sequence[Strategy]) -> tuple[Claim, ...]:
        """Prove what the analysis takes for granted, under these strategies. Exact."""
        return ()

    def space(self, name: str) -> Space:
        """Look a space up by name."""
        return next(space for space in self.spaces if space.name == name)


def asked_for(spaces: Sequence[Space], wanted: Wanted) -> frozenset[str]:
    """Names of the spaces that a simulation fills: those with a wanted column (None: all)."""
    if wanted is None:
        return frozenset(space.name for space in spaces)
    return frozenset(
        space.name for space in spaces if any(f.name in wanted for f in space.features)
    )


def check_range(lo: int, hi: int, starts: int) -> slice:
    """Check a range of starts and return it as a slice."""
    if not 0 <= lo <= hi <= starts:
        raise ValueError(f"starts {lo} … {hi} lie outside 0 … {starts}")
    return slice(lo, hi)
