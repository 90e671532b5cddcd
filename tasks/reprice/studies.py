"""Distributions of columns, and two bets at every ratio."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from tasks.reprice.paths import Ledger, decimal
from tasks.reprice.sheet import Sheet
from tasks.reprice.tables import Key, Tables
from tasks.reprice.wagers import MISSING

Document = Mapping[str, Any]


def distributions(book: Ledger, sheet: Sheet, tables: Tables, entries: Sequence[Document]) -> None:
    """Count the deals of every cell, and of the cells that share its conditions."""
    for index, entry in enumerate(entries):
        here = f"distributions[{index}]"
        key = Key(entry["space"], entry["strategy"])
        if not tables.has(key):
            book.unconfirmed(here, MISSING)
            continue
        names = [*entry["rows"], *entry["columns"]]
        columns = ", ".join(f'CAST("{name}" AS VARCHAR)' for name in names)
        counts = {
            tuple(row[:-1]): int(row[-1])
            for row in tables.rows(
                f"SELECT {columns}, sum(combinations) FROM {tables.source(key, sheet.rules)} "
                "GROUP BY ALL"
            )
        }
        given = [names.index(name) for name in entry["given"]]
        wholes: dict[tuple[str, ...], int] = {}
        for values, count in counts.items():
            whole = tuple(values[i] for i in given)
            wholes[whole] = wholes.get(whole, 0) + count
        for number, cell in enumerate(entry["cells"]):
            place = f"{here}.cells[{number}]"
            values = tuple(str(({**cell["row"], **cell["column"]})[name]) for name in names)
            count, deals = counts.get(values, 0), wholes[tuple(values[i] for i in given)]
            book.integer(f"{place}.combinations", count)
            book.integer(f"{place}.deals", deals)
            book.ratio(f"{place}.probability", Fraction(count, deals))
            for part in ("row", "column"):
                for name, value in cell[part].items():
                    if f"{place}.{part}.{name}" in book.open:
                        book.text(f"{place}.{part}.{name}", str(value) if count else None)
        heads = {
            tuple(str(cell["column"][name]) for name in entry["columns"]) for cell in entry["cells"]
        }
        for number, column in enumerate(entry["across"]):
            known = tuple(map(str, column.values())) in heads
            for name, value in column.items():
                if f"{here}.across[{number}].{name}" in book.open:
                    place = f"{here}.across[{number}].{name}"
                    book.text(place, str(value) if known else None)


def joint(book: Ledger, tables: Tables, entries: Sequence[Document]) -> None:
    """The loss of two bets under the best play at a ratio: the best action of every set, summed."""
    for index, entry in enumerate(entries):
        here, view = f"joint[{index}]", f"joint{index}"
        metadata = tables.load(view, f"joint/{entry['name']}.parquet")
        if metadata is None:
            book.unconfirmed(here, MISSING)
            continue
        information = ", ".join(f'"{feature["name"]}"' for feature in metadata["features"])
        (total,) = tables.row(f"SELECT sum(combinations) FROM {view}")
        unit = int(metadata["unit"]) * (int(total) // len(metadata["actions"]))
        lines = f"lines{index}"
        tables.database.execute(
            f"""
            CREATE TABLE {lines} AS SELECT dense_rank() OVER (ORDER BY {information}) AS hand,
              CAST("net_{entry["base"]}" AS HUGEINT) AS height,
              CAST("net_{entry["side"]}" AS HUGEINT) AS slope
            FROM {view} WHERE allowed
            """
        )
        points = [(part, number) for part in ("losses", "curve") for number in _range(entry, part)]
        ratios = [Fraction(entry[part][number]["ratio"]) for part, number in points]
        for (part, number), ratio, best in zip(
            points, ratios, _best(tables, lines, ratios), strict=True
        ):
            place, lost = f"{here}.{part}[{number}]", -best / unit
            units = {entry["base"]: Fraction(1), entry["side"]: ratio}
            put_up = sum((units[name] for name in entry["per_unit_of"]), Fraction())
            edge = lost / put_up if put_up else None
            book.text(f"{place}.ratio", str(ratio))
            if part == "losses":
                book.ratio(f"{place}.loss", lost)
                book.ratio(f"{place}.edge", edge)
            else:
                book.text(f"{place}.edge", None if edge is None else decimal(edge))
        _breaks(book, tables, here, lines)


def _range(entry: Document, part: str) -> range:
    return range(len(entry[part]))


def _best(tables: Tables, lines: str, ratios: Sequence[Fraction]) -> list[Fraction]:
    """Σ over all sets of the highest line at each ratio, all in one pass."""
    (peak,) = tables.row(f"SELECT max(abs(height)) + max(abs(slope)) FROM {lines}")
    factor = max((max(ratio.numerator, ratio.denominator) for ratio in ratios), default=1)
    kind = "BIGINT" if int(peak) * factor < 2**62 else "HUGEINT"
    highest = ", ".join(
        f"max(CAST(height AS {kind}) * {ratio.denominator} + "
        f"CAST(slope AS {kind}) * {ratio.numerator}) AS best{number}"
        for number, ratio in enumerate(ratios)
    )
    sums = ", ".join(f"sum(best{number})" for number in range(len(ratios)))
    row = tables.row(f"SELECT {sums} FROM (SELECT {highest} FROM {lines} GROUP BY hand)")
    return [Fraction(int(total), r.denominator) for total, r in zip(row, ratios, strict=True)]


def _breaks(book: Ledger, tables: Tables, path: str, lines: str) -> None:
    """Count the changes of action: ratios above 0 from which some set has another best action.

    The break points of every set are worked out again, from where two actions are worth the same.
    """
    points: list[Fraction] = []
    for heights, slopes in tables.rows(
        f"""
        SELECT list(height ORDER BY slope), list(slope ORDER BY slope) FROM (
          SELECT hand, slope, max(height) AS height FROM {lines} GROUP BY hand, slope
        ) GROUP BY hand HAVING count(*) > 1
        """
    ):
        points += _changes(list(map(int, heights)), list(map(int, slopes)))
    book.integer(f"{path}.breaks", len(points))
    book.integer(f"{path}.ratios", len(set(points)))
    book.ratio(f"{path}.first", min(points) if points else None)
    book.ratio(f"{path}.last", max(points) if points else None)


def _changes(heights: Sequence[int], slopes: Sequence[int]) -> list[Fraction]:
    """Ratios above 0 at which the best of some lines changes, slopes rising."""
    best = max(range(len(slopes)), key=lambda k: (heights[k], slopes[k]))
    ratios: list[Fraction] = []
    while best + 1 < len(slopes):
        # The next line is the one that is reached first, and of those the steepest.
        after = best + 1
        for k in range(best + 2, len(slopes)):
            drop, rise = heights[best] - heights[k], slopes[k] - slopes[best]
            least = heights[best] - heights[after], slopes[after] - slopes[best]
            if drop * least[1] <= least[0] * rise:
                after = k
        ratios.append(Fraction(heights[best] - heights[after], slopes[after] - slopes[best]))
        best = after
    return ratios
