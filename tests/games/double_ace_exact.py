"""What the tests of Double Ace share: its spec, solved once for each setting."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from engine.analysis.analysis import Analysis, analyse
from engine.games.double_ace.game import DoubleAce
from engine.spec.loading import load_spec

SPEC = load_spec("double-ace")
BASE = SPEC.wager("base")


@cache
def analysed(**changes: int | str) -> Analysis:
    return analyse(SPEC.under(changes))


def game_of(analysis: Analysis) -> DoubleAce:
    assert isinstance(analysis.game, DoubleAce)
    return analysis.game


def edge(strategy: str = "optimal", **changes: int | str) -> Fraction:
    return analysed(**changes).price("base", strategy).priced.house_edge
