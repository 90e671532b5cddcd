"""Short measurements on this machine, by which a plan projects time and memory.

Time is processor time of this thread, so that other load does not spoil it.
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from engine.streams import BLOCK

#: Processor seconds that a measurement takes, about.
BUDGET = 0.1
#: The same for an enumeration, whose cost need not follow the number of starts.
ENUMERATION = 1.0
#: Megabytes of a block's random words, held twice: memory that was used before hides them.
WORDS_MB = 2 * 8 * BLOCK / 2**20


class Cost(NamedTuple):
    """Core-seconds of all the work, and megabytes that one core holds at it."""

    seconds: float
    mb: float


def ranges(fill: Callable[[int, int], object], starts: int, budget: float = BUDGET) -> Cost:
    """Project what `fill` costs over all starts, in one range.

    Grows a range in the middle until `budget` is half spent, so that fixed costs can be told apart;
    then tries it early and late too, since starts may differ.
    """
    # Compiled before it is timed: starts may go different ways.
    fill(0, 1)
    fill(starts // 2, starts // 2 + 1)
    base = forget_peak()
    size, took, fixed = 1, _timed(fill, starts // 2, starts // 2 + 1), 0.0
    spent = took
    while spent < budget / 2 and size < starts:
        smaller, less = size, took
        size = min(size * 4, starts)
        lo = (starts - size) // 2
        took = _timed(fill, lo, lo + size)
        spent += took
        if took > 2 * less * size / smaller:
            # More than its share: something was done for the first time.
            took = min(took, _timed(fill, lo, lo + size))
        fixed = max(0.0, took - (took - less) * size / (size - smaller))
    if size == starts:
        return Cost(took, peak_mb() - base)
    for place in (1, 5):
        lo = min(starts * place // 6, starts - size)
        took += _timed(fill, lo, lo + size)
    seconds = fixed + max(0.0, took / 3 - fixed) / size * starts
    return Cost(seconds, peak_mb() - base)


def block(play: Callable[[], object]) -> Cost:
    """What one block of rounds costs, after compilation."""
    play()
    base, begun = forget_peak(), time.thread_time()
    play()
    return Cost(time.thread_time() - begun, max(peak_mb() - base, WORDS_MB))


def _timed(fill: Callable[[int, int], object], lo: int, hi: int) -> float:
    begun = time.thread_time()
    fill(lo, hi)
    return time.thread_time() - begun


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory_mb() -> float:
    """Memory of this machine, or of the container that this process lives in."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limit = Path("/sys/fs/cgroup/memory.max")
    told = limit.read_text().strip() if limit.is_file() else "max"
    return (min(total, int(told)) if told.isdigit() else total) / 2**20


def forget_peak() -> float:
    """Start the peak of this process afresh, where the system can (Linux), and return it."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return peak_mb()


def peak_mb() -> float:
    """Most memory that this process has held, since `forget_peak` if the system can."""
    status = Path("/proc/self/status")
    if status.is_file():
        told = re.search(r"VmHWM:\s*(\d+) kB", status.read_text())
        if told:
            return int(told[1]) / 2**10
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10
