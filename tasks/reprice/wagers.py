"""Priced wagers of a certificate, and the same under other readings and variants."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from typing import Any

import duckdb

from tasks.reprice.paths import Difference, Ledger
from tasks.reprice.schoolbook import Line, PayTable
from tasks.reprice.sheet import Event, Sheet
from tasks.reprice.tables import Key, Tables

Document = Mapping[str, Any]
#: Pay tables that are known: (wager, strategy, change) → pay table.
Known = dict[tuple[str, str | None, tuple[str, int | str] | None], PayTable]
MISSING = "the outcome table is not among the run's files"
OTHER_BASES = "bases of counts under other rules"


def priced(
    book: Ledger, sheet: Sheet, tables: Tables, wagers: list[Document], path: str, known: Known,
    bases: Mapping[tuple[str, str], int], settled: Mapping[Key, list[str]],
    change: tuple[str, int | str] | None = None,
) -> None:  # fmt: skip
    """Confirm a list of priced wagers.

    `bases`: (space, basis) → deals, empty where not known; `settled`: all wagers that are asked
    for on a table, where these are not all.
    """
    for index, entry in enumerate(wagers):
        here = f"{path}[{index}]"
        key = _key(entry, change)
        if not tables.has(key):
            book.unconfirmed(here, MISSING)
            continue
        beside = settled.get(key, [e["wager"] for e in wagers if _key(e, change) == key])
        tables.settle(key, [sheet.wagers[name] for name in beside], sheet.rules)
        pay = tables.pay_table(key, sheet.wagers[entry["wager"]], sheet.rules)
        known[entry["wager"], entry["strategy"], change] = pay
        _deals(book, f"{here}.deals", entry, pay, bases)
        _case(book, tables, sheet, key, here, entry)
        wager = sheet.wagers[entry["wager"]]
        paid, written = wager.priced, {event.number: event for event in wager.events}
        _lines(book, here, entry["events"], pay, int(entry["deals"]), paid, written)
        _total(book, f"{here}.total", pay, int(entry["deals"]), paid)
        statistics(book, here, pay if paid else None)
        if entry["headline"] != (pay.headline if paid else None):
            book.result.differences.append(
                Difference(f"{here}.headline", str(entry["headline"]), pay.headline)
            )


def _key(entry: Document, change: tuple[str, int | str] | None) -> Key:
    return Key(entry["space"], entry["strategy"], change)


def _deals(
    book: Ledger, path: str, entry: Document, pay: PayTable, bases: Mapping[tuple[str, str], int]
) -> None:
    basis = bases.get((entry["space"], entry["basis"]))
    if basis is None and int(entry["deals"]) != pay.deals:
        book.unconfirmed(path, OTHER_BASES)
        return
    book.integer(path, pay.deals if basis is None else basis)


def _case(book: Ledger, tables: Tables, sheet: Sheet, key: Key, path: str, entry: Document) -> None:
    """The certificate's own SQL settles every row by the same event."""
    settling, _ = tables.settling(sheet.wagers[entry["wager"]], sheet.rules)
    try:
        (rows,) = tables.row(
            f"SELECT count(*) FROM {tables.source(key, sheet.rules)} "
            f"WHERE ({settling}) IS DISTINCT FROM ({entry['case']})"
        )
    except duckdb.Error as error:
        reason = str(error).splitlines()[0]
        book.result.differences.append(Difference(f"{path}.case", entry["case"], reason))
        return
    if rows:
        book.result.differences.append(
            Difference(f"{path}.case", f"another event in {rows} rows", "the spec's conditions")
        )


def _lines(
    book: Ledger, path: str, events: list[Document], pay: PayTable, deals: int, paid: bool,
    written: Mapping[int, Event] | None = None,
) -> None:  # fmt: skip
    """Confirm the lines of a pay table; `written`: events by number, where they are certified."""
    lines = pay.lines
    if [event["event"] for event in events] != [line.name for line in lines]:
        names = ", ".join(line.name for line in lines)
        book.result.differences.append(Difference(f"{path}.events", "other lines", names))
    for index, line in enumerate(lines[: len(events)]):
        here = f"{path}.events[{index}]"
        share = Fraction(line.count, pay.deals)
        count = share * deals
        book.integer(f"{here}.combinations", int(count) if count.denominator == 1 else -1)
        book.ratio(f"{here}.probability", share)
        book.ratio(f"{here}.true_odds", (1 - share) / share if share else None)
        book.ratio(f"{here}.return", share * line.net if paid else None)
        book.text(f"{here}.net", str(line.net) if paid else None)
        book.text(f"{here}.staked", str(line.staked) if paid else None)
        if written is not None:
            book.integer(f"{here}.number", line.event)
            _written(book, here, written[line.event], events[index], line)


def _written(book: Ledger, path: str, event: Event, given: Document, line: Line) -> None:
    """Numbers that stand in the certificate as the spec writes them."""
    if f"{path}.staked_sql" in book.open:
        book.text(f"{path}.staked_sql", str(line.staked))
    if f"{path}.pays" in book.open:
        same = isinstance(event.pays, (int, Fraction)) and Fraction(given["pays"]) == event.pays
        book.text(f"{path}.pays", given["pays"] if same else str(event.pays))


def _total(book: Ledger, path: str, pay: PayTable, deals: int, paid: bool) -> None:
    everything = pay.share(pay.lines)
    book.integer(f"{path}.combinations", int(everything * deals))
    book.ratio(f"{path}.probability", everything)
    book.ratio(f"{path}.return", pay.mean if paid else None)


