"""Constructed tours to `.npy` files of any size, as fast as the disk takes them, in the memory of one buffer.

A tour of 20000 x 20000 squares as a `Tour` would take 45 GB to make. A constructed tour knows each part of its diagram
without the rest, so it is written row by row. The file appears under its name only when it is complete, and holds what
`write_tours` would write.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np

from knightstour.core.constructions.implicit import ImplicitTour
from knightstour.core.formats.table import format_to_write
from knightstour.core.machine.files import is_pipe, open_target
from knightstour.core.model.arguments import explains_arguments
from knightstour.core.model.errors import FormatError
from knightstour.core.model.progress import OnProgress, Reporter
from knightstour.core.model.validation import flag, of_kind
from knightstour.core.model.validation import path as given_path
from knightstour.core.model.wording import in_words

# From this many squares on the command line writes them so. Below, they are Tours, whose symmetry, turns and crossings
# are known too.
GIANT_FROM = 4_000_000
_BUFFER_BYTES = 32_000_000


@explains_arguments
def stream_tour(
    tour: ImplicitTour, path: str | os.PathLike[str], *, force: bool = False, on_progress: OnProgress | None = None
) -> int:
    """Write a constructed tour to an `.npy` file, in bounded memory; returns the bytes written.

    The file holds one numbered diagram (1, rows, cols), int32 or, from 2**31 squares on, int64. force: whether an
    existing file may be replaced. on_progress: called with a Progress of the squares written, from this thread.

    Raises FormatError if the file is of another format, cannot be written or has too little room. An interrupted call
    leaves nothing behind.
    """
    from knightstour.core.formats.arrays import array_head

    of_kind(tour, ImplicitTour, "write others with write_tours", error=FormatError)
    path, force = given_path(path), flag(force, "force")
    if not is_pipe(path) and (row := format_to_write(path, None)).name != "npy":
        raise FormatError(f"the format {row.name} is not written a part at a time", help="end the file's name in .npy")
    dtype = np.dtype(np.int32 if tour.length < 1 << 31 else np.int64)
    _check_room(tour, path, dtype)
    shape = (1, tour.board.rows, tour.board.cols)
    head = array_head(dtype, shape)
    report = Reporter(on_progress, "writing squares", tour.length)
    done = 0
    with open_target(path, force=force) as file:
        file.write(head)
        buffer = np.empty(min(tour.length, _BUFFER_BYTES // dtype.itemsize), dtype=dtype)
        for rows, cols in _parts(*shape[1:], len(buffer)):
            sides = (rows.stop - rows.start, cols.stop - cols.start)
            part = buffer[: sides[0] * sides[1]].reshape(sides)
            tour.numbers(rows, cols, out=part)
            file.write(part.data)
            done += part.size
            report(done)
    return len(head) + done * dtype.itemsize


def _parts(rows: int, cols: int, most: int) -> Iterator[tuple[slice, slice]]:
    """Rectangles of at most `most` squares that follow each other row by row: some rows, or some of one row."""
    height = max(1, most // cols)
    for top in range(0, rows, height):
        for left in range(0, cols, most):
            yield slice(top, min(top + height, rows)), slice(left, min(left + most, cols))


def _check_room(tour: ImplicitTour, path: str | os.PathLike[str], dtype: np.dtype) -> None:
    if is_pipe(path):
        return
    import shutil

    try:
        free = shutil.disk_usage(os.path.dirname(os.path.realpath(path))).free
    except OSError:
        return
    bytes_needed = tour.length * dtype.itemsize
    if bytes_needed > free:
        raise FormatError(
            f"a tour of {tour.length:,} squares takes {in_words(bytes_needed)}",
            path=os.fspath(path),
            note=f"there are {in_words(free)} free",
            help="implicit_tour(board) answers for single squares, windows and parts of the diagram at any size",
        )
