"""Random rounds against the exact tables, column by column: shifts and strays are found."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.analysis.analysis import Analysis
from engine.analysis.binding import bind
from engine.exact.tables import Table
from engine.spec.loading import load_spec
from tasks.certificate import columns
from tasks.certificate.goodness_of_fit import CHANCE, detectable, rounds_for
from tasks.run.plan import ROUNDS

MAIN = ("main", None)


@pytest.fixture(scope="module")
def exact() -> Table:
    """Punto Banco's main table by points."""
    space = Analysis(bind(load_spec("punto-banco"))).game.space("main")
    names = frozenset(f"{side}_{name}" for side in ("player", "banker") for name in (
        "initial_total", "third_value", "total", "cards",
    ))  # fmt: skip
    return space.enumerate(0, space.starts, None, names)


def drawn(exact: Table, rounds: int, shares: np.ndarray | None = None) -> Table:
    """Random rounds from the exact distribution, or from another over the same rows."""
    if shares is None:
        shares = np.array([float(n) for n in exact.combinations])
    counts = np.random.default_rng(7).multinomial(rounds, shares / shares.sum())
    kept = counts > 0
    codes = {name: column[kept] for name, column in exact.codes.items()}
    return Table(exact.features, codes, counts[kept].astype(np.int64))


def least(found: columns.Columns) -> float:
    return min(test.p for test in found.tests)


def test_fair_rounds_pass(exact: Table) -> None:
    found = columns.compare({MAIN: exact}, {MAIN: drawn(exact, 1 << 26)})
    assert found.strays == ()
    assert len(found.tests) >= 8
    assert least(found) > CHANCE / len(found.tests)


def test_a_wrong_line_of_the_tableau_is_a_row_that_no_deal_gives(exact: Table) -> None:
    """Banker stands on 3 against a 9, where the tableau has them draw."""
    table = drawn(exact, 1 << 24)
    codes = {name: column.copy() for name, column in table.codes.items()}
    wrong = (codes["banker_initial_total"] == 3) & (codes["player_third_value"] == 9)
    assert wrong.any()
    codes["banker_third_value"][wrong], codes["banker_cards"][wrong] = -1, 2
    codes["banker_total"][wrong] = 3
    merged = Table.of(table.features, codes, table.combinations)
    (stray,) = columns.compare({MAIN: exact}, {MAIN: merged}).strays
    assert "a simulated row that no deal gives" in stray
    assert "banker_initial_total = 3" in stray


def test_a_shuffle_that_favours_one_value_is_found(exact: Table) -> None:
    """Player's third card is a 4 once in a thousand times more often; no wager reads the column."""
    shares = np.array([float(n) for n in exact.combinations])
    shares[exact.codes["player_third_value"] == 4] *= 1.003
    found = columns.compare({MAIN: exact}, {MAIN: drawn(exact, 1 << 28, shares)})
    worst = min(found.tests, key=lambda test: test.p)
    assert worst.p < CHANCE / len(found.tests)
    assert "player_third_value" in worst.wager


def test_what_the_rounds_can_find() -> None:
    """z of 10^-9 on both sides 6.1094, of a power of 90% 1.2816 (tables of the normal)."""
    assert detectable(1.2, ROUNDS, 1e-9) == pytest.approx(7.391 * 1.2 / math.sqrt(ROUNDS), rel=1e-4)
    assert 0.000499 < detectable(1.2, ROUNDS, 1e-9) <= 0.0005
    assert rounds_for(0.0005, 1.2, 1e-9) <= ROUNDS < rounds_for(0.00049, 1.2, 1e-9)
