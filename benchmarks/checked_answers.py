"""What a checked answer takes beside the time to fill its array: find_tour, solve and the arrays of a Tour.

Each time is compared with a yardstick that ran right after it.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
from measure import add_up

import knightstour as kt
from knightstour.core.model.tour_check import squares_of

RUNS = 7


def cpu(work: Callable[[], object], times: int = 1) -> float:
    """CPU seconds of one call."""
    started = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - started) / times


def measured(work: Callable[[], object], times: int = 1, runs: int = RUNS) -> tuple[float, float]:
    """Medians: CPU seconds of one call, and their ratio to the yardstick."""
    work()
    seconds, ratios = [], []
    for _ in range(runs):
        seconds.append(cpu(work, times))
        ratios.append(seconds[-1] / cpu(add_up))
    return statistics.median(seconds), statistics.median(ratios)


def large(side: int) -> dict[str, Callable[[], object]]:
    """Calls about one square board, by name."""
    board = kt.Board(side, side)
    tour = kt.find_tour(board, closed=True)
    return {
        "`find_tour(closed=True)`": lambda: kt.find_tour(board, closed=True),
        "`find_tour(start=, end=)`": lambda: kt.find_tour(board, start=(0, 0), end=(0, 1)),
        "`Tour.from_order`": lambda: kt.Tour.from_order(board, tour.order),
        "`.numbers`": lambda: tour.numbers,
        "`.squares`, the first time": lambda: squares_of(tour.order, board),
        "`.order`": lambda: tour.order,
        "`.is_closed`": lambda: tour.is_closed,
        "only new memory for order and squares": lambda: (
            np.full(side**2, 1, dtype=np.int32),
            np.full((side**2, 2), 1, dtype=np.int32),
        ),
    }


def show_large(side: int, runs: int) -> None:
    """A table of one board."""
    print(f"\n{side}x{side}:\n")
    print("| call | ms | ratio |")
    print("|---|---|---|")
    for name, work in large(side).items():
        seconds, ratio = measured(work, 1000 if name in ("`.order`", "`.is_closed`") else 1, runs)
        print(f"| {name} | {seconds * 1000:.3g} | {ratio:.2g} |", flush=True)


def show_small() -> None:
    """A table of calls about small boards, in microseconds."""
    order = kt.find_tour((8, 8)).order
    calls: dict[str, Callable[[], object]] = {
        "`solve((8, 8))`": lambda: kt.solve((8, 8)),
        "`solve((8, 8), closed=True)`": lambda: kt.solve((8, 8), closed=True),
        '`solve((8, 8), start="a1")`': lambda: kt.solve((8, 8), start="a1"),
        '`solve((8, 8), start="a1", end="b1")`': lambda: kt.solve((8, 8), start="a1", end="b1"),
        "`Tour.from_order((8, 8), order)`": lambda: kt.Tour.from_order((8, 8), order),
        "`solve((30, 30))`": lambda: kt.solve((30, 30)),
        "`find_tour((100, 100))`": lambda: kt.find_tour((100, 100)),
    }
    print("\nSmall boards, asked again:\n")
    print("| call | microseconds | a thousand of them, ratio |")
    print("|---|---|---|")
    for name, work in calls.items():
        seconds, ratio = measured(work, 200)
        print(f"| {name} | {seconds * 1e6:.0f} | {ratio * 1000:.2f} |", flush=True)


def show_memory(side: int) -> None:
    """The first answer of a process about a huge board, and the memory that it takes."""
    code = (
        "import time, knightstour as kt; kt.find_tour((8, 8));"
        "peak = lambda: 1024 * int(open('/proc/self/status').read().split('VmHWM:')[1].split()[0]); before = peak();"
        f"began = time.process_time(); kt.find_tour(({side}, {side}), closed=True);"
        f"print(time.process_time() - began, (peak() - before) / {side**2})"
    )
    found = []
    for _ in range(3):
        words = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True).stdout
        seconds, size = map(float, words.split())
        found.append((seconds, seconds / cpu(add_up), size))
    seconds, ratio, size = (statistics.median(values) for values in zip(*found, strict=True))
    print(
        f"\nThe first answer of a process, `find_tour(({side}, {side}), closed=True)`: {seconds:.2f} s, ratio "
        f"{ratio:.1f}, with {size:.1f} bytes a square in all, 4 of them the order."
    )


def main() -> None:
    """Print all tables."""
    print("## A checked answer in the time of its filling\n")
    print("CPU times, medians; the ratio is to a million additions in Python that ran right after.")
    for side, runs in ((1000, RUNS), (3162, 5)):
        show_large(side, runs)
    show_small()
    show_memory(10_000)


if __name__ == "__main__":
    main()
