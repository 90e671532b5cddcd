"""Figures in print: our value of each, and whether it has every digit that is printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from tasks.reprice.paths import Difference, Ledger
from tasks.reprice.schoolbook import PayTable
from tasks.reprice.sheet import Sheet
from tasks.reprice.tables import Key, Tables
from tasks.reprice.wagers import OTHER_BASES, Known

Document = Mapping[str, Any]
MET = ("match", "match to 15 digits", "within error")
NOT_PRICED = "a figure in print that this run does not price"
#: A source's simulation may be off by this many of its standard errors.
ERRORS = 3


def published(
    book: Ledger, sheet: Sheet, tables: Tables, entries: Sequence[Document], known: Known,
    wagers: Sequence[Document], bases: Mapping[tuple[str, str], int],
) -> None:  # fmt: skip
    """Confirm our value and the verdict of every figure, and what a wager's figures come to."""
    written = sheet.raw["published"]
    if len(written) != len(entries):
        book.result.differences.append(
            Difference("published", f"{len(entries)} figures", f"{len(written)} in the spec")
        )
    for index, (entry, figure) in enumerate(zip(entries, written, strict=False)):
        _figure(book, sheet, tables, f"published[{index}]", entry, figure, known, wagers, bases)
    for index, wager in enumerate(wagers):
        for number, text in enumerate(sheet.wagers[wager["wager"]].recovered_from):
            if f"wagers[{index}].recovered_from[{number}]" in book.open:
                book.text(f"wagers[{index}].recovered_from[{number}]", text)
        _met(book, f"wagers[{index}].figures", wager, wagers, entries, known, sheet)


def _figure(
    book: Ledger, sheet: Sheet, tables: Tables, path: str, entry: Document, figure: Document,
    known: Known, wagers: Sequence[Document], bases: Mapping[tuple[str, str], int],
) -> None:  # fmt: skip
    for name in ("printed", "wager", "quantity", "source"):
        if entry[name] != figure[name]:
            book.result.differences.append(
                Difference(f"{path}.{name}", str(entry[name]), str(figure[name]))
            )
    if f"{path}.printed" in book.open:
        book.text(f"{path}.printed", figure["printed"])
    for rule, value in figure["rules"].items():
        if f"{path}.rules.{rule}" in book.open:
            book.text(f"{path}.rules.{rule}", str(value))
    moved = [rule for rule, value in figure["rules"].items() if sheet.rules[rule] != value]
    change = (moved[0], figure["rules"][moved[0]]) if len(moved) == 1 else None
    strategy = figure["strategy"] or next(
        (w["strategy"] for w in wagers if w["wager"] == figure["wager"]), None
    )
    pay = known.get((figure["wager"], strategy, change)) if len(moved) < 2 else None
    if pay is None or entry["ours"] is None:
        expected = ("not applicable", "not checkable", "not comparable")
        if entry["verdict"] not in expected and len(moved) > 1:
            book.result.differences.append(
                Difference(f"{path}.verdict", entry["verdict"], "a figure of another run")
            )
        book.unconfirmed(path, NOT_PRICED)
        return
    space = next(w["space"] for w in wagers if w["wager"] == figure["wager"])
    key, under = Key(space, strategy, change), sheet.under(*change) if change else sheet
    ours, square = _quantity(tables, key, under, figure, pay, bases, entry["basis"], space)
    if square is not None:
        # A square root is compared to 40 decimals, as its certificate says.
        ours = Fraction(entry["ours"]["exact"])
        unit = Fraction(1, 10**40)
        low = max(ours - unit, Fraction())
        if not low**2 <= square <= (ours + unit) ** 2:
            ours = Fraction(-1)
    if ours is None:
        book.unconfirmed(f"{path}.ours", OTHER_BASES)
    else:
        book.ratio(f"{path}.ours", ours)
        _verdict(book, path, sheet, entry, figure, ours)


