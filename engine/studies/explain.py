"""Why a count is what it is: the rows behind every event of a wager, and a deal that ends in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random

import numpy as np

from engine.analysis.analysis import Analysis, Result
from engine.analysis.one_round import SettledRound, SettledWager, players, settle
from engine.cards.deck import RANKS, SUITS
from engine.exact.errors import DealproofError, nearest
from engine.exact.tables import Counts, Table, exact_total
from engine.pricing.settlement import classify
from engine.program.bound import BoundEvent
from engine.studies.one_hand import copies

#: Rounds of the game's own stream that a sample deal is looked for among, and rounds after them.
PLAIN, FURTHER = 100, 40_000


@dataclass(frozen=True)
class Row:
    """Values of the columns that a wager's conditions name, and the deals that have them.

    `combinations`: the deals in the wager's basis.
    """

    values: dict[str, str | int]
    deals: int
    combinations: Fraction


@dataclass(frozen=True)
class ExplainedEvent:
    """An event of a wager with the rows that it settles.

    `pays` and `staked` are as written; `earlier` names the events that take precedence; `table`
    has a row for each combination of values; `basis`: deals of the space in the wager's basis.
    """

    bound: BoundEvent
    earlier: tuple[str, ...]
    table: Table
    space_deals: int
    basis: int

    @property
    def name(self) -> str:
        """Its name in the pay table."""
        return self.bound.event

    @property
    def when(self) -> str:
        """Its condition as written."""
        return self.bound.when.text

    @property
    def pays(self) -> str:
        """Its pay-off as written."""
        return self.bound.pay.text

    @property
    def staked(self) -> str:
        """Units at risk as written."""
        return self.bound.staked.text

    @property
    def deals(self) -> int:
        """Deals that end in it: the sum of its rows."""
        return self.table.deals

    @property
    def combinations(self) -> Fraction:
        """The same in the wager's basis."""
        return self._in_basis(self.deals)

    def rows(self, limit: int | None = None) -> Iterator[Row]:
        """Its rows, those with most deals first, at most `limit`."""
        counts = [int(count) for count in self.table.combinations]
        order = sorted(range(len(counts)), key=lambda index: -counts[index])
        for index in order[:limit]:
            deals = counts[index]
            yield Row(self.table.row(index), deals, self._in_basis(deals))

    def _in_basis(self, deals: int) -> Fraction:
        return Fraction(deals * self.basis, self.space_deals)


@dataclass(frozen=True)
class Explanation:
    """A priced wager, event by event; `columns` are those that its conditions and stakes name."""

    result: Result
    columns: tuple[str, ...]
    events: tuple[ExplainedEvent, ...]

    @property
    def deals(self) -> int:
        """Deals of all events together: the closed total of the space."""
        return sum(event.deals for event in self.events)

    def event(self, name: str) -> ExplainedEvent:
        """Look an event up by name; raise DealproofError with the known ones."""
        for event in self.events:
            if event.name == name:
                return event
        raise DealproofError(
            f"event '{name}' of wager {self.result.wager.name}: "
            f"{nearest(name, [event.name for event in self.events])}"
        )


@dataclass(frozen=True)
class Sample:
    """A round that ends in an event, after `tries` rounds.

    `seed` and `number` name it in the game's own stream (`Game.deal`); `number` is None where it
    was looked for among further rounds, from shoes of few ranks and suits.
    """

    round: SettledRound
    settled: SettledWager
    values: dict[str, str | int]
    seed: int
    number: int | None
    tries: int

    @property
    def returned(self) -> Fraction:
        """Units that the player gets back, the stake included where it is not lost."""
        return self.settled.staked + self.settled.net


