"""Other readings of a text of numbers: for another piece, or as a Zip, whose numbers are an order of squares.

A text may not name its piece, and a Zip looks like a puzzle of numbers. If a text has no solution in its first reading
but in another one, it is rejected as ambiguous.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from knightstour.core.model.board import Board, Square, square_count
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.errors import FormatError
from knightstour.core.model.grid_board import GridBoard
from knightstour.lab.puzzles.puzzle import Puzzle, search_of
from knightstour.lab.puzzles.rows import IN_ORDER, Rows

# Limits of the search in the first reading. If they are reached, no other reading is tried.
_FIRST = Limits(seconds=1.0, nodes=5000)
# Limits of the search in another reading. If they are reached, a solution counts as possible.
_TRIAL = Limits(seconds=5.0, nodes=20_000)
_PIECES = ("king", "wazir")


class Reading(NamedTuple):
    """Another reading of a text: its puzzle, its name in a sentence, and how to request it."""

    puzzle: Puzzle
    kind: str
    help: str


def check_knight_numbers(given: dict[Square, int], rows: Rows, path: str | None) -> None:
    """Raise FormatError if consecutive numbers are always on adjacent squares: a Numbrix, or a Hidato."""
    clues = sorted((number, square) for square, number in given.items())
    steps = [(b - a, abs(p[0] - q[0]), abs(p[1] - q[1])) for (a, p), (b, q) in pairwise(clues)]
    if not any(apart == 1 for apart, _, _ in steps) or not all(max(r, c) <= apart for apart, r, c in steps):
        return
    is_numbrix = all(r + c <= apart and (r + c - apart) % 2 == 0 for apart, r, c in steps)
    name, piece = ("Numbrix", "wazir") if is_numbrix else ("Hidato", "king")
    size = f"{len(rows.rows)}x{rows.width}"
    raise FormatError(
        f"consecutive numbers are on adjacent squares: this is a {name}, not a puzzle for a knight",
        path=path,
        line=rows.first_line,
        note=f"for a knight use FILE {size}:knight (moves='knight' in Python)",
        help=f"name its piece: FILE {size}:{piece} (moves={piece!r} in Python)",
    )


def check_doubt(puzzle: Puzzle, rows: Rows, has_piece: bool, path: str | None) -> None:
    """Raise FormatError if the puzzle of a text has no solution, but another reading of the text has one.

    has_piece: whether the text, or the board given with it, names the piece.
    """
    others = list(_other_readings(puzzle, has_piece))
    search = search_of(puzzle, Budget(_FIRST))
    if not others or next(search, None) is not None or not search.is_finished:
        return
    others = [other for other in others if _may_have_solution(other.puzzle)]
    if not others:
        return
    why = search.contradiction or "the search finds none"
    piece = "" if has_piece else "for a knight "
    raise FormatError(
        f"as numbers {piece}there is no solution: {why}; {' or '.join(other.kind for other in others)} there is one",
        path=path,
        line=rows.first_line,
        help="specify the reading: " + "; or ".join(other.help for other in others),
    )


def _number_of(given: tuple[Square, int | frozenset[int]]) -> int:
    return given[1] if isinstance(given[1], int) else 0


def _other_readings(puzzle: Puzzle, has_piece: bool) -> Iterator[Reading]:
    board = puzzle.board
    size = str(board.replace(holes=())) if isinstance(board, GridBoard) else str(board)
    numbers = sorted(numbers for numbers in puzzle.given.values() if isinstance(numbers, int))
    is_order = not puzzle.closed and 2 <= len(numbers) < square_count(board)
    is_order = is_order and numbers == list(range(1, len(numbers) + 1))
    order = [square for square, _ in sorted(puzzle.given.items(), key=_number_of)]
    if has_piece:
        if is_order:
            in_order = Puzzle(board, visit_order=order)
            yield Reading(in_order, "as squares in order", f"add the line `{IN_ORDER}` above the rows")
        return
    for piece in _PIECES:
        other = Board(board.rows, board.cols, holes=board.holes, wrap=board.wrap, moves=piece)
        name = f"FILE {size}:{piece} (moves={piece!r} in Python)"
        yield Reading(Puzzle(other, puzzle.given, closed=puzzle.closed), f"as numbers of the {piece}", name)
        # Most Zips are for the wazir.
        if is_order and piece == "wazir":
            help = f"add the line `{IN_ORDER}` above the rows, and {name}"
            yield Reading(Puzzle(other, visit_order=order), f"as squares that the {piece} visits in order", help)


def _may_have_solution(puzzle: Puzzle) -> bool:
    """Whether a solution is found, or the search reaches its limits."""
    search = search_of(puzzle, Budget(_TRIAL))
    return next(search, None) is not None or not search.is_finished
