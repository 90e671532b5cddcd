"""Expressions and strategies in words, as a player would follow them.

The rules of a game are constants here: what depends on them alone is settled before it is worded,
so that the words are those of the game as it is set.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.contract.game import RuleValue, Space
from engine.exact.tables import Feature
from engine.program.bound import BoundStrategy
from engine.spec.expressions import Node, parse
from engine.spec.expressions.nodes import (
    Arithmetic,
    Between,
    Case,
    Compare,
    Logic,
    Member,
    Name,
    Negative,
    Not,
    Number,
    Truth,
    Word,
    walk,
)

_FLIPPED = {"=": "=", "<>": "<>", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_BESIDE = {
    "=": "equals", "<>": "differs from", "<": "is less than", ">": "is more than",
    "<=": "is at most", ">=": "is at least",
}  # fmt: skip
_SUMS = {"+": "plus", "-": "minus", "*": "times", "//": "divided without remainder by"}


class UnwordedError(Exception):
    """An expression that has no words here: it is quoted as it stands in the spec."""


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Join words: a; a and b; a, b and c."""
    *rest, end = parts
    return f"{', '.join(rest)} {last} {end}" if rest else end


@dataclass(frozen=True)
class Wording:
    """Words for expressions over the columns of a space, under some rules."""

    space: Space
    constants: Mapping[str, RuleValue]

    @staticmethod
    def phrase(feature: Feature) -> str:
        """What a player calls a column."""
        return f"the {feature.phrase or feature.description}"

    def condition(self, text: str) -> str | bool:
        """A condition in words; whether it holds, where the rules alone decide.

        Raises UnwordedError.
        """
        return self._condition(parse(text))

    def _condition(self, node: Node) -> str | bool:
        match node:
            case Logic(sign, operands):
                return self._joined(operands, sign == "AND")
            case Not(operand):
                inner = self._condition(operand)
                return not inner if isinstance(inner, bool) else f"it is not so that {inner}"
            case Compare(sign, left, right):
                return self._comparison(sign, left, right)
            case Member(operand, options, negated):
                return self._among(operand, options, negated)
            case Between(operand, low, high, False):
                ends = self._value(low), self._value(high)
                if None not in ends and self._value(operand) is None:
                    return f"{self._number(operand)} is from {ends[0]} to {ends[1]}"
            case Truth(value):
                return value
            case Name():
                return self._comparison("=", node, Number(1))
        raise UnwordedError

    def _joined(self, below: Sequence[Node], conjunction: bool) -> str | bool:
        parts = [(child, self._condition(child)) for child in below]
        if any(part is not conjunction for _, part in parts if isinstance(part, bool)):
            return not conjunction
        left = [(child, part) for child, part in parts if isinstance(part, str)]
        if not left:
            return conjunction
        if not conjunction:
            return listed(_merged([part for _, part in left]), "or")
        several = len(left) > 1
        return listed([
            f"either {part}" if several and " or " in part and isinstance(child, Logic) else part
            for child, part in left
        ])  # fmt: skip

    def _among(self, operand: Node, options: Sequence[Node], negated: bool) -> str | bool:
        values = [self._value(option) for option in options]
        known = self._value(operand)
        if any(value is None for value in values):
            raise UnwordedError
        if known is not None:
            return (known in values) is not negated
        words = listed([str(value) for value in values], "nor" if negated else "or")
        return f"{self._number(operand)} is {'neither ' if negated else ''}{words}"

    def _value(self, node: Node) -> RuleValue | None:
        """A literal or a rule's value; None for anything else."""
        match node:
            case Word(text):
                return text
            case Number(digits, 0):
                return digits
            case Negative(Number(digits, 0)):
                return -digits
            case Name(name):
                return self.constants.get(name)
        return None

    def _feature(self, node: Node) -> Feature | None:
        if not isinstance(node, Name) or node.name in self.constants:
            return None
        return next((f for f in self.space.features if f.name == node.name), None)

    def _comparison(self, sign: str, left: Node, right: Node) -> str | bool:
        one, two = self._value(left), self._value(right)
        if one is not None and two is not None:
            return _holds(sign, one, two)
        if one is not None:
            left, right, two, sign = right, left, one, _FLIPPED[sign]
        feature = self._feature(left)
        if two is None or feature is None:
            second = str(two) if two is not None else self._number(right)
            return f"{self._number(left)} {_BESIDE[sign]} {second}"
        if feature.description.startswith("whether ") and sign == "=" and feature.size == 2:
            phrase = feature.description.removeprefix("whether ")
            return phrase if two == 1 else re.sub(r" (was|is|exceeds) ", _negated, phrase, count=1)
        return f"{self.phrase(feature)} {self._against(sign, feature, two)}"

    def _against(self, sign: str, feature: Feature, value: RuleValue) -> str:
        """A column compared with a value: is 6 or more, is a pair of jacks or better."""
        if sign == "=":
            return f"is {value}"
        if sign == "<>":
            return f"is not {value}"
        code = int(value)
        grades = self.space.grades(feature.name)
        if grades:
            return self._graded(sign, code - feature.low, grades)
        most, least = feature.high, feature.low
        if sign in (">", ">="):
            code += sign == ">"
            return f"is {code}" if code == most else f"is {code} or more"
        code -= sign == "<"
        return f"is {code}" if code == least else f"is {code} or less"

    def _graded(self, sign: str, index: int, grades: Sequence[str]) -> str:
        """Hands from or up to a class, which has to be where a name begins or ends."""
        above = sign in (">=", "<")
        first = index if above else index + 1
        if not 0 < first < len(grades) or grades[first] == grades[first - 1]:
            raise UnwordedError
        if sign in (">", ">="):
            return f"is {grades[first]} or better"
        return f"is {grades[first - 1]} or worse"

    def _number(self, node: Node) -> str:
        """A number or a word as it is read out."""
        value = self._value(node)
        if value is not None:
            return str(value)
        feature = self._feature(node)
        if feature is not None:
            return self.phrase(feature)
        if isinstance(node, Arithmetic) and node.sign in _SUMS:
            return f"{self._number(node.left)} {_SUMS[node.sign]} {self._number(node.right)}"
        raise UnwordedError

    def preference(self, text: str, noun: str, first: bool) -> list[str]:
        """What an expression prefers, in lines; an expression without words is quoted."""
        try:
            return self._preference(parse(text), noun, first)
        except UnwordedError:
            quoted = " ".join(text.split())
            return [f"{_opening(noun, first)} with the highest expected value of: {quoted}"]

    def _preference(self, node: Node, noun: str, first: bool) -> list[str]:
        opening = _opening(noun, first)
        feature = self._feature(node)
        if feature is not None:
            expected = "" if self._settled(feature.name) else "expected "
            return [f"{opening} with the highest {expected}{self.phrase(feature)[4:]}"]
        chances = self._chances(node)
        if chances:
            one = len(chances) == 1
            lines = [f"{opening} with the highest {'chance' if one else 'sum of the chances'} that"]
            return [f"{lines[0]} {listed(chances, 'and that')}"]
        cases = self._cases(node)
        if any(a[1] <= b[1] for a, b in itertools.pairwise(cases)):
            raise UnwordedError
        order = self._order(node)
        if order:
            return [f"{opening} that comes first in this order of {order}"]
        steps = [words for words, _ in cases if isinstance(words, str)]
        lines = [f"{opening} that meets the earliest of these lines that any {noun} meets"]
        lines += [f"{number}. {words}" for number, words in enumerate(steps, start=1)]
        return [*lines, f"{len(steps) + 1}. none of these: any {noun}"]

    def _settled(self, name: str) -> bool:
        decision = self.space.decision
        return decision is not None and name in (*decision.information, *decision.settles)

    def _named(self, node: Node) -> set[str]:
        named = {one.name for one, _ in walk(node) if isinstance(one, Name)}
        return named - self.constants.keys()

    def _chances(self, node: Node) -> list[str]:
        """Conditions whose chances a sum of CASE … THEN 1 ELSE 0 adds up; none for all others."""
        match node:
            case Arithmetic("+", left, right):
                parts = [self._chances(left), self._chances(right)]
                return [*parts[0], *parts[1]] if all(parts) else []
            case Case(((when, then),), otherwise):
                if self._value(then) == 1 and self._value(otherwise) == 0:
                    words = self._condition(when)
                    return [words] if isinstance(words, str) else []
        return []

    def _cases(self, node: Node) -> list[tuple[str | bool, int]]:
        """Conditions of a CASE with their values, those that never hold left out."""
        if not isinstance(node, Case) or not all(map(self._settled, self._named(node))):
            raise UnwordedError
        values = [*(self._value(then) for _, then in node.whens), self._value(node.otherwise)]
        conditions = [*(self._condition(when) for when, _ in node.whens), True]
        cases: list[tuple[str | bool, int]] = []
        for condition, value in zip(conditions, values, strict=True):
            if not isinstance(value, int):
                raise UnwordedError
            if condition is not False:
                cases.append((condition, value))
            if condition is True:
                break
        return cases

    def _order(self, node: Node) -> str:
        """An order of one column's values, such as 8, 9, 7, …; "" for other cases."""
        whens = [when for when, _ in node.whens] if isinstance(node, Case) else []
        pairs = [(w.left, w.right) for w in whens if isinstance(w, Compare) and w.sign == "="]
        values = [self._value(right) for _, right in pairs]
        feature = self._feature(pairs[0][0]) if len(pairs) == len(whens) > 1 else None
        if feature is None or len({left for left, _ in pairs}) > 1 or None in values:
            return ""
        labels = [feature.label(feature.first + n) for n in range(feature.size)]
        rest = [label for label in labels if label not in values]
        words = ", ".join(map(str, values))
        tail = "" if not rest else f", {rest[0]}" if len(rest) == 1 else ", then all others alike"
        return f"{self.phrase(feature)}: {words}{tail}"


