"""Warnsdorff's rule: go to the square with the fewest onward moves, and at a dead end return to the latest tie.

Squares with few onward moves are visited early, so the path rarely gets stuck. The rule for breaking ties decides
whether the method works on large boards; see `TIES`. Roth's rule, the square farthest from the centre, fills the board
from the border inwards and practically never fails.

Positions with tied moves are critical points. At a dead end the path returns to the latest of them and takes the next
tied move. After `critical_budget` dead ends, or without critical points, it restarts and breaks some of the ties at
random. A closed tour, or a tour with a given end, never uses up the last access to its goal too early.

Cost: with "roth" about one pass over the board, 0.3 us per square. Tested from every start of the n x n boards up to
24x24 and from samples up to 200x200, open tours needed no restart; closed tours needed at most 22 restarts (10x10).
"first", "pohl" and "random" need tens to hundreds of restarts on boards of 100x100.

Sources: H. C. von Warnsdorff, Des Roesselsprungs einfachste und allgemeinste Loesung, 1823; I. Pohl, A method for
finding Hamilton paths and knight's tours, 1967; A. Roth, the tie-break by the distance from the centre; D. Squirrel and
P. Cull, A Warnsdorff-rule algorithm for knight's tours on square chessboards, 1996.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from knightstour.core.kernels.rng import first_random, next_random
from knightstour.core.machine import slices
from knightstour.core.model.board import Board, move_graph, square_count, title_of
from knightstour.core.model.budget import Budget
from knightstour.core.model.deadline import check_deadline
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.grid_board import GridBoard, is_rectangle
from knightstour.core.model.indices import repeat
from knightstour.core.model.problem import Problem, is_backwards, is_too_small, search_ends
from knightstour.core.model.result import TOO_SMALL, Outcome, found, undecided
from knightstour.core.model.trace import Trace
from knightstour.core.search import options


class State(NamedTuple):
    """State of a search by Warnsdorff's rule, in arrays of int64.

    Attributes:
        path, position: The path is path[0 .. length-1]; position is its inverse (-1 off the path).
        free: For each square the number of possible moves from it: to neighbours off the path, and in a closed tour to
            the first square.
        tied, waiting: The untried tied moves of a square are waiting[square] items from tied[offsets[square]] on.
        counters: See below.
        offsets, targets: The moves, as in MoveGraph.
        starts: Start squares, tried in turn.
        keys: For ROTH, the priority of each square; lower first.
        directions: For SQUIRREL, the number of each move among the eight.
        plan: For SQUIRREL, nine items for each phase: the rank of each of the eight moves, and the last square of the
            phase.
        phase: For SQUIRREL, the phase of each step of the path.
    """

    counters: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray
    path: np.ndarray
    position: np.ndarray
    free: np.ndarray
    tied: np.ndarray
    waiting: np.ndarray
    starts: np.ndarray
    keys: np.ndarray
    directions: np.ndarray
    plan: np.ndarray
    phase: np.ndarray


# Indices of `counters` that Python needs; the struct Counters has all. NOISE: after a restart, one tie in NOISE is
# broken at random. PATIENCE: number of returns before a restart. CRITICAL: critical points visited.
RANDOM, LENGTH, COUNT, GOAL, TIES, NOISE, PATIENCE = range(1, 8)
RESTARTS, CRITICAL, BACKS = range(9, 12)
COUNTERS = 12

CLOSED, ANY = -2, -1  # as GOAL, beside the square that must come last
FIRST, AT_RANDOM, POHL, ROTH, SQUIRREL = range(5)


_KERNEL_TIES = {
    "first": FIRST,
    "random": AT_RANDOM,
    "pohl": POHL,
    "roth": ROTH,
    "squirrel": SQUIRREL,
}
# After a restart one tie out of this number is broken at random. Roth's rule rarely needs more.
_NOISE = {"roth": 32}
_OTHER_NOISE = 4
# Number of start squares tried in turn without a given start.
_STARTS = 32


def warnsdorff(
    problem: Problem,
    budget: Budget,
    seed: int,
    *,
    ties: str = options.DEFAULT_TIES,
    critical_budget: int = options.CRITICAL_BUDGET,
) -> Outcome:
    """Search for a tour by Warnsdorff's rule until the budget is spent.

    Args:
        ties: A name of TIES.
        critical_budget: Number of dead ends at which the path returns to the latest critical point, before the search
            restarts.

    Without a start the search begins on the first square with the fewest moves, and after restarts on others. With only
    an end given the search runs backwards. On graphs and wrapped boards "roth" measures distances in moves, without a
    goal from the first square with the most moves.
    Counters: `restarts`, `critical_points` visited, and `backs`, the dead ends. Raises ProblemError for unknown ties,
    or "squirrel" on a board that is not n x n.

    >>> warnsdorff(Problem((5, 5), start=(0, 0)), Budget(), 0).order[:5]
    [0, 11, 20, 17, 24]
    """
    if is_too_small(problem):
        return undecided(f"Warnsdorff's rule found no closed tour: {TOO_SMALL[0]}")
    state = start_state(problem, budget, seed, ties, critical_budget)
    observe = None if budget.trace is None else _observer(budget.trace)
    status = slices.drive("warnsdorff_step", state, budget, observe=observe)
    c = state.counters
    counters = {
        "restarts": int(c[RESTARTS]),
        "critical_points": int(c[CRITICAL]),
        "backs": int(c[BACKS]),
    }
    if status != slices.FOUND:
        return undecided(budget.why_stopped(), **counters)
    path = state.path.tolist()
    return found(path[::-1] if is_backwards(problem) else path, **counters)


def _observer(trace: Trace) -> slices.Observe:
    """Return a callback that reports a search to a trace. Each node puts one square on the path, perhaps after
    backtracking.
    """
    shown: list[int] = []
    critical = 0

    def observe(state: State, status: int) -> None:
        nonlocal critical
        c, position = state.counters, state.position
        length = c[LENGTH]
        if len(shown) >= length:
            if length == 1:
                trace.add("restart")
            else:
                trace.add("unvisit", reversed(shown[length - 1 :]))
            del shown[length - 1 :]
        here = state.path[length - 1]
        shown.append(here)
        trace.add("visit", (here,))
        if c[CRITICAL] > critical:
            critical = c[CRITICAL]
            trace.add("count", values=(critical,), name="critical_points")
        barred = c[GOAL] if length < c[COUNT] - 1 else -1
        near = state.targets[state.offsets[here] : state.offsets[here + 1]]
        ways = [x for x in near if position[x] < 0 and x != barred]
        trace.add("candidates", ways, (state.free[x] for x in ways))

    return observe


def start_state(problem: Problem, budget: Budget, seed: int, ties: str, critical_budget: int) -> State:
    board = problem.board
    if ties == "squirrel" and not (is_rectangle(board) and board.rows == board.cols):
        raise ProblemError(
            f"ties squirrel is for n x n boards of the knight, not for the {title_of(board)}",
            help="one of " + ", ".join(name for name in options.TIES if name != "squirrel"),
        )
    graph = move_graph(board)
    check_deadline()
    size = len(graph.is_square)
    end = search_ends(problem)[1]
    starts, random = _starting_squares(problem, first_random(seed))
    counters = np.zeros(COUNTERS, dtype=np.int64)
    counters[RANDOM] = random
    counters[COUNT] = square_count(board)
    counters[GOAL] = CLOSED if problem.closed else ANY if end is None else end
    counters[TIES] = _KERNEL_TIES[ties]
    counters[NOISE] = _NOISE.get(ties, _OTHER_NOISE)
    counters[PATIENCE] = critical_budget

    none = np.zeros(0, dtype=np.int64)
    keys, directions, plan = none, none, none
    if ties == "roth":
        # A closed tour without a start begins on various squares; its keys are measured from the first.
        keys = _nearness(board, starts[0] if problem.closed else end, budget)
    elif ties == "squirrel":
        directions, plan = _squirrel_directions(board), np.array(_squirrel_plan(board.rows), dtype=np.int64)
    check_deadline()
    return State(
        counters=counters,
        offsets=graph.offsets,
        targets=graph.targets,
        path=np.zeros(square_count(board), dtype=np.int64),
        position=np.full(size, -1, dtype=np.int64),
        free=graph.degrees.astype(np.int64),
        tied=np.zeros(len(graph.targets), dtype=np.int64),
        waiting=np.zeros(size, dtype=np.int64),
        starts=np.array(starts, dtype=np.int64),
        keys=keys,
        directions=directions,
        plan=plan,
        phase=np.zeros(square_count(board) if ties == "squirrel" else 0, dtype=np.int64),
    )


def _starting_squares(problem: Problem, random: int) -> tuple[list[int], int]:
    """Return the start squares in order, and the next random number."""
    start, end = search_ends(problem)
    if start is not None:
        return [start], random
    graph = move_graph(problem.board)
    squares = graph.squares
    starts = [int(squares[np.argmin(graph.degrees[squares])])]
    while len(starts) < _STARTS and square_count(problem.board) > 1:
        random = next_random(random)
        square = int(squares[random % len(squares)])
        if square != end:
            starts.append(square)
    return starts, random


def _nearness(board: Board, goal: int | None, budget: Budget) -> np.ndarray:
    """Return a number for each square that decreases with the distance from the goal or, without one, the centre.

    If the budget ends first, the numbers of distant squares are arbitrary, since no search will use them.
    """
    size = board.rows * board.cols
    if isinstance(board, GridBoard) and board.wrap is None:
        rows, cols = np.divmod(np.arange(size, dtype=np.int64), board.cols)
        middle = (
            (board.rows - 1, board.cols - 1) if goal is None else (2 * (goal // board.cols), 2 * (goal % board.cols))
        )
        return -((2 * rows - middle[0]) ** 2 + (2 * cols - middle[1]) ** 2)
    graph = move_graph(board)
    degrees = graph.degrees
    distance = np.full(size, -1, dtype=np.int64)
    level = np.array([goal if goal is not None else np.argmax(degrees)])
    distance[level] = 0
    moves = 0
    while len(level) and not budget.is_spent:
        moves += 1
        counts = degrees[level]
        # All moves from the squares of this level, in their order.
        firsts = repeat(graph.offsets[level] - np.cumsum(counts) + counts, counts)
        near = graph.targets[firsts + np.arange(len(firsts))]
        level = np.unique(near[distance[near] < 0])
        distance[level] = moves
    return -np.maximum(distance, 0)


# ---------------------------------------------------------------- Squirrel and Cull

# The eight moves (drow, dcol), by number minus 1.
_SQUIRREL_MOVES = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))


def _squirrel_phases(n: int) -> list[tuple[str, tuple[int, int]]]:
    """Return orders of the moves, each with the square (row and column from 1) at which the next order begins.

    The table of Squirrel and Cull 1996, by n mod 8; the last square of each is never reached. It was made for large
    boards: from n = 112 on each row gives a tour from the top left corner.
    """
    half = (n - 1) // 2
    never = (0, 0)
    corner = ("34261578", (n - 1, n - 2))
    back = ("87642135", (2, 2))
    side = [("34261578", (6, 1)), ("87642135", (3, 1))]
    around = [("34625718", (n - 1, n - 2)), ("42681357", (n - 6, n)), ("86512347", (2, 5))]
    if n % 8 == 0:
        return [corner, back, ("51867342", (n - 8, 1)), ("51342678", (7, n - 3)), ("21435678", never)]
    if n % 8 == 1:
        return [corner, back, ("51324678", (n - 6, half + 5)), ("32481765", never)]
    if n % 8 == 2:
        rest = [("54132678", (n - 15, 4)), ("52431678", (10, n - 2)), ("85647123", (5, n // 2 - 3))]
        return [*side, *rest, ("15746823", never)]
    if n % 8 == 3:
        return [*around, ("51867342", (n - 10, 3)), ("61825437", (half + 1, n - 2)), ("71642538", never)]
    if n % 8 == 4:
        rest = [("51867342", (n - 8, 1)), ("51342678", (10, n - 5)), ("86753421", (13, n // 2 + 1))]
        return [corner, back, *rest, ("78563421", never)]
    if n % 8 == 5:
        return [corner, back, ("51324678", (n - 2, half - (2 if n % 16 == 5 else 6))), ("15234678", never)]
    if n % 8 == 6:
        rest = [("54132678", (n - 10, 1)), ("52431678", (10, n - 2)), ("85647123", (3, n // 2 + 4))]
        return [*side, *rest, ("12453678", never)]
    return [*around, ("51867342", (n - 6, 3)), ("61825437", (half + 1, n - 2)), ("61357284", never)]


def _squirrel_plan(n: int) -> list[int]:
    """Return the phases for the kernel: the rank of each move, then the square that ends the phase or -1."""
    plan = []
    for order, (row, col) in _squirrel_phases(n):
        plan += [order.index(str(number)) for number in range(1, 9)]
        plan.append((row - 1) * n + col - 1 if 1 <= row <= n and 1 <= col <= n else -1)
    return plan


def _squirrel_directions(board: Board) -> np.ndarray:
    graph = move_graph(board)
    steps = np.stack(np.divmod(graph.targets, board.cols)) - np.stack(np.divmod(graph.tails, board.cols))
    directions = np.zeros(len(graph.targets), dtype=np.int64)
    for number, (row, col) in enumerate(_SQUIRREL_MOVES):
        directions[(steps[0] == row) & (steps[1] == col)] = number
    return directions
