"""The checks behind a certificate. "Not run" is never "pass"."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from engine.analysis import Analysis
from engine.compare import Comparison
from engine.errors import DealproofError
from engine.game import Key
from engine.orders import best_order
from engine.rendering import floating, general, percent, rational, share
from engine.strategy import Strategy, deals_covered, improvements
from engine.tables import Table, same
from tasks import statistics
from tasks.reduce import Collected, Coverage

Verdict = Literal["pass", "fail", "not run"]


@dataclass(frozen=True)
class Check:
    """One check: what it covered, what it found, and figures as evidence."""

    name: str
    title: str
    required: bool
    verdict: Verdict
    coverage: str
    detail: str
    evidence: Mapping[str, Any] = field(default_factory=dict)


def _share(done: int, total: int) -> str:
    if done == total:
        return f"all {total:,}"
    return f"{done:,} of {total:,} ({share(done, total)})"


def _named(key: Key) -> str:
    return f"{key[0]} under {key[1]}" if key[1] else key[0]


def completeness(analysis: Analysis, collected: Collected) -> Check:
    """Σ combinations = closed form, per action in every information set and in total."""
    faults, counted = [], []
    for method in ("enumerate", "exhaust"):
        for coverage in (c for c in collected.coverage if c.method == method):
            space = analysis.game.space(coverage.key[0])
            closed = sum(space.deals_in(lo, hi) for lo, hi in coverage.ranges)
            try:
                found = deals_covered(collected.tables[method][coverage.key], space)
            except DealproofError as error:
                faults.append(f"{method}: {error}")
                continue
            if found != closed:
                faults.append(
                    f"{method} of {_named(coverage.key)}: {found:,} deals counted, "
                    f"{closed:,} by closed form"
                )
            whole = coverage.ranges == ((0, space.starts),)
            if whole and closed != space.deals:
                faults.append(f"{space.name}: starts hold {closed:,} deals, not {space.deals:,}")
            counted.append(f"{method} {_named(coverage.key)}: {_share(found, space.deals)} deals")
    if not counted and not faults:
        return Check("completeness", _TITLES["completeness"], True, "not run", "nothing", "")
    return Check(
        "completeness",
        _TITLES["completeness"],
        True,
        "fail" if faults else "pass",
        "; ".join(counted),
        "; ".join(faults) or "every count equals its closed form",
    )


def integrity(collected: Collected) -> Check:
    """Every partition was read back: its content has the digest that was written with it."""
    files = len(collected.files)
    return Check(
        "integrity",
        _TITLES["integrity"],
        True,
        "pass" if files else "not run",
        f"{files:,} partition files",
        "contents equal the digests written with them; none missing, doubled or foreign",
    )


def conservation(analysis: Analysis) -> Check:
    """Probabilities of every wager sum to exactly 1 and returns to exactly minus the edge."""
    faults = []
    for result in analysis.results:
        lines = result.priced.lines
        if sum((line.probability for line in lines), Fraction()) != 1:
            faults.append(f"{result.key}: probabilities do not sum to 1")
        if sum((line.returned for line in lines), Fraction()) != -result.priced.house_edge:
            faults.append(f"{result.key}: returns do not sum to minus the edge")
    return Check(
        "conservation",
        _TITLES["conservation"],
        True,
        "fail" if faults else "pass",
        f"{len(analysis.results)} priced wagers",
        "; ".join(faults) or "probabilities sum to exactly 1",
    )


def agreement(analysis: Analysis, collected: Collected) -> Check:
    """`enumerate` = `exhaust`, cell by cell, on the ranges that were exhausted."""
    coverages = [c for c in collected.coverage if c.method == "exhaust"]
    if not coverages:
        return _not_run("agreement", "exhaust")
    faults, covered, cells = [], [], 0
    for coverage in coverages:
        exhausted = collected.tables["exhaust"][coverage.key]
        enumerated = _enumerated_on(analysis, collected, coverage)
        cells += len(enumerated)
        if not same(enumerated, exhausted):
            faults.append(_difference(coverage, enumerated, exhausted))
        total = coverage.deals_total or coverage.deals
        covered.append(f"{_named(coverage.key)}: {_share(coverage.deals, total)} deals")
    return Check(
        "agreement",
        _TITLES["agreement"],
        True,
        "fail" if faults else "pass",
        "; ".join(covered),
        "; ".join(faults) or f"equal in all {cells:,} cells",
        {"cells": cells},
    )


def _enumerated_on(analysis: Analysis, collected: Collected, coverage: Coverage) -> Table:
    space = analysis.game.space(coverage.key[0])
    if coverage.ranges == ((0, space.starts),):
        return collected.tables["enumerate"][coverage.key]
    strategy = analysis.strategies.get(coverage.key[1]) if coverage.key[1] else None
    names = collected.tables["exhaust"][coverage.key].names
    parts = [space.enumerate(lo, hi, strategy, frozenset(names)) for lo, hi in coverage.ranges]
    return Table.merge(parts)


def _difference(coverage: Coverage, enumerated: Table, exhausted: Table) -> str:
    ours = {tuple(r.items()): c for r, c in _rows(enumerated)}
    theirs = {tuple(r.items()): c for r, c in _rows(exhausted)}
    for row in {**ours, **theirs}:
        if ours.get(row, 0) != theirs.get(row, 0):
            told = ", ".join(f"{name} = {value}" for name, value in row)
            return (
                f"{_named(coverage.key)}: enumerate {ours.get(row, 0):,}, "
                f"exhaust {theirs.get(row, 0):,} at {told}"
            )
    return f"{_named(coverage.key)}: columns differ"


def _rows(table: Table) -> list[tuple[dict[str, str | int], int]]:
    return [(table.row(i), int(table.combinations[i])) for i in range(len(table))]


def rederived(analysis: Analysis, collected: Collected) -> Check:
    """Strategies solved a second time, from the exhausted action tables alone."""
    whole = {
        c.key: collected.tables["exhaust"][c.key]
        for c in collected.coverage
        if c.method == "exhaust" and c.deals == c.deals_total and c.key[1] is None
    }
    decided = {analysis.game.space(s.space) for s in analysis.strategies.values()}
    if not any(space.decision and space.decision.tabulated for space in decided):
        told = (
            "spaces that solve for themselves are held to the optimality check" if decided else ""
        )
        return Check(
            "strategies",
            _TITLES["strategies"],
            False,
            "not run",
            "no action table",
            told or "the player decides nothing",
        )
    if not any(space.name in {held for held, _ in whole} for space in decided):
        return _not_run("strategies", "exhaust whole", required=False)
    again = Analysis(analysis.spec, analysis.game, whole)
    differing = [
        name
        for name, strategy in again.strategies.items()
        if strategy.digest() != analysis.strategies[name].digest()
    ]
    sets = sum(len(strategy) for strategy in again.strategies.values())
    return Check(
        "strategies",
        _TITLES["strategies"],
        False,
        "fail" if differing else "pass",
        f"{len(again.strategies)} strategies, {sets:,} decisions",
        f"differing: {', '.join(differing)}" if differing else "the same action everywhere",
    )


def simulation(analysis: Analysis, collected: Collected) -> Check:
    """Random rounds agree with the exact distribution of every wager."""
    tables = collected.tables.get("simulate")
    if not tables:
        return _not_run("simulation", "simulate")
    drawn = Analysis(analysis.spec, analysis.game, tables, analysis.strategies)
    tests: list[statistics.Test] = []
    faults = []
    for result in drawn.results:
        exact = analysis.result(*result.key).priced
        tests += statistics.compare(exact, result.priced, *result.key)
        stray = statistics.impossible(exact, result.priced)
        if stray:
            faults.append(f"{result.key[0]}: {stray:,} rounds in events that cannot happen")
    # A repeated test adds no chance to fail; its place in the divisor keeps the threshold strict.
    threshold = statistics.CHANCE / max(len(tests), 1)
    distinct = sum(not test.again for test in tests)
    faults += [
        f"{test.wager} / {test.strategy}: {test.kind} = {floating(test.value, 2)}, "
        f"p = {general(test.p, 2)}"
        for test in tests
        if test.p < threshold
    ]
    rounds = max(c.deals for c in collected.coverage if c.method == "simulate")
    least = min((test.p for test in tests), default=1.0)
    return Check(
        "simulation",
        _TITLES["simulation"],
        True,
        "fail" if faults or not tests else "pass",
        f"{rounds:,} rounds, {distinct} tests{_repeated(len(tests) - distinct)}",
        "; ".join(faults)
        or f"least p = {general(least)}; a test fails below {general(threshold, 2)}",
        {"threshold": threshold, "tests": [vars(test) for test in tests]},
    )


def _repeated(count: int) -> str:
    return (
        f" (z of {count} bets with two outcomes is their chi-square, counted once)" if count else ""
    )


def optimality(analysis: Analysis) -> Check:
    """No single changed decision gains, and a strategy bound by rules is never better."""
    faults, sets = [], 0
    free: dict[str, Strategy] = {}
    for rule in analysis.spec.strategies:
        strategy = analysis.strategies.get(rule.name)
        if strategy is None or rule.maximises is None or rule.by or not rule.removal:
            continue
        free[rule.name] = strategy
        sets += len(strategy)
        gains = improvements(strategy)
        if gains:
            faults.append(f"{rule.name}: {len(gains)} single changes gain")
    for result in analysis.results:
        for name in free:
            objective = analysis.spec.strategy(name).maximises or {}
            if list(objective) == [result.wager.name] and _comparable(analysis, name, result.key):
                best = analysis.result(result.wager.name, name).priced.house_edge
                if result.priced.house_edge < best:
                    faults.append(f"{result.key[1]} beats {name} for {result.wager.name}")
    if not free:
        return Check(
            "optimality", _TITLES["optimality"], False, "pass", "no decisions", "nothing to decide"
        )
    return Check(
        "optimality",
        _TITLES["optimality"],
        True,
        "fail" if faults else "pass",
        f"{sets:,} decisions of {len(free)} optimal strategies",
        "; ".join(faults) or "no change of one decision gains; bound strategies are no better",
    )


def _comparable(analysis: Analysis, name: str, key: tuple[str, str | None]) -> bool:
    if key[1] is None or (key[0], name) not in {r.key for r in analysis.results}:
        return False
    return analysis.spec.strategy(name).allowed == analysis.spec.strategy(key[1]).allowed


def published(comparisons: Sequence[Comparison]) -> Check:
    """Figures in print are met in every digit, or the difference is explained."""
    open_ = [c for c in comparisons if c.verdict == "refuted" and not c.reason]
    counts = {v: sum(c.verdict == v for c in comparisons) for v in _VERDICTS}
    told = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
    return Check(
        "published",
        _TITLES["published"],
        bool(comparisons),
        "fail" if open_ else "pass",
        f"{len(comparisons)} printed figures",
        told or "none in print",
        counts,
    )


def orders(analysis: Analysis) -> tuple[Check, ...]:
    """Strategies that rank the values of a column, beside the best of all orders of these."""
    rules = [r for r in analysis.spec.strategies if r.order_of and r.name in analysis.strategies]
    found = [best_order(analysis, rule) for rule in rules]
    if not found:
        return ()
    faults = [f"{o.strategy}: {o.edge} and {o.replayed}" for o in found if o.edge != o.replayed]
    faults += [f"{o.strategy} beats the best order" for o in found if o.own < o.edge]
    told = [
        f"{' '.join(o.column.split('_'))} {', '.join(map(str, o.order))}: edge "
        f"{percent(o.edge, 6)} = {o.edge}, "
        + (
            f"that of '{o.strategy}'"
            if o.own == o.edge
            else f"'{o.strategy}' loses {o.own - o.edge} more"
        )
        for o in found
    ]
    evidence = [
        {
            "strategy": o.strategy, "column": o.column, "orders": o.orders,
            "order": list(o.order), "edge": rational(o.edge), "own": rational(o.own),
            "cost": rational(o.own - o.edge),
        }
        for o in found
    ]  # fmt: skip
    return (
        Check(
            "orders",
            _TITLES["orders"],
            True,
            "fail" if faults else "pass",
            "; ".join(f"{o.strategy}: all {o.orders:,} orders" for o in found),
            "; ".join(faults or told),
            {"best": evidence},
        ),
    )


def claims(analysis: Analysis) -> tuple[Check, ...]:
    """What the game proves beside its tables."""
    return tuple(
        Check(
            claim.name, claim.title, True, "pass" if claim.holds else "fail", claim.coverage,
            claim.finding, claim.evidence,
        )
        for claim in analysis.game.claims(tuple(analysis.strategies.values()))
    )  # fmt: skip


def _not_run(name: str, method: str, required: bool = True) -> Check:
    return Check(name, _TITLES[name], required, "not run", "nothing", f"{method} not run")


_VERDICTS = ("match", "within error", "refuted", "not applicable", "not checkable")
_TITLES = {
    "completeness": "Every deal is counted once",
    "integrity": "The evidence is whole and untouched",
    "conservation": "Probabilities sum to 1",
    "agreement": "Enumeration equals exhaustion",
    "strategies": "Strategies re-derived from the exhaustion",
    "simulation": "Simulation agrees",
    "optimality": "No decision can be improved",
    "published": "Published figures are met",
    "orders": "The best order of all is known",
}


def run_checks(
    analysis: Analysis, collected: Collected, comparisons: Sequence[Comparison]
) -> tuple[Check, ...]:
    """Run all checks in a fixed order."""
    checks: tuple[Callable[[], Check], ...] = (
        lambda: completeness(analysis, collected),
        lambda: integrity(collected),
        lambda: conservation(analysis),
        lambda: agreement(analysis, collected),
        lambda: rederived(analysis, collected),
        lambda: simulation(analysis, collected),
        lambda: optimality(analysis),
        lambda: published(comparisons),
    )
    return (*(check() for check in checks), *orders(analysis), *claims(analysis))


def verdict(checks: Sequence[Check], exhausted: tuple[int, int]) -> str:
    """The certificate's verdict from its required checks and the share of deals exhausted."""
    failed = [check.name for check in checks if check.verdict == "fail"]
    missing = [check.name for check in checks if check.required and check.verdict == "not run"]
    if failed:
        return f"not certified: {', '.join(failed)} failed"
    if missing:
        return f"not certified: {', '.join(missing)} not run"
    done, total = exhausted
    return "certified" if done == total else f"certified, exhaust {share(done, total, 2)}"
