"""What a plan says that a run takes: of all of it, by counted work. Nothing here is timed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from engine.exact import kernels
from engine.spec.loading import load_spec
from engine.spec.model import Spec
from engine.studies.readings import changes
from engine.studies.variants import variants
from tasks.run import calibrate, projection, readings
from tasks.run.plan import Plan, compiled_before, make_plan
from tasks.run.projection import Measured, Moment, projected
from tasks.store.store import Store

#: Core-seconds to price a change of the rules, and to exhaust a sample under it.
PRICING, SAMPLING = 3.0, 0.5


@pytest.fixture
def fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine of speed 1, on which each change of the rules takes the same."""

    def of(plan: Plan, solving: float) -> projection._Change:
        return projection._Change(PRICING, SAMPLING)

    monkeypatch.setattr(projection._Change, "of", of)
    monkeypatch.setattr(calibrate, "speed", lambda: 1.0)
    monkeypatch.setattr(calibrate, "start_seconds", lambda: 4.0)


def again(plan: Plan, **changed: object) -> Plan:
    """Project a plan once more."""
    changed = {"strategies": {}, **changed}
    return projected(replace(plan, **changed), Measured(0.25, 1.0), Moment.now(), None)  # type: ignore[arg-type]


def test_the_whole_run_is_projected(whole: Plan) -> None:
    assert tuple(whole.phases) == ("start", "plan", "compute", "conclude")
    assert all(seconds > 0 for seconds in whole.phases.values())
    assert whole.seconds == pytest.approx(sum(whole.phases.values()))
    assert whole.phases["compute"] > sum(job.seconds for job in whole.jobs) / whole.cores


@pytest.mark.usefixtures("fixed")
def test_cores_share_partitions_and_readings_but_not_the_conclusion(whole: Plan) -> None:
    parts = sum(len(job.parts) for job in whole.jobs)
    work = sum(job.seconds for job in whole.jobs) + projection.CARRIED * parts
    mine = projection.CONCLUDED + projection.WAGER * len(whole.spec.wagers)
    mine += projection.COLLECTED * parts + PRICING
    shared = len(changes(whole.spec)) * (PRICING + SAMPLING)
    assert (len(changes(whole.spec)), variants(whole.spec)) == (7, ())
    one, two, many = (again(whole, cores=cores).phases for cores in (1, 2, 64))
    loading = 1 + projection.DRIVEN
    assert one["compute"] == pytest.approx(loading + work)
    assert two["compute"] == pytest.approx(loading + work / 2)
    assert one["conclude"] == pytest.approx(mine + shared)
    # Two cores make one worker process, in which readings hold Python's lock; 64 make eight.
    assert two["conclude"] == pytest.approx(max((mine + shared) / 2, shared))
    assert many["conclude"] == pytest.approx(max(mine, shared / 8))
    assert one["start"] == many["start"] == 4


@pytest.mark.usefixtures("fixed")
def test_readings_variants_and_parts_are_counted(whole: Plan) -> None:
    spec = whole.spec
    settled = tuple(rule.model_copy(update={"reading": False}) for rule in spec.rules)
    plain = again(whole, cores=1, spec=spec.model_copy(update={"rules": settled}))
    full = again(whole, cores=1)
    assert full.phases["conclude"] - plain.phases["conclude"] == pytest.approx(
        7 * (PRICING + SAMPLING)
    )
    dai = load_spec("dai-bacc")
    beside = again(whole, cores=1, spec=dai).phases["conclude"]
    more = len(dai.wagers) - len(spec.wagers)
    counted = (len(changes(dai)) + len(variants(dai)) - 7) * (PRICING + SAMPLING)
    # A variant's sample solves its strategies itself.
    counted += len(variants(dai)) * 0.25 + projection.WAGER * more
    assert beside - full.phases["conclude"] == pytest.approx(counted)
    job = whole.jobs[2]
    halved = replace(whole, jobs=(replace(job, parts=job.parts[:50], seconds=job.seconds / 2),))
    quick = again(halved, cores=1)
    alone = again(replace(whole, jobs=(job,)), cores=1)
    assert alone.phases["compute"] - quick.phases["compute"] == pytest.approx(
        job.seconds / 2 + 50 * projection.CARRIED
    )


def test_a_run_that_is_started_tells_what_its_start_took(spec: Spec) -> None:
    begun = Moment.now()
    plan = make_plan(spec, methods=("enumerate",), started=begun.wall - 1000)
    assert 1000 <= plan.phases["start"] < 1100
    assert plan.seconds > 1000


def test_a_slow_game_is_counted_and_not_tried(whole: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("tried")

    monkeypatch.setattr(projection, "analyse", never)
    slow = tuple(
        replace(job, seconds=100.0) if job.method == "enumerate" else job for job in whole.jobs
    )
    spaces = len([job for job in whole.jobs if job.method == "enumerate"])
    result = projection._Change.of(replace(whole, jobs=slow), 5.0)
    assert result.pricing == 100 * spaces + 5
    assert result.sampling == result.pricing + spaces * readings.SECONDS
    with pytest.raises(AssertionError, match="tried"):
        projection._Change.of(whole, 0.0)


def test_what_is_compiled_is_read_from_the_cache(
    spec: Spec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEALPROOF_KERNEL_CACHE", str(tmp_path))
    assert not compiled_before(spec)
    kernels.mark_compiled([f"{spec.family}-enumerate-main"])
    assert not compiled_before(spec, ["enumerate"])
    kernels.mark_compiled([f"{spec.family}-enumerate-starts"])
    assert compiled_before(spec, ["enumerate"])
    assert not compiled_before(spec, ["enumerate", "simulate"])
    assert not compiled_before(load_spec("red-green"), ["enumerate"])
    make_plan(load_spec("dai-bacc"), methods=("enumerate",))
    assert not compiled_before(load_spec("punto-banco"), ["enumerate"]), "it has more spaces"
    make_plan(spec, methods=("enumerate", "exhaust"))
    assert compiled_before(spec, ["exhaust"])
    monkeypatch.setattr(kernels, "engine_digest", lambda: "another engine's source")
    assert not compiled_before(spec, ["enumerate"])


def test_a_start_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEALPROOF_KERNEL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.setattr(calibrate, "speed", lambda: 2.0)
    assert calibrate.start_seconds() == 2 * calibrate.FIRST_START
    (tmp_path / "prefect.db").touch()
    assert calibrate.start_seconds() == 2 * calibrate.START
    calibrate.remember_start(5.25)
    assert calibrate.start_seconds() == 5.25


def test_what_a_run_took_is_stored_with_it(whole: Plan, store: Store) -> None:
    from tasks.run.jobs import save_took

    save_took(whole, 12.5, store)
    text = store.read(f"{whole.folder}/took.json").decode()
    assert '"took_seconds":12.5' in text
    assert f'"projected_seconds":{whole.seconds!r}' in text


def test_pieces_cost_their_fixed_share(spec: Spec, monkeypatch: pytest.MonkeyPatch) -> None:
    cost = calibrate.Cost(10.0, 0.0, fixed=0.01)
    monkeypatch.setattr(calibrate, "ranges", lambda fill, starts, budget=0.1: cost)
    plan = make_plan(spec, methods=("exhaust",))
    (job,) = (job for job in plan.jobs if job.space == "main")
    assert Fraction(job.seconds).limit_denominator(1000) == Fraction(10) + Fraction(99, 100)