def _merged(alternatives: Sequence[str]) -> list[str]:
    """Alternatives, those that compare one column with several values made one."""
    values: dict[str, list[str]] = {}
    for part in alternatives:
        start, _, value = part.partition(" is ")
        single = value and not re.search(r" and | is |^(not|neither|from|at|less|more) ", value)
        values.setdefault(start if single else part, []).extend([value] if single else [])
    return [f"{start} is {listed(options, 'or')}" if options else start
            for start, options in values.items()]  # fmt: skip


def _negated(verb: re.Match[str]) -> str:
    return " does not exceed " if verb[1] == "exceeds" else f" {verb[1]} not "


def _opening(noun: str, first: bool) -> str:
    return f"Take the {noun}" if first else f"Among equals the {noun}"


def _holds(sign: str, one: RuleValue, two: RuleValue) -> bool:
    if sign in ("=", "<>"):
        return (one == two) is (sign == "=")
    low, high = int(one), int(two)
    return {"<": low < high, ">": low > high, "<=": low <= high, ">=": low >= high}[sign]


def strategy_lines(strategy: BoundStrategy) -> tuple[str, ...]:
    """A strategy as a person would follow it, line by line."""
    spec, space = strategy.spec, strategy.space
    if spec.in_words:
        return spec.in_words
    words = Wording(space, strategy.constants)
    decision = space.decision
    noun = decision.noun if decision else "action"
    lines: list[str] = []
    if strategy.choose is not None:
        lines += _chosen(words, strategy)
    elif strategy.prefers is not None:
        for number, expression in enumerate(strategy.prefers):
            lines += words.preference(expression.text, noun, number == 0)
    else:
        lines.append(_maximised(words, strategy, noun))
    if not spec.removal:
        lines.append("Chances are calculated as if the cards that are seen could be dealt again.")
    if strategy.allowed is not None:
        lines += _allowed(words, strategy.allowed.text)
    return tuple(
        _sentence(line, after) for line, after in zip(lines, [*lines[1:], ""], strict=True)
    )


