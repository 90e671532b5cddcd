"""The games: one folder each, with a referee, an enumeration and the spaces they fill.

A folder's `__init__` exports `PARAMETERS`, the rules its engine reads, and `build(settings)`,
which makes a `Game`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from typing import Protocol, cast

from engine.contract.game import Game, Parameter, RuleValue
from engine.exact.errors import DealproofError, nearest


class Engine(Protocol):
    """What a game's folder exports."""

    PARAMETERS: tuple[Parameter, ...]

    def build(self, settings: Mapping[str, RuleValue]) -> Game:
        """Make the game under one setting of its rules."""


def engines() -> tuple[str, ...]:
    """Names of all engines, as a spec writes them."""
    return tuple(
        sorted(m.name.replace("_", "-") for m in pkgutil.iter_modules(__path__) if m.ispkg)
    )


def engine(name: str) -> Engine:
    """Load one engine by name; raise DealproofError with the known ones."""
    if name not in engines():
        raise DealproofError(f"engine = '{name}': {nearest(name, engines())}")
    return cast(Engine, importlib.import_module(f"{__name__}.{name.replace('-', '_')}"))
