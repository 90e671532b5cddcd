"""Which event of a wager settles which row, for how much; and mistakes in how it is written."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine import pays, predicates
from engine.errors import DealproofError
from engine.game import RuleValue
from engine.grammar import Scope
from engine.rendering import count, plain
from engine.spec import Wager
from engine.tables import Codes, Feature, Table

#: Combinations of values that a condition is tried on beside the rows of a table.
PRODUCT = 1_000_000


class Settled(NamedTuple):
    """How a line settles: index of its event, pay-off as written, net and stake in base units."""

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


def scope_of(table: Table, constants: Mapping[str, RuleValue]) -> Scope:
    """Names that a wager on this table may use."""
    return Scope(table.features, constants)


def expressions_of(wager: Wager, scope: Scope) -> list[predicates.Expression]:
    """Guard a wager's predicates, then its stakes, in event order; errors name the event."""
    guarded = []
    for key in ("when", "staked"):
        for event in wager.events:
            text = plain(getattr(event, key))
            try:
                guarded.append(predicates.guard(text, scope))
            except DealproofError as error:
                raise DealproofError(_place(wager, event.event, key) + str(error)) from None
    return guarded


def _place(wager: Wager, event: str, key: str) -> str:
    return f"wagers[{wager.name}].events[{event}].{key}: "


def standing(wager: Wager, constants: Mapping[str, RuleValue]) -> tuple[Wager, tuple[int, ...]]:
    """Keep the lines of a pay table that stand under these rules; tell their places in it."""
    kept = []
    for place, event in enumerate(wager.events):
        try:
            if event.under == "true" or predicates.holds(event.under, constants):
                kept.append(place)
        except DealproofError as error:
            raise DealproofError(_place(wager, event.event, "under") + str(error)) from None
    if not kept:
        raise DealproofError(f"wagers[{wager.name}].events: none stands under these rules")
    events = tuple(wager.events[place] for place in kept)
    return wager.model_copy(update={"events": events}), tuple(kept)


def pay_of(wager: Wager, constants: Mapping[str, RuleValue]) -> list[pays.Pay]:
    """Read a wager's pay-offs; refuse a table that mixes "to" and "for"."""
    parsed = []
    for event in wager.events:
        try:
            parsed.append(pays.parse(event.pays, constants))
        except DealproofError as error:
            raise DealproofError(_place(wager, event.event, "pays") + str(error)) from None
    if {"to", "for"} <= {pay.style for pay in parsed}:
        raise DealproofError(
            f"wagers[{wager.name}].events: pays mixes 'to' (profit) and 'for' (stake included); "
            "write one of them throughout"
        )
    return parsed


def _holding(
    wager: Wager, table: Table, constants: Mapping[str, RuleValue]
) -> tuple[NDArray[np.bool_], predicates.Evaluated]:
    """Evaluate a wager's events: which hold on which distinct row, shape (events, distinct)."""
    guarded = expressions_of(wager, scope_of(table, constants))
    try:
        evaluated = predicates.evaluate(table, guarded, constants)
    except DealproofError:
        _blame(wager, guarded, table, constants)
        raise
    held = []
    for index, event in enumerate(wager.events):
        try:
            held.append(predicates.booleans(evaluated, index, event.when))
        except DealproofError as error:
            raise DealproofError(_place(wager, event.event, "when") + str(error)) from None
    holds = np.stack(held)
    uncovered = np.flatnonzero(~holds.any(axis=0)) if len(table) else np.zeros(0, dtype=np.int64)
    if len(uncovered):
        row = table.row(int(evaluated.example[uncovered[0]]))
        told = ", ".join(f"{name} = {value}" for name, value in row.items())
        raise DealproofError(
            f"wagers[{wager.name}].events: {_kinds(len(uncovered))} covered by no event, "
            f'for example {told}; add a last event with when = "true"'
        )
    return holds, evaluated


