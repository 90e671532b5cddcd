"""A game under other settings, priced beside the one that is certified.

A rule of the spec names them (`also`): the deck counts that a game is dealt with, say. Each is an
exact analysis of its own; it is no reading, and nothing is exhausted or simulated for it.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.analysis import Analysis, analyse_exactly
from engine.game import RuleValue
from engine.spec import Spec


@dataclass(frozen=True)
class Setting:
    """One rule at another value, every other rule as certified, with all wagers priced."""

    rule: str
    value: RuleValue
    analysis: Analysis


def beside(spec: Spec) -> tuple[Setting, ...]:
    """Price a spec under every setting that its rules name, one change at a time."""
    return tuple(
        Setting(rule.name, value, analyse_exactly(spec.under({rule.name: value})))
        for rule in spec.rules
        for value in rule.beside
    )
