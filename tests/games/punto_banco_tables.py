"""What the tests of Punto Banco share: its game, whole tables, and counts of their rows."""

from __future__ import annotations

import functools

import numpy as np

from engine.contract.game import Wanted
from engine.exact.tables import Table
from engine.games import punto_banco
from engine.games.punto_banco.game import PuntoBanco

POINTS_ONLY = frozenset(
    f"{side}_{column}"
    for side in ("player", "banker")
    for column in ("total", "cards", "initial_total", "natural", "third_value")
) | {"winner", "margin"}
PAIRS = POINTS_ONLY | {
    f"{side}_{column}"
    for side in ("player", "banker")
    for column in ("pair", "pair_rank", "suited_pair")
}
#: Banker's draws as a rule card prints them (the Dai Bacc rack card): total → third cards drawn on.
RACK_CARD = {
    6: {6, 7}, 5: {4, 5, 6, 7}, 4: {2, 3, 4, 5, 6, 7}, 3: {0, 1, 2, 3, 4, 5, 6, 7, 9},
    2: set(range(10)), 1: set(range(10)), 0: set(range(10)), 7: set(),
}  # fmt: skip


def game(decks: int = 8) -> PuntoBanco:
    """Punto Banco with some decks."""
    made = punto_banco.build({"decks": decks})
    assert isinstance(made, PuntoBanco)
    return made


@functools.lru_cache(maxsize=16)
def whole(decks: int, wanted: Wanted) -> Table:
    """The whole table of some columns, enumerated once."""
    main = game(decks).main
    return main.enumerate(0, main.starts, wanted=wanted)


def counted(table: Table, **values: str | int) -> int:
    """Deals of the rows with these readable values."""
    rows = np.ones(len(table), dtype=bool)
    for name, value in values.items():
        rows &= table.codes[name] == table.feature(name).code(value)
    return int(table.where(rows).deals)
