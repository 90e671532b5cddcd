"""Strategies of a certificate: their size, ties, exceptions, values, and bets taken together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tasks.reprice.paths import Difference, Ledger
from tasks.reprice.sheet import Sheet, number
from tasks.reprice.tables import Tables
from tasks.reprice.wagers import Known

Document = Mapping[str, Any]
NO_FILE = "the strategy is not among the run's files"
CHOICES = "how far ties move edges, and in how many sets counts depend on them"
HANDS = "hands of cards behind an information set"


@dataclass(frozen=True)
class Sets:
    """A strategy's file: one row for each information set and action, actions in their order."""

    view: str
    information: tuple[str, ...]
    actions: tuple[str, ...]
    unit: int
    deals: int
    sequential: bool

    @property
    def reached(self) -> str:
        """The column of deals that come to a set under the strategy itself."""
        return "reached" if self.sequential else "combinations"

    @property
    def key(self) -> str:
        """The information as columns of SQL."""
        return ", ".join(f'"{name}"' for name in self.information)


class Strategies:
    """The strategies of one run, as their files have them."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._sets: dict[str, Sets | None] = {}

    def sets(self, name: str) -> Sets | None:
        """One strategy; None where its file is missing."""
        if name not in self._sets:
            view = f"strategy{len(self._sets)}"
            metadata = self.tables.load(view, f"strategies/{name}.parquet")
            self._sets[name] = None if metadata is None else self._read(view, metadata)
        return self._sets[name]

    def _read(self, view: str, metadata: Mapping[str, Any]) -> Sets:
        sequential = "deals" in metadata
        width = len(metadata["actions"])
        (total,) = self.tables.row(f"SELECT sum(combinations) FROM {view}")
        return Sets(
            view,
            tuple(feature["name"] for feature in metadata["features"]),
            tuple(metadata["actions"]),
            int(metadata["unit"]),
            int(metadata["deals"]) if sequential else int(total) // width,
            sequential,
        )


def listed(
    book: Ledger, sheet: Sheet, strategies: Strategies, entries: Sequence[Document], known: Known
) -> None:
    """Confirm the strategies of a certificate."""
    for index, entry in enumerate(entries):
        here = f"strategies[{index}]"
        sets = strategies.sets(entry["name"])
        if sets is None:
            book.unconfirmed(f"{here}.sets", NO_FILE)
        else:
            (rows,) = strategies.tables.row(f"SELECT count(*) FROM {sets.view}")
            book.integer(f"{here}.sets", rows // len(sets.actions))
            _ties(book, strategies, sets, sheet.strategy(entry["name"]), f"{here}.ties", entry)
        book.unconfirmed(f"{here}.ties", CHOICES)
        if entry["together"]:
            _together(book, sheet, f"{here}.together", entry, known)


def _ties(
    book: Ledger, strategies: Strategies, sets: Sets, written: Document, path: str, entry: Document
) -> None:
    """Sets in which several allowed actions are worth the same and more than any other."""
    if not entry["ties"] or not written["maximises"] or written["by"]:
        return
    (several,) = strategies.tables.row(
        f"""
        SELECT count(*) FROM (
          SELECT 1 FROM (
            SELECT *, max(CAST(ev_sum AS HUGEINT)) FILTER (allowed)
                      OVER (PARTITION BY {sets.key}) AS best
            FROM {sets.view}
          ) WHERE allowed AND CAST(ev_sum AS HUGEINT) = best AND {sets.reached} > 0
          GROUP BY {sets.key} HAVING count(*) > 1
        )
        """
    )
    book.integer(f"{path}.sets", several)


def _together(book: Ledger, sheet: Sheet, path: str, entry: Document, known: Known) -> None:
    """Loss and stake of several bets at once, from their pay tables one by one."""
    weights = sheet.strategy(entry["name"])["maximises"]
    units = {name: Fraction(str(number(value))) for name, value in weights.items() if number(value)}
    together = entry["together"]
    for name, value in units.items():
        if f"{path}.wagers.{name}" in book.open:
            book.text(f"{path}.wagers.{name}", str(value))
    pays = {name: known.get((name, entry["name"], None)) for name in units}
    loss, staked = Fraction(), Fraction()
    for name, pay in pays.items():
        if pay is None:
            book.unconfirmed(path, "a bet of these is not priced under the strategy")
            return
        loss -= units[name] * pay.mean
        staked += units[name] * pay.staked
    always = [
        n for n, pay in pays.items() if pay and all(x.staked > 0 for x in pay.lines if x.count)
    ]
    if sorted(always) != sorted(together["per_unit_of"]):
        book.result.differences.append(
            Difference(f"{path}.per_unit_of", str(together["per_unit_of"]), str(always))
        )
    put_up = sum((units[name] for name in always), Fraction())
    book.ratio(f"{path}.loss", loss)
    book.ratio(f"{path}.units_put_up", put_up)
    book.ratio(f"{path}.edge", loss / put_up if put_up else None)
    book.ratio(f"{path}.units_staked", staked)
    book.ratio(f"{path}.element_of_risk", loss / staked if staked else None)


def comparisons(book: Ledger, strategies: Strategies, entries: Sequence[Document]) -> None:
    """Where one strategy leaves another, set by set, and what that costs."""
    for index, entry in enumerate(entries):
        here = f"comparisons[{index}]"
        best, other = (strategies.sets(entry[name]) for name in ("strategy", "against"))
        if best is None or other is None:
            book.unconfirmed(here, NO_FILE)
            continue
        found = {key: (share, cost) for key, share, cost in _differing(strategies, best, other)}
        book.integer(f"{here}.count", len(found))
        book.ratio(f"{here}.cost", sum((cost for _, cost in found.values()), Fraction()))
        for line, exception in enumerate(entry["exceptions"]):
            place = f"{here}.exceptions[{line}]"
            key = tuple(str(exception["information"][name]) for name in best.information)
            share, cost = found.get(key, (Fraction(-1), Fraction(-1)))
            book.ratio(f"{place}.probability", share)
            book.ratio(f"{place}.cost", cost)
            _information(book, f"{place}.information", exception["information"], key in found)
            book.unconfirmed(f"{place}.hands", HANDS)


def _information(book: Ledger, path: str, values: Document, known: bool) -> None:
    """Values that name an information set: right where the strategy's file has such a set."""
    for name, value in values.items():
        if f"{path}.{name}" in book.open:
            book.text(f"{path}.{name}", str(value) if known else None)


