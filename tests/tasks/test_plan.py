"""Plans: exact partitions, stated coverage, and refusals with a reason."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import perm

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.exact.errors import DealproofError
from engine.spec.loading import load_spec
from engine.spec.model import Spec
from tasks.run import calibrate
from tasks.run.calibrate import Cost
from tasks.run.jobs import sampled, spec_from_json, spec_json, split
from tasks.run.plan import BLOCKS_PER_PART, Plan, load, make_plan, save
from tasks.store.store import Store
from tests.tasks.conftest import job_of

#: Two cards and an up-card, then three more in order, from 52.
DEALS = perm(52, 6) // 2
EXHAUST = ("enumerate", "exhaust")


def paths(plan: Plan) -> set[str]:
    """Store paths of all that a plan computes."""
    return {path for job in plan.jobs for part in job.parts for path in job.paths(part)}


def digests(plan: Plan) -> dict[tuple[str, str | None], str]:
    """Digest of every job, by method and space."""
    return {(job.method, job.space): job.digest for job in plan.jobs}


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exhausting or enumerating anything takes 1,000 core-seconds."""
    monkeypatch.setattr(calibrate, "ranges", lambda fill, starts, budget=0.1: Cost(1000.0, 0.0))


@given(total=st.integers(1, 10**6), parts=st.integers(1, 500))
def test_parts_cover_all_starts_once_in_about_equal_ranges(total: int, parts: int) -> None:
    bounds = split(total, parts)
    assert bounds[0][0] == 0
    assert bounds[-1][1] == total
    assert all(left[1] == right[0] for left, right in itertools.pairwise(bounds))
    sizes = {hi - lo for lo, hi in bounds}
    assert max(sizes) - min(sizes) <= 1


def test_the_whole_game_is_planned_by_closed_form(whole: Plan) -> None:
    main = job_of(whole, "exhaust", "main")
    assert DEALS == 7_329_067_200
    assert (main.deals, main.deals_total, len(main.parts)) == (DEALS, DEALS, 100)
    assert all(part.deals == (part.hi - part.lo) * perm(49, 3) for part in main.parts)
    assert job_of(whole, "exhaust", "starts").deals == 66_300
    assert job_of(whole, "simulate", None).deals == whole.rounds == 1 << 20
    assert whole.seconds > 0
    assert 50 < whole.memory_mb < 4000


def test_coverage_is_stated(whole: Plan) -> None:
    text = "exhaust main: 100 of 100 parts, 7,329,067,200 of 7,329,067,200 deals"
    assert text in whole.coverage
    assert "simulate: 1 of 1 parts, 1,048,576 rounds" in whole.coverage


def test_workers_change_nothing(spec: Spec, whole: Plan) -> None:
    other = make_plan(spec, rounds=1 << 20, full=True, cores=7)
    assert (other.run, paths(other)) == (whole.run, paths(whole))


@pytest.mark.usefixtures("slow")
def test_a_long_exhaustion_is_sampled_and_full_keeps_the_sample(spec: Spec) -> None:
    one = make_plan(spec, methods=EXHAUST, cores=1)
    two = make_plan(spec, methods=EXHAUST, cores=2)
    full = make_plan(spec, methods=EXHAUST, cores=1, full=True)
    counts = [len(job_of(plan, "exhaust", "main").parts) for plan in (one, two, full)]
    # 15 of 1,000 seconds on one core, 30 on two, rounded down to 1, 2 or 5 × 10^k parts.
    assert counts == [1, 2, 100]
    assert paths(one) < paths(two) < paths(full)
    assert len({one.run, two.run, full.run}) == 3
    assert job_of(one, "exhaust", "main").seconds == 10
    deals = job_of(one, "exhaust", "main").deals
    text = f"exhaust main: 1 of 100 parts, {deals:,} of 7,329,067,200 deals"
    assert text in one.coverage


@pytest.mark.usefixtures("slow")
def test_a_sample_follows_the_seed_and_nothing_else(spec: Spec) -> None:
    def drawn(seed: int) -> list[int]:
        plan = make_plan(spec, methods=EXHAUST, cores=8, seed=seed)
        return [part.number for part in job_of(plan, "exhaust", "main").parts]

    assert len(drawn(1)) == 10
    assert drawn(1) == drawn(1) == sorted(sampled(100, 1, "main")[:10])
    assert drawn(1) != drawn(2)


@given(parts=st.integers(1, 300), seed=st.integers(0, 2**64 - 1))
def test_a_sample_draws_every_part_once(parts: int, seed: int) -> None:
    assert sorted(sampled(parts, seed, "main")) == list(range(parts))


