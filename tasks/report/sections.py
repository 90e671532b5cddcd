"""What the page shows, arranged from a certificate: grouped, counted, in reading order."""

from __future__ import annotations

import hashlib
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, groupby
from typing import Any

from markupsafe import Markup

from engine.contract.strategy import Strategy
from engine.exact.roots import Real
from engine.pricing.statistics import STATISTICS, Shown, shown
from engine.spec.model import Spec
from engine.studies.readings import COUNTS, NONE
from tasks.certificate.model import (
    Alternative,
    Cell,
    Certificate,
    CertifiedWager,
    Distribution,
    Exact,
    Figure,
    SimulatedEdge,
    SimulationTest,
    StrategyException,
    Subject,
    ValueTable,
)
from tasks.certificate.model import Strategy as StrategyEntry
from tasks.report import figures, plots

METHODS = {"enumerate", "exhaust", "simulate"}
NUMBERED = re.compile(r"[0-9]+\. ")


@dataclass(frozen=True)
class Row:
    """One wager under one strategy; `counted`, `probability`, `returned`: its events summed."""

    item: CertifiedWager
    anchor: str
    counted: int
    probability: Fraction
    returned: Fraction
    staked: bool
    plot: Markup | None
    bar: Markup | None
    printed: str
    verdict: str
    refuted: bool
    figures: tuple[Shown, ...] = ()


@dataclass(frozen=True)
class Bet:
    """A wager with a row for each strategy it is priced under."""

    title: str
    rule: str
    anchor: str
    when: Mapping[str, str]
    rows: tuple[Row, ...]


def bets(certificate: Certificate, spec: Spec) -> tuple[Bet, ...]:
    """Group priced wagers by wager, in the certificate's order."""
    wagers = certificate.wagers
    names = list(dict.fromkeys(wager.wager for wager in wagers))
    heads = dict(zip(names, figures.anchors(f"wager {name}" for name in names), strict=True))
    keys = [f"wager {w.wager} {w.strategy or 'only'}" for w in wagers]
    anchors = figures.anchors(keys, heads.values())
    edges = [figures.fraction(edge) for edge in map(_edge, wagers) if edge]
    scale = (min([Fraction(), *edges]), max([Fraction(), *edges]))
    defined = {wager.name: wager for wager in spec.wagers}
    rows: dict[str, list[Row]] = {name: [] for name in names}
    for wager, anchor in zip(wagers, anchors, strict=True):
        rows[wager.wager].append(_row(wager, anchor, scale))
    return tuple(
        Bet(
            of_wager[0].item.title,
            of_wager[0].item.rule,
            heads[name],
            {e.event: e.when for e in defined[name].events} if name in defined else {},
            tuple(of_wager),
        )
        for name, of_wager in rows.items()
    )


def _edge(wager: CertifiedWager) -> Exact | None:
    """The edge that a wager is known by; None where it has none."""
    return (
        wager.statistic(wager.headline)
        if wager.headline and wager.statistic("house_edge")
        else None
    )


def _row(wager: CertifiedWager, anchor: str, scale: tuple[Fraction, Fraction]) -> Row:
    printed = wager.figures
    edge, events = _edge(wager), wager.events
    return Row(
        wager,
        anchor,
        sum(event.combinations for event in events),
        sum((figures.fraction(event.probability) for event in events), Fraction()),
        sum((figures.fraction(event.returned) for event in events), Fraction()),
        any(event.staked != "1" for event in events),
        plots.distribution(wager, f"{anchor}-plot") if wager.priced else None,
        plots.edge_bar(figures.fraction(edge), scale) if edge else None,
        printed.edge,
        printed.verdict,
        printed.met < printed.tried,
        shown(_values(wager), wager.headline),
    )


def _values(wager: CertifiedWager) -> dict[str, Real | None]:
    """Statistics by name, as far as the certificate has them."""
    given = {statistic.name: wager.statistic(statistic.name) for statistic in STATISTICS}
    return {name: value.value for name, value in given.items() if value is not None}


@dataclass(frozen=True)
class Reading:
    """One other value of an ambiguous clause and what it changes.

    `moved`: wagers with another edge, or another payment where nothing is staked; `recounted`:
    wagers of which only events change, with (event, count before, count after) of each that does.
    """

    name: str
    value: str
    meaning: str
    chosen: str
    clause: str
    moved: tuple[tuple[Alternative, CertifiedWager, str], ...]
    recounted: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...]
    still: tuple[str, ...]


