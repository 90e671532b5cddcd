"""In which deals a source counts: a space knows its bases, and a printed table is in one of them.

A count out of all deals of a space is the same share of the deals in any other basis. What a
source prints is compared in the basis that it names, that its total has, or that its counts have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.exact.errors import DealproofError
from engine.exact.rendering import count
from engine.studies.printed import Printed


def in_basis(number: int, deals: int, basis: int) -> int:
    """Convert a count out of `deals` to a basis of `basis` deals; inexact is an error."""
    converted = Fraction(number * basis, deals)
    if converted.denominator != 1:
        raise DealproofError(f"{number} of {deals} deals is not a whole number out of {basis}")
    return int(converted)


@dataclass(frozen=True)
class Count:
    """A printed count, and ours: `share` of all deals. `total`: it is the number of all deals."""

    printed: Printed
    share: Fraction
    total: bool

    def met(self, basis: int) -> bool:
        """Whether it is printed as it is in a basis: in all its digits, or a spreadsheet's 15."""
        ours = self.share * basis
        return self.printed.value == ours or self.printed.is_of_spreadsheet(ours)


def source_basis(
    counts: Sequence[Count], bases: Mapping[str, int], basis: str, stated: bool
) -> str | None:
    """Find the basis of one printed table: a source counts all of it in one.

    It is the one that the printed total has; without a total that which most counts are met in,
    `basis` first. None: the printed total is not a known one, and the wager does not say (`stated`)
    in what it is counted.
    """
    ordered = [basis, *(name for name in bases if name != basis)]
    totals = [c for c in counts if c.total]
    for name in ordered:
        if any(c.met(bases[name]) for c in totals):
            return name
    if totals and not stated:
        return None
    return max(ordered, key=lambda name: sum(c.met(bases[name]) for c in counts))


def listed(bases: Mapping[str, int]) -> str:
    """All bases of a space in words."""
    return ", ".join(f"{count(deals)} {name}" for name, deals in bases.items())
