"""The data set of a joint study, read as a stranger reads it."""

from __future__ import annotations

import io
import json
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engine.analysis.analysis import Analysis, analyse
from engine.spec.model import Spec
from engine.studies.joint import Study, study
from tasks.certificate.joint import pieces_bytes, sets_bytes


@pytest.fixture(scope="module")
def worked_out(spec: Spec) -> tuple[Analysis, Study]:
    analysis = analyse(spec)
    return analysis, study(analysis, next(iter(analysis.program.joints.values())))


def read(data: bytes) -> tuple[pa.Table, dict[str, Any]]:
    table = pq.read_table(io.BytesIO(data))
    return table, json.loads(table.schema.metadata[b"dealproof"])


def test_every_action_is_best_between_its_ratios(worked_out: tuple[Analysis, Study]) -> None:
    _, joint = worked_out
    table, text = read(sets_bytes(joint, {"game": "fu-bacc"}))
    assert (text["game"], text["base"], text["side"]) == ("fu-bacc", "ante", "tie")
    sets: dict[tuple[object, ...], list[dict[str, Any]]] = {}
    for row in table.to_pylist():
        key = tuple(row[feature["name"]] for feature in text["features"])
        sets.setdefault(key, []).append(row)
    assert len(sets) * len(text["actions"]) == len(table)
    bends = 0
    for rows in sets.values():
        open_ = [row for row in rows if row["allowed"]]
        ever = [row for row in open_ if row["best_from"] is not None]
        bends += len(ever) - 1
        for row in ever:
            start = Fraction(str(row["best_from"]))
            end = start + 1 if row["best_to"] is None else Fraction(str(row["best_to"]))
            assert start < end
            for ratio in (start, (start + end) / 2, end):
                worth = [Fraction(r["net_ante"]) + ratio * Fraction(r["net_tie"]) for r in open_]
                mine = Fraction(row["net_ante"]) + ratio * Fraction(row["net_tie"])
                assert mine == max(worth)
    assert bends == len(joint.ratios)


def test_worths_add_up_to_the_certified_edges(worked_out: tuple[Analysis, Study]) -> None:
    analysis, joint = worked_out
    table, text = read(sets_bytes(joint, {}))
    chosen = [row for row in table.to_pylist() if row["taken"]]
    deals = sum(row["combinations"] for row in chosen)
    net = Fraction(int(sum(row["net_ante"] for row in chosen)), int(text["unit"]) * int(deals))
    assert -net == analysis.price("ante", "optimal").priced.house_edge
    row = chosen[7]
    assert row["ev_ante"] == int(row["net_ante"]) / (int(text["unit"]) * int(row["combinations"]))


def test_pieces_are_the_studys_own(worked_out: tuple[Analysis, Study]) -> None:
    _, joint = worked_out
    table, text = read(pieces_bytes(joint, {}))
    assert text["joint"] == joint.joint.name
    exact = [
        tuple(Fraction(row[name]) for name in ("start", "loss", "slope"))
        for row in table.to_pylist()
    ]
    assert exact == list(joint.pieces)