def readings(certificate: Certificate) -> tuple[Reading, ...]:
    """Every alternative of every reading: moved wagers with their edges, the others by name."""
    known = {(w.wager, w.strategy): w for w in certificate.wagers}
    names = titles(certificate)
    sections = []
    for reading in certificate.readings:
        groups = groupby(reading.alternatives, key=lambda a: a.value)
        for value, group in ((v, list(g)) for v, g in groups):
            sections.append(
                Reading(
                    reading.name,
                    str(value),
                    group[0].meaning,
                    reading.meaning,
                    reading.clause,
                    tuple(
                        (a, known[a.wager, a.strategy], _label(names, a))
                        for a in group
                        if a.effect not in (NONE, COUNTS)
                    ),
                    tuple(
                        (_label(names, a), _recounted(known[a.wager, a.strategy], a))
                        for a in group
                        if a.effect == COUNTS
                    ),
                    tuple(_label(names, a) for a in group if a.effect == NONE),
                )
            )
    return tuple(sections)


def _recounted(before: CertifiedWager, after: Alternative) -> tuple[tuple[str, str, str], ...]:
    """Events that another reading gives another share of all deals: counts before and after."""
    counts_of, deals_of = (_counts(before), _counts(after)), (before.deals, after.deals or 0)
    same = before.deals == after.deals
    changes = []
    for event in dict.fromkeys(chain(*counts_of)):
        counts = [counted[event] for counted in counts_of]
        shares = [Fraction(n, deals) for n, deals in zip(counts, deals_of, strict=True)]
        if shares[0] != shares[1]:
            texts = [
                figures.integer(n) + ("" if same else f" of {figures.integer(deals)}")
                for n, deals in zip(counts, deals_of, strict=True)
            ]
            changes.append((event, texts[0], texts[1]))
    return tuple(changes)


def _counts(wager: CertifiedWager | Alternative) -> Counter[str]:
    counts: Counter[str] = Counter()
    for event in wager.events or ():
        counts[event.event] += event.combinations
    return counts


def titles(certificate: Certificate) -> dict[str, str]:
    """Title of each wager by name."""
    return {wager.wager: wager.title for wager in certificate.wagers}


def _label(names: Mapping[str, str], item: Alternative | SimulatedEdge) -> str:
    title = names.get(item.wager, item.wager)
    return f"{title} ({item.strategy})" if item.strategy else title


def sources(certificate: Certificate) -> list[tuple[str, list[Figure]]]:
    """Published figures by source, in order of first appearance."""
    figures_of: dict[str, list[Figure]] = {}
    for figure in certificate.published:
        figures_of.setdefault(figure.source, []).append(figure)
    return list(figures_of.items())


def refuted(certificate: Certificate) -> list[Figure]:
    """Published figures that ours refute, and those whose line of the spec is at fault."""
    return [p for p in certificate.published if p.verdict == "refuted" or p.fault]


def tally(certificate: Certificate) -> list[tuple[str, int]]:
    """How many published figures came to each verdict."""
    number_of: dict[str, int] = {}
    for figure in certificate.published:
        number_of[figure.verdict] = number_of.get(figure.verdict, 0) + 1
    return sorted(number_of.items(), key=lambda pair: -pair[1])


def exhausted(certificate: Certificate) -> tuple[int, int]:
    """Deals played out by exhaustion, and deals there are, over all spaces and strategies."""
    covered = [c for c in certificate.run.coverage if c.method == "exhaust"]
    return sum(c.deals for c in covered), sum(c.deals_total or c.deals for c in covered)


def evidence(certificate: Certificate, check: str) -> Mapping[str, Any]:
    """Figures behind a check; none where the certificate has no such check."""
    return next((c.evidence for c in certificate.checks if c.name == check), {})


def tests(certificate: Certificate) -> list[SimulationTest]:
    """The statistical tests behind the simulation check."""
    found = evidence(certificate, "simulation").get("tests", ())
    return [SimulationTest.model_validate(test) for test in found]


@dataclass(frozen=True)
class Drawn:
    """A simulated edge beside the exact one; `deviation`: how far off, in standard errors."""

    item: SimulatedEdge
    label: str
    deviation: float
    plot: Markup


def drawn(certificate: Certificate) -> list[Drawn]:
    """Edges that the simulation shows, in the certificate's order."""
    names = titles(certificate)
    edges = map(SimulatedEdge.model_validate, evidence(certificate, "simulation").get("edges", ()))
    return [Drawn(e, _label(names, e), e.standard_errors, plots.interval(e)) for e in edges]


