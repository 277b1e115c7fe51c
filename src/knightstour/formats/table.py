"""FORMATS: the one table of what can be written and read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from knightstour.model.errors import FormatError
from knightstour.model.late import Late
from knightstour.model.validation import one_of

if TYPE_CHECKING:
    from knightstour.formats.text import Reading
    from knightstour.machine.files import PathOrFile, Source
    from knightstour.model.board import Board
    from knightstour.model.tour import Tour

# Loaded when a file is written or read, not when the help lists the formats.
arrays = Late("knightstour.formats.arrays")
json_records = Late("knightstour.formats.json_records")
notation = Late("knightstour.formats.text")
tsplib = Late("knightstour.formats.tsplib")

Writer: TypeAlias = "Callable[[Iterable[Tour]], Iterator[str]] | Callable[[Iterable[Tour]], Iterator[bytes]]"
Reader: TypeAlias = "Callable[[Source, Board | None], Iterator[Reading]]"


@dataclass(frozen=True, slots=True)
class Format:
    """A row of FORMATS.

    write: tours to pieces of text, or of bytes if is_binary. read: a Source and the board given, to readings.
    suffixes: the first is the usual one. needs_board: the boards whose tours are read only with the board given.
    """

    name: str
    summary: str
    suffixes: tuple[str, ...]
    needs_board: str
    write: Writer
    read: Reader
    is_binary: bool = False


def _holds_no_tours(source: Source, board: Board | None) -> Iterator[Reading]:
    raise source.fail("an .hcp file holds a board, not tours", help="read it with read_board, and solve it")


FORMATS: dict[str, Format] = {
    row.name: row
    for row in (
        Format(
            "grid",
            "numbered diagram, from 1; '.' is a hole",
            (".txt", ".grid"),
            "graphs",
            partial(notation.write_grid, first_number=1),
            partial(notation.read_grid, first_number=1),
        ),
        Format(
            "grid0",
            "numbered diagram, from 0; '.' is a hole",
            (".grid0",),
            "graphs",
            partial(notation.write_grid, first_number=0),
            partial(notation.read_grid, first_number=0),
        ),
        Format(
            "squares",
            "row,col of each square from 0,0 at the top left, a tour a line",
            (".squares",),
            "graphs",
            notation.write_squares,
            notation.read_squares,
        ),
        Format(
            "algebraic",
            "names of the squares, a1 at the bottom left, a tour a line",
            (".algebraic",),
            "graphs",
            notation.write_algebraic,
            notation.read_algebraic,
        ),
        Format(
            "csv",
            "table with the columns tour, step, row, col, all from 0",
            (".csv",),
            "graphs",
            notation.write_csv,
            notation.read_csv,
        ),
        Format(
            "json",
            "one object a line, with the whole board",
            (".json", ".jsonl", ".ndjson"),
            "none",
            json_records.write_json,
            json_records.read_json,
        ),
        Format(
            "npy",
            "NumPy array of diagrams, int32 (tours, rows, cols), 0 for a hole",
            (".npy",),
            "wraps, other leapers, graphs",
            arrays.write_npy,
            arrays.read_npy,
            is_binary=True,
        ),
        Format(
            "npz",
            "NumPy arrays: order, int32 (tours, squares), and the board",
            (".npz",),
            "none",
            arrays.write_npz,
            arrays.read_npz,
            is_binary=True,
        ),
        Format(
            "hcp",
            "TSPLIB Hamiltonian cycle problem: the graph of the board, no tours",
            (".hcp",),
            "none",
            tsplib.write_hcp_of_tours,
            _holds_no_tours,
        ),
        Format(
            "tour",
            "TSPLIB tour: node numbers, -1 after each tour",
            (".tour",),
            "graphs; files of other programs",
            tsplib.write_tour,
            tsplib.read_tour,
        ),
        Format(
            "xy",
            "a line 'X: 1<tab>Y: 1' a square: column and row from 1 at the top left",
            (".xy",),
            "graphs",
            notation.write_xy,
            notation.read_xy,
        ),
    )
}
_SUFFIXES = {suffix: row for row in FORMATS.values() for suffix in row.suffixes}


def format_named(name: str) -> Format:
    """The row of FORMATS with that name; a FormatError that lists them where there is none."""
    return FORMATS[one_of(name, FORMATS, "format", error=FormatError)]


def format_to_write(path_or_file: PathOrFile, name: str | None) -> Format:
    """The row of FORMATS in which `write_tours` would write there; a FormatError where nothing tells it."""
    if name is not None:
        return format_named(name)
    if not isinstance(path_or_file, str | os.PathLike):
        return FORMATS["grid"]
    from pathlib import PurePath

    suffix = PurePath(path_or_file).suffix.lower()
    if suffix not in _SUFFIXES:
        raise FormatError(
            f"the suffix {suffix!r} names no format" if suffix else "without a suffix the file's format is unknown",
            path=os.fspath(path_or_file),
            help="give the format, one of " + ", ".join(FORMATS),
        )
    return _SUFFIXES[suffix]
