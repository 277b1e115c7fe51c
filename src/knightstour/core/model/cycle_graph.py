"""Problems as closed walks: an open tour becomes a closed one through virtual squares.

A virtual square lies between the end of an open tour and its start. With free ends it has a move to every square. With
both ends given it has moves to these two alone, so a closed tour needs both. With one end given there are two virtual
squares: one between the given end and the other virtual square, which has moves to all other squares. So a search for
Hamiltonian cycles solves all problems, with the ends as constraints and without special cases.

Vertices are numbered from 0: the squares (without holes) in rising order, then the virtual ones. A LoopGraph is that
graph with names of its squares, changed by arguments; texts must be about the board, without virtual squares.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from knightstour.core.model.board import MAX_LISTED_SQUARES, move_graph, square_count
from knightstour.core.model.indices import bincount, repeat
from knightstour.core.model.problem import Problem, end_index, is_too_small, start_index
from knightstour.core.model.result import TOO_SMALL, Outcome, found, impossible


class CycleGraph(NamedTuple):
    """Graph whose Hamiltonian cycles are the tours of a problem.

    The neighbours of vertex v are `targets[offsets[v]:offsets[v + 1]]`. All arrays are int64.

    Attributes:
        squares: The board's number of each vertex that is a square.
        size: Number of vertices.
    """

    offsets: np.ndarray
    targets: np.ndarray
    squares: np.ndarray
    size: int


def cycle_graph(problem: Problem) -> CycleGraph:
    """The squares and moves of the board, and virtual squares as the ends of the tour need them.

    >>> graph = cycle_graph(Problem((3, 4), start="a1"))
    >>> graph.size, graph.targets[graph.offsets[12] :].tolist()
    (14, [8, 13, 12, 0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11])
    """
    moves = move_graph(problem.board)
    squares = moves.squares
    count = len(squares)
    vertex = np.cumsum(moves.is_square, dtype=np.int64) - 1
    targets = vertex[moves.targets]
    offsets = np.append(moves.offsets[squares], moves.offsets[-1])
    if problem.closed:
        return CycleGraph(offsets, targets, squares, count)
    every = np.arange(count, dtype=np.int64)
    ends = [int(vertex[s]) for s in (start_index(problem), end_index(problem)) if s is not None]
    if len(ends) == 2:
        virtual = [np.array(ends, dtype=np.int64)]
    elif ends:
        virtual = [np.array([ends[0], count + 1], dtype=np.int64), np.append(count, np.delete(every, ends[0]))]
    else:
        virtual = [every]
    # Moves go both ways: each square gets its move to a virtual one after its own.
    far = np.concatenate([near[near < count] for near in virtual])
    names = np.concatenate([np.full(int((near < count).sum()), count + k) for k, near in enumerate(virtual)])
    tails = np.concatenate([repeat(every, np.diff(offsets)), far])
    heads = np.concatenate([targets, names])
    by_tail = np.argsort(tails, kind="stable")
    degrees = np.concatenate([bincount(tails, minlength=count), [len(near) for near in virtual]])
    all_offsets = np.concatenate([[0], np.cumsum(degrees)]).astype(np.int64)
    return CycleGraph(all_offsets, np.concatenate([heads[by_tail], *virtual]), squares, count + len(virtual))


def opening(problem: Problem, graph: CycleGraph) -> list[int]:
    """Return the best first vertices for a search that follows the cycle.

    From a given end the walk leads away over the virtual squares; from a free end the virtual square comes first. A
    closed tour starts at the square with the fewest moves, which is the hardest to return to.

    >>> problem = Problem((3, 4), start="a1")
    >>> opening(problem, cycle_graph(problem))
    [13, 12, 8]
    """
    count = len(graph.squares)
    if problem.closed:
        return [int(np.diff(graph.offsets).argmin())]
    near = graph.targets[graph.offsets[count] : graph.offsets[count + 1]]
    if problem.start is not None and problem.end is not None:
        return [int(near[0]), count, int(near[1])]
    return [count] if graph.size == count + 1 else [count + 1, count, int(near[0])]


def order_of(problem: Problem, graph: CycleGraph, cycle: Sequence[int] | np.ndarray) -> np.ndarray:
    """The tour of a Hamiltonian cycle given as its vertices in order: square numbers, the start first."""
    walk = np.asarray(cycle, dtype=np.int64)
    count = len(graph.squares)
    if not problem.closed:
        # After the last virtual square the tour begins; the two are neighbours if there are two.
        walk = np.roll(walk, -int(np.argmax(walk >= count)))
        if graph.size > count + 1 and walk[1] < count:
            walk = np.roll(walk, 1)
        walk = walk[graph.size - count :]
    order = graph.squares[walk]
    if problem.closed and start_index(problem) is not None:
        return np.roll(order, -int(np.argmax(order == start_index(problem))))
    is_backwards = (start_index(problem) is not None and order[0] != start_index(problem)) or (
        end_index(problem) is not None and order[-1] != end_index(problem)
    )
    return order[::-1] if is_backwards else order


def moves_along(graph: CycleGraph, line: Sequence[int] | np.ndarray) -> list[tuple[int, int]]:
    """The pairs of squares that follow each other in a closed line of vertices and are a move apart.

    >>> moves_along(cycle_graph(Problem((3, 4))), [0, 6, 12, 1, 2, 11])
    [(0, 6), (2, 11)]
    """
    tails = np.asarray(line, dtype=np.int64)
    heads = np.roll(tails, -1)
    moves = repeat(np.arange(graph.size, dtype=np.int64), np.diff(graph.offsets)) * graph.size + graph.targets
    moves.sort()
    pairs = tails * graph.size + heads
    # Not `np.isin`, which takes several times as long.
    is_move = np.searchsorted(moves, pairs, "right") > np.searchsorted(moves, pairs)
    shown = is_move & (np.maximum(tails, heads) < len(graph.squares))
    return list(zip(tails[shown].tolist(), heads[shown].tolist(), strict=True))


def trivial(problem: Problem) -> Outcome | None:
    """Return the outcome if there are too few squares for a cycle, else None.

    >>> trivial(Problem((1, 1))).order
    [0]
    >>> trivial(Problem((8, 8))) is None
    True
    """
    if is_too_small(problem):
        return impossible(*TOO_SMALL)
    if square_count(problem.board) == 1:
        return found([int(move_graph(problem.board).squares[0])])
    return None


def why_not_listed(problem: Problem) -> str | None:
    """Return the reason why a search that lists all moves does not support a problem, or None.

    >>> why_not_listed(Problem((8, 8)))
    >>> why_not_listed(Problem((10**6, 10**6)))
    'it lists the moves of all squares, which is done up to 50,000,000 squares'
    """
    if problem.board.rows * problem.board.cols > MAX_LISTED_SQUARES:
        return f"it lists the moves of all squares, which is done up to {MAX_LISTED_SQUARES:,} squares"
    return None


# The neighbours of each vertex.
Near = list[set[int]]


class LoopGraph(NamedTuple):
    """Problem as closed tours of a graph.

    Attributes:
        near: The neighbours of each vertex; arguments remove moves.
        square_count: Number of squares; virtual vertices come after them.
        numbers: The square row * cols + col of each vertex; virtual ones continue from rows * cols.
    """

    problem: Problem
    near: Near
    square_count: int
    numbers: list[int]

    def squares_of(self, vertices: Iterable[int]) -> list[int]:
        """The numbers of these vertices, rising, without the virtual ones."""
        return sorted(self.numbers[v] for v in vertices if v < self.square_count)

    def copy(self) -> LoopGraph:
        """Return a copy whose neighbour sets can be changed."""
        return self._replace(near=[set(others) for others in self.near])


def loop_graph(problem: Problem) -> LoopGraph:
    """The graph of a question.

    >>> graph = loop_graph(Problem((3, 4), start="a1"))
    >>> graph.square_count, graph.near[12], graph.numbers[8:]
    (12, {8, 13}, [8, 9, 10, 11, 12, 13])
    """
    graph = cycle_graph(problem)
    targets, offsets = graph.targets.tolist(), graph.offsets.tolist()
    near = [set(targets[offsets[v] : offsets[v + 1]]) for v in range(graph.size)]
    board = problem.board
    count = len(graph.squares)
    virtual = range(board.rows * board.cols, board.rows * board.cols + graph.size - count)
    return LoopGraph(problem, near, count, [*graph.squares.tolist(), *virtual])


def pieces_without(near: Near, removed: Collection[int]) -> list[list[int]]:
    """The parts into which a graph falls without some vertices.

    >>> pieces_without([{1}, {0, 2}, {1}], {1})
    [[0], [2]]
    """
    seen = bytearray(len(near))
    for vertex in removed:
        seen[vertex] = 1
    pieces = []
    for first in range(len(near)):
        if seen[first]:
            continue
        seen[first] = 1
        piece = [first]
        for vertex in piece:
            for other in near[vertex]:
                if not seen[other]:
                    seen[other] = 1
                    piece.append(other)
        pieces.append(piece)
    return pieces
