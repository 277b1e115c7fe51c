"""Puzzles as JSON, with one schema for all boards (see docs/puzzles.md).

A record contains the specification of its board, if there is one, and the names of squares. Records without the entry
"format" are older: their board is an object, and for graphs and cells squares are [row, column, number].
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NotRequired, TypedDict

import numpy as np

from knightstour.core.formats.boards import BoardRecord, board_from_dict, board_to_dict
from knightstour.core.model.board import Board, Square, board_of, square_at, square_count, title_of, word_of
from knightstour.core.model.conditions import name_of_move
from knightstour.core.model.errors import FormatError, KnightsTourError
from knightstour.core.model.graph_board import CellBoard, GraphBoard
from knightstour.core.model.strict_json import BadJson, check_entries, parse_json
from knightstour.core.model.tour import Tour
from knightstour.core.model.validation import flag, is_whole, quoted
from knightstour.lab.puzzles.puzzle import MAX_SQUARES, Puzzle, check_solution, details_of, puzzle_with
from knightstour.lab.puzzles.reasoning import LEVELS

FORMAT: Final = "knightstour puzzle 1"


class PuzzleRecord(TypedDict):
    """A puzzle as a JSON object (see docs/puzzles.md)."""

    format: str
    board: str | BoardRecord
    closed: bool
    given: dict[str, int | list[int]]
    level: str | None
    score: int | None
    seed: int | None
    is_minimal: bool | None
    text: NotRequired[str]
    visit_order: NotRequired[list[str]]
    walls: NotRequired[list[str]]
    solution: NotRequired[list[list[int]]]


_ENTRIES: Final = tuple(PuzzleRecord.__annotations__)
# The beginning of an object, or of a list of objects.
_JSON = re.compile(r'\s*(?:\[\s*)?\{\s*("|\}|$)')


def puzzle_to_dict(puzzle: Puzzle) -> PuzzleRecord:
    """Return the puzzle as a JSON object, for `puzzle_from_dict`.

    Raises:
        FormatError: If two nodes of a graph have the same name.

    >>> record = puzzle_to_dict(Puzzle("hex:2:king", {"c2": 4}))
    >>> record["board"], record["given"]
    ('hex:2:king', {'c2': 4})
    """
    board, details = puzzle.board, details_of(puzzle)
    _check_names(board)
    rating = puzzle.rate() if puzzle.level and puzzle.solution is not None else None
    record: PuzzleRecord = {
        "format": FORMAT,
        "board": _board_to_json(board),
        "closed": puzzle.closed,
        "given": {board.square_name(s): n if isinstance(n, int) else sorted(n) for s, n in puzzle.given.items()},
        "level": puzzle.level or None,
        "score": None if rating is None else rating.score,
        "seed": puzzle.seed,
        "is_minimal": details.is_minimal,
    }
    if details.text:
        record["text"] = details.text
    if details.order:
        record["visit_order"] = [board.square_name(square) for square in details.order]
        record["walls"] = [name_of_move(board, wall) for wall in sorted(details.forbid)]
    if puzzle.solution is not None:
        record["solution"] = puzzle.solution.numbers.tolist()
    return record


def puzzle_from_dict(record: Mapping[str, Any]) -> Puzzle:
    """Return the puzzle of a record of `puzzle_to_dict`.

    Raises:
        FormatError: If the record is invalid.

    >>> puzzle = Puzzle("3x4", {"a3": 1})
    >>> puzzle_from_dict(puzzle_to_dict(puzzle)) == puzzle
    True
    """
    try:
        check_entries(record, _ENTRIES, "a puzzle")
        if record.get("format", FORMAT) != FORMAT:
            help = f"puzzles have the format {FORMAT!r}"
            raise FormatError(f"unknown format: {quoted(record['format'])}", help=help)
        board = board_of(record["board"]) if isinstance(record["board"], str) else board_from_dict(record["board"])
        if square_count(board) > MAX_SQUARES:
            raise FormatError(f"a puzzle has at most {MAX_SQUARES:,} squares")
        order = record.get("visit_order")
        puzzle = Puzzle(
            board,
            _given_from_json(record, board),
            closed=record.get("closed", False),
            text=record.get("text") or "",
            visit_order=None if order is None else [board.square(square) for square in order],
            forbid=record.get("walls"),
        )
        solution = record.get("solution")
        level = record.get("level") or ""
        if level and level not in LEVELS:
            raise FormatError(f"unknown level {str(level)[:40]!r}", help="one of " + ", ".join(LEVELS))
        for name in ("seed", "score"):
            if record.get(name) is not None and not is_whole(record[name]):
                raise FormatError(f"{name} must be a whole number, not {quoted(record[name])}")
        tour = None if solution is None else Tour.from_array(np.array(solution), board=board)
        if tour is not None:
            check_solution(puzzle, tour)
        is_minimal = None if record.get("is_minimal") is None else flag(record["is_minimal"], "is_minimal")
        details = details_of(puzzle)._replace(is_minimal=is_minimal)
        return puzzle_with(puzzle, solution=tour, level=level, seed=record.get("seed"), _details=details)
    except KnightsTourError as error:
        raise FormatError(f"not a puzzle: {error}", note=error.note, help=error.help) from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"not a puzzle as JSON ({type(error).__name__}: {error})") from error


def is_json(text: str) -> bool:
    """Whether a text contains JSON objects, not rows of numbers.

    >>> is_json('{"board": "3x4"}'), is_json("[[1, 0], [0, 0]]")
    (True, False)
    """
    return _JSON.match(text) is not None


def puzzles_in_json(text: str, path: str | None) -> list[Puzzle]:
    """Return the puzzles of an object, of a list of objects, or of one object per line."""
    found = list[Puzzle]()
    for line, record in _records_in(text, path):
        try:
            found.append(puzzle_from_dict(record))
        except FormatError as error:
            raise FormatError(error.message, path=path, line=line, note=error.note, help=error.help) from None
    return found


def _records_in(text: str, path: str | None) -> list[tuple[int | None, Any]]:
    """Return the records, with their lines if there is one per line."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    is_a_line = len(lines) > 1 and all(line.lstrip()[:1] == "{" and line.rstrip()[-1:] == "}" for _, line in lines)
    try:
        if is_a_line:
            return [(number, _parse_line(line, number - 1)) for number, line in lines]
        whole = _parse_line(text, 0)
    except BadJson as error:
        raise FormatError(f"this is not JSON: {error.why}", path=path, line=error.line) from None
    return [(None, record) for record in (whole if isinstance(whole, list) else [whole])]


