"""Work that was borrowed or repeated is seen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.analysis.analysis import Analysis, analyse
from engine.analysis.binding import bind
from engine.exact.tables import Table
from engine.games.fu_bacc.game import Main as FuBacc
from engine.games.fu_bacc.game import Starts
from engine.games.red_green.game import Main as RedGreen
from engine.spec.loading import catalogue, load_spec
from tasks.certificate.apart import apart, watched
from tasks.certificate.completeness import integrity
from tasks.run.executor import run
from tasks.run.jobs import Plan
from tasks.run.plan import make_plan
from tasks.run.reduce import Collected, collect
from tasks.store.store import Store


def exhausted(analysis: Analysis) -> Collected:
    """Nothing but the names of what was exhausted: the check plays its own starts."""
    keys = dict.fromkeys(analysis.tables)
    return Collected({"exhaust": {key: analysis.tables[key] for key in keys}}, (), ())


@pytest.mark.parametrize("game", catalogue())
def test_methods_of_every_game_do_their_own_work(game: str) -> None:
    analysis = analyse(load_spec(game))
    check = apart(analysis, exhausted(analysis))
    assert check.verdict == "pass", check.detail
    for names in check.evidence["functions"].values():
        assert names["exhaust"]
        assert names["enumerate"]


@pytest.mark.parametrize(("game", "space"), [("fu-bacc", FuBacc), ("red-green", RedGreen)])
def test_an_exhaustion_that_calls_the_enumeration_is_named(
    game: str, space: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    analysis = analyse(load_spec(game))

    def borrowed(self: Any, lo: int, hi: int, strategy: Any = None, wanted: Any = None) -> Table:
        table: Table = self.enumerate(lo, hi, strategy, wanted)
        return table

    monkeypatch.setattr(space, "exhaust", borrowed)
    check = apart(analysis, exhausted(analysis))
    assert check.verdict == "fail"
    assert "exhaust of main runs" in check.detail
    assert "enumeration" in check.detail


def test_only_the_games_own_functions_are_listed() -> None:
    space = Analysis(bind(load_spec("fu-bacc"))).game.space("starts")
    names = watched(lambda: space.exhaust(0, 1))
    assert names
    assert all(name.startswith("fu_bacc.") for name in names)
    assert any(Starts.__name__ in name for name in names)


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Plan, Store]:
    store = Store.open(str(tmp_path_factory.mktemp("rounds")))
    plan = make_plan(load_spec("fu-bacc"), methods=("simulate",), rounds=3 << 20, store=store)
    run(plan, store)
    return plan, store


def test_parts_that_all_play_the_same_block_are_named(simulated: tuple[Plan, Store]) -> None:
    collected = collect(*simulated)
    assert integrity(collected).verdict == "pass"
    first = next(part for part in collected.parts if part.key == ("main", None))
    same = tuple(
        replace(part, content=first.content, written=first.content)
        if part.key == first.key
        else part
        for part in collected.parts
    )
    check = integrity(replace(collected, parts=same))
    assert check.verdict == "fail"
    assert "rounds played twice" in check.detail
    assert "blocks-00000001-00000002" in check.detail
