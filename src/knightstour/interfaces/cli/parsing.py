"""Read the words of the command line: boards, files and problems."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from knightstour.core.formats.graph_files import graphs_in
from knightstour.core.formats.table import FORMATS, format_of_extension, graph_readers
from knightstour.core.machine.files import Source, is_pipe, open_source, source_of
from knightstour.core.model.board import MAX_LISTED_SQUARES, Board
from knightstour.core.model.board_files import drawing_parts
from knightstour.core.model.board_files import with_holes as with_holes
from knightstour.core.model.board_words import BoardParts, read_parts
from knightstour.core.model.errors import BoardError, FormatError
from knightstour.core.model.pieces import KNIGHT
from knightstour.core.model.problem import Problem
from knightstour.core.model.validation import one_of

if TYPE_CHECKING:
    import numpy as np

_SIZE = re.compile(r"\s*(-?\d+\s*([xX×]\s*-?\d+\s*)*|hex|tri)(:.*)?", re.DOTALL | re.IGNORECASE)
# Suffixes of images; see lab/pictures/images.py for the conversion to a board.
_IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".pgm", ".pbm", ".ppm", ".pnm", ".tif", ".tiff")


class FileWord(NamedTuple):
    """A file specification, "dimacs:roads.dat" or "shape.txt:torus": format or None, file, parts of the board."""

    format_name: str | None
    file: str
    parts: tuple[str, ...] = ()

    @property
    def is_there(self) -> bool:
        """Whether the file exists; stdin always exists."""
        return self.file == "-" or is_file(self.file)

    @property
    def known_format(self) -> str | None:
        """The format. Raises FormatError if it is unknown."""
        from knightstour.core.formats.foreign import FOREIGN

        names = [*FORMATS, *FOREIGN]
        return None if self.format_name is None else one_of(self.format_name, names, "format", error=FormatError)

    @property
    def is_of_graphs(self) -> bool:
        """Whether the file contains graphs, by its format or its suffix."""
        from knightstour.core.formats.foreign import form_of_extension

        row = format_of_extension(self.file) or form_of_extension(self.file)
        return (self.known_format or (row and row.name)) in graph_readers()


def file_word(text: str) -> FileWord:
    """Split a file specification at its first colon: FILE:PARTS if FILE exists, else FORMAT:FILE.

    A file with exactly this name comes first. The existence of other files and the format are checked later.

    >>> file_word("npy:tours.dat"), file_word("tours.dat").file
    (FileWord(format_name='npy', file='tours.dat', parts=()), 'tours.dat')
    """
    found = _file_and_parts(text)
    if found is not None:
        return FileWord(None, *found)
    name, _, rest = text.partition(":")
    # Not the address of a page, and not a drive of Windows.
    if not rest or len(name) < 2 or "/" in name:
        return FileWord(None, text)
    return FileWord(name.strip().lower(), *(_file_and_parts(rest) or (rest,)))


def _file_and_parts(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Return an existing file or stdin, and the parts after it; else None."""
    if text == "-" or is_file(text):
        return text, ()
    # A colon after a drive of Windows is not the separator.
    drive = text[:2] if re.match(r"[A-Za-z]:[\\/]", text) else ""
    file, _, parts = text[len(drive) :].partition(":")
    is_there = file == "-" or is_file(drive + file)
    return (drive + file, tuple(parts.split(":"))) if is_there else None


def _no_board_error(text: str) -> BoardError:
    """Return the error for an invalid board or file."""
    help = "use a size such as 8x8, or a file with a drawing"
    if os.path.isdir(text):
        return BoardError(f"{text[:60]!r} is a directory", help=help)
    if "/" in text or "." in text:
        return BoardError(f"there is no board file {text!r}", help=help)

    from knightstour.core.model.cells import is_word_of_cells

    # Board() explains the syntax if the specification is nearly a board of cells.
    if is_word_of_cells(text):
        Board(text)
    help = "use a size such as 8x8 (rows x columns), or a file with a drawing"
    return BoardError(f"not a board: {text[:60]!r}", help=help)