def _quantity(
    tables: Tables, key: Key, sheet: Sheet, figure: Document, pay: PayTable,
    bases: Mapping[tuple[str, str], int], basis: str | None, space: str,
) -> tuple[Fraction | None, Fraction | None]:  # fmt: skip
    """Our value of a quantity, or the square of one that is a root."""
    quantity = figure["quantity"]
    share, returned = Fraction(1), pay.mean
    if figure["when"] is not None:
        (count,) = tables.row(
            f"SELECT coalesce(sum(combinations), 0) FROM {tables.source(key, sheet.rules)} "
            f"WHERE {figure['when']}"
        )
        share = Fraction(int(count), pay.deals)
    elif figure["event"] is not None:
        lines = [line for line in pay.lines if line.name == figure["event"]]
        share = pay.share(lines)
        returned = sum((Fraction(x.count, pay.deals) * x.net for x in lines), Fraction())
    if quantity == "probability":
        return share, None
    if quantity in ("combinations", "deals"):
        total = bases[space, basis or ""]
        if key.change:
            # Under other rules a basis is known only where it is that of the table itself.
            total = pay.deals if total == tables.deals(key._replace(change=None)) else 0
        return (share * total if total else None), None
    if quantity == "return":
        return returned, None
    roots = pay.roots()
    if quantity in roots:
        return None, roots[quantity][0]
    return pay.rationals()[quantity], None


def _verdict(
    book: Ledger, path: str, sheet: Sheet, entry: Document, figure: Document, ours: Fraction
) -> None:
    value, half = read(figure["printed"])
    if abs(ours - value) <= half:
        verdict = "match"
    elif _fifteen(value, ours):
        verdict = "match to 15 digits"
    elif figure["error"] and abs(ours - value) <= ERRORS * read(figure["error"])[0] + half:
        verdict = "within error"
    else:
        verdict = "refuted"
    recovered = sheet.wagers[figure["wager"]].recovered_from
    if verdict in MET and figure["printed"] in recovered:
        verdict = "recovered"
    others = any(sheet.rules[rule] != value for rule, value in figure["others"].items())
    if verdict == "refuted" and others:
        verdict = "not applicable"
    if entry["verdict"] != verdict:
        book.result.differences.append(Difference(f"{path}.verdict", entry["verdict"], verdict))


def read(text: str) -> tuple[Fraction, Fraction]:
    """A printed number and half a unit of its last digit."""
    bare = text.strip().replace(",", "").replace("+", "")
    scale = Fraction(1, 100) if bare.endswith("%") else Fraction(1)
    bare = bare.rstrip("% ")
    decimals = len(bare.partition(".")[2])
    return Fraction(bare) * scale, scale / (2 * 10**decimals)


def _fifteen(value: Fraction, ours: Fraction) -> bool:
    """Whether an integer is ours cut or rounded to fifteen digits, as a spreadsheet keeps it."""
    if value.denominator != 1 or ours.denominator != 1 or value * ours <= 0:
        return False
    printed, exact = abs(value.numerator), abs(ours.numerator)
    unit = 10 ** max(len(str(exact)) - 15, 0)
    return (
        unit > 1
        and printed % unit == 0
        and abs(printed - exact) < unit
        and (printed <= exact or 2 * (printed - exact) <= unit)
    )


def _met(
    book: Ledger, path: str, wager: Document, wagers: Sequence[Document],
    entries: Sequence[Document], known: Known, sheet: Sheet,
) -> None:  # fmt: skip
    """Count a wager's figures; those that name no strategy belong to its first one."""
    first = next(w for w in wagers if w["wager"] == wager["wager"]) is wager
    mine = [
        entry
        for entry in entries
        if entry["wager"] == wager["wager"]
        and (entry["strategy"] == wager["strategy"] or (first and entry["strategy"] is None))
    ]
    verdicts = Counter(entry["verdict"] for entry in mine)
    met = sum(verdicts[name] for name in MET)
    book.integer(f"{path}.printed", len(mine))
    book.integer(f"{path}.tried", met + verdicts["refuted"])
    book.integer(f"{path}.met", met)
    book.integer(f"{path}.recovered", verdicts["recovered"])
    if f"{path}.edge" in book.open:
        pay = known.get((wager["wager"], wager["strategy"], None))
        edges = [
            entry["printed"]
            for entry in mine
            if pay is not None
            and entry["quantity"] == pay.headline
            and entry["event"] is None
            and all(sheet.rules[rule] == value for rule, value in entry["rules"].items())
        ]
        book.text(f"{path}.edge", edges[0] if edges else None)
