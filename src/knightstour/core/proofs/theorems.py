"""Theorems about rectangles, surfaces and boxes that decide problems without search, each with reason and source.

Only proved theorems exclude tours. `is_pair_possible`, proved in docs/proofs.md, only guides a search.
"""

from __future__ import annotations

import functools
from math import gcd

from knightstour.core.model.board import Board, Square, move_graph, title_of
from knightstour.core.model.errors import check_own_answer
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.grid_board import GridBoard, is_knights
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import TOO_SMALL
from knightstour.core.model.validation import an
from knightstour.core.proofs.forced_moves import prove_by_forced_moves
from knightstour.core.proofs.narrowing_words import narrowing

# (reason, source)
Proof = tuple[str, str]


# Minimum lengths, by rows, from which the theorems of docs/proofs.md decide every pair of ends.
_SETTLED_FROM = {3: 14, 4: 7, 5: 7}


def are_pairs_settled(rows: int, cols: int) -> bool:
    """Whether `rectangle_proof` excludes all impossible ends of an open tour of a rows x cols rectangle.

    >>> are_pairs_settled(8, 8), are_pairs_settled(7, 5), are_pairs_settled(3, 10)
    (True, True, False)
    """
    rows, cols = sorted((rows, cols))
    return rows >= 6 or cols >= _SETTLED_FROM.get(rows, cols + 1)


def is_pair_possible(rows: int, cols: int, start: Square, end: Square) -> bool:
    """Whether a rows x cols knight's rectangle has a tour between two squares.

    Rectangles must have sides of at least 6, or be 5 x 7 and wider, 3 x 11, 3 x 12, or 3 x 14 and wider.
    """
    if start == end or _colour_proof(rows, cols, start, end) is not None:
        return False
    if rows > cols:
        rows, cols, start, end = cols, rows, start[::-1], end[::-1]
    return rows >= 6 or _thin_proof(rows, cols, start, end) is None


def rectangle_proof(problem: Problem) -> Proof | None:
    """Return the theorem by which a plain rectangle has no such tour, or None."""
    board = problem.board
    rows, cols, start, end = board.rows, board.cols, problem.start, problem.end
    if problem.closed:
        return closed_rectangle_proof(rows, cols)
    proof = open_rectangle_proof(rows, cols)
    if proof is not None:
        return proof
    for square in (start, end):
        if square is not None and rows * cols % 2 and sum(square) % 2:
            return (
                f"a tour of {rows * cols} squares begins and ends on the colour of the corners, which has one square "
                f"more; {board.square_name(square)} has the other colour",
                "colour argument",
            )
    if start is not None and end is not None:
        proof = _colour_proof(rows, cols, start, end)
        if proof is not None:
            return proof
    row, column = "row", "column"
    if rows > cols:
        rows, cols, row, column = cols, rows, column, row
        start = None if start is None else start[::-1]
        end = None if end is None else end[::-1]
    if rows == 4:
        for square in (start, end):
            if square is not None and square[0] in (1, 2):
                return (
                    f"on a board with 4 {row}s the squares of the outer {row}s have moves to the inner {row}s only, "
                    f"and there are equally many of both; an end in an inner {row} would force outer and inner squares "
                    "to alternate all along, and so all outer squares to have one colour",
                    "colouring argument for 4 x n boards, as in Cull & De Curtins 1978",
                )
    if start is not None and end is not None and rows in (3, 5):
        return _thin_proof(rows, cols, start, end, row, column)
    return None


def closed_rectangle_proof(rows: int, cols: int) -> Proof | None:
    """Return the reason of Schwenk's theorem why the rectangle has no closed tour, or None if it has one.

    >>> closed_rectangle_proof(4, 8)[0]
    'a board with 4 rows has no closed tour: ...'
    >>> closed_rectangle_proof(3, 10) is None
    True
    """
    short, long = sorted((rows, cols))
    source = "Schwenk 1991; Cull & De Curtins 1978"
    if short * long == 1:
        return TOO_SMALL
    if short == 1:
        return "a knight cannot move on a board with 1 row or column", source
    if short == 2:
        return "a board with 2 rows or columns has no closed tour: a corner of it has one move at most", source
    if short * long % 2:
        return (
            f"{short * long} is odd, but a closed tour alternates colours and so has equally many squares of both",
            source,
        )
    if short == 4:
        side = "rows" if rows == 4 else "columns"
        return (
            f"a board with 4 {side} has no closed tour: outer {side} would have to alternate with inner ones all the "
            "way round, and so all outer squares to have one colour",
            source,
        )
    if short == 3 and long in (4, 6, 8):
        return _exception_proof(Board(rows, cols), True, source)
    return None


