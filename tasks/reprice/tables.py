"""The run's outcome tables in DuckDB: the first event whose condition holds settles a row."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple
from urllib.parse import quote

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from tasks.reprice.schoolbook import Line, PayTable
from tasks.reprice.sheet import Event, Rules, Wager

#: Sums that one question asks for.
TOGETHER = 200
#: Reads a file of the store by its path; None where it is not there.
Read = Callable[[str], bytes | None]


class Key(NamedTuple):
    """An outcome table: its space, the strategy that is played, and the rule that is changed."""

    space: str
    strategy: str | None
    change: tuple[str, int | str] | None = None

    @property
    def file(self) -> str:
        """Its path in the folder of the run."""
        folder = "outcomes"
        if self.change:
            rule, value = self.change
            folder = f"changed/{rule}={quote(str(value), safe=' ')}"
        return f"{folder}/{self.space}--{self.strategy or 'every-action'}.parquet"


class Tables:
    """Outcome tables and strategies of one run, read when they are asked for."""

    def __init__(self, folder: str, read: Read) -> None:
        self.folder, self._read = folder, read
        self.database = duckdb.connect()
        self._deals: dict[Key, int] = {}
        self._columns: dict[Key, frozenset[str]] = {}
        self._settled: dict[Key, tuple[str, dict[str, int]]] = {}

    def has(self, key: Key) -> bool:
        """Whether the run holds this table; makes it known to the database."""
        if key not in self._deals:
            if not self.load(f"t{len(self._deals)}", key.file):
                return False
            name = f"t{len(self._deals)}"
            self.database.execute(f'CREATE VIEW "{_view(key)}" AS SELECT * FROM {name}')
            (total,) = self.row(f'SELECT sum(combinations) FROM "{_view(key)}"')
            self._deals[key] = int(total)
            described = self.rows(f'DESCRIBE "{_view(key)}"')
            self._columns[key] = frozenset(str(column[0]) for column in described)
        return True

    def load(self, name: str, file: str) -> Mapping[str, Any] | None:
        """Register a Parquet file of the run as a table; its metadata, None where it is missing."""
        data = self._read(f"{self.folder}/{file}")
        if data is None:
            return None
        table = pq.read_table(io.BytesIO(data))
        metadata = json.loads((table.schema.metadata or {}).get(b"dealproof", b"{}"))
        self.database.register(name, _words(table.replace_schema_metadata(None)))
        return metadata or {"": ""}

    def deals(self, key: Key) -> int:
        """Deals behind a table."""
        return self._deals[key]

    def row(self, sql: str) -> tuple[Any, ...]:
        """The one row that a question has."""
        (answer,) = self.rows(sql)
        return answer

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """All rows that a question has."""
        return self.database.execute(sql).fetchall()

    def source(self, key: Key, rules: Rules) -> str:
        """A table with every rule's value beside each row, as a FROM clause has it.

        Where a column bears the name of a rule, the name means the column.
        """
        values = ", ".join(
            f'{_literal(value)} AS "{name}"'
            for name, value in rules.items()
            if name not in self._columns[key]
        )
        rules_row = f" CROSS JOIN (SELECT {values}) AS rules" if values else ""
        return f'"{_view(key)}"{rules_row}'

    def settle(self, key: Key, wagers: Iterable[Wager], rules: Rules) -> None:
        """Find the event and the stake of every row for some wagers, all in one table."""
        if key in self._settled:
            return
        named = list({wager.name: wager for wager in wagers}.values())
        columns = ["CAST(combinations AS HUGEINT) AS combinations"]
        for index, wager in enumerate(named):
            settling, staked = self.settling(wager, rules)
            columns += [f"{settling} AS event{index}", f"{staked} AS stake{index}"]
        view = f"settled{len(self._settled)}"
        self.database.execute(
            f"CREATE TABLE {view} AS SELECT {', '.join(columns)} FROM {self.source(key, rules)}"
        )
        self._settled[key] = view, {wager.name: index for index, wager in enumerate(named)}

    def pay_table(self, key: Key, wager: Wager, rules: Rules) -> PayTable:
        """Count what every event settles, with every stake that its rows have."""
        self.settle(key, [wager], rules)
        view, indices = self._settled[key]
        index = indices[wager.name]
        counted: dict[int, list[tuple[Fraction | None, int]]] = {}
        for event, stake, count in self.rows(
            f"SELECT event{index}, stake{index}, sum(combinations) FROM {view} GROUP BY ALL"
        ):
            value = None if stake is None else Fraction(stake)
            counted.setdefault(event, []).append((value, int(count)))
        lines: list[Line] = []
        for event in self.events(wager, rules):
            for stake, count in sorted(counted.get(event.number, [(None, 0)]), key=_by_stake):
                units = _written(event) if stake is None else stake
                lines.append(Line(event.number, event.name, event.net(units, rules), units, count))
        return PayTable(tuple(lines), self.deals(key))

    def products(
        self, key: Key, pairs: Sequence[tuple[Wager, Wager]], rules: Rules
    ) -> list[Fraction]:
        """Σ count × net × net of pairs of wagers that one table settles, exactly."""
        view, indices = self._settled[key]
        scales: dict[str, int] = {}
        columns = ["combinations"]
        for wager in {one.name: one for pair in pairs for one in pair}.values():
            index, pay = indices[wager.name], self.pay_table(key, wager, rules)
            scale = scales[wager.name] = lcm(*(line.net.denominator for line in pay.lines))
            cases = " ".join(
                f"WHEN event{index} = {line.event} AND (stake{index} IS NULL OR "
                f"CAST(stake{index} AS DECIMAL(18, 6)) = {_decimal(line.staked)}) "
                f"THEN {int(line.net * scale)}"
                for line in pay.lines
            )
            columns.append(f"CAST(CASE {cases} END AS HUGEINT) AS net{index}")
        self.database.execute(
            f"CREATE OR REPLACE TABLE nets AS SELECT {', '.join(columns)} FROM {view}"
        )
        sums: list[Fraction] = []
        for start in range(0, len(pairs), TOGETHER):
            part = pairs[start : start + TOGETHER]
            asked = ", ".join(
                f"sum(net{indices[a.name]} * net{indices[b.name]} * combinations)" for a, b in part
            )
            row = self.row(f"SELECT {asked} FROM nets")
            sums += [
                Fraction(int(total), scales[a.name] * scales[b.name])
                for total, (a, b) in zip(row, part, strict=True)
            ]
        return sums

    def events(self, wager: Wager, rules: Rules) -> list[Event]:
        """Events that the pay table has under these rules."""
        if all(event.under == "true" for event in wager.events):
            return list(wager.events)
        values = ", ".join(f'{_literal(value)} AS "{name}"' for name, value in rules.items())
        tests = ", ".join(f"CASE WHEN {event.under} THEN 1 ELSE 0 END" for event in wager.events)
        stands = self.row(f"SELECT {tests} FROM (SELECT {values or '0 AS nothing'})")
        return [event for event, one in zip(wager.events, stands, strict=True) if one]

    def settling(self, wager: Wager, rules: Rules) -> tuple[str, str]:
        """SQL for the number of the event that settles a row, and for its stake as text."""
        events = self.events(wager, rules)
        cases = " ".join(f"WHEN ({event.when}) THEN {event.number}" for event in events)
        settling = f"CASE {cases} END"
        stakes = " ".join(
            f"WHEN ({event.when}) THEN CAST(({event.staked}) AS VARCHAR)"
            if isinstance(event.staked, str)
            else f"WHEN ({event.when}) THEN NULL"
            for event in events
        )
        return settling, f"CASE {stakes} END"


def _view(key: Key) -> str:
    change = f" under {key.change[0]} = {key.change[1]}" if key.change else ""
    return f"{key.space} by {key.strategy or 'every action'}{change}".replace('"', "'")


def _words(table: pa.Table) -> pa.Table:
    """Dictionary columns as plain words."""
    plain = [
        field.with_type(pa.string()) if pa.types.is_dictionary(field.type) else field
        for field in table.schema
    ]
    return table.cast(pa.schema(plain))


def _literal(value: int | str) -> str:
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"


def _written(event: Event) -> Fraction:
    """The stake of an event that no row settles, or whose stake is one number."""
    if isinstance(event.staked, (int, Fraction)):
        return Fraction(event.staked)
    return Fraction(event.staked) if event.staked.replace(".", "").isdigit() else Fraction(1)


def _by_stake(entry: tuple[Fraction | None, int]) -> Fraction:
    return entry[0] if entry[0] is not None else Fraction()


def _decimal(value: Fraction) -> str:
    return str(Decimal(value.numerator) / Decimal(value.denominator))
