"""Puzzles as text and as JSON.

    closed
     1  .  .  .
     .  #  2  .

A number is given, `.` is unknown, `#` is a hole; the first line says `closed` where the tour is. It is a format of its
own, never guessed: in a tour's diagram a point is a hole. Text holds the knight's puzzles of numbers; JSON holds all.
"""

from __future__ import annotations

import json
import os
import re
from typing import Any, Final

import numpy as np

from knightstour.formats.boards import board_from_dict, board_to_dict
from knightstour.machine.files import PathOrFile, Source, open_source, open_target
from knightstour.model.arguments import explains_arguments
from knightstour.model.board import Board, Square
from knightstour.model.errors import BoardError, FormatError, KnightsTourError
from knightstour.model.strict_json import BadJson, check_entries, parse_json
from knightstour.model.tour import Tour
from knightstour.model.validation import flag
from knightstour.puzzles.puzzle import HOLE, UNKNOWN, Puzzle, check_solution
from knightstour.puzzles.reasoning import LEVELS
from knightstour.search.clues import MOST_SQUARES

CLOSED = "closed"
# What a text may have for an unknown square, besides.
_UNKNOWN: Final = {UNKNOWN, "_", "0", "?"}
_MOST_CHARS = 1_000_000
_ENTRIES: Final = ("board", "closed", "given", "level", "seed", "is_minimal", "text", "solution")


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
    plain = Board(puzzle.board.rows, puzzle.board.cols, holes=puzzle.board.holes)
    if puzzle.board != plain:
        raise FormatError(f"a text holds no {puzzle.board}", help="write it as JSON")
    if any(not isinstance(numbers, int) for numbers in puzzle.given.values()):
        raise FormatError("a text holds numbers alone, no letters or places", help="write it as JSON")
    return (CLOSED + "\n") * puzzle.closed + str(puzzle) + "\n"


@explains_arguments
def write_puzzle(path: str | os.PathLike[str], puzzle: Puzzle, *, force: bool = False) -> None:
    """Write a puzzle to a file: as JSON if its name ends in .json, else as text.

    force: whether an existing file is replaced. Raises FormatError where it cannot be written.
    """
    text = format_puzzle(puzzle, "json" if os.fspath(path).lower().endswith(".json") else "text")
    with open_target(path, force=force) as file:
        file.write(text.encode())


@explains_arguments
def read_puzzle(path_or_file: PathOrFile) -> Puzzle:
    """The puzzle in a file, text or JSON; a FormatError that names the line where it is none."""
    with open_source(path_or_file) as source:
        text = source.read_text(_MOST_CHARS)
        return _parsed(text, source)


@explains_arguments
def parse_puzzle(text: str) -> Puzzle:
    """The puzzle in a text or a JSON text; a FormatError that names the line where it is none.

    >>> parse_puzzle("closed\\n1 . #\\n. 3 .").closed
    True
    """
    if not isinstance(text, str):
        raise FormatError("this is no text")
    return _parsed(text, None)


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
        if board.square_count > MOST_SQUARES:
            raise FormatError(f"a puzzle has at most {MOST_SQUARES} squares")
        given = _given_from_json(record["given"])
        puzzle = Puzzle.of(board, given, closed=record.get("closed", False), text=record.get("text") or "")
        solution = record.get("solution")
        level = record.get("level") or ""
        if level and level not in LEVELS:
            raise FormatError(f"there is no level {str(level)[:40]!r}", help="one of " + ", ".join(LEVELS))
        tour = None if solution is None else Tour.from_numbers(np.array(solution), board=board)
        if tour is not None:
            check_solution(puzzle, tour)
        is_minimal = None if record.get("is_minimal") is None else flag(record["is_minimal"], "is_minimal")
        return Puzzle(board, puzzle.given, puzzle.closed, tour, level, record.get("seed"), puzzle.text, is_minimal)
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


def _parsed(text: str, source: Source | None) -> Puzzle:
    path = None if source is None else source.path
    if text.lstrip().startswith("{"):
        try:
            record = parse_json(text)
        except BadJson as error:
            raise FormatError(f"this is not JSON: {error.why}", path=path, line=error.line) from None
        try:
            return puzzle_from_dict(record)
        except FormatError as error:
            raise FormatError(error.message, path=path, note=error.note, help=error.help) from None
    return _of_lines(text, path)


def _of_lines(text: str, path: str | None) -> Puzzle:
    """A puzzle from its lines."""
    lines = [(k, line.split()) for k, line in enumerate(text.splitlines(), 1) if line.strip()]
    is_closed = bool(lines) and lines[0][1] == [CLOSED]
    rows = lines[1:] if is_closed else lines
    if not rows:
        raise FormatError("there is no puzzle here", path=path, help="write rows of numbers, with . where none is")
    width = len(rows[0][1])
    if len(rows) * width > _MOST_CHARS:
        raise FormatError(f"a puzzle has at most {MOST_SQUARES} squares", path=path)
    given: dict[Square | str, int] = {}
    holes = []
    for r, (line, words) in enumerate(rows):
        if len(words) != width:
            message = f"a row of {len(words)} squares, and the first has {width}"
            raise FormatError(message, path=path, line=line, help="write . for an unknown square and # for a hole")
        for c, word in enumerate(words):
            if word == HOLE:
                holes.append((r, c))
            elif re.fullmatch(r"[0-9]{1,6}", word) and int(word) > 0:
                given[r, c] = int(word)
            elif word not in _UNKNOWN:
                help = "write a number, . for an unknown square or # for a hole"
                raise FormatError(f"{word[:40]!r} is no square of a puzzle", path=path, line=line, help=help)
    try:
        return Puzzle.of(Board(len(rows), width, holes=holes), given, closed=is_closed)
    except KnightsTourError as error:
        at = rows[0][0] if isinstance(error, BoardError) else None
        raise FormatError(str(error), path=path, line=at, note=error.note, help=error.help) from error
