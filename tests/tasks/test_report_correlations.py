"""Correlation matrices on the page."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from engine.spec.loading import load_spec
from tasks.certificate.model import Covariance, Exact
from tasks.report import correlations

SPEC = load_spec("fu-bacc")
ROOT = Path(__file__).parents[2]


def test_correlations_follow_from_covariances(statement: dict[str, Any]) -> None:
    said = statement["predicate"]
    variances = {(w["wager"], w["strategy"]): Fraction(w["variance"]["exact"])
                 for w in said["wagers"]}  # fmt: skip
    both = [c for c in said["covariances"] if c["strategy"] == "ante and tie"
            and {c["wager"], c["other"]} == {"ante", "tie"}]  # fmt: skip
    (pair,) = both
    product = variances["ante", "ante and tie"] * variances["tie", "ante and tie"]
    square = Fraction(pair["covariance"]["exact"]) ** 2 / product
    assert pair["correlation"] ** 2 == pytest.approx(float(square), rel=1e-12)
    assert (pair["correlation"] > 0) is (Fraction(pair["covariance"]["exact"]) > 0)


def _pairs(names: str, value: str = "1/2") -> list[Covariance]:
    covariance = Exact(exact=value, decimal="0.0")
    return [
        Covariance(
            wager=one, other=other, strategy=None, covariance=covariance,
            correlation=float(Fraction(value)),
        )
        for n, one in enumerate(names) for other in names[n + 1 :]
    ]  # fmt: skip


def test_a_matrix_has_every_related_pair_once_in_blocks_that_fit() -> None:
    names = [chr(ord("A") + n) for n in range(26)] + [chr(ord("a") + n) for n in range(10)]
    (unrelated,) = _pairs("Az", "0")
    items = [*_pairs("".join(names[:30])), unrelated, *_pairs("efg")]
    titles = {name: f"Bet {name}" for name in dict.fromkeys((*names, "z"))}
    big, small = correlations.matrices(titles, items)
    cells = [cell for block in big.blocks for _, _, row in block.rows for cell in row if cell]
    assert cells == [".50"] * (30 * 29 // 2)
    assert max(len(block.heads) for block in big.blocks) == correlations.ACROSS
    assert (big.first, big.alone) == ("Bet A", ("Bet z",))
    assert [(one, two) for one, two, _ in small.pairs] == [
        ("Bet e", "Bet f"), ("Bet e", "Bet g"), ("Bet f", "Bet g"),
    ]  # fmt: skip
    assert correlations.correlation(unrelated) == "0"
    assert correlations.correlation(_pairs("xy", "-1/1000")[0]) == "−.00"
