"""Backtracking: extend the path in a fixed order of moves, and undo the last move at a dead end.

This is the search of the classical programs, and visits the same squares in the same order by default. It is complete:
if it ends without a tour, no tour exists.

The prunings detect dead ends early. No pruning loses a tour: with a fixed order of moves the same tours are found in
the same order. The strongest, "forced", maintains the graph of possible moves: a square with two possible moves must
use both, a square that has its two moves loses the others, and a move that would close a cycle too early is removed. On
the 8x8 board from the corner it needs 64 nodes for the first tour, instead of 8,250,733 without prunings.

Cost: about 10 ns per node without prunings, 0.4 us with all of them (8x8). The number of nodes is exponential in the
worst case. With all prunings a tour from any start of the even boards up to 12x12, open or closed, is found in less
than a millisecond. From 16x16 on the order "warnsdorff" is more reliable.

Sources: textbooks since the 1960s; forced moves: F. Rubin, A search procedure for Hamilton paths and circuits, 1974;
islands: R. Tarjan, Depth-first search and linear graph algorithms, 1972.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from knightstour.core.kernels.rng import first_random
from knightstour.core.machine import slices
from knightstour.core.model.board import Board, move_graph, square_count, title_of
from knightstour.core.model.budget import Budget
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.indices import bincount
from knightstour.core.model.problem import Problem, is_backwards, is_too_small, search_ends
from knightstour.core.model.trace import Trace
from knightstour.core.model.validation import quoted
from knightstour.core.proofs.facts import colour_classes
from knightstour.core.search.options import ORDERS, check_move_order, prunings_named


class State(NamedTuple):
    """State of a backtracking search.

    A tour is a cycle through one vertex, the root, and grows square by square. The root of a closed tour is a square of
    the board. The root of an open tour is an additional vertex, joined to every square where a tour may start or end.
    Invariants with prunings:
    - edge[k] is 2 if move k is certain, 1 if it is possible, 0 if it is excluded; edge[mirror[k]] is the same
    - degree[v] counts the edges of v that are not 0, fixed[v] the edges that are 2
    - the certain edges form chains; mate[v] is the other end of the chain that ends at v (v itself without a chain)
    - trail lists the changes, newest last; marks[d] is its length before the move from path[d]

    Attributes (arrays of int64):
        counters: See below.
        offsets, targets: The moves, as in MoveGraph, in the order of the search, the moves of the root last.
        mirror: Index of the reversed move.
        near_root: For neighbours of the root, their index among the squares from 1; else 0.
        sign: The colours as +1 and -1, or all 0 without a colouring.
        left: Without prunings the next untried move from path[d]; with prunings the number of waiting moves in
            choices[offsets[path[d]] ...].
        tours: Buffer for finished tours.
        queue: Squares with few remaining edges.
        memory: NOTES items per vertex, for the search for islands.
    """

    counters: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray
    mirror: np.ndarray
    near_root: np.ndarray
    sign: np.ndarray
    path: np.ndarray
    position: np.ndarray
    left: np.ndarray
    choices: np.ndarray
    tours: np.ndarray
    edge: np.ndarray
    degree: np.ndarray
    fixed: np.ndarray
    mate: np.ndarray
    trail: np.ndarray
    marks: np.ndarray
    queue: np.ndarray
    memory: np.ndarray


# Indices of `counters`. DEPTH: path[DEPTH] is the last square placed; path[0] is the root. START: the required target
# of moves from the root, or -1. TOTAL: vertices of the cycle. FIRST: index in the path where the tour begins: 1 if the
# root is not a square. END: the required last square, or -1. PRUNE: sum of the prunings below. FEWEST: 1: try the move
# to the square with the fewest possible edges first. ONE_WAY: 1: omit cycles whose last square has a lower index than
# the first after the root. FRESH: 1 if the prunings have not yet processed the last move. TRAIL: length of trail.
# CERTAIN: number of certain edges. QUEUED: length of queue. HELD: tours in `tours`. CAPACITY: stop when HELD reaches
# it. BASE: the search ends before it undoes the move to path[BASE].
NODES, DEPTH, START, TOTAL, FIRST, END, PRUNE, FEWEST, ONE_WAY, STARTED, FRESH, TRAIL, CERTAIN, QUEUED, HELD = range(15)
CAPACITY, BACKS, BASE = range(15, 18)
COUNTERS = 18
NOTES = 7

STRANDED, FORCED, CLOSING, CONNECTIVITY, ISLANDS = 1, 2, 4, 8, 16


_BITS = {
    "stranded": STRANDED,
    "forced": FORCED,
    "closing": CLOSING,
    "connectivity": CONNECTIVITY,
    "islands": ISLANDS,
}

# Number of squares in a batch of tours.
_BATCH_SQUARES = 1 << 16


class RootedMoves(NamedTuple):
    """The root, and the two ends of each move, sorted by the first end, then in the order of the search."""

    root: int
    tails: np.ndarray
    targets: np.ndarray


class Search(NamedTuple):
    """Parameters that determine the nodes and tours of a search.

    Attributes:
        directed: If false, a tour and its reverse are equal. A closed tour is then listed once, and an open tour,
            unless its start or end is given, only if its start comes before its end.
    """

    problem: Problem
    seed: int = 0
    move_order: str = "classic"
    prune: str | Sequence[str] = "all"
    directed: bool = True

    @property
    def is_backwards(self) -> bool:
        """Whether the search goes from the end to the start."""
        return is_backwards(self.problem)

    def begin(self, room: int) -> State:
        """Return the initial state, with space for `room` tours; raise ProblemError for an unknown order or pruning."""
        problem = self.problem
        prunings = pruning_bits(self.prune)
        check_move_order(self.move_order)
        places, first = _places(problem.board, self.move_order)
        ranks = _move_ranks(problem.board, self.move_order, self.seed)
        signs = _colour_signs(problem.board, prunings)
        moves = _moves_with_root(problem, places, first, ranks, signs)
        one_way = not self.directed and (problem.closed or (problem.start is None and problem.end is None))
        counters = _counters(problem, prunings, self.move_order == "warnsdorff", one_way)
        return _start_state(counters, signs, moves, places, room * square_count(problem.board))


class TourOrders:
    """Iterator over all tours of a problem, each as a list of square numbers from its start.

    Tours are sorted by start square, then by their first move in `move_order`, then by their second, and so on. If only
    an end is given, they are sorted from the end backwards. A closed tour is listed from one fixed square. The
    lexicographic order also sorts starts by name.

    Attributes:
        is_complete: Whether the search is exhausted. If False after the iteration, the budget was spent and there may
            be more tours.
        nodes, backs: Squares placed and moves undone so far. The search may be ahead of the listed tours.

    >>> tours = TourOrders(Search(Problem((5, 6), closed=True), directed=False), Budget())
    >>> len(list(tours)), tours.is_complete
    (8, True)
    """

    def __init__(self, search: Search, budget: Budget, *, at_once: int | None = None) -> None:
        problem = search.problem
        self._budget = budget
        self._count = square_count(problem.board)
        self._is_backwards = search.is_backwards
        self._held: list[list[int]] = []
        self._state: State | None = None
        self._observe = None if budget.trace is None else _observer(budget.trace)
        self.is_complete = False
        self._is_closed = False
        self._most = at_once or max(1, _BATCH_SQUARES // self._count)
        state = search.begin(self._most)
        if self._count == 1 or is_too_small(problem):
            self.is_complete = True
            if not problem.closed:
                self._held.append([int(move_graph(problem.board).squares[0])])
            return
        self._state = state

    @property
    def nodes(self) -> int:
        """Number of squares placed so far."""
        return 0 if self._state is None else int(self._state.counters[NODES])

    @property
    def backs(self) -> int:
        """Number of moves undone so far."""
        return 0 if self._state is None else int(self._state.counters[BACKS])

    def __iter__(self) -> TourOrders:
        return self

    def close(self) -> None:
        """Stop the iteration."""
        self._held.clear()
        self._is_closed = True

    def __next__(self) -> list[int]:
        if not self._held and not self.is_complete and not self._is_closed:
            self._search()
        if not self._held:
            raise StopIteration
        return self._held.pop()

    def _search(self) -> None:
        """Find the next batch of tours. Batches grow while they are quickly filled, so the first tour is immediate."""
        state = self._state
        assert state is not None
        capacity = int(state.counters[CAPACITY])
        before = time.perf_counter()
        status = slices.drive("backtracking_step", state, self._budget, observe=self._observe)
        took = time.perf_counter() - before
        if took < 0.01:
            state.counters[CAPACITY] = min(2 * capacity, self._most)
        elif took > 0.1:
            state.counters[CAPACITY] = max(capacity // 2, 1)
        self.is_complete = status == slices.EXHAUSTED
        held = int(state.counters[HELD])
        tours = state.tours[: held * self._count].reshape(held, self._count)
        self._held = (tours[::-1, ::-1] if self._is_backwards else tours[::-1]).tolist()
        state.counters[HELD] = 0


def _observer(trace: Trace) -> slices.Observe:
    """Return a callback that reports a search to a trace. Each node tries one square, after undoing failed moves."""
    shown: list[int] = []
    nodes = 0
    was_found = False

    def observe(state: State, status: int) -> None:
        nonlocal nodes, was_found
        c, path = state.counters, state.path
        first, depth = c[FIRST], c[DEPTH]
        if was_found:
            # The tour may have been reported in reverse.
            trace.add("path", shown)
        was_found = status == slices.FOUND
        has_tried = c[NODES] > nodes
        nodes = c[NODES]
        # With prunings a refused square is still in the array after the end of the path.
        is_refused = has_tried and c[PRUNE] + c[FEWEST] > 0 and c[FRESH] == 0
        kept = min(len(shown), depth + 1 - first - (has_tried and not is_refused))
        if len(shown) > kept:
            trace.add("unvisit", reversed(shown[kept:]))
            del shown[kept:]
        for square in path[first + kept : depth + 1 + is_refused]:
            trace.add("visit", (square,))
            shown.append(square)
        if is_refused:
            trace.add("unvisit", (shown.pop(),))
        elif has_tried and status == slices.RUNNING:
            ways = _ways(state, path[depth])
            barred = c[END] if depth != c[TOTAL] - 2 else -1
            ways = [x for x in ways if x != barred]
            trace.add("candidates", ways, (len(_ways(state, x)) for x in ways))

    return observe


def _ways(state: State, square: int) -> list[int]:
    low, high = state.offsets[square], state.offsets[square + 1]
    root = state.path[0]
    ways = (state.targets[k] for k in range(low, high) if state.edge[k] != 0)
    return [x for x in ways if state.position[x] < 0 and x != root]


# ---------------------------------------------------------------- options


def pruning_bits(prune: str | Sequence[str]) -> int:
    """Return the named prunings as a sum of bits."""
    return sum(_BITS[name] for name in set(prunings_named(prune)))


def _places(board: Board, move_order: str) -> tuple[np.ndarray, int]:
    """Return the rank of each square as a start, and the first square of closed tours.

    Squares are ranked by number, or lexicographically by name. The first square is the first by name, else the square
    with the fewest moves, from which the search is fastest.
    """
    graph = move_graph(board)
    places = np.arange(len(graph.is_square))
    if move_order != "lexicographic":
        return places, int(graph.squares[np.argmin(graph.degrees[graph.squares])])
    if isinstance(board, GridBoard):
        rows, cols = np.divmod(places, board.cols)
        # Names: letters count from the left, numbers from below.
        places = cols * board.rows + board.rows - 1 - rows
    return places, int(graph.squares[np.argmin(places[graph.squares])])


def _move_ranks(board: Board, move_order: str, seed: int) -> np.ndarray:
    """Return for each move of `move_graph` its rank among the moves from its square; lower ranks are tried first."""
    graph = move_graph(board)
    in_order = np.arange(len(graph.targets))
    if move_order == "random":
        return np.random.default_rng(first_random(seed)).permutation(in_order)
    if move_order == "lexicographic":
        return _places(board, move_order)[0][graph.targets]
    if move_order in ORDERS:
        return in_order
    if not isinstance(board, GridBoard):
        raise ProblemError(
            f"unknown order of moves {quoted(move_order)}",
            note=f"the moves of the {title_of(board)} are not numbered: only boards with rows and columns number them",
            help="one of " + ", ".join(ORDERS),
        )
    moves = board.piece.vectors
    digits = "".join(str(i + 1) for i in range(len(moves)))
    if sorted(move_order) != list(digits):
        raise ProblemError(
            f"unknown order of moves {quoted(move_order)}",
            help="one of " + ", ".join(ORDERS) + f", or the moves' places {digits} in any order",
        )
    rows, cols = np.divmod(graph.tails, board.cols)
    ranks = np.full(len(rows), len(moves))
    # From last to first, so that the earlier of two moves to one square of a wrapped board counts.
    for rank, digit in reversed(list(enumerate(move_order))):
        dr, dc = moves[int(digit) - 1]
        ranks[board.landing(rows, cols, dr, dc) == graph.targets] = rank
    return ranks


# ---------------------------------------------------------------- the search before its first step


def _start_state(counters: np.ndarray, signs: np.ndarray, moves: RootedMoves, places: np.ndarray, room: int) -> State:
    """Return the state of a search for cycles through the root, with an empty path. room: squares of tours to keep."""
    root, tails, targets = moves
    vertices, edges = len(signs), len(targets)
    degrees = bincount(tails, minlength=vertices)
    offsets = np.zeros(vertices + 1, dtype=np.int64)
    np.cumsum(degrees, out=offsets[1:])
    mirror = np.empty(edges, dtype=np.int64)
    # All moves differ, so one number sorts them by either end.
    mirror[np.argsort(tails * vertices + targets)] = np.argsort(targets * vertices + tails)

    def zeros(length: int) -> np.ndarray:
        return np.zeros(length, dtype=np.int64)

    near_root, path = zeros(vertices), zeros(vertices + 1)
    near = targets[offsets[root] : offsets[root + 1]]
    near_root[near] = 1 + places[near]
    path[0] = root
    return State(
        counters=counters,
        offsets=offsets,
        targets=targets,
        mirror=mirror,
        near_root=near_root,
        sign=signs,
        path=path,
        position=np.full(vertices, -1, dtype=np.int64),
        left=zeros(vertices),
        choices=zeros(edges),
        tours=zeros(room),
        edge=np.ones(edges, dtype=np.int64),
        degree=degrees.astype(np.int64),
        fixed=zeros(vertices),
        mate=np.arange(vertices, dtype=np.int64),
        # Each move is excluded, and each certain move of a vertex recorded, at most once, with three numbers.
        trail=zeros(edges // 2 + 3 * vertices),
        marks=zeros(vertices),
        queue=zeros(edges + vertices),
        memory=zeros(NOTES * vertices),
    )


def _counters(problem: Problem, prunings: int, fewest: bool, one_way: bool) -> np.ndarray:
    start, end = search_ends(problem)
    count = square_count(problem.board)
    counters = np.zeros(COUNTERS, dtype=np.int64)
    counters[START] = -1 if start is None or problem.closed else start
    counters[TOTAL] = count if problem.closed else count + 1
    counters[FIRST] = 0 if problem.closed else 1
    counters[END] = -1 if end is None else end
    counters[PRUNE] = prunings
    counters[FEWEST] = int(fewest)
    counters[ONE_WAY] = int(one_way)
    counters[CAPACITY] = 1
    # Without prunings a given start is placed together with the root.
    counters[BASE] = int(counters[START] >= 0 and prunings == 0 and not fewest)
    return counters


def _colour_signs(board: Board, prunings: int) -> np.ndarray:
    """Return 1 or -1 for the two colours of the squares, and 0 for the root and holes.

    All are 0 if no pruning needs colours, since on large boards the colouring is the slowest part of the preparation.
    """
    is_square = move_graph(board).is_square
    signs = np.zeros(len(is_square) + 1, dtype=np.int64)
    classes = colour_classes(board) if prunings & ISLANDS else None
    if classes is not None:
        signs[:-1][is_square] = 1 - 2 * classes[is_square].astype(np.int64)
    return signs


def _moves_with_root(
    problem: Problem, places: np.ndarray, first: int, ranks: np.ndarray, signs: np.ndarray
) -> RootedMoves:
    """Return the moves of a search and its root: the first square, or for open tours an additional vertex."""
    graph = move_graph(problem.board)
    size = len(graph.is_square)
    start, end = search_ends(problem)
    tails, targets = graph.tails, graph.targets
    if problem.closed:
        root = first if start is None else start
    else:
        root = size
        ends = graph.squares if end is None else np.array([end])
        if end is None and signs.any():
            ends = ends[_may_end(signs[ends], 0 if start is None else int(signs[start]))]
        near = ends if start is None else np.union1d(ends, [start])
        ranks = np.concatenate([ranks, np.full(len(near), ranks.max(initial=0) + 1), places[near]])
        tails = np.concatenate([tails, near, np.full(len(near), root)])
        targets = np.concatenate([targets, np.full(len(near), root), near])
    in_order = np.lexsort((ranks, tails))
    return RootedMoves(root, tails[in_order], targets[in_order])


def _may_end(signs: np.ndarray, start_sign: int) -> np.ndarray:
    """Return the squares of these colours where an alternating tour may end; start_sign 0 if no start is given."""
    surplus = int(signs.sum())
    if abs(surplus) > 1:
        return np.zeros(len(signs), dtype=bool)
    if surplus:
        # One colour has one more square: the tour starts and ends on it.
        return signs == (surplus if start_sign in (0, surplus) else 0)
    return signs != start_sign
