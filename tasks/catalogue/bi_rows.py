"""A certificate as rows of flat tables.

Every rational is given twice: as a float under its name, and exactly, as text, under ``…_exact``.
Numbers of deals are decimal128(38, 0).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa

from engine.exact.digest import canonical_json
from engine.exact.roots import read
from engine.pricing.statistics import STATISTICS
from tasks.store.parquet import COUNT

_TEXT, _FLAG, _FLOAT, _WHOLE = pa.string(), pa.bool_(), pa.float64(), pa.int64()
_TIME = pa.timestamp("s", tz="UTC")


@dataclass(frozen=True)
class Certified:
    """What the certificate of one run says."""

    game: str
    run: str
    said: Mapping[str, Any]

    @property
    def issued(self) -> datetime:
        """When it was issued."""
        return datetime.fromisoformat(self.said["run"]["issued"])

    @property
    def rules(self) -> str:
        """The rules it holds under, as canonical JSON."""
        return canonical_json(self.said["rules"])


Row = dict[str, Any]


def _rational(name: str) -> dict[str, pa.DataType]:
    return {name: _FLOAT, f"{name}_exact": _TEXT}


def _twice(name: str, value: Mapping[str, str] | None) -> Row:
    exact = value["exact"] if value else None
    return {name: None if exact is None else float(read(exact)), f"{name}_exact": exact}


def _whole(value: Any) -> Decimal | None:
    return None if value is None else Decimal(int(value))


_ID = {"game": _TEXT, "run": _TEXT}
#: What a wager's printed figures come to.
_MET = ("printed", "tried", "met", "recovered")


#: What several bets of one strategy lose: in base units, per unit put up, per unit staked.
_TOGETHER = ("loss", "units_put_up", "edge", "units_staked", "element_of_risk")


def _runs(certified: Certified) -> Iterator[Row]:
    run = certified.said["run"]
    exhausted = [c for c in run["coverage"] if c["method"] == "exhaust"]
    yield {
        "title": certified.said["title"],
        "issued": certified.issued,
        "verdict": certified.said["verdict"],
        "certified": certified.said["verdict"].startswith("certified"),
        "methods": ", ".join(run["methods"]),
        "rules": certified.rules,
        "seed": _whole(run["seed"]),
        "rounds": _whole(run["rounds"]),
        "exhausted": _whole(sum(int(c["deals"]) for c in exhausted)),
        "exhaustible": _whole(sum(int(c["deals_total"]) for c in exhausted)),
        "version": run["software"]["version"],
        "commit": run["software"]["commit"],
        "engine_digest": run["software"]["engine_digest"],
        "environment": canonical_json(run["environment"]),
    }


def _wagers(certified: Certified) -> Iterator[Row]:
    yield from _priced(certified.said["wagers"])


def _priced(wagers: Iterable[Mapping[str, Any]]) -> Iterator[Row]:
    for wager in wagers:
        row = {
            name: wager[name]
            for name in (
                "wager", "title", "strategy", "method", "space", "basis", "priced",
            )
        }  # fmt: skip
        # Certificates of old do not name their headline.
        row |= {name: wager.get(name) for name in ("headline", "headline_reason", "case")}
        row["deals"] = _whole(wager["deals"])
        # Variants have no figures of their own, nor have old certificates.
        met = wager.get("figures") or {}
        row |= {f"figures_{name}": met.get(name) for name in _MET}
        row |= {"figures_verdict": met.get("verdict"), "edge_in_print": met.get("edge")}
        for statistic in STATISTICS:
            # Certificates of old lack the statistics that came later.
            row |= _twice(statistic.name, wager.get(statistic.name))
        yield row


def _events(certified: Certified) -> Iterator[Row]:
    yield from _lines(certified.said["wagers"])


def _lines(wagers: Iterable[Mapping[str, Any]]) -> Iterator[Row]:
    for wager in wagers:
        for line, event in enumerate(wager["events"], start=1):
            row = {name: wager[name] for name in ("wager", "strategy", "space", "basis")}
            row |= {"line": line, "event": event["event"], "pays": event["pays"]}
            # Certificates of old and events under other readings have no conditions.
            row |= {name: event.get(name) for name in ("number", "condition", "sql", "staked_sql")}
            row |= {"combinations": _whole(event["combinations"]), "deals": _whole(wager["deals"])}
            for name in ("staked", "net"):
                row |= _twice(name, event[name] and {"exact": event[name]})
            for name in ("probability", "return", "true_odds"):
                row |= _twice(name, event[name])
            yield row


def _variants(certified: Certified) -> Iterator[Row]:
    for variant in certified.said.get("variants", ()):
        key = {"rule": variant["rule"], "value": str(variant["value"])}
        yield from (key | row for row in _priced(variant["wagers"]))


def _variant_events(certified: Certified) -> Iterator[Row]:
    for variant in certified.said.get("variants", ()):
        key = {"rule": variant["rule"], "value": str(variant["value"])}
        yield from (key | row for row in _lines(variant["wagers"]))


def _strategies(certified: Certified) -> Iterator[Row]:
    for strategy in certified.said["strategies"]:
        yield {
            "strategy": strategy["name"],
            "title": strategy["title"],
            "space": strategy["space"],
            "information": ", ".join(strategy["information"]),
            "sets": strategy["sets"],
            "actions": ", ".join(strategy["actions"]),
            "digest": strategy["digest"],
            # Certificates of old have neither.
            "words": "\n".join(strategy.get("words") or ()) or None,
            "alike": strategy.get("alike"),
            **_combined(strategy.get("together") or {}),
        }


def _combined(together: Mapping[str, Any]) -> Row:
    """What the bets of a strategy lose together; NULL for one bet alone."""
    row: Row = {
        "bets": canonical_json(together["wagers"]) if together else None,
        "per_unit_of": ", ".join(together["per_unit_of"]) if "per_unit_of" in together else None,
    }
    for name in _TOGETHER:
        row |= _twice(name, together.get(name))
    return row


def _checks(certified: Certified) -> Iterator[Row]:
    for check in certified.said["checks"]:
        row = {name: check[name] for name in ("title", "required", "verdict", "coverage", "detail")}
        yield {"name": check["name"], **row}


def _covariances(certified: Certified) -> Iterator[Row]:
    for pair in certified.said["covariances"]:
        # Certificates of old do not tell the correlation.
        row = {name: pair.get(name) for name in ("wager", "other", "strategy", "correlation")}
        yield row | _twice("covariance", pair["covariance"])


def _simulated(certified: Certified) -> Iterator[Row]:
    for check in certified.said["checks"]:
        for edge in check["evidence"].get("edges", ()) if check["name"] == "simulation" else ():
            row = {name: edge[name] for name in (*_EDGE_TEXTS, *_EDGE_FLOATS)}
            row |= {"rounds": _whole(edge["rounds"]), "holds": edge["holds"]}
            yield (
                row | _twice("expected", edge["expected"]) | _twice("simulated", edge["simulated"])
            )


def _published(certified: Certified) -> Iterator[Row]:
    for figure in certified.said["published"]:
        row = {
            name: figure[name]
            for name in (
                "wager", "strategy", "event", "quantity", "printed", "source", "verdict", "reason",
            )
        }  # fmt: skip
        # Certificates of old tell no basis, and explain in the reason.
        row |= {name: figure.get(name) for name in ("basis", "refuted_because", "note")}
        yield row | {"rules": canonical_json(figure["rules"])} | _twice("ours", figure["ours"])


def _reading(reading: Mapping[str, Any], other: Mapping[str, Any]) -> Row:
    chosen = str(reading["chosen"])
    return {"rule": reading["name"], "value": str(other["value"]), "chosen": chosen}


def _reading_events(certified: Certified) -> Iterator[Row]:
    """Events under other readings, of wagers that change in nothing but their counts."""
    known = {(w["wager"], w["strategy"]): w for w in certified.said["wagers"]}
    for reading in certified.said["readings"]:
        for other in reading["alternatives"]:
            if other.get("events"):
                wager = known[other["wager"], other["strategy"]]
                same = wager["deals"] == other["deals"]
                counted = {"events": other["events"], "deals": other["deals"]}
                counted["basis"] = wager["basis"] if same else None
                yield from (
                    _reading(reading, other) | row for row in _lines([{**wager, **counted}])
                )


def _readings(certified: Certified) -> Iterator[Row]:
    for reading in certified.said["readings"]:
        for other in reading["alternatives"]:
            yield {
                **_reading(reading, other),
                "clause": reading["clause"],
                "meaning": other["meaning"],
                "wager": other["wager"],
                "strategy": other["strategy"],
                "effect": other["effect"],
                **_twice("house_edge", other["house_edge"]),
                **_twice("element_of_risk", other.get("element_of_risk")),
                **_twice("change", other["change"]),
                **_twice("paid_per_round", other.get("paid_per_round")),
            }


def _values(certified: Certified) -> Iterator[Row]:
    for table in certified.said.get("values", []):
        for group in table["groups"]:
            for action in table["actions"]:
                yield {
                    "title": table["title"],
                    "strategy": table["strategy"],
                    "information": canonical_json(group["information"]),
                    "sets": group["sets"],
                    "action": action,
                    "taken": action in group["taken"],
                    **_twice("ev_by_cards", group["ev_by_cards"][action]),
                    **_twice("probability_by_cards", group["probability_by_cards"]),
                    **_twice("ev_reached", group["ev_reached"][action]),
                    **_twice("probability_reached", group["probability_reached"]),
                }


def _distributions(certified: Certified) -> Iterator[Row]:
    for table in certified.said.get("distributions", []):
        for cell in table["cells"]:
            yield {
                "distribution": table["name"],
                "space": table["space"],
                "strategy": table["strategy"],
                "given": ", ".join(table["given"]),
                "cell": canonical_json(cell["row"] | cell["column"]),
                "combinations": _whole(cell["combinations"]),
                "deals": _whole(cell["deals"]),
                **_twice("probability", cell["probability"]),
            }


def _schema(**columns: pa.DataType) -> pa.Schema:
    return pa.schema(columns)


_WAGER: Mapping[str, pa.DataType] = dict(
    wager=_TEXT, title=_TEXT, strategy=_TEXT, method=_TEXT, space=_TEXT,
    basis=_TEXT, deals=COUNT, priced=_FLAG, headline=_TEXT, headline_reason=_TEXT,
    case=_TEXT,
    **{f"figures_{name}": _WHOLE for name in _MET}, figures_verdict=_TEXT, edge_in_print=_TEXT,
    **{name: kind for s in STATISTICS for name, kind in _rational(s.name).items()},
)  # fmt: skip
_EVENT: Mapping[str, pa.DataType] = dict(
    wager=_TEXT, strategy=_TEXT, space=_TEXT, line=_WHOLE, event=_TEXT, pays=_TEXT,
    number=_WHOLE, condition=_TEXT, sql=_TEXT, staked_sql=_TEXT,
    **_rational("staked"), **_rational("net"), combinations=COUNT, deals=COUNT, basis=_TEXT,
    **_rational("probability"), **_rational("return"), **_rational("true_odds"),
)  # fmt: skip
_EDGE_TEXTS = ("wager", "strategy", "quantity", "by")
_EDGE_FLOATS = ("standard_error", "standard_errors", "low", "high", "chance")
_VARIANT = {"rule": _TEXT, "value": _TEXT}
#: Table → its columns and the rows that one certificate adds.
TABLES: Mapping[str, tuple[pa.Schema, Callable[[Certified], Iterator[Row]]]] = {
    "runs": (
        _schema(
            **_ID, title=_TEXT, issued=_TIME, verdict=_TEXT, certified=_FLAG, methods=_TEXT,
            rules=_TEXT, seed=COUNT, rounds=COUNT, exhausted=COUNT, exhaustible=COUNT,
            version=_TEXT, commit=_TEXT, engine_digest=_TEXT, environment=_TEXT, latest=_FLAG,
        ),
        _runs,
    ),
    "wagers": (
        _schema(**_ID, **_WAGER),
        _wagers,
    ),
    "events": (
        _schema(**_ID, **_EVENT),
        _events,
    ),
    "strategies": (
        _schema(
            **_ID, strategy=_TEXT, title=_TEXT, space=_TEXT, information=_TEXT, sets=_WHOLE,
            actions=_TEXT, digest=_TEXT, words=_TEXT, alike=_TEXT, bets=_TEXT, per_unit_of=_TEXT,
            **{name: kind for figure in _TOGETHER for name, kind in _rational(figure).items()},
        ),
        _strategies,
    ),
    "checks": (
        _schema(
            **_ID, name=_TEXT, title=_TEXT, required=_FLAG, verdict=_TEXT, coverage=_TEXT,
            detail=_TEXT,
        ),
        _checks,
    ),
    "covariances": (
        _schema(
            **_ID, wager=_TEXT, other=_TEXT, strategy=_TEXT, **_rational("covariance"),
            correlation=_FLOAT,
        ),
        _covariances,
    ),
    "simulated": (
        _schema(
            **_ID, **dict.fromkeys(_EDGE_TEXTS, _TEXT), rounds=COUNT, **_rational("expected"),
            **_rational("simulated"), **dict.fromkeys(_EDGE_FLOATS, _FLOAT), holds=_FLAG,
        ),
        _simulated,
    ),
    "published": (
        _schema(
            **_ID, wager=_TEXT, strategy=_TEXT, event=_TEXT, rules=_TEXT, quantity=_TEXT,
            printed=_TEXT, source=_TEXT, basis=_TEXT, **_rational("ours"), verdict=_TEXT,
            reason=_TEXT, refuted_because=_TEXT, note=_TEXT,
        ),
        _published,
    ),
    "readings": (
        _schema(
            **_ID, **_VARIANT, chosen=_TEXT, clause=_TEXT, meaning=_TEXT, wager=_TEXT,
            strategy=_TEXT, **_rational("house_edge"), **_rational("element_of_risk"),
            **_rational("change"), **_rational("paid_per_round"), effect=_TEXT,
        ),
        _readings,
    ),
    "reading_events": (_schema(**_ID, **_VARIANT, chosen=_TEXT, **_EVENT), _reading_events),
    "action_values": (
        _schema(
            **_ID, title=_TEXT, strategy=_TEXT, information=_TEXT, sets=_WHOLE, action=_TEXT,
            taken=_FLAG, **_rational("ev_by_cards"), **_rational("probability_by_cards"),
            **_rational("ev_reached"), **_rational("probability_reached"),
        ),
        _values,
    ),
    "distributions": (
        _schema(
            **_ID, distribution=_TEXT, space=_TEXT, strategy=_TEXT, given=_TEXT, cell=_TEXT,
            combinations=COUNT, deals=COUNT, **_rational("probability"),
        ),
        _distributions,
    ),
    "variants": (_schema(**_ID, **_VARIANT, **_WAGER), _variants),
    "variant_events": (_schema(**_ID, **_VARIANT, **_EVENT), _variant_events),
}  # fmt: skip
GAMES = _schema(
    game=_TEXT, title=_TEXT, summary=_TEXT, source=_TEXT, runs=_WHOLE, latest_run=_TEXT,
    issued=_TIME, verdict=_TEXT, certified=_FLAG,
)  # fmt: skip


def table(
    runs: list[Certified],
    schema: pa.Schema,
    rows: Callable[[Certified], Iterator[Row]],
    latest: Mapping[str, Certified],
) -> pa.Table:
    """All rows that some runs add to one table."""
    rows_of_runs = []
    for run in runs:
        known = {"game": run.game, "run": run.run, "latest": latest[run.game] is run}
        rows_of_runs += [known | row for row in rows(run)]
    return pa.Table.from_pylist(rows_of_runs, schema)


def game(runs: list[Certified], latest: Certified) -> Row:
    """The row of a game: its latest run."""
    said = latest.said
    return {
        **{name: said[name] for name in ("title", "summary", "source", "verdict")},
        "game": latest.game,
        "runs": sum(run.game == latest.game for run in runs),
        "latest_run": latest.run,
        "issued": latest.issued,
        "certified": said["verdict"].startswith("certified"),
    }
