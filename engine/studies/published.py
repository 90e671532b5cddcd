"""Published figures against ours: every printed digit, or the source's standard error."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from engine.analysis.analysis import Analysis, Result
from engine.exact.errors import DealproofError
from engine.exact.rendering import count, decimal
from engine.exact.roots import Root
from engine.pricing.statistics import BY_NAME
from engine.program.bound import BoundFigure
from engine.spec import expressions
from engine.spec.expressions import Expression
from engine.spec.figures import Published
from engine.studies.bases import Count, listed, source_basis
from engine.studies.printed import Comparison, Printed

#: A simulated figure may lie this many of its standard errors from the exact one.
STANDARD_ERRORS = 3
#: Decimals of a square root that is compared.
PLACES = 40
#: Quantities that a wager has without a pay table too; the first two are counts.
_OF_DEALS = ("deals", "combinations", "probability")
_COUNTS = ("deals", "combinations")


def quantity(analysis: Analysis, result: Result, printed: BoundFigure) -> Fraction | None:
    """Compute the quantity that a figure prints, exactly (a square root to 40 decimals).

    Counts are told as their share of all deals. None where a wager without pay table has no such
    quantity.
    """
    figure, priced = printed.spec, result.priced
    if not result.wager.priced and figure.quantity not in _OF_DEALS:
        return None
    if figure.when is not None or figure.event is not None:
        return _of_event(analysis, result, figure, printed.when)
    if figure.quantity == "deals":
        return Fraction(1)
    if figure.quantity in _OF_DEALS:
        raise DealproofError(f"quantity = '{figure.quantity}': it needs 'event' or 'when'")
    if figure.quantity == "return":
        return priced.mean
    value = BY_NAME[figure.quantity].of(priced)
    return value.rounded(PLACES) if isinstance(value, Root) else value


def _of_event(
    analysis: Analysis, result: Result, figure: Published, when: Expression | None
) -> Fraction:
    if when is not None:
        table = analysis.outcome(result)
        matching = expressions.mask(when, table, analysis.program.constants)
        counts = [(int(number), Fraction(0)) for number in table.combinations[matching]]
    else:
        lines = [line for line in result.priced.lines if line.event == figure.event]
        counts = [(line.combinations, line.net) for line in lines]
    deals = result.priced.deals
    if figure.quantity in ("combinations", "probability"):
        return Fraction(sum(number for number, _ in counts), deals)
    if figure.quantity == "return" and when is None:
        return sum((Fraction(number, deals) * net for number, net in counts), Fraction())
    raise DealproofError(f"quantity = '{figure.quantity}': not a quantity of an event")


@dataclass(frozen=True)
class _Priced:
    """A figure beside the wager that it speaks of, and the quantity as `quantity` gives it."""

    figure: Published
    analysis: Analysis
    result: Result
    value: Fraction
    applies: bool

    @property
    def bases(self) -> Mapping[str, int]:
        return self.result.wager.space.denominators

    @property
    def table(self) -> Hashable:
        """What is printed in one table: a source's counts of one wager under the same rules."""
        figure = self.figure
        return figure.source, figure.wager, figure.strategy, tuple(sorted(figure.rules.items()))


def compare(
    analysis: Analysis, rule_values: Mapping[str, int | str], others: Sequence[Analysis] = ()
) -> tuple[Comparison, ...]:
    """Compare every published figure of the spec with the analysis under `rule_values`.

    A figure that is printed for other rules is compared under those, if one of `others`, the same
    spec under other values of its rules, has them.
    """
    placed = [
        _price(number, figure, analysis, rule_values, others)
        for number, figure in enumerate(analysis.spec.published)
    ]
    tables: dict[Hashable, list[_Priced]] = defaultdict(list)
    for one in placed:
        if isinstance(one, _Priced) and _is_in_a_table(one.figure):
            tables[one.table].append(one)
    bases = {key: _basis(counted) for key, counted in tables.items()}
    return tuple(
        one if isinstance(one, Comparison) else _judge(one, bases.get(one.table)) for one in placed
    )


def _is_in_a_table(figure: Published) -> bool:
    """Whether a figure is a count whose basis its own line does not name."""
    return figure.quantity in _COUNTS and figure.counted_in is None


def _basis(counted: Sequence[_Priced]) -> str | None:
    first = counted[0]
    wager = first.result.wager
    counts = [
        Count(Printed.read(one.figure.printed), one.value, one.figure.quantity == "deals")
        for one in counted
    ]
    return source_basis(counts, first.bases, wager.basis[0], wager.spec.counted_in is not None)


