"""Giant tours to disk, as fast as the disk takes them, in the memory of one buffer.

A tour of 20000 x 20000 squares as a `Tour` would take 45 GB to make. A constructed tour is written part by part
instead, see giant_writers.py. The file appears under its name only when it is complete, and holds what `write_tours`
would write, so every reader reads it.

Cost on top of the disk's: `.npy` 0.5 ns a square, grids below 0.1 microseconds, lists below one.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import BinaryIO

from knightstour.core.constructions.implicit import ImplicitTour
from knightstour.core.formats.table import FORMATS, Format, format_to_write
from knightstour.core.machine.files import is_pipe, open_target
from knightstour.core.model.arguments import explains_arguments
from knightstour.core.model.errors import FormatError
from knightstour.core.model.progress import OnProgress, Reporter
from knightstour.core.model.validation import flag, shown
from knightstour.core.model.validation import path as given_path
from knightstour.core.model.wording import in_words

# From this many squares on, tours are written and checked part by part. Below, they are Tours, whose symmetry, turns
# and crossings are known too.
GIANT_FROM = 4_000_000


@explains_arguments
def stream_tour(
    tour: ImplicitTour,
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    force: bool = False,
    on_progress: OnProgress | None = None,
) -> int:
    """Write a constructed tour to a file, in bounded memory; returns the bytes written.

    format: a name of FORMATS whose row has `write_giant`; None: chosen by the suffix. force: whether an existing file
        may be replaced.
    on_progress: called with a Progress a few times a second or less, from this thread.

    Raises FormatError if the format cannot be written in parts, or the file cannot be written or has too little room.
    An interrupted call leaves nothing behind.
    """
    if not isinstance(tour, ImplicitTour):
        raise FormatError(f"this is no implicit tour: {shown(tour)}", help="write others with write_tours")
    path, force = given_path(path), flag(force, "force")
    row = giant_format(path, format)
    _check_room(tour, path, row)
    with open_target(path, force=force) as file:
        return _write(tour, file, row, on_progress)


def stream_to(tour: ImplicitTour, file: BinaryIO, format: str) -> int:
    """The same to an open stream of bytes, such as stdout's."""
    return _write(tour, file, giant_format("", format), None)


def _write(tour: ImplicitTour, file: BinaryIO, row: Format, on_progress: OnProgress | None) -> int:
    assert row.write_giant is not None
    written = 0
    report = Reporter(on_progress, "writing squares", tour.length)
    for done, data in row.write_giant(tour):
        file.write(data)
        written += memoryview(data).nbytes
        report(done)
    return written


def giant_format(path: str | os.PathLike[str], format: str | None = None) -> Format:
    """The format asked for, by its name or by the suffix; a FormatError if it cannot be written in parts."""
    row = format_to_write(path, format)
    if row.write_giant is None:
        raise FormatError(
            f"the format {row.name} cannot be written a part at a time, as a giant tour needs",
            help="one of " + ", ".join(other.name for other in FORMATS.values() if other.write_giant is not None),
        )
    return row


def _check_room(tour: ImplicitTour, path: str | os.PathLike[str], row: Format) -> None:
    if is_pipe(path):
        return
    try:
        free = shutil.disk_usage(Path(os.path.realpath(path)).parent).free
    except OSError:
        return
    bytes_needed = tour.length * row.least_bytes * (2 if row.is_binary and tour.length >= 1 << 31 else 1)
    if bytes_needed > free:
        raise FormatError(
            f"a tour of {tour.length:,} squares as {row.name} takes at least {in_words(bytes_needed)}",
            path=os.fspath(path),
            note=f"there are {in_words(free)} free",
            help="implicit_tour(board) answers for single squares, windows and parts of the diagram at any size",
        )
