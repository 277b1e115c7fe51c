"""Print the table of fewest given numbers in docs/puzzles.md: python scripts/fewest_givens.py [--long]

On small boards, every set of one, two or three squares is tried on all tours, which is a proof. For 6x6, with its
6,637,920 open tours, --long proves that two numbers are never enough (ten minutes, 2 GB). The puzzles in RECORDS are
checked.
"""

import argparse
import itertools

import numpy as np

import knightstour as kt
from knightstour.core.model.budget import NO_LIMITS, Budget
from knightstour.core.model.problem import Problem
from knightstour.core.search.backtracking import Search, TourOrders

# Board, closed, and a puzzle with one solution.
RECORDS = (
    ("6x6", False, "c5=24 a2=13 d2=26"),
    ("8x8", False, "a7=13 f6=35 h6=47 h3=50 f2=53 d1=10 f1=6"),
    ("8x8", True, "c7=37 d7=4 e6=12 a2=30 c2=32 f2=9 g1=1"),
)
EXACT = (("5x5", False), ("5x6", False), ("5x6", True), ("6x6", True))


def steps_of_all(board: str, closed: bool) -> np.ndarray:
    """Return the step of each square in every directed tour, closed ones once: int16 (tours, squares)."""
    problem = Problem(board, closed=closed)
    count = len(problem.board)
    rows: list[np.ndarray] = []
    orders = TourOrders(Search(problem, directed=False), Budget(NO_LIMITS))
    while batch := list(itertools.islice(orders, 100_000)):
        steps = np.empty((len(batch), count), dtype=np.int8)
        np.put_along_axis(steps, np.array(batch), np.arange(count, dtype=np.int8)[None, :], axis=1)
        rows.append(steps)
    one_way = np.concatenate(rows)
    return np.concatenate([one_way, (count - 1 - one_way).astype(np.int8)])


def fewest(board: str, closed: bool) -> tuple[int, int]:
    """Return the minimum number of given squares, and the number of ways to choose them."""
    steps = steps_of_all(board, closed)
    count = steps.shape[1]
    for size in itertools.count(1):
        ways = sum(_unique_ways(steps, squares, closed) for squares in itertools.combinations(range(count), size))
        if ways:
            # Closed tours are listed with one numbering; each stands for all shifted numberings.
            return size, ways * (count if closed else 1)
    raise AssertionError


def _unique_ways(steps: np.ndarray, squares: tuple[int, ...], closed: bool) -> int:
    """Return the number of ways to number these squares such that exactly one tour fits."""
    count = steps.shape[1]
    codes = np.zeros(len(steps), dtype=np.int64)
    # Only the differences of the numbers of a closed tour matter.
    first = steps[:, squares[0]].astype(np.int64)
    for square in squares[1:] if closed else squares:
        step = steps[:, square].astype(np.int64)
        codes = codes * count + ((step - first) % count if closed else step)
    return int(np.count_nonzero(np.bincount(codes) == 1))


def count_clues(board: str, closed: bool, given: str) -> int:
    """Return the number of clues of a puzzle, after a proof that its solution is unique."""
    numbers = {name: int(number) for name, number in (word.split("=") for word in given.split())}
    answer = kt.Puzzle(board, numbers, closed=closed).solve()
    assert answer.is_unique, f"{board}: {answer}"
    return len(numbers)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    words.add_argument("--long", action="store_true")
    typed = words.parse_args()
    for board, closed in EXACT:
        size, ways = fewest(board, closed)
        print(f"{board} {'closed' if closed else 'open'}: {size}, in {ways:,} ways; proved", flush=True)
    if typed.long:
        steps = steps_of_all("6x6", False)
        sets = itertools.chain(itertools.combinations(range(36), 1), itertools.combinations(range(36), 2))
        ways = sum(_unique_ways(steps, squares, False) for squares in sets)
        print(f"6x6 open: one or two numbers are enough in {ways} ways; proved", flush=True)
    for board, closed, given in RECORDS:
        print(
            f"{board} {'closed' if closed else 'open'}: {count_clues(board, closed, given)} at most: {given}",
            flush=True,
        )


if __name__ == "__main__":
    main()
