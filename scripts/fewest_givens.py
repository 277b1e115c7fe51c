"""The table of fewest given numbers in docs/puzzles.md: python scripts/fewest_givens.py [--long]

Small boards: all tours are listed, and every set of one, two, three squares is tried; so these are proved. For 6x6,
with its 6,637,920 open tours, --long shows that two numbers are never enough (ten minutes, 2 GB). The puzzles in
RECORDS are checked; `hunt` found them.

    python scripts/fewest_givens.py --hunt 8x8 --closed --seconds 600 --seed 1
"""

from __future__ import annotations

import argparse
import itertools
import random
import time
from collections.abc import Iterator

import numpy as np

import knightstour as kt
from knightstour.core.model.budget import NO_LIMITS, Budget, Limits
from knightstour.core.model.problem import Problem
from knightstour.core.search.backtracking import Search, TourOrders
from knightstour.core.search.clues import Numberings

# Board, closed, and a puzzle with one solution.
RECORDS = (
    ("6x6", False, "c5=24 a2=13 d2=26"),
    ("8x8", False, "a7=13 f6=35 h6=47 h3=50 f2=53 d1=10 f1=6"),
    ("8x8", True, "c7=37 d7=4 e6=12 a2=30 c2=32 f2=9 g1=1"),
)
EXACT = (("5x5", False), ("5x6", False), ("5x6", True), ("6x6", True))
# Tours of a step of the hunt that are listed at most.
_MAX_LISTED = 4000


def steps_of_all(board: str, closed: bool) -> np.ndarray:
    """The step of each square in every directed tour, closed ones once: int16 (tours, squares)."""
    problem = Problem.of(board, closed=closed)
    count = problem.board.square_count
    rows: list[np.ndarray] = []
    orders = TourOrders(Search(problem, directed=False), Budget(NO_LIMITS))
    while batch := list(itertools.islice(orders, 100_000)):
        steps = np.empty((len(batch), count), dtype=np.int8)
        np.put_along_axis(steps, np.array(batch), np.arange(count, dtype=np.int8)[None, :], axis=1)
        rows.append(steps)
    one_way = np.concatenate(rows)
    return np.concatenate([one_way, (count - 1 - one_way).astype(np.int8)])


def fewest(board: str, closed: bool) -> tuple[int, int]:
    """(least number of given squares, in how many ways so many can be given)."""
    steps = steps_of_all(board, closed)
    count = steps.shape[1]
    for size in itertools.count(1):
        ways = sum(_unique_ways(steps, squares, closed) for squares in itertools.combinations(range(count), size))
        if ways:
            # Closed tours are listed from one step alone: each way is as many, with all numbers moved on.
            return size, ways * (count if closed else 1)
    raise AssertionError


def _unique_ways(steps: np.ndarray, squares: tuple[int, ...], closed: bool) -> int:
    """In how many ways these squares can be given so that one tour has them: their codes that come once."""
    count = steps.shape[1]
    codes = np.zeros(len(steps), dtype=np.int64)
    # In a closed tour only the differences of the numbers matter.
    first = steps[:, squares[0]].astype(np.int64)
    for square in squares[1:] if closed else squares:
        step = steps[:, square].astype(np.int64)
        codes = codes * count + ((step - first) % count if closed else step)
    return int(np.count_nonzero(np.bincount(codes) == 1))


def checked(board: str, closed: bool, given: str) -> int:
    """How many numbers a puzzle has, after its one solution was proved."""
    numbers = {name: int(number) for name, number in (word.split("=") for word in given.split())}
    answer = kt.solve_puzzle(kt.Puzzle.of(board, numbers, closed=closed), limits=kt.Limits(seconds=None))
    assert answer.is_unique, f"{board}: {answer}"
    return len(numbers)


def hunt(board: str, closed: bool, seconds: float, seed: int) -> Iterator[kt.Puzzle]:
    """Puzzles with fewer and fewer numbers: drop two, list the tours that are left, give a number that one has alone.

    Where none has one alone, two rare numbers take the place of the two, so that the hunt goes on from elsewhere.
    """
    chance = random.Random(seed)
    ends = time.monotonic() + seconds
    puzzle = kt.make_puzzle(board, closed=closed, rng=seed)
    cols = puzzle.board.cols
    given = {row * cols + col: number for (row, col), number in puzzle.given.items() if isinstance(number, int)}
    best = len(given)
    yield puzzle
    while time.monotonic() < ends:
        less = dict(given)
        for square in chance.sample(sorted(given), 2):
            del less[square]
        found = _with_one_more(puzzle, less, chance, rare=False)
        if found is None:
            more = _with_one_more(puzzle, less, chance, rare=True)
            found = None if more is None else _with_one_more(puzzle, more, chance, rare=False)
        if found is not None:
            given = found
        if len(given) < best:
            best = len(given)
            squares = {divmod(square, cols): number for square, number in given.items()}
            yield kt.Puzzle.of(board, squares, closed=closed)


def _with_one_more(
    puzzle: kt.Puzzle, less: dict[int, int], chance: random.Random, *, rare: bool
) -> dict[int, int] | None:
    """The numbers with another that only one tour has (rare: that few have); None where there is none."""
    budget = Budget(Limits(seconds=None, nodes=20 * _MAX_LISTED))
    search = Numberings(
        puzzle.board,
        [(s, (number,)) for s, number in less.items()],
        budget,
        closed=puzzle.closed,
        seed=chance.getrandbits(16),
        takes_turns=False,
    )
    orders = list(itertools.islice(search, _MAX_LISTED))
    if not orders or (not rare and not search.is_finished):
        return None
    size = puzzle.board.rows * puzzle.board.cols
    counts = np.zeros((size, len(orders[0])), dtype=np.int64)
    np.add.at(counts, (np.array(orders), np.arange(len(orders[0]))[None, :]), 1)
    counts[list(less)] = 0
    by_rarity = np.argsort(np.where(counts > 0, counts, 1 << 40), axis=None)
    places = by_rarity[:40] if rare else np.flatnonzero(counts == 1)
    if not len(places):
        return None
    square, step = divmod(int(chance.choice(places.tolist())), counts.shape[1])
    return {**less, square: step + 1}


def main() -> None:
    """Print the table, or hunt."""
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    words.add_argument("--long", action="store_true")
    words.add_argument("--hunt", metavar="BOARD")
    words.add_argument("--closed", action="store_true")
    words.add_argument("--seconds", type=float, default=60)
    words.add_argument("--seed", type=int, default=1)
    typed = words.parse_args()
    if typed.hunt:
        for puzzle in hunt(typed.hunt, typed.closed, typed.seconds, typed.seed):
            print(puzzle.count, " ".join(f"{puzzle.board.name(s)}={n}" for s, n in puzzle.given.items()), flush=True)
        return
    for board, closed in EXACT:
        size, ways = fewest(board, closed)
        print(f"{board} {'closed' if closed else 'open'}: {size}, in {ways:,} ways; proved", flush=True)
    if typed.long:
        steps = steps_of_all("6x6", False)
        sets = itertools.chain(itertools.combinations(range(36), 1), itertools.combinations(range(36), 2))
        ways = sum(_unique_ways(steps, squares, False) for squares in sets)
        print(f"6x6 open: one or two numbers are enough in {ways} ways; proved", flush=True)
    for board, closed, given in RECORDS:
        print(f"{board} {'closed' if closed else 'open'}: {checked(board, closed, given)} at most: {given}", flush=True)


if __name__ == "__main__":
    main()
