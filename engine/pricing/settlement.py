"""Which event of a wager settles which row, for how much; and mistakes in how it is written."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.contract.game import RuleValue
from engine.exact.errors import DealproofError, at
from engine.exact.rendering import count
from engine.exact.tables import Codes, Feature, Table
from engine.program.bound import BoundEvent, BoundWager
from engine.spec import expressions
from engine.spec.expressions import Expression

#: Combinations of values that a condition is tried on beside the rows of a table.
PRODUCT = 1_000_000


class Settled(NamedTuple):
    """How a line settles: number of its event, pay-off as written, net and stake in base units."""

    event: int
    pays: str
    net: Fraction
    staked: Fraction


@dataclass(frozen=True)
class Classified:
    """A wager's line of every row: `line` has shape (rows,), an index into `lines`.

    Lines without rows are listed too, so that a pay table prints whole.
    """

    line: Codes
    lines: tuple[Settled, ...]


def _holding(wager: BoundWager, table: Table) -> tuple[NDArray[np.bool_], expressions.Evaluated]:
    """Evaluate a wager's events: which hold on which distinct row, shape (events, distinct)."""
    try:
        evaluated = expressions.evaluate(table, wager.expressions, wager.constants)
    except DealproofError:
        _evaluate_singly(wager, table)
        raise
    holding = []
    for index, event in enumerate(wager.events):
        with at(event.path, "when"):
            holding.append(expressions.booleans(evaluated, index, event.when.text))
    holds = np.stack(holding)
    uncovered = np.flatnonzero(~holds.any(axis=0)) if len(table) else np.zeros(0, dtype=np.int64)
    if len(uncovered):
        row = table.row(int(evaluated.example[uncovered[0]]))
        example = ", ".join(f"{name} = {value}" for name, value in row.items())
        raise DealproofError(
            f"{wager.path}.events: {_kinds(len(uncovered))} covered by no event, "
            f'for example {example}; add a last event with when = "true"'
        )
    return holds, evaluated


def _evaluate_singly(wager: BoundWager, table: Table) -> None:
    """Evaluate a wager's expressions one by one, so that the error names the one at fault."""
    for key in ("when", "staked"):
        for event in wager.events:
            with at(event.path, key):
                expressions.evaluate(table, [getattr(event, key)], wager.constants)


def _kinds(number: int) -> str:
    return "1 kind of row is" if number == 1 else f"{count(number)} kinds of row are"


def check(wager: BoundWager, table: Table, strict: bool, theirs: bool = False) -> None:
    """Validate a wager against all rows that a space can give.

    Every row has to be covered; an event that earlier ones leave nothing for is an error; with
    `strict` one that can never happen is an error too. A wager of a user's own file (`theirs`) may
    not have one that no values of its columns meet, whatever the rules. Raises DealproofError.
    """
    holds, _ = _holding(wager, table)
    first = holds.argmax(axis=0)
    for index, event in enumerate(wager.events):
        if np.any(first == index):
            continue
        with at(event.path, "when"):
            if holds[index].any():
                raise DealproofError("earlier events leave nothing for it")
            if strict or (theirs and _nowhere(event.when, table.features, wager.constants)):
                raise DealproofError("it can never happen")


def _nowhere(
    when: Expression, features: Sequence[Feature], constants: Mapping[str, RuleValue]
) -> bool:
    """Whether a condition that names no rule fails for all values that its columns may hold.

    False too where that would take too long to tell.
    """
    mine = [feature for feature in features if feature.name in when.names]
    shape = [feature.size for feature in mine]
    if len(mine) < len(when.names) or math.prod(shape) > PRODUCT:
        return False
    places = np.indices(shape).reshape(len(mine), -1)
    codes = {f.name: f.first + column for f, column in zip(mine, places, strict=True)}
    every = Table(tuple(mine), codes, np.ones(math.prod(shape), dtype=np.int64))
    try:
        return not expressions.mask(when, every, constants).any()
    except DealproofError:
        return False


def classify(wager: BoundWager, table: Table) -> Classified:
    """Find the line that settles every row of a table. Raises DealproofError."""
    holds, evaluated = _holding(wager, table)
    events = len(wager.events)
    settled = holds.argmax(axis=0)
    line = np.zeros(len(settled), dtype=np.int64)
    lines: list[Settled] = []
    for index, event in enumerate(wager.events):
        rows = np.flatnonzero(settled == index)
        given, member = np.unique(evaluated.values[events + index][rows], return_inverse=True)
        ordered = _stakes(event, given.tolist())
        line[rows] = len(lines) + member
        lines += [
            Settled(event.number, event.pay.text, event.pay.of(staked), staked)
            for staked in ordered
        ]
    return Classified(line[evaluated.member], tuple(lines))


def case_sql(wager: BoundWager) -> str:
    """SQL over a space's outcome table that gives the event settling each row, numbered from 1."""
    cases = (
        f"WHEN {event.when.sql(wager.constants)} THEN {event.number + 1}" for event in wager.events
    )
    return f"CASE {' '.join(cases)} END"


def _stakes(event: BoundEvent, given: Sequence[Any]) -> list[Fraction]:
    """Units at risk on a line for each value of its stake; those written, where no row has it."""
    text = event.staked.text
    with at(event.path, "staked"):
        stakes = [expressions.exact(value, text) for value in given]
        if not stakes:
            number_like = text.replace(".", "").isdigit()
            return [Fraction(text) if number_like else Fraction(1)]
        if min(stakes) < 0:
            raise DealproofError(f"{min(stakes)} units; allowed: 0 or more")
    return stakes
