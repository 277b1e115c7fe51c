"""Lengthening of tours that skip squares: a part of the tour is removed and replaced by a longer one.

core/kernels/search/lengthening.cc does the work. A new part joins the same squares as the old one, and no move of the
rest crosses it. It is longer, equal, or occasionally shorter. Uncrossed tours start from a shortest one, which is found
by trying increasing lengths; if no length has a tour, none exists.

Cost: about 0.1 us per node; 8x8 reaches its longest uncrossed tour in a tenth of a second.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from knightstour.core.machine.slices import FOUND, drive
from knightstour.core.model.board import move_graph, square_count
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.crossing_moves import Moves, by_square, moves_of, pairs_of
from knightstour.core.model.problem import Problem, end_index, is_backwards, search_ends, start_index


class State(NamedTuple):
    """Arguments of the kernel; squares and moves are indices. Arrays are int64 or bool.

    counters: see below. first: offsets of the moves of a square in `near` (targets) and `number` (indices). crossing:
    the moves that each move crosses, with the offsets crossing_first. kept: squares that must stay. crossed: number of
    tour moves that cross each move. next, previous: neighbours of each square on the tour, -1 at its ends. is_on:
    whether a square is on the tour. best_order: the longest tour, padded with -1. part, found: a candidate part, and
    its squares. at: the next move at each depth.
    """

    counters: np.ndarray
    first: np.ndarray
    near: np.ndarray
    number: np.ndarray
    crossing_first: np.ndarray
    crossing: np.ndarray
    kept: np.ndarray
    crossed: np.ndarray
    next: np.ndarray
    previous: np.ndarray
    is_on: np.ndarray
    best_order: np.ndarray
    part: np.ndarray
    found: np.ndarray
    at: np.ndarray


# Fields of `counters` that Python uses; the struct Counters defines all. SQUARES: on the tour. CAP: upper bound for
# the squares of a tour. HEAT: one part in this number may be shorter.
RANDOM, CLOSED, SQUARES, BEST, GOAL, CAP, HEAT = range(1, 8)
COUNTERS = 8
# Maximum length of a removed part.
MAX_PART = 12


_HEAT = 60
_SLICE = 256
# Kernel nodes per node of the limits.
_NODES_PER_STEP = 64


def first_uncrossed(problem: Problem, budget: Budget) -> tuple[list[int] | None, bool]:
    """Return the squares of a shortest uncrossed tour, or None; and whether it is proved that none exists.

    >>> first_uncrossed(Problem((3, 3), closed=True, partial=True), Budget())
    (None, True)
    """
    search = _Shortest(problem, budget)
    for size in range(3 if problem.closed else 2, square_count(problem.board) + 1):
        search.was_cut = False
        order = search.of_size(size)
        if order is not None or budget.is_spent:
            return order, False
        if not search.was_cut:
            break
    return None, True


class _Shortest:
    """Depth-first search for an uncrossed tour of a given size."""

    def __init__(self, problem: Problem, budget: Budget) -> None:
        self._problem, self._budget = problem, budget
        moves = moves_of(problem)
        self._crossing = moves.crossing
        self._near = by_square(moves.pairs, move_graph(problem.board).squares.tolist())
        self.was_cut = False
        self._spent = 0

    def of_size(self, size: int) -> list[int] | None:
        start, _ = search_ends(self._problem)
        for first in [start] if start is not None else self._near:
            order = self._from([first], [0] * len(self._crossing), size)
            if order is not None:
                return order[::-1] if is_backwards(self._problem) else order
            if self._budget.is_spent:
                break
        return None

    def _from(self, order: list[int], crossed: list[int], size: int) -> list[int] | None:
        self._spent += 1
        if self._spent % _SLICE == 0:
            self._budget.spend(_SLICE)
        if self._budget.is_spent:
            return None
        closed, end = self._problem.closed, search_ends(self._problem)[1]
        if len(order) == size:
            self.was_cut = True
            if closed:
                ends = [k for square, k in self._near[order[-1]] if square == order[0]]
                return order if ends and not crossed[ends[0]] else None
            return order if end in (None, order[-1]) else None
        for square, k in self._near[order[-1]]:
            if square in order or crossed[k] or (closed and self._problem.start is None and square < order[0]):
                continue
            for other in self._crossing[k]:
                crossed[other] += 1
            found = self._from([*order, square], crossed, size)
            for other in self._crossing[k]:
                crossed[other] -= 1
            if found is not None:
                return found
        return None


class Lengthening:
    """A search that lengthens a tour.

    best: squares of the longest tour so far, from its start. cap: upper bound for the squares of a tour. may_cross:
    whether moves may cross. state: arguments of the kernel.
    """

    def __init__(self, problem: Problem, order: list[int], seed: int, cap: int, *, may_cross: bool = False) -> None:
        self._problem = problem
        self.best = list(order)
        self._squares = move_graph(problem.board).squares.tolist()
        self._number = {square: k for k, square in enumerate(self._squares)}
        pairs = pairs_of(problem)
        moves = Moves(pairs, ((),) * len(pairs)) if may_cross else moves_of(problem)
        self.state = self._start_state(moves, order, seed, cap)

    def run(self, budget: Budget, goal: int) -> bool:
        """Search until a tour has `goal` squares, and return True; return False if the budget is spent."""
        counters = self.state.counters
        counters[GOAL] = goal
        left = budget.remaining_limits(least=0.01)
        nodes = None if left.nodes is None else left.nodes * _NODES_PER_STEP
        part = Budget(Limits(left.seconds, nodes), budget.on_progress)
        is_long = drive("lengthening_step", self.state, part) == FOUND
        budget.spend(part.nodes // _NODES_PER_STEP)
        if counters[BEST] > len(self.best):
            self.best = self._orient([self._squares[k] for k in self.state.best_order[: counters[BEST]]])
        return is_long

    def _orient(self, order: list[int]) -> list[int]:
        """Reverse the tour if needed for its ends."""
        start, end = start_index(self._problem), end_index(self._problem)
        if self._problem.closed:
            at = 0 if start is None else order.index(start)
            return order[at:] + order[:at]
        return order[::-1] if (start is not None and order[0] != start) or end not in (None, order[-1]) else order

    def _start_state(self, moves: Moves, order: list[int], seed: int, cap: int) -> State:
        count = len(self._squares)
        near = by_square([(self._number[a], self._number[b]) for a, b in moves.pairs], range(count))
        move_at = {(a, b): k for a, others in near.items() for b, k in others}
        first, flat = rows_of(near.values())
        crossing_first, crossing = rows_of([[(other, 0) for other in others] for others in moves.crossing])
        places = [self._number[square] for square in order]
        crossed = np.zeros(max(1, len(moves.pairs)), dtype=np.int64)
        following, before = np.full(count, -1, dtype=np.int64), np.full(count, -1, dtype=np.int64)
        steps = [*zip(places, places[1:], strict=False), *([(places[-1], places[0])] if self._problem.closed else [])]
        for a, b in steps:
            following[a], before[b] = b, a
            crossed[list(moves.crossing[move_at[a, b]])] += 1
        is_on, kept = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
        is_on[places] = True
        for square in (start_index(self._problem), end_index(self._problem)):
            if square is not None:
                kept[self._number[square]] = True
        best = np.full(count, -1, dtype=np.int64)
        best[: len(places)] = places
        counters = np.zeros(COUNTERS, dtype=np.int64)
        counters[RANDOM], counters[HEAT] = seed % 0xFFFFFFFF or 1, _HEAT
        counters[CLOSED], counters[CAP] = self._problem.closed, cap
        counters[SQUARES] = counters[BEST] = len(places)
        room = lambda: np.zeros(4 * MAX_PART, dtype=np.int64)  # noqa: E731
        columns = (first, flat[:, 0].copy(), flat[:, 1].copy(), crossing_first, crossing[:, 0].copy())
        return State(counters, *columns, kept, crossed, following, before, is_on, best, room(), room(), room())


def rows_of(table: Collection[list[tuple[int, int]]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the offsets of the rows, and all rows in one array."""
    first = np.cumsum([0, *map(len, table)]).astype(np.int64)
    return first, np.array([each for row in table for each in row], dtype=np.int64).reshape(-1, 2)