def statistics(book: Ledger, path: str, pay: PayTable | None) -> None:
    """Every statistic of a wager; all are absent without a pay table."""
    empty = PayTable((Line(0, "", Fraction(), Fraction(), 1),), 1)
    for name, value in (pay or empty).rationals().items():
        book.ratio(f"{path}.{name}", value if pay else None)
    for name, (square, sign) in (pay or empty).roots().items():
        book.root(f"{path}.{name}", square if pay else None, sign)


def readings(
    book: Ledger, sheet: Sheet, tables: Tables, entries: list[Document], known: Known,
    certified: Mapping[tuple[str, str | None], Document],
) -> None:  # fmt: skip
    """Confirm every wager under every other reading."""
    for number, reading in enumerate(entries):
        for index, other in enumerate(reading["alternatives"]):
            here = f"readings[{number}].alternatives[{index}]"
            change = reading["name"], other["value"]
            name, strategy = other["wager"], other["strategy"]
            key = Key(certified[name, strategy]["space"], strategy, change)
            if not tables.has(key):
                book.unconfirmed(here, MISSING)
                continue
            moved = sheet.under(*change)
            alike = [
                o["wager"] for o in reading["alternatives"]
                if (o["value"], o["strategy"]) == (other["value"], strategy)
                and certified[o["wager"], strategy]["space"] == key.space
            ]  # fmt: skip
            tables.settle(key, [sheet.wagers[one] for one in alike], moved.rules)
            if f"{here}.value" in book.open:
                allowed = {rule["name"]: rule["allowed"] for rule in sheet.raw["rules"]}
                book.integer(
                    f"{here}.value", allowed_value(allowed[reading["name"]], other["value"])
                )
            pay = tables.pay_table(key, sheet.wagers[name], moved.rules)
            known[name, strategy, change] = pay
            before = known[name, strategy, None]
            _alternative(book, here, sheet, other, pay, before, certified[name, strategy])
        if f"readings[{number}].chosen" in book.open:
            book.integer(f"readings[{number}].chosen", int(sheet.rules[reading["name"]]))


def allowed_value(allowed: Any, value: int | str) -> int:
    """The value again, as the spec's list of values has it; −1 where it has not."""
    if isinstance(allowed, Mapping):
        return int(value) if allowed["min"] <= int(value) <= allowed["max"] else -1
    return next((int(one) for one in allowed if one == value), -1)


def _alternative(
    book: Ledger, path: str, sheet: Sheet, other: Document, pay: PayTable, before: PayTable,
    certified: Document,
) -> None:  # fmt: skip
    paid = sheet.wagers[other["wager"]].priced
    after, earlier = pay.rationals(), before.rationals()
    headline = before.headline
    edges = (after[headline], earlier[headline])
    moved = None
    if paid and headline != "paid_per_round" and edges[0] is not None and edges[1] is not None:
        moved = edges[0] - edges[1]
    for name in ("house_edge", "element_of_risk", "paid_per_round"):
        book.ratio(f"{path}.{name}", after[name] if paid else None)
    book.ratio(f"{path}.change", moved)
    if paid and (after["house_edge"] != earlier["house_edge"] or moved):
        effect = "changes the edge"
    elif paid and after["paid_per_round"] != earlier["paid_per_round"]:
        effect = "changes what is paid"
    else:
        effect = "none" if pay.shares == before.shares else "changes the counts"
    if other["effect"] != effect:
        book.result.differences.append(Difference(f"{path}.effect", other["effect"], effect))
    if other["events"] is None:
        return
    basis = int(certified["deals"])
    whole = all(line.count * basis % pay.deals == 0 for line in pay.lines)
    deals = basis if whole else pay.deals
    book.integer(f"{path}.deals", deals)
    _lines(book, path, other["events"], pay, deals, paid)


def together(
    sheet: Sheet, certificate: Document, certified: Mapping[tuple[str, str | None], Document]
) -> dict[Key, list[str]]:
    """Wagers that each of the certified outcome tables settles, by name."""
    names: dict[Key, list[str]] = {}
    for entry in certificate["wagers"]:
        names.setdefault(Key(entry["space"], entry["strategy"]), []).append(entry["wager"])
    for entry in certificate["covariances"]:
        one = certified[entry["wager"], entry["strategy"]]
        names.setdefault(Key(one["space"], entry["strategy"]), []).append(entry["other"])
    return names


def covariances(
    book: Ledger, sheet: Sheet, tables: Tables, entries: list[Document],
    certified: Mapping[tuple[str, str | None], Document],
) -> None:  # fmt: skip
    """E(XY) − E(X)·E(Y) over the rows of the table that both wagers are settled on."""
    groups: dict[Key, list[int]] = {}
    for index, entry in enumerate(entries):
        space = certified[entry["wager"], entry["strategy"]]["space"]
        groups.setdefault(Key(space, entry["strategy"]), []).append(index)
    for key, indices in groups.items():
        if not tables.has(key):
            for index in indices:
                book.unconfirmed(f"covariances[{index}]", MISSING)
            continue
        pairs = [
            (sheet.wagers[entries[i]["wager"]], sheet.wagers[entries[i]["other"]]) for i in indices
        ]
        pays = {
            wager.name: tables.pay_table(key, wager, sheet.rules)
            for pair in pairs
            for wager in pair
        }
        products = tables.products(key, pairs, sheet.rules)
        for index, (one, other), product in zip(indices, pairs, products, strict=True):
            first, second = pays[one.name], pays[other.name]
            covariance = product / first.deals - first.mean * second.mean
            book.ratio(f"covariances[{index}].covariance", covariance)
            spread = first.variance * second.variance
            correlation = float(covariance) / sqrt(spread) if spread else 0.0
            book.near(f"covariances[{index}].correlation", correlation)
