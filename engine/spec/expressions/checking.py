"""What an expression means over a scope: kinds, names, and comparisons that can hold.

Nothing is converted in silence: conditions, numbers and words are kept apart. A column or rule that
tells yes from no (0 and 1, or the words no and yes) may stand as a condition by itself; the checked
nodes then hold the comparison. A comparison that no values of its columns and rules can meet is
refused, since it is a slip of the pen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from engine.exact.errors import DealproofError, meant, nearest
from engine.exact.rendering import exact
from engine.spec.expressions.nodes import (
    Arithmetic,
    Between,
    Call,
    Case,
    Compare,
    Kind,
    Logic,
    Member,
    Name,
    Negative,
    Node,
    Not,
    Number,
    Truth,
    Word,
)
from engine.spec.expressions.parser import DIGITS
from engine.spec.expressions.scope import Domain, Scope
from engine.spec.expressions.sql import quoted, width, write

_FLIPPED = {"=": "=", "<>": "<>", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
#: SQL keeps this many bits of a column's integers.
_INT32 = 1 << 31
Span = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Checked:
    """A node with what is known of its value on every row and under every setting of the rules.

    `scale`: decimals of a number; `span`: its bounds, None where unknown; `words`: what a word may
    be, None where unknown; `names`: the columns and rules in it; `wide`: whether a number may
    leave 32 bits where it is calculated.
    """

    node: Node
    kind: Kind
    names: frozenset[str] = frozenset()
    scale: int = 0
    span: Span | None = None
    words: frozenset[str] | None = None
    wide: bool = False


def check(node: Node, scope: Scope, kind: Kind | None = None) -> Checked:
    """Check an expression, of one `kind` if given; raise DealproofError in one line."""
    checker = _Checker(scope)
    if kind == "condition":
        return checker.condition(node, "expected a condition, such as a comparison")
    checked = checker.check(node)
    if kind is not None and checked.kind != kind:
        raise DealproofError(f"({_text_of(node)}) is a {checked.kind}; expected a {kind}")
    return checked


def _text_of(node: Node) -> str:
    """A node as an error shows it."""
    text = write(node)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _merged(parts: Sequence[Checked]) -> tuple[frozenset[str], bool]:
    """Names of several parts, and whether one of them is wide."""
    return frozenset().union(*(p.names for p in parts)), any(p.wide for p in parts)


class _Checker:
    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def check(self, node: Node) -> Checked:
        """Check a node and all below it."""
        match node:
            case Name():
                return self.name(node)
            case Number():
                return Checked(node, "number", scale=node.scale, span=(node.value, node.value))
            case Word(text):
                return Checked(node, "word", words=frozenset({text}))
            case Truth():
                return Checked(node, "condition")
            case Not(operand):
                one = self.condition(operand, "NOT negates a condition")
                return Checked(Not(one.node), "condition", one.names, wide=one.wide)
            case Logic(sign, operands):
                reason = f"{sign} joins conditions: expected a comparison"
                parts = [self.condition(operand, reason) for operand in operands]
                joined = Logic(sign, tuple(part.node for part in parts))
                return self.truth(joined, parts)
            case Compare(sign, left, right):
                sides = self.compared(left, right)
                self.possible(sign, *sides)
                return self.truth(Compare(sign, *(side.node for side in sides)), sides)
            case Member(operand, options, negated):
                one, *others = self.compared(operand, *options)
                for other in others:
                    self.possible("=", one, other)
                listed = tuple(other.node for other in others)
                return self.truth(Member(one.node, listed, negated), [one, *others])
            case Between(operand, low, high, negated):
                return self.between(operand, low, high, negated)
            case Case(whens, otherwise):
                return self.case(whens, otherwise)
        return self.number(node)

    def truth(self, node: Node, parts: Sequence[Checked]) -> Checked:
        """A condition made of checked parts."""
        names, wide = _merged(parts)
        return Checked(node, "condition", names, wide=wide)

    def name(self, node: Name) -> Checked:
        """A column or a rule, which has to be known."""
        scope, name = self.scope, node.name
        if name not in scope.domains:
            if name in scope.elsewhere:
                space = scope.elsewhere[name]
                raise DealproofError(
                    f"column '{name}' belongs to space '{space}' (space = \"{space}\")"
                )
            raise DealproofError(f"column '{name}' is not known; {nearest(name, scope.names)}")
        domain, plain, names = scope.domains[name], Name(name), frozenset({name})
        if scope.is_word(name):
            return Checked(plain, "word", names, words=frozenset(domain.words) if domain else None)
        span = (Fraction(domain.low), Fraction(domain.high)) if domain else None
        return Checked(plain, "number", names, span=span)

    def condition(self, node: Node, reason: str) -> Checked:
        """A condition, or a name that tells yes from no; `reason` says why one is expected."""
        one = self.check(node)
        if one.kind == "condition":
            return one
        if not isinstance(one.node, Name):
            raise DealproofError(f"{reason}, and ({_text_of(node)}) is a {one.kind}")
        domain = self.scope.domains[one.node.name]
        yes = domain.yes if domain else None
        if yes is None:
            raise DealproofError(f"{reason}; {self.instead(one.node.name, domain)}")
        literal: Node = Word(yes) if isinstance(yes, str) else Number(yes)
        return Checked(Compare("=", one.node, literal), "condition", one.names)

    def instead(self, name: str, domain: Domain | None) -> str:
        """What to write where a column or rule stands in place of a condition."""
        if domain is None or self.scope.is_rule(name):
            value = quoted(self.scope.constants[name])
            return f"{name} is {value}: compare it, for example {name} = {value}"
        if domain.words:
            return f"{name} is a word: write, for example, {name} = {quoted(domain.words[-1])}"
        both = f"{domain.low} or {domain.high}"
        span = both if domain.high == domain.low + 1 else domain.allowed
        return f"{name} is an integer, {span}: write, for example, {name} = {domain.high}"

    # Comparisons

    def compared(self, *nodes: Node) -> list[Checked]:
        """Check operands that are compared with one another: all of one kind."""
        for beside, node in product(nodes, nodes):
            if isinstance(node, Name):
                self.mended(beside, node)
        parts = [self.check(node) for node in nodes]
        for one, other in product(parts, parts):
            self.literal(one, other)
        if len({part.kind for part in parts}) > 1:
            self.mixed(parts)
        return parts

    def mended(self, one: Node, unknown: Name) -> None:
        """Tell a word that lacks its single quotes from an unknown column."""
        domains = self.scope.domains
        if unknown.name in domains or not isinstance(one, Name):
            return
        domain = domains.get(one.name)
        words = domain.words if domain else ()
        close = meant(unknown.name, words)
        same = close is not None and close.lower() == unknown.name.lower()
        if close and (same or unknown.quoted or not meant(unknown.name, self.scope.names)):
            shown = f'"{unknown.name}"' if unknown.quoted else unknown.name
            raise DealproofError(
                f"{shown} is not a column; write {quoted(close)}, a word in single quotes; "
                f"{one.name} is one of {', '.join(words)}"
            )
        if words and unknown.quoted:
            raise DealproofError(
                f'"{unknown.name}" is not a column, and as a word in single quotes {one.name} is '
                f"never {quoted(unknown.name)}; {nearest(unknown.name, words)}"
            )

    def literal(self, one: Checked, other: Checked) -> None:
        """Refuse a literal that a column or rule is never compared with."""
        name, value = one.node, other.node
        if not isinstance(name, Name) or not isinstance(value, Number | Word | Truth):
            return
        domain, shown = self.scope.domains[name.name], _text_of(value)
        if one.kind == "word":
            if not isinstance(value, Word) or (one.words and value.text not in one.words):
                words = one.words or {str(self.scope.constants[name.name])}
                text = value.text if isinstance(value, Word) else shown
                raise DealproofError(f"{name.name} is never {shown}; {nearest(text, words)}")
        elif not isinstance(value, Number):
            hint = ""
            if isinstance(value, Truth) and domain and domain.yes is not None:
                hint = f": write {name.name} = {domain.yes if value.value else domain.low}"
            raise DealproofError(f"{name.name} is an integer and never {shown}{hint}")

    def mixed(self, parts: Sequence[Checked]) -> None:
        """Refuse parts of different kinds, or words and conditions where numbers are expected."""
        kinds = {part.kind: part for part in parts}
        if "condition" in kinds:
            raise DealproofError(
                f"({_text_of(kinds['condition'].node)}) is a condition: it cannot be "
                "calculated with, or compared with anything but a condition"
            )
        word = kinds["word"].node
        raise DealproofError(
            f"{_text_of(word)} is a word, not a number: it cannot be calculated with, or compared "
            "with anything but a word"
        )

    def between(self, operand: Node, low: Node, high: Node, negated: bool) -> Checked:
        parts = self.compared(operand, low, high)
        one, lower, upper = parts
        if lower.span and upper.span and lower.span[0] > upper.span[1]:
            ends = f"{_text_of(low)} AND {_text_of(high)}"
            raise DealproofError(f"BETWEEN {ends} never holds: the lower end comes first")
        self.possible(">=", one, lower)
        self.possible("<=", one, upper)
        return self.truth(Between(one.node, lower.node, upper.node, negated), parts)

    def possible(self, sign: str, one: Checked, other: Checked) -> None:
        """Refuse a comparison that holds for no value, or an equality that never does."""
        if not one.names:
            one, other, sign = other, one, _FLIPPED[sign]
        if not one.names:
            return
        if one.kind == "word":
            if sign in ("=", "<>"):
                self.common(one, other)
            return
        if one.span is None or other.span is None:
            return
        (low, high), (least, most) = one.span, other.span
        never = {
            "<": low >= most, "<=": low > most, ">": high <= least, ">=": high < least,
        }.get(sign, high < least or low > most)  # fmt: skip
        domain = self.scope.domains[one.node.name] if isinstance(one.node, Name) else None
        if sign in ("=", "<>") and least == most:
            never |= not one.scale and least.denominator > 1
            never |= bool(domain and domain.numbers and least not in domain.numbers)
        if never:
            shown = "" if sign in ("=", "<>") else f"{sign} "
            allowed = domain.allowed if domain else f"{exact(low)} … {exact(high)}"
            beside = ""
            if other.names:
                beside = f", and {_text_of(other.node)} is {exact(least)} … {exact(most)}"
            raise DealproofError(
                f"{_text_of(one.node)} is never {shown}{_text_of(other.node)}; "
                f"allowed: {allowed}{beside}"
            )

    def common(self, one: Checked, other: Checked) -> None:
        """Refuse words that are never the same."""
        if one.words is None or other.words is None or one.words & other.words:
            return
        if not other.names:
            raise DealproofError(
                f"{_text_of(one.node)} is never {_text_of(other.node)}; "
                f"{nearest(next(iter(other.words)), one.words)}"
            )
        raise DealproofError(
            f"{_text_of(one.node)} and {_text_of(other.node)} have no word in common: "
            f"{self.words(one)}; {self.words(other)}"
        )

    def words(self, one: Checked) -> str:
        domain = self.scope.domains[one.node.name] if isinstance(one.node, Name) else None
        return domain.allowed if domain else ", ".join(sorted(one.words or ()))

    # Values

    def case(self, whens: Sequence[tuple[Node, Node]], otherwise: Node) -> Checked:
        reason = "CASE WHEN: expected a condition, such as a comparison"
        conditions = [self.condition(when, reason) for when, _ in whens]
        values = [self.check(node) for node in (*(then for _, then in whens), otherwise)]
        kinds = {value.kind for value in values}
        if len(kinds) > 1:
            raise DealproofError(
                "CASE: expected a condition after every THEN and ELSE, or a number after each, or "
                f"a word; ({_text_of(values[0].node)}) is a {values[0].kind}, "
                f"({_text_of(next(v.node for v in values if v.kind != values[0].kind))}) is not"
            )
        names, wide = _merged([*conditions, *values])
        pairs = zip(conditions, values, strict=False)
        node = Case(tuple((when.node, then.node) for when, then in pairs), values[-1].node)
        spans = [value.span for value in values if value.span]
        span = None
        if len(spans) == len(values):
            span = min(s[0] for s in spans), max(s[1] for s in spans)
        sets = [value.words for value in values if value.words is not None]
        words = frozenset().union(*sets) if len(sets) == len(values) else None
        scale = max(value.scale for value in values)
        return Checked(node, kinds.pop(), names, scale, span, words, wide)

    def number(self, node: Node) -> Checked:
        """A calculation: all its operands are numbers."""
        match node:
            case Negative(operand):
                parts = [self.check(operand)]
            case Arithmetic(_, left, right):
                parts = [self.check(left), self.check(right)]
            case Call(_, arguments):
                parts = [self.check(argument) for argument in arguments]
            case _:
                raise TypeError(type(node).__name__)
        if any(part.kind != "number" for part in parts):
            self.mixed(parts)
        scale, span = max(part.scale for part in parts), None
        if isinstance(node, Arithmetic):
            if node.sign == "*":
                scale = sum(part.scale for part in parts)
            if node.sign == "//" and scale:
                raise DealproofError(
                    f"({_text_of(node)}): // divides whole numbers; multiply by decimals instead"
                )
        if scale > DIGITS:
            raise DealproofError(f"({_text_of(node)}) has more than {DIGITS} decimals")
        if all(part.span for part in parts):
            span = _span(node, [part.span for part in parts if part.span])
        names, wide = _merged(parts)
        below = [part.node for part in parts]
        made: Node
        if isinstance(node, Arithmetic):
            made = Arithmetic(node.sign, below[0], below[1])
        else:
            made = Call(node.function, tuple(below)) if isinstance(node, Call) else Negative(*below)
        if scale:
            wide |= width(made) > DIGITS
        else:
            wide |= span is None or max(map(abs, span)) >= _INT32
        return Checked(made, "number", names, scale, span, None, wide)


def _span(node: Node, spans: Sequence[Span]) -> Span:
    """Bounds of a calculation by the bounds of its operands; they may be too wide."""
    (low, high), (least, most) = spans[0], spans[-1]
    sign = node.sign if isinstance(node, Arithmetic) else ""
    function = node.function if isinstance(node, Call) else ""
    if sign == "+":
        return low + least, high + most
    if sign == "-":
        return low - most, high - least
    if sign == "*":
        corners = [a * b for a, b in product((low, high), (least, most))]
        return min(corners), max(corners)
    if sign:
        size = max(abs(low), abs(high))
        return -size, size
    if function in ("least", "greatest"):
        choose = min if function == "least" else max
        return choose(s[0] for s in spans), choose(s[1] for s in spans)
    size = max(abs(low), abs(high))
    if function == "abs":
        return Fraction(0) if low <= 0 <= high else min(abs(low), abs(high)), size
    return -high, -low
