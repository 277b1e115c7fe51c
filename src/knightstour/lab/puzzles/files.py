"""Puzzles as text, as JSON and as JSON Lines.

    closed
    1  .  .  .
    .  #  2  .

A number is given, `.` is unknown, `#` is a hole. The first line is `closed` if the tour is closed. A comment such as
`# board 3x4:2,3` specifies the piece and the wrap, or a board of cells, whose lines and layers follow. The format is
never guessed, since a point is a hole in the diagram of a tour. The first line of a Zip is `in order`, and its numbers
are the order of squares; a line such as `walls a1-b1 c3-c4` lists its walls. Text supports puzzles of numbers. JSON
(lab/puzzles/records.py) supports all puzzles.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from knightstour.core.formats.table import suffix_of
from knightstour.core.machine.files import PathOrFile, Source, open_source, open_target
from knightstour.core.model.board import Board, BoardLike, Square, board_of, square_at, title_of, with_remarks, word_of
from knightstour.core.model.conditions import name_of_move
from knightstour.core.model.errors import BoardError, FormatError, KnightsTourError
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.grid_board import GridBoard, is_knights, is_rectangle
from knightstour.core.model.layers import is_compact
from knightstour.core.model.pieces import Moves, Piece
from knightstour.core.model.validation import as_list, did_you_mean, of_kind, wrong_type
from knightstour.lab.puzzles.doubts import check_doubt, check_knight_numbers
from knightstour.lab.puzzles.puzzle import MAX_SQUARES, Puzzle, details_of
from knightstour.lab.puzzles.records import is_json, puzzles_in_json
from knightstour.lab.puzzles.records import puzzle_from_dict as puzzle_from_dict
from knightstour.lab.puzzles.records import puzzle_to_dict as puzzle_to_dict
from knightstour.lab.puzzles.rows import CLOSED, HOLE, IN_ORDER, UNKNOWN, WALLS, Rows, rows_of

_MAX_CHARS = 1_000_000


def text_of_puzzle(puzzle: Puzzle, format: str = "text") -> str:
    if format == "json":
        return json.dumps(puzzle_to_dict(puzzle)) + "\n"
    if format != "text":
        raise FormatError(f"unknown format of puzzles: {format!r}", help="one of text, json")
    check_text_holds(puzzle.board)
    if any(not isinstance(numbers, int) for numbers in puzzle.given.values()):
        raise FormatError("text does not support puzzles of letters or places", help="write it as JSON")
    return heading_of(puzzle) + str(puzzle) + "\n"


def check_text_holds(board: Board) -> None:
    """Raise FormatError if puzzles on a board have no text: a graph, or cells without a specification.

    >>> check_text_holds(Board("hex:3:king"))
    """
    if not word_of(board) or (isinstance(board, CellBoard) and not is_compact(board)):
        raise FormatError(f"text does not support the {title_of(board)}", help="write it as JSON")


def heading_of(puzzle: Puzzle) -> str:
    """Return the lines above the rows: the board unless the rows define it, and the kind of puzzle.

    If the solution is unknown, the board is always included: a contradiction would make the reader try other pieces.
    >>> heading_of(Puzzle(Board(2, 3, leaper=(0, 1)), {"a1": 1}, closed=True))
    '# board 2x3:0,1\\nclosed\\n'
    """
    board, details = puzzle.board, details_of(puzzle)
    flat = board.replace(holes=()) if isinstance(board, GridBoard) else board
    # Up to three numbers in the first row may look like counts of rows, columns and given squares.
    is_shown = is_rectangle(flat) and board.cols > 3 and puzzle.solution is not None
    named = f"# board {flat}\n" if word_of(board) and not is_shown else ""
    walls = sorted(name_of_move(board, wall) for wall in details.forbid)
    is_zip = (f"{IN_ORDER}\n" if details.order else "") + (f"{WALLS} {' '.join(walls)}\n" if walls else "")
    return named + (CLOSED + "\n") * puzzle.closed + is_zip


# Suffixes of pictures, of text and of JSON; a name without a suffix means text.
_PICTURES: Final = ("svg", "png", "pdf")
_LINES: Final = ".jsonl"
_JSON: Final = (".json", _LINES)
_TEXTS: Final = ("", ".txt", *_JSON)


def check_puzzle_name(path: str | os.PathLike[str]) -> str | None:
    """Return the kind of picture for a file name, None for text or JSON; raise FormatError for other suffixes."""
    # Imported here, since only pictures need the drawing modules.
    from knightstour.core.drawing.kinds import kind_of_suffix

    extension = suffix_of(path)
    kind = kind_of_suffix(extension)
    if kind in _PICTURES or (kind is None and extension in _TEXTS):
        return kind
    known = [f".{each}" for each in _PICTURES] + [each for each in _TEXTS if each]
    why = f"a puzzle cannot be written as {extension}{did_you_mean(extension, known)}"
    raise FormatError(why, path=os.fspath(path), help="use one of the suffixes " + " ".join(known))


def save_puzzle(puzzle: Puzzle, path: str | os.PathLike[str], **look: Any) -> None:
    kind = check_puzzle_name(path)
    if kind is None:
        if look:
            raise FormatError(f"{min(look)} applies to pictures", path=os.fspath(path), help="save it as .svg or .png")
        write_puzzle(path, puzzle)
        return
    from knightstour.core.drawing.pictures import picture_of

    font = look.pop("font", None)
    data = picture_of(puzzle, kind, **look)._with_font(font)
    with open_target(path) as file:
        file.write(data)


def write_puzzle(path: str | os.PathLike[str], puzzle: Puzzle) -> None:
    """Write a puzzle to a file, as JSON if its name ends in .json or .jsonl, else as text."""
    text = text_of_puzzle(puzzle, "json" if suffix_of(path) in _JSON else "text")
    with open_target(path) as file:
        file.write(text.encode())


def write_puzzles(path: str | os.PathLike[str], puzzles: Iterable[Puzzle]) -> None:
    """Write puzzles to a file of JSON Lines (.jsonl), one puzzle per line, for `read_puzzles`.

    Raises:
        FormatError: If the suffix is not .jsonl.
        OSError: If the file cannot be written.
    """
    if suffix_of(path) != _LINES:
        raise FormatError("several puzzles need JSON Lines", path=os.fspath(path), help=f"use the suffix {_LINES}")
    made = as_list(puzzles, "puzzles", help="pass puzzles, such as [kt.make_puzzle('6x6')]")
    lines = [text_of_puzzle(of_kind(puzzle, Puzzle, "create one: kt.make_puzzle('6x6')"), "json") for puzzle in made]
    with open_target(path) as file:
        file.write("".join(lines).encode())


def puzzle_in_file(path_or_file: PathOrFile, board: BoardLike | None, moves: Moves | None, wrap: str | None) -> Puzzle:
    found = read_puzzles(path_or_file, board=board, moves=moves, wrap=wrap)
    return _single_puzzle(found, os.fspath(path_or_file) if isinstance(path_or_file, str | os.PathLike) else None)


def read_puzzles(
    path_or_file: PathOrFile, *, board: BoardLike | None = None, moves: Moves | None = None, wrap: str | None = None
) -> list[Puzzle]:
    """Return the puzzles in a file: JSON Lines, a JSON list, or one puzzle as in `Puzzle.from_file`."""
    with open_source(path_or_file) as source:
        text = source.read_text(_MAX_CHARS)
        return _parse(text, source, BoardArguments.of(board, moves, wrap))


def puzzle_in_text(text: str, board: BoardLike | None, moves: Moves | None, wrap: str | None) -> Puzzle:
    if not isinstance(text, str):
        raise wrong_type("a puzzle", "a text", text)
    return _single_puzzle(_parse(text, None, BoardArguments.of(board, moves, wrap)), None)


def _single_puzzle(puzzles: list[Puzzle], path: str | None) -> Puzzle:
    if len(puzzles) != 1:
        why = f"expected one puzzle, found {len(puzzles)}"
        raise FormatError(why, path=path, help="use kt.puzzles.read_puzzles for several")
    return puzzles[0]


# ---------------------------------------------------------------- the board in a file, and the board given with it


class BoardArguments(NamedTuple):
    """Board, piece and wrap that the caller gave in addition to a file; each may be None."""

    board: Board | None
    piece: Piece | None
    wrap: str | None

    @classmethod
    def of(cls, board: BoardLike | None, moves: Moves | None, wrap: str | None) -> BoardArguments:
        """Return these values in checked form."""
        return cls(None if board is None else board_of(board), None if moves is None else Piece.of(moves), wrap)

    @property
    def has_piece(self) -> bool:
        """Whether the caller gave a piece. A board for the knight may specify only the size."""
        return self.piece is not None or (self.board is not None and not is_knights(self.board))

    def check(self, named: Board) -> None:
        """Raise BoardError if the file names another board."""
        if self.board is not None and not _is_same(self.board, named):
            why = f"the file is a puzzle of the {title_of(named)}, not of the {title_of(self.board)}"
            help = "omit the board" + (f", or use {word_of(named)}" if word_of(named) else "")
            raise BoardError(why, help=help)
        piece = named.piece if isinstance(named, GridBoard | CellBoard) else None
        if (self.piece is not None and self.piece != piece) or (self.wrap is not None and self.wrap != named.wrap):
            raise BoardError(f"the file is a puzzle of the {title_of(named)}, but another piece or wrap was given")

    def board_of(self, size: tuple[int, int]) -> GridBoard:
        """Return the board for rows of this size, if the file names no board."""
        if self.board is None:
            return Board(*size, wrap=self.wrap, moves=self.piece)
        if not isinstance(self.board, GridBoard):
            raise BoardError(
                f"rows of numbers do not describe a puzzle on the {title_of(self.board)}", help="use its JSON"
            )
        rows, cols = self.board.rows, self.board.cols
        if (rows, cols) != size:
            raise BoardError(f"the file is a puzzle of {size[0]} rows and {size[1]} columns, not of {rows} and {cols}")
        wrap, piece = self.wrap or self.board.wrap, self.piece or self.board.piece
        return Board(rows, cols, holes=self.board.holes, wrap=wrap, moves=piece)


def _is_same(given: Board, named: Board) -> bool:
    """Whether two boards are equal, except for holes that the first may omit."""
    if not isinstance(given, GridBoard) or not isinstance(named, GridBoard):
        return given == named
    return given.replace(holes=()) == named.replace(holes=()) and given.holes in (frozenset(), named.holes)


# ---------------------------------------------------------------- reading


def _parse(text: str, source: Source | None, arguments: BoardArguments) -> list[Puzzle]:
    path = None if source is None else source.path
    if not is_json(text):
        return [_parse_lines(text, path, arguments)]
    found = puzzles_in_json(text, path)
    try:
        for puzzle in found:
            arguments.check(puzzle.board)
    except BoardError as error:
        raise FormatError(str(error), path=path, note=error.note, help=error.help) from None
    return found


def _parse_lines(text: str, path: str | None, arguments: BoardArguments) -> Puzzle:
    found = rows_of(text, path, arguments.board)
    if sum(len(words) for _, words in found.rows) > _MAX_CHARS:
        raise FormatError(f"a puzzle has at most {MAX_SQUARES:,} squares", path=path)
    try:
        board, given = _read_cells(found, arguments) if found.places is not None else _read_rows(found, arguments, path)
        board = with_remarks(board, found.remarks)
        if found.is_in_order:
            order: list[Square] = sorted(given, key=given.__getitem__)
            return Puzzle(board, visit_order=order, forbid=found.walls)
        puzzle = Puzzle(board, given, closed=found.is_closed)
    except FormatError:
        raise
    except KnightsTourError as error:
        at = found.first_line if isinstance(error, BoardError) else None
        raise FormatError(str(error), path=path, line=at, note=error.note, help=error.help) from error
    if found.board is None:
        check_doubt(puzzle, found, arguments.has_piece, path)
    return puzzle


def _read_cells(rows: Rows, arguments: BoardArguments) -> tuple[Board, dict[Square, int]]:
    """Return the board of cells and the given numbers."""
    board = rows.board or arguments.board
    assert board is not None and rows.places is not None
    arguments.check(board)
    words = [word for _, row in rows.rows for word in row]
    pairs = zip(rows.places, words, strict=True)
    given = {square_at(board, place): int(word) for place, word in pairs if word != UNKNOWN}
    _check_order(rows, list(given.values()))
    return board, given


def _read_rows(rows: Rows, arguments: BoardArguments, path: str | None) -> tuple[Board, dict[Square, int]]:
    """Return the board of rows and the given numbers. Raises BoardError or FormatError."""
    height, width = len(rows.rows), rows.width
    squares = {(r, c): word for r, (_, words) in enumerate(rows.rows) for c, word in enumerate(words)}
    holes = [square for square, word in squares.items() if word == HOLE]
    given: dict[Square, int] = {s: int(word) for s, word in squares.items() if word not in (HOLE, UNKNOWN)}
    _check_order(rows, list(given.values()))
    named = rows.board
    if rows.is_in_order and named is None and not arguments.has_piece:
        why = "the squares in order need a piece, and the text does not name it"
        help = f"name it: FILE {height}x{width}:wazir (moves='wazir' in Python)"
        raise FormatError(why, path=path, line=rows.first_line, help=help)
    if named is not None:
        is_its_size = (named.rows, named.cols) == (height, width)
        if not isinstance(named, GridBoard) or not is_its_size or not named.holes <= set(holes):
            raise BoardError(f"the comment names the {title_of(named)}, but the rows are {height}x{width}")
        whole = named.replace(holes=holes)
        arguments.check(whole)
        return whole, given
    board = arguments.board_of((height, width))
    if height == 1 < width and arguments.board is None and not arguments.has_piece:
        side = math.isqrt(width)
        size = f"{side}x{side}" if side * side == width else "ROWSxCOLS"
        why = f"one line of {width} squares, and a board of one row has no knight's moves"
        help = f"name the board that it fills row by row: FILE {size}:wazir"
        raise FormatError(why, path=path, line=rows.first_line, help=help)
    if not rows.is_in_order and not arguments.has_piece and board.wrap is None:
        check_knight_numbers(given, rows, path)
    return board.replace(holes=[*board.holes, *holes]), given


def _check_order(rows: Rows, numbers: list[int]) -> None:
    if rows.is_in_order and (sorted(numbers) != list(range(1, len(numbers) + 1)) or len(numbers) < 2):
        why = "the numbers of squares in order are 1, 2, 3, ..., each once"
        raise BoardError(why, help=f"without the line `{IN_ORDER}` they are numbers of the tour")
