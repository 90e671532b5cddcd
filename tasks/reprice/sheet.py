"""The spec as the run's files have it: rules, wagers, and what their pay-offs come to."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import Any

Rules = Mapping[str, int | str]


def number(value: Any) -> Any:
    """A number of the spec's JSON, where decimals are ``{"exact": "3/2"}``."""
    return Fraction(value["exact"]) if isinstance(value, Mapping) else value


@dataclass(frozen=True)
class Event:
    """One line of a pay table, `number` from 1: condition and stake as written, and its pay-off."""

    number: int
    name: str
    when: str
    staked: Any
    pays: Any
    under: str

    def net(self, staked: Fraction, rules: Rules) -> Fraction:
        """Net in base units with so many at risk."""
        if isinstance(self.pays, (int, Fraction)):
            return Fraction(self.pays)
        text = self.pays.strip().lower()
        if text in ("push", "lose"):
            return Fraction(0) if text == "push" else -staked
        won, style, of = re.split(r"\s*(\bto\b|\bfor\b|:)\s*", text, maxsplit=1)
        ratio = amount(won, rules) / amount(of, rules)
        return staked * (ratio - 1 if style == "for" else ratio)


def amount(text: str, rules: Rules) -> Fraction:
    """A sum of products of numbers and of rules by their names: ``2500 - kept * seats``."""
    total, sign = Fraction(), 1
    for part in re.split(r"([-+])", text):
        if part in "-+" and part:
            sign = -1 if part == "-" else 1
        elif part.strip():
            words = [word.strip() for word in part.split("*")]
            total += sign * prod((_factor(word, rules) for word in words), start=Fraction(1))
    return total


def _factor(word: str, rules: Rules) -> Fraction:
    return Fraction(rules[word]) if word in rules else Fraction(word.replace(",", ""))


@dataclass(frozen=True)
class Wager:
    """A wager as written; `priced`: whether it has a pay table."""

    name: str
    events: tuple[Event, ...]
    priced: bool
    recovered_from: tuple[str, ...]


@dataclass(frozen=True)
class Sheet:
    """A game's spec: `raw` is the whole of it."""

    raw: Mapping[str, Any]
    rules: Rules
    wagers: Mapping[str, Wager]

    @classmethod
    def of(cls, text: str) -> Sheet:
        """Read ``spec.json`` of a run."""
        raw = json.loads(text)
        return cls(
            raw,
            {rule["name"]: rule["value"] for rule in raw["rules"]},
            {wager["name"]: _wager(wager) for wager in raw["wagers"]},
        )

    def under(self, rule: str, value: int | str) -> Sheet:
        """The same with one rule at another value."""
        return replace(self, rules={**self.rules, rule: value})

    def strategy(self, name: str) -> Mapping[str, Any]:
        """A strategy as written."""
        return next(entry for entry in self.raw["strategies"] if entry["name"] == name)


def _wager(raw: Mapping[str, Any]) -> Wager:
    events = tuple(
        Event(
            index, event["event"], event["when"], number(event["staked"]), number(event["pays"]),
            event["under"],
        )
        for index, event in enumerate(raw["events"], start=1)
    )  # fmt: skip
    return Wager(raw["name"], events, raw["priced"], tuple(raw["recovered_from"]))
