"""What people type, understood: boards, squares, holes and leapers as text."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from knightstour.core.formats.foreign import FOREIGN
from knightstour.core.formats.table import FORMATS
from knightstour.core.machine.files import Source, is_pipe, open_source, source_of
from knightstour.core.model.board import MOST_LISTED_SQUARES, Board, Square, board_read_as
from knightstour.core.model.board_words import BoardParts, read_parts
from knightstour.core.model.errors import BoardError, FormatError, ProblemError
from knightstour.core.model.problem import Problem
from knightstour.core.model.validation import one_of, shown

if TYPE_CHECKING:
    import numpy as np

    from knightstour.interfaces.cli.options import QuestionWords

_SIZE = re.compile(r"\s*-?\d+\s*([xX×]\s*-?\d+\s*)*(:.*)?", re.DOTALL)
_SIGN = re.compile(r"-\s*\S")


class FileWord(NamedTuple):
    """A word such as "dimacs:roads.dat" or "shape.txt:torus": a file, its format or None, and the parts after it."""

    format_name: str | None
    file: str
    parts: tuple[str, ...]


def file_word(text: str, formats: Collection[str]) -> FileWord:
    """The file that a word names, with one of these formats before it and parts of a board behind it, if any.

    A file of that very name comes first. A BoardError where there is no such file.
    """
    if text == "-" or is_file(text):
        return FileWord(None, text, ())
    words = text.split(":")
    for first in (0, 1):
        for last in range(len(words), first, -1):
            file = ":".join(words[first:last])
            if file != "-" and not is_file(file):
                continue
            name = words[0].strip().lower() if first else None
            if name is not None and name not in formats:
                one_of(name, formats, "format", error=FormatError)
            return FileWord(name, file, tuple(words[last:]))
    raise _no_board(text)


def tour_file_word(text: str) -> FileWord:
    """The file of tours that a word names, with its format before it, if any; whether it exists is seen later.

    >>> tour_file_word("npy:tours.dat")
    FileWord(format_name='npy', file='tours.dat', parts=())
    """
    name, colon, file = text.partition(":")
    # A drive of Windows is one letter.
    if not colon or len(name) < 2 or is_file(text) or "/" in name:
        return FileWord(None, text, ())
    return FileWord(one_of(name.strip().lower(), [*FORMATS, *FOREIGN], "format", error=FormatError), file, ())


def _no_board(text: str) -> BoardError:
    """The error of a word that names no board, nor a file with one."""
    help = "give a size such as 8x8, or a file with a drawing"
    if os.path.isdir(text):
        return BoardError(f"{text[:60]!r} is a directory", help=help)
    if "/" in text or "." in text:
        return BoardError(f"there is no board file {text!r}", help=help)
    help = "give a size such as 8x8 (rows x columns), or a file with a drawing"
    return BoardError(f"not a board: {text[:60]!r}", help=help)


def board_of(text: str) -> Board:
    """The board that a word names: "8x8", "8x8:torus:-a1", or a file with a drawing or a graph; "-" is stdin.

    >>> board_of("5x6:-a1,0,0")
    Board(5, 6, holes=[(0, 0), (4, 0)])
    """
    boards = boards_of(text)
    board = next(boards)
    if next(boards, None) is not None:
        raise FormatError(
            "the file holds several graphs", path=text, help="`solve`, `count` and `facts` answer each of them"
        )
    return board


def boards_of(text: str) -> Iterator[Board]:
    """The board of `board_of`; of a file of several graphs all of them, read one by one.

    Behind a file come parts as behind a size: shape.txt:torus. There -0 or -1 is the sign of the drawing's holes.
    """
    if is_size(text):
        yield Board.of(text)
        return
    from knightstour.core.formats.graph_files import graphs_in

    word = file_word(text, [*FORMATS, *FOREIGN])
    signs = [part.strip()[1:].strip() for part in word.parts if _SIGN.fullmatch(part.strip())]
    parts = read_parts(part for part in word.parts if not _SIGN.fullmatch(part.strip()))
    if word.format_name is not None and word.parts:
        raise BoardError("a graph has no leaper, wrap or holes", help=f"write {word.format_name}:{word.file}")
    # Opened once, for it may be a pipe.
    with open_source(source_of(word.file)) as source:
        graphs = None if signs else graphs_in(source, word.format_name)
        if graphs is None:
            yield _drawn(source, parts, signs[0] if signs else None)
            return
        if word.parts:
            raise BoardError("a graph has no leaper, wrap or holes", help=f"write {word.file} alone")
        first = next(graphs, None)
        if first is None:
            raise source.fail("the file holds no graph")
        yield first
        yield from graphs


def is_size(text: str) -> bool:
    """Whether a word is a board's, and names no file."""
    return _SIZE.fullmatch(text) is not None and not is_file(text)


def is_file(text: str) -> bool:
    """Whether a word names a file, or a pipe."""
    path = Path(text)
    try:
        return path.is_file() or is_pipe(path)
    except (OSError, ValueError):
        return False


def _drawn(source: Source, parts: BoardParts, holes_are: str | None) -> Board:
    """The board that a text draws with . and #, or an array of booleans."""
    drawing: str | np.ndarray
    if source.is_array:
        drawing = array_drawing(source)
    else:
        drawing = source.read_text(MOST_LISTED_SQUARES + 1)
        if len(drawing) > MOST_LISTED_SQUARES:
            raise source.fail(f"the drawing is over {MOST_LISTED_SQUARES:,} characters long")
    try:
        board = Board.from_text(drawing, wrap=parts.wrap, leaper=parts.leaper or (1, 2), holes_are=holes_are)
    except BoardError as error:
        raise BoardError(f"{source.path or 'stdin'}: {error}", note=error.note, help=error.help) from None
    return with_holes(board, map(board.square, parts.holes)) if parts.holes else board


def with_holes(board: Board, squares: Iterable[Square]) -> Board:
    """The board without these squares, too; how it was read stays known."""
    holes = [*board.holes, *squares]
    holed = Board(board.rows, board.cols, holes=holes, wrap=board.wrap, leaper=board.leaper)
    return board_read_as(holed, board.read_as)


def array_drawing(source: Source) -> np.ndarray:
    """The array of a file as a drawing; a BoardError where it may be an adjacency matrix or a tour instead."""
    from knightstour.core.formats.own_graphs import array_in

    array = array_in(source)
    if array.ndim != 2 or array.dtype.kind not in "biu" or bool(((array != 0) & (array != 1)).any()):
        what = "this array is no board: a drawing has rows of booleans, or of 0 and 1"
        raise source.fail(what, help=f"tours are for `check`; an adjacency matrix is matrix:{source.path or 'FILE'}")
    return array


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
