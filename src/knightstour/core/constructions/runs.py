"""Runs: pieces without nesting, as a few repeated tiles.

A run is a short list of squares, its tile, that is repeated: lap `k` of a level is moved by `k * (down, right)` and
`k * stride` steps later. A comb of 10**18 squares is a dozen runs of two levels. Large values are exact Python
integers; only the tile is an array. filling.py converts runs to arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from knightstour.core.model.board import Square


class Lap(NamedTuple):
    """One level of repetition."""

    times: int
    down: int
    right: int
    stride: int


class Run(NamedTuple):
    """Tile in laps.

    Attributes:
        begin: Step of its first square.
        row, col: Position of the tile.
        rows, cols: Relative squares of the tile, in order, int64 arrays.
        laps: Levels, the innermost first.
    """

    begin: int
    row: int
    col: int
    rows: np.ndarray
    cols: np.ndarray
    laps: tuple[Lap, ...] = ()

    def later(self, steps: int) -> Run:
        """Return the run some steps later."""
        return self._replace(begin=self.begin + steps)

    def repeat(self, count: int, shift: Square, stride: int) -> Run:
        """Return the run with another level."""
        return self if count == 1 else self._replace(laps=(*self.laps, Lap(count, *shift, stride)))

    def transform(self, origin: Square, down: Square, right: Square) -> Run:
        """Return the run with every square (r, c) at `origin + r * down + c * right`."""
        (a, b), (x, y) = down, right
        rows, cols = self.rows, self.cols
        if down != (1, 0) or right != (0, 1):
            rows, cols = (a * rows, y * cols) if a else (x * cols, b * rows)
        return Run(
            self.begin,
            origin[0] + a * self.row + x * self.col,
            origin[1] + b * self.row + y * self.col,
            rows,
            cols,
            tuple(Lap(n, a * dr + x * dc, b * dr + y * dc, stride) for n, dr, dc, stride in self.laps),
        )

    def backwards(self, length: int) -> Run:
        """Return the run as part of a reversed piece of `length` squares."""
        last = self.begin + len(self.rows) - 1 + sum((n - 1) * stride for n, _, _, stride in self.laps)
        return Run(
            length - 1 - last,
            self.row + sum((n - 1) * dr for n, dr, _, _ in self.laps),
            self.col + sum((n - 1) * dc for n, _, dc, _ in self.laps),
            self.rows[::-1],
            self.cols[::-1],
            tuple(Lap(n, -dr, -dc, stride) for n, dr, dc, stride in self.laps),
        )

    def from_lap(self, level: int, first: int, count: int) -> Run:
        """Return only `count` laps of a level, from lap `first`."""
        _, dr, dc, stride = lap = self.laps[level]
        kept = () if count == 1 else (lap._replace(times=count),)
        return self._replace(
            begin=self.begin + first * stride,
            row=self.row + first * dr,
            col=self.col + first * dc,
            laps=self.laps[:level] + kept + self.laps[level + 1 :],
        )

    def clip(self, top: int, bottom: int, left: int, right: int) -> Run | None:
        """Return the run without the laps outside rows [top, bottom) and columns [left, right), or None."""
        run = self
        for level in range(len(self.laps) - 1, -1, -1):
            _, dr, dc, _ = run.laps[level]
            count = run.laps[level].times
            r0, r1, c0, c1 = run.from_lap(level, 0, 1).bounds()
            first, last = 0, count - 1
            for low, high, begin, end, shift in ((r0, r1, top, bottom, dr), (c0, c1, left, right, dc)):
                if shift > 0:
                    first, last = max(first, -((high - begin) // shift)), min(last, (end - 1 - low) // shift)
                elif shift < 0:
                    first, last = max(first, -((end - 1 - low) // -shift)), min(last, (high - begin) // -shift)
            if first > last:
                return None
            run = run.from_lap(level, first, last - first + 1)
        r0, r1, c0, c1 = run.bounds()
        return run if r0 < bottom and r1 >= top and c0 < right and c1 >= left else None

    def bounds(self) -> tuple[int, int, int, int]:
        """Return the lowest and highest row, and the lowest and highest column."""
        far = [((n - 1) * dr, (n - 1) * dc) for n, dr, dc, _ in self.laps]
        return (
            self.row + int(self.rows.min()) + sum(min(0, r) for r, _ in far),
            self.row + int(self.rows.max()) + sum(max(0, r) for r, _ in far),
            self.col + int(self.cols.min()) + sum(min(0, c) for _, c in far),
            self.col + int(self.cols.max()) + sum(max(0, c) for _, c in far),
        )

    def unroll(self, levels: list[int]) -> Iterator[Run]:
        """Yield runs without these levels, one per lap."""
        if not levels:
            yield self
            return
        level = max(levels)
        rest = [x for x in levels if x != level]
        for k in range(self.laps[level].times):
            yield from self.from_lap(level, k, 1).unroll(rest)
