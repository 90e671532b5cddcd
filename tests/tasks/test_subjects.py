"""Files of a run: what the certificate names is what stands there, written or kept."""

from __future__ import annotations

import hashlib

from engine.analysis.analysis import analyse
from engine.spec.loading import load_spec
from tasks.conclude import _write
from tasks.run.jobs import strategy_path
from tasks.run.plan import load, make_plan, save
from tasks.store.parquet import read_strategy
from tasks.store.store import Store
from tests.tasks.test_every_game import shortened


def test_strategies_of_the_plan_are_kept_unless_somebody_touched_them(store: Store) -> None:
    spec = shortened(load_spec("double-ace"), keep=2)
    made = make_plan(spec, methods=("enumerate",), store=store)
    save(made, store)
    plan, analysis = load(spec.game, made.run, store), analyse(spec)
    assert len(plan.digests) == len(made.strategies) == 2
    spoiled = strategy_path(spec.game, made.run, spec.strategies[0].name)
    for touched in (False, True):
        if touched:
            store.write(spoiled, store.read(spoiled)[:-1] + b"?")
        subjects = _write(plan, store, analysis, (), {})
        for path, sha256 in subjects.items():
            assert hashlib.sha256(store.read(path)).hexdigest() == sha256
        for name, strategy in made.strategies.items():
            path = strategy_path(spec.game, made.run, name)
            assert subjects[path] == plan.digests[path][1]
            assert read_strategy(store.read(path))[0].digest() == strategy.digest()
