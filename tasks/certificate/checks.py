"""The checks behind a certificate. "Not run" is never "pass"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from engine.analysis.analysis import Analysis
from engine.contract.strategy import Strategy, improvements
from engine.exact.rendering import percent, rational, share
from engine.exact.tables import Table
from engine.studies.agreement import Sample, difference
from engine.studies.printed import TRIED, VERDICTS, Comparison
from engine.studies.priority import best_order
from tasks.certificate.apart import apart
from tasks.certificate.check import TITLES, Check, Verdict, checked, named, not_run, out_of
from tasks.certificate.completeness import completeness, conservation, integrity
from tasks.certificate.shared import shared
from tasks.certificate.simulation import simulation
from tasks.run.reduce import Collected, Coverage

__all__ = ["Check", "run_checks", "sampled", "verdict"]


def agreement(analysis: Analysis, collected: Collected) -> Check:
    """`enumerate` = `exhaust`, cell by cell, on the ranges that were exhausted."""
    coverages = [c for c in collected.coverage if c.method == "exhaust"]
    if not coverages:
        return not_run("agreement", "exhaust")
    faults, covered, cells = [], [], 0
    for coverage in coverages:
        exhausted = collected.tables["exhaust"][coverage.key]
        enumerated = _enumerated_on(analysis, collected, coverage)
        cells += len(enumerated)
        differing = difference(enumerated, exhausted)
        if differing:
            faults.append(f"{named(coverage.key)}: {differing}")
        total = coverage.deals_total or coverage.deals
        covered.append(f"{named(coverage.key)}: {out_of(coverage.deals, total)} deals")
    return checked(
        "agreement", faults, "; ".join(covered), f"equal in all {cells:,} cells", {"cells": cells}
    )


def _enumerated_on(analysis: Analysis, collected: Collected, coverage: Coverage) -> Table:
    space = analysis.game.space(coverage.key[0])
    if coverage.ranges == ((0, space.starts),):
        return collected.tables["enumerate"][coverage.key]
    strategy = analysis.strategies.get(coverage.key[1]) if coverage.key[1] else None
    names = collected.tables["exhaust"][coverage.key].names
    parts = [space.enumerate(lo, hi, strategy, frozenset(names)) for lo, hi in coverage.ranges]
    return Table.merge(parts)


def rederived(analysis: Analysis, collected: Collected) -> Check:
    """Strategies solved a second time, from the exhausted action tables alone."""
    whole = {
        c.key: collected.tables["exhaust"][c.key]
        for c in collected.coverage
        if c.method == "exhaust" and c.deals == c.deals_total and c.key[1] is None
    }
    decided = {analysis.game.space(s.space) for s in analysis.strategies.values()}
    if not any(space.decision and space.decision.tabulated for space in decided):
        reason = (
            "spaces that solve for themselves are held to the optimality check" if decided else ""
        )
        return Check(
            "strategies",
            TITLES["strategies"],
            False,
            "not run",
            "no action table",
            reason or "the player decides nothing",
        )
    if not any(space.name in {covered for covered, _ in whole} for space in decided):
        return not_run("strategies", "exhaust whole", required=False)
    again = Analysis(analysis.program, whole)
    differing = [
        name
        for name, strategy in again.strategies.items()
        if strategy.digest() != analysis.strategies[name].digest()
    ]
    sets = sum(len(strategy) for strategy in again.strategies.values())
    return Check(
        "strategies",
        TITLES["strategies"],
        False,
        "fail" if differing else "pass",
        f"{len(again.strategies)} strategies, {sets:,} decisions",
        f"differing: {', '.join(differing)}" if differing else "the same action everywhere",
    )


def optimality(analysis: Analysis) -> Check:
    """No single changed decision gains, and a strategy bound by rules is never better."""
    faults, sets = [], 0
    free: dict[str, Strategy] = {}
    for rule in analysis.program.strategies.values():
        strategy = analysis.strategies.get(rule.name)
        if strategy is None or not rule.optimum:
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
                best = analysis.price(result.wager.name, name).priced.house_edge
                if result.priced.house_edge < best:
                    faults.append(f"{result.key[1]} beats {name} for {result.wager.name}")
    if not free:
        return Check(
            "optimality", TITLES["optimality"], False, "pass", "no decisions", "nothing to decide"
        )
    return Check(
        "optimality",
        TITLES["optimality"],
        True,
        "fail" if faults else "pass",
        f"{sets:,} decisions of {len(free)} optimal strategies",
        "; ".join(faults) or "no change of one decision gains; bound strategies are no better",
    )


def _comparable(analysis: Analysis, name: str, key: tuple[str, str | None]) -> bool:
    if key[1] is None or (key[0], name) not in {r.key for r in analysis.results}:
        return False
    return analysis.spec.strategy(name).allowed == analysis.spec.strategy(key[1]).allowed


def sampled(samples: Sequence[Sample] | None) -> tuple[Check, ...]:
    """Enumeration = exhaustion, cell by cell, under every reading and variant, on a sample.

    `samples`: None where exhaustion was not asked for; none at all where the game has no reading
    and no variant, and then there is no such check.
    """
    if samples is None:
        return (not_run("readings", "exhaust"),)
    if not samples:
        return ()
    faults = [
        f"{s.rule} = {s.value}: {named((s.space, s.strategy))}: {s.difference}"
        for s in samples
        if s.difference
    ]
    changes = dict.fromkeys((s.rule, s.value) for s in samples)
    telling = {(s.rule, s.value) for s in samples if s.telling}
    unread = {(s.rule, s.value) for s in samples if not s.read}
    silent = [f"{r} = {v}" for r, v in changes if (r, v) not in telling | unread]
    parts = sorted(((s.deals, s.deals_total) for s in samples), key=lambda p: Fraction(*p))
    notes = [
        f"{len(changes)} readings and variants, {len(samples)} tables",
        f"of each {share(*parts[0], 2)} to {share(*parts[-1], 2)} of its deals",
        f"{len(telling)} move cells of their sample",
    ]
    if unread:
        notes.append(f"read by wagers alone: {len(unread)}")
    if silent:
        notes.append(f"no deal of the sample tells {', '.join(silent)} from the certified rules")
    cells = sum(s.cells for s in samples)
    return (
        checked(
            "readings",
            faults,
            "; ".join(notes),
            f"equal in all {cells:,} cells",
            {"cells": cells, "samples": [_evidence(s) for s in samples]},
        ),
    )


def _evidence(sample: Sample) -> dict[str, object]:
    """A sample as the certificate gives it."""
    return {**vars(sample), "ranges": [list(part) for part in sample.ranges]}


def published(comparisons: Sequence[Comparison]) -> Check:
    """Figures in print agree with ours, or the spec says why a source is wrong.

    It fails where a refuted figure is not explained, or one that agrees is. It passes nothing
    where no figure stands for or against this run.
    """
    counts: dict[str, int] = {v: sum(c.verdict == v for c in comparisons) for v in VERDICTS}
    tally = ", ".join(f"{number} {verdict}" for verdict, number in counts.items() if number)
    tried = sum(counts[v] for v in TRIED)
    faults = [f"{_figure(c)}: {c.fault}" for c in comparisons if c.fault]
    refuted = [f"{_figure(c)} refuted: {c.reason}" for c in comparisons if c.verdict == "refuted"]
    verdict: Verdict = "fail" if faults else "pass" if tried else "no figure applies"
    return Check(
        "published",
        TITLES["published"],
        bool(tried or faults),
        verdict,
        f"{tried} of {len(comparisons)} printed figures stand for or against this run",
        "; ".join([tally or "none in print", *(faults or refuted)]),
        counts,
    )


def _figure(comparison: Comparison) -> str:
    figure = comparison.figure
    named = " ".join(filter(None, (figure.wager, figure.event or figure.when)))
    return f"{named} {figure.quantity.replace('_', ' ')} {figure.printed}"


def orders(analysis: Analysis) -> tuple[Check, ...]:
    """Strategies that rank the values of a column, beside the best of all orders of these."""
    solved = [s for s in analysis.program.strategies.values() if s.name in analysis.strategies]
    rules = [strategy for strategy in solved if strategy.spec.order_of]
    orders_found = [best_order(analysis, rule) for rule in rules]
    if not orders_found:
        return ()
    faults = [
        f"{o.strategy}: {o.edge} and {o.replayed}" for o in orders_found if o.edge != o.replayed
    ]
    faults += [
        f"{o.strategy} beats the best order" for o in orders_found if o.strategy_edge < o.edge
    ]
    notes = [
        f"{' '.join(o.column.split('_'))} {', '.join(map(str, o.order))}: edge "
        f"{percent(o.edge, 6)} = {o.edge}, "
        + (
            f"that of '{o.strategy}'"
            if o.strategy_edge == o.edge
            else f"'{o.strategy}' loses {o.strategy_edge - o.edge} more"
        )
        for o in orders_found
    ]
    evidence = [
        {
            "strategy": o.strategy, "column": o.column, "orders": o.orders,
            "order": list(o.order), "edge": rational(o.edge),
            "strategy_edge": rational(o.strategy_edge),
            "cost": rational(o.strategy_edge - o.edge),
        }
        for o in orders_found
    ]  # fmt: skip
    return (
        Check(
            "orders",
            TITLES["orders"],
            True,
            "fail" if faults else "pass",
            "; ".join(f"{o.strategy}: all {o.orders:,} orders" for o in orders_found),
            "; ".join(faults or notes),
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


def run_checks(
    analysis: Analysis, collected: Collected, comparisons: Sequence[Comparison]
) -> tuple[Check, ...]:
    """Run all checks in a fixed order."""
    checks: tuple[Callable[[], Check], ...] = (
        lambda: completeness(analysis, collected),
        lambda: integrity(collected),
        lambda: conservation(analysis),
        lambda: shared(analysis.game.shared),
        lambda: apart(analysis, collected),
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