def board_of(text: str) -> Board:
    """Return the board of a specification: "8x8", "8x8:torus:-a1", or a file with a drawing or graph; "-" is stdin.

    >>> board_of("5x6:-a1,0,0")
    Board(5, 6, holes=[(0, 0), (4, 0)])
    """
    boards = boards_of(text)
    board = next(boards)
    if next(boards, None) is not None:
        raise FormatError(
            "the file holds several graphs",
            path=text,
            help="`solve`, `count` and `facts` answer each of them, `convert` writes them",
        )
    return board


def boards_of(text: str) -> Iterator[Board]:
    """Yield the board of a specification, or each graph of a file. The first matching rule applies:

    1. a size with its parts, "8x8:torus:-a1", "4x4x4" or "hex:6": core/model/board_words.py;
    2. the name of an image, "mask.png:50:closed": _board_of_image;
    3. a file that holds graphs, "roads.g6" or "dimacs:roads.dat": graphs_in (core/formats/graph_files.py);
    4. any other file, a drawing with the parts of a board after its name, "shape.txt:torus:-0": _read_drawing.

    A file is given as FILE:PARTS or FORMAT:FILE; "-" is stdin. With FILE:directed, the graph is directed.
    """
    if is_size(text):
        if "directed" in text.split(":"):
            raise BoardError("only a graph in a file can be directed", help="omit :directed")
        yield Board(text)
        return
    word = file_word(text)
    if not word.is_there:
        raise _no_board_error(text)
    is_directed = "directed" in word.parts
    word = word._replace(parts=tuple(part for part in word.parts if part != "directed"))
    if word.file.lower().endswith(_IMAGES) and not is_directed:
        yield _board_of_image(word)
        return
    format_name = word.known_format
    parts, sign = drawing_parts(word.parts)
    # Opened only once, since it may be a pipe.
    help = f"use `knightstour check {word.file}` to check it, or `knightstour draw {word.file}` to draw it"
    # A size needs no formats of tours.
    from knightstour.core.formats.tours import no_tour_in

    with open_source(source_of(word.file)) as source, _no_puzzle_in(word.file), no_tour_in(source, help):
        graphs = None if sign else graphs_in(source, format_name, is_directed)
        if graphs is not None:
            yield from _checked_graphs(graphs, source, word)
        elif is_directed:
            raise source.fail("the file is not a graph, so it cannot be directed", help=f"write {word.file} alone")
        else:
            yield _read_drawing(source, parts, sign)


@contextmanager
def _no_puzzle_in(path: str) -> Iterator[None]:
    """In a `with` block that reads a board, raise another error if the file contains a puzzle or a certificate."""
    try:
        yield
    except (BoardError, FormatError):
        from knightstour.lab.certificates.verify import is_certificate
        from knightstour.lab.puzzles.recognise import holds_puzzle

        if holds_puzzle(path, rather_tour=True):
            what, help = "puzzle", f"use `knightstour puzzle solve {path}`"
        elif is_certificate(path):
            what, help = "certificate", f"use `knightstour check {path}`"
        else:
            raise
        raise FormatError(f"the file contains a {what}, not a board", path=path, help=help) from None


def _checked_graphs(graphs: Iterator[Board], source: Source, word: FileWord) -> Iterator[Board]:
    """Raises an error for a file without graphs, or for parts of a board."""
    if word.parts:
        raise BoardError("a graph has no leaper, wrap or holes", help=f"write {word.file} alone")
    first = next(graphs, None)
    if first is None:
        raise source.fail("the file holds no graph")
    yield first
    yield from graphs


