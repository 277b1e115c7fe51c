"""The graph whose closed tours are the tours asked for, as arguments change it and name its squares.

Open tours become closed ones by virtual squares (core/model/cycle_graph.py), so that an argument need only be about
closed tours, whatever the ends. Words must be about the board again: a reader knows no virtual square.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from knightstour.core.model.cycle_graph import cycle_graph
from knightstour.core.model.problem import Problem

# The neighbours of each vertex.
Near = list[set[int]]


class LoopGraph(NamedTuple):
    """A question as one about closed tours of a graph.

    near: the neighbours of each vertex; arguments take moves out. square_count: how many of the vertices are squares;
    virtual ones come after them. numbers: of each vertex the square row * cols + col; virtual ones go on from
    rows * cols.
    """

    problem: Problem
    near: Near
    square_count: int
    numbers: list[int]

    def squares_of(self, vertices: Iterable[int]) -> list[int]:
        """The numbers of these vertices, rising, without the virtual ones."""
        return sorted(self.numbers[v] for v in vertices if v < self.square_count)

    def copy(self) -> LoopGraph:
        """The same, to be changed."""
        return self._replace(near=[set(others) for others in self.near])


def loop_graph(problem: Problem) -> LoopGraph:
    """The graph of a question.

    >>> graph = loop_graph(Problem.of((3, 4), start="a1"))
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