def explain(analysis: Analysis, wager: str, strategy: str | None = None) -> Explanation:
    """Explain every event of a wager under a strategy, by default the wager's first.

    The rows of the space's table are grouped by the columns that the wager names and settled
    again. Their sums are compared with the priced pay table and with the space's closed number of
    deals; ValueError where they differ. DealproofError with the known names.
    """
    result = analysis.price(wager, strategy)
    bound = result.wager
    named = [f.name for f in bound.space.features if f.name in bound.names]
    table = analysis.outcome(result).select(named)
    if not named:
        table = _of_one_row(table)
    classified = classify(bound, table)
    number = np.array([line.event for line in classified.lines])[classified.line]
    events = tuple(
        ExplainedEvent(
            event,
            tuple(earlier.event for earlier in bound.events[:index]),
            table.where(number == event.number),
            bound.space.deals,
            bound.basis[1],
        )
        for index, event in enumerate(bound.events)
    )
    explained = Explanation(result, tuple(named), events)
    _check_sums(explained, [line.event for line in classified.lines])
    return explained


def _of_one_row(table: Table) -> Table:
    total: Counts = np.array([exact_total(table.combinations)], dtype=object)
    return Table((), {}, total)


def _check_sums(explained: Explanation, numbers: list[int]) -> None:
    """Compare rows with the priced lines, which were counted without grouping."""
    priced, space = explained.result.priced, explained.result.wager.space
    counted = dict.fromkeys(numbers, 0)
    for number, line in zip(numbers, priced.lines, strict=True):
        counted[number] += line.combinations
    for event in explained.events:
        if event.deals != counted[event.bound.number]:
            raise ValueError(
                f"{event.bound.path}: rows add up to {event.deals}, "
                f"the pay table has {counted[event.bound.number]}"
            )
    if explained.deals != space.deals:
        raise ValueError(
            f"space {space.name}: events add up to {explained.deals} of {space.deals} deals"
        )


def sample(
    analysis: Analysis, explained: Explanation, event: ExplainedEvent, seed: int = 1
) -> Sample | None:
    """Find a round that ends in an event; the same one for the same seed.

    Rounds come from the game's own stream first, `PLAIN` of them, then `FURTHER` ones, two in
    three of them with cards of few ranks (any, or neighbours) and few suits as long as there are
    any. None where no round ended in it.
    """
    game, result = analysis.game, explained.result
    how = result.strategy
    playing = players(analysis.program, [how.name] if how else [])
    solved = {space: analysis.strategy(one.name) for space, one in playing.items()}
    features = event.table.features
    columns = [[f.label(int(code)) for code in event.table.codes[f.name]] for f in features]
    wanted = set(zip(*columns, strict=True)) if columns else {()} if event.deals else set()
    if not wanted:
        return None
    for tries, (number, cards) in enumerate(_rounds(analysis, seed), start=1):
        played = game.play(cards, solved)
        row = played.rows[result.space]
        if tuple(row[f.name] for f in features) not in wanted:
            continue
        wagers = tuple(settle(one, played.rows) for one in analysis.program.wagers.values())
        settled = next(one for one in wagers if one.wager is result.wager)
        values = {f.name: row[f.name] for f in features}
        return Sample(SettledRound(played, wagers), settled, values, seed, number, tries)
    return None


def _rounds(analysis: Analysis, seed: int) -> Iterator[tuple[int | None, tuple[int, ...]]]:
    """Rounds of the game's own stream with their number, then further ones without."""
    cards, seen = tuple[int, ...](), set[int]()
    for number in range(PLAIN):
        cards = analysis.game.deal(seed, number)
        seen.update(cards)
        yield number, cards
    # What a game is dealt with is known by its rounds: some are dealt without kings.
    random, length = Random(seed), len(cards)
    shoe = sorted(seen) * min(copies(analysis.program), length)
    for turn in range(FURTHER):
        few = shoe
        if turn % 3:
            many = random.randint(1, 6)
            ranks = set(random.sample(range(len(RANKS)), many))
            if turn % 3 == 2:
                lowest = random.randrange(len(RANKS))
                ranks = {(lowest + k) % len(RANKS) for k in range(many)}
            suits = set(random.sample(range(len(SUITS)), random.randint(1, len(SUITS))))
            few = [c for c in shoe if c // len(SUITS) in ranks and c % len(SUITS) in suits]
        drawn = random.sample(few, min(length, len(few)))
        if len(drawn) < length:
            others = [card for card in shoe if card not in few]
            drawn += random.sample(others, length - len(drawn))
        yield None, tuple(drawn)
