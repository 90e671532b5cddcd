"""A certificate as rows of flat tables.

Every rational is given twice: as a float under its name, and exactly, as text, under ``…_exact``.
Numbers of deals are decimal128(38, 0).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pyarrow as pa

from engine.exact.digest import canonical_json
from engine.pricing.statistics import STATISTICS
from tasks.certificate.model import (
    Alternative,
    Certificate,
    CertifiedWager,
    Event,
    Exact,
    Line,
    Reading,
    SimulatedEdge,
    Together,
    WagerFields,
)
from tasks.store.parquet import COUNT

_TEXT, _FLAG, _FLOAT, _WHOLE = pa.string(), pa.bool_(), pa.float64(), pa.int64()
_TIME = pa.timestamp("s", tz="UTC")


@dataclass(frozen=True)
class Certified:
    """What the certificate of one run says."""

    game: str
    run: str
    certificate: Certificate

    @property
    def issued(self) -> datetime:
        """When it was issued."""
        return self.certificate.run.issued

    @property
    def rules(self) -> str:
        """The rules it holds under, as canonical JSON."""
        return canonical_json(dict(self.certificate.rules))


Row = dict[str, Any]


def _rational(name: str) -> dict[str, pa.DataType]:
    return {name: _FLOAT, f"{name}_exact": _TEXT}


def _twice(name: str, value: Exact | None) -> Row:
    if value is None:
        return {name: None, f"{name}_exact": None}
    return {name: float(value.value), f"{name}_exact": value.exact}


def _whole(value: int | None) -> Decimal | None:
    return None if value is None else Decimal(value)


_ID = {"game": _TEXT, "run": _TEXT}
#: What a wager's printed figures come to.
_MET = ("printed", "tried", "met", "recovered")


#: How an event is written, and what it is compiled to.
_CONDITION = ("number", "condition", "sql", "staked_sql")
#: What several bets of one strategy lose: in base units, per unit put up, per unit staked.
_TOGETHER = ("loss", "units_put_up", "edge", "units_staked", "element_of_risk")


def _runs(certified: Certified) -> Iterator[Row]:
    run = certified.certificate.run
    exhausted = [c for c in run.coverage if c.method == "exhaust"]
    yield {
        "title": certified.certificate.title,
        "issued": certified.issued,
        "verdict": certified.certificate.verdict,
        "certified": certified.certificate.verdict.startswith("certified"),
        "methods": ", ".join(run.methods),
        "rules": certified.rules,
        "seed": _whole(run.seed),
        "rounds": _whole(run.rounds),
        "exhausted": _whole(sum(c.deals for c in exhausted)),
        "exhaustible": _whole(sum(c.deals_total or c.deals for c in exhausted)),
        "version": run.software.version,
        "commit": run.software.commit,
        "engine_digest": run.software.engine_digest,
        "environment": canonical_json(run.environment.model_dump()),
    }


def _wagers(certified: Certified) -> Iterator[Row]:
    yield from _priced(certified.certificate.wagers)


def _priced(wagers: Iterable[WagerFields]) -> Iterator[Row]:
    for wager in wagers:
        row = {
            name: getattr(wager, name)
            for name in (
                "wager", "title", "strategy", "method", "space", "basis", "priced", "headline",
                "headline_reason", "case",
            )
        }  # fmt: skip
        row["deals"] = _whole(wager.deals)
        # Variants have no figures of their own.
        met = wager.figures if isinstance(wager, CertifiedWager) else None
        row |= {f"figures_{name}": met and getattr(met, name) for name in _MET}
        row |= {"figures_verdict": met and met.verdict, "edge_in_print": met and met.edge}
        for statistic in STATISTICS:
            row |= _twice(statistic.name, wager.statistic(statistic.name))
        yield row


def _events(certified: Certified) -> Iterator[Row]:
    for wager in certified.certificate.wagers:
        yield from _lines(wager, wager.events, wager.deals, wager.basis)


def _lines(
    wager: WagerFields, events: Iterable[Line], deals: int | None, basis: str | None
) -> Iterator[Row]:
    """Events of a wager; those of another reading have no condition."""
    for line, event in enumerate(events, start=1):
        known = event if isinstance(event, Event) else None
        yield {
            "wager": wager.wager,
            "strategy": wager.strategy,
            "space": wager.space,
            "basis": basis,
            "line": line,
            "event": event.event,
            "pays": event.pays,
            **{name: known and getattr(known, name) for name in _CONDITION},
            "combinations": _whole(event.combinations),
            "deals": _whole(deals),
            **_amount("staked", event.staked),
            **_amount("net", event.net),
            **_twice("probability", event.probability),
            **_twice("return", event.returned),
            **_twice("true_odds", event.true_odds),
        }


def _amount(name: str, value: str | None) -> Row:
    return {name: None if value is None else float(Fraction(value)), f"{name}_exact": value}


def _variants(certified: Certified) -> Iterator[Row]:
    for variant in certified.certificate.variants:
        key = {"rule": variant.rule, "value": str(variant.value)}
        yield from (key | row for row in _priced(variant.wagers))


def _variant_events(certified: Certified) -> Iterator[Row]:
    for variant in certified.certificate.variants:
        key = {"rule": variant.rule, "value": str(variant.value)}
        for wager in variant.wagers:
            lines = _lines(wager, wager.events, wager.deals, wager.basis)
            yield from (key | row for row in lines)


def _strategies(certified: Certified) -> Iterator[Row]:
    for strategy in certified.certificate.strategies:
        yield {
            "strategy": strategy.name,
            "title": strategy.title,
            "space": strategy.space,
            "information": ", ".join(strategy.information),
            "sets": strategy.sets,
            "actions": ", ".join(strategy.actions),
            "digest": strategy.digest,
            "words": "\n".join(strategy.words) or None,
            "alike": strategy.alike,
            **_combined(strategy.together),
        }


def _combined(together: Together | None) -> Row:
    """What the bets of a strategy lose together; NULL for one bet alone."""
    row: Row = {
        "bets": canonical_json(dict(together.wagers)) if together else None,
        "per_unit_of": ", ".join(together.per_unit_of) if together else None,
    }
    for name in _TOGETHER:
        row |= _twice(name, getattr(together, name) if together else None)
    return row


def _checks(certified: Certified) -> Iterator[Row]:
    for check in certified.certificate.checks:
        columns = ("name", "title", "required", "verdict", "coverage", "detail")
        yield {name: getattr(check, name) for name in columns}


def _covariances(certified: Certified) -> Iterator[Row]:
    for pair in certified.certificate.covariances:
        row = {name: getattr(pair, name) for name in ("wager", "other", "strategy", "correlation")}
        yield row | _twice("covariance", pair.covariance)


def _simulated(certified: Certified) -> Iterator[Row]:
    for check in certified.certificate.checks:
        for edge in check.evidence.get("edges", ()) if check.name == "simulation" else ():
            simulated = SimulatedEdge.model_validate(edge)
            yield {
                **{name: getattr(simulated, name) for name in (*_EDGE_TEXTS, *_EDGE_FLOATS)},
                "rounds": _whole(simulated.rounds),
                "holds": simulated.holds,
                **_twice("expected", simulated.expected),
                **_twice("simulated", simulated.simulated),
            }


def _published(certified: Certified) -> Iterator[Row]:
    for figure in certified.certificate.published:
        row = {
            name: getattr(figure, name)
            for name in (
                "wager", "strategy", "event", "quantity", "printed", "source", "verdict", "reason",
                "basis", "refuted_because", "note",
            )
        }  # fmt: skip
        yield row | {"rules": canonical_json(dict(figure.rules))} | _twice("ours", figure.ours)


def _reading(reading: Reading, other: Alternative) -> Row:
    chosen = str(reading.chosen)
    return {"rule": reading.name, "value": str(other.value), "chosen": chosen}


def _reading_events(certified: Certified) -> Iterator[Row]:
    """Events under other readings, of wagers that change in nothing but their counts."""
    known = {(w.wager, w.strategy): w for w in certified.certificate.wagers}
    for reading in certified.certificate.readings:
        for other in reading.alternatives:
            if other.events:
                wager = known[other.wager, other.strategy]
                basis = wager.basis if wager.deals == other.deals else None
                lines = _lines(wager, other.events, other.deals, basis)
                yield from (_reading(reading, other) | row for row in lines)


def _readings(certified: Certified) -> Iterator[Row]:
    for reading in certified.certificate.readings:
        for other in reading.alternatives:
            yield {
                **_reading(reading, other),
                "clause": reading.clause,
                "meaning": other.meaning,
                "wager": other.wager,
                "strategy": other.strategy,
                "effect": other.effect,
                **_twice("house_edge", other.house_edge),
                **_twice("element_of_risk", other.element_of_risk),
                **_twice("change", other.change),
                **_twice("paid_per_round", other.paid_per_round),
            }


def _values(certified: Certified) -> Iterator[Row]:
    for table in certified.certificate.values:
        for group in table.groups:
            for action in table.actions:
                yield {
                    "title": table.title,
                    "strategy": table.strategy,
                    "information": canonical_json(dict(group.information)),
                    "sets": group.sets,
                    "action": action,
                    "taken": action in group.taken,
                    **_twice("ev_by_cards", group.ev_by_cards[action]),
                    **_twice("probability_by_cards", group.probability_by_cards),
                    **_twice("ev_reached", group.ev_reached[action]),
                    **_twice("probability_reached", group.probability_reached),
                }


def _distributions(certified: Certified) -> Iterator[Row]:
    for table in certified.certificate.distributions:
        for cell in table.cells:
            yield {
                "distribution": table.name,
                "space": table.space,
                "strategy": table.strategy,
                "given": ", ".join(table.given),
                "cell": canonical_json({**cell.row, **cell.column}),
                "combinations": _whole(cell.combinations),
                "deals": _whole(cell.deals),
                **_twice("probability", cell.probability),
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
_EDGE_FLOATS = ("standard_error", "standard_errors", "low", "high", "chance", "detectable")
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
    said = latest.certificate
    return {
        **{name: getattr(said, name) for name in ("title", "summary", "source", "verdict")},
        "game": latest.game,
        "runs": sum(run.game == latest.game for run in runs),
        "latest_run": latest.run,
        "issued": latest.issued,
        "certified": said.verdict.startswith("certified"),
    }
