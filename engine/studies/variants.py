"""A game under other settings, priced beside the one that is certified.

A rule of the spec names them (`also`): the deck counts that a game is dealt with, say. Each is an
exact analysis of its own; it is not a reading. A run exhausts a sample of each, and simulates none.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.analysis.analysis import Analysis, analyse
from engine.contract.game import RuleValue
from engine.spec.model import Spec
from engine.studies.agreement import Change


@dataclass(frozen=True)
class Setting:
    """One rule at another value, every other rule as certified, with all wagers priced."""

    rule: str
    value: RuleValue
    analysis: Analysis


def variants(spec: Spec) -> tuple[Change, ...]:
    """Every other setting that a spec is priced under beside its own, as (rule, value)."""
    return tuple((rule.name, value) for rule in spec.rules for value in rule.beside)


def beside(spec: Spec) -> tuple[Setting, ...]:
    """Price a spec under every setting that its rules name, one change at a time."""
    return tuple(Setting(*change, analyse(spec.under(dict([change])))) for change in variants(spec))
