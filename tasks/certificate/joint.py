"""The best joint play of two bets as Parquet: every action of every information set, exactly.

One row per information set and action. Besides the columns of the set and its `combinations`
(deals behind it, the same for all its actions):

- `open`: whether the action may be taken; `chosen`: whether it is best for the base bet alone.
- `net_<wager>`, for the base and the side: net × combinations, an exact integer over the metadata's
  `unit`; `ev_<wager>`: the same per deal and base unit, as a float for display.
- `ev_<wager>_exact`, for every other wager that the information set settles by itself: net in base
  units as exact text; `ev_<wager>`: the same as a float.
- `best_from`, `best_to`: exact ratios of side to base between which the action is best, as text;
  `from_float`, `to_float`: the same for display. All are NULL for an action that never is; an end
  that is NULL alone is infinity. A set's break points are those of its `best_from` above its first.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa

from engine.exact.tables import Counts, Feature
from engine.studies.joint import Study
from tasks.store.parquet import counts_column, feature_column, features_json, file_bytes, ratios


def sets_bytes(study: Study, metadata: dict[str, Any]) -> bytes:
    """Write every information set and action of a study."""
    base, joint, bets = study.lines.base, study.joint, study.lines
    sets, width = bets.intercepts.shape
    columns: dict[str, Any] = {
        f.name: feature_column(f, np.repeat(base.sets[f.name], width)) for f in base.information
    }
    actions = np.tile(np.arange(width), sets)
    columns["action"] = feature_column(Feature("action", "", words=base.actions), actions)
    weight: Counts = np.repeat(base.deals, width)  # type: ignore[assignment]
    columns["combinations"] = counts_column(weight)
    columns["allowed"] = pa.array(base.allowed.ravel())
    columns["taken"] = pa.array(np.repeat(base.action, width) == actions)
    for name, worth in ((joint.base, bets.intercepts), (joint.side, bets.slopes)):
        columns[f"net_{name}"] = counts_column(worth.ravel())
        columns[f"ev_{name}"] = pa.array(ratios(worth.ravel(), weight, bets.unit))
    for name, nets in study.known.items():
        columns[f"ev_{name}_exact"] = _repeated([str(net) for net in nets], width)
        columns[f"ev_{name}"] = _repeated([float(net) for net in nets], width)
    columns |= _ranges(study)
    known = {
        "joint": joint.name,
        "base": joint.base,
        "side": joint.side,
        "unit": str(bets.unit),
        "actions": list(base.actions),
        "features": features_json(base.information),
    }
    return file_bytes(pa.table(columns), {**metadata, **known})


def _repeated(values: Sequence[str] | Sequence[float], width: int) -> pa.Array:
    """One value for each information set, on the rows of all its actions."""
    return pa.array(values).take(pa.array(np.repeat(np.arange(len(values)), width)))


def _ranges(study: Study) -> dict[str, pa.Array]:
    """Where each action is best: exact text and floats, NULL where it never is."""
    member, line, over, under = study.envelope
    rows = len(study.lines.base) * len(study.lines.base.actions)
    row = member * len(study.lines.base.actions) + line
    starts = [Fraction(a, b) for a, b in zip(over.tolist(), under.tolist(), strict=True)]
    last = np.concatenate([member[1:] != member[:-1], [True]])
    ends = [None if end else then for end, then in zip(last, [*starts[1:], None], strict=True)]
    columns = {}
    for text, number, values in (
        ("best_from", "from_float", starts),
        ("best_to", "to_float", ends),
    ):
        exact, rounded = np.full(rows, None), np.full(rows, None)
        exact[row] = [None if value is None else str(value) for value in values]
        rounded[row] = [None if value is None else float(value) for value in values]
        columns[text] = pa.array(exact, type=pa.string())
        columns[number] = pa.array(rounded, type=pa.float64())
    return columns


def pieces_bytes(study: Study, metadata: dict[str, Any]) -> bytes:
    """Write the whole game's expected loss by ratio: from `start` on it is `loss` + t × `slope`.

    Exact text, and `…_float` for display; `edge_float` is the loss per unit put up at the
    start, on those of both bets that `per_unit_of` of the metadata names (NULL where that is 0).
    """
    columns: dict[str, Any] = {}
    for at, name in enumerate(("start", "loss", "slope")):
        values = [piece[at] for piece in study.pieces]
        columns[name] = pa.array([str(value) for value in values])
        columns[f"{name}_float"] = pa.array([float(value) for value in values])
    edges = [study.edge(start) for start, _, _ in study.pieces]
    columns["edge_float"] = pa.array(
        [None if edge is None else float(edge) for edge in edges], type=pa.float64()
    )
    known = {
        "joint": study.joint.name,
        "base": study.joint.base,
        "side": study.joint.side,
        "per_unit_of": list(study.put_up),
    }
    return file_bytes(pa.table(columns), {**metadata, **known})
