"""Where a player decides: what they know, what they may do, and what decides in a space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Decision:
    """Where a player decides in a space: what they know, and what they may do.

    `information` names the columns that make an information set; `actions` the words of the
    column ``action`` in the order that breaks ties. With `tabulated` every action stands in the
    space's tables and any strategy can be applied to them; otherwise the space solves for itself
    and its tables hold one strategy. Without `suits` what they know are ranks alone.

    An information set may stand for many hands of cards: `alike` says which it does not tell
    apart, and `hands` is the number of all hands where each comes in equally many deals, else 0.
    `settles` names columns beside the information that an action settles for certain; `noun` is
    what a player calls an action, `knows` what they see, in words.
    """

    information: tuple[str, ...]
    actions: tuple[str, ...]
    tabulated: bool = True
    suits: bool = True
    alike: str = ""
    hands: int = 0
    settles: tuple[str, ...] = ()
    noun: str = "action"
    knows: str = "their own cards"


class Deciding(Protocol):
    """What a strategy asks of the space that it decides in."""

    name: str
    decision: Decision | None
