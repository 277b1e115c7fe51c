"""What all benchmarks measure with: processor time, and the yardstick that makes it comparable between machines.

The yardstick y is the time of a million additions in a Python loop, in the same process and minute. A figure of 3 y
means: as long as three million additions, on any machine. Seconds are user and system time together.
"""

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence


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


def command_cpu(words: Sequence[str], runs: int = 5, *, env: Mapping[str, str] | None = None) -> float:
    """Median of the processor seconds of a whole process, with those of the processes it starts and waits for."""
    times = []
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(times)


def knightstour(*words: str) -> list[str]:
    """A command line of the program, by this Python."""
    return [sys.executable, "-m", "knightstour", *words]


def clean_environment() -> dict[str, str]:
    """This environment, but with compiled Python files kept, as a user has it."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def table(*heads: str) -> None:
    """Print the head of a table."""
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")


def row(*cells: object) -> None:
    """Print a row of a table at once, so that a long benchmark can be watched."""
    print(f"| {' | '.join(map(str, cells))} |", flush=True)