def _differing(
    strategies: Strategies, best: Sets, other: Sets
) -> Iterator[tuple[tuple[str, ...], Fraction, Fraction]]:
    """Sets where two strategies act differently: values, probability under the other, cost."""
    same = " AND ".join(f'a."{name}" = b."{name}"' for name in best.information)
    columns = ", ".join(f'CAST(a."{name}" AS VARCHAR)' for name in best.information)
    for *key, deals, reached, mine, theirs in strategies.tables.rows(
        f"""
        SELECT {columns}, a.combinations, c.{other.reached},
               CAST(a.ev_sum AS HUGEINT), CAST(b.ev_sum AS HUGEINT)
        FROM {best.view} a JOIN {best.view} b ON {same} AND a.taken AND NOT b.taken
        JOIN {other.view} c ON {same.replace("a.", "c.")} AND c.action = b.action AND c.taken
        WHERE c.{other.reached} > 0
        """
    ):
        share = Fraction(int(reached), best.deals)
        lost = Fraction(int(mine) - int(theirs), best.unit * int(deals))
        yield tuple(key), share, share * lost


def values(book: Ledger, sheet: Sheet, strategies: Strategies, entries: Sequence[Document]) -> None:
    """What every action is worth, sets summed up by columns and weighed by both measures."""
    written = {entry["title"]: entry for entry in sheet.raw["values"]}
    rules = ", ".join(
        f"""{value if isinstance(value, int) else "'" + value + "'"} AS "{name}\""""
        for name, value in sheet.rules.items()
    )
    for index, entry in enumerate(entries):
        here = f"values[{index}]"
        sets = strategies.sets(entry["strategy"])
        if sets is None:
            book.unconfirmed(here, NO_FILE)
            continue
        by = ", ".join(f'"{name}"' for name in entry["by"])
        rows = strategies.tables.rows(
            f"""
            SELECT {by}, action, bool_and(allowed), count(*),
                   sum(combinations), sum({sets.reached}),
                   list(CAST(ev_sum AS HUGEINT)), list(combinations), list({sets.reached})
            FROM {sets.view} CROSS JOIN (SELECT {rules or "0 AS nothing"}) AS rules
            WHERE {written[entry["title"]]["where"]} GROUP BY {by}, action
            """
        )
        width = len(entry["by"])
        cells = {(tuple(map(str, row[:width])), row[width]): row[width + 1 :] for row in rows}
        for number_, group in enumerate(entry["groups"]):
            _group(book, f"{here}.groups[{number_}]", entry, group, cells, sets)


def _group(
    book: Ledger, path: str, entry: Document, group: Document,
    cells: Mapping[tuple[tuple[str, ...], str], tuple[Any, ...]], sets: Sets,
) -> None:  # fmt: skip
    key = tuple(str(group["information"][name]) for name in entry["by"])
    _information(book, f"{path}.information", group["information"], (key, sets.actions[0]) in cells)
    for action in sets.actions:
        cell = cells.get((key, action))
        if cell is None:
            continue
        allowed, count, deals, reached, worth, weights, comings = cell
        if action == sets.actions[0]:
            book.integer(f"{path}.sets", count)
            book.ratio(f"{path}.probability_by_cards", Fraction(int(deals), sets.deals))
            book.ratio(f"{path}.probability_reached", Fraction(int(reached), sets.deals))
        for name, total, measure in (
            ("ev_by_cards", int(deals), weights), ("ev_reached", int(reached), comings),
        ):  # fmt: skip
            value = None
            if allowed and total:
                terms = zip(worth, weights, measure, strict=True)
                value = (
                    sum(
                        (
                            Fraction(int(ev), sets.unit * int(w)) * int(m)
                            for ev, w, m in terms
                            if int(m)
                        ),
                        Fraction(),
                    )
                    / total
                )
            book.ratio(f"{path}.{name}.{action}", value)
