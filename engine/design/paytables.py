"""Pay-table search: integer pay tables whose house edge lies where it is wanted.

A distribution says how often each category happens; pays rise with the category's value. The
search walks the pays of the commonest category first and cuts off every branch whose least or
greatest possible edge misses the range, so that only tables that fit are ever completed. Edges,
hit frequencies and variances are exact.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from engine.design.walk import Walk
from engine.exact.errors import DealproofError, nearest
from engine.exact.fractions import written
from engine.exact.rendering import exact, percent
from engine.pricing.pricer import Line, Priced

#: Inclusive bounds.
Interval = tuple[Fraction, Fraction]

#: Pays that rack cards like to print.
RACK_CARD = (
    *range(1, 11), 12, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100, 120, 125, 150, 200, 250, 300, 400,
    500, 600, 750, 800, 1000, 1200, 1250, 1500, 2000, 2500, 3000, 4000, 5000, 7500, 10000,
)  # fmt: skip
#: Pays that a menu may list.
MENU = 10_000
_PAYS = re.compile(r"\s*(\d+)\s*(?:(?:\.{2,}|…)\s*(\d+)\s*(?:/\s*(\d+)\s*)?)?")


def ladder(*rungs: tuple[int, int], lowest: int = 1) -> tuple[int, ...]:
    """List allowed pays in steps that grow: each rung is (up to, step).

    ``ladder((10, 1), (100, 5))`` allows 1, 2 … 10, 15, 20 … 100; ``ladder((500, 5))`` allows the
    multiples of 5. Above the first rung pays are multiples of the step. Raises DealproofError.
    """
    pays: set[int] = set()
    above = lowest - 1
    for upto, step in rungs:
        if step < 1 or upto <= above:
            raise DealproofError(
                f"pays up to {upto} in steps of {step}: each has to be higher than the one before"
            )
        pays.update(pay for pay in range(0, upto + 1, step) if pay > above)
        above = upto
    return tuple(sorted(pays))


def printed(figure: str) -> Interval:
    """Values that a printed figure may stand for: ``"19.14%"`` is 19.135% … 19.145%."""
    digits = figure.strip().removesuffix("%")
    try:
        value = written(digits)
    except DealproofError:
        raise DealproofError(f"'{figure[:40]}' is not a printed figure, such as 19.14%") from None
    percent_sign = figure.strip().endswith("%")
    if abs(value) >= 1 and not percent_sign:
        raise DealproofError(
            f"'{figure.strip()}' without a % sign is {exact(100 * value)}%; write "
            f"{digits}%, or a share below 1"
        )
    half = Fraction(1, 2 * 10 ** len(digits.partition(".")[2]))
    scale = 100 if percent_sign else 1
    return (value - half) / scale, (value + half) / scale


def interval(text: str) -> Interval:
    """Read a range of figures: ``"3%..6%"`` as it stands, a single figure as what prints so."""
    ends = [end.strip() for end in re.split(r"\.{2,}|…", text)]
    if len(ends) == 1:
        return printed(text)
    if len(ends) > 2:
        raise DealproofError(f"'{text}' is not a range, such as 3%..6%")
    if ends[1].endswith("%") and not ends[0].endswith("%"):
        ends[0] += "%"
    low, high = (sum(printed(end), Fraction()) / 2 for end in ends)
    if low > high:
        raise DealproofError(f"'{text}' is an empty range: the lower end comes first")
    return low, high


def menu_of(text: str) -> tuple[int, ...]:
    """Read allowed pays: ``"1..10, 15, 20..100/5"`` has steps of 1 to 10 and of 5 from 20."""
    pays: set[int] = set()
    for part in text.split(","):
        match = _PAYS.fullmatch(part)
        low, high, step = (int(number or 0) for number in match.groups()) if match else (0, 0, 0)
        if match is None or (match[2] and low > high) or (match[3] and step == 0):
            raise DealproofError(f"'{part.strip()}' is not a pay, such as 15, 1..10 or 20..100/5")
        high = high if match[2] else low
        if (high - low) // max(step, 1) >= MENU:
            raise DealproofError(f"'{part.strip()}' lists more than {MENU:,} pays")
        pays.update(range(low, high + 1, max(step, 1)))
    return tuple(sorted(pays))


@dataclass(frozen=True)
class Category:
    """One line of a pay table to be: its name and the exact number of deals behind it."""

    name: str
    combinations: int


@dataclass(frozen=True)
class Distribution:
    """Categories from the most valuable down, and the number of all deals.

    Deals that no category counts lose.
    """

    deals: int
    categories: tuple[Category, ...]

    @classmethod
    def of(cls, priced: Priced, by_pays: bool = False) -> Distribution:
        """Take the events of a priced wager for categories, in their order or `by_pays`.

        Then the highest net comes first, of equal ones above 0 the rarer.
        """
        counts: dict[str, int] = {}
        lines = list(priced.lines)
        if by_pays:
            lines.sort(key=lambda line: (-line.net, line.combinations if line.net > 0 else 0))
        for line in lines:
            counts[line.event] = counts.get(line.event, 0) + line.combinations
        return cls(priced.deals, tuple(Category(*item) for item in counts.items()))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the categories, most valuable first."""
        return tuple(category.name for category in self.categories)

    def by_rarity(self) -> Distribution:
        """The same categories, rarest first."""
        rising = sorted(self.categories, key=lambda category: category.combinations)
        return Distribution(self.deals, tuple(rising))

    def hit_frequency(self, paying: Iterable[str]) -> Fraction:
        """Probability of the named categories together."""
        wanted = set(paying)
        return Fraction(
            sum(c.combinations for c in self.categories if c.name in wanted), self.deals
        )


