"""Pay-table search against slow enumeration, published pay tables and the pricer."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.analysis import analysis
from engine.analysis.binding import bind_wager
from engine.design.paytables import (
    RACK_CARD,
    Category,
    Distribution,
    Found,
    Interval,
    PayTable,
    design,
    interval,
    ladder,
    menu_of,
    printed,
)
from engine.exact.errors import DealproofError
from engine.pricing import pricer
from engine.spec.loading import load_spec
from engine.spec.model import Event, Wager

#: Three-card poker hands of one deck, a classical count.
THREE_CARDS = Distribution(
    22_100,
    (
        Category("straight flush", 48),
        Category("three of a kind", 52),
        Category("straight", 720),
        Category("flush", 1_096),
        Category("pair", 3_744),
        Category("nothing", 16_440),
    ),
)


def percent(low: str, high: str) -> Interval:
    return Fraction(low) / 100, Fraction(high) / 100


def pays(table: PayTable) -> tuple[int, ...]:
    return tuple(table.pays.values())


@pytest.mark.parametrize(
    ("table", "edge"),
    [
        # Wizard of Odds, Three Card Poker, Pair Plus pay tables and their house edges.
        ((40, 30, 6, 4, 1), "2.32%"),
        ((40, 30, 5, 4, 1), "5.57%"),
        ((40, 30, 6, 3, 1), "7.28%"),
    ],
)
def test_published_pair_plus_tables_are_found(table: tuple[int, ...], edge: str) -> None:
    result = design(THREE_CARDS, printed(edge), limit=10_000)
    assert result.complete
    assert result.left_out == 0
    assert table in [pays(one) for one in result.tables]


def slowly(
    distribution: Distribution, edge: Interval, menu: list[int], winners: int, strict: bool
) -> dict[tuple[int, ...], Fraction]:
    """Try every table there is."""
    counts = [category.combinations for category in distribution.categories[:winners]]
    fitting = {}
    for table in product(menu, repeat=winners):
        steps = [a - b for a, b in pairwise(table)]
        if min(steps, default=1) < int(strict):
            continue
        won = sum(count * pay for count, pay in zip(counts, table, strict=True))
        house = Fraction(distribution.deals - sum(counts) - won, distribution.deals)
        if edge[0] <= house <= edge[1]:
            fitting[table] = house
    return fitting


COUNTS = st.lists(st.integers(1, 60), min_size=2, max_size=4)


@settings(max_examples=100, deadline=None)
@given(
    counts=COUNTS,
    losing=st.integers(0, 300),
    low=st.integers(-40, 60),
    width=st.integers(0, 20),
    menu=st.lists(st.integers(0, 40), min_size=1, max_size=7, unique=True),
    strict=st.booleans(),
    scale=st.sampled_from([1, 3, 10**20 + 39]),
)
def test_search_finds_what_trying_everything_finds(
    counts: list[int], losing: int, low: int, width: int, menu: list[int], strict: bool, scale: int
) -> None:
    """Scale 10^20 + 39, with one deal more, takes the path of Python integers."""
    deals = (sum(counts) + losing) * scale + (scale > 1)
    named = [Category(str(i), count * scale) for i, count in enumerate(counts)]
    named[0] = Category("0", counts[0] * scale + (scale > 1))
    distribution = Distribution(deals, tuple(named))
    edge = Fraction(low, 100), Fraction(low + width, 100)
    winners = [category.name for category in named]
    result = design(distribution, edge, paying=winners, menu=menu, strict=strict, limit=10**6)
    known = slowly(distribution, edge, menu, len(named), strict)
    assert result.complete
    assert {pays(table): table.priced.house_edge for table in result.tables} == known
    assert result.total == len(result.tables) == len(known)
    edges = [table.priced.house_edge for table in result.tables]
    assert edges == sorted(edges)
    if edges:
        assert result.reachable is not None
        assert result.reachable[0] <= edges[0] <= edges[-1] <= result.reachable[1]


@cache
def two_to_four_percent() -> Found:
    return design(THREE_CARDS, percent("2", "4"), limit=10**6)


@settings(max_examples=30, deadline=None)
@given(limit=st.integers(1, 60))
def test_what_is_shown_is_spread_over_what_fits(limit: int) -> None:
    whole = two_to_four_percent()
    result = design(THREE_CARDS, percent("2", "4"), limit=limit)
    assert result.total == whole.total > 60
    assert len(result.tables) == limit
    assert result.left_out == whole.total - limit
    order = sorted(pays(table)[::-1] for table in whole.tables)
    places = sorted(order.index(pays(table)[::-1]) for table in result.tables)
    assert places == [(2 * i + 1) * len(order) // (2 * limit) for i in range(limit)]
    assert f"{whole.total:,} tables fit" in result.summary


def test_a_search_that_stops_says_so() -> None:
    whole = design(THREE_CARDS, percent("2", "4"), limit=1)
    result = design(THREE_CARDS, percent("2", "4"), limit=5, budget=200)
    assert not result.complete
    assert 0 < result.total < whole.total
    assert len(result.tables) == 5
    assert result.summary.startswith(
        f"at least {result.total} tables fit, where the search stopped"
    )


@pytest.fixture(scope="module")
def bonus() -> tuple[analysis.Analysis, Distribution]:
    exact = analysis.analyse(load_spec("red-green"))
    return exact, Distribution.of(exact.price("bonus").priced)


def test_a_table_prices_as_the_pricer_does(
    bonus: tuple[analysis.Analysis, Distribution],
) -> None:
    """Red/Green's bonus, whose table the source lost: edge, hit frequency and variance agree."""
    exact, distribution = bonus
    winners = [event.lower() for event in distribution.names[:8]]
    result = design(
        distribution,
        percent("3", "6"),
        paying=distribution.names[:8],
        pushes=["Two pair"],
        menu=[pay for pay in RACK_CARD if pay <= 1000],
        limit=3,
    )
    assert len(result.tables) == 3
    for table in result.tables:
        events = [
            Event(event=name, when=f"category = '{word}'", pays=f"{pay} to 1")
            for (name, pay), word in zip(table.pays.items(), winners, strict=True)
        ]
        events += [
            Event(event="two pair", when="category = 'two pair'", pays="push"),
            Event(event="else", when="true", pays="lose"),
        ]
        wager = Wager(name="designed", title="Designed", space="bonus", events=tuple(events))
        priced = pricer.price(
            bind_wager(wager, exact.game.space("bonus")), exact.tables["bonus", None]
        )
        assert percent("3", "6")[0] <= table.priced.house_edge <= percent("3", "6")[1]
        assert table.priced.house_edge == priced.house_edge
        assert table.priced.hit_frequency == priced.hit_frequency
        assert table.priced.variance == priced.variance
        assert list(pays(table)) == sorted(set(pays(table)), reverse=True)


