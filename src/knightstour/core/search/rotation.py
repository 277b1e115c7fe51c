"""Rotations (Posa 1976): a path grows by Warnsdorff's rule, and its end is rotated at a dead end.

The path always continues to the free square with the fewest free neighbours. If its end has no free neighbour, a
neighbour x of the end lies on the path. Removing the move after x and adding the move from x to the end gives a path
over the same squares with another end. For a closed tour the end is rotated until it is next to the start.

On larger boards the end is guided to the last free squares, which may be distant. After a few random rotations, each
rotation moves the end closer, by a breadth-first search from the free squares, or from the start without free squares.
If this fails, the end moves at random for a while.

Cost: about one step per square, plus some rotations, each reversing half the path on average. Sources: L. Posa,
Hamiltonian circuits in random graphs, 1976; H. C. von Warnsdorff, 1823.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from knightstour.core.kernels.rng import first_random
from knightstour.core.machine import slices
from knightstour.core.model.board import move_graph, square_count
from knightstour.core.model.budget import Budget
from knightstour.core.model.problem import Problem, is_backwards, search_ends
from knightstour.core.model.result import Outcome, found, undecided
from knightstour.core.model.trace import Trace


class State(NamedTuple):
    """State of a search by rotations.

    Arrays of int64, except near_start, which is bool.

    Attributes:
        path, position: The path is path[0 .. length-1]; position is its inverse (-1 off the path).
        free: For each square the number of its neighbours off the path.
        counters: See below.
        offsets, targets: The moves, as in MoveGraph.
        near_start: Whether a square is a neighbour of the path's first square.
        distance: Distance of each square of the path from the nearest free square; empty if ends are not guided.
        queue: Buffer of the same length as `distance`.
    """

    counters: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray
    path: np.ndarray
    position: np.ndarray
    free: np.ndarray
    near_start: np.ndarray
    distance: np.ndarray
    queue: np.ndarray


# Indices of `counters` that Python needs; the struct Counters has all. NOISE: one square in NOISE is entered at random;
# 0: never. SWAPPED: 1 while START and END are exchanged. IS_KNOWN: whether `distance` belongs to the current path
# length.
RANDOM, LENGTH, COUNT, START, END = range(1, 6)
RESTART_AFTER, RESTARTS, ROTATIONS, NOISE, SWAPPED = range(7, 12)
IS_KNOWN = 13
COUNTERS = 16

CLOSED = -2  # as END: the end must be a neighbour of the start
ANY = -1  # as START or END


# On boards up to this size noise improves the search, and a random end soon reaches every square.
_NOISY_SQUARES = 400
# Steps per square before the first restart. On small boards an early restart is better: with 20 instead of 3 the mean
# time for 3 x 12 with given ends is five times as long, for 5 x 6 closed four times. Large boards rarely need 2 from a
# good start.
_SMALL_TRY, _LARGE_TRY = 3, 1.5


def rotation(problem: Problem, budget: Budget, seed: int) -> Outcome:
    """Search for a tour by rotations until the budget is spent."""
    state = start_state(problem, seed)
    observe = None if budget.trace is None else _observer(budget.trace)
    status = slices.drive("rotation_step", state, budget, observe=observe)
    c = state.counters
    counters = {"restarts": int(c[RESTARTS]), "rotations": int(c[ROTATIONS])}
    if status != slices.FOUND:
        return undecided(budget.why_stopped(), **counters)
    return found(path_of(problem, state), **counters)


def path_of(problem: Problem, state: State) -> np.ndarray:
    """Return the tour of a finished search, from its start."""
    return state.path[::-1] if bool(state.counters[SWAPPED]) != is_backwards(problem) else state.path


def _observer(trace: Trace) -> slices.Observe:
    """Return a callback that reports a search to a trace. Each node adds a square or rotates the end, perhaps on a new
    path.
    """
    length = restarts = rotations = 0
    last = -1

    def observe(state: State, status: int) -> None:
        nonlocal length, last, restarts, rotations
        c, path, position = state.counters, state.path, state.position
        if c[RESTARTS] > restarts:
            trace.add("restart")
            length = 0
        if c[ROTATIONS] > rotations:
            # The previous last square is now the first rotated square.
            trace.add("reverse", values=(position[last], length))
        for square in path[length : c[LENGTH]]:
            trace.add("visit", (square,))
        length, restarts, rotations = c[LENGTH], c[RESTARTS], c[ROTATIONS]
        last = path[length - 1]
        barred = c[END] if length < c[COUNT] - 1 else -1
        near = state.targets[state.offsets[last] : state.offsets[last + 1]]
        ways = [x for x in near if position[x] < 0 and x != barred]
        trace.add("candidates", ways, (state.free[x] for x in ways))

    return observe


def start_state(problem: Problem, seed: int) -> State:
    """Return the initial state. A tour with only an end given is searched backwards."""
    moves = move_graph(problem.board)
    size = len(moves.is_square)
    count = square_count(problem.board)
    random = first_random(seed)
    start, end = search_ends(problem)
    counters = np.zeros(COUNTERS, dtype=np.int64)
    counters[RANDOM] = random
    counters[COUNT] = count
    counters[START] = ANY if start is None else start
    counters[END] = CLOSED if problem.closed else ANY if end is None else end
    counters[RESTART_AFTER] = int((_SMALL_TRY if count <= _NOISY_SQUARES else _LARGE_TRY) * count)
    counters[NOISE] = 16 if count <= _NOISY_SQUARES else 0
    squares = moves.squares
    path = np.zeros(count, dtype=np.int64)
    path[0] = squares[random % len(squares)]
    # Without the array of distances the end is not guided.
    led = size if count > _NOISY_SQUARES else 0
    return State(
        counters=counters,
        offsets=moves.offsets,
        targets=moves.targets,
        path=path,
        position=np.full(size, -1, dtype=np.int64),
        free=np.zeros(size, dtype=np.int64),
        near_start=np.zeros(size, dtype=bool),
        distance=np.zeros(led, dtype=np.int64),
        queue=np.zeros(led, dtype=np.int64),
    )
