"""Reducing: everything that a plan asks for, once, unharmed; nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.analysis.binding import make_game
from engine.contract.strategy import deals_covered
from engine.exact.errors import DealproofError
from engine.exact.tables import Table, same
from tasks.certificate.checks import Check
from tasks.certificate.suspects import named, suspects
from tasks.run.executor import run
from tasks.run.jobs import Plan
from tasks.run.partition import metadata
from tasks.run.reduce import Collected, DamagedParts, collect, discard
from tasks.store.parquet import read_table, table_bytes
from tasks.store.store import Store

KEY = ("starts", None)


@pytest.fixture
def done(cut_plan: Plan, store: Store) -> Plan:
    """The cut plan, run."""
    run(cut_plan, store)
    return cut_plan


def path_of(plan: Plan, job: int, part: int) -> str:
    """Store path of a part's file."""
    return plan.jobs[job].paths(plan.jobs[job].parts[part])[0]


def test_methods_agree_and_coverage_is_exact(done: Plan, store: Store) -> None:
    result = collect(done, store)
    assert same(result.tables["enumerate"][KEY], result.tables["exhaust"][KEY])
    assert result.tables["exhaust"][KEY].deals == 66_300
    assert [(c.method, c.parts, c.parts_total, c.deals, c.ranges) for c in result.coverage] == [
        ("enumerate", 40, 40, 66_300, ((0, 66_300),)),
        ("exhaust", 30, 30, 66_300, ((0, 66_300),)),
    ]
    assert len(result.files) == 70
    assert all(len(sha) == 64 for _, sha in result.files)


def test_a_sample_is_merged_over_its_own_ranges(slow_plan: Plan, store: Store) -> None:
    job = slow_plan.jobs[0]
    sample = replace(slow_plan, jobs=(replace(job, parts=(job.parts[9], *job.parts[3:5])),))
    run(sample, store)
    result = collect(sample, store)
    ranges = ((job.parts[3].lo, job.parts[4].hi), (job.parts[9].lo, job.parts[9].hi))
    assert result.coverage[0].ranges == ranges
    assert (result.coverage[0].parts, result.coverage[0].parts_total) == (3, 100)
    space = make_game(sample.spec)[0].space("main")
    covered = sum(space.deals_in(lo, hi) for lo, hi in ranges)
    assert (result.coverage[0].deals, result.coverage[0].deals_total) == (covered, space.deals)
    assert covered < space.deals
    assert deals_covered(result.tables["exhaust"]["main", None], space) == covered


def refused(plan: Plan, store: Store, path: str) -> str:
    """Collect, expect one damaged part at this path, and return what is told."""
    with pytest.raises(DamagedParts) as error:
        collect(plan, store)
    assert error.value.paths == (path,)
    assert str(error.value).startswith(f"{path}: ")
    return str(error.value).removeprefix(f"{path}: ")


def mended(plan: Plan, store: Store) -> Collected:
    """Do what a flow does after damage: discard, run, collect."""
    try:
        return collect(plan, store)
    except DamagedParts as damaged:
        discard(damaged.paths, store)
        run(plan, store)
        return collect(plan, store)


