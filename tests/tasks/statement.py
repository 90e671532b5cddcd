"""The certificate of an enumeration, made without a run."""

from __future__ import annotations

from typing import Any

from engine.analysis.analysis import Analysis
from engine.contract.game import Key
from engine.studies.joint import study
from engine.studies.published import compare
from engine.studies.readings import readings
from tasks.certificate import checks, issue
from tasks.run.jobs import Plan
from tasks.run.plan import make_plan
from tasks.run.reduce import Collected, Coverage


def stated(exact: Analysis) -> dict[str, Any]:
    """The certificate of an enumeration."""
    spec = exact.spec
    plan: Plan = make_plan(spec, methods=("enumerate",), seed=5)
    covered = tuple(
        Coverage("enumerate", key, 1, 1, space.deals, space.deals, ((0, space.starts),))
        for key, space in _spaces(exact)
    )
    collected = Collected({"enumerate": exact.tables}, covered, ())
    figures = compare(exact, spec.rule_values)
    done = checks.run_checks(exact, collected, figures)
    studies = [study(exact, joint) for joint in exact.program.joints.values()]
    verdict = checks.verdict(done, (0, 1))
    return issue.build(
        plan, exact, collected, done, figures, readings(exact), studies, verdict, {"a": "0" * 64}
    ).document()


def _spaces(exact: Analysis) -> list[tuple[Key, Any]]:
    return [(key, exact.game.space(key[0])) for key in exact.tables]
