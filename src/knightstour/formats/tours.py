"""Tours and boards to files and text, and back.

`FORMATS` is the one table of what can be written and read. A file's format is told by its suffix, else by how it
begins. One file may hold many tours: grids and X/Y lists have an empty line between two, lists of squares a line
each, tables a column, JSON an object a line, `.tour` a -1 after each, NumPy one more axis.

    grid       1-based numbers, `.` for a hole            csv    columns tour, step, row, col
    grid0      the same from 0                            json   one object a line; carries any board
    squares    0,0 1,2 ... as row,col                     npy, npz   NumPy arrays
    algebraic  a8 c7 ...                                  hcp    the board's graph (no tours)
    xy         X: 1<tab>Y: 1 a line, column and row       tour   TSPLIB node numbers

Whoever reads gets tours that are checked, or an error that names the file, the line and what is wrong: FormatError
where it cannot be read, InvalidTour where it can and is no tour. Files are read as far as they are asked for, so a
gigabyte of noise costs no more than its beginning. Cost: 100,000 tours of 8x8 as a grid are written in about a second
and read in a few.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import PurePath
from typing import Any, cast

import numpy as np

from knightstour.formats import text as notation
from knightstour.formats import tsplib
from knightstour.formats.table import _SUFFIXES, FORMATS, Format, Reader, format_named, format_to_write
from knightstour.formats.text import Reading
from knightstour.machine.files import PathOrFile, Source, check_stream, open_source, open_target
from knightstour.model.board import Board, BoardLike
from knightstour.model.errors import FormatError, InvalidTour
from knightstour.model.tour import Tour
from knightstour.model.validation import each, flag, shown

# ---------------------------------------------------------------- writing


def write_tours(
    path_or_file: PathOrFile, tours: Tour | Iterable[Tour], format: str | None = None, *, force: bool = False
) -> int:
    """Write tours to a file, or to a stream that stands open; returns how many.

    format: a name of FORMATS; None: as the path's suffix says, "grid" for a stream. Tours are taken one by one, so an
    iterator may give millions. A new file appears only when it is complete. Raises FormatError where the format is
    unknown or cannot hold the tours, the file exists (unless `force`) or cannot be written, or there is no tour.

    >>> import io
    >>> write_tours(io.StringIO(), Tour((1, 1), ["a1"]))
    1
    """
    if not isinstance(path_or_file, str | os.PathLike):
        check_stream(path_or_file, "write")
    row = format_to_write(path_or_file, format)
    counted = _Counted([tours] if isinstance(tours, Tour) else tours)
    chunks: Iterator[Any] = row.write(counted)
    if isinstance(path_or_file, str | os.PathLike):
        with open_target(path_or_file, force=force) as file:
            for chunk in chunks:
                file.write(chunk if row.is_binary else chunk.encode("utf-8"))
            counted.check_some()
        return counted.count
    stream: Any = path_or_file
    is_text = isinstance(stream, io.TextIOBase)
    if row.is_binary and is_text:
        if not hasattr(stream, "buffer"):
            raise FormatError(f"the format {row.name} is binary, the stream takes text", help="open it with mode 'wb'")
        stream.flush()
        stream, is_text = stream.buffer, False
    for chunk in chunks:
        stream.write(chunk if row.is_binary or is_text else chunk.encode("utf-8"))
    counted.check_some()
    return counted.count


class _Counted:
    """Tours as they pass by."""

    def __init__(self, tours: Iterable[Tour]) -> None:
        self._tours = each(tours, "tours", error=FormatError, help="give a Tour, or several")
        self.count = 0

    def __iter__(self) -> Iterator[Tour]:
        for tour in self._tours:
            if not isinstance(tour, Tour):
                raise FormatError(f"not a Tour: {shown(tour)}", help="make one: Tour(board, squares)")
            self.count += 1
            yield tour

    def check_some(self) -> None:
        if not self.count:
            raise FormatError("there is no tour to write")


def format_tour(tour: Tour | Iterable[Tour], format: str = "grid") -> str:
    """The text of a tour, or of several; a FormatError for the binary formats.

    >>> format_tour(Tour((1, 1), ["a1"]), "xy")
    'X: 1\\tY: 1\\n'
    """
    row = format_named(format)
    if row.is_binary:
        raise FormatError(f"the format {format} is binary, not text", help="write it to a file with write_tours")
    counted = _Counted([tour] if isinstance(tour, Tour) else tour)
    text = "".join(cast(Iterator[str], row.write(counted)))
    counted.check_some()
    return text


# ---------------------------------------------------------------- reading


def read_tours(path_or_file: PathOrFile, format: str | None = None, board: BoardLike | None = None) -> list[Tour]:
    """All tours of a file, or of a stream that stands open.

    format: a name of FORMATS; None: as the path's suffix or else the beginning of the file says.
    board: the board, where the file does not tell it (`needs_board` in FORMATS); if it does, the two must agree.

    Raises FormatError (with `.path` and `.line`) where the file cannot be read, InvalidTour (with `.step`) where a
    tour of it is none.

    >>> read_tours(io.StringIO("1 4 7 10\\n8 11 2 5\\n3 6 9 12\\n"))
    [<open Tour of 3x4 board, a3 to d1>]
    """
    return list(iter_tours_from(path_or_file, format, board))


def iter_tours_from(
    path_or_file: PathOrFile, format: str | None = None, board: BoardLike | None = None
) -> Iterator[Tour]:
    """The tours of `read_tours` one by one, reading the file as far as they are asked for."""
    with open_source(path_or_file) as source:
        for number, reading in _numbered(source, format, board):
            try:
                yield Tour(reading.board, reading.squares)
            except InvalidTour as error:
                raise _placed(error, source, number, reading.line) from None


def read_candidates(
    path_or_file: PathOrFile, format: str | None = None, board: BoardLike | None = None
) -> Iterator[tuple[Board, np.ndarray]]:
    """What a file offers as tours, not checked: (board, squares), squares an int (n, 2) array in order of visit.

    `Tour(board, squares)` then says at which step one goes wrong. Raises FormatError as `read_tours` does, and
    InvalidTour where the numbers of a diagram are not 1, 2, 3, ... so that there is no order of visit.
    """
    with open_source(path_or_file) as source:
        for _, reading in _numbered(source, format, board):
            yield reading.board, reading.squares


def parse_tours(text: str, format: str | None = None, board: BoardLike | None = None) -> list[Tour]:
    """The tours in a text, as `read_tours` reads a file; the errors are the same.

    >>> parse_tours("1 4 7 10\\n8 11 2 5\\n3 6 9 12\\n")
    [<open Tour of 3x4 board, a3 to d1>]
    """
    if not isinstance(text, str):
        raise FormatError(f"this is no text: {shown(text)}", help="read_tours reads files")
    return read_tours(io.StringIO(text), format, board)


def _numbered(source: Source, name: str | None, board: BoardLike | None) -> Iterator[tuple[int, Reading]]:
    """(which tour of the file, counted from 1; the reading)."""
    given = None if board is None else Board.of(board)
    read = _reader(source, name)
    number = 0
    readings = read(source, given)
    while True:
        try:
            reading = next(readings, None)
        except InvalidTour as error:
            raise _placed(error, source, number + 1, None) from None
        if reading is None:
            break
        number += 1
        here, squares, line = reading
        # Checking takes memory for the whole board; a stray number must not ask for terabytes.
        if here.rows * here.cols > 1_000_000 and len(squares) != here.square_count:
            short = InvalidTour(
                f"only {len(squares):,} of the {here.square_count:,} squares of the {here} are visited",
                step=len(squares),
            )
            raise _placed(short, source, number, line)
        yield number, reading
    if not number:
        raise source.fail("the file holds no tour")


def _placed(error: InvalidTour, source: Source, number: int, line: int | None) -> InvalidTour:
    """The error with the place of the tour in front."""
    place = f"tour {number}" + (f" (line {line})" if line else "")
    file = f"{source.path}: " if source.path else ""
    return InvalidTour(f"{file}{place}: {error}", step=error.step, note=error.note, help=error.help)


# ---------------------------------------------------------------- guessing


def _reader(source: Source, name: str | None) -> Reader:
    if name is not None:
        return format_named(name).read
    if source.is_array:
        return FORMATS["npz" if source.head.startswith(b"PK") else "npy"].read
    suffix = PurePath(source.path or "").suffix.lower()
    row = _SUFFIXES.get(suffix)
    if row is not None and (
        row.is_binary or row.name in ("json", "hcp", "tour", "xy", "squares", "algebraic", "grid0")
    ):
        return row.read
    return _reader_by_content(source, row)


_WORDS_OF = (
    ("xy", re.compile(r"X:\s*-?\d+\s+Y:", re.IGNORECASE)),
    ("json", re.compile(r"[{\[]")),
    ("squares", re.compile(r"[(]\s*\d+\s*,|\d+\s*,\s*\d+(\s*[;\s]|$)(?!\s*,)")),
    ("algebraic", re.compile(r"[a-z]{1,12}\d+([\s,-]|$)", re.IGNORECASE)),
)
_TSPLIB = re.compile(r"(NAME|TYPE|COMMENT|DIMENSION|TOUR_SECTION|EDGE_DATA_FORMAT)\b", re.IGNORECASE)


def _reader_by_content(source: Source, by_suffix: Format | None) -> Reader:
    """The reader for a file that begins like this one; a FormatError where none would do."""
    text = source.check_is_text()
    lines = (raw[:2000].strip() for raw in text.splitlines())
    line, first = next(((n, s) for n, s in enumerate(lines, start=1) if s and not s.startswith("#")), (0, ""))
    if not first:
        # The names of many holes may fill the beginning.
        if by_suffix is not None and text.startswith("# board "):
            return by_suffix.read
        raise source.fail("the file holds no tour")
    if _TSPLIB.match(first):
        is_board = re.search(r"^\s*TYPE\s*:\s*HCP\b", text, re.IGNORECASE | re.MULTILINE)
        return FORMATS["hcp" if is_board else "tour"].read
    fields = [field.strip(' "').lower() for field in first.split(",")]
    if "row" in fields and "col" in fields:
        return FORMATS["csv"].read
    for name, pattern in _WORDS_OF:
        if pattern.match(first):
            return FORMATS[name].read
    if re.match(r"[\d.]+([\s,]|$)", first):
        return partial(notation.read_grid, first_number=None)
    shown = first if len(first) <= 40 else first[:40] + "..."
    raise source.fail(f"{shown!r} begins no tour in any known format", line, help="formats: " + ", ".join(FORMATS))


# ---------------------------------------------------------------- boards


def write_board(path_or_file: PathOrFile, board: BoardLike, *, extra_vertex: bool = False, force: bool = False) -> None:
    """Write a board's graph as a TSPLIB Hamiltonian cycle problem (`.hcp`), to a path or an open text stream.

    extra_vertex: add a last vertex joined to all others, so that Hamiltonian cycles are the open tours.

    >>> import io
    >>> write_board(io.StringIO(), (5, 6))
    """
    chunks = tsplib.write_hcp(Board.of(board), extra_vertex=flag(extra_vertex, "extra_vertex"))
    if not isinstance(path_or_file, str | os.PathLike):
        check_stream(path_or_file, "write")
    if isinstance(path_or_file, str | os.PathLike):
        with open_target(path_or_file, force=force) as file:
            for chunk in chunks:
                file.write(chunk.encode("utf-8"))
        return
    is_text = isinstance(path_or_file, io.TextIOBase)
    for chunk in chunks:
        path_or_file.write(chunk if is_text else chunk.encode("utf-8"))


def read_board(path_or_file: PathOrFile) -> Board:
    """The graph of a `.hcp` file as a Board; its nodes are the file's, 1, 2, ... A FormatError where it is none.

    >>> import io
    >>> file = io.StringIO()
    >>> write_board(file, (3, 4)); _ = file.seek(0)
    >>> read_board(file)
    Board.from_graph(<12 nodes>)
    """
    with open_source(path_or_file) as source:
        return tsplib.read_hcp(source)