@dataclass(frozen=True)
class PayTable:
    """Pays to one ("A to 1") of each paying category, most valuable first, and its price.

    Categories that are not listed lose, apart from `pushes`. `priced` has every statistic.
    """

    pays: Mapping[str, int]
    pushes: tuple[str, ...]
    priced: Priced


@dataclass(frozen=True)
class Found:
    """What a search found: `tables` by rising house edge, and how many there are in all.

    Where more tables fit than were asked for, those shown are spread evenly over the order of
    the search. Without `complete` the search gave up, and `total` counts what it had seen.
    `reachable` bounds the house edge of every table that the pays allow, None where there is none;
    `edge` is what was asked for.
    """

    tables: tuple[PayTable, ...]
    total: int
    complete: bool
    reachable: Interval | None
    edge: Interval

    @property
    def left_out(self) -> int:
        """Tables that were counted and are not shown."""
        return self.total - len(self.tables)

    @property
    def missed(self) -> bool:
        """Whether no table fits although there are edges on both sides, or those of the ends."""
        if self.total or not self.complete or self.reachable is None:
            return False
        return self.reachable[0] <= self.edge[1] and self.edge[0] <= self.reachable[1]

    @property
    def summary(self) -> str:
        """One sentence on how much is shown."""
        fit = f"{self.total:,} {'table fits' if self.total == 1 else 'tables fit'}"
        verb = "is" if len(self.tables) == 1 else "are"
        shown = f"{len(self.tables):,} spread evenly over them {verb} shown"
        if not self.complete:
            return f"at least {fit}, where the search stopped; {shown}"
        if self.left_out:
            return f"{fit}; {shown}"
        if self.total == 0 and self.reachable is None:
            return "no table fits: the pays allowed are too few for so many categories"
        if self.total == 0 and self.reachable is not None:
            if self.missed:
                return (
                    "no table fits: pays of the menu that rise in the order of the categories miss "
                    "this house edge, below and above"
                )
            low, high = map(percent, self.reachable)
            return f"no table fits: the pays allowed make the house edge {low} to {high}"
        return fit


