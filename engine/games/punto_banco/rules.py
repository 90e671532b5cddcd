"""The rules of Punto Banco as plain numbers; the drawing tableau itself stands in the referee."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.contract.game import RuleValue
from engine.contract.shared import POINTS, STARTS, Shared


class Rules(NamedTuple):
    """One setting of the rules."""

    decks: int = 8

    @classmethod
    def of(cls, rule_values: Mapping[str, RuleValue]) -> Rules:
        """Read a spec's values of its rules."""
        return cls(decks=int(rule_values["decks"]))


#: Every deal is weighted to this many cards, whether the tableau uses four, five or six.
DEAL = 6
#: Stands for "no third card" where a point value is meant.
NONE = -1


#: What both methods use; see `engine.contract.shared`.
SHARED = (
    Shared(
        "words",
        "engine.games.punto_banco.rules",
        "The number of decks, and that every deal is weighed to six cards.",
        {"cards of a deal": 6},
    ),
    Shared(
        "columns",
        "engine.games.punto_banco.columns",
        "The names of the columns and the words that they say.",
        {"columns": 2 * 12 + 2},
    ),
    POINTS,
    STARTS,
)


def shared_counts() -> dict[str, int]:
    """What can be counted in this module, for `Shared.counts`."""
    return {"cards of a deal": DEAL}
