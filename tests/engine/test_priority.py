"""The best order of a column's values, against every order tried one by one."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from engine.analysis.binding import bind
from engine.exact.errors import DealproofError
from engine.spec.loading import load_spec
from engine.studies.priority import _best


def tried(worth: np.ndarray) -> int:
    """The most that any order makes, set by set: what comes first of what can be shown."""
    sets, number = worth.shape
    return max(
        sum(
            int(worth[some, next(value for value in order if some >> value & 1)])
            for some in range(1, sets)
        )
        for order in permutations(range(number))
    )


@pytest.mark.parametrize("seed", range(5))
def test_the_best_order_is_the_best_of_all(seed: int) -> None:
    random = np.random.default_rng(seed)
    number = 5
    worth = random.integers(-1000, 1000, (1 << number, number)).astype(object)
    for some in range(1 << number):
        worth[some, [value for value in range(number) if not some >> value & 1]] = 0
    top, order = _best(worth)
    assert top == tried(worth)
    assert sorted(order) == list(range(number))
    assert top == sum(
        worth[some, next(value for value in order if some >> value & 1)]
        for some in range(1, 1 << number)
    )


@pytest.mark.parametrize(
    ("game", "name", "changes", "message"),
    [
        ("bacc-plus-3", "tie published", {"order_of": "player_total"}, "did you mean"),
        ("bacc-plus-3", "optimal", {"order_of": "player_baccarat"}, "goes with 'prefers'"),
        ("fu-bacc", "optimal", {"order_of": "player_initial_total"}, "goes with 'prefers'"),
    ],
)
def test_what_cannot_be_ordered(
    game: str, name: str, changes: dict[str, object], message: str
) -> None:
    spec = load_spec(game)
    rules = tuple(
        rule.model_copy(update=changes) if rule.name == name else rule for rule in spec.strategies
    )
    with pytest.raises(DealproofError, match=rf"strategies\[{name}\]\.order_of.*{message}"):
        bind(spec.model_copy(update={"strategies": rules}))
