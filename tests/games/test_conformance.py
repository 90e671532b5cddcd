"""What every game of the catalogue has to keep."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.analysis.analysis import Analysis
from engine.analysis.binding import bind
from engine.contract.game import Space
from engine.contract.strategy import deals_covered
from engine.exact.tables import Table, same
from engine.program.bound import tabulated
from engine.spec.loading import catalogue, load_spec


@pytest.fixture(scope="module", params=catalogue())
def exact(request: pytest.FixtureRequest) -> Analysis:
    return Analysis(bind(load_spec(request.param)))


def held(analysis: Analysis) -> list[tuple[Space, str | None, Table]]:
    return [(analysis.game.space(s), name, t) for (s, name), t in analysis.tables.items()]


def test_starts_add_up_to_the_closed_form(exact: Analysis) -> None:
    for space in exact.game.spaces:
        assert space.deals_in(0, space.starts) == space.deals
        cut = space.starts // 3
        assert space.deals_in(0, cut) + space.deals_in(cut, space.starts) == space.deals
        with pytest.raises(ValueError, match="outside"):
            space.deals_in(0, space.starts + 1)


def test_every_table_covers_its_space(exact: Analysis) -> None:
    for space, _, table in held(exact):
        assert deals_covered(table, space) == space.deals


def test_any_split_gives_the_same_table(exact: Analysis) -> None:
    for space, name, table in held(exact):
        strategy = exact.strategies[name] if name else None
        columns = exact.program.columns(space)
        cuts = sorted({0, space.starts // 7, space.starts // 2, space.starts})
        parts = [space.enumerate(lo, hi, strategy, columns) for lo, hi in pairwise(cuts)]
        assert Table.merge(parts).digest() == table.digest()


def test_enumeration_equals_exhaustion_on_a_few_starts(exact: Analysis) -> None:
    for space, name, _ in held(exact):
        strategy = exact.strategies[name] if name else None
        columns = exact.program.columns(space)
        lo = space.starts // 2
        hi = min(space.starts, lo + 2)
        enumerated = space.enumerate(lo, hi, strategy, columns)
        assert same(enumerated, space.exhaust(lo, hi, strategy, columns))
        assert deals_covered(enumerated, space) == space.deals_in(lo, hi)


def test_columns_are_described_and_rows_lie_within_them(exact: Analysis) -> None:
    for space, _, table in held(exact):
        assert set(table.names) <= {feature.name for feature in space.features}
        for feature in table.features:
            assert feature.description
            codes = table.codes[feature.name]
            assert feature.first <= codes.min()
            assert codes.max() < feature.first + feature.size
        if tabulated(space):
            assert "action" in table.names


def test_simulated_blocks_add_up_and_repeat(exact: Analysis) -> None:
    solved = [exact.strategies[name] for _, name, _ in held(exact) if name]
    columns: frozenset[str] = frozenset()
    for space, _, _ in held(exact):
        columns |= exact.program.columns(space)
    one, two = (exact.game.simulate(b, b + 1, 20_260_101, solved, columns) for b in (0, 1))
    both = exact.game.simulate(0, 2, 20_260_101, solved, columns)
    assert one.keys() == both.keys()
    for key, table in both.items():
        assert Table.merge([one[key], two[key]]).digest() == table.digest()
        assert one[key].digest() != two[key].digest()


def test_a_dealt_round_is_one_that_the_table_knows(exact: Analysis) -> None:
    chosen = {s.space: s for s in reversed([*exact.strategies.values()])}
    for number in range(5):
        round_ = exact.game.play(exact.game.deal(11, number), chosen)
        assert round_.steps
        for space, name, table in held(exact):
            if name not in (None, chosen[space.name].name if space.name in chosen else None):
                continue
            row = round_.rows[space.name]
            match = table.combinations > 0
            for feature in table.features:
                match &= table.codes[feature.name] == feature.code(row[feature.name])
            assert match.any(), row
