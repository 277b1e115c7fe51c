"""Is a giant `.npy` file a tour? Answered at a few hundred million squares a second, in the memory of a few buffers.

A diagram needs no list of the route. Let it have n numbered squares. If every number is from 1 to n, some square has 1,
and every square with k < n is a move away from one with k + 1, then all of 1, 2, 3, ... are there; n squares carry n
numbers, so each is there once, and the next is always a move away: it is a tour. So each square is compared with its
neighbours only, in any order, on several threads. If something is wrong, the file is searched for the numbers
concerned, so that the error can name the squares.

A list of squares is walked from its first to its last, with a bit for each square of the board.
"""

from __future__ import annotations

import math
import mmap
import os
import queue
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from knightstour.core.checking.demands import Demands
from knightstour.core.formats.arrays import kind_of_shape
from knightstour.core.formats.giant import GIANT_FROM
from knightstour.core.kernels.bulk.check_giant import (
    AT_FIRST,
    AT_LAST,
    AT_STRAY,
    FIRSTS,
    LASTS,
    LEAST_LOST,
    LOST,
    STEP,
    STRAY,
    ZEROS,
)
from knightstour.core.machine.files import is_pipe
from knightstour.core.machine.native import door
from knightstour.core.model.board import Board, Square
from knightstour.core.model.errors import FormatError, InvalidTour
from knightstour.core.model.numbering import HOLE
from knightstour.core.model.progress import OnProgress, Reporter
from knightstour.core.model.validation import an

_BLOCK_SQUARES = 1 << 21
_BLOCK_COLS = 1 << 16
_LIST_SQUARES = 1 << 20
_MOST_HOLES = 1_000_000


@dataclass(frozen=True, slots=True)
class BulkReport:
    """The findings on one tour of a file."""

    board: Board
    is_closed: bool = False
    start: Square | None = None
    end: Square | None = None
    fault: InvalidTour | None = None

    @property
    def is_valid(self) -> bool:
        """Whether it is a tour."""
        return self.fault is None

    def unmet(self, demands: Demands) -> str:
        """What a valid tour is that was not demanded, in words, or ""."""
        return demands.unmet(self.board, self.start or (0, 0), self.end or (0, 0), is_closed=self.is_closed)

    def to_dict(self, number: int) -> dict[str, Any]:
        """For `--json`; `number` is the tour's place in the file."""
        if self.fault is not None:
            return {"tour": number, "valid": False, "fault": str(self.fault), "step": self.fault.step}
        return {
            "tour": number,
            "valid": True,
            "board": str(self.board),
            "closed": self.is_closed,
            "start": self.board.name(self.start or (0, 0)),
            "end": self.board.name(self.end or (0, 0)),
        }

    def to_text(self, number: int) -> str:
        """For people."""
        if self.fault is not None:
            return f"tour {number}: invalid: {self.fault}"
        kind = "closed" if self.is_closed else "open"
        ends = f"{self.board.name(self.start or (0, 0))} to {self.board.name(self.end or (0, 0))}"
        return f"tour {number}: valid {kind} tour of the {self.board.title}, {ends}"


def is_giant_npy(path: str | os.PathLike[str]) -> bool:
    """Whether this is an `.npy` file of tours so large that `check_npy` should look at them. Opens the file only."""
    if is_pipe(path):
        return False
    try:
        with open(path, "rb") as file:
            if file.read(6) != b"\x93NUMPY":
                return False
        loaded = mapped(path)
    except (OSError, FormatError):
        return False
    return loaded.ndim in (1, 2, 3) and math.prod(loaded.shape[loaded.ndim == 3 :]) >= GIANT_FROM


