"""The run behind a certificate: files, coverage, software, machine, and the spaces of deals."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import AwareDatetime, Field

from tasks.certificate.model.base import Count, Model


class Digest(Model):
    """The SHA-256 of a file, in hexadecimal."""

    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class Subject(Model):
    """A file of the run: its path in the store."""

    name: str
    digest: Digest


class Document(Model):
    """What a laboratory files it under. A revision replaces the document that it supersedes."""

    number: str
    revision: int = Field(ge=1)
    supersedes: str | None


class Coverage(Model):
    """What one method covers of one table; `deals_total` is None for rounds, which have no end."""

    method: str
    space: str
    strategy: str | None
    partitions: int
    partitions_total: int
    deals: Count
    deals_total: Count | None


class Software(Model):
    """What computed it."""

    version: str
    commit: str
    engine_digest: str


class Environment(Model):
    """Where it was computed."""

    python: str
    platform: str
    processor: str
    cores: int | None
    packages: Mapping[str, str]


class Run(Model):
    """One run: methods and what they cover, seed, software and machine."""

    id: str
    issued: AwareDatetime
    methods: tuple[str, ...]
    coverage: tuple[Coverage, ...]
    software: Software
    environment: Environment
    seed: Count
    rounds: Count


class Space(Model):
    """A set of deals with its exact total. `denominators`: basis of counts → deals in it."""

    name: str
    title: str
    deals: Count
    starts: Count
    denominators: Mapping[str, Count]
    columns: Mapping[str, str]