def command(certificate: Certificate) -> str:
    """The command that repeats the run, whatever the machine's speed."""
    run = certificate.run
    parts = ["dealproof certify", shlex.quote(certificate.game)]
    if set(run.methods) != METHODS:
        parts += [f"--method {method}" for method in run.methods]
    for name, value in certificate.rules.items():
        parts.append(f"--set {shlex.quote(f'{name}={value}')}")
    parts += [f"--rounds {run.rounds}", f"--seed {run.seed}"]
    done, total = exhausted(certificate)
    if done and done == total:
        parts.append("--full")
    return " ".join(parts)


def distinct(exceptions: Iterable[StrategyException]) -> tuple[list[str], dict[str, object]]:
    """Columns that tell exceptions apart, and those that are the same in all of them."""
    seen: dict[str, list[object]] = {}
    for exception in exceptions:
        for name, value in exception.information.items():
            seen.setdefault(name, []).append(value)
    same = {
        name: values[0] for name, values in seen.items() if len(values) > 1 and len({*values}) == 1
    }
    return [name for name in seen if name not in same], same


@dataclass(frozen=True)
class Play:
    """A strategy: how many information sets take each action, and its words.

    `lines`: runs of lines, each with whether they are numbered; the numbers are left out.
    """

    item: StrategyEntry
    taken: tuple[tuple[str, int], ...]
    lines: tuple[tuple[bool, tuple[str, ...]], ...]


def plays(certificate: Certificate, strategies: Mapping[str, Strategy]) -> list[Play]:
    """Every strategy of the certificate, drawn as a chart or not."""
    plays_found = []
    for item in certificate.strategies:
        strategy = strategies.get(item.name)
        counts = Counter(strategy.action.tolist()) if strategy is not None else Counter[int]()
        actions = strategy.actions if strategy is not None else ()
        taken = tuple((actions[a], counts[a]) for a in sorted(counts))
        runs = groupby(item.words, key=lambda line: bool(NUMBERED.match(line)))
        lines = tuple((n, tuple(NUMBERED.sub("", line) for line in run)) for n, run in runs)
        plays_found.append(Play(item, taken, lines))
    return plays_found


@dataclass(frozen=True)
class Valued:
    """A table of values; `several`: some line sums several information sets up."""

    item: ValueTable
    anchor: str
    several: bool


def values(certificate: Certificate) -> list[Valued]:
    """Tables of what actions are worth."""
    items = certificate.values
    names = figures.anchors(f"values {item.title}" for item in items)
    return [
        Valued(item, anchor, any(group.sets > 1 for group in item.groups))
        for item, anchor in zip(items, names, strict=True)
    ]


@dataclass(frozen=True)
class Distributed:
    """A distribution laid out: labels and cells of each row under the heads of `across`."""

    item: Distribution
    anchor: str
    across: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], tuple[Cell | None, ...]], ...]


def distributions(certificate: Certificate) -> list[Distributed]:
    """Distributions as grids."""
    items = certificate.distributions
    names = figures.anchors(f"distribution {item.name}" for item in items)
    tables = []
    for item, anchor in zip(items, names, strict=True):
        columns = [tuple(column.values()) for column in item.across]
        rows: dict[tuple[str, ...], dict[tuple[Any, ...], Cell]] = {}
        for cell in item.cells:
            row = rows.setdefault(tuple(map(str, cell.row.values())), {})
            row[tuple(cell.column.values())] = cell
        across = tuple(" ".join(map(str, column)) for column in columns) if columns[0] else ()
        cells = tuple((key, tuple(map(row.get, columns))) for key, row in rows.items())
        tables.append(Distributed(item, anchor, across, cells))
    return tables


@dataclass(frozen=True)
class Folder:
    """Files of one folder under a certificate: how many, and the digest of their sha256sum list.

    A file that is alone stands by its own path and digest.
    """

    name: str
    files: int
    digest: str


def folders(subjects: Sequence[Subject]) -> list[Folder]:
    """Subjects by folder."""
    return list(_folders(sorted((s.name, s.digest.sha256) for s in subjects)))


def _folders(pairs: Sequence[tuple[str, str]]) -> Iterator[Folder]:
    files_of: dict[str, list[tuple[str, str]]] = {}
    for name, sha in pairs:
        folder, _, file = name.rpartition("/")
        files_of.setdefault(folder, []).append((file, sha))
    for folder, files in files_of.items():
        if len(files) == 1:
            ((file, sha),) = files
            yield Folder(f"{folder}/{file}" if folder else file, 1, sha)
            continue
        listing = "".join(f"{sha}  {file}\n" for file, sha in files)
        yield Folder(folder, len(files), hashlib.sha256(listing.encode()).hexdigest())