def _parse_line(text: str, above: int) -> Any:
    """Report errors with their line in the file. above: number of lines above."""
    try:
        return parse_json(text)
    except BadJson as error:
        error.line = above + (error.line or 1)
        raise


def _board_to_json(board: Board) -> str | BoardRecord:
    """Return the specification, or the object of `board_to_dict` if it has no specification."""
    return word_of(board) or board_to_dict(board)


def _check_names(board: Board) -> None:
    """Raise FormatError if two nodes of a graph have the same name, such as 1 and "1"."""
    if not isinstance(board, GraphBoard) or isinstance(board, CellBoard):
        return
    names = [str(label).strip() for label in board.labels]
    if len(set(names)) < len(names):
        doubled = next(name for k, name in enumerate(names) if name in names[:k])
        why = f"two nodes of the graph have the name {doubled!r}, but a puzzle file needs different names"
        raise FormatError(why, help="rename a node")


def _given_from_json(record: Mapping[str, Any], board: Board) -> dict[Square, int | tuple[int, ...]]:
    """Return the given squares; older records are [row, column, number]."""
    given = record["given"]
    if isinstance(given, dict):
        pairs = [(board.square(name), numbers) for name, numbers in given.items()]
    elif "format" in record:
        raise FormatError("given must be an object of squares and numbers", help='write {"a1": 1, "c2": [5, 6]}')
    elif isinstance(board, GraphBoard):
        pairs = [(_place(board, row, place), numbers) for row, place, numbers in given]
    else:
        pairs = [((row, col), numbers) for row, col, numbers in given]
    found = {square: tuple(n) if isinstance(n, list) else n for square, n in pairs}
    if len(found) < len(pairs):
        raise FormatError("a square is given twice")
    return found


def _place(board: Board, row: int, place: int) -> Square:
    if row != 0 or not is_whole(place) or not 0 <= place < board.cols:
        raise FormatError(f"the {title_of(board)} has no square {quoted([row, place])}")
    return square_at(board, place)
