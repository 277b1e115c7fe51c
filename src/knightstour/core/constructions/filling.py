"""Arrays of constructed tours, filled at nearly the speed of memory.

The order of a tour and its numbered diagram consist of a few *patterns*: rows of a few numbers that are repeated, each
time with a constant added. In the order, a tile's squares are repeated with a shift. In the diagram, each row of a tile
column is such a row: the same squares of a tile further right or down have the same numbers plus a constant. So an
array is written row by row in long runs.

`order_pattern` and `numbers_pattern` build patterns from the runs of a piece (runs.py), in a millisecond; `fill` writes
them, 1 to 3 ns per element. Numbers beyond int64 are Python integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from knightstour.core.constructions.runs import Lap, Run
from knightstour.core.model.indices import repeat

# Columns of the items of a pattern.
OFFSET, FROM_ROW, TO_ROW, BEGIN, END = range(3, 8)
# Number of elements computed together from elements in the cache.
_IN_CACHE = 1 << 16
_NEAR = 64
_NO_LAP = Lap(1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Instructions for filling an array.

    Attributes:
        items: int64 (k, 8). An item (place, step, width, offset, from_row, to_row, begin, end) means: for i in
            from_row..to_row - 1 and e in begin..end - 1, with x = e % width and the tables at `offset + x`, out[place +
            i * step + e] = first + i * rise + (e // width) * jump.
        first, rise, jump: Tables with an entry for each column of each item, int64 or Python integers.
    """

    items: np.ndarray
    first: np.ndarray
    rise: np.ndarray
    jump: np.ndarray


# ---------------------------------------------------------------- patterns


def order_pattern(runs: Iterable[Run], row_stride: int, col_stride: int) -> Pattern:
    """Return the squares in order, as `row * row_stride + col * col_stride`."""
    return _in_order(runs, lambda rows, cols: (rows * row_stride + cols * col_stride,), np.int64)


def squares_pattern(runs: Iterable[Run], dtype: type) -> Pattern:
    """Return the coordinates of the squares in order: row, col, row, col, ... dtype: int64, or object if too large."""
    return _in_order(runs, lambda rows, cols: (rows, cols), dtype)


def _in_order(runs: Iterable[Run], values: Callable[[Any, Any], tuple[Any, ...]], dtype: type) -> Pattern:
    """Return the values of a linear function of the squares, in order."""
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
    tables: list[np.ndarray] = [repeat(np.array(x, dtype=dtype), sizes, axis=0) for x in (bases, rises, jumps)]
    base, rise, jump = tables
    tiles = values(np.concatenate([run.rows for run in parts]), np.concatenate([run.cols for run in parts]))
    first = base + np.stack(tiles, axis=1)
    return Pattern(np.array(items, dtype=np.int64), first.ravel(), rise.ravel(), jump.ravel())


def small_order(runs: Iterable[Run], length: int, cols: int) -> np.ndarray:
    """Return the square numbers in order, int32, tile by tile, which is faster for a few tiles.

    >>> small_order([Run(0, 0, 0, np.array([0, 2]), np.array([0, 1]))], 2, 3)
    array([0, 7], dtype=int32)
    """
    order = np.empty(length, dtype=np.int32)
    for run in runs:
        tile = (run.row + run.rows) * cols + (run.col + run.cols)
        places = [(run.begin, 0)]
        for times, down, right, stride in run.laps:
            shift = down * cols + right
            places = [(begin + k * stride, by + k * shift) for begin, by in places for k in range(times)]
        for begin, by in places:
            order[begin : begin + len(tile)] = tile + by
    return order


def _with_one_long_level(run: Run) -> Iterable[Run]:
    """Return the run with at most one long level besides a level that continues in place; others are unrolled."""
    levels = list(range(len(run.laps)))
    if run.laps and run.laps[0].stride == len(run.rows):
        levels.pop(0)
    if len(levels) < 2:
        return (run,)
    levels.remove(max(levels, key=lambda level: run.laps[level].times))
    return run.unroll(levels)


