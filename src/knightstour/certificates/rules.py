"""The rules of the game in plain Python: the squares and moves of a question, as a certificate writes it.

A square is the number row * cols + col; on the board of a graph it is the place of the node. `loop_graph` makes each
question one about closed tours, by virtual squares (docs/certificates.md says which), so that every argument is about
closed tours of a graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from knightstour.certificates import record
from knightstour.certificates.record import Unreadable

# Up to this many squares the moves of a board are listed.
MOST_LISTED = 250_000
_WRAPS = (None, "cylinder", "torus", "mobius", "klein")
_MOST_SIDE = 10**9

# A graph: the neighbours of each square.
Near = dict[int, set[int]]


@dataclass(frozen=True, slots=True)
class Question:
    """A board, and which tour of it is asked for. near: the neighbours on the board of a graph, else None."""

    rows: int
    cols: int
    holes: frozenset[int]
    wrap: str | None
    leaper: tuple[int, int]
    near: tuple[frozenset[int], ...] | None
    closed: bool
    start: int | None
    end: int | None

    @property
    def count(self) -> int:
        """How many squares the board has."""
        return self.rows * self.cols - len(self.holes)

    def is_square(self, square: int) -> bool:
        """Whether the board has this square."""
        return 0 <= square < self.rows * self.cols and square not in self.holes

    def reached_from(self, square: int) -> Iterator[int]:
        """The squares a move away, some maybe twice."""
        if self.near is not None:
            yield from self.near[square]
            return
        a, b = self.leaper
        row, col = divmod(square, self.cols)
        for dr, dc in ((a, b), (b, a)):
            for r in (row - dr, row + dr):
                for c in (col - dc, col + dc):
                    there = self._at(r, c)
                    if there is not None and there != square and there not in self.holes:
                        yield there

    def _at(self, r: int, c: int) -> int | None:
        """The square at a place that may lie beyond a joined side."""
        if self.wrap is not None:
            laps, c = divmod(c, self.cols)
            if self.wrap in ("mobius", "klein") and laps % 2:
                r = self.rows - 1 - r
            if self.wrap in ("torus", "klein"):
                r %= self.rows
        inside = 0 <= r < self.rows and 0 <= c < self.cols
        return r * self.cols + c if inside else None


def question_of(certificate: Mapping[str, object]) -> Question:
    """The question of a certificate; an Unreadable where there is none."""
    board = record.part(certificate, "board")
    rows, cols = (record.number(board, key, _MOST_SIDE) for key in ("rows", "cols"))
    size = rows * cols
    wrap = board.get("wrap")
    if wrap not in _WRAPS:
        raise Unreadable('"wrap" must be cylinder, torus, mobius or klein')
    near = None if board.get("graph") is None else _near_of(record.part(board, "graph"), rows, cols)
    pairs = record.items(board, "holes") if "holes" in board else []
    holes = [record.numbers(pair, '"holes"', most=_MOST_SIDE) for pair in pairs]
    if any(len(pair) != 2 or pair[0] >= rows or pair[1] >= cols for pair in holes) or (holes and near is not None):
        raise Unreadable('"holes" must be pairs [row, col] of the board')
    leaper = record.numbers(board.get("leaper", [1, 2]), '"leaper"', most=_MOST_SIDE)
    if len(leaper) != 2 or not any(leaper):
        raise Unreadable('"leaper" must be two whole numbers')
    question = Question(
        rows,
        cols,
        frozenset(r * cols + c for r, c in holes),
        wrap if isinstance(wrap, str) else None,
        (leaper[0], leaper[1]),
        near,
        record.flag(certificate, "closed"),
        *(record.optional_number(certificate, key, size - 1) for key in ("start", "end")),
    )
    if question.count == 0:
        raise Unreadable("the board has no square")
    ends = [square for square in (question.start, question.end) if square is not None]
    if any(not question.is_square(square) for square in ends):
        raise Unreadable("the start and the end must be squares of the board")
    if (question.closed and question.end is not None) or (len(set(ends)) < len(ends) and question.count > 1):
        raise Unreadable("a closed tour has no end, and an open one no end at its start")
    return question


def _near_of(graph: Mapping[str, object], rows: int, cols: int) -> tuple[frozenset[int], ...]:
    """The neighbours of each node."""
    if rows != 1 or len(record.items(graph, "nodes")) != cols:
        raise Unreadable("the board of a graph has one row, and a column for each node")
    near: list[set[int]] = [set() for _ in range(cols)]
    for pair in record.items(graph, "edges"):
        ends = record.numbers(pair, '"edges"', most=cols - 1)
        if len(ends) != 2 or ends[0] == ends[1]:
            raise Unreadable('"edges" must be pairs of different nodes')
        near[ends[0]].add(ends[1])
        near[ends[1]].add(ends[0])
    return tuple(map(frozenset, near))


def loop_graph(question: Question) -> Near:
    """The graph whose closed tours are the tours asked for: the squares, and virtual ones from rows * cols on.

    Closed: the squares alone. Open: one virtual square next to all squares, or to the two given ends. With one end
    given: a virtual square V next to that end and to a second one, which is next to V and to all other squares.
    """
    if question.rows * question.cols > MOST_LISTED:
        raise Unreadable(f"proofs are checked on boards of up to {MOST_LISTED:,} squares")
    squares = [square for square in range(question.rows * question.cols) if square not in question.holes]
    near = {square: set(question.reached_from(square)) for square in squares}
    if question.closed:
        return near
    first = question.rows * question.cols
    ends = [square for square in (question.start, question.end) if square is not None]
    links: list[tuple[int, int]]
    if len(ends) == 1:
        links = [(first, ends[0]), (first, first + 1)]
        links += [(first + 1, square) for square in squares if square != ends[0]]
    else:
        links = [(first, square) for square in ends or squares]
    for a, b in links:
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    return near


def edges_of(near: Near) -> list[tuple[int, int]]:
    """Each move once, as (lower, higher), in rising order."""
    return [(a, b) for a in sorted(near) for b in sorted(near[a]) if a < b]


def pieces_without(near: Near, removed: set[int]) -> list[set[int]]:
    """The parts into which the graph falls without some squares."""
    seen = set(removed)
    pieces = []
    for first in near:
        if first in seen:
            continue
        piece, queue = {first}, [first]
        for square in queue:
            fresh = near[square] - piece - removed
            piece |= fresh
            queue += fresh
        seen |= piece
        pieces.append(piece)
    return pieces
