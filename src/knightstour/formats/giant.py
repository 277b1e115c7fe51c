"""Giant tours to disk, as fast as the disk takes them, in the memory of one buffer.

A tour of 20000 x 20000 squares as a `Tour` would take 45 GB to make. But a constructed tour knows each part of its
diagram and each stretch of its order without the rest. So it is written part by part: `.npy` and the numbered grids row
by row of the diagram, the lists of squares window by window. The file stands under its name only when it is complete,
and what is written is what `write_tours` would write, so every reader reads it.

Cost on top of the disk's: `.npy` 0.5 ns a square, grids below 0.1 microseconds, lists below one.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from knightstour.constructions.implicit import ImplicitTour
from knightstour.formats import table
from knightstour.machine.files import open_target
from knightstour.model.errors import FormatError
from knightstour.model.progress import OnProgress, Reporter
from knightstour.model.validation import flag, shown
from knightstour.model.validation import path as given_path
from knightstour.model.wording import in_words

# From so many squares on tours are written and checked part by part; below, a Tour tells more: symmetry, turns and
# crossings.
GIANT_FROM = 4_000_000

_BUFFER_BYTES = 32_000_000
# Text is made so many squares at a time: a few hundred bytes each in between.
_TEXT_SQUARES = 100_000

# The least bytes a square takes, for a first look at the room on the disk.
STREAMED = {"npy": 4, "grid": 2, "grid0": 2, "squares": 4, "csv": 8, "xy": 10}


def stream_tour(
    tour: ImplicitTour,
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    force: bool = False,
    on_progress: OnProgress | None = None,
) -> int:
    """Write a constructed tour to a file, in bounded memory; returns the bytes written.

    format: a key of STREAMED; None: as the suffix says. force: whether an existing file may be replaced.
    on_progress: called with a Progress a few times a second or less, from this thread.

    Raises FormatError where the format cannot be streamed, the place cannot be written or has too little room. If it
    is interrupted, nothing is left behind.
    """
    if not isinstance(tour, ImplicitTour):
        raise FormatError(f"this is no implicit tour: {shown(tour)}", help="write others with write_tours")
    path, force = given_path(path), flag(force, "force")
    name = format_for(path, format)
    _check_room(tour, path, name)
    with open_target(path, force=force) as file:
        return _write(tour, file, name, on_progress)


def stream_to(tour: ImplicitTour, file: BinaryIO, format: str) -> int:
    """The same to a stream that stands open, such as stdout's."""
    return _write(tour, file, format_for("", format), None)


def _write(tour: ImplicitTour, file: BinaryIO, name: str, on_progress: OnProgress | None) -> int:
    written = 0
    report = Reporter(on_progress, "writing squares", tour.length)
    for done, data in _WRITERS[name](tour):
        file.write(data)
        written += memoryview(data).nbytes
        report(done)
    return written


def format_for(path: str | os.PathLike[str], format: str | None = None) -> str:
    """The key of STREAMED that is asked for; a FormatError where the format is another."""
    name = format
    if name is None:
        suffix = Path(path).suffix.lower()
        name = next((row.name for row in table.FORMATS.values() if suffix in row.suffixes), None)
        if name is None:
            raise FormatError(
                f"the suffix {suffix!r} names no format", path=os.fspath(path), help="one of " + ", ".join(STREAMED)
            )
    if not isinstance(name, str) or name not in STREAMED:
        raise FormatError(
            f"the format {table.format_named(name).name} cannot be written a part at a time, as a giant tour needs",
            help="one of " + ", ".join(STREAMED),
        )
    return name


def _check_room(tour: ImplicitTour, path: str | os.PathLike[str], name: str) -> None:
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        return
    try:
        free = shutil.disk_usage(target.parent).free
    except OSError:
        return
    bytes_needed = tour.length * STREAMED[name] * (2 if name == "npy" and tour.length >= 1 << 31 else 1)
    if bytes_needed > free:
        raise FormatError(
            f"a tour of {tour.length:,} squares as {name} takes at least {in_words(bytes_needed)}",
            path=os.fspath(path),
            note=f"there are {in_words(free)} free",
            help="implicit_tour(board) answers for single squares, windows and parts of the diagram at any size",
        )


# ---------------------------------------------------------------- diagrams