def check_npy(
    path: str | os.PathLike[str],
    board: Board | None = None,
    *,
    threads: int | None = None,
    on_progress: OnProgress | None = None,
) -> Iterator[BulkReport]:
    """Check the tours of an `.npy` file one by one.

    The file: diagrams, (rows, cols) or (tours, rows, cols), from 0 or 1, holes as `numbering` takes them; or lists of
    squares, (n, 2) or (tours, n, 2); with the board given also square numbers, (n,). board: flat, of any leaper; None:
    the diagram's, for knights.
    on_progress: called with a Progress of the squares looked at, for diagrams.

    Raises FormatError where the file is no such array.
    """
    loaded = mapped(path)
    if loaded.dtype.kind not in "iu" or loaded.size == 0:
        raise FormatError("this is no array of whole numbers", path=os.fspath(path))
    if board is not None and (board.wrap is not None or board.graph is not None):
        raise FormatError(f"giant files of {an(board.title)} cannot be checked", path=os.fspath(path))
    kind, tours = _tours_of(loaded, board, os.fspath(path))
    for tour in tours:
        if kind == "diagram":
            yield _Diagram(tour, board, threads, on_progress).report()
        else:
            yield _list_report(tour, board)


def mapped(path: str | os.PathLike[str]) -> np.ndarray:
    """The array of an `.npy` file, left on the disk; a FormatError if the file cannot be read or holds none."""
    name = os.fspath(path)
    try:
        loaded = np.load(name, mmap_mode="r", allow_pickle=False)
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path=name) from error
    except Exception as error:
        # NumPy raises a dozen kinds of errors on damaged files, those of Python's tokenizer among them.
        words = (str(error) or type(error).__name__).splitlines()[0][:100]
        raise FormatError(f"a damaged .npy file: {words}", path=name) from error
    if not isinstance(loaded, np.ndarray):
        raise FormatError("this is no array of whole numbers", path=name)
    return loaded


def _tours_of(loaded: np.ndarray, board: Board | None, path: str) -> tuple[str, list[np.ndarray]]:
    shape = loaded.shape
    if board is not None:
        found = kind_of_shape(shape, board)
        if found is None:
            raise FormatError(f"an array of shape {shape} holds no tours of the {board.title}", path=path)
        kind, is_single = found
        return kind, [loaded] if is_single else list(loaded)
    if loaded.ndim not in (2, 3):
        raise FormatError("rows of square numbers do not say which board they are of", path=path, help="give the board")
    # No board of two columns has a tour of more than one square.
    kind = "squares" if shape[-1] == 2 else "diagram"
    return kind, [loaded] if loaded.ndim == 2 else list(loaded)


def _forget(mapped: np.ndarray | _FromOne) -> None:
    """Let go of the file's pages that were read, or they would count as memory of this process."""
    base: Any = mapped
    while base is not None and not isinstance(base, mmap.mmap):
        base = getattr(base, "base", None)
    if base is not None and hasattr(mmap, "MADV_DONTNEED"):
        base.madvise(mmap.MADV_DONTNEED)


# ---------------------------------------------------------------- diagrams


class _Findings(NamedTuple):
    """What the kernel found in all blocks together.

    zeros, strays, lost: the numbers of zeros, of numbers beyond the last one, and of squares without a next number.
    least_lost: the least number without a next one. firsts, lasts: how often number 1 and the last number are there.
    """

    zeros: int
    strays: int
    stray: Square | None
    lost: int
    least_lost: int
    firsts: int
    first: Square | None
    lasts: int
    last: Square | None


class _FromOne:
    """A diagram that counts from 0, or has -1 for holes, as one that counts from 1 and has 0 for holes.

    base: the first number in the file.
    """

    def __init__(self, grid: np.ndarray | _FromOne, base: int) -> None:
        assert isinstance(grid, np.ndarray)
        self.base, self.shape, self.dtype = grid, grid.shape, grid.dtype
        self._first = base

    def __getitem__(self, key: Any) -> Any:
        values = self.base[key]
        return values + 1 if self._first == 0 else np.where(values == HOLE, 0, values)


