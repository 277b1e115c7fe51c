"""Puzzles as text and as JSON.

    closed
     1  .  .  .
     .  #  2  .

A number is given, `.` is unknown, `#` is a hole; the first line says `closed` where the tour is, and a comment such as
`# board 3x4:2,3` names the piece and the wrap. It is a format of its own, never guessed: in a tour's diagram a
point is a hole. The first line of a Zip is `in order`, and its numbers say the order of squares; a line such as
`walls a1-b1 c3-c4` names its walls. Text holds puzzles of numbers; JSON holds all.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

import numpy as np

from knightstour.core.formats.boards import board_from_dict, board_to_dict
from knightstour.core.formats.table import suffix_of
from knightstour.core.machine.files import PathOrFile, Source, open_source, open_target
from knightstour.core.model.arguments import explains_arguments
from knightstour.core.model.board import Board, Square, board_read_as
from knightstour.core.model.conditions import name_of_move
from knightstour.core.model.errors import BoardError, FormatError, KnightsTourError
from knightstour.core.model.pieces import Moves
from knightstour.core.model.strict_json import BadJson, check_entries, parse_json
from knightstour.core.model.tour import Tour
from knightstour.core.model.validation import did_you_mean, flag
from knightstour.core.search.clues import MAX_SQUARES
from knightstour.lab.puzzles.puzzle import Puzzle, check_solution
from knightstour.lab.puzzles.reasoning import LEVELS
from knightstour.lab.puzzles.rows import CLOSED, HOLE, IN_ORDER, UNKNOWN, WALLS, rows_of

_MAX_CHARS = 1_000_000
_ENTRIES: Final = (
    "board",
    "closed",
    "given",
    "level",
    "seed",
    "is_minimal",
    "text",
    "visit_order",
    "walls",
    "solution",
)


@explains_arguments
def format_puzzle(puzzle: Puzzle, format: str = "text") -> str:
    """The puzzle as "text" or "json", with a line end. FormatError where a text cannot hold it.

    >>> print(format_puzzle(Puzzle.of("3x4", {"a3": 1}, closed=True)), end="")
    closed
     1  .  .  .
     .  .  .  .
     .  .  .  .
    """
    if format == "json":
        return json.dumps(puzzle_to_dict(puzzle)) + "\n"
    if format != "text":
        raise FormatError(f"puzzles have no format {format!r}", help="one of text, json")
    board = puzzle.board
    if board.graph is not None:
        raise FormatError(f"a text holds no {board.title}", help="write it as JSON")
    if any(not isinstance(numbers, int) for numbers in puzzle.given.values()):
        raise FormatError("a text holds numbers alone, no letters or places", help="write it as JSON")
    return heading_of(puzzle) + str(puzzle) + "\n"


def heading_of(puzzle: Puzzle) -> str:
    """The lines above the rows of a puzzle as text: its board where that is another than the rows show, and its kind.

    >>> heading_of(Puzzle.of(Board(2, 3, leaper=(0, 1)), {"a1": 1}, closed=True))
    '# board 2x3:0,1\\nclosed\\n'
    """
    board = puzzle.board
    flat = board.changed() if board.graph is None else board
    named = "" if flat.is_rectangle or board.graph is not None else f"# board {flat}\n"
    walls = sorted(name_of_move(board, wall) for wall in puzzle.avoid)
    is_zip = f"{IN_ORDER}\n" * bool(puzzle.visit_order) + f"{WALLS} {' '.join(walls)}\n" * bool(walls)
    return named + (CLOSED + "\n") * puzzle.closed + is_zip


# The extensions of pictures, and those of text and JSON; a name without one is a text.
_PICTURES: Final = ("svg", "png", "pdf")
_TEXTS: Final = ("", ".txt", ".json")


def check_puzzle_name(path: str | os.PathLike[str]) -> str | None:
    """The kind of picture that a puzzle becomes in this file, None for text or JSON; a FormatError for others."""
    # Only pictures need what drawing knows.
    from knightstour.core.drawing.kinds import kind_of_suffix

    extension = suffix_of(path)
    kind = kind_of_suffix(extension)
    if kind in _PICTURES or (kind is None and extension in _TEXTS):
        return kind
    known = [f".{each}" for each in _PICTURES] + [each for each in _TEXTS if each]
    why = f"a puzzle is not written as {extension}{did_you_mean(extension, known)}"
    raise FormatError(why, path=os.fspath(path), help="end it in one of " + " ".join(known))


def save_puzzle(puzzle: Puzzle, path: str | os.PathLike[str], *, force: bool = False, **look: Any) -> None:
    """What `Puzzle.save` does."""
    kind = check_puzzle_name(path)
    if kind is None:
        if look:
            raise FormatError(f"{min(look)} is for pictures", path=os.fspath(path), help="save it as .svg or .png")
        write_puzzle(path, puzzle, force=force)
        return
    with open_target(path, force=force) as file:
        file.write(puzzle.draw(kind, **look))


@explains_arguments
def write_puzzle(path: str | os.PathLike[str], puzzle: Puzzle, *, force: bool = False) -> None:
    """Write a puzzle to a file: as JSON if its name ends in .json, else as text.

    force: whether an existing file is replaced. Raises FormatError where it cannot be written.
    """
    text = format_puzzle(puzzle, "json" if os.fspath(path).lower().endswith(".json") else "text")
    with open_target(path, force=force) as file:
        file.write(text.encode())


@explains_arguments
def read_puzzle(path_or_file: PathOrFile, *, moves: Moves | None = None, wrap: str | None = None) -> Puzzle:
    """The puzzle in a file, text or JSON; a FormatError that names the line where it is none.

    moves, wrap: of the board, where the file does not say them. `board.read_as` says how rows were read that have no
    exact form.
    """
    with open_source(path_or_file) as source:
        text = source.read_text(_MAX_CHARS)
        return _parsed(text, source, moves, wrap)


@explains_arguments
def parse_puzzle(text: str, *, moves: Moves | None = None, wrap: str | None = None) -> Puzzle:
    """The puzzle in a text or a JSON text, as `read_puzzle` reads it.

    >>> parse_puzzle("closed\\n1 . #\\n. 3 .").closed
    True
    """
    if not isinstance(text, str):
        raise FormatError("this is no text")
    return _parsed(text, None, moves, wrap)


def puzzle_to_dict(puzzle: Puzzle) -> dict[str, Any]:
    """The puzzle as JSON knows it; `puzzle_from_dict` reads it."""
    record: dict[str, Any] = {
        "board": board_to_dict(puzzle.board),
        "closed": puzzle.closed,
        "given": _given_to_json(puzzle),
        "level": puzzle.level or None,
        "seed": puzzle.rng,
        "is_minimal": puzzle.is_minimal,
    }
    if puzzle.text:
        record["text"] = puzzle.text
    if puzzle.visit_order:
        record["visit_order"] = [puzzle.board.name(square) for square in puzzle.visit_order]
        record["walls"] = [name_of_move(puzzle.board, wall) for wall in sorted(puzzle.avoid)]
    if puzzle.solution is not None:
        record["solution"] = puzzle.solution.numbers.tolist()
    return record


def puzzle_from_dict(record: dict[str, Any]) -> Puzzle:
    """The puzzle that `puzzle_to_dict` wrote; a FormatError where the record makes none.

    >>> puzzle = Puzzle.of("3x4", {"a3": 1})
    >>> puzzle_from_dict(puzzle_to_dict(puzzle)) == puzzle
    True
    """
    try:
        check_entries(record, _ENTRIES, "a puzzle")
        board = Board.of(record["board"]) if isinstance(record["board"], str) else board_from_dict(record["board"])
        if board.square_count > MAX_SQUARES:
            raise FormatError(f"a puzzle has at most {MAX_SQUARES} squares")
        given = _given_from_json(record["given"])
        order, walls = record.get("visit_order"), record.get("walls")
        puzzle = Puzzle.of(
            board,
            given,
            closed=record.get("closed", False),
            text=record.get("text") or "",
            visit_order=order,
            avoid=walls,
        )
        solution = record.get("solution")
        level = record.get("level") or ""
        if level and level not in LEVELS:
            raise FormatError(f"there is no level {str(level)[:40]!r}", help="one of " + ", ".join(LEVELS))
        tour = None if solution is None else Tour.from_numbers(np.array(solution), board=board)
        if tour is not None:
            check_solution(puzzle, tour)
        is_minimal = None if record.get("is_minimal") is None else flag(record["is_minimal"], "is_minimal")
        return replace(puzzle, solution=tour, level=level, rng=record.get("seed"), is_minimal=is_minimal)
    except KnightsTourError as error:
        raise FormatError(f"this is no puzzle: {error}", note=error.note, help=error.help) from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"this is no puzzle as JSON ({type(error).__name__}: {error})") from error


def _given_to_json(puzzle: Puzzle) -> dict[str, Any] | list[Any]:
    """The given squares by name; those of a graph, whose nodes may be no texts, as [row, col, number]."""
    plain = {s: numbers if isinstance(numbers, int) else sorted(numbers) for s, numbers in puzzle.given.items()}
    if puzzle.board.graph is not None:
        return [[*square, numbers] for square, numbers in plain.items()]
    return {puzzle.board.name(square): numbers for square, numbers in plain.items()}


def _given_from_json(given: dict[str, Any] | list[Any]) -> dict[Square | str, int | tuple[int, ...]]:
    pairs = list(given.items()) if isinstance(given, dict) else [((row, col), n) for row, col, n in given]
    found = {square: tuple(n) if isinstance(n, list) else n for square, n in pairs}
    if len(found) < len(pairs):
        raise FormatError("a square is given twice")
    return found


def _parsed(text: str, source: Source | None, moves: Moves | None, wrap: str | None) -> Puzzle:
    path = None if source is None else source.path
    if re.match(r'\s*\{\s*("|\}|$)', text):
        try:
            record = parse_json(text)
        except BadJson as error:
            raise FormatError(f"this is not JSON: {error.why}", path=path, line=error.line) from None
        try:
            puzzle = puzzle_from_dict(record)
            _agreed(puzzle.board, moves, wrap)
            return puzzle
        except FormatError as error:
            raise FormatError(error.message, path=path, note=error.note, help=error.help) from None
        except BoardError as error:
            raise FormatError(str(error), path=path, note=error.note, help=error.help) from None
    return _of_lines(text, path, moves, wrap)


def _of_lines(text: str, path: str | None, moves: Moves | None, wrap: str | None) -> Puzzle:
    """A puzzle from its lines. moves, wrap: of the board, where the text does not say them."""
    found = rows_of(text, path)
    height, width = len(found.rows), len(found.rows[0][1])
    if height * width > _MAX_CHARS:
        raise FormatError(f"a puzzle has at most {MAX_SQUARES} squares", path=path)
    given: dict[Square | str, int] = {}
    holes = []
    for r, (_, words) in enumerate(found.rows):
        for c, word in enumerate(words):
            if word == HOLE:
                holes.append((r, c))
            elif word != UNKNOWN:
                given[r, c] = int(word)
    first = found.rows[0][0]
    if found.is_in_order:
        _check_numbers_of_order(list(given.values()), path, first)
        if moves is None and found.board is None:
            why = "squares in order are visited by which piece? The text does not say"
            help = f"name it: FILE {height}x{width}:wazir (moves='wazir' in Python)"
            raise FormatError(why, path=path, line=first, help=help)
    elif moves is None and wrap is None and found.board is None:
        _check_is_of_knights(given, (height, width), path, first)
    try:
        board = Board(height, width, holes=holes, wrap=wrap, moves=moves)
        if found.board is not None:
            named = found.board
            if (named.rows, named.cols) != (height, width) or not named.holes <= board.holes:
                raise BoardError(f"the comment names the {named.title}, and the rows are {height}x{width}")
            board = _agreed(named.changed(holes=holes), moves, wrap)
        board = board_read_as(board, found.remarks)
        if found.is_in_order:
            return Puzzle.of(board, {}, visit_order=sorted(given, key=lambda square: given[square]), avoid=found.walls)
        return Puzzle.of(board, given, closed=found.is_closed)
    except KnightsTourError as error:
        at = first if isinstance(error, BoardError) else None
        raise FormatError(str(error), path=path, line=at, note=error.note, help=error.help) from error


def _check_numbers_of_order(numbers: list[int], path: str | None, line: int) -> None:
    """A FormatError where the numbers of a Zip are not 1, 2, 3, ..., each once."""
    if sorted(numbers) != list(range(1, len(numbers) + 1)) or len(numbers) < 2:
        why = "the numbers of squares in order are 1, 2, 3, ..., each once"
        raise FormatError(why, path=path, line=line, help=f"without the line `{IN_ORDER}` they are numbers of the tour")


def _check_is_of_knights(given: dict[Square | str, int], size: tuple[int, int], path: str | None, line: int) -> None:
    """A FormatError where each two numbers that follow each other are beside each other: a Numbrix, or a Hidato."""
    clues = sorted((number, square) for square, number in given.items())
    steps = [
        (b - a, abs(int(p[0]) - int(q[0])), abs(int(p[1]) - int(q[1])))
        for (a, p), (b, q) in pairwise(clues)
        if isinstance(p, tuple) and isinstance(q, tuple)
    ]
    if not any(apart == 1 for apart, _, _ in steps) or not all(max(r, c) <= apart for apart, r, c in steps):
        return
    is_numbrix = all(r + c <= apart and (r + c - apart) % 2 == 0 for apart, r, c in steps)
    name, piece = ("Numbrix", "wazir") if is_numbrix else ("Hidato", "king")
    raise FormatError(
        f"numbers that follow each other are on squares beside each other: a {name}, and no puzzle of a knight",
        path=path,
        line=line,
        note=f"if it is of a knight after all, say FILE {size[0]}x{size[1]}:knight (moves='knight' in Python)",
        help=f"name its piece: FILE {size[0]}x{size[1]}:{piece} (moves={piece!r} in Python)",
    )


def _agreed(board: Board, moves: Moves | None, wrap: str | None) -> Board:
    """The board that a file names; a BoardError where another piece or wrap was given beside it."""
    asked = Board(board.rows, board.cols, wrap=wrap or board.wrap, moves=moves or board.piece)
    if (asked.piece, asked.wrap) != (board.piece, board.wrap):
        plain = board.changed()
        raise BoardError(f"the file is a puzzle of the {plain.title}, and another piece or wrap was given")
    return board
