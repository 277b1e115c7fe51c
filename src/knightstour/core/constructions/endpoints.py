"""Tours of big rectangles with given ends: a small window is searched, and blocks are attached to its corners.

In any tour of a window, a corner K that is not an end has exactly two moves and both are made. With o pointing out of
the window and i along its side, the move K .. K + 2i - o is therefore made, and a block of any size with its corner at
K + o, whose path runs from its (1, 1) to its (3, 0), fits in between. So:

- ends near each other: one window contains both; up to four blocks around it, arranged like a pinwheel, are the rest;
- ends far apart along one axis: a window each, and between them a run of equal tiles;
- ends far apart along both: the board is cut in two by an even number of rows, and each part is treated as above.

The sides of removed blocks are even, so colours are kept. A layout is arithmetic on a few numbers for any size of the
board. At most a few windows of up to 200 squares are searched, by rotations with fixed seeds, mostly in less than a
millisecond. Three rows use fringes as blocks; for four rows see four_rows.py.

docs/proofs.md proves the possible pairs. Searches checked that these layouts reach all of them on all boards to
16 x 16, boards of 3 to 5 rows to 40 columns, and samples of larger ones. Other constructions for sides of 6 or more are
by Conrad, Hindrichs, Morsy & Wegener 1994, Dupuis & Wagon 2015 and Ralston 1996.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from knightstour.core.constructions.blocks import comb, fringe, tile
from knightstour.core.constructions.four_rows import four_row_tour
from knightstour.core.constructions.pieces import (
    Chain,
    Path,
    Piece,
    PlacedPiece,
    Repeat,
    ReversedPiece,
    move_squares,
    with_inserts,
)
from knightstour.core.machine import slices
from knightstour.core.machine.native import kernel_function
from knightstour.core.model.board import Board, Square, move_graph
from knightstour.core.model.pieces import KNIGHT
from knightstour.core.model.problem import Problem
from knightstour.core.proofs.theorems import is_pair_possible
from knightstour.core.search.rotation import path_of, start_state

# Squares of the largest window; the search time is about linear up to it.
MAX_WINDOW_SQUARES = 200

# Steps per square: 99.9 % of possible pairs need under 400; impossible pairs use all. A stuck search is repeated with
# the next seed.
_PATIENCE = 3000
_TRIES = 3


@functools.lru_cache(maxsize=4096)
def window_path(
    rows: int,
    cols: int,
    start: Square | None,
    end: Square | None,
    closed: bool = False,
    seed: int = 1,
    patience: int = _PATIENCE,
) -> tuple[Square, ...] | None:
    """Return a tour of the rectangle with these ends, or None if the search gave up.

    Args:
        patience: Steps of the search per square, in all tries.

    >>> path = window_path(6, 6, (0, 0), (0, 1))
    >>> len(path), path[0], path[-1]
    (36, (0, 0), (0, 1))
    """
    if rows * cols == 1:
        return ((0, 0),)
    problem = Problem(Board(rows, cols), closed=closed, start=start, end=end)
    if move_graph(problem.board).degrees.min() == 0:
        return None
    for k in range(_TRIES):
        state = start_state(problem, seed + k)
        if kernel_function("rotation_step")(state, -(-patience // _TRIES) * rows * cols) == slices.FOUND:
            break
    else:
        return None
    return tuple(divmod(s, cols) for s in path_of(problem, state).tolist())


_UP, _DOWN, _LEFT, _RIGHT = (-1, 0), (1, 0), (0, -1), (0, 1)
_MOVES = KNIGHT.vectors

# Creates a piece, or returns None if a window's search gave up.
Layout = Callable[[], Piece | None]


def tour_between(rows: int, cols: int, start: Square, end: Square) -> Piece | None:
    """Return a tour of a rectangle with sides of at least 3 between two squares; None if no layout was found.

    >>> tour = tour_between(10**9, 10**9, (7, 7), (10**8, 10**8 + 1))
    >>> tour.at(0), tour.at(10**18 - 1)
    ((7, 7), (100000000, 100000001))
    """
    if rows > cols:
        turned = tour_between(cols, rows, start[::-1], end[::-1])
        return None if turned is None else _transpose(turned)
    for layout in _layouts(rows, cols, start, end):
        piece = layout()
        if piece is not None:
            return piece
    return None


def _transpose(piece: Piece) -> Piece:
    return PlacedPiece(piece, (0, 0), (0, 1), (1, 0))


def _layouts(rows: int, cols: int, start: Square, end: Square) -> Iterator[Layout]:
    if rows == 3:
        yield from _three_rows(cols, start, end)
    elif rows == 4:
        yield functools.partial(four_row_tour, cols, start, end)
    elif rows * cols <= MAX_WINDOW_SQUARES and cols <= 14 + (rows == 5):
        yield Window(0, rows, 0, cols, start, end).piece
    else:
        yield from _uncut(rows, cols, start, end)
        yield from _cut_layouts(rows, cols, start, end)
        for layout in _cut_layouts(cols, rows, start[::-1], end[::-1]):
            yield _change_layout(layout, _transpose)


def _change_layout(layout: Layout, change: Callable[[Piece], Piece]) -> Layout:
    def build() -> Piece | None:
        piece = layout()
        return None if piece is None else change(piece)

    return build


# ---------------------------------------------------------------- windows and attached blocks


@dataclass(frozen=True, slots=True)
class Window:
    """Rows [top, bottom) and columns [left, right) of the board, with a path from start to end."""

    top: int
    bottom: int
    left: int
    right: int
    start: Square
    end: Square

    def is_possible(self) -> bool:
        """Whether such a path may exist."""
        return is_pair_possible(*self._alone())

    def squares(self) -> list[Square] | None:
        """Return the path, or None if the search gave up."""
        path = window_path(*self._alone())
        return None if path is None else move_squares(path, self.top, self.left)

    def _alone(self) -> tuple[int, int, Square, Square]:
        """Return (rows, columns, start, end) of the window as a board."""
        start, end = move_squares((self.start, self.end), -self.top, -self.left)
        return self.bottom - self.top, self.right - self.left, start, end

    def piece(self) -> Piece | None:
        squares = self.squares()
        return None if squares is None else Path(squares)


@dataclass(frozen=True, slots=True)
class Hang:
    """A block on a window's corner: `outward` leaves the window, `along` follows its side from the corner.

    It has `length` squares along the side and the depth `depth`. In three-row boards it is a fringe.
    """

    corner: Square
    outward: Square
    along: Square
    length: int
    depth: int

    def hung_on(self, squares: list[Square]) -> tuple[int, Piece]:
        """Return the index at which it is inserted, and its piece."""
        (kr, kc), (outr, outc), (ar, ac) = self.corner, self.outward, self.along
        beside = (kr + 2 * ar - outr, kc + 2 * ac - outc)
        at, other = squares.index(self.corner), squares.index(beside)
        is_fringe = self.length == 3
        block = fringe(self.depth) if is_fringe else comb(self.length, self.depth)
        placed = PlacedPiece(block, (kr + outr, kc + outc), self.along, self.outward)
        # A comb begins next to the corner, a fringe next to the other square.
        forward = (at < other) != is_fringe
        return max(at, other), placed if forward else ReversedPiece(placed)


def _pinwheel(
    rows: int, cols: int, top: int, bottom: int, left: int, right: int, ends: tuple[Square, Square]
) -> list[Hang] | None:
    """Return blocks that fill the board around a window, on corners that are not ends, or None."""
    corners = {"tl": (top, left), "tr": (top, right - 1), "br": (bottom - 1, right - 1), "bl": (bottom - 1, left)}
    clockwise = [
        (top, Hang(corners["tl"], _UP, _RIGHT, cols - left, top)),
        (cols - right, Hang(corners["tr"], _RIGHT, _DOWN, rows - top, cols - right)),
        (rows - bottom, Hang(corners["br"], _DOWN, _LEFT, right, rows - bottom)),
        (left, Hang(corners["bl"], _LEFT, _UP, bottom, left)),
    ]
    counterclockwise = [
        (top, Hang(corners["tr"], _UP, _LEFT, right, top)),
        (left, Hang(corners["tl"], _LEFT, _DOWN, rows - top, left)),
        (rows - bottom, Hang(corners["bl"], _DOWN, _RIGHT, cols - left, rows - bottom)),
        (cols - right, Hang(corners["br"], _RIGHT, _UP, bottom, cols - right)),
    ]
    for hand in (clockwise, counterclockwise):
        hangs = [hang for depth, hang in hand if depth]
        if not any(hang.corner in ends for hang in hangs):
            return hangs
    return None


def _fringes(cols: int, left: int, right: int, ends: tuple[Square, Square]) -> list[Hang] | None:
    """Return the fringes of a window of three rows, on corners that are not ends, or None."""
    hangs = []
    for depth, edge, outward in ((left, left, _LEFT), (cols - right, right - 1, _RIGHT)):
        if depth:
            free = [(corner, along) for corner, along in (((0, edge), _DOWN), ((2, edge), _UP)) if corner not in ends]
            if not free:
                return None
            hangs.append(Hang(free[0][0], outward, free[0][1], 3, depth))
    return hangs


def _put_together(windows: list[Window], run: Piece | None, hangs: list[Hang]) -> Piece | None:
    """Join one or two windows, the run of tiles between them and the attached blocks."""
    pieces: list[Piece] = []
    for k, window in enumerate(windows):
        squares = window.squares()
        if squares is None:
            return None
        if k == 1 and run is not None:
            pieces.append(run)
        mine = [
            hang
            for hang in hangs
            if window.left <= hang.corner[1] < window.right and window.top <= hang.corner[0] < window.bottom
        ]
        pieces += with_inserts(squares, [hang.hung_on(squares) for hang in mine])
    return Chain(pieces)


# ---------------------------------------------------------------- positions of windows


@dataclass(frozen=True, slots=True)
class _Sizes:
    """Possible sizes of windows; `step` and `gap` are the unit and the minimum of the parts around."""

    step: int
    gap: int
    slack: int
    most: int


_WIDE = _Sizes(step=2, gap=6, slack=8, most=14)
_THREE = _Sizes(step=4, gap=4, slack=20, most=26)


def _intervals(length: int, low: int, high: int, least: int, sizes: _Sizes) -> list[tuple[int, int]]:
    """Return intervals [begin, end) that contain low and high, with whole units outside, shortest first."""

    def rests(room: int) -> list[int]:
        nearest = range(max(sizes.gap, room - sizes.slack), room + 1)
        return [0] + [x for x in nearest if x % sizes.step == 0]

    found = [
        (begin, length - rest)
        for begin in rests(low)
        for rest in rests(length - 1 - high)
        if least <= length - rest - begin <= sizes.most
    ]
    return sorted(found, key=lambda x: x[1] - x[0])


def _one_window(rows: int, cols: int, start: Square, end: Square) -> Layout | None:
    """Return the smallest window around both ends, with attached blocks."""
    (top_end, low_end), (left_end, right_end) = sorted((start[0], end[0])), sorted((start[1], end[1]))
    best: tuple[int, Window, list[Hang]] | None = None
    for top, bottom in _intervals(rows, top_end, low_end, 5 if rows == 5 else 6, _WIDE):
        height = bottom - top
        for left, right in _intervals(cols, left_end, right_end, 7 if height == 5 else 6, _WIDE):
            width = right - left
            # Thin windows need more search.
            cost = height * width + (30 if min(height, width) < 7 else 0)
            if height * width > MAX_WINDOW_SQUARES:
                break
            if best is not None and cost >= best[0]:
                continue
            window = Window(top, bottom, left, right, start, end)
            if not window.is_possible():
                continue
            hangs = _pinwheel(rows, cols, top, bottom, left, right, (start, end))
            if hangs is not None:
                best = (cost, window, hangs)
    if best is None:
        return None
    _, window, hangs = best
    return functools.partial(_put_together, [window], None, hangs)


def _two_windows(rows: int, cols: int, start: Square, end: Square) -> Iterator[Layout]:
    """Yield layouts with a window for each end."""
    if start[1] > end[1]:
        for layout in _two_windows(rows, cols, end, start):
            yield _change_layout(layout, ReversedPiece)
        return
    sizes = _THREE if rows == 3 else _WIDE
    if rows == 3:
        heights = [(0, 3)]
    else:
        low, high = sorted((start[0], end[0]))
        heights = _intervals(rows, low, high, 5 if rows == 5 else 6, sizes)
    parity = sum(start) % 2
    for top, bottom in heights:
        height = bottom - top
        squares, width = _run_tile(height, parity)
        least = {3: 12, 5: 8}.get(height, 6)
        for left, left_end in _left_windows(start, end, least, sizes):
            most_tiles = (end[1] - left_end) // width
            for tiles in range(most_tiles, max(-1, most_tiles - 6), -1):
                right_begin = left_end + tiles * width
                for right in _right_ends(cols, right_begin, end, least, sizes):
                    hangs = (
                        _fringes(cols, left, right, (start, end))
                        if rows == 3
                        else _pinwheel(rows, cols, top, bottom, left, right, (start, end))
                    )
                    if hangs is None:
                        continue
                    run_squares = move_squares(squares, top, left_end)
                    run = Repeat(Path(run_squares), tiles, (0, width)) if tiles else None
                    for leave, enter in _joints(run, top, bottom, left_end, right_begin, parity):
                        if leave == start or enter == end:
                            continue
                        windows = [
                            Window(top, bottom, left, left_end, start, leave),
                            Window(top, bottom, right_begin, right, enter, end),
                        ]
                        if all(window.is_possible() for window in windows):
                            yield functools.partial(_put_together, windows, run, hangs)


def _run_tile(height: int, parity: int) -> tuple[tuple[Square, ...], int]:
    """Return the squares and columns of the tile that joins copies of itself and begins on a square of this parity."""
    width = (8 if parity else 4) if height == 3 else 6
    return tile("odd" if parity else "even", height, width), width


def _left_windows(start: Square, end: Square, least: int, sizes: _Sizes) -> Iterator[tuple[int, int]]:
    begins = [0] + [x for x in range(max(sizes.gap, start[1] - 16), start[1] + 1) if x % sizes.step == 0]
    for left in begins:
        for left_end in range(left + least, left + least + sizes.most - 12 + 1, 2):
            if left <= start[1] < left_end <= end[1]:
                yield left, left_end


def _right_ends(cols: int, right_begin: int, end: Square, least: int, sizes: _Sizes) -> Iterator[int]:
    rests = [0] + [x for x in range(max(sizes.gap, cols - right_begin - 26), cols - right_begin) if x % sizes.step == 0]
    for rest in rests:
        right = cols - rest
        width = right - right_begin
        # 3 x 13 has additional impossible pairs.
        if least <= width <= sizes.most + 1 and end[1] < right and (sizes is _WIDE or width not in (13, 27)):
            yield right


def _joints(
    run: Piece | None, top: int, bottom: int, left_end: int, right_begin: int, parity: int
) -> Iterator[tuple[Square, Square]]:
    """Yield the last square of the left window and the first of the right one, joined by the run or a move."""
    if run is None:
        firsts = [(r, c) for r in range(top, bottom) for c in (left_end, left_end + 1) if (r + c) % 2 == parity]
    else:
        firsts = [run.at(0)]
    for first in firsts:
        leaves = [
            (first[0] + dr, first[1] + dc)
            for dr, dc in _MOVES
            if top <= first[0] + dr < bottom and first[1] + dc < left_end
        ]
        if run is None:
            enters = [first]
        else:
            r, c = run.at(run.length - 1)
            enters = [(r + dr, c + dc) for dr, dc in _MOVES if top <= r + dr < bottom and c + dc >= right_begin]
        for leave in leaves:
            for enter in enters:
                yield leave, enter


# ---------------------------------------------------------------- layouts


def _uncut(rows: int, cols: int, start: Square, end: Square) -> Iterator[Layout]:
    """Yield layouts whose windows are along one axis."""
    one = _one_window(rows, cols, start, end)
    if one is not None:
        yield one
    yield from _two_windows(rows, cols, start, end)
    for layout in _two_windows(cols, rows, start[::-1], end[::-1]):
        yield _change_layout(layout, _transpose)


def _cut_layouts(rows: int, cols: int, start: Square, end: Square) -> Iterator[Layout]:
    """Yield layouts that cut the board below the start by an even number of rows, with a move near the end's column."""
    if start[0] > end[0]:
        for layout in _cut_layouts(rows, cols, end, start):
            yield _change_layout(layout, ReversedPiece)
        return
    first_cut = max(6, start[0] + 1 + (start[0] + 1) % 2)
    for cut in range(first_cut, min(end[0], rows - 6, first_cut + 8) + 1, 2):
        for leave, enter in _crossings(cut, cols, start, end):
            upper = next(_uncut(cut, cols, start, leave), None)
            if upper is None:
                continue
            lower = next(_uncut(rows - cut, cols, (enter[0] - cut, enter[1]), (end[0] - cut, end[1])), None)
            if lower is not None:
                yield functools.partial(_one_below_other, upper, lower, cut)


