"""Constructed tours as `.npy` files of any size, at the speed of the disk and with bounded memory.

A tour of 20000 x 20000 squares as a `Tour` would need 45 GB. A constructed tour is computed part by part, so it is
written row by row, with the same result as from `write_tours`.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator

import numpy as np

from knightstour.core.constructions.implicit import ImplicitTour
from knightstour.core.formats.table import format_to_write
from knightstour.core.machine.files import is_pipe, open_target
from knightstour.core.model.errors import FormatError, with_notes
from knightstour.core.model.progress import OnProgress, Reporter
from knightstour.core.model.validation import of_kind
from knightstour.core.model.validation import path as given_path
from knightstour.core.model.wording import in_words

# Number of squares from which the command line streams.
GIANT_FROM = 4_000_000
_BUFFER_BYTES = 32_000_000


def stream_tour(tour: ImplicitTour, path: str | os.PathLike[str], *, on_progress: OnProgress | None = None) -> int:
    """Write a constructed tour to an `.npy` file, in bounded memory; return the number of bytes.

    The file contains one numbered diagram (1, rows, cols), int32 or, from 2**31 squares on, int64. An interrupted call
    leaves no file.

    Args:
        tour: The constructed tour.
        path: The file.
        on_progress: Callback with a Progress of the squares written.

    Raises:
        FormatError: If the file has another format.
        OSError: If the file cannot be written, or the disk is full.
    """
    from knightstour.core.formats.arrays import array_head

    of_kind(tour, ImplicitTour, "write others with write_tours")
    path = given_path(path)
    if not is_pipe(path) and (row := format_to_write(path, None)).name != "npy":
        raise FormatError(f"the format {row.name} cannot be streamed", help="use a file name with the suffix .npy")
    dtype = np.dtype(np.int32 if tour.length < 1 << 31 else np.int64)
    _check_room(tour, path, dtype)
    shape = (1, tour.board.rows, tour.board.cols)
    head = array_head(dtype, shape)
    report = Reporter(on_progress, "writing squares", tour.length)
    done = 0
    with open_target(path) as file:
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
    """Yield consecutive rectangles of at most `most` squares: some rows, or a part of one row."""
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
        why = f"a tour of {tour.length:,} squares needs {in_words(bytes_needed)}"
        raise with_notes(
            OSError(errno.ENOSPC, why, os.fspath(path)),
            note=f"{in_words(free)} is free",
            help="implicit_tour(board) computes squares, windows and parts of the diagram at any size",
        )
