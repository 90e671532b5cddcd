"""Verification from the files alone: what was changed is named with file and row."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.exact.errors import DealproofError
from engine.exact.tables import Table
from engine.spec.model import Spec
from tasks import conclude
from tasks.certificate import signature
from tasks.run.executor import run
from tasks.run.plan import make_plan
from tasks.run.reduce import collect
from tasks.store import parquet
from tasks.store.store import Store
from tasks.verify import Step, verify

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return signature.new_keys(tmp_path_factory.mktemp("keys") / "laboratory.pem")


@pytest.fixture(scope="module")
def signed(
    side_bet: Spec, keys: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A store with one signed run of all methods, and nothing that a test may change."""
    folder = tmp_path_factory.mktemp("signed") / "results"
    store = Store.open(str(folder))
    plan = make_plan(side_bet, rounds=1 << 21, full=True, store=store)
    run(plan, store)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(signature.VARIABLE, str(keys[0]))
        conclude.conclude(plan, store, collect(plan, store))
    return folder


@pytest.fixture
def folder(signed: Path, tmp_path: Path) -> Path:
    """A copy of the store, at another path."""
    copy = tmp_path / "elsewhere"
    shutil.copytree(signed, copy)
    return copy


def certificate(folder: Path) -> Path:
    (path,) = (folder / "certificates").glob("*.json")
    return path


def one(folder: Path, pattern: str) -> Path:
    return sorted(folder.glob(pattern))[0]


def steps(folder: Path, key: Path | None = None, **options: Any) -> dict[str, Step]:
    return {step.name: step for step in verify(certificate(folder), key, **options)}


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def test_a_sound_run_verifies_whole(folder: Path, keys: tuple[Path, Path]) -> None:
    found = steps(folder, keys[1], recompute=Fraction(1))
    assert {name: step.outcome for name, step in found.items()} == dict.fromkeys(
        ("signature", "files", "tables", "numbers", "reduction", "checks", "recomputation"),
        "verified",
    )
    (by_envelope,) = (folder / "certificates").glob("*.dsse")
    again = {step.name: step.outcome for step in verify(by_envelope, keys[1])}
    assert set(again.values()) == {"verified", "not checked"}


@pytest.mark.parametrize(
    ("pattern", "step"),
    [
        ("runs/*/*/spec.json", "files"),
        ("runs/*/*/report.html", "files"),
        ("runs/*/*/plan.json", "files"),
        ("runs/*/*/outcomes/*.parquet", "files"),
        ("runs/*/*/changed/*/*.parquet", "files"),
        ("tables/*/*/method=enumerate/*/*/*.parquet", "files"),
        ("tables/*/*/method=exhaust/*/*/*.parquet", "files"),
        ("tables/*/*/method=simulate/*/*/*.parquet", "files"),
    ],
)
def test_a_flipped_byte_is_named(folder: Path, pattern: str, step: str) -> None:
    path = one(folder, pattern)
    flip(path)
    found = steps(folder)
    name = str(path.relative_to(folder))
    assert [finding.file for finding in found["files"].findings] == [name]
    assert found[step].outcome == "differs"
    assert name in {finding.file for finding in found[step].findings}


@pytest.mark.parametrize(
    ("pattern", "step"),
    [
        ("runs/*/*/outcomes/*.parquet", "reduction"),
        ("tables/*/*/method=enumerate/*/*/*.parquet", "reduction"),
        ("tables/*/*/method=exhaust/*/*/*.parquet", "checks"),
    ],
)
def test_a_count_that_was_changed_is_named(folder: Path, pattern: str, step: str) -> None:
    """One deal is moved from the last row to the first, and the file is whole otherwise."""
    path = one(folder, pattern)
    table, metadata = parquet.read_table(path.read_bytes())
    counts = table.combinations.copy()
    counts[0] += 1
    counts[-1] -= 1
    metadata.pop("digest")
    path.write_bytes(parquet.table_bytes(Table(table.features, table.codes, counts), metadata))
    found = steps(folder, recompute=Fraction(1))
    assert found["files"].outcome == found[step].outcome == "differs"
    if "tables" in pattern:
        first = ", ".join(f"{name} = {value}" for name, value in table.row(0).items())
        findings = found["recomputation"].findings
        assert (str(path.relative_to(folder)), first) in {(f.file, f.row) for f in findings}
    else:
        assert found["numbers"].outcome == "differs"


