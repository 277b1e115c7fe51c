"""Arrays of constructed tours, filled at nearly the speed of memory.

However long a tour is, its order and its numbered diagram consist of a few *patterns*: rows of a few numbers that come
again and again, each time a constant further. In the order, a tile's squares come back lap after lap, shifted. In the
diagram, each row of a tile column is such a row: the tile's squares there carry a number each, and the same ones a tile
further right or down carry that number plus a constant, be it forward or backward. So nothing is scattered: an array is
written row by row in long runs, whatever the route of the tour.

`order_pattern` and `numbers_pattern` make patterns from the runs of a piece (runs.py), in a millisecond; `fill` writes
them, small arrays with NumPy, long ones with the compiled kernel on threads. The answer does not depend on which, nor
on the number of threads. Patterns whose numbers pass int64 are held and written as Python integers.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from knightstour.constructions.runs import Lap, Run
from knightstour.kernels.bulk import filling
from knightstour.kernels.bulk.filling import BEGIN, END, FROM_ROW, OFFSET, PLACE, STEP, TO_ROW, WIDTH
from knightstour.machine import engine

# NumPy writes an element in 4 ns, the kernel in 0.4. Loading it takes 0.2 to 0.5 s, so a process loads it when it has
# written about this many elements, or is about to.
COMPILED_FROM = 10_000_000
# Below this a second thread costs more than it saves.
THREADS_FROM = 4_000_000
_BLOCK = 512
# No call of the kernel writes much more than this, so that Ctrl-C is heard.
_MOST_AT_ONCE = 1 << 23
# Short rows, and the elements of the array that their patterns write at a time, while these are in the cache.
_SHORT_ROW, _IN_CACHE = 1024, 1 << 16
# Wider than any tile.
_NEAR = 64
_NO_LAP = Lap(1, 0, 0, 0)

# What this process has written without the kernel.
_elements: Counter[str] = Counter()


@dataclass(frozen=True, slots=True)
class Pattern:
    """What to write where; see kernels/bulk/filling.py.

    items: int64 (k, 8). first, rise, jump: tables, a place for each column of each item, int64 or Python integers.
    """

    items: np.ndarray
    first: np.ndarray
    rise: np.ndarray
    jump: np.ndarray

    @property
    def size(self) -> int:
        """How many elements it writes."""
        return int(_sizes(self.items).sum())


def _sizes(items: np.ndarray) -> np.ndarray:
    return (items[:, TO_ROW] - items[:, FROM_ROW]) * (items[:, END] - items[:, BEGIN])


# ---------------------------------------------------------------- patterns


def order_pattern(runs: Iterable[Run], row_stride: int, col_stride: int) -> Pattern:
    """The squares in order, as `row * row_stride + col * col_stride`."""
    return _in_order(runs, lambda rows, cols: (rows * row_stride + cols * col_stride,), np.int64)


def squares_pattern(runs: Iterable[Run], dtype: type) -> Pattern:
    """The squares in order, row, col, row, col and so on; dtype: int64, or object for coordinates beyond."""
    return _in_order(runs, lambda rows, cols: (rows, cols), dtype)


def _in_order(runs: Iterable[Run], values: Callable[[Any, Any], tuple[Any, ...]], dtype: type) -> Pattern:
    """What `values` makes of the squares, step by step; it must be linear."""
    parts = [part for run in runs for part in _with_one_long_level(run)]
    per_square = len(values(0, 0))
    items = []
    bases, rises, jumps = [], [], []
    offset = 0
    for run in parts:
        size = len(run.rows)
        is_ongoing = bool(run.laps) and run.laps[0].stride == size
        across = run.laps[0] if is_ongoing else _NO_LAP
        down = run.laps[-1] if len(run.laps) > is_ongoing else _NO_LAP
        width = size * per_square
        begin, stride = run.begin * per_square, down.stride * per_square
        items.append((begin, stride, width, offset, 0, down.times, 0, width * across.times))
        bases.append(values(run.row, run.col))
        rises.append(values(down.down, down.right))
        jumps.append(values(across.down, across.right))
        offset += width
    sizes = [len(run.rows) for run in parts]
    tables: list[np.ndarray] = [np.repeat(np.array(x, dtype=dtype), sizes, axis=0) for x in (bases, rises, jumps)]
    base, rise, jump = tables
    tiles = values(np.concatenate([run.rows for run in parts]), np.concatenate([run.cols for run in parts]))
    first = base + np.stack(tiles, axis=1)
    return Pattern(np.array(items, dtype=np.int64), first.ravel(), rise.ravel(), jump.ravel())


def _with_one_long_level(run: Run) -> Iterable[Run]:
    """The run with, besides a level that goes on where it was, at most one more, the longest; others unrolled."""
    levels = list(range(len(run.laps)))
    if run.laps and run.laps[0].stride == len(run.rows):
        levels.pop(0)
    if len(levels) < 2:
        return (run,)
    levels.remove(max(levels, key=lambda level: run.laps[level].times))
    return run.unrolled(levels)


def numbers_pattern(runs: Iterable[Run], top: int, bottom: int, left: int, right: int, dtype: type) -> Pattern:
    """The numbers, from 1, of rows [top, bottom) and columns [left, right), row by row.

    dtype: int64, or object for numbers beyond.
    """
    params: list[tuple[int, ...]] = []
    values: list[tuple[int, int, int]] = []
    tiles: list[Run] = []
    for whole in runs:
        clipped = _nearby(whole, top, bottom, left, right)
        for run in () if clipped is None else _with_two_levels(clipped):
            lap_down = next((lap for lap in run.laps if lap.down), _NO_LAP)
            lap_right = next((lap for lap in run.laps if lap.right), _NO_LAP)
            row, col, number = run.row - top, run.col - left, run.begin + 1
            shift_down, by_down = lap_down.down, lap_down.stride
            if shift_down < 0:
                # Told from the top, numbers go down.
                row += (lap_down.times - 1) * shift_down
                number += (lap_down.times - 1) * by_down
                shift_down, by_down = -shift_down, -by_down
            shift_right, by_right = lap_right.right, lap_right.stride
            if shift_right < 0:
                col += (lap_right.times - 1) * shift_right
                number += (lap_right.times - 1) * by_right
                shift_right, by_right = -shift_right, -by_right
            params.append((row, col, shift_down, lap_down.times, shift_right, lap_right.times))
            values.append((number, by_down, by_right))
            tiles.append(run)
    if not tiles:
        empty: np.ndarray = np.zeros(0, dtype)
        return Pattern(np.zeros((0, 8), np.int64), empty, empty, empty)
    lengths = [len(run.rows) for run in tiles]
    table = np.repeat(np.array(params, dtype=np.int64), lengths, axis=0)
    rows = table[:, 0] + np.concatenate([run.rows for run in tiles])
    cols = table[:, 1] + np.concatenate([run.cols for run in tiles])
    down, count, along, laps = table[:, 2], table[:, 3], table[:, 4], table[:, 5]
    first, rise, jump = np.repeat(np.array(values, dtype), lengths, axis=0).T
    first = first + np.concatenate([np.arange(n) for n in lengths])
    # Squares of one row, with the same laps and side by side, make the columns of one item.
    sorting = np.lexsort((cols, along, laps, down, count, rows))
    rows, cols, down, count, along, laps, first, rise, jump = (
        x[sorting] for x in (rows, cols, down, count, along, laps, first, rise, jump)
    )
    is_new = np.ones(len(rows), dtype=bool)
    is_new[1:] = cols[1:] != cols[:-1] + 1
    for x in (rows, down, count, along, laps):
        is_new[1:] |= x[1:] != x[:-1]
    begins = np.flatnonzero(is_new)
    widths = np.diff(begins, append=len(rows))
    is_whole = (laps[begins] == 1) | (widths == along[begins])
    items = _items_of_rows(
        rows[begins],
        cols[begins],
        down[begins],
        count[begins],
        along[begins] * (laps[begins] - 1) + widths,
        widths,
        begins,
        bottom - top,
        right - left,
    )
    is_met = np.zeros(len(begins), dtype=bool)
    is_met[np.searchsorted(begins, items[:, OFFSET])] = True
    if not is_whole[is_met].all():
        # Laps that leave gaps for others of another length, as in 4-row boards: each square on its own.
        items = items[is_whole[np.searchsorted(begins, items[:, OFFSET])]]
        alone = np.flatnonzero(np.repeat(is_met & ~is_whole, widths))
        step = np.maximum(along[alone], 1)
        from_lap = np.clip(-(cols[alone] // step), 0, laps[alone])
        to_lap = np.clip((right - left - 1 - cols[alone]) // step + 1, from_lap, laps[alone])
        is_flat = (count[alone] == 1) & (rows[alone] >= 0) & (rows[alone] < bottom - top) & (to_lap > from_lap)
        # In a single row, its laps are the rows of an item.
        flat = alone[is_flat]
        ones = np.ones_like(flat)
        places = rows[flat] * (right - left) + cols[flat]
        offsets = len(first) + np.arange(len(flat))
        laps_as_rows = (places, along[flat], ones, offsets, from_lap[is_flat], to_lap[is_flat], 0 * ones, ones)
        items = np.concatenate([items, np.stack(laps_as_rows, axis=1)])
        # Else there is an item for each lap, which no tour needs.
        lap_count = np.where(count[alone] == 1, 0, to_lap - from_lap)
        cells = np.repeat(alone, lap_count)
        lap = np.arange(len(cells)) - np.repeat(np.cumsum(lap_count) - lap_count - from_lap, lap_count)
        ones = np.ones_like(cells)
        more = _items_of_rows(
            rows[cells],
            cols[cells] + lap * along[cells],
            down[cells],
            count[cells],
            ones,
            ones,
            len(first) + len(flat) + np.arange(len(cells)),
            bottom - top,
            right - left,
        )
        items = np.concatenate([items, more])
        first = np.concatenate([first, first[flat], first[cells] + lap * jump[cells]])
        rise = np.concatenate([rise, jump[flat], rise[cells]])
        jump = np.concatenate([jump, jump[flat], jump[cells]])
    return Pattern(items, first, rise, jump)


def _nearby(run: Run, top: int, bottom: int, left: int, right: int) -> Run | None:
    """The run, or None if it is far from the rectangle; where int64 could not hold its places, only laps that meet it.

    Laps are kept if possible, for runs that share rows must have the same to be put together.
    """
    r0, r1, c0, c1 = run.bounds()
    if r1 < top - _NEAR or r0 >= bottom + _NEAR or c1 < left - _NEAR or c0 >= right + _NEAR:
        return None
    if (max(abs(r0 - top), abs(r1 - top)) + 1) * (right - left) + max(abs(c0 - left), abs(c1 - left)) < 1 << 61:
        return run
    return run.clipped(top, bottom, left, right)


def _with_two_levels(run: Run) -> Iterator[Run]:
    """The run with at most one level straight down and one straight along; others unrolled."""
    kept: set[bool] = set()
    others = []
    for level, (_, down, right, _) in enumerate(run.laps):
        if (down == 0) == (right == 0) or (down == 0) in kept:
            others.append(level)
        else:
            kept.add(down == 0)
    yield from run.unrolled(others) if others else (run,)


def _items_of_rows(
    rows: np.ndarray,
    cols: np.ndarray,
    down: np.ndarray,
    count: np.ndarray,
    spans: np.ndarray,
    widths: np.ndarray,
    offsets: np.ndarray,
    height: int,
    width: int,
) -> np.ndarray:
    """Items for an array of `height` rows of `width`, without what would lie outside of it."""
    step = np.maximum(down, 1)
    from_row = np.clip(-(rows // step), 0, count)
    to_row = np.clip((height - 1 - rows) // step + 1, 0, count)
    is_one = count == 1
    from_row[is_one] = rows[is_one] < 0
    to_row[is_one] = rows[is_one] < height
    begin = np.maximum(0, -cols)
    end = np.minimum(spans, width - cols)
    items = np.stack([rows * width + cols, down * width, widths, offsets, from_row, to_row, begin, end], axis=1)
    return items[(to_row > from_row) & (end > begin)]


# ---------------------------------------------------------------- writing


def is_compiled_for(size: int) -> bool:
    """Whether the next array, of this many elements, is written by the compiled kernel."""
    return engine.is_loaded(filling) or size + _elements["by NumPy"] >= COMPILED_FROM


def load() -> None:
    """Load the compiled kernel now, whatever the size of the arrays to come."""
    kernel = engine.compiled(filling).fill
    nothing = np.zeros((0, 8), dtype=np.int64)
    for dtype in (np.int32, np.int64):
        table = np.zeros(1, dtype=np.int64)
        kernel(np.zeros(1, dtype), nothing, table, table, table, np.zeros((3, 1), dtype), _BLOCK)


def fill(pattern: Pattern, out: np.ndarray, threads: int | None = None) -> None:
    """Write the pattern into a flat array of int32, int64 or Python integers.

    threads: the most to use; None for as many as help. Elements outside of the pattern stay as they are.
    """
    if not len(pattern.items):
        return
    size = pattern.size
    kernel_takes_it = out.dtype in (np.int32, np.int64) and pattern.first.dtype == np.int64 and out.flags.c_contiguous
    if not kernel_takes_it or not is_compiled_for(size):
        _fill_with_numpy(pattern, out)
        _elements["by NumPy"] += size if kernel_takes_it else 0
        return
    kernel = engine.compiled(filling).fill
    batches = _batches(pattern.items)
    most = min(2, os.cpu_count() or 1) if threads is None else max(1, threads)
    workers = 1 if size < THREADS_FROM and threads is None else min(most, len(batches))
    tables = (pattern.first, pattern.rise, pattern.jump)
    longest = max(_BLOCK, int(pattern.items[:, WIDTH].max()))
    todo = iter(batches)
    lock = threading.Lock()
    failures: list[BaseException] = []

    def work() -> None:
        scratch = np.empty((3, longest), dtype=out.dtype)
        try:
            while not failures:
                with lock:
                    batch = next(todo, None)
                if batch is None:
                    return
                kernel(out, batch, *tables, scratch, _BLOCK)
        except BaseException as error:
            failures.append(error)

    helpers = [threading.Thread(target=work) for _ in range(workers - 1)]
    for helper in helpers:
        helper.start()
    work()
    for helper in helpers:
        helper.join()
    if failures:
        raise failures[0]


def _batches(items: np.ndarray) -> list[np.ndarray]:
    """The items, long ones cut, in the order of the array, grouped into what one call of the kernel should write."""
    lengths = items[:, END] - items[:, BEGIN]
    # Rows of long items at a time; short rows as many as stay in the cache with their neighbours'.
    in_cache = np.where(
        lengths < _SHORT_ROW, np.maximum(16, _IN_CACHE // np.maximum(items[:, STEP], 1)), np.int64(_MOST_AT_ONCE)
    )
    most = np.maximum(1, np.minimum(in_cache, _MOST_AT_ONCE // np.maximum(lengths, 1)))
    items = _cut(items, FROM_ROW, TO_ROW, most)
    items = _cut(items, BEGIN, END, np.full(len(items), _MOST_AT_ONCE))
    begins = items[:, PLACE] + items[:, FROM_ROW] * items[:, STEP] + items[:, BEGIN]
    items = np.ascontiguousarray(items[np.argsort(begins, kind="stable")])
    batch = np.cumsum(_sizes(items)) // (_MOST_AT_ONCE // 2)
    return np.split(items, np.flatnonzero(np.diff(batch)) + 1)


def _cut(items: np.ndarray, low: int, high: int, most: np.ndarray) -> np.ndarray:
    """Each item in as many parts as keep its range low..high within `most`."""
    parts = -(-(items[:, high] - items[:, low]) // most)
    if (parts == 1).all():
        return items
    number = np.arange(parts.sum()) - np.repeat(np.cumsum(parts) - parts, parts)
    most = np.repeat(most, parts)
    items = np.repeat(items, parts, axis=0)
    items[:, low] += number * most
    items[:, high] = np.minimum(items[:, high], items[:, low] + most)
    return items


def _fill_with_numpy(pattern: Pattern, out: np.ndarray) -> None:
    """The same without the kernel, for any kind of numbers."""
    for place, step, width, offset, from_row, to_row, begin, end in pattern.items.tolist():
        columns = slice(offset, offset + width)
        at = place + begin + from_row * step
        if to_row == 1 and end <= width:
            out[at : at + end - begin] = pattern.first[columns][begin:end]
            continue
        low, high = begin // width, -(-end // width)
        span = slice(begin - low * width, end - low * width)
        numbers = (pattern.first[columns] + np.arange(low, high)[:, None] * pattern.jump[columns]).ravel()[span]
        rises = np.tile(pattern.rise[columns], high - low)[span]
        if to_row - from_row == 1:
            out[at : at + end - begin] = numbers + from_row * rises if from_row else numbers
            continue
        (stride,) = out.strides
        shape = (to_row - from_row, end - begin)
        rows = np.lib.stride_tricks.as_strided(out[at:], shape, (step * stride, stride), writeable=True)
        rows[:] = numbers + np.arange(from_row, to_row)[:, None] * rises
