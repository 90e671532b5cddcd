"""What a person sees while a run goes on: a bar on a terminal, plain lines elsewhere.

Everything goes to stderr, so that stdout holds the result alone.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from engine.exact.rendering import floating, percent
from flows.views import show

if TYPE_CHECKING:
    from tasks.conclude import Conclusion
    from tasks.run.executor import Progress
    from tasks.run.plan import Job, Plan

#: Seconds between two plain lines.
LINE_INTERVAL = 10.0


def _covers(job: Job) -> str:
    """What a job does, in a line."""
    parts = f"in {len(job.parts):,} part{'s' if len(job.parts) > 1 else ''}"
    if job.method == "simulate":
        return f"{job.label}: {job.deals:,} rounds {parts}"
    if job.deals == job.deals_total:
        return f"{job.label}: all {job.deals:,} deals {parts}"
    share = percent(Fraction(job.deals, job.deals_total), 2)
    return f"{job.label}: {job.deals:,} of {job.deals_total:,} deals ({share}) {parts}"


def _share(progress: Progress) -> Fraction:
    """How much of the work is done, by parts: deals of different methods cost differently."""
    return Fraction(progress.done, progress.total or 1)


class Watch:
    """Tells how runs go; holds their conclusions.

    `step` is called at every step of a run and raises KeyboardInterrupt where it is to stop.
    """

    def __init__(self, step: Callable[[], None]) -> None:
        self.conclusions: list[tuple[Plan, Conclusion, float]] = []
        self.step = step

    def say(self, text: str) -> None:
        """Tell one line that stays."""
        print(text, file=sys.stderr, flush=True)

    @contextmanager
    def waiting(self, text: str) -> Iterator[None]:
        """Tell what is waited for."""
        self.say(f"{text} …")
        yield

    def planned(self, plan: Plan) -> None:
        """A plan is made: what it covers, and how long it is projected to take."""
        self.step()
        heading = f"{plan.spec.title} ({plan.game}), run {plan.run}"
        self.say(
            f"{heading}: about {floating(plan.seconds, 0)} s in all on {plan.cores} cores if "
            f"nothing is there ({show.phases(plan.phases)})"
        )
        for job in plan.jobs:
            self.say(f"  {_covers(job)}")

    def progressed(self, plan: Plan, progress: Progress) -> None:
        """A part is done."""
        self.step()
        if progress.done == progress.resumed:
            self._begun(plan, progress)
        self._moved(plan, progress)

    def _begun(self, plan: Plan, progress: Progress) -> None:
        if 0 < progress.resumed < progress.total:
            self.say(
                f"{plan.game}: resuming, {progress.resumed:,} of {progress.total:,} parts "
                "were computed before"
            )
        elif progress.resumed:
            self.say(f"{plan.game}: all {progress.total:,} parts were computed before")
        self._last = time.monotonic()

    def _moved(self, plan: Plan, progress: Progress) -> None:
        now = time.monotonic()
        ended = progress.done == progress.total > progress.resumed
        if ended or now - self._last > LINE_INTERVAL:
            self._last = now
            self.say(
                f"{plan.game}: {progress.done:,} of {progress.total:,} parts, "
                f"{percent(_share(progress), 1)}, {floating(progress.seconds, 0)} s"
            )

    def repaired(self, plan: Plan, reason: str) -> None:
        """Damaged parts are computed again."""
        self.say(f"{plan.game}: {reason}: computing again")

    def concluded(self, plan: Plan, conclusion: Conclusion, took: float) -> None:
        """Keep what a run came to."""
        self.conclusions.append((plan, conclusion, took))

    def close(self) -> None:
        """Leave the screen as it is."""


class Live(Watch):
    """The same with a bar that moves."""

    def __init__(self, step: Callable[[], None]) -> None:
        from rich.progress import (
            BarColumn,
            Progress,
            SpinnerColumn,
            TextColumn,
            TimeRemainingColumn,
        )

        super().__init__(step)
        self._console = show.console(stderr=True)
        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[told]}"),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
        )
        self._task: Any = None
        self._bar.start()

    def say(self, text: str) -> None:
        """Tell one line above the bar."""
        self._console.print(text)

    @contextmanager
    def waiting(self, text: str) -> Iterator[None]:
        """Show what is waited for, as long as it takes."""
        task = self._bar.add_task(f"{text} …", total=None, told="")
        try:
            yield
        finally:
            self._bar.remove_task(task)

    def _begun(self, plan: Plan, progress: Progress) -> None:
        super()._begun(plan, progress)
        self.close_task()
        self._task = self._bar.add_task(plan.game, total=progress.total, told="")

    def _moved(self, plan: Plan, progress: Progress) -> None:
        done = progress.done == progress.total
        caption = (
            "checking, certifying …"
            if done
            else f"{progress.done:,} of {progress.total:,} parts, {progress.label}"
        )
        self._bar.update(self._task, completed=progress.done, told=caption)

    def close_task(self) -> None:
        """Take the bar of a run away."""
        if self._task is not None:
            self._bar.remove_task(self._task)
            self._task = None

    def concluded(self, plan: Plan, conclusion: Conclusion, took: float) -> None:
        """Keep what a run came to."""
        self.close_task()
        super().concluded(plan, conclusion, took)

    def close(self) -> None:
        """Take the bars away."""
        self._bar.stop()


@contextmanager
def watching(step: Callable[[], None]) -> Iterator[Watch]:
    """A bar where stderr is a terminal, lines where it is not."""
    watch = Live(step) if sys.stderr.isatty() else Watch(step)
    try:
        yield watch
    finally:
        watch.close()
