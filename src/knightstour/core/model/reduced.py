"""Problems with required and forbidden moves as problems on a graph, so that every search and count supports them.

A forbidden move is deleted. A required move is halved by a virtual square, which has two moves and so needs both; and a
square at two required moves loses its others. An open tour with required moves becomes a closed one through virtual
squares at its ends, since otherwise a tour might end at a virtual square. With free ends there is one, with a move to
every square. With given ends there are two side by side, the first with a move to one end and the second to the
possible other ends.

The tours of the graph correspond to the tours of the problem one to one. The squares keep their order, each required
move's virtual square follows the lower of its ends, and each square's moves keep theirs: so a search is similar to a
search on the board.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np

from knightstour.core.model.board import move_graph, square_names
from knightstour.core.model.conditions import name_of_move
from knightstour.core.model.deadline import check_deadline, no_garbage_sought
from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.problem import Problem, end_index, replace_fields, start_index

T = TypeVar("T")


class ReducedGraph(NamedTuple):
    """Problem on a graph, and the meaning of its vertices.

    Attributes:
        original: The problem on the board.
        problem: The problem on the graph, without conditions.
        squares: The board's number of each vertex, -1 for a virtual one, int64.
        hub: The virtual square next to the start, or -1.
    """

    original: Problem
    problem: Problem
    squares: np.ndarray
    hub: int

    def order(self, order: Sequence[int] | np.ndarray) -> np.ndarray:
        """The tour of the board, as square numbers, of a tour of the graph."""
        walk = np.asarray(order, dtype=np.int64)
        if self.hub >= 0:
            walk = np.roll(walk, -int(np.argmax(walk == self.hub)))
        found = self.squares[walk]
        found = found[found >= 0]
        start, end = start_index(self.original), end_index(self.original)
        if self.hub >= 0 and ((start is not None and found[0] != start) or (end is not None and found[-1] != end)):
            return found[::-1]
        return found

    def orders(self, orders: np.ndarray) -> np.ndarray:
        """Return the tours of the board for tours of the graph, one per row: int64."""
        return np.array([self.order(row) for row in orders], dtype=np.int64).reshape(len(orders), -1)

    @property
    def with_start(self) -> Problem:
        """The question with the start that a list of all its tours begins at."""
        start = self.hub
        if start < 0 and self.problem.closed and self.problem.start is None:
            graph = move_graph(self.original.board)
            first = int(graph.squares[np.argmin(graph.degrees[graph.squares])])
            start = int(np.argmax(self.squares == first))
        return self.problem if start < 0 else replace_fields(self.problem, start=(0, start))


def reduce_problem(problem: Problem, is_loose: bool = False) -> ReducedGraph:
    """The question, which has required or forbidden moves alone, as one about a graph.

    Args:
        is_loose: An open tour stays one, so that no virtual square has a move to every square, which on large boards
            slows down each step of a search; but then a tour of the graph may end at the virtual square of a required
            move, which it does not make.

    >>> made = reduce_problem(Problem((3, 4), start="a1", require=["a3-b1"]))
    >>> made.problem.closed, made.squares.tolist()
    (True, [0, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, -1, -1])
    """
    # Only open tours through given moves have a virtual square that may be left out.
    return _build_reduced(problem, is_loose and bool(problem.require) and not problem.closed)


@functools.lru_cache(maxsize=16)
def _build_reduced(problem: Problem, is_loose: bool) -> ReducedGraph:
    board = problem.board
    required = sorted(problem.require)
    moves = move_graph(board)
    real = moves.squares
    # A virtual square comes after the lower end of its move, and so after all squares up to there.
    lower = np.array([a for a, _ in required], dtype=np.int64)
    after = np.searchsorted(real, lower, side="right")
    virtual = {pair: int(k) for pair, k in zip(required, after + np.arange(len(required)), strict=True)}
    place = np.full(board.rows * board.cols, -1)
    place[real] = np.arange(len(real)) + np.searchsorted(lower, real, side="left")
    squares = np.full(len(real) + len(required), -1, dtype=np.int64)
    squares[place[real]] = real
    check_deadline()
    near = _with_virtual(
        _neighbours(problem, place, virtual), [tuple(place[list(pair)].tolist()) for pair in required], after
    )
    check_deadline()
    own = square_names(board)
    names = _with_virtual(
        own if len(own) == len(real) else [own[s] for s in real.tolist()],
        [f"the move {name_of_move(board, pair)}" for pair in required],
        after,
    )
    check_deadline()
    start, end = (None if s is None else int(place[s]) for s in (start_index(problem), end_index(problem)))
    hub = -1
    if required and not problem.closed and not is_loose:
        hub = len(near)
        full = _full(problem)
        _close(near, start, end, [vertex for vertex, s in enumerate(squares.tolist()) if s >= 0 and s not in full])
        names += ["the ends", "the other end"][: len(near) - hub]
        squares = np.append(squares, [-1] * (len(near) - hub))
        start = end = None
    graph = GraphBoard(names, tuple(near))
    first, last = (None if v is None else (0, v) for v in (start, end))
    smaller = Problem(graph, closed=problem.closed or hub >= 0, start=first, end=last, partial=problem.partial)
    return ReducedGraph(problem, smaller, squares, hub)


def _full(problem: Problem) -> set[int]:
    """Return the squares whose moves are all known."""
    ends = () if problem.closed else (start_index(problem), end_index(problem))
    known = Counter(s for pair in problem.require for s in pair) + Counter(s for s in ends if s is not None)
    return {s for s, moves in known.items() if moves >= 2}


def _with_virtual(items: list[T], others: list[T], after: np.ndarray) -> list[T]:
    """Merge `items` of squares with `others` of virtual vertices, each inserted after that number of squares."""
    mixed: list[T] = []
    for first, last, other in zip([0, *after.tolist()], after.tolist(), others, strict=False):
        mixed += items[first:last]
        mixed.append(other)
    return mixed + items[after[-1] :] if others else items


def _neighbours(problem: Problem, place: np.ndarray, virtual: dict[tuple[int, int], int]) -> list[tuple[int, ...]]:
    """Return the neighbours of each square, except at the ends, in the order of the board's moves."""
    moves = move_graph(problem.board)
    flat = place[moves.targets].tolist()
    check_deadline()
    with no_garbage_sought():
        near = [tuple(flat[a:b]) for a, b in pairwise(moves.offsets.tolist())]
    check_deadline()

    def lists(s: int) -> list[int]:
        found: list[int] = moves.targets[moves.offsets[s] : moves.offsets[s + 1]].tolist()
        return found

    full = _full(problem) if problem.require else set()
    required: dict[int, dict[int, int]] = {}
    for pair in problem.require:
        for s, other in (pair, pair[::-1]):
            required.setdefault(s, {})[other] = virtual[pair]
    forbidden: dict[int, set[int]] = {}
    for pair in problem.forbid:
        for s, other in (pair, pair[::-1]):
            forbidden.setdefault(s, set()).add(other)
    for s in {*required, *forbidden, *full, *(u for v in full for u in lists(v))}:
        made, gone = required.get(s, {}), forbidden.get(s, ())
        others = lists(s) if s not in full else list(made)
        near[s] = tuple(
            made[u] if u in made else int(place[u]) for u in others if u in made or (u not in full and u not in gone)
        )
    return near if moves.is_square.all() else [near[s] for s in moves.squares.tolist()]


def _close(near: list[tuple[int, ...]], start: int | None, end: int | None, free: list[int]) -> None:
    """Add virtual squares between the ends of an open tour."""
    hub = len(near)
    if start is not None and end is not None:
        links = [[start, hub + 1], [hub, end]]
    elif start is not None or end is not None:
        known = start if start is not None else end
        assert known is not None
        links = [[known, hub + 1], [hub, *(v for v in free if v != known)]]
    else:
        links = [free]
    near += map(tuple, links)
    for k, others in enumerate(links):
        for v in others:
            if v < hub:
                near[v] += (hub + k,)
