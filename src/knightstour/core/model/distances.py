"""Distances between squares in moves, and all shortest paths between them.

Squares are reached in rounds, all squares of one distance together. Shortest paths are counted round by round, in
integers of any size, and listed by going from the start to squares one move closer to the end.

Cost: a pass over the moves of the board; 1000x1000 squares need about a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from knightstour.core.model.deadline import check_deadline
from knightstour.core.model.errors import BoardError
from knightstour.core.model.indices import repeat
from knightstour.core.model.leaps import MoveGraph
from knightstour.core.model.wording import short_repr

# Larger boards would take minutes, and gigabytes for their moves.
MAX_SQUARES = 4_000_000

Square = tuple[int, int]


class AnyBoard(Protocol):
    """The parts of a Board that are used here; core/model/board.py imports this file for its annotations."""

    @property
    def rows(self) -> int: ...
    @property
    def cols(self) -> int: ...
    def square(self, square: object) -> Square: ...
    def square_name(self, square: Square) -> str: ...


@dataclass(frozen=True, slots=True, eq=False)
class ShortestPaths:
    """All shortest paths from one square to another; iterating lists them lazily, each as a tuple of (row, col).

    They are in rising order: by the first different square, row by row and from left to right.

    Attributes:
        moves: Number of moves of each; None if there is no path.
        count: Number of paths, exactly.
    """

    board: AnyBoard
    start: Square
    end: Square
    moves: int | None
    count: int
    _graph: MoveGraph = field(repr=False)
    _away: np.ndarray = field(repr=False)
    _square_at: Callable[[int], Square] = field(repr=False)

    def __iter__(self) -> Iterator[tuple[Square, ...]]:
        if self.moves is None:
            return
        cols, graph, away = self.board.cols, self._graph, self._away
        path = [self.start[0] * cols + self.start[1]]
        ways = [iter(_nearer(graph, away, path[0]))]
        while ways:
            if len(path) > self.moves:
                yield tuple(self._square_at(square) for square in path)
                square = None
            else:
                square = next(ways[-1], None)
            if square is None:
                ways.pop()
                path.pop()
            else:
                path.append(square)
                ways.append(iter(_nearer(graph, away, square)))

    def __repr__(self) -> str:
        name = self.board.square_name
        return short_repr(self, f"{name(self.start)} to {name(self.end)}, {self}")

    def __str__(self) -> str:
        if self.moves is None:
            return "no way"
        ways = f"{self.count:,} shortest way{'s' if self.count != 1 else ''}"
        return f"{self.moves:,} move{'s' if self.moves != 1 else ''}, {ways}"

    def to_dict(self) -> dict[str, object]:
        """Return the paths as a JSON-serialisable dict; the number of paths is a string, since it may be large.

        >>> from knightstour.core.model.board import Board
        >>> Board(8, 8).paths("a8", "h1").to_dict()["ways"]
        '108'
        """
        first = next(iter(self), None)
        return {
            "board": str(self.board),
            "rows": self.board.rows,
            "cols": self.board.cols,
            "from": self.board.square_name(self.start),
            "to": self.board.square_name(self.end),
            "moves": self.moves,
            "ways": str(self.count),
            "first": None if first is None else self.square_names(first),
        }

    def square_names(self, way: Iterable[Square]) -> list[str]:
        """The names of the squares of a way.

        >>> from knightstour.core.model.board import Board
        >>> ways = Board(8, 8).paths("a1", "b3")
        >>> [ways.square_names(way) for way in ways]
        [['a1', 'b3']]
        """
        return [self.board.square_name(square) for square in way]


def moves_away(near: Callable[[int], Iterable[int]], first: int, most: int | None = None) -> dict[int, int]:
    """Return the distance of each reachable square, breadth-first. near: returns the neighbours of a square.

    Args:
        most: Maximum distance.

    >>> moves_away([[1, 2], [0], [0], []].__getitem__, 1)
    {1: 0, 0: 1, 2: 2}
    """
    away, queue = {first: 0}, [first]
    for square in queue:
        if away[square] == most:
            break
        check_deadline()
        for other in near(square):
            if other not in away:
                away[other] = away[square] + 1
                queue.append(other)
    return away


def distances(board: AnyBoard, square: object, graph_of: Callable[[], MoveGraph]) -> np.ndarray:
    """Return the result of `Board.distances`. graph_of: returns the moves of the board."""
    _check_size(board)
    graph, first = graph_of(), _number(board, square)
    return _rounds(graph, first, None).reshape(board.rows, board.cols)


def shortest_paths(
    board: AnyBoard,
    start: object,
    end: object,
    graph_of: Callable[[], MoveGraph],
    square_at: Callable[[int], Square],
) -> ShortestPaths:
    """Return the result of `Board.paths`. graph_of, square_at: return the moves, and the square of a number."""
    _check_size(board)
    graph, first, last = graph_of(), _number(board, start), _number(board, end)
    away = _rounds(graph, last, first)
    ends = square_at(first), square_at(last)
    moves = int(away[first])
    if moves < 0:
        return ShortestPaths(board, *ends, None, 0, graph, away, square_at)
    ways = {first: 1}
    for _ in range(moves):
        nearer: dict[int, int] = {}
        for square, number in ways.items():
            for other in _nearer(graph, away, square):
                nearer[other] = nearer.get(other, 0) + number
        ways = nearer
    return ShortestPaths(board, *ends, moves, ways[last], graph, away, square_at)


def _check_size(board: AnyBoard) -> None:
    if board.rows * board.cols > MAX_SQUARES:
        raise BoardError(
            f"the distances on {board} are too many to list",
            note=f"each square between two may be on a shortest way; at most {MAX_SQUARES:,} squares are listed",
            help="pass a smaller board around the squares",
        )


def _number(board: AnyBoard, square: object) -> int:
    row, col = board.square(square)
    return row * board.cols + col


def _nearer(graph: MoveGraph, away: np.ndarray, square: int) -> list[int]:
    """Return the neighbours that are one move nearer, rising."""
    near = graph.targets[graph.offsets[square] : graph.offsets[square + 1]]
    return sorted(near[away[near] == away[square] - 1].tolist())


def _rounds(graph: MoveGraph, first: int, last: int | None) -> np.ndarray:
    """Return the distances from the first square up to the last one's, -1 if unreachable: int32."""
    away = np.full(len(graph.is_square), -1, dtype=np.int32)
    away[first] = moves = 0
    reached = np.array([first])
    while len(reached) and (last is None or away[last] < 0):
        moves += 1
        # The moves of all of them, which are stretches of `targets`, one after another.
        begin = graph.offsets[reached]
        length = graph.offsets[reached + 1] - begin
        before = np.cumsum(length) - length
        found = graph.targets[repeat(begin - before, length) + np.arange(int(length.sum()))]
        found = found[away[found] < 0]
        away[found] = moves
        reached = np.unique(found)
    return away
