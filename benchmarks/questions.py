"""How quickly questions are answered: start-up, all rectangles, small odd boards, large ones, and the methods."""

import random
import statistics
import sys
import time

from measure import clean_environment, command_cpu, knightstour, yardstick

import knightstour as kt
from knightstour.core.methods.solve import solve

LIMITS = kt.Limits(seconds=30)


def row(name: str, times: list[float], yardstick: float) -> str:
    """A row of the table: median, 99th percentile and maximum, and the median as a ratio."""
    times = sorted(times)
    p99 = times[min(len(times) - 1, int(len(times) * 0.99))]
    middle = statistics.median(times)
    return (
        f"| {name} | {len(times)} | {middle * 1000:.2f} | {p99 * 1000:.2f} | {times[-1] * 1000:.2f} "
        f"| {middle / yardstick:.3f} |"
    )


def load_kernels() -> None:
    """Load what the searches run on."""
    for method in ("rotation", "warnsdorff", "merge"):
        solve((60, 60), method=method, closed=method != "warnsdorff", rng=1)
    # This one it does not solve, in a second.
    solve((8, 8), start=(3, 3), method="backtracking", prune="none", limits=kt.Limits(1))


def rectangles(rng: random.Random, count: int) -> list[float]:
    """Random questions of every kind about rectangles up to 20x20."""
    times = []
    for _ in range(count):
        board = kt.Board(rng.randint(1, 20), rng.randint(1, 20))
        squares = [(rng.randrange(board.rows), rng.randrange(board.cols)) for _ in range(2)]
        kind = rng.choice(["open", "closed", "start", "ends"])
        question: dict[str, object] = {"closed": kind == "closed"}
        if kind in ("start", "ends"):
            question["start"] = squares[0]
        if kind == "ends" and squares[0] != squares[1]:
            question["end"] = squares[1]
        started = time.process_time()
        result = solve(board, **question)
        times.append(time.process_time() - started)
        assert result.status is not kt.Status.UNDECIDED, board
    return times


def odd_boards(rng: random.Random, count: int) -> tuple[list[float], int]:
    """Random boards of up to 64 squares with holes, wraps and leapers: (times, how many stayed undecided)."""
    times, undecided = [], 0
    while len(times) < count:
        rows, cols = rng.randint(3, 8), rng.randint(3, 8)
        everything = [(r, c) for r in range(rows) for c in range(cols)]
        board = kt.Board(
            rows,
            cols,
            holes=rng.sample(everything, rng.choice([0, 0, 1, 2, 3, 4, 6])),
            wrap=rng.choice([None, None, None, "cylinder", "torus", "mobius", "klein"]),
            leaper=rng.choice([(1, 2)] * 5 + [(2, 3), (1, 4), (1, 3), (0, 1), (1, 1)]),
        )
        started = time.process_time()
        result = solve(board, closed=rng.random() < 0.5, rng=1, limits=LIMITS)
        times.append(time.process_time() - started)
        undecided += result.status is kt.Status.UNDECIDED
    return times, undecided


def holed(rng: random.Random, size: int) -> kt.Board:
    """An n x n board with n holes, half of each colour."""
    squares = [(r, c) for r in range(size) for c in range(size)]
    rng.shuffle(squares)
    holes = [s for s in squares if sum(s) % 2][: size // 2] + [s for s in squares if not sum(s) % 2][: size // 2]
    return kt.Board(size, size, holes=holes)


def timed(board: kt.Board, seeds: range, **question: object) -> list[float]:
    """CPU seconds of a question for each seed, found every time."""
    times = []
    for seed in seeds:
        started = time.process_time()
        result = solve(board, rng=seed, **question)
        times.append(time.process_time() - started)
        assert result.status is kt.Status.FOUND, (board, question, result)
    return times


def main() -> None:
    """Print the tables."""
    y = yardstick()
    env = clean_environment()
    print("## Start-up\n\nProcessor seconds of a whole process, median of 7, and in y.\n")
    print("| command | s | y |\n|---|---|---|")
    for words in (["--help"], ["solve", "8x8"], ["solve", "8x8", "--closed"], ["facts", "8x8"]):
        seconds = command_cpu(knightstour(*words), 7, env=env)
        print(f"| `knightstour {' '.join(words)}` | {seconds:.3f} | {seconds / y:.2f} |")
    for code in ("pass", "import numpy"):
        seconds = command_cpu([sys.executable, "-c", code], 7, env=env)
        print(f"| for comparison: `python -c '{code}'` | {seconds:.3f} | {seconds / y:.2f} |")

    rng = random.Random(1)
    print(
        "\n## Questions\n\nCPU milliseconds in one process, every tour checked; the ratio is the median to y, "
        f"a million additions in Python ({y * 1000:.0f} ms).\n"
    )
    print("| question | times | median | 99 % | most | ratio |\n|---|---|---|---|---|---|")
    print(row("any question, rectangles to 20x20", rectangles(rng, 3000), y), flush=True)
    times, undecided = odd_boards(rng, 400)
    print(row(f"boards to 64 squares, holes, wraps, leapers ({undecided} undecided)", times, y), flush=True)
    load_kernels()
    for size in (100, 200):
        seeds = range(5)
        print(
            row(
                f"rotation, {size}x{size} closed",
                timed(kt.Board(size, size), seeds, closed=True, method="rotation"),
                y,
            )
        )
        print(
            row(
                f"rotation, {size}x{size} with {size} holes, closed",
                timed(holed(rng, size), seeds, closed=True, method="rotation"),
                y,
            )
        )
        print(
            row(
                f"rotation, {size}x{size}, leaper (2,3), closed",
                timed(kt.Board(size, size, leaper=(2, 3)), seeds, closed=True, method="rotation"),
                y,
            )
        )
        print(
            row(
                f"rotation, {size}x{size} torus, closed",
                timed(kt.Board(size, size, wrap="torus"), seeds, closed=True, method="rotation"),
                y,
            ),
            flush=True,
        )
    board = kt.Board(8, 8)
    starts = [(r, c) for r in range(8) for c in range(8)]
    for closed in (False, True):
        times = [
            t
            for s in starts
            for t in timed(board, range(1), start=s, closed=closed, method="backtracking", prune="all")
        ]
        print(row(f"backtracking with all prunings, 8x8 {'closed' if closed else 'open'}, each start", times, y))
        for method in ("warnsdorff", "merge", "rotation"):
            times = [t for s in starts for t in timed(board, range(1), start=s, closed=closed, method=method)]
            print(row(f"{method}, 8x8 {'closed' if closed else 'open'}, each start", times, y), flush=True)
    print(
        row(
            "warnsdorff, 128x128 from (1,1)",
            timed(kt.Board(128, 128), range(5), start=(1, 1), method="warnsdorff"),
            y,
        )
    )
    print(row("merge, 100x100 closed", timed(kt.Board(100, 100), range(5), closed=True, method="merge"), y))
    print()


if __name__ == "__main__":
    main()