def test_a_cell_of_a_strategy_that_was_changed_is_named(tmp_path: Path, spec: Spec) -> None:
    store = Store.open(str(tmp_path / "results"))
    plan = make_plan(spec, methods=("enumerate",), store=store)
    run(plan, store)
    conclude.conclude(plan, store, collect(plan, store))
    path = one(tmp_path / "results", "runs/*/*/strategies/chart.parquet")
    strategy, _ = parquet.read_strategy(path.read_bytes())
    action = strategy.action.copy()
    action[0] = next(a for a in np.flatnonzero(strategy.allowed[0]) if a != action[0])
    path.write_bytes(parquet.strategy_bytes(replace(strategy, action=action), {}))
    found = steps(tmp_path / "results")
    assert found["files"].findings[0].file.endswith("strategies/chart.parquet")
    assert any(f.row.startswith("comparisons[") for f in found["numbers"].findings)


def test_what_is_not_there_is_not_verified(folder: Path) -> None:
    dropped = one(folder, "tables/*/*/method=simulate/*/*/*.parquet")
    dropped.unlink()
    found = steps(folder)
    assert found["files"].outcome == "verified"
    assert str(dropped.relative_to(folder)) in found["files"].detail
    assert found["reduction"].outcome == found["checks"].outcome == "not checked"
    shutil.rmtree(folder / "tables")
    shutil.rmtree(folder / "runs")
    alone = steps(folder)
    assert {step.outcome for step in alone.values()} == {"not checked"}


def test_a_partition_that_no_plan_has_is_refused(folder: Path) -> None:
    part = one(folder, "tables/*/*/method=exhaust/*/*/*.parquet")
    shutil.copy(part, part.with_name("doubled.parquet"))
    found = steps(folder)["reduction"]
    assert found.outcome == "differs"
    assert "doubled.parquet: no plan writes it" in str(found.findings[0])


def test_swapped_partitions_are_foreign(folder: Path) -> None:
    first, second = sorted(folder.glob("tables/*/*/method=simulate/*/*/*.parquet"))[:2]
    one_, other = first.read_bytes(), second.read_bytes()
    first.write_bytes(other)
    second.write_bytes(one_)
    found = steps(folder)
    names = {str(path.relative_to(folder)) for path in (first, second)}
    assert {finding.file for finding in found["files"].findings} == names
    assert {finding.file for finding in found["reduction"].findings} == names


