"""Reading and writing of tours and boards as files and text.

FORMATS in table.py lists the formats. The suffix of a file, or else its first line, decides its format. A file may
contain many tours: grids and X/Y lists are separated by an empty line, lists of squares and JSON have one line per
tour, tables a column, `.tour` a -1 after each, NumPy an additional axis.

Tours are checked while reading. Errors contain the file, the line and the reason. Files are read on demand. Cost:
100,000 tours of 8x8 as a grid are written in about a second and read in a few.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, cast

from knightstour.core.drawing.origin import is_picture
from knightstour.core.formats import models
from knightstour.core.formats import text as notation
from knightstour.core.formats.faults import UnknownFormat
from knightstour.core.formats.table import (
    FORMATS,
    GRAPH_FORMATS,
    Format,
    Reader,
    format_named,
    format_of_extension,
    format_to_write,
)
from knightstour.core.machine.files import PathOrFile, Source, check_stream, open_source, open_target
from knightstour.core.model.board import Board, BoardLike, board_of
from knightstour.core.model.errors import BoardError, FormatError, KnightsTourError, with_notes
from knightstour.core.model.tour import Tour
from knightstour.core.model.validation import each, flag, of_kind, wrong_type

if TYPE_CHECKING:
    from knightstour.core.formats.candidates import Candidate

# Longer files that are not boards are not tried as tours.
_MAX_TRIED = 1 << 20

# ---------------------------------------------------------------- writing


def write_tours(path_or_file: PathOrFile, tours: Tour | Iterable[Tour], format: str | None = None) -> int:
    """Write tours to a file or stream; return their number.

    A file appears only when it is complete.

    Args:
        path_or_file: File, or open stream.
        tours: A tour, or an iterable.
        format: A name of FORMATS (default: by the suffix; "grid" for a stream).

    Raises:
        FormatError: If the format is unknown or does not support the tours, or without tours.
        OSError: If the file cannot be written.

    >>> import io
    >>> write_tours(io.StringIO(), Tour((1, 1), ["a1"]))
    1
    """
    if isinstance(path_or_file, Tour):
        raise FormatError("the path must precede the tours", help="write_tours(path, tours)")
    if not isinstance(path_or_file, str | os.PathLike):
        check_stream(path_or_file, "write")
    row = format_to_write(path_or_file, format)
    counted = _CountedTours([tours] if isinstance(tours, Tour) else tours)
    _write_pieces(path_or_file, _pieces(row, counted), row)
    return counted.count


def _pieces(row: Format, tours: _CountedTours) -> Iterator[str | bytes]:
    """Raises FormatError if there is no tour."""
    written: Iterator[str | bytes] = row.write(tours)
    for k, piece in enumerate(written):
        if k and row.gap:
            yield row.gap
        yield piece
    if not tours.count:
        raise FormatError("there is no tour to write")


def _write_pieces(path_or_file: PathOrFile, pieces: Iterable[str | bytes], row: Format) -> None:
    if isinstance(path_or_file, str | os.PathLike):
        with open_target(path_or_file) as file:
            for piece in pieces:
                file.write(piece.encode("utf-8") if isinstance(piece, str) else piece)
        return
    stream = path_or_file
    if row.is_binary and isinstance(stream, io.TextIOBase):
        if not hasattr(stream, "buffer"):
            raise FormatError(f"the format {row.name} is binary, but the stream is text", help="open it with mode 'wb'")
        stream.flush()
        stream = stream.buffer
    takes_text = isinstance(stream, io.TextIOBase)
    for piece in pieces:
        stream.write(piece.encode("utf-8") if isinstance(piece, str) and not takes_text else piece)


class _CountedTours:
    def __init__(self, tours: Iterable[Tour]) -> None:
        self._tours = each(tours, "tours", help="pass a Tour, or several")
        self.count = 0

    def __iter__(self) -> Iterator[Tour]:
        for tour in self._tours:
            self.count += 1
            yield of_kind(tour, Tour, "create one: Tour(board, squares)")


def format_tour(tour: Tour | Iterable[Tour], format: str = "grid") -> str:
    """Return tours as text. Raises FormatError for binary formats.

    >>> format_tour(Tour((1, 1), ["a1"]), "xy")
    'X: 1\\tY: 1\\n'
    """
    row = format_named(format)
    if row.is_binary:
        raise FormatError(f"the format {format} is binary, not text", help="write it to a file with write_tours")
    counted = _CountedTours([tour] if isinstance(tour, Tour) else tour)
    return "".join(cast(Iterator[str], _pieces(row, counted)))


# ---------------------------------------------------------------- reading


def read_tours(path_or_file: PathOrFile, format: str | None = None, board: BoardLike | None = None) -> list[Tour]:
    """Return all tours of a file or stream.

    Args:
        path_or_file: File, or open stream.
        format: A name of FORMATS (default: by the suffix or the first line).
        board: Board, required if the file does not define it (`needs_board` in FORMATS). If it does, both must agree.

    Raises:
        FormatError: If the text is not a tour (with `.path` and `.line`).
        OSError: If the file cannot be opened.
        InvalidTour: If a tour is invalid (with `.step`).

    >>> read_tours(io.StringIO("1 4 7 10\\n8 11 2 5\\n3 6 9 12\\n"))
    [<open Tour of 3x4 board, a3 to d1>]
    """
    with no_text_as_path(path_or_file):
        return list(iter_tours_from(path_or_file, format, board))


@contextmanager
def no_text_as_path(path_or_file: object) -> Iterator[None]:
    """In a `with` block that opens a path, add a help to the error if the path seems to be the text of a tour."""
    try:
        yield
    except FileNotFoundError as error:
        if isinstance(path_or_file, str) and " " in path_or_file.strip():
            with_notes(error, help="parse_tours(text) reads a text; check(text) needs a line end in it")
        raise


def iter_tours_from(
    path_or_file: PathOrFile, format: str | None = None, board: BoardLike | None = None
) -> Iterator[Tour]:
    """Yield the tours of `read_tours`; the file is read on demand."""
    yield from tours_of(read_candidates(path_or_file, format, board))


def tours_of(candidates: Iterable[Candidate]) -> Iterator[Tour]:
    """Yield the tours of candidates. Raises InvalidTour."""
    for candidate in candidates:
        if candidate.tour is None:
            raise candidate.placed_fault()
        yield candidate.tour


def read_candidates(
    path_or_file: PathOrFile, format: str | None = None, board: BoardLike | None = None
) -> Iterator[Candidate]:
    """Yield the checked candidates in a file; arguments and FormatErrors as for `read_tours`."""
    with open_source(path_or_file) as source:
        yield from candidates_in(source, format, None if board is None else board_of(board))


def parse_tours(text: str, format: str | None = None, board: BoardLike | None = None) -> list[Tour]:
    """Return the tours in a text; formats and errors as for `read_tours`.

    >>> parse_tours("1 4 7 10\\n8 11 2 5\\n3 6 9 12\\n")
    [<open Tour of 3x4 board, a3 to d1>]
    """
    if not isinstance(text, str):
        raise wrong_type("text", "a string", text, help="read_tours reads files")
    return read_tours(io.StringIO(text), format, board)


def candidates_in(source: Source, name: str | None, given_board: Board | None) -> Iterator[Candidate]:
    """Yield the candidates of a source. name: Format (default: by suffix and content)."""
    from knightstour.core.formats.candidates import candidates_from

    yield from candidates_from(source, lambda: _reader(source, name), given_board, is_named=name is not None)


# ---------------------------------------------------------------- format of a file


def _reader(source: Source, name: str | None) -> Reader:
    if name is not None:
        return format_named(name).read
    if source.is_array:
        return FORMATS["npz" if source.head.startswith(b"PK") else "npy"].read
    if is_picture(source.head):
        from knightstour.core.formats import links

        return links.read_picture
    row = format_of_extension(source.path or "")
    if row is not None and row.extension_is_sure:
        return row.read
    return _reader_by_content(source, row)


def _reader_by_content(source: Source, by_extension: Format | None) -> Reader:
    """Raises FormatError for unknown contents."""
    from knightstour.core.formats.graph_files import TSPLIB

    text = source.check_is_text()
    lines = (raw[:2000].strip() for raw in text.splitlines())
    line, first = next(((n, s) for n, s in enumerate(lines, start=1) if s and not s.startswith("#")), (0, ""))
    if not first:
        # The comment with the board's holes may exceed the head.
        if by_extension is not None and text.startswith("# board "):
            return by_extension.read
        raise source.fail("the file contains no tour")
    if TSPLIB.match(first):
        is_board = re.search(r"^\s*TYPE\s*:\s*HCP\b", text, re.IGNORECASE | re.MULTILINE)
        return FORMATS["hcp" if is_board else "tour"].read
    if models.looks_like_model(text):
        return models.read_model
    for row in FORMATS.values():
        if row.begins is not None and re.match(row.begins, first):
            return row.read
    if re.match(r"[\d.]+([\s,;]|$)", first):
        return partial(notation.read_grid, first_number=None)
    shown = first if len(first) <= 40 else first[:40] + "..."
    raise source.fail(
        f"unknown format: it begins with {shown!r}, and contains no tour",
        line,
        error=UnknownFormat,
        help="write numbers in rows, names of squares such as a1 b3, or pairs such as 0,0 1,2; "
        "formats: docs/formats.md",
    )


# ---------------------------------------------------------------- boards


@contextmanager
def no_tour_in(source: Source, help: str) -> Iterator[None]:
    """In a `with` block that reads a board, raise an error with this help if the source contains a tour instead."""
    try:
        yield
    except (BoardError, FormatError) as error:
        if not _contains_tour(source):
            raise
        raise source.fail("the file contains a tour, not a board", help=help) from error


def _contains_tour(source: Source) -> bool:
    """Whether a short source contains a tour. Nothing can be read afterwards."""
    if not source.is_short(_MAX_TRIED):
        return False
    again = Source(io.BytesIO(source.bytes_again()), source.path)
    try:
        return next(tours_of(candidates_in(again, None, None)), None) is not None
    except KnightsTourError:
        return False


def write_board(
    path_or_file: PathOrFile,
    board: BoardLike,
    format: str | None = None,
    *,
    extra_vertex: bool = False,
) -> None:
    """Write the graph of a board, whose Hamiltonian cycles are the closed tours, to a file or stream.

    Args:
        format: "hcp", "graph6", "sparse6", "dimacs", "cnf" or "edges" (default: by the suffix, or else "hcp").
        extra_vertex: Whether to add a vertex joined to all others, so that Hamiltonian cycles are the open tours.

    Raises FormatError if the format does not support the board, OSError if the file cannot be written.

    >>> import io, sys
    >>> write_board(sys.stdout, Board.from_graph([[2, 4], [3], [0], [1, 4], [0, 3]]), "graph6")
    DQc
    """
    if format is not None:
        row = format_named(format).check_boards(GRAPH_FORMATS)
    else:
        by_extension = format_of_extension(path_or_file) if isinstance(path_or_file, str | os.PathLike) else None
        row = by_extension if by_extension is not None and not by_extension.holds_tours else FORMATS["hcp"]
    given = board_of(board)
    flag(extra_vertex, "extra_vertex")
    if not isinstance(path_or_file, str | os.PathLike):
        check_stream(path_or_file, "write")
    assert row.write_board is not None
    _write_pieces(path_or_file, row.write_board(given, extra_vertex=extra_vertex), row)


def read_board(path_or_file: PathOrFile, format: str | None = None, *, arcs: bool = False) -> Board:
    """Return the graph in a file or stream as a Board with the node names of the file.

    `board.read_as` describes the interpretation of an inexact format.

    Args:
        path_or_file: File, or open stream.
        format: "hcp", "graph6", "sparse6", "dimacs", "cnf" or "edges", or another readable format such as "gml"
            (docs/graphs.md). Default: by the suffix or the beginning of the file.
        arcs: Whether each edge is an arc from its first node.

    Raises:
        FormatError: If the text is invalid or ambiguous, or contains no graph or several (`read_boards`).
        OSError: If the file cannot be opened.

    >>> board = read_board(io.StringIO(":Fa@x^"))
    >>> board.to_networkx().edges
    EdgeView([(0, 1), (0, 2), (1, 2), (5, 6)])
    """
    from knightstour.core.formats.graph_files import boards_in

    with open_source(path_or_file) as source:
        return the_graph(boards_in(source, format, flag(arcs, "arcs")), source)


def the_graph(boards: Iterator[Board], source: Source) -> Board:
    """Return the graph of a file. Raises FormatError unless it has exactly one."""
    board = next(boards, None)
    if board is None:
        raise source.fail("the file contains no graph")
    if next(boards, None) is not None:
        raise source.fail("the file contains several graphs", help="use read_boards")
    return board


def read_boards(path_or_file: PathOrFile, format: str | None = None, *, directed: bool = False) -> Iterator[Board]:
    """Yield the graphs of a file as Boards; graph6 and digraph6 have one per line.

    >>> [len(board) for board in read_boards(io.StringIO("C~\\nDQc\\n"))]
    [4, 5]
    """
    from knightstour.core.formats.graph_files import boards_in

    with open_source(path_or_file) as source:
        yield from boards_in(source, format, flag(directed, "directed"))
