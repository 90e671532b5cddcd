"""Checks that nothing is missing, doubled, foreign or lost on the way from files to prices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from engine.analysis.analysis import Analysis, Result
from engine.contract.game import Key
from engine.contract.strategy import deals_covered
from engine.exact.errors import DealproofError
from engine.exact.tables import Table
from tasks.certificate.check import TITLES, Check, checked, named, out_of
from tasks.run.reduce import Collected

#: Files that a failed check names.
NAMED = 3
#: Rows and rounds from which equal simulated parts are no chance: see `_repeated`.
VARIED, ROUNDS = 8, 1 << 20


def completeness(analysis: Analysis, collected: Collected) -> Check:
    """Σ combinations = closed form, per action in every information set and in total.

    An enumeration, from which wagers are priced, has to be whole; an exhaustion may be a sample.
    """
    faults, counted = [], []
    for coverage in collected.coverage:
        if coverage.method == "simulate":
            continue
        method, space = coverage.method, analysis.game.space(coverage.key[0])
        closed = sum(space.deals_in(lo, hi) for lo, hi in coverage.ranges)
        try:
            deals_found = deals_covered(collected.tables[method][coverage.key], space)
        except DealproofError as error:
            faults.append(f"{method}: {error}")
            continue
        if deals_found != closed:
            faults.append(
                f"{method} of {named(coverage.key)}: {deals_found:,} deals counted, "
                f"{closed:,} by closed form"
            )
        whole = coverage.ranges == ((0, space.starts),)
        if whole and closed != space.deals:
            faults.append(f"{space.name}: starts hold {closed:,} deals, not {space.deals:,}")
        if method == "enumerate" and not whole:
            faults.append(
                f"enumerate of {named(coverage.key)} covers {out_of(closed, space.deals)} deals"
            )
        counted.append(f"{method} {named(coverage.key)}: {out_of(deals_found, space.deals)} deals")
    if not counted and not faults:
        title = TITLES["completeness"]
        return Check("completeness", title, True, "not run", "nothing", "no table was counted")
    return checked("completeness", faults, "; ".join(counted), "every count equals its closed form")


def integrity(collected: Collected) -> Check:
    """The files that the plan expects are the files that were read, each as it was written.

    Set beside each other: paths; the digest that was written with each content and the one of the
    content as it was read; the deals of all parts of a table and of the table merged from them.
    """
    read = Counter(part.path for part in collected.parts)
    sets = {
        "missing": [path for path in collected.expected if path not in read],
        "read twice": [path for path, times in read.items() if times > 1],
        "foreign": [path for path in read if path not in collected.expected],
        "expected twice": [p for p, times in Counter(collected.expected).items() if times > 1],
        "content changed": [p.path for p in collected.parts if p.content != p.written],
        "rounds played twice": _repeated(collected),
    }
    faults = [_listed(what, paths) for what, paths in sets.items() if paths]
    merged = 0
    for method, key, table in _tables(collected):
        added = sum(p.counted for p in collected.parts if (p.method, p.key) == (method, key))
        merged += added == table.deals
        if added != table.deals:
            faults.append(
                f"{method} of {named(key)}: {added:,} combinations in its parts, "
                f"{table.deals:,} merged"
            )
    tables = sum(1 for _ in _tables(collected))
    equal = sum(part.content == part.written for part in collected.parts)
    evidence = {
        "files_expected": len(collected.expected),
        "files_read": len(collected.parts),
        "digests_equal": equal,
        "tables": tables,
        "tables_equal_to_their_parts": merged,
        "rows": sum(part.rows for part in collected.parts),
        "bytes": sum(part.size for part in collected.parts),
    } | {what.replace(" ", "_"): paths for what, paths in sets.items()}
    if not collected.parts and not collected.expected:
        reason = "no file was expected or read"
        return Check("integrity", TITLES["integrity"], True, "not run", "nothing", reason, evidence)
    return checked(
        "integrity",
        faults,
        f"{len(collected.parts):,} of {len(collected.expected):,} expected partition files; "
        f"{evidence['rows']:,} rows, {evidence['bytes']:,} bytes",
        f"{equal:,} of {len(collected.parts):,} contents have the digest written with them; "
        f"{merged:,} of {tables:,} tables count what their parts count; "
        "no file missing, read twice or foreign",
        evidence,
    )


def _repeated(collected: Collected) -> list[str]:
    """Simulated parts that count exactly what another one does: the same rounds, played again.

    Two parts of a million rounds agree in `VARIED` rows or more by chance less than once in 10^9
    runs; in smaller tables they may.
    """
    seen: set[tuple[Key, str]] = set()
    repeated = []
    for part in collected.parts:
        if part.method == "simulate" and part.rows >= VARIED and part.counted >= ROUNDS:
            if (part.key, part.content) in seen:
                repeated.append(part.path)
            seen.add((part.key, part.content))
    return repeated


def _listed(what: str, paths: list[str]) -> str:
    more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
    return f"{what}: {', '.join(paths[:NAMED])}{more}"


def _tables(collected: Collected) -> Iterator[tuple[str, tuple[str, str | None], Table]]:
    for method, tables in collected.tables.items():
        for key, table in tables.items():
            yield method, key, table


def conservation(analysis: Analysis) -> Check:
    """Every wager is settled on every deal of its space, and every strategy is worth what it pays.

    The sums are taken over the closed total of the space, not over what was priced: probabilities
    have to come to exactly 1, returns to exactly minus the edge. The mean that solving gave a
    strategy has to be the mean at which its objective is priced.
    """
    faults = [f"{_in_words(key)}: not priced" for key in _unpriced(analysis)]
    faults += [fault for result in analysis.results for fault in _unsettled(analysis, result)]
    for name, strategy in analysis.strategies.items():
        priced = analysis.mean(analysis.program.strategy(name))
        if strategy.mean != priced:
            faults.append(f"strategy {name}: worth {strategy.mean} as solved, {priced} as priced")
    wagers, strategies = len(analysis.results), len(analysis.strategies)
    return checked(
        "conservation",
        faults,
        f"{wagers} priced wagers, {strategies} strategies",
        "each wager settles all deals of its space: probabilities sum to exactly 1, returns to "
        "exactly minus the edge; each strategy is worth what its objective is priced at",
        {"wagers": wagers, "strategies": strategies},
    )


def _unpriced(analysis: Analysis) -> Iterator[tuple[str, str | None]]:
    """Wagers, with a strategy, that the spec asks for and no result holds."""
    there = {result.key for result in analysis.results}
    for wager in analysis.program.wagers.values():
        for rule in analysis.program.strategies_of(wager):
            key = wager.name, rule.name if rule else None
            if key not in there:
                yield key


def _in_words(key: tuple[str, str | None]) -> str:
    return " under ".join(filter(None, key))


def _unsettled(analysis: Analysis, result: Result) -> Iterator[str]:
    total, lines = analysis.game.space(result.space).deals, result.priced.lines
    wager = _in_words(result.key)
    if result.priced.deals != total:
        yield f"{wager}: {result.priced.deals:,} deals priced, {total:,} by closed form"
    if sum((Fraction(line.combinations, total) for line in lines), Fraction()) != 1:
        yield f"{wager}: probabilities do not sum to 1"
    returned = sum((line.net * line.combinations for line in lines), Fraction()) / total
    if returned != -result.priced.house_edge:
        yield f"{wager}: returns sum to {returned}, minus the edge is {-result.priced.house_edge}"
