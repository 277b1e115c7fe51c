"""Data sets and workers: rate with one process and two, bytes a tour, the cost of a piece, memory over a long run.

    python benchmarks/scale.py                      # some minutes
    python benchmarks/scale.py --tours 100000000    # the long run
    python benchmarks/scale.py --dask               # the same on a Dask cluster of this machine

Rates are by wall clock, so nothing else should run meanwhile. Memory is that of the largest process: this one, the
workers, and with --dask the scheduler too, which lives in this one.
"""

from __future__ import annotations

import argparse
import contextlib
import operator
import resource
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measure import median_cpu, yardstick

import knightstour as kt
from knightstour.core.machine import sharing
from knightstour.core.model.board import Board
from knightstour.lab.sampling.datasets import packing
from knightstour.lab.statistics.measure import measure_tours

PIECES = 2000


def resident(pid: str) -> int:
    """Bytes of memory of a process, 0 if it is gone."""
    with contextlib.suppress(OSError, StopIteration), open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmRSS:"))
    return 0


class Memory(threading.Thread):
    """Looks once a second at the largest child process and at this one."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak = {"this": 0, "worker": 0}
        self.ends = threading.Event()

    def run(self) -> None:
        while not self.ends.wait(1):
            self.peak["this"] = max(self.peak["this"], resident("self"))
            for task in Path("/proc/self/task").glob("*/children"):
                with contextlib.suppress(OSError):
                    for pid in task.read_text().split():
                        self.peak["worker"] = max(self.peak["worker"], resident(pid))


@contextlib.contextmanager
def workers_of(count: int, dask: bool) -> Iterator[Any]:
    """So many processes, or a cluster of as many."""
    if not dask:
        with sharing.pool_of(count) as pool:
            yield pool
        return
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=":0") as local, Client(local) as client:
        yield client


def measure_packing() -> None:
    """Million tours a second of one core, by CPU time."""
    sample = kt.sample_tours("8x8", 200_000, closed=True, rng=1)
    board, orders = Board(8, 8), sample.orders
    pack = packing.packing_of(board)
    y = yardstick()
    moves, starts = pack.pack(orders)
    for name, call in {
        "pack": lambda: pack.pack(orders),
        "unpack": lambda: pack.unpack(moves, starts),
        "turns": lambda: measure_tours(orders, ["turns"], board),
        "crossings": lambda: measure_tours(orders, ["crossings"], board),
    }.items():
        call()
        seconds = median_cpu(call, 5)
        rate = len(orders) / seconds / 1e6
        print(f"{name:10} {rate:6.2f} M tours/s a core, {1e6 / len(orders) * seconds / y:6.2f} y a million tours")


def measure_pieces(workers: Any, name: str) -> None:
    """Milliseconds for a piece that does nothing."""
    list(sharing.run_pieces(operator.add, [(1, 1)] * 4, workers))
    began = time.perf_counter()
    list(sharing.run_pieces(operator.add, [(1, 1)] * PIECES, workers))
    print(f"{name}: {(time.perf_counter() - began) / PIECES * 1e3:.2f} ms a piece")


def measure_drawing(count: int, workers: Any, tours: int) -> float:
    """Draw into a data set and check it; returns tours a second."""
    folder = Path(tempfile.mkdtemp(dir="."))
    watch = Memory()
    watch.start()
    try:
        # Processes have loaded what they need before the clock runs.
        kt.datasets.sample_dataset(
            folder / "warm", "8x8", 2 * count * 4096, closed=True, rng=1, part_tours=4096, workers=workers
        )
        began = time.perf_counter()
        dataset = kt.datasets.sample_dataset(folder / "set", "8x8", tours, closed=True, rng=1, workers=workers)
        seconds = time.perf_counter() - began
        size = sum(Path(file).stat().st_size for file in dataset.files) / tours
        began = time.perf_counter()
        report = kt.datasets.check_dataset(folder / "set", workers=workers)
        checking = time.perf_counter() - began
        assert report.is_valid and report.tour_count == tours
    finally:
        watch.ends.set()
        shutil.rmtree(folder)
    peaks = ", ".join(f"{name} {peak / 1e6:,.0f} MB" for name, peak in watch.peak.items())
    print(
        f"{count} workers: {tours:,} tours in {seconds:.1f} s, {tours / seconds:,.0f} a second, "
        f"{size:.2f} bytes a tour; checked {tours / checking / 1e6:.2f} M/s; memory: {peaks}"
    )
    return tours / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tours", type=int, default=4_000_000)
    parser.add_argument("--dask", action="store_true")
    options = parser.parse_args()
    measure_packing()
    rates = {}
    for count in (1, 2):
        with workers_of(count, options.dask) as workers:
            measure_pieces(workers, f"{count} workers")
            rates[count] = measure_drawing(count, workers, options.tours)
    print(f"two over one: {rates[2] / rates[1]:.2f}")
    print(f"largest process that has ended: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3:,.0f} MB")


if __name__ == "__main__":
    main()