def test_hit_frequency_chooses_how_many_categories_pay() -> None:
    """A flush or better comes (48 + 52 + 720 + 1,096) / 22,100 = 8.67% of the time."""
    result = design(THREE_CARDS, percent("0", "10"), hit=printed("8.67%"), limit=10**6)
    assert result.tables
    for table in result.tables:
        assert list(table.pays) == ["straight flush", "three of a kind", "straight", "flush"]
        assert table.priced.hit_frequency == Fraction(1_916, 22_100)


def test_hit_frequency_may_leave_several_choices() -> None:
    both = design(THREE_CARDS, percent("2", "4"), hit=percent("8", "26"), limit=10**6)
    single = [
        design(THREE_CARDS, percent("2", "4"), paying=THREE_CARDS.names[:k], limit=10**6)
        for k in (4, 5)
    ]
    assert both.total == sum(part.total for part in single)
    assert {pays(t) for t in both.tables} == {pays(t) for part in single for t in part.tables}


def test_bounds_pin_pays_that_are_known() -> None:
    result = design(
        THREE_CARDS,
        percent("0", "10"),
        bounds={"straight flush": (40, 40), "flush": (3, 4)},
        limit=10**6,
    )
    whole = design(THREE_CARDS, percent("0", "10"), limit=10**6)
    kept = {t for t in map(pays, whole.tables) if t[0] == 40 and 3 <= t[3] <= 4}
    assert {pays(table) for table in result.tables} == kept
    assert (40, 30, 6, 4, 1) in kept


