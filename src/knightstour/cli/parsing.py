"""What people type, understood: boards, squares, holes and leapers as text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from knightstour.cli import console
from knightstour.machine.files import Source, is_pipe, open_source, source_of
from knightstour.model.board import MOST_LISTED_SQUARES, WRAPS, Board, Square, board_read_as
from knightstour.model.drawing import looks_drawn
from knightstour.model.errors import BoardError, FormatError, ProblemError
from knightstour.model.names import parse_size
from knightstour.model.pieces import help_for_leaper
from knightstour.model.problem import Problem
from knightstour.model.validation import an, one_of, shown

if TYPE_CHECKING:
    import numpy as np

    from knightstour.cli.options import QuestionWords

_SQUARE = re.compile(r"\s*([A-Za-z]+\d+|\(?-?\d+\s*,\s*-?\d+\)?)\s*([,;\s]|$)")


class BoardOptions(TypedDict, total=False):
    """What is typed of a board besides its name.

    leaper: "A,B". wrap: a name. holes: squares such as "a1,b2" or "0,0 1,1", or a file with them or with a drawing.
    read_format: of a graph in the file, where the file does not say it. holes_are: the sign of a hole in a drawing.
    """

    leaper: str | None
    wrap: str | None
    holes: str | None
    read_format: str | None
    holes_are: str | None


def board_of(text: str, **words: Unpack[BoardOptions]) -> Board:
    """The board that a command line names: "8x8", "8", or a file with a drawing or a graph; "-" is stdin.

    >>> board_of("5x6", holes="a1,0,0")
    Board(5, 6, holes=[(0, 0), (4, 0)])
    """
    boards = boards_of(text, **words)
    board = next(boards)
    if next(boards, None) is not None:
        raise FormatError(
            "the file holds several graphs", path=text, help="`solve`, `count` and `facts` answer each of them"
        )
    return board


def boards_of(text: str, **words: Unpack[BoardOptions]) -> Iterator[Board]:
    """The board of `board_of`; of a file of several graphs all of them, read one by one."""
    leaper, wrap, holes = words.get("leaper"), words.get("wrap"), words.get("holes")
    read_format, holes_are = words.get("read_format"), words.get("holes_are")
    if read_format is not None and holes_are is not None:
        raise BoardError("--from is for graphs and --holes-are for drawings", help="leave out one of them")
    pair = (1, 2) if leaper is None else leaper_of(leaper)
    if wrap is not None:
        one_of(wrap, WRAPS, "wrap", error=BoardError)
    path = Path(text)
    if re.fullmatch(r"\s*-?\d+\s*([xX×]\s*-?\d+\s*)?", text):
        if read_format is not None:
            raise BoardError("--from is for files of graphs", help=f"leave it out: {text} is a size")
        if holes_are is not None:
            raise BoardError("--holes-are is for drawings", help=f"leave it out: {text} is a size")
        rows, cols = parse_size(text)
        board = Board(rows, cols, wrap=wrap, leaper=pair)
    elif text == "-" or _is_file(path):
        from knightstour.formats.graph_files import graphs_in

        # Opened once, for it may be a pipe.
        with open_source(source_of(text)) as source:
            graphs = None if holes_are is not None else graphs_in(source, read_format)
            if graphs is not None:
                yield from _graphs_of(source, graphs, leaper, wrap, holes)
                return
            board = _drawn(source, wrap, pair, holes_are)
    elif os.path.isdir(text):
        raise BoardError(f"{text[:60]!r} is a directory", help="give a size such as 8x8, or a file with a drawing")
    elif "/" in text or "." in text:
        raise BoardError(f"there is no board file {text!r}", help="give a size such as 8x8, or a file with a drawing")
    else:
        if re.fullmatch(r"\s*\d+(\s*[xX×]\s*\d+){2,}\s*", text):
            parse_size(text)
        raise BoardError(
            f"not a board: {text[:60]!r}", help="give a size such as 8x8 (rows x columns), or a file with a drawing"
        )
    if holes is None:
        yield board
        return
    more = holes_of(holes, board)
    holed = Board(board.rows, board.cols, holes=[*board.holes, *more], wrap=wrap, leaper=pair)
    yield board_read_as(holed, board.read_as)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file() or is_pipe(path)
    except (OSError, ValueError):
        return False


def _graphs_of(
    source: Source, graphs: Iterator[Board], leaper: str | None, wrap: str | None, holes: str | None
) -> Iterator[Board]:
    if leaper or wrap or holes:
        raise BoardError("a graph has no leaper, wrap or holes", help="leave out --leaper, --wrap and --holes")
    first = next(graphs, None)
    if first is None:
        raise source.fail("the file holds no graph")
    yield first
    yield from graphs


def _drawn(source: Source, wrap: str | None, leaper: tuple[int, int], holes_are: str | None) -> Board:
    """The board that a text draws with . and #, or an array of booleans."""
    drawing: str | np.ndarray
    if source.is_array:
        drawing = array_drawing(source)
    else:
        drawing = source.read_text(MOST_LISTED_SQUARES + 1)
        if len(drawing) > MOST_LISTED_SQUARES:
            raise source.fail(f"the drawing is over {MOST_LISTED_SQUARES:,} characters long")
    try:
        return Board.from_text(drawing, wrap=wrap, leaper=leaper, holes_are=holes_are)
    except BoardError as error:
        raise BoardError(f"{source.path or 'stdin'}: {error}", note=error.note, help=error.help) from None


