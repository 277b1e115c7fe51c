"""Magic and semi-magic tours from regular quartes: the numbers 4k + 1 to 4k + 4 in a block of 4x4 squares.

The search places one quarte after another, in four different rows and columns of a block. It looks ahead: the remaining
squares of a block must be divisible into quartes, and in each band of four rows or columns the positions in quartes and
the numbers of the quartes must still permit the magic sum (core/kernels/search/quartes.cc). Most known magic tours of
the 8x8 board, 105 of 140, have this form. The search finds tours, and lists all of this family, but it cannot prove
that no other tours exist.

Cost: 8x8 is complete after 46 million nodes, 3 s; with magic rows only, 65,139 classes, after 311 million, 30 s. 12x12
with magic rows needs a second, 8x12 with magic rows and columns a minute; for 12x12 with both no tour was found.

Sources: C. Wenzelides 1849; H. J. R. Murray 1951; G. P. Jelliss, Knight's Tour Notes 9; G. Stertenbrink,
J.-C. Meyrignac and H. Mackay 2003 (the 140).
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from knightstour.core.kernels.rng import first_random
from knightstour.core.machine import slices
from knightstour.core.model.budget import Budget
from knightstour.core.model.condition_check import fault_of
from knightstour.core.model.grid_board import is_rectangle
from knightstour.core.model.problem import Problem, end_index, is_backwards, is_numbered
from knightstour.core.model.result import Outcome, found, undecided


class State(NamedTuple):
    """Arguments of the kernel. Blocks have 4x4 squares; a band is a row or column of blocks.

    In a row of a band, each of its quartes has one number. All four rows have equal sums if the positions 1 to 4 in
    their quartes have equal means, and the magic sum if the numbers k of the quartes also have the required sum.

    A choice is block * KINDS + quarte. `waiting` contains the choices of each depth, WIDTH items per depth; `length` is
    their number, and the current choice comes after the last of them. The first quarte is one of `starts`.

    Arrays are int64, and `fits` is bool. counters: see below. cells: the four squares of each quarte, 0 to 15, sorted
    by the first square; first: offsets of the 16 first squares. masks: the squares as bits. fits: for each set of the
    16 squares whether it can be divided into quartes. starts: choices for the first quarte. used: occupied squares of
    each block, as bits. row_places, col_places: for each row and column the sum of 2 * position - 5 of its numbers.
    row_left, col_left: number of missing quartes of a band; row_sum, col_sum: sum of the numbers k of the others. path:
    squares of the board, row * cols + col.
    """

    counters: np.ndarray
    cells: np.ndarray
    first: np.ndarray
    masks: np.ndarray
    fits: np.ndarray
    starts: np.ndarray
    used: np.ndarray
    row_places: np.ndarray
    col_places: np.ndarray
    row_left: np.ndarray
    col_left: np.ndarray
    row_sum: np.ndarray
    col_sum: np.ndarray
    waiting: np.ndarray
    length: np.ndarray
    path: np.ndarray


# Fields of `counters` that Python uses; the struct Counters defines all. DEPTH: number of placed quartes. COUNT:
# quartes of the board. COLS: columns of the board. ROWS_MATTER: whether all rows must have the magic sum. RANDOM: 0 for
# the given order; otherwise choices are random and never exhausted. PATIENCE: nodes before a random search restarts.
DEPTH, COUNT, WIDTH, COLS, ROWS_MATTER, COLS_MATTER = range(1, 7)
RANDOM, PATIENCE = range(8, 10)
COUNTERS = 11
KINDS = 64


_STEP = "quartes_step"
_LEAST_SIDE = 8
_OTHERS = "other tours were not searched"
# Nodes of the first rounds, which grow, and nodes before a random search restarts.
_NODES, _PATIENCE = 1_000_000, 200_000


def why_not_quartes(problem: Problem) -> str | None:
    """Return the reason why the search does not support a problem, or None.

    >>> why_not_quartes(Problem("8x8"))
    'it requires magic rows or columns: where={"magic-rows": 8}'
    """
    board = problem.board
    if not is_rectangle(board) or board.rows % 4 or board.cols % 4 or min(board.rows, board.cols) < _LEAST_SIDE:
        return f"both sides must be multiples of 4, at least {_LEAST_SIDE}, on a plain board for knights"
    if not any(_magic_lines(problem)):
        return f'it requires magic rows or columns: where={{"magic-rows": {board.rows}}}'
    return None


def quartes(problem: Problem, budget: Budget, seed: int) -> Outcome:
    """Find a tour of regular quartes, alternately by a random search and by a search through the whole family.

    >>> tour = quartes(Problem("8x8", where={"magic-rows": 8, "magic-columns": 8}), Budget(), 1).order
    >>> len(set(tour))
    64
    """
    budget.tell_stage("quartes")
    family = QuarteTours(problem, budget, directed=False)
    random, turn = start_state(problem, first_random(seed)), 1
    while not budget.is_spent:
        part = budget.part(nodes=turn * _NODES)
        order = next(_random_tours(problem, random, part), None)
        budget.spend(part.nodes)
        if order is None and not budget.is_spent:
            family.budget = part = budget.part(nodes=turn * _NODES)
            order = next((order for order in family if _matches(problem, order)), None)
            budget.spend(part.nodes)
            if order is None and family.is_complete:
                return undecided(f"none of the {family.count:,} tours of regular quartes matches; {_OTHERS}")
        if order is not None:
            return replace(found(order), method="quartes")
        turn *= 2
    return undecided(budget.why_stopped())


def _magic_lines(problem: Problem) -> tuple[bool, bool]:
    """Whether all rows, and all columns, must have the magic sum."""
    ranges = {name: (least, most) for name, least, most in problem.where}
    is_even = ranges.get("line-spread", (1, 1))[0] == 0
    lines = (("magic-rows", problem.board.rows), ("magic-columns", problem.board.cols))
    rows, cols = (name in ranges and ranges[name][1] >= count for name, count in lines)
    return rows or is_even, cols or is_even


def _matches(problem: Problem, order: np.ndarray) -> bool:
    return fault_of(problem, order) is None


class QuarteTours:
    """Iterator over the tours of regular quartes with the required ends and magic lines, as squares.

    Other conditions are ignored. is_complete: whether all were listed. directed: whether a tour and its reverse count
    as two, which is also the case if an end is given.
    """

    def __init__(self, problem: Problem, budget: Budget, directed: bool) -> None:
        self.problem, self.budget = problem, budget
        self.is_complete, self.count = False, 0
        self._both_ways = directed or is_numbered(problem) or (problem.start, problem.end) != (None, None)
        self._state = start_state(problem, 0)
        self._images: Iterator[np.ndarray] = iter(())

    def __iter__(self) -> Iterator[np.ndarray]:
        while not self.is_complete:
            for order in self._images:
                if self._both_ways or order[0] < order[-1]:
                    self.count += 1
                    yield order
            status = slices.drive(_STEP, self._state, self.budget)
            if status == slices.RUNNING:
                return
            self.is_complete = status == slices.EXHAUSTED
            self._images = iter(()) if self.is_complete else _required_images(self.problem, self._state.path)

    @property
    def reason(self) -> str:
        """The result of a complete list, as a reason."""
        some = f"these {self.count:,} are all tours" if self.count else "there are no tours"
        return f"{some} of regular quartes, which have four numbers in each block of 4x4 squares; {_OTHERS}"


def _random_tours(problem: Problem, state: State, budget: Budget) -> Iterator[np.ndarray]:
    """Yield the tours of a random search."""
    while slices.drive(_STEP, state, budget) == slices.FOUND:
        yield from (order for order in _required_images(problem, state.path) if _matches(problem, order))


def _required_images(problem: Problem, path: np.ndarray) -> Iterator[np.ndarray]:
    rows, cols = problem.board.rows, problem.board.cols
    row, col = np.divmod(path, cols)
    if (problem.start, problem.end) == (None, None):
        images = [r * cols + c for r in (row, rows - 1 - row) for c in (col, cols - 1 - col)]
        if _allows_transposition(problem) and row[0] != col[0]:
            images += [c * cols + r for r in (row, rows - 1 - row) for c in (col, cols - 1 - col)]
    else:
        images = [path[::-1].copy() if is_backwards(problem) else path.copy()]
    if problem.closed:
        images = images if _is_move(row[0] - row[-1], col[0] - col[-1]) else []
    yield from (order for order in images if problem.end is None or order[-1] == end_index(problem))


def _is_move(down: int, across: int) -> bool:
    return abs(int(down * across)) == 2


class _Kinds(NamedTuple):
    """Regular quartes by first square; their squares as bits; and the sets they can fill."""

    cells: list[tuple[int, int, int, int]]
    masks: list[int]
    filled: set[int]


@functools.cache
def _kinds() -> _Kinds:
    near = [[b for b in range(16) if _is_move(a // 4 - b // 4, a % 4 - b % 4)] for a in range(16)]
    walks = [(a, b, c, d) for a in range(16) for b in near[a] for c in near[b] for d in near[c]]
    cells = [walk for walk in walks if len({s // 4 for s in walk}) == len({s % 4 for s in walk}) == 4]
    masks = [sum(1 << s for s in walk) for walk in cells]
    filled = new = {0}
    while new:
        new = {some | mask for some in new for mask in masks if not some & mask} - filled
        filled = filled | new
    return _Kinds(cells, masks, filled)


def start_state(problem: Problem, random: int, patience: int = _PATIENCE) -> State:
    """Return the state before the first step. random: the state of the random generator, 0 for a search in order."""
    board, kinds = problem.board, _kinds()
    rows, cols = board.rows // 4, board.cols // 4
    zeros = functools.partial(np.zeros, dtype=np.int64)
    counters = zeros(COUNTERS)
    # Capacity for the choices of a depth: eight moves, up to four quartes after each, and the current choice.
    quartes, width = 4 * rows * cols, 8 * 4 + 1
    counters[COUNT], counters[WIDTH] = quartes, width
    counters[COLS] = board.cols
    counters[ROWS_MATTER], counters[COLS_MATTER] = _magic_lines(problem)
    counters[RANDOM], counters[PATIENCE] = random, patience
    fits = np.zeros(1 << 16, dtype=np.bool_)
    fits[list(kinds.filled)] = True
    starts = [
        (row // 4 * cols + col // 4) * KINDS + quarte
        for row, col in _first_squares(problem)
        for quarte, walk in enumerate(kinds.cells)
        if walk[0] == row % 4 * 4 + col % 4
    ]
    if random:
        np.random.default_rng(random).shuffle(starts)
    return State(
        counters,
        np.array(kinds.cells, dtype=np.int64).reshape(-1),
        np.searchsorted([walk[0] for walk in kinds.cells], range(17)).astype(np.int64),
        np.array(kinds.masks, dtype=np.int64),
        fits,
        np.array(starts, dtype=np.int64),
        used=zeros(rows * cols),
        row_places=zeros(board.rows),
        col_places=zeros(board.cols),
        row_left=zeros(rows) + 4 * cols,
        col_left=zeros(cols) + 4 * rows,
        row_sum=zeros(rows),
        col_sum=zeros(cols),
        waiting=zeros(quartes * width),
        length=zeros(quartes),
        path=zeros(4 * quartes),
    )


def _first_squares(problem: Problem) -> list[tuple[int, int]]:
    """Return the given end, or squares such that every tour has an image from one of them."""
    end = problem.start or problem.end
    board = problem.board
    quarter = [(row, col) for row in range(board.rows // 2) for col in range(board.cols // 2)]
    return (
        [end] if end else [square for square in quarter if square[0] <= square[1] or not _allows_transposition(problem)]
    )


def _allows_transposition(problem: Problem) -> bool:
    """Whether the exchange of rows and columns preserves the conditions."""
    return problem.board.rows == problem.board.cols and len(set(_magic_lines(problem))) == 1
