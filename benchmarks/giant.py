"""How fast giant tours are: each job beside a yardstick that runs in the same minute on the same machine.

    python benchmarks/giant.py [--most SQUARES] [--quick]

prints Markdown tables. Processor times are those of this process (user and system), the least of a few runs, so that
other work on the machine disturbs them little; wall times are said to be such. The yardsticks: `memset` fills as many
bytes as the job writes, `memcpy` copies them. A ratio of 1 is the speed of memory.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from measure import yardstick

from knightstour.core.checking.giant import check_npy
from knightstour.core.constructions.implicit import implicit_tour
from knightstour.core.formats.giant import stream_tour

CLOSED: dict[str, Any] = {"closed": True}


def between(side: int) -> dict[str, Any]:
    """Ends of unlike colour, far from each other and from the border."""
    start, end = (side // 3, side // 5), (side // 2, side // 2)
    return {"start": start, "end": (end[0], end[1] + 1 - (sum(start) + sum(end)) % 2)}


def least(job: Callable[[], Any], runs: int = 5, clock: Callable[[], float] = time.process_time) -> float:
    """The least seconds of some runs."""
    best = float("inf")
    for _ in range(runs):
        started = clock()
        job()
        best = min(best, clock() - started)
    return best


def table(title: str, heads: list[str], rows: list[list[str]]) -> None:
    """Print a Markdown table."""
    print(f"\n### {title}\n\n| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


def whole_arrays(most: int) -> None:
    """Order and numbers, both int32, into warm and cold memory."""
    jobs = [(side, kind) for side in (1000, 10_000) if side * side <= most for kind in ("closed", "between ends")]
    table(
        "Order and numbers of a whole tour (int32)",
        ["board", "set up", "both, warm pages", "/ memset", "/ memcpy", "both, new pages", "wall: 2 threads gain"],
        [whole_array(side, kind) for side, kind in jobs],
    )


def whole_array(side: int, kind: str) -> list[str]:
    """A row of the table."""
    asked = CLOSED if kind == "closed" else between(side)
    squares = side * side
    runs = 20 if squares <= 10**6 else 4
    setup = least(lambda: implicit_tour((side, side), **asked))
    tour = implicit_tour((side, side), **asked)
    cold = least(lambda: (tour.order(threads=1), tour.numbers(threads=1)), 3)
    order, numbers = np.ones(squares, np.int32), np.ones((side, side), np.int32)

    def fill(threads: int) -> None:
        tour.order(out=order, threads=threads)
        tour.numbers(out=numbers, threads=threads)

    memset = least(lambda: (order.fill(1), numbers.fill(1)), runs)
    memcpy = least(lambda: np.copyto(order, numbers.reshape(-1)), runs) * 2
    warm = least(lambda: fill(1), runs)
    one, two = (least(lambda: fill(threads), runs, time.perf_counter) for threads in (1, 2))  # noqa: B023
    return [
        f"{side}x{side} {kind}",
        f"{setup * 1e3:.2f} ms",
        f"{warm:.4f} s",
        f"{warm / memset:.2f}",
        f"{warm / memcpy:.2f}",
        f"{cold:.4f} s",
        f"{one / two:.2f}",
    ]


def per_square(most: int) -> None:
    """The cost of a square, which should not depend on the board."""
    table(
        "Nanoseconds a square, one thread, warm pages",
        ["board", "closed: order", "closed: numbers", "between ends: order", "between ends: numbers", "memset"],
        [square_row(side) for side in (100, 316, 1000, 3162, 10_000, 20_000) if side * side <= most],
    )


def square_row(side: int) -> list[str]:
    """A row of the table."""
    squares = side * side
    runs = 3 if squares > 10**7 else 20
    array = np.ones(squares, np.int32)
    cells = [f"{side}x{side}"]
    for asked in (CLOSED, between(side)):
        tour = implicit_tour((side, side), **asked)
        order = least(lambda: tour.order(out=array, threads=1), runs)  # noqa: B023
        numbers = least(lambda: tour.numbers(out=array.reshape(side, side), threads=1), runs)  # noqa: B023
        cells += [f"{x / squares * 1e9:.2f}" for x in (order, numbers)]
    return [*cells, f"{least(lambda: array.fill(1), runs) / squares * 1e9:.2f}"]


def questions() -> None:
    """Single squares and steps, many at once, and windows, of boards nobody could write out."""
    rng = np.random.default_rng(7)
    rows = []
    side = 10**9
    for name, board, asked in (
        ("10^9 x 10^9 closed", (side, side), CLOSED),
        ("10^9 x 10^9 between ends", (side, side), between(side)),
        ("3 x 10^12 closed", (3, 10**12), CLOSED),
    ):
        tour = implicit_tour(board, **asked)
        steps = rng.integers(0, tour.length, 10**6)
        squares = tour.squares_at(steps)
        single_steps, single_squares = steps[:2000].tolist(), [tuple(s) for s in squares[:2000].tolist()]
        single = [
            least(lambda: [tour.square_at(s) for s in single_steps]) / 2000,  # noqa: B023
            least(lambda: [tour.index_of(s) for s in single_squares]) / 2000,  # noqa: B023
        ]
        bulk = [
            least(lambda: tour.squares_at(steps), 3) / len(steps),  # noqa: B023
            least(lambda: tour.indices_of(squares), 3) / len(steps),  # noqa: B023
        ]
        start, size = tour.length // 3, 10**6
        out = np.ones((size, 2), np.int64)
        memset = least(lambda: out.fill(1)) / size  # noqa: B023
        window = least(lambda: tour.window(start, start + size, out=out, threads=1)) / size  # noqa: B023
        rows.append(
            [
                name,
                *(f"{x * 1e6:.1f} us" for x in single),
                *(f"{x * 1e9:.0f} ns" for x in bulk),
                f"{window * 1e9:.2f} ns",
                f"{window / memset:.2f}",
            ]
        )
    table(
        "Questions to implicit tours",
        ["board", "square_at", "index_of", "squares_at", "indices_of", "window, a square", "/ memset"],
        rows,
    )


def files(most: int) -> None:
    """Writing a file and checking it."""
    rows = []
    for side in (4000, 10_000, 20_000):
        squares = side * side
        if squares > most:
            break
        with tempfile.TemporaryDirectory() as folder:
            path, copy = Path(folder, "tour.npy"), Path(folder, "copy")
            tour = implicit_tour((side, side), closed=True)
            chunk = np.ones(8_000_000, np.int32)

            def write() -> None:
                with open(copy, "wb") as file:  # noqa: B023
                    for _ in range(squares // len(chunk)):  # noqa: B023
                        file.write(chunk.data)  # noqa: B023

            yard = least(write, 2)
            copy.unlink()
            stream = least(lambda: stream_tour(tour, path, force=True), 2)  # noqa: B023
            wall = [
                least(lambda: list(check_npy(path, threads=threads)), 2, time.perf_counter)  # noqa: B023
                for threads in (1, 2)
            ]
            check = least(lambda: list(check_npy(path, threads=1)), 2)  # noqa: B023
        rows.append(
            [
                f"{side}x{side}",
                f"{stream:.2f} s",
                f"{stream / yard:.2f}",
                f"{squares / check / 1e6:.0f} M/s",
                *(f"{squares / x / 1e6:.0f} M/s" for x in wall),
                f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000:.0f} MB",
            ]
        )
    table(
        "Files (.npy)",
        ["board", "write", "/ writing as many bytes", "check, cpu", "wall, 1 thread", "wall, 2", "most memory so far"],
        rows,
    )


def cold_process(most: int) -> None:
    """A fresh interpreter: imports, loading of kernels and all."""
    rows = []
    for side in (100, 1000, 10_000):
        if side * side > most:
            break
        for name, code in (
            ("nothing but numpy", "import numpy; numpy.ones(1)"),
            (
                "order and numbers",
                f"from knightstour.core.constructions.implicit import implicit_tour;"
                f"t = implicit_tour(({side}, {side}), closed=True);"
                "t.order(); t.numbers()",
            ),
        ):
            command = [sys.executable, "-c", code]
            wall = least(lambda: subprocess.run(command, check=True), 3, time.perf_counter)  # noqa: B023
            rows.append([f"{side}x{side}", name, f"{wall:.2f} s"])
    table("A cold process, wall time", ["board", "what", "time"], rows)


def memory_beside(most: int) -> None:
    """Memory taken beside the arrays."""
    side = 10_000 if most >= 10**8 else 1000
    code = (
        "import resource;"
        "from knightstour.core.constructions.implicit import implicit_tour;"
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024;"
        f"t = implicit_tour(({side}, {side}), closed=True); before = peak();"
        "o = t.order(); n = t.numbers(); print((peak() - before) / (o.nbytes + n.nbytes))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    print(f"\nMost memory while both arrays of {side}x{side} are made, over their size: {float(done.stdout):.3f}")


LIMITS = """
What limits each: whole arrays from 3000x3000 up, the bandwidth of memory; below, about a millisecond to make the
patterns (2 ms between given ends), whatever the size; new pages cost as much again as filling them, in the system. A
second thread helps only where memory is not the limit. Single questions: the interpreter; many at once: gathering and
division in NumPy. Files: the system's copying into its cache, then the disk."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, default=4 * 10**8, help="squares of the largest board")
    parser.add_argument("--quick", action="store_true", help="boards to a million squares only")
    options = parser.parse_args()
    most = 10**6 if options.quick else options.most
    print(f"## Giant boards\n\n{platform.processor() or platform.machine()}, {os.cpu_count()} cores, ", end="")
    print(f"Python {platform.python_version()}, NumPy {np.__version__}; a million additions in Python, y: ", end="")
    print(f"{1000 * yardstick():.0f} ms. Work that memory limits is compared with memory here, not with y.")
    files(most)
    whole_arrays(most)
    per_square(most)
    questions()
    cold_process(most)
    memory_beside(most)
    print(LIMITS)


if __name__ == "__main__":
    main()
