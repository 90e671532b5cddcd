"""Outcome and action tables: typed feature columns and exact numbers of deals.

An *outcome table* says how many deals of a space end in each distinct row of features. Where the
player decides, an *action table* says the same for every action open to each information set;
choosing one action per set makes an outcome table of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.exact.digest import canonical_json
from engine.exact.errors import DealproofError, nearest

Codes = NDArray[np.int64]
#: Numbers of deals: int64 where they fit, Python integers (dtype object) beyond.
Counts = NDArray[np.int64] | NDArray[np.object_]

INT64 = 1 << 63
#: Integers up to here are exact in float64.
FLOAT64 = 1 << 53
_DENSE = 1 << 22


@dataclass(frozen=True)
class Feature:
    """One column of a table: an integer in `low` … `high`, or one of `words`.

    Word columns are stored as indices into `words`; integers as themselves. Never NULL. `phrase`
    is what a player calls the column, where that is shorter than its description.
    """

    name: str
    description: str
    low: int = 0
    high: int = 0
    words: tuple[str, ...] = ()
    phrase: str = field(default="", compare=False, repr=False)

    @property
    def first(self) -> int:
        """Smallest code of the column."""
        return 0 if self.words else self.low

    @property
    def size(self) -> int:
        """Number of codes that the column may hold."""
        return len(self.words) if self.words else self.high - self.low + 1

    def label(self, code: int) -> str | int:
        """Value that a reader sees for a code: the word, or the integer itself."""
        return self.words[code] if self.words else int(code)

    def code(self, value: str | int) -> int:
        """Code of a readable value; raise DealproofError with the allowed ones."""
        if self.words:
            if value not in self.words:
                raise DealproofError(f"{self.name} = {value!r}: {nearest(str(value), self.words)}")
            return self.words.index(str(value))
        if not isinstance(value, int) or not self.low <= value <= self.high:
            raise DealproofError(f"{self.name} = {value!r}: allowed: {self.low} … {self.high}")
        return value


def integer(name: str, description: str, low: int, high: int, phrase: str = "") -> Feature:
    """Make an integer feature with inclusive bounds."""
    return Feature(name, description, low=low, high=high, phrase=phrase)


def word(name: str, description: str, *words: str, phrase: str = "") -> Feature:
    """Make a word feature."""
    return Feature(name, description, words=words, phrase=phrase)


def pack(features: Sequence[Feature], codes: Mapping[str, Codes]) -> Codes | None:
    """Number rows by mixed radix in the order of `features`; None where int64 cannot hold it."""
    radix = 1
    for feature in features:
        radix *= feature.size
    if radix >= INT64:
        return None
    rows = len(next(iter(codes.values()))) if codes else 0
    key: Codes = np.zeros(rows, dtype=np.int64)
    for feature in features:
        key *= feature.size
        key += codes[feature.name]
        key -= feature.first
    return key


def group(features: Sequence[Feature], codes: Mapping[str, Codes]) -> tuple[Codes, Codes]:
    """Find the distinct rows, sorted by `features` in their order.

    Returns (`first`, `member`): for each distinct row the index of one row that has it, shape (g,);
    and for each row the number of its group, shape (n,). Rows that come distinct and in order are
    not sorted again: then both are one array.
    """
    if not features:
        rows = len(next(iter(codes.values()))) if codes else 0
        return np.zeros(min(rows, 1), dtype=np.int64), np.zeros(rows, dtype=np.int64)
    key = pack(features, codes)
    if key is not None and bool(np.all(key[1:] > key[:-1])):
        in_order = np.arange(len(key), dtype=np.int64)
        return in_order, in_order
    if key is None:
        columns = np.stack([codes[f.name] for f in features], axis=1)
        _, first, member = np.unique(columns, axis=0, return_index=True, return_inverse=True)
        return first.astype(np.int64), member.reshape(-1).astype(np.int64)
    size = 1
    for feature in features:
        size *= feature.size
    if size <= _DENSE:
        index = np.full(size, -1, dtype=np.int64)
        index[key[::-1]] = np.arange(len(key) - 1, -1, -1)
        present = np.flatnonzero(index >= 0)
        first = index[present]
        index[present] = np.arange(len(present))
        return first, index[key]
    _, first, member = np.unique(key, return_index=True, return_inverse=True)
    return first.astype(np.int64), member.astype(np.int64)


def exact_total(counts: Counts) -> int:
    """Sum exactly, whatever the size."""
    if counts.dtype != object and len(counts):
        peak = max(abs(int(counts.max())), abs(int(counts.min())))
        if peak * len(counts) < INT64:
            return int(counts.sum())
    return sum(int(count) for count in counts)


def exact_sums(member: Codes, groups: int, counts: Counts, factor: Counts | None = None) -> Counts:
    """Sum `counts` (times `factor`) within each group, exactly.

    `member` numbers each row's group. Where (largest product × rows) stays below 2^53 every partial
    sum is exact in float64, which is fastest; below 2^63 int64 is used, else Python integers.
    Returns shape (groups,).
    """
    peak = max((abs(int(c)) for c in (counts.max(), counts.min())), default=0) if len(counts) else 0
    if factor is not None and len(factor):
        peak *= max(abs(int(factor.max())), abs(int(factor.min())))
    bound = peak * max(len(counts), 1)
    if bound < INT64:
        product = counts.astype(np.int64, copy=False)
        if factor is not None:
            product = product * factor.astype(np.int64, copy=False)
        if bound < FLOAT64:
            return np.bincount(member, product, groups).astype(np.int64)
        sums = np.zeros(groups, dtype=np.int64)
        np.add.at(sums, member, product)
        return sums
    exact = np.array([int(count) for count in counts], dtype=object)
    if factor is not None:
        exact = exact * np.array([int(f) for f in factor], dtype=object)
    big = np.array([0] * groups, dtype=object)
    np.add.at(big, member, exact)
    return big


def exact_dot(counts: Counts, weights: Sequence[int]) -> Counts:
    """Weigh the columns of `counts`, shape (n, k), by k integers and add them up, shape (n,).

    int64 where no sum can reach 2^63, Python integers otherwise.
    """
    peak = max((int(counts.max()), -int(counts.min())), default=0) if counts.size else 0
    if counts.dtype != object and peak * sum(map(abs, weights)) < INT64:
        sums: Counts = counts @ np.array(weights, dtype=np.int64)
    else:
        sums = counts.astype(object) @ np.array(weights, dtype=object)
    return sums


def narrowest(counts: Counts) -> Counts:
    """Return int64 where every count fits, Python integers otherwise."""
    if counts.dtype != object:
        return counts.astype(np.int64, copy=False)
    if len(counts) and max(counts) >= INT64:
        return counts
    return counts.astype(np.int64)


@dataclass(frozen=True)
class Table:
    """Distinct rows of features with the exact number of deals behind each.

    `codes[name]` has shape (rows,) and dtype int64 for every feature; `combinations` has shape
    (rows,), int64 or Python integers. Rows built by `of` are merged, sorted, and positive.
    """

    features: tuple[Feature, ...]
    codes: Mapping[str, Codes] = field(repr=False)
    combinations: Counts = field(repr=False)

    @classmethod
    def of(
        cls, features: Sequence[Feature], codes: Mapping[str, Codes], combinations: Counts
    ) -> Table:
        """Build the canonical table: equal rows merged, rows without deals dropped, sorted."""
        seen = combinations > 0
        if len(combinations) and combinations.min() < 0:
            raise ValueError("a number of deals is negative")
        kept = {f.name: np.asarray(codes[f.name], dtype=np.int64) for f in features}
        if not seen.all():
            kept = {name: column[seen] for name, column in kept.items()}
        first, member = group(features, kept)
        if first is member and kept:
            return cls(tuple(features), kept, narrowest(combinations[seen]))
        sums = exact_sums(member, len(first), combinations[seen])
        return cls(
            tuple(features),
            {name: column[first] for name, column in kept.items()},
            narrowest(sums),
        )

    @classmethod
    def merge(cls, tables: Iterable[Table]) -> Table:
        """Add tables of one schema, exactly, in any order and grouping."""
        parts = list(tables)
        if not parts:
            raise ValueError("nothing to merge")
        features = parts[0].features
        if any(part.features != features for part in parts):
            raise ValueError("tables of different columns cannot be merged")
        codes = {f.name: np.concatenate([part.codes[f.name] for part in parts]) for f in features}
        return cls.of(features, codes, np.concatenate([part.combinations for part in parts]))

    def __len__(self) -> int:
        return len(self.combinations)

    @property
    def names(self) -> tuple[str, ...]:
        """Column names in their order."""
        return tuple(feature.name for feature in self.features)

    @property
    def deals(self) -> int:
        """Exact sum of all combinations."""
        return exact_total(self.combinations)

    def has(self, names: Iterable[str]) -> bool:
        """Tell whether all of these columns are there."""
        return set(names) <= set(self.names)

    def feature(self, name: str) -> Feature:
        """Look a column up by name."""
        for feature in self.features:
            if feature.name == name:
                return feature
        raise DealproofError(f"column '{name}': {nearest(name, self.names)}")

    def select(self, names: Sequence[str]) -> Table:
        """Keep some columns and merge the rows that become equal."""
        return Table.of(
            [feature for feature in self.features if feature.name in set(names)],
            self.codes,
            self.combinations,
        )

    def where(self, rows: NDArray[np.bool_]) -> Table:
        """Keep some rows: `rows` is a mask of shape (rows,)."""
        return Table(
            self.features,
            {name: column[rows] for name, column in self.codes.items()},
            self.combinations[rows],
        )

    def labels(self, name: str) -> list[str | int]:
        """Values of one column as a reader sees them."""
        feature = self.feature(name)
        return [feature.label(int(code)) for code in self.codes[name]]

    def row(self, index: int) -> dict[str, str | int]:
        """One row as a reader sees it, without its count."""
        return {f.name: f.label(int(self.codes[f.name][index])) for f in self.features}

    def digest(self) -> str:
        """SHA-256 over the canonical content: columns, words, codes, 16-byte exact counts."""
        table = Table.of(self.features, self.codes, self.combinations)
        sha = hashlib.sha256()
        schema = [[f.name, f.first, f.size, list(f.words)] for f in table.features]
        sha.update(canonical_json([schema, len(table)]).encode())
        for name in table.names:
            sha.update(np.ascontiguousarray(table.codes[name], dtype="<i8").tobytes())
        if table.combinations.dtype == object:
            for count in table.combinations:
                sha.update(int(count).to_bytes(16, "little"))
        else:
            wide = np.zeros((len(table), 2), dtype="<i8")
            wide[:, 0] = table.combinations
            sha.update(wide.tobytes())
        return sha.hexdigest()


def same(left: Table, right: Table) -> bool:
    """Tell whether two canonical tables agree in every cell."""
    return (
        left.features == right.features
        and len(left) == len(right)
        and all(np.array_equal(left.codes[n], right.codes[n]) for n in left.names)
        and bool(np.all(left.combinations == right.combinations))
    )
