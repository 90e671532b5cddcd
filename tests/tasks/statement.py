"""The certificate of an enumeration, made without a run."""

from __future__ import annotations

from typing import Any

from engine.analysis import Analysis
from engine.compare import compare
from engine.envelope import study
from engine.game import Key
from engine.readings import readings
from tasks import certificate, checks
from tasks.jobs import Plan
from tasks.plan import make_plan
from tasks.reduce import Collected, Coverage


def stated(exact: Analysis) -> dict[str, Any]:
    """The certificate of an enumeration."""
    spec = exact.spec
    plan: Plan = make_plan(spec, methods=("enumerate",), seed=5)
    covered = tuple(
        Coverage("enumerate", key, 1, 1, space.deals, space.deals, ((0, space.starts),))
        for key, space in _spaces(exact)
    )
    collected = Collected({"enumerate": exact.tables}, covered, ())
    figures = compare(exact, spec.settings)
    done = checks.run_checks(exact, collected, figures)
    studies = [study(exact, joint) for joint in exact.program.joints.values()]
    verdict = checks.verdict(done, (0, 1))
    return certificate.build(
        plan, exact, collected, done, figures, readings(exact), studies, verdict, {"a": "0" * 64}
    ).document()


def _spaces(exact: Analysis) -> list[tuple[Key, Any]]:
    return [(key, exact.game.space(key[0])) for key in exact.tables]
