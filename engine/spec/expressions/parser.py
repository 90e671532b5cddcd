"""Reading an expression: text → nodes, by precedence climbing, with one-line errors.

From loosest to tightest: OR; AND; NOT; comparison; IN and BETWEEN; + −; * // %; a sign. That is
SQL's order, so that what is written here means the same in SQL. Keywords may be in any case.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from engine.exact.errors import DealproofError
from engine.spec.expressions.nodes import (
    Arithmetic,
    Between,
    Call,
    Case,
    Compare,
    Logic,
    Member,
    Name,
    Negative,
    Node,
    Not,
    Number,
    Truth,
    Word,
    walk,
)

ALLOWED = (
    "allowed: columns, literals, comparison, AND, OR, NOT, IN, BETWEEN, CASE, "
    "+ - * // %, abs, least, greatest"
)
#: Expressions within expressions.
DEEPEST = 100
#: Digits of a number, as written and as worked out.
DIGITS = 18
FUNCTIONS = {"abs": (1, 1), "least": (1, None), "greatest": (1, None)}
COMPARISONS = {"=": "=", "==": "=", "<>": "<>", "!=": "<>", "<": "<", "<=": "<=", ">": ">",
               ">=": ">="}  # fmt: skip

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<stray>--|/\*|::|->|\|\|)
  | (?P<number>(?:\d+(?:\.\d*)?|\.\d+)\w*)
  | (?P<word>'(?:[^']|'')*')
  | (?P<quoted>"(?:[^"]|"")*")
  | (?P<name>[^\W\d]\w*)
  | (?P<sign><=|>=|<>|!=|==|//|[-+*%()=<>,])
  | (?P<other>\S)
  | (?P<end>\Z))""",
    re.VERBOSE,
)
_KEYWORDS = frozenset(
    ("and", "or", "not", "in", "between", "case", "when", "then", "else", "end", "true", "false")
)
_OTHERS = (
    "all any array as at collate distinct from glob group having ilike intersect interval is "
    "isnull join lambda like limit notnull order similar some struct map try union where"
)
#: Keywords of SQL that mean something which an expression here cannot do.
_FOREIGN = {
    **dict.fromkeys(("select", "exists", "with"), "a subquery"),
    **dict.fromkeys(("cast", "try_cast"), "a cast"),
    **dict.fromkeys(("over", "window"), "a window"),
    **{word: word.upper() for word in _OTHERS.split()},
}  # fmt: skip
_STRAY = {
    "--": "a comment is not allowed in an expression",
    "/*": "a comment is not allowed in an expression",
    ";": "';' is not allowed: one expression, no second statement",
    "::": "a cast (::) is not allowed",
    "?": "a parameter (?) is not allowed",
    "/": "'/' is not allowed: write // to divide whole numbers, dropping the remainder",
    "[": "a list in [ ] is not allowed: write IN (1, 2)",
    "{": "a struct in { } is not allowed",
    "->": "a lambda (->) is not allowed",
    "$": "a parameter ($) is not allowed: a word stands in single quotes",
    ".": "'.' is not allowed: name a column without its table",
    "’": "'’' is not allowed: a word stands in straight single quotes",
    "‘": "'‘' is not allowed: a word stands in straight single quotes",
    "'": "a word lacks its closing single quote",
    '"': "a name lacks its closing double quote",
}  # fmt: skip
_OR, _AND, _NOT, _COMPARE, _WITHIN, _SUM, _PRODUCT = range(1, 8)
_POWERS = {
    "or": _OR, "and": _AND, **dict.fromkeys(COMPARISONS, _COMPARE), "in": _WITHIN,
    "between": _WITHIN, "not": _WITHIN, "+": _SUM, "-": _SUM, "*": _PRODUCT, "//": _PRODUCT,
    "%": _PRODUCT,
}  # fmt: skip


class _Token(NamedTuple):
    """`text` in small letters for a keyword or a sign, as written for anything else."""

    kind: str
    text: str
    start: int
    stop: int


@functools.lru_cache(maxsize=8192)
def parse(text: str) -> Node:
    """Read an expression; raise DealproofError. What was read before is remembered."""
    if not text.strip():
        raise DealproofError("the expression is empty")
    node = _Parser(text).whole()
    if any(depth > DEEPEST for _, depth in walk(node)):
        raise _too_deep()
    return node