def design(
    distribution: Distribution,
    edge: Interval,
    *,
    paying: Sequence[str] | None = None,
    hit: Interval | None = None,
    pushes: Sequence[str] = (),
    menu: Sequence[int] = RACK_CARD,
    bounds: Mapping[str, tuple[int, int]] | None = None,
    strict: bool = True,
    limit: int = 100,
    budget: int = 20_000_000,
) -> Found:
    """Search for integer pay tables with a house edge in `edge` (inclusive, per base unit).

    `paying` names the categories that win; without it all but the last may, or with `hit`, a range
    of hit frequency, as many from the top as it allows. `pushes` return the stake. Pays come from
    `menu` and, where `bounds` names a category, from within its bounds; they rise with the
    category's value, equal ones only without `strict`. At most `limit` tables are shown and
    `budget` branches looked at, parted among the sets of winning categories. The result depends on
    nothing but the arguments. Raises DealproofError.
    """
    allowed = _menu(menu)
    if edge[0] > edge[1]:
        raise DealproofError(f"edge {exact(edge[0])} … {exact(edge[1])}: an empty range")
    if limit < 1 or budget < 1:
        raise DealproofError("limit and budget have to be 1 or more")
    for name in (*(paying or ()), *pushes, *(bounds or {})):
        if name not in distribution.names:
            raise DealproofError(f"category '{name}': {nearest(name, distribution.names)}")
    for name, (low, high) in (bounds or {}).items():
        if not any(low <= pay <= high for pay in allowed):
            raise DealproofError(f"bounds[{name}]: the menu has no pay from {low} to {high}")
    winners = _winners(distribution, paying, hit, pushes)
    walks = [
        _walk(distribution, names, pushes, edge, allowed, bounds or {}, strict) for names in winners
    ]
    counted = []
    for number, walk in enumerate(walks):
        counted.append(walk.run(budget // (len(walks) - number)))
        budget -= counted[-1].looked
    total = sum(part.total for part in counted)
    shown = min(total, limit)
    positions = [(2 * i + 1) * total // (2 * shown) for i in range(shown)]
    tables: list[PayTable] = []
    passed = 0
    for names, walk, part in zip(winners, walks, counted, strict=True):
        mine = [p - passed for p in positions if passed <= p < passed + part.total]
        passed += part.total
        rows = walk.run(part.looked, mine).rows if mine else []
        tables += [_priced(distribution, names, pushes, [allowed[i] for i in r]) for r in rows]
    tables.sort(key=lambda table: (table.priced.house_edge, *table.pays.values()))
    ends = [
        _priced(distribution, names, pushes, [allowed[i] for i in row]).priced.house_edge
        for names, walk in zip(winners, walks, strict=True)
        for row in walk.ends
    ]
    reachable = (min(ends), max(ends)) if ends else None
    complete = all(part.complete for part in counted)
    return Found(tuple(tables), total, complete, reachable, edge)


def _menu(menu: Sequence[int]) -> list[int]:
    allowed = sorted(set(menu))
    if not allowed or allowed[0] < 0:
        raise DealproofError("menu: expected one or more pays of 0 or more")
    return allowed


def _winners(
    distribution: Distribution,
    paying: Sequence[str] | None,
    hit: Interval | None,
    pushes: Sequence[str],
) -> list[tuple[Category, ...]]:
    """Sets of winning categories to search, each most valuable first."""
    if paying is not None:
        chosen = tuple(c for c in distribution.categories if c.name in set(paying))
        for category in chosen:
            if category.combinations == 0:
                raise DealproofError(f"category '{category.name}' never happens: any pay would do")
            if category.name in pushes:
                raise DealproofError(f"category '{category.name}' cannot both win and push")
        winners = [chosen] if chosen else []
    else:
        able = [c for c in distribution.categories[:-1] if c.combinations and c.name not in pushes]
        winners = [tuple(able[:k]) for k in range(1, len(able) + 1)]
        if hit is None:
            winners = winners[-1:]
    if hit is not None:
        frequencies = [distribution.hit_frequency(c.name for c in w) for w in winners]
        near = list(map(percent, frequencies))
        winners = [w for w, f in zip(winners, frequencies, strict=True) if hit[0] <= f <= hit[1]]
        if not winners:
            raise DealproofError(
                f"hit frequency {percent(hit[0])} … {percent(hit[1])}: "
                f"the categories can give {', '.join(near)}"
            )
    if not winners:
        raise DealproofError("paying: no category is named")
    return winners


def _walk(
    distribution: Distribution,
    winners: Sequence[Category],
    pushes: Sequence[str],
    edge: Interval,
    menu: Sequence[int],
    bounds: Mapping[str, tuple[int, int]],
    strict: bool,
) -> Walk:
    """Turn edges into sums of combinations × pay, and pays into places of the menu."""
    rising = winners[::-1]
    pushed = sum(c.combinations for c in distribution.categories if c.name in pushes)
    losing = distribution.deals - pushed - sum(c.combinations for c in winners)
    least, most = (losing - end * distribution.deals for end in reversed(edge))
    limits = [bounds.get(category.name, (menu[0], menu[-1])) for category in rising]
    return Walk.of(
        [category.combinations for category in rising],
        menu,
        [bisect_left(menu, low) for low, _ in limits],
        [bisect_right(menu, high) - 1 for _, high in limits],
        int(strict),
        (ceil(least), floor(most)),
    )


def _priced(
    distribution: Distribution,
    winners: Sequence[Category],
    pushes: Sequence[str],
    rising: Sequence[int],
) -> PayTable:
    """Price one table exactly; `rising` lists the pays, least valuable category first."""
    pays = {c.name: pay for c, pay in zip(winners, reversed(rising), strict=True)}
    won = {**dict.fromkeys(pushes, 0), **pays}
    deals, one = distribution.deals, Fraction(1)
    lines = [
        Line(c.name, f"{won[c.name]} to 1", Fraction(won[c.name]), one, c.combinations, deals)
        for c in distribution.categories
        if c.name in won
    ]
    losing = deals - sum(line.combinations for line in lines)
    lines.append(Line("all other", "lose", -one, one, losing, deals))
    return PayTable(pays, tuple(pushes), Priced("", deals, tuple(lines)))
