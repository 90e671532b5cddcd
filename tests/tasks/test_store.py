"""A store: whole files or none, in a folder and in a bucket."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.exact.errors import DealproofError
from tasks.store.store import Store

WRITER = """
import sys
from tasks.store.store import Store
store = Store.open(sys.argv[1])
print("open", flush=True)
while True:
    for letter in (b"a", b"b"):
        store.write("deep/file", letter * 3_000_000)
"""


@pytest.fixture(params=["folder", "bucket"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Address of an empty store."""
    if request.param == "folder":
        return str(tmp_path / "results")
    bucket: str = request.getfixturevalue("bucket")
    return bucket.format(f"at-{time.time_ns()}")


def test_what_is_written_is_read(address: str) -> None:
    store = Store.open(address)
    store.write("one/two words/a.txt", b"first")
    store.write("one/two words/a.txt", b"second")
    store.write("one/b.txt", b"")
    assert store.read("one/two words/a.txt") == b"second"
    assert store.read("one/b.txt") == b""
    assert store.exists("one/b.txt")
    assert not store.exists("one")
    assert not store.exists("one/c.txt")
    assert store.names("one") == ("b.txt", "two words")
    assert store.names("none") == ()
    assert store.files("") == ("one/b.txt", "one/two words/a.txt")
    assert store.sizes("one/two words") == {"a.txt": 6}


def test_workers_reopen_it_by_address(address: str) -> None:
    store = Store.open(address)
    store.write("a", b"1")
    assert pickle.loads(pickle.dumps(store)).read("a") == b"1"
    assert Store(store.uri).read("a") == b"1"


def test_what_is_missing_is_told_with_its_place(address: str) -> None:
    store = Store.open(address)
    with pytest.raises(DealproofError, match="nothing/here"):
        store.read("nothing/here")


def test_relative_folders_do_not_follow_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store = Store.open("results")
    monkeypatch.chdir("/")
    store.write("a", b"1")
    assert (tmp_path / "results" / "a").read_bytes() == b"1"
    assert store.locate("a") == str(tmp_path / "results" / "a")


def test_killed_while_writing_leaves_a_whole_file(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    for _ in range(5):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE
        ) as writer:
            if writer.stdout is None or writer.stdout.readline() != b"open\n":
                pytest.fail("the writer did not start")
            seen: set[bytes] = set()
            until = time.monotonic() + 0.3
            while time.monotonic() < until or not seen:
                if (folder / "deep" / "file").exists():
                    data = (folder / "deep" / "file").read_bytes()
                    assert data in (b"a" * 3_000_000, b"b" * 3_000_000)
                    seen.add(data[:1])
            writer.kill()
        assert len((folder / "deep" / "file").read_bytes()) == 3_000_000
        assert Store.open(str(folder)).names("deep") == ("file",)


def test_remains_of_the_killed_are_swept_once_they_are_old(store: Store) -> None:
    store.write("deep/file", b"1")
    folder = Path(store.uri) / "deep"
    old, new = folder / ".aside-old", folder / ".aside-new"
    old.touch()
    new.touch()
    os.utime(old, (time.time() - 7200,) * 2)
    store.sweep("deep")
    assert sorted(path.name for path in folder.iterdir()) == [".aside-new", "file"]


def test_a_write_that_fails_leaves_nothing(store: Store) -> None:
    store.write("folder/file", b"1")
    with pytest.raises(DealproofError, match="folder"):
        store.write("folder", b"2")
    assert sorted(path.name for path in Path(store.uri).iterdir()) == [".dealproof", "folder"]
    with pytest.raises(DealproofError, match="Not a directory"):
        store.write("folder/file/below", b"2")
    assert store.read("folder/file") == b"1"


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("ftp://host/folder", "allowed: a folder, or s3://bucket/prefix"),
        ("s3://", "allowed: a folder, or s3://bucket/prefix"),
        ("/dev/null/folder", "store /dev/null/folder: not writable: Not a directory"),
    ],
)
def test_bad_places_are_refused(uri: str, message: str) -> None:
    with pytest.raises(DealproofError) as error:
        Store.open(uri)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_bucket_that_is_not_there_is_refused(bucket: str) -> None:
    with pytest.raises(DealproofError, match=r"not writable: .*bucket does not exist"):
        Store.open(bucket.format("x").replace("s3://bucket", "s3://elsewhere"))
