"""How large boards are laid with lines that fold along the diagonals: for few crossings.

Seen from the corner where rows and columns begin, lines come in from the left border, two columns for one row; where
they meet the diagonal they fold back and leave through the top border, two rows for one column. So every border has
the steep lines for which it is cheap. Each corner is laid like this, as seen when the board is turned. So one half of
the lines of a border goes to one corner and the other half to the other; those of the middle fold where the two halves
meet, and come back. On a board that is wider than high there are lines from the bottom to the top in between.

Where lines fold nothing crosses: each step leads to the next diagonal (or column, or row), and between two of these
all moves are parallel. What crosses:

- Borders. A line is joined to the third one from it, with 1 crossing a square. Lines with this at both ends would be
  loops. So at one end of those that come back, and of those between bottom and top, it is the fifth line, on the other
  side, with 2 crossings a square.
- Diagonals. The corners lack moves at light squares or at dark ones, by turns, and a chain of moves along the diagonal
  makes up for it. Of all patterns of three squares beside each other, with a period of 3 or 6, those that do have
  at least 4 crossings in 6 rows; this one leaves no loop.
- The corners, and the places where a border changes: small patterns, the best of their size by a complete search.
- The centre, where the diagonals meet, which is left free; where the board is wider there are two. All ways end there.

For an even number of rows, no more than columns, that makes 2 (rows + cols) at the borders, rows + (cols - rows) more
where they are dearer, and 4 rows / 3 on the diagonals: 10/3 rows + 3 cols, or 19n/3 on n x n.

With an odd number of rows the two centres lack moves at squares of different colours. To carry them over costs 4
crossings in 3 columns, by a complete search five rows deep, and the patterns that do it leave loops; so only boards a
little wider than high are laid, whose centres are one.

Source: N. Mamano, 2026, with 19n/3 + 142 on n x n for even n >= 96: the lines that fold and the chains.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final, NamedTuple

from knightstour.core.model.board import Board
from knightstour.lab.objectives.laying import KNIGHT, Place, Step, pattern, steps_within

LEAST_SIDE: Final = 48
# Half the side of the centre, less a half; and how deep the patterns are, the inside beginning behind them.
_CENTRE, _DEPTH = 5, 6
# How many rows later the dearer border begins than those lines which come back.
_LATE = 1
# With an odd number of rows, how many more columns there may be, as the two centres and all between are left free; and
# what each of them costs more.
_ODD_MORE, _ODD_COST = 15, 3
# Crossings of the patterns and the centre, beyond those of the borders and the diagonals: 89 to 121 were measured.
_MORE = 98

_IN, _OUT = (1, 2), (-2, -1)
_CORNER = pattern(
    "01 01 03 01 03 01",
    "17 01 47 14 14 14",
    "01 05 15 14 15 12",
    "01 05 45 14 15 15",
    "01 05 04 45 56 15",
    "01 05 04 04 45 15",
)
# Where the cheap border becomes the dear one, and where that ends because lines fold; the first row, from that place.
_CHANGE_FROM, _CHANGE = (
    0,
    pattern("01 25 04 04 04", "01 25 04 01 04", "06 05 14 01 04", "06 25 34 04 05", "07 02 04 05 05", "06 02 04 04 04"),
)
_FOLD_FROM, _FOLD = -3, pattern("06 02 04", "16 02 04", "06 02 03", "67 25 34", "67 27 37", "67 27 37")
# For each column, modulo 6: its square on the diagonal, the one below it, and the one below that.
_CHAIN = pattern("15 45 45", "15 45 04", "15 05 04", "15 45 04", "45 45 04", "15 14 04")


class _Frame(NamedTuple):
    """The board as seen from another corner: there (row, col) is the place origin + row * down + col * on."""

    origin: Place
    down: Step
    on: Step

    def place(self, row: int, col: int) -> Place:
        step = self.step((row, col))
        return self.origin[0] + step[0], self.origin[1] + step[1]

    def step(self, step: Step) -> Step:
        return step[0] * self.down[0] + step[1] * self.on[0], step[0] * self.down[1] + step[1] * self.on[1]

    def seen_step(self, step: Step) -> Step:
        return step[0] * self.down[0] + step[1] * self.down[1], step[0] * self.on[0] + step[1] * self.on[1]

    def seen(self, place: Place) -> Place:
        return self.seen_step((place[0] - self.origin[0], place[1] - self.origin[1]))


def is_laid(board: Board) -> bool:
    """Whether there are such lines on a board."""
    more = board.cols - board.rows
    return board.rows >= LEAST_SIDE and more >= 0 and (board.rows % 2 == 0 or (more % 2 == 1 and more <= _ODD_MORE))


class Folded:
    """The lines of a board for which `is_laid` holds. crossings: about how many a tour will have."""

    def __init__(self, board: Board) -> None:
        self.board = board
        rows, cols = board.rows, board.cols
        self._half = half = rows // 2
        self.crossings = 10 * rows / 3 + 3 * cols + _MORE + rows % 2 * _ODD_COST * (cols - rows)
        # The corners in turn, from the first row to the last column and on.
        self._corners = (
            _Frame((0, 0), (1, 0), (0, 1)),
            _Frame((0, cols - 1), (0, -1), (1, 0)),
            _Frame((rows - 1, cols - 1), (-1, 0), (0, -1)),
            _Frame((rows - 1, 0), (0, 1), (-1, 0)),
        )
        # How far the lines that leave a corner reach along their border.
        self._reach = (cols - half, rows - half, cols - half, rows - half)
        # Borders as the left one: those of the first three corners, and the last row, seen in a mirror.
        mirrored = _Frame((rows - 1, 2 * half), (0, -1), (-1, 0))
        quarter = rows // 4 - _LATE
        dear = half - quarter
        self._borders = (
            *((frame, dear) for frame in self._corners[:3]),
            # With an odd number of rows the lines between bottom and top are joined otherwise by the cheap border.
            (mirrored, 2 * half - ((half if rows % 2 else cols - half) + quarter)),
        )

    @cached_property
    def free(self) -> list[Place]:
        """The squares round the places where diagonals meet; with an odd number of rows, those between as well."""
        first, end = self._half - _CENTRE, self._half + _CENTRE + 1
        rows, cols = self.board.rows, self.board.cols
        span = range(first, cols - first if rows % 2 else end)
        places = {(row, col) for row in range(first, end) for col in span}
        return sorted(places | {(rows - 1 - row, cols - 1 - col) for row, col in places})

    def moves_at(self, row: int, col: int) -> tuple[Step, Step]:
        known = self._patterns.get((row, col))
        if known is not None:
            return known
        for frame, dear in self._borders:
            along, depth = frame.seen((row, col))
            if depth < 2:
                ahead = 1 if along < self._half else -1
                aside = -2 * ahead if dear <= along < self._half else 2 * ahead
                back = (aside, 1) if depth == 0 else (-aside, -1)
                return frame.step((ahead, 2)), frame.step(back)
        flow = self._flow(row, col)
        for step in (flow, *KNIGHT):
            if self._flow(row - step[0], col - step[1]) == step:
                return flow, (-step[0], -step[1])
        raise AssertionError("no line leads to this square")

    def straight_on(self, row: int, col: int, going: Step) -> int:
        half, rows = self._half, self.board.rows
        corner = self._corner_of(row, col)
        if corner is None:
            if going[0] * _OUT[1] != going[1] * _OUT[0]:
                return 0
            return steps_within([(-1, 0, half - rows - _DEPTH), (1, 0, rows - 1 - _DEPTH)], (row, col), going)
        frame = self._corners[corner]
        place, step = frame.seen((row, col)), frame.seen_step(going)
        if place[0] - place[1] >= 2:
            line, inside = _IN, [(-1, 1, -3), (0, -1, -_DEPTH), (1, 0, half - 1), (0, 1, half - _CENTRE - 2)]
        else:
            line = _OUT
            inside = [(1, -1, -1), (-1, 0, -_DEPTH), (1, 0, half - _CENTRE - 2), (0, 1, self._reach[corner] - 2)]
        return steps_within(inside, place, step) if step[0] * line[1] == step[1] * line[0] else 0

    def _corner_of(self, row: int, col: int) -> int | None:
        """Which corner's lines a square belongs to; None: those between the bottom and the top, in the lower half."""
        half, (rows, cols) = self._half, (self.board.rows, self.board.cols)
        if row < half or (row < rows - half and col >= half):
            return 0 if col < cols - half else 1
        if col < half:
            return 3
        # The lines keep 2 col - row. Those that come back from the bottom have less than those between.
        line = 2 * col - row
        return None if half <= line < 2 * (cols - half) - (rows - half) else 2

    def _flow(self, row: int, col: int) -> Step:
        """The step by which the line through a square leaves it, when it comes in as the first corner's lines do."""
        corner = self._corner_of(row, col)
        if corner is None:
            return _OUT
        frame = self._corners[corner]
        down, on = frame.seen((row, col))
        return frame.step(_IN if down - on >= 2 else _OUT)

    @cached_property
    def _patterns(self) -> dict[Place, tuple[Step, Step]]:
        found: dict[Place, tuple[Step, Step]] = {}

        def put(frame: _Frame, row: int, col: int, moves: tuple[Step, Step]) -> None:
            found[frame.place(row, col)] = frame.step(moves[0]), frame.step(moves[1])

        for frame in self._corners:
            for col in range(self._half):
                for j, moves in enumerate(_CHAIN[col % len(_CHAIN)]):
                    put(frame, col + j, col, moves)
            for row, pairs in enumerate(_CORNER):
                for col, moves in enumerate(pairs):
                    put(frame, row, col, moves)
        for frame, dear in self._borders:
            for first, table in ((dear + _CHANGE_FROM, _CHANGE), (self._half + _FOLD_FROM, _FOLD)):
                for row, pairs in enumerate(table, first):
                    for col, moves in enumerate(pairs):
                        put(frame, row, col, moves)
        return found
