"""Short measurements on this machine, by which a plan projects time and memory.

Time is processor time of this thread, so that other load does not spoil it.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from engine.cards.streams import BLOCK
from engine.exact import kernels
from engine.exact.rendering import floating

#: Processor seconds that a measurement takes, about.
BUDGET = 0.1
#: The same for an enumeration, whose cost need not follow the number of starts.
ENUMERATION = 1.0
#: Threads of a worker. Kernels let go of Python's lock, so that threads of one process are as fast
#: as processes; what is not a kernel does hold it, so that a large machine gets several processes.
THREADS = 8
#: Seconds that the loop of `speed` takes on the reference machine.
REFERENCE = 0.0052
#: Seconds from a command to its plan on that machine, once Prefect has its records and before.
START, FIRST_START = 4.2, 11.5
#: Megabytes of a block's random words, held twice: memory that was used before hides them.
WORDS_MB = 2 * 8 * BLOCK / 2**20


class Cost(NamedTuple):
    """What work takes: core-seconds of all of it in one piece, megabytes that one core holds.

    `fixed`: core-seconds of a piece, however small; `loading`: what the first calls took, but for
    compilation.
    """

    seconds: float
    mb: float
    fixed: float = 0.0
    loading: float = 0.0


#: This thread's processor time, in seconds.
clock = time.thread_time


def ranges(fill: Callable[[int, int], object], starts: int, budget: float = BUDGET) -> Cost:
    """Project what `fill` costs over all starts, in one range.

    Grows a range in the middle until `budget` is half spent, so that fixed costs can be told apart;
    then tries it early and late too, since starts may differ.
    """
    # Compiled before it is timed: starts may go different ways.
    loading = _first(lambda: [fill(lo, lo + 1) for lo in (0, starts // 2)])
    base = forget_peak()
    size, took, fixed = 1, _timed(fill, starts // 2, starts // 2 + 1), 0.0
    spent = took
    while spent < budget / 2 and size < starts:
        smaller, less = size, took
        size = min(size * 4, starts)
        lo = (starts - size) // 2
        took = _timed(fill, lo, lo + size)
        if took > 2 * less * size / smaller:
            # More than its share: something was done for the first time, or garbage collected.
            took = min(took, _timed(fill, lo, lo + size))
        spent += took
        fixed = max(0.0, took - (took - less) * size / (size - smaller))
    if size == starts:
        return Cost(took, peak_mb() - base, fixed, loading)
    for sixth in (1, 5):
        lo = min(starts * sixth // 6, starts - size)
        took += _timed(fill, lo, lo + size)
    seconds = fixed + max(0.0, took / 3 - fixed) / size * starts
    return Cost(seconds, peak_mb() - base, fixed, loading)


def block(play: Callable[[int, int], object]) -> Cost:
    """What one block of rounds costs, after compilation, where they come two at a time."""
    loading = _first(lambda: play(0, 1))
    base = forget_peak()
    seconds = _timed(play, 0, 2) / 2
    return Cost(seconds, max(peak_mb() - base, WORDS_MB), 0.0, max(0.0, loading - seconds))


def _first(work: Callable[[], object]) -> float:
    """Core-seconds of calls that may be the first, without compilation."""
    begun, compiled = clock(), kernels.compile_seconds()
    work()
    return max(0.0, clock() - begun - (kernels.compile_seconds() - compiled))


def _timed(fill: Callable[[int, int], object], lo: int, hi: int) -> float:
    begun = clock()
    fill(lo, hi)
    return clock() - begun


@functools.cache
def speed() -> float:
    """How long plain Python takes on this machine, as a multiple of what it takes on the machine
    on which the constants of `tasks.run.projection` were measured."""
    times = []
    for _ in range(5):
        begun, text = clock(), ""
        for number in range(20_000):
            text = f"{hash(text) & 0xFFFF:x}{number}"
        times.append(clock() - begun)
    return min(times) / REFERENCE


def start_seconds() -> float:
    """Seconds from a command to its plan: what they were last on this machine, if it has run one,
    else an estimate, longer where Prefect has to set up its records."""
    try:
        return float(_start_file().read_text("utf-8"))
    except (OSError, ValueError):
        return (START if records_there() else FIRST_START) * speed()


def records_there() -> bool:
    """Whether Prefect has set up its records, or keeps them elsewhere."""
    home = Path(os.environ.get("PREFECT_HOME") or Path.home() / ".prefect")
    return bool(os.environ.get("PREFECT_API_URL")) or (home / "prefect.db").exists()


def remember_start(seconds: float) -> None:
    """Keep what a start took for later projections, where there is a folder to write in."""
    with contextlib.suppress(OSError):
        _start_file().write_text(f"{floating(seconds, 3)}\n", "utf-8")


def _start_file() -> Path:
    return kernels.cache_folder().parent / "start-seconds"


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processes(cores: int) -> int:
    """Workers of a cluster of our own on so many cores."""
    return -(-cores // THREADS)


def memory_mb() -> float:
    """Memory of this machine, or of the container that this process lives in."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limit = Path("/sys/fs/cgroup/memory.max")
    limit_text = limit.read_text().strip() if limit.is_file() else "max"
    return (min(total, int(limit_text)) if limit_text.isdigit() else total) / 2**20


def forget_peak() -> float:
    """Start the peak of this process afresh, where the system can (Linux), and return it."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return peak_mb()


def peak_mb() -> float:
    """Most memory that this process has held, since `forget_peak` if the system can."""
    status = Path("/proc/self/status")
    if status.is_file():
        match = re.search(r"VmHWM:\s*(\d+) kB", status.read_text())
        if match:
            return int(match[1]) / 2**10
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10
