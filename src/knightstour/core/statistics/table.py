"""STATISTICS: the table of statistics of tours as drawings.

Sources: G. P. Jelliss, Knight's Tour Notes, volume 1, 2019 (turns, slopes and angles); D. E. Knuth, The Art of Computer
Programming, pre-fascicle 8a, 2025 (crossings). A move passes over each square whose interior is met by the line between
the centres of its ends.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from knightstour.core.model.board import Board
from knightstour.core.model.geometry import Flat
from knightstour.core.model.grid_board import GridBoard, is_knights
from knightstour.core.model.indices import take
from knightstour.core.model.validation import one_of
from knightstour.core.statistics import bounds, shape
from knightstour.core.statistics.chosen import chosen_statistic
from knightstour.core.statistics.statistic import Size, Statistic
from knightstour.core.statistics.strokes import Strokes, total

# Selects corners by the layout of the board and the directions (drow, dcol) before and after a square.
Corner = Callable[[Flat, tuple[int, int], tuple[int, int]], bool]


def _at_corners(is_chosen: Corner) -> Callable[[Strokes], np.ndarray]:

    def count(strokes: Strokes) -> np.ndarray:
        chosen = np.zeros((len(strokes.steps), len(strokes.steps)), dtype=bool)
        for i, before in enumerate(strokes.steps):
            for k, after in enumerate(strokes.steps):
                chosen[i, k] = is_chosen(strokes.flat, before, after)
        return strokes.count_corners(chosen)

    return count


def _along(is_chosen: Callable[[int, int], bool]) -> Callable[[Strokes], np.ndarray]:
    """Count the moves of selected slopes (drow, dcol)."""

    def count(strokes: Strokes) -> np.ndarray:
        to_the_right = [(row, col) if col > 0 else (-row, -col) for row, col in strokes.steps]
        return strokes.count_moves(np.array([is_chosen(*step) for step in to_the_right]))

    return count


def _cosine(flat: Flat, before: tuple[int, int], after: tuple[int, int]) -> int:
    """Return the cosine of the angle at a square, times the lengths of both moves and 2."""
    return -flat.product(before, after)


def _angle(cosine: int) -> Callable[[Strokes], np.ndarray]:
    return _at_corners(lambda flat, before, after: _cosine(flat, before, after) == 2 * cosine)


# Rows count from the top, so a move up has a negative drow.
_SLOPES: Final = {
    "steep-up": (lambda row, col: -row > col, "more up than to the right"),
    "flat-up": (lambda row, col: 0 < -row < col, "more to the right than up"),
    "flat-down": (lambda row, col: 0 < row < col, "more to the right than down"),
    "steep-down": (lambda row, col: row > col, "more down than to the right"),
}


def _of_one_slope(strokes: Strokes) -> np.ndarray:
    return np.max([_along(is_chosen)(strokes) for is_chosen, _ in _SLOPES.values()], axis=0)


def _why_not_four_slopes(board: Board) -> str:
    short, long = (isinstance(board, GridBoard) and board.piece.leaper) or (0, 0)
    return "" if 0 < short < long else "its moves do not have four slopes"


def _why_no_knight(board: Board) -> str:
    return "" if is_knights(board) else "this is an angle of a knight's moves"


def _rings(board: Board) -> np.ndarray:
    """Return the distance from the nearest side for each square."""
    rows, cols = np.divmod(np.arange(board.rows * board.cols), board.cols)
    return np.minimum(np.minimum(rows, board.rows - 1 - rows), np.minimum(cols, board.cols - 1 - cols))


def _in_border(strokes: Strokes) -> np.ndarray:
    is_outer = take(_rings(strokes.board) < 2, strokes.squares)
    return total(is_outer[:-1] & is_outer[1:])


def _rings_apart(distance: int) -> Callable[[Strokes], np.ndarray]:
    """Count the moves between rings at a distance."""

    def count(strokes: Strokes) -> np.ndarray:
        rings = take(_rings(strokes.board).astype(np.int16), strokes.squares)
        return total(np.abs(rings[:-1] - rings[1:]) == distance)

    return count


def _sides(strokes: Strokes, axis: int) -> np.ndarray:
    """Return the side of a middle line for each visit: -1 or 1, 0 on the line."""
    board = strokes.board
    places = np.divmod(np.arange(board.rows * board.cols), board.cols)[axis]
    side = np.sign(2 * places - (board.rows, board.cols)[axis] + 1).astype(np.int8)
    return take(side, strokes.squares)


def _across(axis: int) -> Callable[[Strokes], np.ndarray]:
    """Count the moves across a middle line."""

    def count(strokes: Strokes) -> np.ndarray:
        sides = _sides(strokes, axis)
        return total(sides[:-1] * sides[1:] < 0)

    return count


def _in_quarter(strokes: Strokes) -> np.ndarray:
    rows, cols = _sides(strokes, 0), _sides(strokes, 1)
    return total((rows[:-1] * rows[1:] > 0) & (cols[:-1] * cols[1:] > 0))


def _line(
    name: str,
    summary: str,
    of: Callable[[Strokes], np.ndarray],
    why_not: Callable[[Board], str] = shape.why_no_lines,
    most: Callable[[Size], int] | None = None,
) -> Statistic:
    return Statistic(name, summary, of, why_not=why_not, is_numbered=True, most=most)


_ROWS: Final = [
    Statistic(
        "turns",
        "squares where the direction changes",
        _at_corners(lambda _, before, after: before != after),
        "corners",
        of_cells=True,
        least=bounds.least_turns,
    ),
    Statistic(
        "straight",
        "squares that are passed straight on",
        _at_corners(lambda _, before, after: before == after),
        "corners",
        of_cells=True,
        most=bounds.most_straight,
    ),
    *(
        Statistic(
            f"angle-{degrees}",
            f"squares whose two moves make an angle of {words} degrees",
            _angle(cosine),
            "corners",
            _why_no_knight,
        )
        for degrees, words, cosine in [
            (37, "36.9", 4),
            (53, "53.1", 3),
            (90, "90", 0),
            (127, "126.9", -3),
            (143, "143.1", -4),
        ]
    ),
    Statistic(
        "acute",
        "squares whose two moves make an angle below 90 degrees",
        _at_corners(lambda flat, before, after: _cosine(flat, before, after) > 0),
        "corners",
        of_cells=True,
    ),
    Statistic(
        "obtuse",
        "squares whose two moves make an angle between 90 and 180 degrees",
        _at_corners(lambda flat, before, after: _cosine(flat, before, after) < 0 and before != after),
        "corners",
        of_cells=True,
    ),
    Statistic(
        "in-one-line",
        "length of the longest run of moves in one direction",
        shape.in_one_line,
        of_cells=True,
        most=bounds.most_in_one_line,
    ),
    *(
        Statistic(
            name,
            f"moves that go {words}, in either direction of travel",
            _along(is_chosen),
            "moves",
            _why_not_four_slopes,
        )
        for name, (is_chosen, words) in _SLOPES.items()
    ),
    Statistic(
        "of-one-slope",
        "moves of the slope that most moves have",
        _of_one_slope,
        "",
        _why_not_four_slopes,
        most=lambda size: size.moves,
    ),
    Statistic("in-border", "moves between two squares of the border, which is two squares wide", _in_border, "moves"),
    Statistic("same-ring", "moves between two squares equally far from the sides", _rings_apart(0), "moves"),
    Statistic(
        "next-ring", "moves to a square that is one nearer to the sides, or one farther", _rings_apart(1), "moves"
    ),
    Statistic("across-rows", "moves from the upper half of the board to the lower, or back", _across(0), "moves"),
    Statistic("across-columns", "moves from the left half of the board to the right, or back", _across(1), "moves"),
    Statistic("in-quarter", "moves that stay in a quarter of the board", _in_quarter, "moves"),
    Statistic(
        "crossings",
        "pairs of moves that meet elsewhere than at a common end",
        shape.crossings,
        of_cells=True,
        most=bounds.most_crossings,
    ),
    Statistic(
        "uncrossed",
        "moves that no other move crosses",
        shape.count_uncrossed,
        of_cells=True,
        most=lambda size: size.moves,
    ),
    Statistic(
        "over-one-square",
        "the most moves that pass over one square",
        shape.over_one_square,
        most=bounds.most_over_one_square,
    ),
    Statistic("never-passed", "squares that no move passes over", shape.never_passed, most=lambda size: size.squares),
    Statistic(
        "area",
        "area inside the tour, in squares",
        shape.area,
        needs_closed=True,
        why_not_whole=shape.why_half_squares,
        most=bounds.most_area,
    ),
    Statistic(
        "winding",
        "number of times that the tour winds round the middle of the board",
        shape.winding,
        "",
        shape.why_no_winding,
        needs_closed=True,
        most=bounds.most_winding,
    ),
    Statistic("visits", "squares that are visited", shape.visits, most=lambda size: size.squares),
    Statistic(
        "chords",
        "moves between two visited squares that the tour does not make",
        shape.chords,
        most=bounds.most_chords,
    ),
    _line("magic-rows", "rows that have the magic sum", shape.magic_rows),
    _line("magic-columns", "columns that have the magic sum", shape.magic_columns),
    _line("magic-diagonals", "long diagonals that have the magic sum", shape.magic_diagonals, shape.why_no_diagonals),
    _line(
        "line-spread",
        "largest difference between the sums of two rows, or of two columns",
        shape.line_spread,
        most=bounds.most_line_spread,
    ),
]

STATISTICS: Final[dict[str, Statistic]] = {row.name: row for row in _ROWS}


def statistic_named(name: str) -> Statistic:
    """Return the row of STATISTICS or of chosen squares or moves. Raises ProblemError for other names.

    >>> statistic_named("turns").adds_up_over, statistic_named("inside=a1..d4").adds_up_over
    ('corners', 'moves')
    """
    if isinstance(name, str) and "=" in name:
        return chosen_statistic(name)
    return STATISTICS[one_of(name, STATISTICS, "statistic")]
