"""From a statement and its files to what became of every number of the certificate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tasks.reprice import printed, strategies, studies, wagers
from tasks.reprice.paths import Confirmation, Difference, Ledger
from tasks.reprice.sheet import Sheet
from tasks.reprice.tables import Key, Read, Tables

FACTS = "facts of the run: versions, machine, seed, document number"
SPACES = "totals of spaces and starts in closed form"
EVIDENCE = "evidence of the other checks"
SHARED = "closed counts of what the methods share"
NO_SPEC = "the spec is not among the run's files"


def reprice(statement: Mapping[str, Any], read: Read) -> Confirmation:
    """Work out every number of a certificate again.

    `statement`: the in-toto statement as JSON has it; `read` gives the bytes of a file by its path
    in the store, None where it is missing. Raises nothing for numbers that differ: they are listed.
    """
    certificate = statement["predicate"]
    book = Ledger(certificate)
    folder = f"runs/game={certificate['game']}/run={certificate['run']['id']}"
    spec = read(f"{folder}/spec.json")
    if spec is None:
        for path in list(book.open):
            book.unconfirmed(path, NO_SPEC)
        return book.close()
    _all(book, certificate, Sheet.of(spec.decode()), Tables(folder, read))
    return book.close()


def _all(book: Ledger, certificate: Mapping[str, Any], sheet: Sheet, tables: Tables) -> None:
    if dict(certificate["rules"]) != dict(sheet.rules):
        book.result.differences.append(
            Difference("rules", str(certificate["rules"]), str(dict(sheet.rules)))
        )
    for name, value in sheet.rules.items():
        if f"rules.{name}" in book.open:
            book.text(f"rules.{name}", str(value))
    bases = {
        (space["name"], basis): int(deals)
        for space in certificate["spaces"]
        for basis, deals in space["denominators"].items()
    }
    _spaces(book, certificate, tables)
    known: wagers.Known = {}
    certified = {(w["wager"], w["strategy"]): w for w in certificate["wagers"]}
    settled = wagers.together(sheet, certificate, certified)
    wagers.priced(book, sheet, tables, certificate["wagers"], "wagers", known, bases, settled)
    for index, variant in enumerate(certificate["variants"]):
        change = variant["rule"], variant["value"]
        here = f"variants[{index}]"
        if f"{here}.value" in book.open:
            book.integer(f"{here}.value", _among(sheet, *change))
        moved = sheet.under(*change)
        wagers.priced(
            book, moved, tables, variant["wagers"], f"{here}.wagers", known, {}, {}, change
        )
    wagers.readings(book, sheet, tables, certificate["readings"], known, certified)
    wagers.covariances(book, sheet, tables, certificate["covariances"], certified)
    files = strategies.Strategies(tables)
    strategies.listed(book, sheet, files, certificate["strategies"], known)
    strategies.comparisons(book, files, certificate["comparisons"])
    strategies.values(book, sheet, files, certificate["values"])
    studies.distributions(book, sheet, tables, certificate["distributions"])
    studies.joint(book, tables, certificate["joint"])
    printed.published(
        book, sheet, tables, certificate["published"], known, certificate["wagers"], bases
    )
    for prefix, reason in (
        ("schema", FACTS), ("document", FACTS), ("run", FACTS), ("spaces", SPACES),
        ("shared", SHARED), ("checks", EVIDENCE),
    ):  # fmt: skip
        book.unconfirmed(prefix, reason)


def _among(sheet: Sheet, rule: str, value: int | str) -> int:
    """The value again where the spec allows it; −1 where it does not."""
    allowed = next(entry["allowed"] for entry in sheet.raw["rules"] if entry["name"] == rule)
    return wagers.allowed_value(allowed, value)


def _spaces(book: Ledger, certificate: Mapping[str, Any], tables: Tables) -> None:
    """A space has as many deals as every outcome table of it holds."""
    for index, space in enumerate(certificate["spaces"]):
        keys = dict.fromkeys(
            Key(w["space"], w["strategy"])
            for w in certificate["wagers"]
            if w["space"] == space["name"]
        )
        totals = {tables.deals(key) for key in keys if tables.has(key)}
        if not totals:
            continue
        (total,) = totals if len(totals) == 1 else (-1,)
        path = f"spaces[{index}]"
        book.integer(f"{path}.deals", total)
