"""Numbers as sources print them, and what a printed figure can come to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from engine.exact.errors import DealproofError
from engine.spec.figures import Published

if TYPE_CHECKING:
    from engine.analysis.analysis import Result

#: "match": in every printed digit. "match to 15 digits": as far as a spreadsheet's numbers go.
#: "within error": inside the source's own standard error. "recovered": met, but the wager's pay
#: table was recovered from it. "not comparable": the source counts deals that no known basis has.
#: "not applicable": printed for other rules. "not checkable": this run does not price it.
Verdict = Literal[
    "match", "match to 15 digits", "within error", "recovered", "refuted", "not comparable",
    "not applicable", "not checkable",
]  # fmt: skip
VERDICTS: tuple[Verdict, ...] = (
    "match", "match to 15 digits", "within error", "recovered", "refuted", "not comparable",
    "not applicable", "not checkable",
)  # fmt: skip
#: Verdicts of figures that are met, and of those that stand for or against this run.
MET = ("match", "match to 15 digits", "within error")
TRIED = (*MET, "refuted")
#: Significant digits that a spreadsheet keeps of an integer.
SPREADSHEET = 15


@dataclass(frozen=True)
class Printed:
    """A printed number: its value and half a unit of its last digit."""

    value: Fraction
    half_unit: Fraction

    @classmethod
    def read(cls, text: str) -> Printed:
        """Read ``"3.05%"``, ``"1,403,360,904"``, ``"-0.030496"``; raises DealproofError."""
        match = re.fullmatch(r"\s*([+-]?)([\d,]*)(?:\.(\d+))?\s*(%?)\s*", text)
        if not match or not (match[2] or match[3]):
            raise DealproofError(f"printed = '{text}': expected a number with its digits")
        digits = (match[2] or "0").replace(",", "") + (match[3] or "")
        unit = Fraction(1, 10 ** len(match[3] or "")) / (100 if match[4] else 1)
        return cls((-1 if match[1] == "-" else 1) * int(digits) * unit, unit / 2)

    def is_of_spreadsheet(self, ours: Fraction) -> bool:
        """Whether this is `ours` as a spreadsheet keeps an integer: cut or rounded to 15 digits.

        True only for integers of more digits, with nothing but zeros after the 15th.
        """
        if self.value.denominator != 1 or ours.denominator != 1:
            return False
        value, exact = abs(int(self.value)), abs(int(ours))
        unit: int = 10 ** max(len(str(exact)) - SPREADSHEET, 0)
        kept = {exact // unit * unit, (exact + unit // 2) // unit * unit}
        return unit > 1 and self.value * ours > 0 and value != exact and value in kept


@dataclass(frozen=True)
class Comparison:
    """One published figure and what became of it.

    `ours` is exact, or None where there is nothing to compare; `basis` names the deals that a
    count is out of; `applies`: the figure is printed for the rules of this run, and not of another
    setting that is priced beside it.
    """

    figure: Published
    ours: Fraction | None
    verdict: Verdict
    reason: str
    basis: str | None = None
    applies: bool = True

    @property
    def fault(self) -> str:
        """What is wrong with this line of the spec; empty where nothing is."""
        if self.verdict == "refuted" and not self.figure.refuted_because:
            return "refuted, and 'refuted_because' does not say why"
        if self.verdict in (*MET, "recovered") and self.figure.refuted_because:
            return f"{self.verdict}, although 'refuted_because' explains a difference"
        return ""


@dataclass(frozen=True)
class Figures:
    """What the published figures of one wager under one strategy come to.

    `printed` figures there are, `tried` of them stand for or against this run, `met` agree;
    `edge` is the printed edge that the wager is known by.
    """

    printed: int
    tried: int
    met: int
    recovered: int
    worst: str
    edge: str

    @property
    def verdict(self) -> str:
        """In words, as every table shows it: ``"match (11 of 11)"``."""
        if self.tried:
            return f"{self.worst} ({self.met} of {self.tried})"
        if self.recovered:
            return "recovered"
        return "no figure applies" if self.printed else "none in print"


def figures_met(
    comparisons: Sequence[Comparison], results: Iterable[Result]
) -> dict[tuple[str, str | None], Figures]:
    """Count the published figures of priced wagers: (wager, strategy) → what they come to.

    Figures that name no strategy belong to the wager's first one.
    """
    figures_of: dict[tuple[str, str | None], Figures] = {}
    for result in results:
        wager, strategy = result.wager.name, result.key[1]
        first = all(known != wager for known, _ in figures_of)
        mine = [
            c for c in comparisons if c.figure.wager == wager
            and (c.figure.strategy == strategy or (first and c.figure.strategy is None))
        ]  # fmt: skip
        verdicts = [c.verdict for c in mine]
        edges = [
            c.figure.printed for c in mine if c.applies and c.figure.quantity == result.headline
            and c.figure.event is None and c.figure.when is None
        ]  # fmt: skip
        figures_of[wager, strategy] = Figures(
            len(mine),
            sum(v in TRIED for v in verdicts),
            sum(v in MET for v in verdicts),
            verdicts.count("recovered"),
            next((v for v in reversed(TRIED) if v in verdicts), ""),
            edges[0] if edges else "",
        )
    return figures_of