def array_drawing(source: Source) -> np.ndarray:
    """The array of a file as a drawing; a BoardError where it may be an adjacency matrix or a tour instead."""
    from knightstour.formats.own_graphs import array_in

    array = array_in(source)
    if array.ndim != 2 or array.dtype.kind not in "biu" or bool(((array != 0) & (array != 1)).any()):
        what = "this array is no board: a drawing has rows of booleans, or of 0 and 1"
        raise source.fail(what, help="tours are for `check`; an adjacency matrix is read with --from matrix")
    return array


def leaper_of(text: str) -> tuple[int, int]:
    """The leaper written "A,B".

    >>> leaper_of("2,3")
    (2, 3)
    """
    match = re.fullmatch(r"\s*\(?\s*(-?\d{1,9})\s*[,x;]\s*(-?\d{1,9})\s*\)?\s*", text)
    if not match:
        help = help_for_leaper(text) or "write two numbers such as 2,3; the knight is 1,2"
        raise BoardError(f"not a leaper: {text[:60]!r}", help=help)
    return int(match[1]), int(match[2])


def holes_of(text: str, board: Board) -> list[Square]:
    """The squares of a list such as "a1,b2" or "0,0;1,1", or of a file that lists them or draws the board."""
    path = Path(text)
    if _is_file(path):
        return _holes_in(path, board)
    try:
        return _squares_of(text, board)
    except BoardError as error:
        if "/" in text or path.suffix[1:].isalpha():
            raise BoardError(f"there is no file {text!r}", help="give squares such as a1,b2, or a file") from error
        raise


def _holes_in(path: Path, board: Board) -> list[Square]:
    try:
        drawing = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise BoardError(
            f"{path} is not a text file", help="list the holes there, or draw the board with '.' and '#'"
        ) from None
    try:
        if looks_drawn(drawing):
            drawn = Board.from_text(drawing)
            if (drawn.rows, drawn.cols) != (board.rows, board.cols):
                raise BoardError(f"this draws {an(f'{drawn.rows}x{drawn.cols}')} board, not {board.rows}x{board.cols}")
            console.said(drawn)
            return sorted(drawn.holes)
        return _squares_of(" ".join(drawing.split()), board)
    except BoardError as error:
        raise BoardError(f"{path}: {error}", note=error.note, help=error.help) from None


def _squares_of(text: str, board: Board) -> list[Square]:
    squares = []
    at = 0
    text = text.strip()
    while at < len(text):
        match = _SQUARE.match(text, at)
        if not match:
            raise BoardError(
                f"not a list of squares: {text[at : at + 40]!r}",
                help="write names such as a1,b2 or pairs as in 0,0;1,1",
            )
        squares.append(board.square(match[1].strip("()") if "," in match[1] else match[1]))
        at = match.end()
        while at < len(text) and text[at] in ",; ":
            at += 1
    return squares


def problem_of(board: Board, typed: QuestionWords) -> Problem:
    """The question, with squares as typed; a graph's nodes may be numbers."""
    return Problem.of(
        board,
        closed=typed.closed,
        start=None if typed.start is None else square_of(typed.start, board),
        end=None if typed.end is None else square_of(typed.end, board),
        given=_given_of(typed.given, board),
        through=_apart(typed.through, "-"),
        avoid=_apart(typed.avoid, "-"),
        symmetry=typed.symmetry,
    )


def _apart(typed: Iterable[str], mark: str) -> list[str]:
    """What was typed, with lists such as a1-b3,c2-d4 taken apart; squares may themselves be pairs like 0,0."""
    found: list[str] = []
    for text in typed:
        parts = [part.strip() for part in text.split(",")]
        found += parts if all(mark in part for part in parts) else [text]
    return found


def _given_of(typed: Iterable[str], board: Board) -> dict[Square | str, str]:
    """The given numbers, by squares: "a1=1", "c5=16..19", or several of these with commas."""
    given: dict[Square | str, str] = {}
    for text in _apart(typed, "="):
        name, mark, steps = text.rpartition("=")
        if not mark:
            raise ProblemError(f"given: {shown(text)} names no step", help="write a1=1, or c5=16..19 for any of these")
        square = square_of(name.strip(), board)
        if square in given:
            raise ProblemError(f"given: {board.name(square)} is named twice", help="give each square once")
        given[square] = steps
    return given


def square_of(text: str, board: Board) -> Square:
    """The square, or the node of a graph's board, that a text names."""
    is_number = board.labels is not None and text not in board.labels and text.isdigit()
    return board.square(int(text) if is_number else text)


def board_for(text: str | None, leaper: str | None, wrap: str | None, holes: str | None) -> Board | None:
    """The board given on the command line, or None to take the file's word."""
    for name, value in (("leaper", leaper), ("wrap", wrap), ("holes", holes)):
        if text is None and value is not None:
            raise ProblemError(f"--{name} goes with --board", help="give the board, or leave it out")
    return None if text is None else console.said(board_of(text, leaper=leaper, wrap=wrap, holes=holes))
