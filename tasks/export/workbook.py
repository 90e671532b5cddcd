"""The PAR sheet as a workbook: exact values as text, and live formulas beside them.

Change a pay or a stake on a wager's sheet, and its return, edge and deviation follow. Numbers of a
spreadsheet have fifteen digits; what is exact stands as text.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from engine.exact.rendering import percent
from engine.pricing.statistics import STATISTICS
from tasks.certificate.model import Certificate, CertifiedWager, Statement

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

#: Longest name of a sheet, and characters that it may not have.
LONGEST, FORBIDDEN = 31, re.compile(r"[\[\]:*?/\\']")
HEAD = (
    "Event", "Pays", "Pays per unit staked", "Staked", "Net", "Combinations", "Probability",
    "Return", "True odds to 1", "Pay odds short of true odds", "Combinations, exactly",
    "Probability, exactly", "Return, exactly",
)  # fmt: skip
WIDTHS = (34, 14, 12, 9, 12, 22, 14, 14, 14, 14, 26, 30, 30)


def workbook(statement: Statement, sha256: str) -> bytes:
    """Write a certificate as XLSX; `sha256`: digest of the certificate's own file."""
    import xlsxwriter

    out = io.BytesIO()
    # Without a time of making, the same certificate gives the same bytes.
    book = xlsxwriter.Workbook(out, {"in_memory": True, "strings_to_numbers": False})
    book.set_properties({"created": statement.predicate.run.issued.replace(tzinfo=None)})
    styles = {
        "head": book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"}),
        "bold": book.add_format({"bold": True}),
        "title": book.add_format({"bold": True, "font_size": 16}),
        "share": book.add_format({"num_format": "0.0000%"}),
        "places": book.add_format({"num_format": "0.000000000"}),
        "count": book.add_format({"num_format": "#,##0"}),
        "input": book.add_format({"bg_color": "#FFF7DA", "num_format": "General"}),
        "wrap": book.add_format({"text_wrap": True, "valign": "top"}),
    }
    wagers = statement.predicate.wagers
    names = _names([f"{w.title}, {w.strategy}" if w.strategy else w.title for w in wagers])
    _cover(book.add_worksheet("Cover"), statement.predicate, sha256, names, styles)
    for wager, name in zip(wagers, names, strict=True):
        _wager(book.add_worksheet(name), wager, styles)
    book.close()
    return out.getvalue()


def _names(titles: Iterable[str]) -> list[str]:
    """Names of sheets: short, allowed, and all different."""
    used, names = {"cover"}, []
    for title in titles:
        plain = FORBIDDEN.sub(" ", title)
        name, number = plain[:LONGEST].strip(), 2
        while name.lower() in used:
            tail = f" {number}"
            name, number = f"{plain[: LONGEST - len(tail)].strip()}{tail}", number + 1
        used.add(name.lower())
        names.append(name)
    return names


def _cover(
    sheet: Worksheet, certificate: Certificate, sha256: str, names: Sequence[str],
    styles: dict[str, Format],
) -> None:  # fmt: skip
    sheet.set_column(0, 0, 34)
    sheet.set_column(1, 4, 28)
    run = certificate.run
    rows: list[tuple[Any, ...]] = [
        ("Verdict", certificate.verdict),
        ("Game", certificate.game),
        ("Document", f"{certificate.document.number}, revision {certificate.document.revision}"),
        ("Source of the rules", certificate.source),
        ("Run", run.id),
        ("Issued", run.issued.isoformat()),
        ("Software", f"Dealproof {run.software.version}, commit {run.software.commit}"),
        ("Certificate, SHA-256", sha256),
        (),
        ("Rule", "Set to", "Clause"),
        *((name, str(v), certificate.clauses[name]) for name, v in certificate.rules.items()),
        (),
        ("Sheet", "Strategy", "Edge that it is known by"),
        *(
            (name, wager.strategy_title or "", _edge(wager))
            for wager, name in zip(certificate.wagers, names, strict=True)
        ),
        (),
        ("Check", "Verdict", "Covers", "Finding"),
        *((c.title, c.verdict, c.coverage, c.detail) for c in certificate.checks),
    ]
    sheet.write(0, 0, f"{certificate.title}: PAR sheet", styles["title"])
    for number, row in enumerate(rows, start=2):
        heads = {"Rule", "Sheet", "Check"}
        for column, value in enumerate(row):
            style = styles["head"] if row[0] in heads else styles["wrap"]
            sheet.write_string(number, column, value, styles["bold"] if not column else style)