def open_rectangle_proof(rows: int, cols: int) -> Proof | None:
    """Return the reason why the rectangle has no tour, or None if it has an open one.

    >>> open_rectangle_proof(4, 4)[1], open_rectangle_proof(1, 1)
    ('removal of squares; Chia & Ong 2005; Cull & De Curtins 1978', None)
    """
    short, long = sorted((rows, cols))
    source = "Chia & Ong 2005; Cull & De Curtins 1978"
    if (short, long) == (1, 1):
        return None
    if short == 1:
        return "a knight cannot move on a board with 1 row or column", source
    if short == 2:
        return (
            "on a board with 2 rows or columns a knight only goes to and fro along it, over every second column",
            source,
        )
    if (short, long) in ((3, 3), (3, 5), (3, 6), (4, 4)):
        if (short, long) == (3, 3):
            return "the middle square of 3x3 has no move", source
        return _exception_proof(Board(rows, cols), False, source)
    return None


def _exception_proof(board: Board, closed: bool, source: str) -> Proof:

    reason, kind = why_excepted(board, closed)
    return reason, f"{kind}; {source}"


def _colour_proof(rows: int, cols: int, start: Square, end: Square) -> Proof | None:
    """Return the colour argument against two ends, or None."""
    if rows * cols % 2 == 0 and (sum(start) - sum(end)) % 2 == 0:
        return (
            f"a tour of {rows * cols} squares alternates colours and so ends on the other colour than it starts on; "
            "these two ends have the same colour",
            "colour argument",
        )
    if rows * cols % 2 and (sum(start) % 2 or sum(end) % 2):
        return (
            f"a tour of {rows * cols} squares alternates colours and so starts and ends on the colour of the corners",
            "colour argument",
        )
    return None


def _thin_proof(
    rows: int, cols: int, start: Square, end: Square, row: str = "row", column: str = "column"
) -> Proof | None:
    images = [
        tuple((rows - 1 - r if up else r, cols - 1 - c if across else c) for r, c in (start, end))
        for up in (False, True)
        for across in (False, True)
    ]
    pairs = images + [(second, first) for first, second in images]
    middle, place = ((1, 2), "third") if rows == 3 else ((2, 1), "second")
    for first, second in pairs:
        if first == middle and second not in ((0, 0), (rows - 1, 0)):
            return (
                f"two corners have two moves each, one of them to the same square of the middle {row} and the "
                f"{place} {column} from the side; neither corner is an end, so both make that move, and that square "
                "has its two moves, so it cannot be an end",
                "forced moves of corners",
            )
    if rows == 3 and cols > 3:
        if ((0, 2), (2, 2)) in pairs:
            return (
                "the two ends are the only neighbours of one square of the edge, so the tour would be these three",
                "forced moves",
            )
        if ((0, 2), (1, 3)) in pairs:
            return (
                "forced moves: two corners and the edge square between them have two moves each, and make both; that "
                "leaves one choice at each of their neighbours, and the two ends are joined by a path of nine squares",
                "forced moves",
            )
    return None


def surface_proof(problem: Problem) -> Proof | None:
    """Return the theorem by which a knight's board on a cylinder or Moebius strip has no closed tour, or None."""
    board = problem.board
    if not problem.closed or not is_knights(board) or board.holes:
        return None
    rows, cols = board.rows, board.cols
    # With these columns a round trip keeps the parity of columns, or the colour.
    keeps = {"cylinder": (cols % 2 == 0, cols % 2 == 0), "mobius": (cols % 2 == 0, cols % 2 == 1)}
    if board.wrap not in keeps:
        return None
    source = "Watkins 2000" if board.wrap == "cylinder" else "Watkins 2004"
    keeps_parity, keeps_colours = keeps[board.wrap]
    if rows == 1 and cols > 1:
        return "a knight cannot move on a band of 1 row", source
    if rows == 2 and keeps_parity:
        return "on this band of 2 rows each move goes 2 columns on, and so only to every second column", source
    if rows == 4 and keeps_colours:
        return (
            "on this band of 4 rows outer rows would have to alternate with inner ones all the way round, and so all "
            "outer squares to have one colour",
            source,
        )
    if board.wrap == "mobius" and (rows, cols) in ((3, 4), (3, 1), (5, 1)):
        return _exception_proof(board, True, source)
    return None


