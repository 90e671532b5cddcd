"""Files of a store that somebody edited: told in one line with their path, never a traceback."""

from __future__ import annotations

import json

import pytest

from engine.exact.errors import DealproofError
from tasks.catalogue import catalogue
from tasks.certificate.reading import read_statement
from tasks.run.jobs import load
from tasks.store.store import Store

FOLDER = "runs/game=x/run=y"


@pytest.mark.parametrize(
    "data",
    [
        b"", b"hello", b"[]", b"{}", b'{"predicate": null}', b'{"predicate": []}', b"\xff\xfe\0",
        b"[" * 100_000, b'{"predicate": {"verdict": "certified"}}',
        b'{"predicate": {"verdict": ["certified"], "run": {"issued": "2026-01-01"}}}',
        b'{"predicate": {"verdict": "certified", "run": {"issued": 5}}}',
    ],
)  # fmt: skip
def test_an_edited_certificate_is_named(store: Store, data: bytes) -> None:
    store.write(f"{FOLDER}/certificate.json", data)
    for read in (lambda: read_statement("x", "y", store), lambda: catalogue.refresh(store)):
        with pytest.raises(DealproofError, match=f"{FOLDER}/certificate.json: not a certificate"):
            read()


def test_a_certificate_without_its_figures_is_named(store: Store) -> None:
    said = {"verdict": "certified", "run": {"issued": "2026-01-01T00:00:00+00:00"}}
    store.write(f"{FOLDER}/certificate.json", json.dumps({"predicate": said}).encode())
    with pytest.raises(DealproofError, match=f"{FOLDER}/certificate.json: not a certificate"):
        catalogue.refresh(store)
    assert not store.exists("catalogue.duckdb")


@pytest.mark.parametrize("data", [b"", b"[]", b"null", b"\xff\xfe"])
def test_an_edited_plan_is_named(store: Store, data: bytes) -> None:
    store.write(f"{FOLDER}/plan.json", data)
    with pytest.raises(DealproofError, match=f"{FOLDER}/plan.json: not "):
        load("x", "y", store)


@pytest.mark.parametrize("data", [b"", b"hello"])
def test_a_damaged_table_of_the_catalogue_is_named(store: Store, data: bytes) -> None:
    store.write("catalogue/wagers.parquet", data)
    with pytest.raises(DealproofError, match=r"catalogue/wagers\.parquet: no Parquet file"):
        catalogue.query(store, "SELECT 1")