def _crossings(cut: int, cols: int, start: Square, end: Square) -> Iterator[tuple[Square, Square]]:
    """Yield moves over the cut near the end's column, from possible ends of the upper part."""
    for across in sorted(range(-8, 9), key=abs):
        for row in (cut - 1, cut - 2):
            leave = (row, end[1] + across)
            if not 0 <= leave[1] < cols or (sum(leave) - sum(start)) % 2 == 0:
                continue
            for dr, dc in _MOVES:
                enter = (leave[0] + dr, leave[1] + dc)
                if enter[0] >= cut and 0 <= enter[1] < cols and enter != end:
                    yield leave, enter


def _one_below_other(upper: Layout, lower: Layout, cut: int) -> Piece | None:
    first, second = upper(), lower()
    if first is None or second is None:
        return None
    return Chain([first, PlacedPiece(second, (cut, 0), (1, 0), (0, 1))])


def _three_rows(cols: int, start: Square, end: Square) -> Iterator[Layout]:
    if cols <= 20:
        yield Window(0, 3, 0, cols, start, end).piece
        return
    low, high = sorted((start[1], end[1]))
    for left, right in _intervals(cols, low, high, 11, _THREE):
        window = Window(0, 3, left, right, start, end)
        # 3 x 10 and 3 x 13 have additional impossible pairs.
        if right - left in (10, 13) or not window.is_possible():
            continue
        hangs = _fringes(cols, left, right, (start, end))
        if hangs is not None:
            yield functools.partial(_put_together, [window], None, hangs)
    yield from _two_windows(3, cols, start, end)