def rewritten(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """The certificate with something changed, everywhere that it stands."""
    document = json.loads(certificate(folder).read_text())
    change(document["predicate"])
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    certificate(folder).write_text(text)


def test_an_edited_number_is_named_and_breaks_the_signature(
    folder: Path, keys: tuple[Path, Path]
) -> None:
    def change(predicate: dict[str, Any]) -> None:
        predicate["wagers"][0]["events"][0]["combinations"] += 1

    rewritten(folder, change)
    found = steps(folder, keys[1])
    assert found["signature"].outcome == "differs"
    (finding,) = found["numbers"].findings
    assert finding.row == "wagers[0].events[0].combinations"
    assert int(finding.theirs) == int(finding.ours) + 1


def test_a_certificate_signed_again_by_somebody_else_does_not_hold(
    folder: Path, keys: tuple[Path, Path], tmp_path: Path
) -> None:
    other, public = signature.new_keys(tmp_path / "other.pem")
    path = certificate(folder)
    path.with_suffix(".dsse").write_bytes(
        signature.sign(path.read_bytes(), signature.signer(other))
    )
    assert steps(folder, public)["signature"].outcome == "verified"
    found = steps(folder, keys[1])["signature"]
    assert found.outcome == "differs"
    assert "is not one by" in str(found.findings[0])


def test_a_pay_that_was_edited_after_the_run_is_named(folder: Path) -> None:
    path = one(folder, "runs/*/*/spec.json")
    path.write_text(path.read_text().replace('"30 to 1"', '"31 to 1"'))
    found = steps(folder)
    assert [finding.file for finding in found["files"].findings] == [str(path.relative_to(folder))]
    rows = {finding.row for finding in found["numbers"].findings}
    assert "wagers[0].events[0].net" in rows


@pytest.mark.parametrize(
    "spoil",
    [lambda data: data[:40], lambda data: b"", lambda data: data.replace(b'"payload"', b'"p"')],
)
def test_a_broken_envelope_is_told(
    folder: Path, keys: tuple[Path, Path], spoil: Callable[[bytes], bytes]
) -> None:
    (envelope,) = (folder / "certificates").glob("*.dsse")
    envelope.write_bytes(spoil(envelope.read_bytes()))
    found = steps(folder, keys[1])["signature"]
    assert found.outcome == "differs"
    assert "not a DSSE envelope" in str(found.findings[0])
    with pytest.raises(DealproofError, match="not a DSSE envelope"):
        list(verify(envelope, keys[1]))


def test_an_unsigned_certificate_does_not_pass_for_a_signed_one(
    folder: Path, keys: tuple[Path, Path]
) -> None:
    certificate(folder).with_suffix(".dsse").unlink()
    assert steps(folder)["signature"].outcome == "not checked"
    assert steps(folder, keys[1])["signature"].outcome == "differs"


@pytest.mark.parametrize("pattern", ["*.json", "runs/*/*/spec.json"])
def test_what_is_no_certificate_is_refused_in_one_line(folder: Path, pattern: str) -> None:
    path = folder / "empty.json"
    path.write_text("{}")
    with pytest.raises(DealproofError, match="not a certificate"):
        list(verify(one(folder, pattern)))


def test_keys_are_safe(tmp_path: Path, keys: tuple[Path, Path]) -> None:
    private, public = keys
    assert private.stat().st_mode & 0o777 == 0o600
    assert b"PRIVATE" not in public.read_bytes()
    with pytest.raises(DealproofError, match="never overwritten"):
        signature.new_keys(private)
    loose = tmp_path / "loose.pem"
    loose.write_bytes(private.read_bytes())
    loose.chmod(0o644)
    with pytest.raises(DealproofError, match="others may read"):
        signature.signer(loose)
    public_as_private = tmp_path / "public.pem"
    public_as_private.write_bytes(public.read_bytes())
    public_as_private.chmod(0o600)
    with pytest.raises(DealproofError, match="not a private key"):
        signature.signer(public_as_private)
    with pytest.raises(DealproofError, match="No such file"):
        signature.signer(tmp_path / "missing.pem")


def test_no_key_leaves_its_file(signed: Path, keys: tuple[Path, Path]) -> None:
    secret = keys[0].read_text().splitlines()[1]
    raw = base64.b64decode(secret)[-32:]
    for path in signed.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert secret.encode() not in data
            assert raw not in data
            assert str(keys[0]).encode() not in data


def test_stock_tools_verify_too(folder: Path, keys: tuple[Path, Path], tmp_path: Path) -> None:
    """The documentation's own commands, word by word."""
    page = (ROOT / "docs" / "verify.md").read_text()
    openssl, jq = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    shutil.copy(certificate(folder), tmp_path / "certificate.json")
    shutil.copy(certificate(folder).with_suffix(".dsse"), tmp_path / "certificate.dsse")
    shutil.copy(keys[1], tmp_path / "laboratory.pem.pub")
    done = subprocess.run(openssl, shell=True, cwd=tmp_path, capture_output=True, text=True)
    assert "Signature Verified Successfully" in done.stdout, done.stderr
    flip(tmp_path / "certificate.json")
    done = subprocess.run(openssl, shell=True, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0
    if shutil.which("jq") is None:
        return
    shutil.copy(certificate(folder), folder / "certificate.json")
    assert subprocess.run(jq, shell=True, cwd=folder).returncode == 0