def test_a_damaged_part_is_refused_and_mended(done: Plan, store: Store) -> None:
    before = collect(done, store)
    path = path_of(done, 1, 4)
    data = bytearray(store.read(path))
    data[len(data) // 3] ^= 0xFF
    store.write(path, bytes(data))
    refused(done, store, path)
    assert mended(done, store).files == before.files


@pytest.mark.parametrize("left", [0, 10, -20])
def test_a_cut_part_is_refused(done: Plan, store: Store, left: int) -> None:
    path = path_of(done, 0, 39)
    store.write(path, store.read(path)[:left])
    assert refused(done, store, path).startswith("damaged Parquet file")


def test_a_missing_part_is_refused_and_mended(done: Plan, store: Store) -> None:
    before = collect(done, store)
    path = path_of(done, 0, 7)
    if store.local is None:
        pytest.fail("a folder is meant")
    (store.local / path).unlink()
    assert refused(done, store, path) == "missing"
    assert mended(done, store).files == before.files


def test_a_folder_in_a_parts_place_is_refused_and_mended(done: Plan, store: Store) -> None:
    before = collect(done, store)
    path = path_of(done, 0, 7)
    if store.local is None:
        pytest.fail("a folder is meant")
    (store.local / path).unlink()
    (store.local / path).mkdir()
    assert refused(done, store, path) == "Is a directory"
    assert mended(done, store).files == before.files


def test_a_folder_that_holds_something_is_never_removed(done: Plan, store: Store) -> None:
    path = path_of(done, 0, 7)
    if store.local is None:
        pytest.fail("a folder is meant")
    (store.local / path).unlink()
    (store.local / path).mkdir()
    (store.local / path / "mine").write_text("kept")
    with pytest.raises(DealproofError, match=f"{path}: a folder that is not empty stands where"):
        run(done, store)
    assert (store.local / path / "mine").read_text() == "kept"


def forge(plan: Plan, store: Store, job: int, part: int) -> str:
    """Move one deal from a row to another and write a part that bears witness to it."""
    made, path = plan.jobs[job], path_of(plan, job, part)
    space = make_game(plan.spec)[0].space("starts")
    table, _ = read_table(store.read(path), space.features)
    counts = table.combinations.copy()
    counts[0] += 1
    counts[-1] -= 1
    forged = Table(table.features, table.codes, counts)
    text = metadata(made, made.outputs[0], made.parts[part])
    store.write(path, table_bytes(forged, text))
    return path


@pytest.mark.parametrize("job", [0, 1])
def test_a_forged_part_is_named(done: Plan, store: Store, job: int) -> None:
    path = forge(done, store, job, 4)
    result = collect(done, store)  # it agrees with its own digest and has all its deals
    tables = result.tables
    assert not same(tables["enumerate"][KEY], tables["exhaust"][KEY])
    failed = Check("agreement", "", True, "fail", "", "cells differ")
    passed = replace(failed, verdict="pass")
    (text, kept) = named([failed, passed], done, store)
    assert kept == passed
    assert text.detail == f"cells differ; not what its range gives when enumerated again: {path}"


def test_forged_rounds_are_named(whole: Plan, store: Store) -> None:
    job = next(job for job in whole.jobs if job.method == "simulate")
    output = next(output for output in job.outputs if output.space == "starts")
    plan = replace(whole, jobs=(job.only([output]),))
    run(plan, store)
    assert list(suspects(plan, store, ("simulate",))) == []
    path = forge(plan, store, 0, 0)
    (text,) = named([Check("simulation", "", True, "fail", "", "z")], plan, store)
    assert text.detail == f"z; not what its range gives when played again: {path}"


def test_a_part_in_anothers_place_is_refused(done: Plan, store: Store) -> None:
    path = path_of(done, 1, 5)
    store.write(path, store.read(path_of(done, 1, 4)))
    assert refused(done, store, path).startswith("foreign: its lo is ")


def test_a_part_of_another_cut_is_refused(done: Plan, store: Store) -> None:
    path = path_of(done, 1, 0)
    store.write(path, store.read(path_of(done, 0, 0)))
    assert refused(done, store, path).startswith("foreign: its method is enumerate, not exhaust")


def test_a_part_of_another_setting_is_refused(done: Plan, store: Store) -> None:
    stranger = replace(done.jobs[0].outputs[0], digest="f" * 64)
    other = replace(done, jobs=(replace(done.jobs[0], outputs=(stranger,)),))
    with pytest.raises(DamagedParts, match=r"foreign: its table is .*, not ffff") as error:
        collect(other, store)
    assert len(error.value.paths) == 40
    assert "and 39 more parts" in str(error.value)


def test_a_file_that_no_plan_writes_is_refused(done: Plan, store: Store) -> None:
    folder = done.jobs[0].outputs[0].folder
    store.write(f"{folder}/part-00001-of-00040 (copy).parquet", b"?")
    with pytest.raises(DealproofError, match=r"\(copy\).parquet: no plan writes it; move it away"):
        collect(done, store)


def test_parts_of_a_wider_sample_are_no_strangers(done: Plan, store: Store) -> None:
    narrow = replace(done, jobs=(replace(done.jobs[1], parts=done.jobs[1].parts[2:9]),))
    result = collect(narrow, store)
    assert result.coverage[0].parts == 7
    assert result.tables["exhaust"][KEY].deals == result.coverage[0].deals


def test_deals_covered_twice_are_refused(done: Plan, store: Store) -> None:
    job = done.jobs[0]
    again = replace(job.parts[5], number=41, lo=job.parts[5].lo + 3, hi=job.parts[5].hi + 3)
    twice = replace(done, jobs=(replace(job, parts=(*job.parts, again)),))
    with pytest.raises(DealproofError, match=r"enumerate starts: .*covers deals twice"):
        collect(twice, store)


def test_a_plan_that_miscounts_is_refused(done: Plan, store: Store) -> None:
    job = done.jobs[0]
    wrong = replace(job, parts=(replace(job.parts[0], deals=1), *job.parts[1:]))
    with pytest.raises(DealproofError, match="holds not 1 deals"):
        collect(replace(done, jobs=(wrong,)), store)
