"""Variants: a game at other values of a rule, priced beside the one that is certified.

A rule of the spec lists them (`variants`): the deck counts that a game is dealt with, say. Each is
an exact analysis by itself; it is not a reading. A run exhausts a sample of each, and simulates
none.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.analysis.analysis import Analysis, analyse
from engine.contract.game import RuleValue
from engine.spec.model import Spec
from engine.studies.agreement import Change


@dataclass(frozen=True)
class Variant:
    """One rule at another value, every other rule as certified, with all wagers priced."""

    rule: str
    value: RuleValue
    analysis: Analysis


def variants(spec: Spec) -> tuple[Change, ...]:
    """Every variant that a spec is priced under, as (rule, value)."""
    return tuple((rule.name, value) for rule in spec.rules for value in rule.variant_values)


def priced_variants(spec: Spec) -> tuple[Variant, ...]:
    """Price a spec under every variant that its rules name, one change at a time."""
    return tuple(Variant(*change, analyse(spec.under(dict([change])))) for change in variants(spec))
