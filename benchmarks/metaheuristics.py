"""The metaheuristics on 8x8, how far each reaches, and the strong ones against a SAT solver on large boards.

Times are processor seconds of this process, with kernels loaded. python benchmarks/metaheuristics.py
"""

import statistics
import time

import numpy as np
from measure import yardstick

import knightstour as kt
from knightstour.core.methods.solve import solve
from knightstour.core.methods.table import METHODS
from knightstour.core.model.budget import Budget

SEEDS = 100
REACH_SECONDS = 10
SIZES = (8, 12, 16, 20, 24, 32, 40, 50, 64, 80, 100, 128, 160, 200, 256, 320, 400, 512, 640, 800, 1000)
ASKED: list[tuple[str, str, dict[str, object]]] = [
    ("rotation", "rotation", {}),
    ("annealing", "annealing", {}),
    ("annealing, random cover", "annealing", {"cover": "random"}),
    ("neural+merge", "neural+merge", {}),
    ("neural", "neural", {}),
    ("neural, synchronous", "neural", {"update": "synchronous"}),
    ("ants", "ants", {}),
    ("ants, sight 0", "ants", {"sight": 0}),
    ("genetic, segments", "genetic", {}),
    ("genetic, segments, no repair", "genetic", {"repair": 0}),
    ("genetic, bits", "genetic", {"kind": "bits"}),
    ("merge", "merge", {}),
    ("sat", "sat", {}),
]
LARGE = ("rotation", "annealing", "merge", "neural+merge", "sat")


def timed(board: object, method: str, seed: int, seconds: float, **options: object) -> tuple[float, kt.Result]:
    """(Processor seconds, result) of one closed tour."""
    started = time.process_time()
    result = solve(board, closed=True, method=method, rng=seed, limits=kt.Limits(seconds=seconds), **options)
    return time.process_time() - started, result


def on_8x8(name: str, method: str, options: dict[str, object], y: float) -> str:
    """A row: median (also in y), 99th percentile, successes within ten times the median, and the largest board."""
    solve((6, 6), closed=True, method=method, rng=1, **options)  # what is loaded once
    seconds = 20.0
    runs = [timed((8, 8), method, seed, seconds, **options) for seed in range(SEEDS)]
    times = sorted(took for took, _ in runs)
    median = statistics.median(times)
    good = sum(took <= 10 * median for took, result in runs if result.tour is not None)
    shown = " | ".join(f"{1000 * took:.2f}" for took in (median, times[SEEDS * 99 // 100 - 1], times[-1]))
    return f"| {name} | {median / y:.3g} | {shown} | {good} | {reach(method, options)} |"


def reach(method: str, options: dict[str, object]) -> str:
    """The largest of SIZES whose closed tour two of three seeds find within the limit."""
    largest = 0
    for size in SIZES:
        found = 0
        for seed in range(3):
            took, result = timed((size, size), method, seed, 1.5 * REACH_SECONDS, **options)
            found += result.tour is not None and took <= REACH_SECONDS
            if found == 2 or (seed == 1 and found == 0):
                break
        if found < 2:
            break
        largest = size
    return f"{largest}x{largest}" if largest < SIZES[-1] else f"{largest}x{largest} or more"


def rests(size: int, update: str) -> str:
    """How often the network comes to rest, and in a single loop."""
    from knightstour.lab.museum.neural import neural

    problem = kt.Problem.of((size, size), closed=True)
    counts = [neural(problem, Budget(kt.Limits(seconds=5, nodes=3_000_000)), s, update=update) for s in range(20)]
    total = {key: sum(outcome.counters[key] for outcome in counts) for key in ("restarts", "converged", "single")}
    tries = total["restarts"] + total["single"]
    single = total["single"] / total["converged"] if total["converged"] else 0.0
    return f"| {size}x{size} | {update} | {tries:,} | {total['converged'] / max(tries, 1):.1%} | {single:.2%} |"


def holed(size: int, count: int, seed: int) -> kt.Board:
    """A square board with holes inside, as many of one colour as of the other, no two of them near."""
    rng = np.random.default_rng(seed)
    holes: list[tuple[int, int]] = []
    while len(holes) < count:
        r, c = (int(x) for x in rng.integers(4, size - 4, 2))
        if (r + c) % 2 == len(holes) % 2 and all(max(abs(r - a), abs(c - b)) > 2 for a, b in holes):
            holes.append((r, c))
    return kt.Board(size, size, holes=holes)


def large_boards() -> list[tuple[str, kt.Board]]:
    """Boards for the general methods."""
    boards = [("100x100", kt.Board(100, 100)), ("100x100, 200 holes", holed(100, 200, 1))]
    for leaper in ((2, 3), (1, 4)):
        boards.append((f"100x100, leaper {leaper}", kt.Board(100, 100, leaper=leaper)))
    boards += [("100x100 torus", kt.Board(100, 100, wrap="torus")), ("200x200 torus", kt.Board(200, 200, wrap="torus"))]
    boards += [("300x300", kt.Board(300, 300)), ("300x300, 2,000 holes", holed(300, 2000, 2))]
    boards += [("300x300, leaper (2, 3)", kt.Board(300, 300, leaper=(2, 3)))]
    return [*boards, ("300x300 torus", kt.Board(300, 300, wrap="torus"))]


def large(name: str, board: kt.Board, y: float) -> str:
    """A row: the median, also in y, and the worst of some seeds by each method."""
    cells = []
    for method in LARGE:
        seeds = 1 if method == "sat" else 5
        runs = [timed(board, method, seed, 30) for seed in range(seeds)]
        failed = sum(result.tour is None for _, result in runs)
        times = [took for took, _ in runs]
        median = statistics.median(times)
        text = f"{median:.2f} = {median / y:.2g} y" + (f" ({max(times):.2f})" if seeds > 1 else "")
        cells.append(text if not failed else f"{failed} of {seeds} failed")
    return f"| {name} | " + " | ".join(cells) + " |"


def main() -> None:
    """Print the tables."""
    print("## metaheuristics\n")
    y = yardstick()
    print(f"Closed tours, {SEEDS} seeds on 8x8: processor milliseconds with loaded kernels; `good`: seeds that succeed")
    print(f"within ten times the median; and the largest square board within {REACH_SECONDS} s. y: the median in times")
    print(f"of a million additions in Python ({1000 * y:.0f} ms).\n")
    print("| method | y | median | 99 % | worst | good | largest |\n|---|---|---|---|---|---|---|")
    for name, method, options in ASKED:
        if METHODS[method].why_not(kt.Problem.of((8, 8), closed=True)) is None:
            print(on_8x8(name, method, options, y), flush=True)
    print("\nHow often the network rests in a cover, and how often that is a single loop (closed, no joining).\n")
    print("| board | update | tries | rests | single |\n|---|---|---|---|---|")
    for size in (6, 8, 10, 12, 16, 20):
        for update in ("asynchronous", "synchronous"):
            print(rests(size, update), flush=True)
    print(
        "\nClosed tours of large boards: processor seconds, at most 30: median, in y, (worst) of 5 seeds (sat: one).\n"
    )
    print("| board | " + " | ".join(LARGE) + " |\n|---|" + "---|" * len(LARGE))
    for name, board in large_boards():
        print(large(name, board, y), flush=True)


if __name__ == "__main__":
    main()
