"""Figures in print: tables as a source prints them, and every single figure out of them.

A table names its source once, with what its rows have in common. A row says what is counted or
priced, and under the name of each quantity the text that is printed:

    [[published]]
    source  = "Wizard of Odds, Baccarat"
    wager   = "player"
    rules   = { decks = 8 }
    figures = [
      { event = "Tie", combinations = "475,627,426,473,216", probability = "0.095156" },
      { house_edge = "1.2351%" },
    ]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any

from pydantic import ConfigDict, Field, model_validator

from engine.exact.errors import DealproofError
from engine.spec.base import Model, RuleValue

#: What a figure may print beside the statistics of a wager.
COUNTED = ("combinations", "deals", "probability", "return")


class Context(Model):
    """What a figure is about, for a whole table or one row; a row's words win over its table's.

    `when` (for combinations and probability) counts the deals of any predicate instead of an
    event. `error` is the source's standard error where it simulated. `counted_in` names the basis
    of a count where it is not that of the source's other counts. A figure that differs from ours
    needs `refuted_because`, one that agrees must not have it; `note` comments and explains nothing.
    `rules` of table and row are joined.
    """

    wager: str | None = None
    strategy: str | None = None
    event: str | None = None
    when: str | None = None
    rules: Mapping[str, RuleValue] = {}
    error: str | None = None
    counted_in: str | None = None
    refuted_because: str = ""
    note: str = ""


class Row(Context):
    """One line of a source's table: quantity → text in print, with all its digits."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, str]

    @model_validator(mode="after")
    def _prints(self) -> Row:
        if not self.__pydantic_extra__:
            raise ValueError('expected a quantity in print, such as house_edge = "1.06%"')
        return self

    @property
    def printed(self) -> Mapping[str, str]:
        """Quantity → text in print."""
        return self.__pydantic_extra__


class PublishedTable(Context):
    """What one source prints, row by row."""

    source: str
    figures: Annotated[tuple[Row, ...], Field(min_length=1)]

    @model_validator(mode="before")
    @classmethod
    def _has_rows(cls, given: Any) -> Any:
        if isinstance(given, dict) and "figures" not in given and "printed" in given:
            quantity, text = given.get("quantity", "house_edge"), given["printed"]
            raise ValueError(
                f'figures stand in rows: figures = [ {{ {quantity} = "{text}" }}, … ], without the '
                "keys 'quantity' and 'printed'"
            )
        return given


class Published(Model):
    """A figure that a source prints, and under which rules it holds; `path` of it, for errors.

    A run under other `rules` makes the figure not applicable; under other values of the remaining
    rules (`others`, which reading the spec fills in) it is so only where the figure no longer
    matches. The other fields are those of `Context`.
    """

    wager: str
    quantity: str
    printed: str
    source: str
    strategy: str | None = None
    event: str | None = None
    when: str | None = None
    rules: Mapping[str, RuleValue] = {}
    others: Mapping[str, RuleValue] = {}
    error: str | None = None
    counted_in: str | None = None
    refuted_because: str = ""
    note: str = ""
    path: str = "published"


def figures(
    tables: Iterable[PublishedTable], values: Mapping[str, RuleValue]
) -> Iterator[Published]:
    """Every single figure of some tables, in their order.

    `values`: rule → value in the spec that lists them. Raises DealproofError for a row of no wager.
    """
    for number, table in enumerate(tables, start=1):
        common = _given(table)
        for line, row in enumerate(table.figures, start=1):
            rules = {**table.rules, **row.rules}
            context = {**common, **_given(row), "source": table.source, "rules": rules}
            others = {name: value for name, value in values.items() if name not in rules}
            path = f"published[{number}].figures[{line}]"
            if context.get("wager") is None:
                raise DealproofError(f"{path}.wager: missing; it has to be given, here or above")
            for quantity, printed in row.printed.items():
                yield Published(
                    **context, quantity=quantity, printed=printed, others=others, path=path
                )


def _given(context: Context) -> dict[str, Any]:
    names = context.model_fields_set & set(Context.model_fields)
    return {name: getattr(context, name) for name in names}
