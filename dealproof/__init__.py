"""Exact mathematics of casino table games, from Python.

`load` reads a game of the catalogue or a TOML file, `bind` resolves its names against the game, and
an `Analysis` works out what it is asked for, once:

    from dealproof import Analysis, bind, explain, load

    game = Analysis(bind(load("fu-bacc")))
    ante = game.price("ante")                  # a Result: .house_edge, .priced.lines, .priced.rtp
    game.price("ante", "published")            # under another strategy
    game.strategy("optimal")                   # solved: .action_at({...}), .actions
    game.table("starts")                       # distinct rows with exact combinations
    explain(game, "ante").event("Fold").rows() # the rows behind a count

Numbers are `int` and `fractions.Fraction`. `load(…).under({"decks": 6})` plays by another rule, and
`with_wagers` adds the bets of a file. Whatever a user can get wrong raises `DealproofError`, in one
line that names file, key and allowed values.

Names are imported when they are first used, so that `import dealproof` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.analysis.analysis import Analysis, Result, analyse
    from engine.analysis.binding import bind
    from engine.contract.strategy import Strategy
    from engine.exact.errors import DealproofError
    from engine.exact.tables import Table
    from engine.pricing.pricer import Line, Priced
    from engine.program.bound import BoundStrategy, BoundWager, Program
    from engine.spec.loading import catalogue, with_wagers
    from engine.spec.loading import load_spec as load
    from engine.spec.model import Spec
    from engine.studies.explain import ExplainedEvent, Explanation, Sample, explain, sample

__all__ = [
    "Analysis",
    "BoundStrategy",
    "BoundWager",
    "DealproofError",
    "ExplainedEvent",
    "Explanation",
    "Line",
    "Priced",
    "Program",
    "Result",
    "Sample",
    "Spec",
    "Strategy",
    "Table",
    "analyse",
    "bind",
    "catalogue",
    "explain",
    "load",
    "sample",
    "with_wagers",
]

#: Where each public name comes from.
_MODULES = {
    "engine.analysis.analysis": ("Analysis", "Result", "analyse"),
    "engine.analysis.binding": ("bind",),
    "engine.exact.errors": ("DealproofError",),
    "engine.studies.explain": ("ExplainedEvent", "Explanation", "Sample", "explain", "sample"),
    "engine.spec.loading": ("catalogue", "with_wagers"),
    "engine.pricing.pricer": ("Line", "Priced"),
    "engine.program.bound": ("BoundStrategy", "BoundWager", "Program"),
    "engine.spec.model": ("Spec",),
    "engine.contract.strategy": ("Strategy",),
    "engine.exact.tables": ("Table",),
}


def __getattr__(name: str) -> Any:
    """Import a public name at its first use."""
    module, wanted = next((m for m, names in _MODULES.items() if name in names), None), name
    if name == "load":
        module, wanted = "engine.spec.loading", "load_spec"
    if module is None:
        raise AttributeError(f"module 'dealproof' has no attribute {name!r}")
    value = getattr(importlib.import_module(module), wanted)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return sorted(__all__)