class _Look:
    """One look at all squares of a diagram, block by block, on threads."""

    def __init__(self, grid: np.ndarray | _FromOne, leaper: tuple[int, int], count: int) -> None:
        self._grid, self._count = grid, count
        self._rows, self._cols = grid.shape
        self._dtype = np.dtype(np.int32 if grid.dtype.itemsize <= 4 and grid.dtype != np.uint32 else np.int64)
        self._width = min(self._cols, _BLOCK_COLS)
        self._height = max(1, min(self._rows, _BLOCK_SQUARES // self._width))
        self._corners = [
            (top, left) for top in range(0, self._rows, self._height) for left in range(0, self._cols, self._width)
        ]
        self._reach = max(leaper)
        self._stride = self._width + 2 * self._reach
        a, b = leaper
        leaps = {(r * sr, c * sc) for r, c in ((a, b), (b, a)) for sr in (1, -1) for sc in (1, -1)}
        self._moves = np.resize(np.array(sorted(r * self._stride + c for r, c in leaps), dtype=np.int64), 8)
        self._found = np.zeros((len(self._corners), 9), dtype=np.int64)
        # Blocks with their margins that no thread is using.
        self._buffers: queue.SimpleQueue[np.ndarray] = queue.SimpleQueue()

    def run(self, threads: int, report: Reporter) -> _Findings:
        """Check all blocks."""
        threads = min(threads, len(self._corners))
        for _ in range(threads):
            shape = (self._height + 2 * self._reach, self._stride)
            self._buffers.put(np.zeros(shape, dtype=self._dtype))
        pool = ThreadPoolExecutor(threads)
        try:
            sizes = pool.map(self._check, range(len(self._corners)))
            for done in accumulate(sizes):
                report(done, total=self._rows * self._cols)
        finally:
            pool.shutdown(cancel_futures=True)
        return self._findings()

    def _check(self, number: int) -> int:
        """Check a block; returns its number of squares."""
        top, left = self._corners[number]
        bottom, right = min(top + self._height, self._rows), min(left + self._width, self._cols)
        reach = self._reach
        block = self._buffers.get()
        try:
            self._copy(block, top, bottom, left, right)
            area = (reach, reach + bottom - top, reach, reach + right - left, self._stride)
            door("check_giant_diagram")(block, area, self._count, self._moves, self._found[number])
        finally:
            self._buffers.put(block)
        _forget(self._grid)
        return (bottom - top) * (right - left)

    def _copy(self, block: np.ndarray, top: int, bottom: int, left: int, right: int) -> None:
        """Copy these squares and a margin of one move around them into the block; beyond the board it has zeros."""
        reach = self._reach
        top_, bottom_ = max(0, top - reach), min(self._rows, bottom + reach)
        left_, right_ = max(0, left - reach), min(self._cols, right + reach)
        r, c = top_ - top + reach, left_ - left + reach
        height, width = bottom_ - top_, right_ - left_
        block[r : r + height, c : c + width] = self._grid[top_:bottom_, left_:right_]
        block[:r] = 0
        block[r + height :] = 0
        block[:, :c] = 0
        block[:, c + width :] = 0

    def _findings(self) -> _Findings:
        found = self._found
        is_lost = found[:, LOST] > 0
        totals = found.sum(axis=0).tolist()
        return _Findings(
            totals[ZEROS],
            totals[STRAY],
            self._place(STRAY, AT_STRAY),
            totals[LOST],
            int(found[is_lost, LEAST_LOST].min()) if is_lost.any() else 0,
            totals[FIRSTS],
            self._place(FIRSTS, AT_FIRST),
            totals[LASTS],
            self._place(LASTS, AT_LAST),
        )

    def _place(self, how_many: int, where: int) -> Square | None:
        """The first square that the kernel counted in `how_many`."""
        blocks = np.flatnonzero(self._found[:, how_many])
        if not len(blocks):
            return None
        (top, left), at = self._corners[blocks[0]], int(self._found[blocks[0], where])
        return top + at // self._stride - self._reach, left + at % self._stride - self._reach


class _Diagram:
    """One diagram of a file while it is checked."""

    def __init__(
        self, grid: np.ndarray, board: Board | None, threads: int | None, on_progress: OnProgress | None
    ) -> None:
        self.grid: np.ndarray | _FromOne = grid
        self.board = board
        self.report_progress = Reporter(on_progress, "checking squares")
        self.rows, self.cols = grid.shape
        # The first number in the file.
        self.base = 1
        self.leaper = (1, 2) if board is None else board.leaper
        self.threads = min(2, os.cpu_count() or 1) if threads is None else max(1, threads)

    def report(self) -> BulkReport:
        count = self.rows * self.cols if self.board is None else self.board.square_count
        found = _Look(self.grid, self.leaper, count).run(self.threads, self.report_progress)
        if self._counts_otherwise(found):
            found = _Look(self.grid, self.leaper, count).run(self.threads, self.report_progress)
        if found.zeros and self.board is None:
            # Holes; now that their number is known, look again.
            count -= found.zeros
            if count == 0:
                raise FormatError("this diagram has no number")
            board = self._with_holes(found.zeros)
            found = _Look(self.grid, self.leaper, count).run(self.threads, self.report_progress)
        else:
            board = self.board or Board(self.rows, self.cols)
        fault = self._fault(found, count, board)
        if fault is not None:
            return BulkReport(board, fault=fault)
        assert found.first is not None and found.last is not None
        is_closed = count > 2 and _is_move(found.first, found.last, self.leaper)
        return BulkReport(board, is_closed, found.first, found.last)

    def _counts_otherwise(self, found: _Findings) -> bool:
        """Whether the diagram counts from 0, or -1 marks holes; from now on it is read as if it did not."""
        marks = found.stray is not None and int(self.grid[found.stray]) == HOLE
        if (
            found.zeros == 1
            and not found.lasts
            and (self.board is None or next(self._wrong_holes(1), None) is not None)
        ):
            self.base = 0
        if self.base == 1 and not marks:
            return False
        self.grid = _FromOne(self.grid, self.base)
        return True

    def _with_holes(self, zeros: int) -> Board:
        if zeros > _MOST_HOLES:
            raise FormatError(f"this diagram has {zeros:,} holes; at most {_MOST_HOLES:,} are allowed")
        holes = [square for top, block in self._bands() for square in _places(block == 0, top)]
        return Board(self.rows, self.cols, holes=holes)

    def _bands(self) -> Iterator[tuple[int, np.ndarray]]:
        """(first row, some whole rows): the diagram piece by piece, for the searches that are seldom needed."""
        height = max(1, _BLOCK_SQUARES // self.cols)
        for top in range(0, self.rows, height):
            yield top, np.asarray(self.grid[top : top + height])
            _forget(self.grid)

    def _fault(self, found: _Findings, count: int, board: Board) -> InvalidTour | None:
        """What is wrong, of several things the first number."""

        def shown(number: int) -> int:
            return number - 1 + self.base

        if found.stray is not None:
            value, (row, col) = shown(int(self.grid[found.stray])), found.stray
            return InvalidTour(
                f"number {value} at row {row}, column {col} is not from {self.base} to {shown(count)}"
                + (f" (nor are {found.strays - 1:,} others)" if found.strays > 1 else "")
            )
        if self.board is not None:
            square = next(self._wrong_holes(found.zeros), None)
            if square is not None:
                return InvalidTour(
                    f"{board.name(square)} has no number"
                    if square in board
                    else f"a hole has a number, at row {square[0]}, column {square[1]}"
                )
        if not found.firsts:
            return InvalidTour(f"number {self.base} is missing", step=0)
        if not found.lost and found.lasts:
            return None
        k = found.least_lost
        here, there = self._squares_with(k), self._squares_with(k + 1)
        if not there:
            return InvalidTour(f"number {shown(k + 1)} is missing", step=k)
        if len(here) > 1:
            (r, c) = here[1]
            return InvalidTour(f"number {shown(k)} is there twice, the second time at row {r}, column {c}", step=k)
        return InvalidTour(
            f"step {k} (number {shown(k + 1)}): {board.name(there[0])} is no move from {board.name(here[0])}",
            step=k,
            help=self._first_or_hole(),
        )

    def _first_or_hole(self) -> str:
        """What to do if the 0 was meant as a hole; "" where nothing was taken for the first number."""
        if self.base == 1 or self.board is not None:
            return ""
        (row, col), *_ = self._squares_with(1)
        word = f"{self.rows}x{self.cols}:-{row},{col}"
        return f"if the 0 marks a hole, give the board: FILE {word}, or board={word!r}"

    def _wrong_holes(self, zeros: int) -> Iterator[Square]:
        """Squares of the board given that have no number, and holes that have one."""
        assert self.board is not None
        holes = self.board.holes
        for hole in sorted(holes):
            if self.grid[hole] != 0:
                yield hole
        if zeros > len(holes):
            for top, band in self._bands():
                for square in _places(band == 0, top):
                    if square not in holes:
                        yield square

    def _squares_with(self, number: int) -> list[Square]:
        """The first two squares with this number."""
        found: list[Square] = []
        for top, band in self._bands():
            found += _places(band == number, top)
            if len(found) > 1:
                break
        return found[:2]


def _places(mask: np.ndarray, top: int) -> list[Square]:
    return [(top + r, c) for r, c in np.argwhere(mask).tolist()]


def _is_move(a: Square, b: Square, leaper: tuple[int, int]) -> bool:
    return {abs(a[0] - b[0]), abs(a[1] - b[1])} == set(leaper)


# ---------------------------------------------------------------- lists


def _list_report(tour: np.ndarray, given: Board | None) -> BulkReport:
    """Check a list of squares (n, 2), or of square numbers (n,) of the board given."""
    walk_on = door("check_giant_list")
    if given is None:
        rows, cols = int(tour[:, 0].max()) + 1, int(tour[:, 1].max()) + 1
        _forget(tour)
        if rows * cols > 2 * len(tour) + 64 or min(rows, cols) < 1:
            fault = InvalidTour(f"{len(tour):,} squares do not fill a board of {rows} x {cols}")
            return BulkReport(Board(max(rows, 1), max(cols, 1)), fault=fault)
        board = Board(rows, cols)
    else:
        board = given
    size = (board.rows, board.cols, *board.leaper)
    visited = np.zeros(board.rows * board.cols // 8 + 1, dtype=np.uint8)
    for r, c in board.holes:
        visited[(r * board.cols + c) >> 3] |= 1 << ((r * board.cols + c) & 7)
    state = np.zeros(3, dtype=np.int64)
    for begin in range(0, len(tour), _LIST_SQUARES):
        part = np.asarray(tour[begin : begin + _LIST_SQUARES]).astype(np.int64)
        row, col = np.divmod(part, board.cols) if part.ndim == 1 else np.ascontiguousarray(part.T)
        wrong = walk_on(row, col, size, visited, state)
        _forget(tour)
        if wrong >= 0:
            return BulkReport(board, fault=_list_fault(tour, board, begin + wrong))
    if state[STEP] != board.square_count:
        missing = f"only {int(state[STEP]):,} of {board.square_count:,} squares are visited"
        return BulkReport(board, fault=InvalidTour(missing, step=int(state[STEP])))
    start, end = _square_of(tour, board, 0), _square_of(tour, board, len(tour) - 1)
    return BulkReport(board, len(tour) > 2 and _is_move(start, end, board.leaper), start, end)


def _square_of(tour: np.ndarray, board: Board, step: int) -> Square:
    value = tour[step]
    return divmod(int(value), board.cols) if tour.ndim == 1 else (int(value[0]), int(value[1]))


def _list_fault(tour: np.ndarray, board: Board, step: int) -> InvalidTour:
    here = _square_of(tour, board, step)
    where = f"step {step} (number {step + 1})"
    if not (0 <= here[0] < board.rows and 0 <= here[1] < board.cols):
        return InvalidTour(f"{where}: row {here[0]}, column {here[1]} is not on the {board.title}", step=step)
    if here not in board:
        return InvalidTour(f"{where}: row {here[0]}, column {here[1]} is a hole", step=step)
    if step:
        before = _square_of(tour, board, step - 1)
        if not _is_move(here, before, board.leaper):
            return InvalidTour(f"{where}: {board.name(here)} is no move from {board.name(before)}", step=step)
    return InvalidTour(f"{where}: {board.name(here)} is visited for the second time", step=step)