def test_a_space_of_long_parts_is_cut_more_finely(
    spec: Spec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibrate, "ranges", lambda fill, starts, budget=0.1: Cost(1e6, 0.0))
    job = job_of(make_plan(spec, methods=EXHAUST, cores=2), "exhaust", "main")
    assert job.parts_total == 10_000
    assert len(job.parts) == 1


def test_more_rounds_keep_the_earlier_blocks(spec: Spec) -> None:
    def rounds(blocks: int) -> set[str]:
        return paths(make_plan(spec, methods=("simulate",), rounds=blocks << 20))

    two = 2 * BLOCKS_PER_PART
    assert len(rounds(two)) == 2 * 2
    assert rounds(two) < rounds(2 * two)
    assert len(rounds(two + 1) - rounds(two)) == 2
    assert rounds(two) < rounds(two + 1)


def test_rounds_are_rounded_up_to_whole_blocks(spec: Spec) -> None:
    assert make_plan(spec, methods=("simulate",), rounds=1).rounds == 1 << 20


def test_tables_depend_on_what_they_count_alone(spec: Spec, whole: Plan) -> None:
    def under(changed: Spec, seed: int = 1) -> dict[tuple[str, str | None], str]:
        return digests(make_plan(changed, rounds=1 << 20, full=True, seed=seed))

    mine = digests(whole)
    wager = spec.wager("lucky-monkey")
    event = wager.events[0].model_copy(update={"pays": "35 to 1"})
    dearer = wager.model_copy(update={"events": (event, *wager.events[1:])})
    wagers = tuple(dearer if w.name == wager.name else w for w in spec.wagers)
    priced = spec.model_copy(update={"wagers": wagers})
    assert under(priced) == mine
    assert make_plan(priced, rounds=1 << 20, full=True).run != whole.run
    assert under(spec.under({"bonus": "forced"})) == mine, "no family reads this rule"
    assert not set(under(spec.under({"naturals": "stand"})).values()) & set(mine.values())
    reseeded = under(spec, seed=2)
    assert {key for key in mine if mine[key] != reseeded[key]} == {("simulate", None)}


def test_a_side_bet_alone_needs_its_space_alone(side_bet: Spec) -> None:
    plan = make_plan(side_bet, rounds=1 << 20)
    assert [(job.method, job.space) for job in plan.jobs] == [
        ("enumerate", "starts"), ("exhaust", "starts"), ("simulate", None),
    ]  # fmt: skip
    assert [output.space for output in plan.jobs[-1].outputs] == ["starts"]


def test_a_plan_is_read_as_it_was_written(whole: Plan, store: Store) -> None:
    assert Plan.from_json(whole.to_json()) == whole
    save(whole, store)
    assert load(whole.game, whole.run, store) == whole
    assert spec_from_json(store.read(f"{whole.folder}/spec.json").decode()) == whole.spec


def test_a_spec_keeps_its_exact_numbers(spec: Spec) -> None:
    event = spec.wagers[0].events[0].model_copy(update={"pays": Fraction(3, 2), "staked": 2})
    wager = spec.wagers[0].model_copy(update={"events": (event, *spec.wagers[0].events[1:])})
    changed = spec.model_copy(update={"wagers": (wager, *spec.wagers[1:])})
    assert spec_from_json(spec_json(changed)) == changed


def test_another_text_is_no_plan() -> None:
    for text in ("{}", "[]", "no", '{"jobs": []}'):
        with pytest.raises(DealproofError, match="not a plan of this version"):
            Plan.from_json(text)


