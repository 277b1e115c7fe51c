"""Processor time within one process, and the yardstick that makes it comparable between machines.

The yardstick y is the time of a million additions in a Python loop, in the same process and minute. A figure of 3 y
means: as long as three million additions, on any machine. Seconds are user and system time together.
"""

import statistics
import time
from collections.abc import Callable


def cpu(work: Callable[[], object]) -> float:
    """Processor seconds of one call."""
    started = time.process_time()
    work()
    return time.process_time() - started


def median_cpu(work: Callable[[], object], runs: int = 7) -> float:
    """Median of the processor seconds of some calls."""
    return statistics.median(cpu(work) for _ in range(runs))


def add_up() -> int:
    """A million additions."""
    total = 0
    for x in range(1_000_000):
        total += x
    return total


def yardstick() -> float:
    """Processor seconds of a million additions: the unit y."""
    return median_cpu(add_up)