def _board_of_image(word: FileWord) -> Board:
    from knightstour.lab.pictures.images import MOST_DROPPED, board_of_image

    words = [part.strip().lower() for part in word.parts]
    rows = [part for part in words if part.isdecimal()]
    kinds = [part for part in words if part in ("open", "closed")]
    how = [part for part in words if part in ("join", "trim")]
    others = read_parts(part for part in words if part not in rows + kinds + how)
    if len(rows) > 1 or len(kinds) > 1 or len(set(how)) < len(how) or others.wrap or others.holes:
        what = "an image takes a number of rows, open or closed, join, trim, and a piece, each once"
        raise BoardError(f"{':'.join(word.parts)}: {what}", help=f"write {word.file}:50:closed")
    trim = kinds[0] if kinds else "closed" if how else None
    with open_source(source_of(word.file)) as source:
        data = source.stream.read()
    try:
        most = 1.0 if "trim" in how else MOST_DROPPED
        count, piece = int(rows[0]) if rows else None, others.piece or KNIGHT
        return board_of_image(data, count, trim, piece, join="join" in how, most_dropped=most)
    except BoardError as error:
        raise BoardError(f"{word.file}: {error}", note=error.note, help=error.help) from None


def is_size(text: str) -> bool:
    """Whether a specification describes a board without a file."""
    return _SIZE.fullmatch(text) is not None and not is_file(text)


def is_board(text: str) -> bool:
    """Whether a specification is a board, and cannot be a file of tours.

    A board is a size, a file with parts after it, a file of graphs, or a drawing without letters and digits.
    """
    word = file_word(text)
    if is_size(text) or word.parts or word.is_of_graphs:
        return True
    if word.file.lower().endswith(_IMAGES) and os.path.isfile(word.file):
        from knightstour.core.drawing.origin import origin_of

        # A picture of a tour contains the tour as metadata.
        with open_source(word.file) as source:
            return origin_of(source.stream.read()) is None
    if not os.path.isfile(word.file):
        return False
    with open_source(word.file) as source:
        return not source.is_array and not re.search(rb"\w|^\s*$", source.head)


def is_file(text: str) -> bool:
    """Whether a file or a pipe with this name exists."""
    try:
        return os.path.isfile(text) or is_pipe(text)
    except (OSError, ValueError):
        return False


def _read_drawing(source: Source, parts: BoardParts, holes_are: str | None) -> Board:
    drawing: str | np.ndarray
    if source.is_array:
        drawing = array_drawing(source)
    else:
        drawing = source.read_text(MAX_LISTED_SQUARES + 1)
        if len(drawing) > MAX_LISTED_SQUARES:
            raise source.fail(f"the drawing is over {MAX_LISTED_SQUARES:,} characters long")
    try:
        board = Board.from_text(drawing, wrap=parts.wrap, moves=parts.piece or KNIGHT, holes_are=holes_are)
    except BoardError as error:
        raise BoardError(
            f"no graph is in the file, and no drawing of a board: {error}", note=error.note, help=error.help
        ) from None
    return with_holes(board, map(board.square, parts.holes)) if parts.holes else board


def array_drawing(source: Source) -> np.ndarray:
    """Return the array of a file as a drawing. Raises BoardError if it may be an adjacency matrix or a tour."""
    from knightstour.core.formats.neighbour_lists import matrix_in

    array = matrix_in(source)
    if array.ndim != 2 or array.dtype.kind not in "biu" or bool(((array != 0) & (array != 1)).any()):
        what = "the array is not a board: a drawing has rows of booleans, or of 0 and 1"
        raise source.fail(what, help=f"tours are for `check`; an adjacency matrix is matrix:{source.path or 'FILE'}")
    return array


def problem_of(board: Board, **conditions: Any) -> Problem:
    """Return the problem of a board with conditions in the form of the command line; empty conditions are ignored."""
    given = {name: value for name, value in conditions.items() if value not in (None, (), False)}
    return Problem(board, **given)


def board_with_notes(text: str) -> Board:
    """Return the board of a specification; print a note on the interpretation of an inexact drawing."""
    from knightstour.interfaces.cli import console

    return console.note_reading(board_of(text))
