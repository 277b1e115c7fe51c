"""Parallel backtracking: one search is cut into branches, which workers follow in parallel.

A task is a branch: a walk from the root, and the untried moves below it. A worker stops after a fixed number of nodes
and returns the tours found. If work is left, it also returns the branch cut in two near the root: the part below the
first square of its walk with other waiting moves, and those moves.

The branches are kept in the order of the search, each replaced by its remaining parts. The first unassigned branch is
assigned next, and tours are returned from the front. So they have the order of one process, and few parts wait. The
cuts depend on the search alone: for any workers, the nodes add up to the nodes of one process, and a limit of nodes
ends the search at the same node.

Cost: a task needs a twentieth to a tenth of a second, and 0.5 ms to begin on 8x8; the first, a sixteenth of that, runs
before any worker is started.

Source: R. Finkel & U. Manber, DIB: a distributed implementation of backtracking, 1987, for work given away near the
root.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import NamedTuple, TypeAlias

import numpy as np

from knightstour.core.machine import slices
from knightstour.core.machine.native import kernel_function
from knightstour.core.machine.sharing import Workers, checked_workers, processes_of, run_pieces
from knightstour.core.model.board import square_count
from knightstour.core.model.budget import NO_LIMITS, Budget, Limits, processor_seconds
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.problem import Problem, is_too_small
from knightstour.core.model.result import TOO_SMALL, Outcome, exhausted, found, impossible, undecided
from knightstour.core.search import backtracking as kernel
from knightstour.core.search.backtracking import Search, TourOrders
from knightstour.core.search.some_squares import first_of_some

# Nodes of a task: without prunings; with prunings; with prunings of the whole board, divided by its squares.
_LEAN_NODES = 1 << 23
_NODES = 1 << 17
_FAR_NODES = 1 << 22
_FEWEST_NODES = 1 << 12
# Fraction of a task that runs before any worker is started; it finishes small searches.
_FIRST_PART = 16
# Limits: squares of the tours of one task; squares, and parts, that wait for their turn.
_PART_SQUARES = 1 << 20
_HELD_SQUARES = 1 << 26
_HELD_PARTS = 1 << 13
# Squares of the tours in the kernel's buffer; a larger one is slow to allocate.
_ROOM_SQUARES = 1 << 13


class Branch(NamedTuple):
    """Remaining part of a search below a walk.

    Attributes:
        walk: The vertices from the root on, as numbered by the kernel; empty for the whole search.
        base: The branch ends before the move to walk[base] would be undone.
        waiting: The kernel's data of the moves waiting at the last vertex; -1 if not computed.
    """

    walk: tuple[int, ...] = ()
    base: int = 0
    waiting: int = -1


class Part(NamedTuple):
    """Result of a task.

    Attributes:
        orders: The tours, one per row, in the order of the search; None if they are only counted.
        found: Number of tours.
        nodes, backs: Squares placed and moves undone.
        rest: Remaining branches, in the order of the search.
        seconds: Processor time.
    """

    orders: np.ndarray | None
    found: int
    nodes: int
    backs: int
    rest: tuple[Branch, ...]
    seconds: float


def search_branch(
    search: Search, branch: Branch, nodes: int, most: int, only_count: bool = False, limits: Limits = NO_LIMITS
) -> Part:
    """Follow a branch for `nodes` nodes, until `most` tours are found, or the time of the limits is over.

    >>> search = Search(Problem((3, 4)), 0, "classic", "all", directed=False)
    >>> part = search_branch(search, Branch(), 100, 3)
    >>> part.orders.shape, [len(branch.walk) for branch in part.rest]
    ((3, 12), [13, 1])
    >>> sum(search_branch(search, branch, 1000, 1000).found for branch in part.rest)
    5
    """
    board = search.problem.board
    squares = square_count(board)
    room = min(most, max(1, _ROOM_SQUARES // squares))
    state = search.begin(room)
    root_base = state.counters[kernel.BASE]
    if branch.walk:
        kernel_function("backtracking_follow")(
            state, np.array(branch.walk, dtype=np.int64), branch.base, branch.waiting
        )
    before = processor_seconds()
    budget = Budget(replace(limits, nodes=nodes))
    kind = np.min_scalar_type(board.rows * board.cols)
    orders: list[np.ndarray] = []
    found = 0
    while True:
        state.counters[kernel.CAPACITY] = min(room, most - found)
        status = slices.drive("backtracking_step", state, budget)
        held = int(state.counters[kernel.HELD])
        state.counters[kernel.HELD] = 0
        found += held
        if held and not only_count:
            orders.append(state.tours[: held * squares].astype(kind).reshape(held, squares))
        if status != slices.FOUND or found >= most:
            break
    backs = int(state.counters[kernel.BACKS])
    rest: tuple[Branch, ...] = ()
    if status != slices.EXHAUSTED:
        rest = _remaining_branches(state) if state.counters[kernel.STARTED] else (branch,)
    elif branch.walk and branch.base > root_base:
        backs += 1  # for the move to walk[base], which a search of the root alone does not undo
    rows = None
    if not only_count:
        rows = np.concatenate(orders) if orders else np.empty((0, squares), dtype=kind)
        rows = rows[:, ::-1] if search.is_backwards else rows
    return Part(rows, found, budget.nodes, backs, rest, processor_seconds() - before)


def _remaining_branches(state: kernel.State) -> tuple[Branch, ...]:
    """Return the remaining branches of a stopped search, cut at the first square with waiting moves."""
    c = state.counters
    depth, base = int(c[kernel.DEPTH]), int(c[kernel.BASE])
    walk = tuple(int(v) for v in state.path[: depth + 1])
    waiting = -1 if c[kernel.FRESH] else int(state.left[depth])
    for k in range(base, depth):
        if _has_waiting(state, k):
            return Branch(walk, k + 1, waiting), Branch(walk[: k + 1], base, int(state.left[k]))
    return (Branch(walk, base, waiting),)


def _has_waiting(state: kernel.State, depth: int) -> bool:
    c = state.counters
    if c[kernel.PRUNE] or c[kernel.FEWEST]:
        return bool(state.left[depth] > 0)
    here = state.path[depth]
    barred = c[kernel.END] if depth != c[kernel.TOTAL] - 2 else -1
    others = (state.targets[k] for k in range(state.left[depth], state.offsets[here + 1]))
    # Later squares of the path would be free.
    return any(x != barred and not 0 <= state.position[x] <= depth for x in others)


# ---------------------------------------------------------------- queue of branches


class _Place:
    """A branch in the queue: unassigned, assigned, or finished."""

    __slots__ = ("branch", "is_sent", "part")

    def __init__(self, branch: Branch) -> None:
        self.branch = branch
        self.is_sent = False
        self.part: Part | None = None


class SharedOrders:
    """Iterator over the tours of a search in the order of TourOrders, found by workers. It can be iterated once.

    Args:
        first_only: Whether only the first tour is needed.
        only_count: Whether tours are only counted, in `parts`.

    Attributes:
        is_complete: Whether the search is exhausted.
        nodes, backs: Counters of the search up to the last returned tour; workers may be ahead.
    """

    def __init__(
        self, search: Search, budget: Budget, workers: Workers, *, first_only: bool = False, only_count: bool = False
    ) -> None:
        workers = checked_workers(workers)
        if budget.trace is not None:
            raise ProblemError("a search that is shared out cannot be watched", help="watch it without workers")
        self._search, self._budget, self._workers = search, budget, workers
        self._first_only, self._only_count = first_only, only_count
        squares = square_count(search.problem.board)
        self._nodes = _nodes_of_piece(search.begin(1), squares)
        self._most = 1 if first_only else max(1, _PART_SQUARES // squares)
        self._most_held = float("inf") if only_count else _HELD_SQUARES // squares
        self._line = [_Place(Branch())]
        self._under_way: dict[int, _Place] = {}
        self._is_over = False
        self.is_complete = False
        self.nodes = self.backs = 0
        self.parts = self._parts()
        self._orders = (row.tolist() for part in self.parts if part.orders is not None for row in part.orders)

    def __iter__(self) -> Iterator[list[int]]:
        return self._orders

    def close(self) -> None:
        """End the search and its workers."""
        self.parts.close()

    def _parts(self) -> Generator[Part, None, None]:
        if square_count(self._search.problem.board) < 3:
            yield self._trivial()
            return
        self._replace_branch(self._line[0], self._follow(Branch(), max(1, self._nodes // _FIRST_PART)))
        yield from self._ready()
        if self._is_over:
            return
        values = run_pieces(search_branch, self._pieces(), self._workers, queued=2, seconds=self._budget.clock_left)
        processes = processes_of(self._workers)
        with closing(values):
            for k, part in values:
                if self._workers is not None:
                    self._budget.spend_elsewhere(part.seconds / processes)
                self._replace_branch(self._under_way.pop(k), part)
                yield from self._ready()
                if self._is_over:
                    return

    def _trivial(self) -> Part:
        """Search a board of one or two squares, which is too small for a cycle."""
        listing = TourOrders(self._search, self._budget)
        orders = np.array(list(listing), dtype=np.int64).reshape(-1, square_count(self._search.problem.board))
        self.nodes, self.backs, self.is_complete = listing.nodes, listing.backs, listing.is_complete
        return Part(orders, len(orders), listing.nodes, listing.backs, (), 0.0)

    def _follow(self, branch: Branch, nodes: int) -> Part:
        limits = self._budget.remaining_limits(least=0.001)
        return search_branch(self._search, branch, nodes, self._most, self._only_count, limits)

    def _pieces(self) -> Iterator[tuple[object, ...] | None]:
        """Yield the first unassigned branch, or None if the caller must wait."""
        sent = 0
        while not self._is_over:
            place = next((place for place in self._line if not place.is_sent), None)
            if place is None or not (place is self._line[0] or self._may_look_ahead()):
                if not self._under_way:
                    return
                yield None
                continue
            place.is_sent = True
            self._under_way[sent] = place
            sent += 1
            limits = self._budget.remaining_limits(least=0.001)
            yield self._search, place.branch, self._nodes, self._most, self._only_count, limits

    def _may_look_ahead(self) -> bool:
        """Return whether a later branch may be assigned: there is space for its tours, and nodes are left."""
        held = [place.part for place in self._line if place.part is not None]
        if len(held) >= _HELD_PARTS or sum(part.found for part in held) >= self._most_held:
            return False
        searched = sum(part.nodes for part in held) + self._nodes * len(self._under_way)
        return self._budget.nodes_left(searched + 1) > searched

    def _replace_branch(self, place: _Place, part: Part) -> None:
        if place not in self._line:
            return  # after the required tour
        place.is_sent, place.part = True, part
        k = self._line.index(place) + 1
        if self._first_only and part.found:
            del self._line[k:]
        else:
            self._line[k:k] = [_Place(branch) for branch in part.rest]

    def _ready(self) -> Iterator[Part]:
        while self._line and self._line[0].part is not None and not self._is_over:
            place = self._line[0]
            part = place.part
            assert part is not None
            left = self._budget.nodes_left(part.nodes + 1)
            rest = len(self._line) - 1
            if part.nodes >= left:
                # The limit of nodes is in this branch: repeat it up to the limit.
                part = self._follow(place.branch, left)
                rest = max(rest, len(part.rest))
            del self._line[0]
            self.nodes += part.nodes
            self.backs += part.backs
            self._budget.spend(part.nodes)
            self.is_complete = not rest
            self._is_over = self.is_complete or self._budget.is_spent
            yield part


def _nodes_of_piece(state: kernel.State, squares: int) -> int:
    prunings = state.counters[kernel.PRUNE]
    if not prunings and not state.counters[kernel.FEWEST]:
        return _LEAN_NODES
    if prunings & (kernel.CONNECTIVITY | kernel.ISLANDS):
        return max(_FAR_NODES // squares, _FEWEST_NODES)
    return _NODES


# ---------------------------------------------------------------- with workers or without

# Iterators over the tours of a search.
Listing: TypeAlias = TourOrders | SharedOrders


def list_orders(search: Search, budget: Budget, workers: Workers = None) -> Listing:
    """Return an iterator over the tours of a search, in its order, found by workers if given.

    >>> listing = list_orders(Search(Problem((5, 6), closed=True), directed=False), Budget())
    >>> len(list(listing)), listing.is_complete
    (8, True)
    """
    if workers is None:
        return TourOrders(search, budget)
    return SharedOrders(search, budget, workers)


def backtracking(
    problem: Problem,
    budget: Budget,
    seed: int,
    *,
    move_order: str = "classic",
    prune: str | Sequence[str] = (),
    workers: Workers = None,
) -> Outcome:
    """Search for the first tour in the order of moves, or the proof that none exists.

    Without a start all starts are tried, in the order of the squares. A closed tour is searched from the first square
    with the fewest moves. If only an end is given, the search runs backwards from it. The counter `backs` is the number
    of undone moves.

    Args:
        move_order: A name of ORDERS, or the numbers of the moves in the required order, such as "13572468".
        prune: Names of PRUNINGS, as a sequence or comma-separated, or "all" or "none".
        workers: None, a number of processes, or a Dask client; the result and its nodes are the same.

    Raises:
        ProblemError: If the order or a pruning is unknown.

    >>> backtracking(Problem((3, 4), start=(0, 0)), Budget(), 0).order
    [0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 4]
    >>> backtracking(Problem((4, 4)), Budget(), 0, prune="all").status.value
    'impossible'
    """
    if problem.partial:
        return first_of_some(problem, budget, move_order, workers)
    search = Search(problem, seed, move_order, prune, directed=True)
    if workers is None:
        return first_of(problem, TourOrders(search, budget, at_once=1), budget)
    with closing(SharedOrders(search, budget, workers, first_only=True)) as listing:
        return first_of(problem, listing, budget)


def first_of(problem: Problem, listing: Listing, budget: Budget) -> Outcome:
    """Return the first tour of a listing, or the outcome of its end."""
    for squares in listing:
        return found(squares, backs=listing.backs)
    if not listing.is_complete:
        return undecided(budget.why_stopped(), backs=listing.backs)
    if is_too_small(problem):
        return impossible(*TOO_SMALL)
    return impossible(*exhausted(listing.nodes), backs=listing.backs)