def _npy(tour: ImplicitTour) -> Iterator[tuple[int, memoryview | bytes]]:
    rows, cols = tour.board.rows, tour.board.cols
    dtype = np.dtype(np.int32 if tour.length < 1 << 31 else np.int64)
    yield 0, _npy_header((1, rows, cols), dtype)
    buffer = np.empty(min(tour.length, _BUFFER_BYTES // dtype.itemsize), dtype=dtype)
    done = 0
    for part_rows, part_cols in _parts(rows, cols, len(buffer)):
        shape = (part_rows.stop - part_rows.start, part_cols.stop - part_cols.start)
        part = buffer[: shape[0] * shape[1]].reshape(shape)
        tour.numbers(part_rows, part_cols, out=part)
        done += part.size
        yield done, part.data


def _npy_header(shape: tuple[int, ...], dtype: np.dtype) -> bytes:
    import io

    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        head, {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
    )
    return head.getvalue()


def _parts(rows: int, cols: int, most: int) -> Iterator[tuple[slice, slice]]:
    """Rectangles of at most so many squares that follow each other row by row: some rows, or some of one row."""
    height = max(1, most // cols)
    for top in range(0, rows, height):
        for left in range(0, cols, most):
            yield slice(top, min(top + height, rows)), slice(left, min(left + most, cols))


def _grid(tour: ImplicitTour, first_number: int) -> Iterator[tuple[int, bytes]]:
    rows, cols = tour.board.rows, tour.board.cols
    width = len(str(tour.length - 1 + first_number))
    done = 0
    for part_rows, part_cols in _parts(rows, cols, _TEXT_SQUARES):
        numbers = tour.numbers(part_rows, part_cols) - (1 - first_number)
        text = np.full((*numbers.shape, width + 1), ord(" "), dtype=np.uint8)
        for place in range(width - 1, -1, -1):
            rest = numbers // 10
            digit = (numbers - 10 * rest).astype(np.uint8) + ord("0")
            # Ones are written even of 0; to the left of the first digit there are spaces.
            text[:, :, place] = digit if place == width - 1 else np.where(numbers > 0, digit, ord(" "))
            numbers = rest
        if part_cols.stop == cols:
            text[:, -1, width] = ord("\n")
        done += text.shape[0] * text.shape[1]
        yield done, text.tobytes()


def _grid_from_1(tour: ImplicitTour) -> Iterator[tuple[int, bytes]]:
    return _grid(tour, 1)


def _grid_from_0(tour: ImplicitTour) -> Iterator[tuple[int, bytes]]:
    return _grid(tour, 0)


# ---------------------------------------------------------------- lists of squares


def _windows(tour: ImplicitTour) -> Iterator[tuple[int, list[int], list[int]]]:
    """(first step, rows, columns) of one stretch after the other."""
    step = 0
    for window in tour.windows(_TEXT_SQUARES):
        rows, cols = window.T.tolist()
        yield step, rows, cols
        step += len(rows)


def _squares(tour: ImplicitTour) -> Iterator[tuple[int, bytes]]:
    for step, rows, cols in _windows(tour):
        done = step + len(rows)
        text = " ".join([f"{r},{c}" for r, c in zip(rows, cols, strict=True)])
        yield done, (text + ("\n" if done == tour.length else " ")).encode("ascii")


def _csv(tour: ImplicitTour) -> Iterator[tuple[int, bytes]]:
    yield 0, b"tour,step,row,col\n"
    for step, rows, cols in _windows(tour):
        lines = [f"0,{k},{r},{c}\n" for k, (r, c) in enumerate(zip(rows, cols, strict=True), step)]
        yield step + len(rows), "".join(lines).encode("ascii")


def _xy(tour: ImplicitTour) -> Iterator[tuple[int, bytes]]:
    for step, rows, cols in _windows(tour):
        lines = [f"X: {c + 1}\tY: {r + 1}\n" for r, c in zip(rows, cols, strict=True)]
        yield step + len(rows), "".join(lines).encode("ascii")


_WRITERS: dict[str, Callable[[ImplicitTour], Iterator[tuple[int, memoryview | bytes]]]] = {
    "npy": _npy,
    "grid": _grid_from_1,
    "grid0": _grid_from_0,
    "squares": _squares,
    "csv": _csv,
    "xy": _xy,
}