def test_what_was_begun_keeps_its_plan_until_it_is_certified(
    spec: Spec, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = make_plan(spec, methods=EXHAUST, cores=2, store=store)
    assert len(job_of(begun, "exhaust", "main").parts) == 100
    save(begun, store)
    monkeypatch.setattr(calibrate, "ranges", lambda fill, starts, budget=0.1: Cost(1000.0, 0.0))
    assert make_plan(spec, methods=EXHAUST, cores=1, store=store) == begun
    assert make_plan(spec, methods=EXHAUST, cores=1, store=store, seed=2) != begun
    store.write(f"{begun.folder}/certificate.json", b"{}")
    again = make_plan(spec, methods=EXHAUST, cores=1, store=store)
    assert len(job_of(again, "exhaust", "main").parts) == 1


@pytest.mark.usefixtures("slow")
def test_evidence_that_is_there_is_never_left_out(spec: Spec, store: Store) -> None:
    wide = job_of(make_plan(spec, methods=EXHAUST, cores=4), "exhaust", "main")
    assert len(wide.parts) == 5
    for part in wide.parts:
        store.write(wide.paths(part)[0], b"something")
    narrow = job_of(make_plan(spec, methods=EXHAUST, cores=1, store=store), "exhaust", "main")
    assert narrow.parts == wide.parts


@pytest.mark.usefixtures("slow")
def test_strategies_of_a_space_share_their_deals_and_their_sample() -> None:
    plan = make_plan(load_spec("double-ace"), methods=EXHAUST, cores=2)
    job = job_of(plan, "exhaust", "main")
    assert {output.strategy for output in job.outputs} == {
        name for wager in plan.spec.wagers for name in wager.strategies
    }
    assert len(job.outputs) == len(job.strategy_names) > 2
    assert len({output.folder for output in job.outputs}) == len(job.outputs)
    # The seconds are those of one pass: strategies beside each other leave the sample as it is.
    assert [part.number for part in job.parts] == sorted(sampled(100, 1, "main")[:2])
    assert Plan.from_json(plan.to_json()) == plan


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"methods": ["exhause"]}, "method 'exhause': did you mean 'exhaust'? allowed: "),
        ({"methods": []}, "methods: none chosen; allowed: enumerate, exhaust, simulate"),
        ({"rounds": 0}, "rounds = 0: at least 1 round has to be played"),
        ({"rounds": -5}, "rounds = -5: at least 1 round"),
        ({"rounds": 10**16}, "core-hours, allowed: 10,000; play fewer rounds"),
        ({"seed": -1}, "seed = -1: allowed: 0 … 2^64 − 1"),
        ({"cores": 0}, "cores = 0: at least 1 is needed"),
        ({"memory_mb": 1.0}, "MB of 1 MB; use fewer workers"),
    ],
)
def test_the_impossible_is_refused(spec: Spec, options: dict[str, object], message: str) -> None:
    with pytest.raises(DealproofError) as error:
        make_plan(spec, **options)  # type: ignore[arg-type]
    assert message in str(error.value)


def test_memory_grows_with_the_cores(spec: Spec, monkeypatch: pytest.MonkeyPatch) -> None:
    def costs(fill: object, starts: int, budget: float = 0.1) -> Cost:
        return Cost(1.0, 400.0)

    monkeypatch.setattr(calibrate, "ranges", costs)
    monkeypatch.setattr(calibrate, "forget_peak", lambda: 100.0)
    two = make_plan(spec, methods=("enumerate",), cores=2, memory_mb=24_000.0)
    assert two.memory_mb == 100 + 2 * 400
    text = "64 cores are projected to need 25,700 MB of 24,000 MB; use fewer workers"
    with pytest.raises(DealproofError, match=text):
        make_plan(spec, methods=("enumerate",), cores=64, memory_mb=24_000.0)


def test_the_peak_can_be_measured_afresh() -> None:
    values = bytearray(200 << 20)
    values[:: 1 << 12] = b"x" * len(values[:: 1 << 12])
    high = calibrate.peak_mb()
    del values
    base = calibrate.forget_peak()
    assert high - base > 150
    values = bytearray(100 << 20)
    values[:: 1 << 12] = b"x" * len(values[:: 1 << 12])
    assert 90 < calibrate.peak_mb() - base < 150


def test_an_endless_exhaustion_is_refused_in_full_and_sampled_else(
    spec: Spec, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = itertools.cycle([3600.0 * 10_001, 0.1])
    monkeypatch.setattr(
        calibrate, "ranges", lambda fill, starts, budget=0.1: Cost(next(seconds), 0.0)
    )
    with pytest.raises(DealproofError, match=r"exhaust main: projected 10,001 core-hours.*--full"):
        make_plan(spec, methods=("exhaust",), full=True)
    seconds = itertools.cycle([3600.0 * 10_001, 0.1])
    assert make_plan(spec, methods=("exhaust",)).core_hours < 4
    monkeypatch.setattr(
        calibrate, "ranges", lambda fill, starts, budget=0.1: Cost(3.6e7 + 3600, 0.0)
    )
    with pytest.raises(DealproofError, match=r"the run: projected .*choose fewer methods"):
        make_plan(spec, methods=("enumerate",))


def test_a_range_is_projected_from_a_piece_of_it() -> None:
    spent = []

    def fill(lo: int, hi: int) -> None:
        spent.append(hi - lo)
        total = 0
        for number in range((hi - lo) * 2000):
            total += number

    assert calibrate.ranges(fill, 100_000).seconds > 0
    assert 0 < sum(spent) < 50_000
