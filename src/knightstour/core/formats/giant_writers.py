"""Writers of giant tours: each yields an implicit tour part by part, in bounded memory.

A constructed tour knows each part of its diagram and each stretch of its order without the rest. So `.npy` and the
numbered grids are written row by row of the diagram, the lists of squares window by window. What comes out is what
`write_tours` would write. Each writer yields (squares done, bytes).
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from knightstour.core.constructions.implicit import ImplicitTour

GiantWriter: TypeAlias = "Callable[[ImplicitTour], Iterator[tuple[int, memoryview | bytes]]]"

_BUFFER_BYTES = 32_000_000
# Text is made this many squares at a time; each takes a few hundred bytes meanwhile.
_TEXT_SQUARES = 100_000


# ---------------------------------------------------------------- diagrams


def write_npy(tour: ImplicitTour) -> Iterator[tuple[int, memoryview | bytes]]:
    """One numbered diagram (1, rows, cols), int32 or, from 2**31 squares on, int64."""
    rows, cols = tour.board.rows, tour.board.cols
    dtype = np.dtype(np.int32 if tour.length < 1 << 31 else np.int64)
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        head, {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": (1, rows, cols)}
    )
    yield 0, head.getvalue()
    buffer = np.empty(min(tour.length, _BUFFER_BYTES // dtype.itemsize), dtype=dtype)
    done = 0
    for part_rows, part_cols in _parts(rows, cols, len(buffer)):
        shape = (part_rows.stop - part_rows.start, part_cols.stop - part_cols.start)
        part = buffer[: shape[0] * shape[1]].reshape(shape)
        tour.numbers(part_rows, part_cols, out=part)
        done += part.size
        yield done, part.data


def _parts(rows: int, cols: int, most: int) -> Iterator[tuple[slice, slice]]:
    """Rectangles of at most `most` squares that follow each other row by row: some rows, or some of one row."""
    height = max(1, most // cols)
    for top in range(0, rows, height):
        for left in range(0, cols, most):
            yield slice(top, min(top + height, rows)), slice(left, min(left + most, cols))


def write_grid(tour: ImplicitTour, first_number: int) -> Iterator[tuple[int, bytes]]:
    """A numbered diagram as text."""
    rows, cols = tour.board.rows, tour.board.cols
    width = len(str(tour.length - 1 + first_number))
    done = 0
    for part_rows, part_cols in _parts(rows, cols, _TEXT_SQUARES):
        numbers = tour.numbers(part_rows, part_cols) - (1 - first_number)
        text = np.full((*numbers.shape, width + 1), ord(" "), dtype=np.uint8)
        for place in range(width - 1, -1, -1):
            rest = numbers // 10
            digit = (numbers - 10 * rest).astype(np.uint8) + ord("0")
            # The last digit is written even of 0; to the left of the first digit there are spaces.
            text[:, :, place] = digit if place == width - 1 else np.where(numbers > 0, digit, ord(" "))
            numbers = rest
        if part_cols.stop == cols:
            text[:, -1, width] = ord("\n")
        done += text.shape[0] * text.shape[1]
        yield done, text.tobytes()


# ---------------------------------------------------------------- lists of squares


def _windows(tour: ImplicitTour) -> Iterator[tuple[int, list[int], list[int]]]:
    """(first step, rows, columns) of one stretch after the other."""
    step = 0
    for window in tour.windows(_TEXT_SQUARES):
        rows, cols = window.T.tolist()
        yield step, rows, cols
        step += len(rows)


def write_squares(tour: ImplicitTour) -> Iterator[tuple[int, bytes]]:
    """`row,col` of each square, in one line."""
    for step, rows, cols in _windows(tour):
        done = step + len(rows)
        text = " ".join([f"{r},{c}" for r, c in zip(rows, cols, strict=True)])
        yield done, (text + ("\n" if done == tour.length else " ")).encode("ascii")


def write_csv(tour: ImplicitTour) -> Iterator[tuple[int, bytes]]:
    """A table with the columns tour, step, row, col."""
    yield 0, b"tour,step,row,col\n"
    for step, rows, cols in _windows(tour):
        lines = [f"0,{k},{r},{c}\n" for k, (r, c) in enumerate(zip(rows, cols, strict=True), step)]
        yield step + len(rows), "".join(lines).encode("ascii")


def write_xy(tour: ImplicitTour) -> Iterator[tuple[int, bytes]]:
    """A line `X: 1<tab>Y: 1` a square."""
    for step, rows, cols in _windows(tour):
        lines = [f"X: {c + 1}\tY: {r + 1}\n" for r, c in zip(rows, cols, strict=True)]
        yield step + len(rows), "".join(lines).encode("ascii")