def test_equal_pays_and_pushing_pays_on_request() -> None:
    loose = design(THREE_CARDS, percent("0", "20"), menu=(0, 1, 5, 40), strict=False)
    # (16,440 − 40·48 − 40·52 − 5·720 − 5·1,096) / 22,100, and pairs push.
    edges = {pays(table): table.priced.house_edge for table in loose.tables}
    assert edges[40, 40, 5, 5, 0] == Fraction(3_360, 22_100)
    for table in loose.tables:
        winning = [name for name, pay in table.pays.items() if pay > 0]
        assert table.priced.hit_frequency == THREE_CARDS.hit_frequency(winning)


def test_nothing_fits() -> None:
    result = design(THREE_CARDS, percent("2", "3"), menu=(1, 2, 3, 4, 5))
    # 5·48 + 4·52 + 3·720 + 2·1,096 + 3,744 = 8,544 against 16,440: the only table.
    assert result.reachable == (Fraction(16_440 - 8_544, 22_100),) * 2
    assert (
        result.summary == "no table fits: the pays allowed make the house edge 35.7285% to 35.7285%"
    )
    # The next is 40·48 + 4·52 + 3·720 + 2·1,096 + 3,744 = 10,224: 6,216 / 22,100 = 28.1%.
    between = design(THREE_CARDS, percent("29", "35"), menu=(1, 2, 3, 4, 5, 40))
    assert between.missed
    assert "%" not in between.summary
    assert "miss this house edge" in between.summary
    few = design(THREE_CARDS, percent("2", "3"), menu=(1, 2, 3))
    assert few.summary == "no table fits: the pays allowed are too few for so many categories"


def test_ladder_and_printed() -> None:
    assert ladder((10, 1), (30, 5), (100, 50)) == (*range(1, 11), 15, 20, 25, 30, 50, 100)
    assert ladder((20, 5), lowest=0) == (0, 5, 10, 15, 20)
    assert printed("19.14%") == (Fraction("0.19135"), Fraction("0.19145"))
    assert printed("0.25") == (Fraction("0.245"), Fraction("0.255"))
    assert list(RACK_CARD) == sorted(set(RACK_CARD))


def test_ranges_and_menus_are_read() -> None:
    assert interval("3%..6%") == interval("3..6%") == percent("3", "6")
    assert interval("-0.5% … 0.06") == (Fraction(-1, 200), Fraction(6, 100))
    assert interval("3.09%") == (Fraction(3085, 10**5), Fraction(3095, 10**5))
    assert menu_of("1..3, 15,20..30/5") == (1, 2, 3, 15, 20, 25, 30)


@pytest.mark.parametrize("text", ["", "1..", "5..1", "x", "1..9/0", "1,,2", "1..99999", "-3"])
def test_menus_that_are_none(text: str) -> None:
    with pytest.raises(DealproofError, match="pay"):
        menu_of(text)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"edge": percent("6", "3")}, "empty range"),
        ({"paying": ["pears"]}, "did you mean 'pair'"),
        ({"paying": []}, "no category is named"),
        ({"bounds": {"flsh": (1, 2)}}, "did you mean 'flush'"),
        ({"paying": ["pair"], "pushes": ["pair"]}, "cannot both win and push"),
        ({"hit": percent("30", "40")}, "can give 0.2172%, 0.4525%, 3.7104%, 8.6697%, 25.6109%"),
        ({"menu": []}, "one or more pays"),
        ({"bounds": {"flush": (11, 11)}}, r"bounds\[flush\]: the menu has no pay from 11 to 11"),
        ({"limit": 0}, "limit and budget"),
    ],
)
def test_errors_teach(change: dict[str, object], message: str) -> None:
    arguments: dict[str, object] = {"edge": percent("3", "6"), **change}
    with pytest.raises(DealproofError, match=message):
        design(THREE_CARDS, **arguments)  # type: ignore[arg-type]


def test_a_category_that_never_happens_cannot_be_paid_by_name() -> None:
    never = Distribution(10, (Category("five of a kind", 0), Category("pair", 2)))
    with pytest.raises(DealproofError, match="never happens"):
        design(never, percent("0", "9"), paying=["five of a kind", "pair"])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ladder((10, 1), (5, 1)), "higher than the one before"),
        (lambda: printed("few"), "few"),
    ],
)
def test_words_that_are_no_pays(make: object, message: str) -> None:
    with pytest.raises(DealproofError, match=message):
        make()  # type: ignore[operator]
