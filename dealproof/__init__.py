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
    from engine.analysis import Analysis, Result, analyse
    from engine.binding import bind
    from engine.errors import DealproofError
    from engine.explain import ExplainedEvent, Explanation, Sample, explain, sample
    from engine.loading import catalogue, with_wagers
    from engine.loading import load_spec as load
    from engine.pricing import Line, Priced
    from engine.program import BoundStrategy, BoundWager, Program
    from engine.spec import Spec
    from engine.strategy import Strategy
    from engine.tables import Table

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
    "engine.analysis": ("Analysis", "Result", "analyse"),
    "engine.binding": ("bind",),
    "engine.errors": ("DealproofError",),
    "engine.explain": ("ExplainedEvent", "Explanation", "Sample", "explain", "sample"),
    "engine.loading": ("catalogue", "with_wagers"),
    "engine.pricing": ("Line", "Priced"),
    "engine.program": ("BoundStrategy", "BoundWager", "Program"),
    "engine.spec": ("Spec",),
    "engine.strategy": ("Strategy",),
    "engine.tables": ("Table",),
}


def __getattr__(name: str) -> Any:
    """Import a public name at its first use."""
    module, wanted = next((m for m, names in _MODULES.items() if name in names), None), name
    if name == "load":
        module, wanted = "engine.loading", "load_spec"
    if module is None:
        raise AttributeError(f"module 'dealproof' has no attribute {name!r}")
    value = getattr(importlib.import_module(module), wanted)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return sorted(__all__)