def _edge(wager: CertifiedWager) -> str:
    edge = wager.statistic(wager.headline) if wager.headline else None
    if edge is None or wager.headline == "paid_per_round":
        return "" if edge is None else f"pays {edge.decimal} a round"
    value = Fraction(edge.exact)
    return percent(value) + (" per unit staked" if wager.headline == "element_of_risk" else "")


def _wager(sheet: Worksheet, wager: CertifiedWager, styles: dict[str, Format]) -> None:
    for column, width in enumerate(WIDTHS):
        sheet.set_column(column, column, width)
    sheet.write(0, 0, wager.title, styles["title"])
    sheet.write(1, 0, wager.rule)
    sheet.write(2, 0, f"counted in {wager.basis}")
    sheet.write_number(2, 5, float(wager.deals), styles["count"])
    sheet.write_string(2, 10, f"{wager.deals:,}")
    for column, text in enumerate(HEAD):
        sheet.write(4, column, text, styles["head"])
    first = 6
    for number, event in enumerate(wager.events):
        row = first + number
        sheet.write(row - 1, 0, event.event)
        sheet.write_number(row - 1, 5, float(event.combinations), styles["count"])
        sheet.write_formula(row - 1, 6, f"=F{row}/$F$3", styles["places"])
        sheet.write_string(row - 1, 10, f"{event.combinations:,}")
        sheet.write_string(row - 1, 11, event.probability.exact)
        sheet.write_formula(row - 1, 8, f'=IF(G{row}>0,(1-G{row})/G{row},"")', styles["places"])
        if wager.priced and event.net is not None and event.staked is not None:
            staked, net = Fraction(event.staked), Fraction(event.net)
            per_unit = net / staked if staked else net
            sheet.write(row - 1, 1, event.pays)
            sheet.write_number(row - 1, 2, float(per_unit), styles["input"])
            sheet.write_number(row - 1, 3, float(staked), styles["input"])
            sheet.write_formula(row - 1, 4, f"=IF(D{row}=0,C{row},C{row}*D{row})")
            sheet.write_formula(row - 1, 7, f"=G{row}*E{row}", styles["places"])
            sheet.write_formula(
                row - 1, 9, f'=IF(AND(G{row}>0,C{row}>0),I{row}-C{row},"")', styles["places"]
            )
            sheet.write_string(row - 1, 12, event.returned.exact if event.returned else "")
    last = first + len(wager.events) - 1
    sheet.write(last, 0, "Total", styles["bold"])
    for letter in "FGH" if wager.priced else "FG":
        style = styles["count" if letter == "F" else "places"]
        sheet.write_formula(f"{letter}{last + 1}", f"=SUM({letter}{first}:{letter}{last})", style)
    if wager.priced:
        _statistics(sheet, wager, first, last, styles)


def formulas(first: int, last: int) -> dict[str, str]:
    """Live formulas of the statistics over the rows of a pay table."""
    p, net, staked = (f"{column}{first}:{column}{last}" for column in "GED")
    mean, square = f"SUMPRODUCT({p},{net})", f"SUMPRODUCT({p},{net},{net})"
    variance = f"({square}-{mean}^2)"
    third = f"(SUMPRODUCT({p},{net},{net},{net})-3*{mean}*{square}+2*{mean}^3)"
    average = f"SUMPRODUCT({p},{staked})"
    return {
        "house_edge": f'=IF({average}=0,"",-{mean})',
        "rtp": f'=IF({average}=0,"",1+{mean})',
        "element_of_risk": f'=IF({average}=0,"",-{mean}/{average})',
        "edge_per_resolved": f'=IF({average}=0,"",-{mean}/SUMIF({net},"<>0",{p}))',
        "average_wager": f"={average}",
        "hit_frequency": f'=SUMIF({net},">0",{p})',
        "standard_deviation": f"=SQRT({variance})",
        "variance": f"={variance}",
        "volatility_index": f"=1.65*SQRT({variance})",
        "skewness": f"={third}/{variance}^1.5",
        "paid_per_round": f'=IF({average}=0,{mean},"")',
    }


def _statistics(
    sheet: Worksheet, wager: CertifiedWager, first: int, last: int, styles: dict[str, Format]
) -> None:
    row = last + 3
    for column, text in enumerate(("Statistic", "Live", "Certified", "", "Exactly")):
        sheet.write(row - 1, column, text, styles["head"])
    live = formulas(first, last)
    for statistic in STATISTICS:
        value = wager.statistic(statistic.name)
        if value is None:
            continue
        style = styles["share" if statistic.unit == "share" else "places"]
        sheet.write(row, 0, f"{statistic.label} ({statistic.unit})")
        if statistic.name in live:
            sheet.write_formula(row, 1, live[statistic.name], style)
        sheet.write_number(row, 2, float(value.value), style)
        sheet.write_string(row, 4, value.exact)
        row += 1
