"""The games: one folder each, with a referee, an enumeration and the spaces they fill.

A folder's `__init__` exports `RULE_SPECS`, the rules that the family reads, and
`build(rule_values)`, which makes a `Game`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from typing import Protocol, cast

from engine.contract.game import Game, RuleSpec, RuleValue
from engine.exact.errors import DealproofError, nearest


class Family(Protocol):
    """A family of games, which is played by one referee: what its folder exports."""

    RULE_SPECS: tuple[RuleSpec, ...]

    def build(self, rule_values: Mapping[str, RuleValue]) -> Game:
        """Make the game under one setting of its rules."""


def families() -> tuple[str, ...]:
    """Names of all families, as a spec writes them."""
    return tuple(
        sorted(m.name.replace("_", "-") for m in pkgutil.iter_modules(__path__) if m.ispkg)
    )


def family(name: str) -> Family:
    """Load one family by name; raise DealproofError with the known ones."""
    if name not in families():
        raise DealproofError(f"family = '{name}': {nearest(name, families())}")
    return cast(Family, importlib.import_module(f"{__name__}.{name.replace('-', '_')}"))