def _blame(
    wager: Wager,
    guarded: Sequence[predicates.Expression],
    table: Table,
    constants: Mapping[str, RuleValue],
) -> None:
    """Evaluate a wager's expressions one by one, so that the error names the one at fault."""
    places = [(event, key) for key in ("when", "staked") for event in wager.events]
    for (event, key), expression in zip(places, guarded, strict=True):
        try:
            predicates.evaluate(table, [expression], constants)
        except DealproofError as error:
            raise DealproofError(_place(wager, event.event, key) + str(error)) from None


def _kinds(number: int) -> str:
    return "1 kind of row is" if number == 1 else f"{count(number)} kinds of row are"


def check(
    wager: Wager,
    table: Table,
    constants: Mapping[str, RuleValue],
    strict: bool,
    own: bool = False,
) -> None:
    """Validate a wager against all rows that a space can give.

    Every row has to be covered; an event that earlier ones leave nothing for is an error; with
    `strict` one that can never happen is an error too. A stranger's `own` wager may not have one
    that no values of its columns meet, whatever the rules. Raises DealproofError.
    """
    wager, _ = standing(wager, constants)
    pay_of(wager, constants)
    holds, _ = _holding(wager, table, constants)
    first = holds.argmax(axis=0)
    for index, event in enumerate(wager.events):
        if np.any(first == index):
            continue
        if holds[index].any():
            raise DealproofError(
                _place(wager, event.event, "when") + "earlier events leave nothing for it"
            )
        if strict or (own and _nowhere(event.when, table.features, constants)):
            raise DealproofError(_place(wager, event.event, "when") + "it can never happen")


def _nowhere(text: str, features: Sequence[Feature], constants: Mapping[str, RuleValue]) -> bool:
    """Whether a condition that names no rule fails for all values that its columns may hold.

    False too where that would take too long to tell.
    """
    named = predicates.guard(text, Scope(tuple(features), constants)).names
    mine = [feature for feature in features if feature.name in named]
    shape = [feature.size for feature in mine]
    if len(mine) < len(named) or math.prod(shape) > PRODUCT:
        return False
    places = np.indices(shape).reshape(len(mine), -1)
    codes = {f.name: f.first + column for f, column in zip(mine, places, strict=True)}
    every = Table(tuple(mine), codes, np.ones(math.prod(shape), dtype=np.int64))
    try:
        return not predicates.mask(text, every, constants).any()
    except DealproofError:
        return False


def classify(wager: Wager, table: Table, constants: Mapping[str, RuleValue]) -> Classified:
    """Find the line that settles every row of a table. Raises DealproofError."""
    wager, places = standing(wager, constants)
    holds, evaluated = _holding(wager, table, constants)
    paid = pay_of(wager, constants)
    events = len(wager.events)
    settled = holds.argmax(axis=0)
    line = np.zeros(len(settled), dtype=np.int64)
    described: list[Settled] = []
    for event, pay in enumerate(paid):
        text = plain(wager.events[event].staked)
        rows = np.flatnonzero(settled == event)
        given = np.array(evaluated.values[events + event], dtype=object)[rows]
        place = _place(wager, wager.events[event].event, "staked")
        try:
            stakes = {value: predicates.exact(value, text) for value in set(given)}
        except DealproofError as error:
            raise DealproofError(place + str(error)) from None
        if not stakes:
            number_like = text.replace(".", "").isdigit()
            stakes = {None: Fraction(text) if number_like else Fraction(1)}
        ordered = sorted(set(stakes.values()))
        if ordered[0] < 0:
            raise DealproofError(f"{place}{ordered[0]} units; allowed: 0 or more")
        number = {stake: len(described) + k for k, stake in enumerate(ordered)}
        line[rows] = [number[stakes[value]] for value in given]
        described += [
            Settled(places[event], pay.text, pay.of(staked), staked) for staked in ordered
        ]
    return Classified(line[evaluated.member], tuple(described))