def has_box_theorem(problem: Problem) -> bool:
    """Whether `box_proof` decides the problem: a closed knight's tour in three dimensions or more.

    >>> [has_box_theorem(Problem(board, closed=True)) for board in ("2x3x4", "2x3x4:king", "1x5x6")]
    [True, False, False]
    """
    cells = problem.board
    if not problem.closed or not isinstance(cells, CellBoard) or cells.piece is None or not cells.piece.is_knight:
        return False
    return cells.dimension > 2 and cells.sides is not None and min(cells.sides) > 1


def box_proof(problem: Problem) -> Proof | None:
    """Return the theorem by which a box of three dimensions or more has no closed knight's tour, or None.

    >>> box_proof(Problem("2x3x3", closed=True))
    ('a cell in the middle of all sides of 3 has no move', 'DeMaio & Mathew 2011')
    >>> box_proof(Problem("2x3x4", closed=True)) is None
    True
    """
    cells = problem.board
    if not has_box_theorem(problem) or not isinstance(cells, CellBoard) or cells.sides is None:
        return None
    source = "DeMaio & Mathew 2011" if cells.dimension == 3 else "Erde, Golenia & Golenia 2012"
    *_, second, longest = sorted(cells.sides)
    count = len(cells.cells)
    if count % 2:
        return f"{count} is odd, but a closed tour alternates colours and so has equally many cells of both", source
    if longest == 2:
        return "a knight cannot move in a box whose sides are all 2", source
    if second == 2:
        return (
            f"a move leads 2 cells along some side, which can only be that of {longest}, so never to the next layer",
            source,
        )
    if longest == 3:
        return "a cell in the middle of all sides of 3 has no move", source
    return None


def leaper_proof(board: Board) -> Proof | None:
    """Return a reason, by Knuth's theorem, why an (a, b) leaper cannot reach every square, or None if it reaches all.

    >>> leaper_proof(Board(20, 20, leaper=(1, 3)))[1]
    'Knuth 1994'
    """
    short, long = sorted((board.rows, board.cols))
    a, b = (isinstance(board, GridBoard) and board.piece.leaper) or (0, 0)
    if board.wrap is not None or board.holes or short < 2 or a < 1:
        return None
    if gcd(a + b, b - a) != 1:
        why = (
            f"{a + b} and {b - a} have a common divisor"
            if gcd(a + b, b - a) % 2
            else f"{a} + {b} is even, so it keeps its colour"
        )
    elif long < 2 * b or short < a + b:
        why = f"that takes at least {a + b} rows and {2 * b} columns"
    else:
        return None
    size = f"{board.rows}x{board.cols}"
    return f"{an(f'({a},{b})')} leaper cannot reach every square of {an(size)} board: {why}", "Knuth 1994"


# ---------------------------------------------------------------- small boards that the theorems except


@functools.lru_cache(maxsize=64)
def why_excepted(board: Board, closed: bool) -> tuple[str, str]:
    """Return (reason, source) for a small board without a tour, by forced moves, narrowing or a complete search.

    It is computed on demand, in milliseconds.

    >>> why_excepted(Board(3, 4), True)
    ('a3 takes its only moves left, to b1 and c2; ... a1 is left with a single move, to c2', 'forced moves')
    >>> why_excepted(Board(4, 4), False)[0]
    'if b3, c3, b2 and c2 are removed, the board falls into 6 parts (around ...), but a tour falls into at most 5'
    """
    problem = Problem(board, closed=closed)
    proof = prove_by_forced_moves(problem) or narrowing(problem)
    if proof is not None:
        return proof
    nodes = _all_paths(board, closed)
    return f"a complete search of {nodes:,} paths finds none", "complete search"


def _all_paths(board: Board, closed: bool) -> int:
    """Return the number of paths from the first square of a closed tour, or from all squares.

    Raises WrongAnswer if one is a tour.
    """
    near = move_graph(board).neighbour_lists()
    squares = move_graph(board).squares.tolist()
    waiting: list[tuple[int, ...]] = [(square,) for square in (squares[:1] if closed else squares)]
    paths = 0
    while waiting:
        path = waiting.pop()
        paths += 1
        is_tour = len(path) == len(squares) and (not closed or path[0] in near[path[-1]])
        check_own_answer(not is_tour, f"{title_of(board)} has a tour: {path}")
        waiting += [(*path, square) for square in near[path[-1]] if square not in path]
    return paths