def _meant(figure: Published, rule_values: Mapping[str, int | str]) -> bool:
    """Whether a figure is printed for these rules."""
    return all(rule_values[rule] == value for rule, value in figure.rules.items())


def _price(
    number: int, figure: Published, analysis: Analysis, rule_values: Mapping[str, int | str],
    others: Sequence[Analysis],
) -> _Priced | Comparison:  # fmt: skip
    applies = _meant(figure, rule_values)
    if not applies:
        matching = [other for other in others if _meant(figure, other.spec.rule_values)]
        if not matching:
            rule = next(r for r, value in figure.rules.items() if rule_values[r] != value)
            reason = f"printed for {rule} = {figure.rules[rule]}, this run has {rule_values[rule]}"
            return Comparison(figure, None, "not applicable", reason, applies=False)
        analysis = matching[0]
    try:
        result = analysis.price(figure.wager, figure.strategy)
    except DealproofError as error:
        return Comparison(figure, None, "not checkable", str(error), applies=applies)
    value = quantity(analysis, result, analysis.program.figures[number])
    if value is None:
        undefined = "the quantity is not defined here"
        return Comparison(figure, None, "not checkable", undefined, applies=applies)
    return _Priced(figure, analysis, result, value, applies)


def _judge(one: _Priced, basis: str | None) -> Comparison:
    """What a figure comes to; `basis`: that of its printed table, where it stands in one."""
    figure, ours, counted = one.figure, one.value, ""
    if figure.quantity in _COUNTS:
        basis = figure.counted_in or basis
        ours = one.value * one.bases[basis] if basis else ours
        if basis is None or ours.denominator != 1:
            if reason := _elsewhere(one):
                return Comparison(figure, None, "not applicable", reason, basis, one.applies)
            unknown = _unknown(one, basis)
            return Comparison(figure, None, "not comparable", unknown, basis, one.applies)
        if basis != one.result.wager.basis[0]:
            counted = f"counted in {basis}, {count(one.bases[basis])} of them"
    else:
        basis = None
    comparison = replace(_met(figure, ours), basis=basis, applies=one.applies)
    if comparison.verdict == "refuted" and (reason := _elsewhere(one)):
        return replace(comparison, verdict="not applicable", reason=reason)
    if comparison.verdict != "refuted" and figure.printed in one.result.wager.spec.recovered_from:
        reason = "the wager's pay table is recovered from this figure, which cannot confirm it"
        return replace(comparison, verdict="recovered", reason=reason)
    return replace(comparison, reason="; ".join(filter(None, (counted, comparison.reason))))


def _elsewhere(one: _Priced) -> str:
    """Which rules of this run the source does not have, in words; empty where it has them all."""
    now = one.analysis.spec.rule_values
    changed = [f"{r} = {now[r]}" for r, value in one.figure.others.items() if now[r] != value]
    if not changed:
        return ""
    return f"printed for the rules as published, this run has {', '.join(changed)}"


def _unknown(one: _Priced, basis: str | None) -> str:
    """Why a count cannot be compared."""
    if basis is not None:
        return f"{decimal(100 * one.value, 6)}% of {basis} is not a whole number of them"
    return f"the source's total of deals is not one that space {one.result.space} knows: " + listed(
        one.bases
    )


def _met(figure: Published, ours: Fraction) -> Comparison:
    printed = Printed.read(figure.printed)
    off = abs(ours - printed.value)
    if off <= printed.half_unit:
        return Comparison(figure, ours, "match", "")
    if figure.quantity in _COUNTS and printed.is_of_spreadsheet(ours):
        reason = (
            "the source's count is a spreadsheet's, rounded or cut to 15 significant digits: ours "
            f"is {count(int(ours))}"
        )
        return Comparison(figure, ours, "match to 15 digits", reason)
    if figure.error is not None:
        deviation = Printed.read(figure.error).value
        if off <= STANDARD_ERRORS * deviation + printed.half_unit:
            reason = (
                f"standard error {figure.error}, off by {decimal(off / deviation, 1)} of them; "
                f"allowed {STANDARD_ERRORS} and half a unit of the last printed digit"
            )
            return Comparison(figure, ours, "within error", reason)
    return Comparison(figure, ours, "refuted", figure.refuted_because or "not explained")
