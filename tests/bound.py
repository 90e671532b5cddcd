"""Wagers bound to a bare table, without a game."""

from __future__ import annotations

from collections.abc import Mapping

from engine.analysis.binding import bind_wager
from engine.contract.game import RuleValue, Space
from engine.contract.strategy import Strategy
from engine.exact.tables import Table
from engine.program.bound import BoundWager
from engine.spec.model import Wager


class TableSpace(Space):
    """A space that is nothing but a table."""

    name, title = "table", "A table"

    def __init__(self, table: Table) -> None:
        self.table, self.features, self.deals, self.starts = table, table.features, table.deals, 1
        self.denominators = {"deals": table.deals}

    def deals_in(self, lo: int, hi: int) -> int:
        """All of them."""
        return self.deals * (hi - lo)

    def enumerate(
        self,
        lo: int,
        hi: int,
        strategy: Strategy | None = None,
        wanted: frozenset[str] | None = None,
    ) -> Table:
        """The table itself."""
        return self.table

    def exhaust(
        self,
        lo: int,
        hi: int,
        strategy: Strategy | None = None,
        wanted: frozenset[str] | None = None,
    ) -> Table:
        """The table itself."""
        return self.table


def bound(
    wager: Wager, table: Table, constants: Mapping[str, RuleValue] | None = None
) -> BoundWager:
    """Bind a wager to a table."""
    return bind_wager(wager, TableSpace(table), constants)