def _too_deep() -> DealproofError:
    return DealproofError(f"nested too deeply; allowed: {DEEPEST} levels")


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    offset = 0
    while not tokens or tokens[-1].kind != "end":
        match = _TOKEN.match(text, offset)
        kind = match.lastgroup if match else None
        if match is None or kind is None:
            raise DealproofError(f"not an expression: {_shown(text[offset:])} is not understood")
        part, start, offset = match[kind], match.start(kind), match.end()
        if kind in ("stray", "other"):
            raise DealproofError(_STRAY.get(part, f"'{part}' is not allowed; {ALLOWED}"))
        lower = part.lower()
        if kind == "name" and lower in _KEYWORDS:
            kind, part = "keyword", lower
        if kind == "name" and lower == "null":
            raise DealproofError(f"NULL is not allowed: CASE needs an ELSE; {ALLOWED}")
        tokens.append(_Token(kind, part, start, offset))
    return tokens


def _shown(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= 40 else f"{plain[:39]}…"


class _Parser:
    """One pass over an expression's tokens."""

    def __init__(self, text: str) -> None:
        self.text, self.tokens, self.position, self.depth = text, _tokens(text), 0, 0

    @property
    def next(self) -> _Token:
        return self.tokens[self.position]

    def take(self) -> _Token:
        self.position += 1
        return self.tokens[self.position - 1]

    def at(self, *texts: str) -> bool:
        """Whether the next token is one of these keywords or signs."""
        return self.next.kind in ("keyword", "sign") and self.next.text in texts

    def accept(self, text: str) -> bool:
        """Take the next token if it is this one."""
        if not self.at(text):
            return False
        self.position += 1
        return True

    def expect(self, text: str, meaning: str = "") -> None:
        if not self.accept(text):
            shown = text.upper() if text.isalpha() else f"'{text}'"
            raise self.wrong(f"{shown}{meaning}")

    def wrong(self, expected: str) -> DealproofError:
        """What was expected here, and what stands here instead."""
        token = self.next
        if token.kind == "name" and (foreign := _FOREIGN.get(token.text.lower())):
            return DealproofError(f"not an expression: {foreign} is not allowed; {ALLOWED}")
        shown = "the end" if token.kind == "end" else f"'{_shown(token.text)}'"
        if token.kind == "word":
            shown = _shown(token.text)
        before = " ".join(self.text[: token.start].split())
        before = before if len(before) <= 40 else f"…{before[-39:]}"
        after = f" after '{before}'" if before else ""
        return DealproofError(f"not an expression: expected {expected}{after}, not {shown}")

    def whole(self) -> Node:
        """One expression and nothing behind it."""
        node = self.expression(_OR)
        if self.at(","):
            raise DealproofError("not an expression: expected one expression, not a list with ','")
        if self.at(")"):
            raise DealproofError("not an expression by itself: a ')' without its '('")
        if self.next.kind != "end":
            raise self.wrong("AND, OR, a comparison or the end")
        return node

    def expression(self, level: int) -> Node:
        """An expression whose signs bind at least as tightly as `level`."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise _too_deep()
        node, last = self.prefix(level), 0
        while self.next.kind in ("keyword", "sign"):
            sign = self.next.text
            power = _POWERS.get(sign, 0)
            if power < level or not power:
                break
            if power in (_COMPARE, _WITHIN):
                if last and power >= last:
                    raise DealproofError(
                        "comparisons cannot be chained: join them with AND, or put one in brackets"
                    )
                last = power
            node = self.infix(node, sign, power)
        self.depth -= 1
        return node

    def infix(self, left: Node, sign: str, power: int) -> Node:
        """What a sign makes of the expression before it and of what comes behind."""
        if sign in ("and", "or"):
            operands = [left]
            while self.accept(sign):
                operands.append(self.expression(power + 1))
            return Logic(sign.upper(), tuple(operands))
        self.position += 1
        if power == _COMPARE:
            return Compare(COMPARISONS[sign], left, self.expression(power + 1))
        if power == _WITHIN:
            return self.within(left, sign)
        return Arithmetic(sign, left, self.expression(power + 1))

    def within(self, operand: Node, sign: str) -> Node:
        """IN, BETWEEN, NOT IN or NOT BETWEEN, whose first word was taken."""
        negated = sign == "not"
        if negated:
            if not self.at("in", "between"):
                raise self.wrong("IN or BETWEEN")
            sign = self.take().text
        if sign == "between":
            low = self.expression(_SUM)
            self.expect("and", " and the upper end")
            return Between(operand, low, self.expression(_SUM), negated)
        if not self.accept("("):
            raise self.wrong("a list in ( ), as in IN (1, 2),")
        if self.at(")"):
            raise DealproofError("an empty list holds nothing: write IN (1, 2)")
        options = self.arguments()
        return Member(operand, options, negated)

    def arguments(self) -> tuple[Node, ...]:
        """Expressions with commas between them, up to the closing bracket."""
        arguments = [self.expression(_OR)]
        while self.accept(","):
            arguments.append(self.expression(_OR))
        self.expect(")")
        return tuple(arguments)

    def prefix(self, level: int) -> Node:
        """A literal, a name, a call, an expression in brackets, CASE, NOT or a sign."""
        token = self.next
        if self.at("not"):
            if level > _NOT:
                raise DealproofError("put NOT and what it negates in brackets: (NOT …)")
            self.position += 1
            return Not(self.expression(_NOT))
        if self.accept("("):
            node = self.expression(_OR)
            if self.at(","):
                raise DealproofError("a list is not allowed here; write IN (1, 2)")
            self.expect(")")
            return node
        if self.at("+", "-"):
            self.position += 1
            return self.signed(token.text)
        if self.at("true", "false"):
            return Truth(self.take().text == "true")
        if self.accept("case"):
            return self.case()
        if token.kind == "number":
            return _number(self.take().text)
        if token.kind == "word":
            return Word(self.take().text[1:-1].replace("''", "'"))
        if token.kind == "quoted":
            return Name(self.take().text[1:-1].replace('""', '"'), quoted=True)
        if token.kind == "name" and token.text.lower() not in _FOREIGN:
            return self.named()
        raise self.wrong("a column, a literal or '('")

    def signed(self, sign: str) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise _too_deep()
        node = self.prefix(_PRODUCT + 1)
        self.depth -= 1
        if sign == "+":
            return node
        return Number(-node.digits, node.scale) if isinstance(node, Number) else Negative(node)

    def named(self) -> Node:
        """A column or rule, or a call of a function."""
        token = self.take()
        if not self.at("("):
            return Name(token.text)
        function = token.text.lower()
        if function not in FUNCTIONS:
            raise DealproofError(f"function {_shown(token.text)} is not allowed; {ALLOWED}")
        self.position += 1
        if self.at(")"):
            raise self.wrong(f"a number for {function}")
        arguments = self.arguments()
        if FUNCTIONS[function][1] is not None and len(arguments) > 1:
            raise DealproofError(f"{function} takes one number, not {len(arguments)}")
        return Call(function, arguments)

    def case(self) -> Node:
        """CASE in either form, whose first word was taken."""
        subject = None if self.at("when", "else", "end") else self.expression(_OR)
        whens = []
        while self.accept("when"):
            when = self.expression(_OR)
            self.expect("then")
            whens.append((when if subject is None else Compare("=", subject, when),
                          self.expression(_OR)))  # fmt: skip
        if not whens:
            raise self.wrong("WHEN")
        if self.at("end"):
            raise DealproofError("CASE needs an ELSE before its END")
        self.expect("else", " (CASE needs one)")
        otherwise = self.expression(_OR)
        self.expect("end")
        return Case(tuple(whens), otherwise)


def _number(text: str) -> Number:
    whole, _, part = text.partition(".")
    if not re.fullmatch(r"[0-9]*", whole + part) or len(whole + part) > DIGITS:
        raise DealproofError(
            f"{_shown(text)} is not allowed: write numbers out, in at most {DIGITS} digits"
        )
    part = part.rstrip("0")
    return Number(int(whole + part), len(part))