def _sentence(line: str, after: str) -> str:
    """A line with a capital and its stop; what opens a numbered list ends in a colon."""
    numbered = re.match(r"[0-9]+\. ", line)
    stop = "" if numbered or line.endswith(".") else ":" if after.startswith("1. ") else "."
    return line[0].upper() + line[1:] + stop


def _allowed(words: Wording, text: str) -> list[str]:
    try:
        words_of_condition = words.condition(text)
    except UnwordedError:
        words_of_condition = " ".join(text.split())
    return (
        []
        if words_of_condition is True
        else [f"Only actions after which this holds for certain are open: {words_of_condition}."]
    )


def _maximised(words: Wording, strategy: BoundStrategy, noun: str) -> str:
    bets = [
        wager.title if units == 1 else f"{_units(units)} × {wager.title}"
        for wager, units in strategy.objective
    ]
    best = f"the {noun} with the highest expected result of {listed(bets)}"
    if len(bets) > 1:
        best += " together"
    if strategy.by is None:
        alike = words.space.decision.alike if words.space.decision else ""
        return f"Every hand takes {best}, worked out exactly from all that the player sees" + (
            f" (hands {alike} play alike)." if alike else "."
        )
    by = listed([words.phrase(words.space.feature(name)) for name in strategy.by])
    return (
        f"All hands with the same value of {by} take one {noun}: the one {best[len(noun) + 5 :]}."
    )


def _units(units: Fraction) -> str:
    return str(units)


def _chosen(words: Wording, strategy: BoundStrategy) -> list[str]:
    """The lines of a strategy by rules, up to the first that always holds."""
    actions = strategy.space.decision.actions if strategy.space.decision else ()
    lines = ["The first line that holds decides, where its action is open"]
    for expression, action in strategy.choose or ():
        try:
            words_of_condition = words.condition(expression.text)
        except UnwordedError:
            words_of_condition = " ".join(expression.text.split())
        if words_of_condition is False:
            continue
        number = len(lines)
        lines.append(
            f"{number}. {actions[action]}"
            + ("" if words_of_condition is True else f" if {words_of_condition}")
        )
        if words_of_condition is True:
            break
    return lines