class _Area(NamedTuple):
    """Rows [top, bottom) and columns [left, right) of a diagram."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def width(self) -> int:
        return self.right - self.left


class _Cells(NamedTuple):
    """Squares of tiles, one item each. A square is repeated `times` times, `down` rows apart, and all these `laps`
    times, `along` columns apart; both shifts are at least 0.

    Attributes:
        rows, cols: First position, from the top left of an area, perhaps outside.
        first: Number at this position.
        rise, jump: Increase of its number with each shift down and along.
    """

    rows: np.ndarray
    cols: np.ndarray
    down: np.ndarray
    times: np.ndarray
    along: np.ndarray
    laps: np.ndarray
    first: np.ndarray
    rise: np.ndarray
    jump: np.ndarray

    def at(self, which: np.ndarray) -> _Cells:
        return _Cells(*(column[which] for column in self))


def numbers_pattern(runs: Iterable[Run], top: int, bottom: int, left: int, right: int, dtype: type) -> Pattern:
    """Return the numbers, from 1, of rows [top, bottom) and columns [left, right), row by row.

    Args:
        dtype: int64, or object for larger numbers.
    """
    area = _Area(top, bottom, left, right)
    cells = _cells_of(runs, area, dtype)
    if cells is None:
        empty: np.ndarray = np.zeros(0, dtype)
        return Pattern(np.zeros((0, 8), np.int64), empty, empty, empty)
    begins = _begins_of_rows(cells)
    widths = np.diff(begins, append=len(cells.rows))
    leftmost = cells.at(begins)
    items = _items_of_rows(leftmost, leftmost.along * (leftmost.laps - 1) + widths, widths, begins, area)
    is_met = _is_met(items)
    # Adjacent laps fill one row of the array. Others leave gaps, as in 4-row boards, so each square is written
    # separately.
    is_whole = (leftmost.laps == 1) | (widths == leftmost.along)
    whole = Pattern(items[is_met & is_whole], cells.first, cells.rise, cells.jump)
    if is_whole[is_met].all():
        return whole
    alone = cells.at(repeat(is_met & ~is_whole, widths))
    return _together(whole, _pattern_of_single_rows(alone, area), _pattern_of_laps(alone, area))


def _cells_of(runs: Iterable[Run], area: _Area, dtype: type) -> _Cells | None:
    """Return the squares of the runs near the area, sorted so that adjacent squares of a row are consecutive."""
    places: list[tuple[int, ...]] = []
    numbers: list[tuple[int, int, int]] = []
    tiles: list[Run] = []
    for whole in runs:
        clipped = _nearby(whole, area)
        for run in () if clipped is None else _with_two_levels(clipped):
            lap_down = next((lap for lap in run.laps if lap.down), _NO_LAP)
            lap_along = next((lap for lap in run.laps if lap.right), _NO_LAP)
            above, steps_above, shift_down, by_down = _from_lowest(lap_down, lap_down.down)
            before, steps_before, shift_along, by_along = _from_lowest(lap_along, lap_along.right)
            row, col = run.row - area.top + above, run.col - area.left + before
            places.append((row, col, shift_down, lap_down.times, shift_along, lap_along.times))
            numbers.append((run.begin + 1 + steps_above + steps_before, by_down, by_along))
            tiles.append(run)
    if not tiles:
        return None
    lengths = [len(run.rows) for run in tiles]
    rows, cols, down, times, along, laps = repeat(np.array(places, dtype=np.int64), lengths, axis=0).T
    first, rise, jump = repeat(np.array(numbers, dtype), lengths, axis=0).T
    rows = rows + np.concatenate([run.rows for run in tiles])
    cols = cols + np.concatenate([run.cols for run in tiles])
    first = first + np.concatenate([np.arange(n) for n in lengths])
    cells = _Cells(rows, cols, down, times, along, laps, first, rise, jump)
    return cells.at(np.lexsort((cells.cols, cells.along, cells.laps, cells.down, cells.times, cells.rows)))


def _from_lowest(lap: Lap, shift: int) -> tuple[int, int, int, int]:
    """Return a lap from its topmost or leftmost position: offset, steps to it, shift, stride."""
    if shift >= 0:
        return 0, 0, shift, lap.stride
    return (lap.times - 1) * shift, (lap.times - 1) * lap.stride, -shift, -lap.stride


def _begins_of_rows(cells: _Cells) -> np.ndarray:
    """Return the indices of squares at which adjacent squares with the same repetition begin."""
    is_new = np.ones(len(cells.rows), dtype=bool)
    is_new[1:] = cells.cols[1:] != cells.cols[:-1] + 1
    for column in (cells.rows, cells.down, cells.times, cells.along, cells.laps):
        is_new[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(is_new)


def _nearby(run: Run, area: _Area) -> Run | None:
    """Return the run, or None if it is far from the area. Beyond int64, it is clipped.

    Laps are kept if possible, since runs that share rows need the same laps.
    """
    top, bottom, left, right = area
    r0, r1, c0, c1 = run.bounds()
    if r1 < top - _NEAR or r0 >= bottom + _NEAR or c1 < left - _NEAR or c0 >= right + _NEAR:
        return None
    if (max(abs(r0 - top), abs(r1 - top)) + 1) * area.width + max(abs(c0 - left), abs(c1 - left)) < 1 << 61:
        return run
    return run.clip(*area)


def _with_two_levels(run: Run) -> Iterator[Run]:
    """Yield the run with at most one level straight down and one straight along; others are unrolled."""
    kept: set[bool] = set()
    others = []
    for level, (_, down, right, _) in enumerate(run.laps):
        if (down == 0) == (right == 0) or (down == 0) in kept:
            others.append(level)
        else:
            kept.add(down == 0)
    yield from run.unroll(others) if others else (run,)


def _items_of_rows(
    leftmost: _Cells, spans: np.ndarray, widths: np.ndarray, offsets: np.ndarray, area: _Area
) -> np.ndarray:
    """Return an item for each row of squares that begins with one of these, clipped to the area.

    Args:
        spans: Elements of the row with all laps.
        widths: Elements without laps.
    """
    rows, cols, times = leftmost.rows, leftmost.cols, leftmost.times
    step = np.maximum(leftmost.down, 1)
    from_row = np.clip(-(rows // step), 0, times)
    to_row = np.clip((area.height - 1 - rows) // step + 1, 0, times)
    is_one = times == 1
    from_row[is_one] = rows[is_one] < 0
    to_row[is_one] = rows[is_one] < area.height
    begin = np.maximum(0, -cols)
    end = np.minimum(spans, area.width - cols)
    places = rows * area.width + cols
    return np.stack([places, leftmost.down * area.width, widths, offsets, from_row, to_row, begin, end], axis=1)


def _is_met(items: np.ndarray) -> np.ndarray:
    return (items[:, TO_ROW] > items[:, FROM_ROW]) & (items[:, END] > items[:, BEGIN])


def _laps_met(cells: _Cells, area: _Area) -> tuple[np.ndarray, np.ndarray]:
    """Return the first lap, and the lap after the last, in which each square is in the columns of the area."""
    step = np.maximum(cells.along, 1)
    from_lap = np.clip(-(cells.cols // step), 0, cells.laps)
    return from_lap, np.clip((area.width - 1 - cells.cols) // step + 1, from_lap, cells.laps)


def _pattern_of_single_rows(cells: _Cells, area: _Area) -> Pattern:
    """Return the pattern of squares repeated in one row; the laps are the rows of an item."""
    cells = cells.at((cells.times == 1) & (cells.rows >= 0) & (cells.rows < area.height))
    from_lap, to_lap = _laps_met(cells, area)
    is_met = to_lap > from_lap
    cells, from_lap, to_lap = cells.at(is_met), from_lap[is_met], to_lap[is_met]
    places, ones = cells.rows * area.width + cells.cols, np.ones_like(cells.rows)
    columns = (places, cells.along, ones, np.arange(len(places)), from_lap, to_lap, 0 * ones, ones)
    return Pattern(np.stack(columns, axis=1), cells.first, cells.jump, cells.jump)


def _pattern_of_laps(cells: _Cells, area: _Area) -> Pattern:
    """Return the pattern of squares repeated in several rows, with an item per lap. No tour needs it."""
    cells = cells.at(cells.times != 1)
    from_lap, to_lap = _laps_met(cells, area)
    laps = to_lap - from_lap
    lap = np.arange(laps.sum()) - repeat(np.cumsum(laps) - laps - from_lap, laps)
    cells = cells.at(repeat(np.arange(len(laps)), laps))
    cells = cells._replace(cols=cells.cols + lap * cells.along, first=cells.first + lap * cells.jump)
    ones = np.ones_like(lap)
    items = _items_of_rows(cells, ones, ones, np.arange(len(lap)), area)
    return Pattern(items[_is_met(items)], cells.first, cells.rise, cells.jump)


def _together(*patterns: Pattern) -> Pattern:
    sizes = [len(pattern.first) for pattern in patterns]
    items = np.concatenate([pattern.items for pattern in patterns])
    items[:, OFFSET] += repeat(np.cumsum(sizes) - sizes, [len(pattern.items) for pattern in patterns])
    tables = [(pattern.first, pattern.rise, pattern.jump) for pattern in patterns]
    return Pattern(items, *(np.concatenate(columns) for columns in zip(*tables, strict=True)))


# ---------------------------------------------------------------- writing


def fill(pattern: Pattern, out: np.ndarray) -> None:
    """Write the pattern into a flat array of int32, int64 or Python integers."""
    for place, step, width, offset, from_row, to_row, begin, end in pattern.items.tolist():
        columns = slice(offset, offset + width)
        first, rise, jump = pattern.first[columns], pattern.rise[columns], pattern.jump[columns]
        at = place + begin + from_row * step
        low, high = begin // width, -(-end // width)
        if from_row:
            first = first + from_row * rise
        laps = np.empty((high - low, width), dtype=out.dtype)
        _add_up(laps, first + low * jump if low else first, jump)
        span = slice(begin - low * width, end - low * width)
        line = laps.ravel()[span]
        if to_row - from_row == 1:
            out[at : at + end - begin] = line
            continue
        (stride,) = out.strides
        shape = (to_row - from_row, end - begin)
        rows = np.lib.stride_tricks.as_strided(out[at:], shape, (step * stride, stride), writeable=True)
        _add_up(rows, line, np.tile(rise, high - low)[span])


def _add_up(rows: np.ndarray, first: np.ndarray, rise: np.ndarray) -> None:
    """Write `first` into the first row, and the previous row plus `rise` into each other row.

    Several rows are computed together while they are in the cache. Overflow on the way cancels out.
    """
    rows[0] = first
    rise = rise.astype(rows.dtype)
    most = max(1, _IN_CACHE // max(1, len(rise)))
    done = 1
    while done < len(rows):
        more = min(done, most, len(rows) - done)
        np.add(rows[done - more : done], rise * rows.dtype.type(more), out=rows[done : done + more])
        done += more
