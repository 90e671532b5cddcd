"""Short measurements on this machine, by which a plan projects time and memory.

Time is processor time of this thread, so that other load does not spoil it.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

from engine.tables import Table

#: Processor seconds that a measurement takes, about.
BUDGET = 0.1
#: The same for an enumeration, whose cost need not follow the number of starts.
ENUMERATION = 1.0


def ranges(fill: Callable[[int, int], Table], starts: int, budget: float = BUDGET) -> float:
    """Project the core-seconds that `fill` takes over all starts, in one range.

    Grows a range in the middle until `budget` is half spent, so that fixed costs can be told apart;
    then tries it early and late too, since starts may differ.
    """
    fill(0, 1)
    size, took, fixed = 1, _timed(fill, starts // 2, starts // 2 + 1), 0.0
    spent = took
    while spent < budget / 2 and size < starts:
        smaller, less = size, took
        size = min(size * 4, starts)
        lo = (starts - size) // 2
        took = _timed(fill, lo, lo + size)
        spent += took
        fixed = max(0.0, took - (took - less) * size / (size - smaller))
    if size == starts:
        return took
    for place in (1, 5):
        lo = min(starts * place // 6, starts - size)
        took += _timed(fill, lo, lo + size)
    return fixed + max(0.0, took / 3 - fixed) / size * starts


def block(play: Callable[[], object]) -> float:
    """Core-seconds of one block of rounds, after compilation."""
    play()
    begun = time.thread_time()
    play()
    return time.thread_time() - begun


def _timed(fill: Callable[[int, int], Table], lo: int, hi: int) -> float:
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


def peak_mb() -> float:
    """Most memory that this process has ever held."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10
