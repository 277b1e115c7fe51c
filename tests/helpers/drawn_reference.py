"""Independent statistics of tours as drawings, from their definitions, with exact fractions.

A tour is a list of squares `(row, col)`; its moves are the segments between their centres.
"""

import cmath
import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, pairwise

from helpers.reference import Square, crossings, do_cross, turns

Segment = tuple[Square, Square]


def segments(squares: list[Square], closed: bool) -> list[Segment]:
    """Return the moves of a tour."""
    return list(pairwise([*squares, squares[0]] if closed else squares))


def corners(squares: list[Square], closed: bool) -> list[tuple[Square, Square, Square]]:
    """Return each square with its neighbours on the tour."""
    around = [squares[-1], *squares, squares[0]] if closed else squares
    return list(zip(around, around[1:], around[2:], strict=False))


def degrees(a: Square, b: Square, c: Square) -> float:
    """Return the angle at b, 0 to 180."""
    one, other = complex(a[0] - b[0], a[1] - b[1]), complex(c[0] - b[0], c[1] - b[1])
    return abs(math.degrees(cmath.phase(one / other)))


def angles(least: float, most: float) -> Callable[[list[Square], bool, tuple[int, int]], int]:
    """Count the angles from `least` to `most` degrees."""
    return lambda squares, closed, size: sum(least <= degrees(*corner) <= most for corner in corners(squares, closed))


def slope(segment: Segment) -> Fraction:
    """Return the slope of a move, upwards to the right."""
    (r0, c0), (r1, c1) = segment
    return Fraction(r0 - r1, c1 - c0)


def slopes(least: float, most: float) -> Callable[[list[Square], bool, tuple[int, int]], int]:
    """Count the moves with a slope in this range."""
    return lambda squares, closed, size: sum(least < slope(s) < most for s in segments(squares, closed))


def in_one_line(squares: list[Square], closed: bool, size: tuple[int, int]) -> int:
    """Return the maximum number of consecutive moves in one direction."""
    moves = [(b[0] - a[0], b[1] - a[1]) for a, b in segments(squares, closed)]
    best = 0
    for first in range(len(moves)):
        run = 1
        while run < len(moves) and (closed or first + run < len(moves)):
            if moves[(first + run) % len(moves)] != moves[first]:
                break
            run += 1
        best = max(best, run)
    return best


def uncrossed(squares: list[Square], closed: bool, size: tuple[int, int]) -> int:
    """Count the moves without crossings."""
    moves = segments(squares, closed)
    crossed = {move for one, other in combinations(moves, 2) if do_cross(*one, *other) for move in (one, other)}
    return len(moves) - len(crossed)


def in_border(squares: list[Square], closed: bool, size: tuple[int, int]) -> int:
    """Count the moves with both ends in the two outermost rings."""
    inner = {(r, c) for r in range(2, size[0] - 2) for c in range(2, size[1] - 2)}
    return sum(not set(segment) & inner for segment in segments(squares, closed))


def ring(square: Square, size: tuple[int, int]) -> int:
    """Return the ring of a square, by removing outermost rings."""
    depth = 0
    while square[0] not in (depth, size[0] - 1 - depth) and square[1] not in (depth, size[1] - 1 - depth):
        depth += 1
    return depth


def rings_apart(distance: int) -> Callable[[list[Square], bool, tuple[int, int]], int]:
    """Count the moves between rings at a distance."""
    return lambda squares, closed, size: sum(
        abs(ring(a, size) - ring(b, size)) == distance for a, b in segments(squares, closed)
    )


def in_quarter(squares: list[Square], closed: bool, size: tuple[int, int]) -> int:
    """Count the moves within one quarter; middle rows and columns of odd boards are in none."""
    rows, cols = size
    quarters = [
        {(r, c) for r in rs for c in cs}
        for rs in (range(rows // 2), range(rows - rows // 2, rows))
        for cs in (range(cols // 2), range(cols - cols // 2, cols))
    ]
    return sum(any(set(segment) <= quarter for quarter in quarters) for segment in segments(squares, closed))


def across(axis: int) -> Callable[[list[Square], bool, tuple[int, int]], int]:
    """Count the moves over a middle line."""

    def count(squares: list[Square], closed: bool, size: tuple[int, int]) -> int:
        middle = Fraction(size[axis] - 1, 2)
        return sum(min(a[axis], b[axis]) < middle < max(a[axis], b[axis]) for a, b in segments(squares, closed))

    return count


def passed(squares: list[Square], closed: bool) -> list[Square]:
    """Return the squares that the moves pass over, by many points on each."""
    found = []
    for a, b in segments(squares, closed):
        over = set()
        for k in range(1, 37):
            t = Fraction(k, 37)
            point = [a[i] + t * (b[i] - a[i]) + Fraction(1, 2) for i in range(2)]
            # A point on the side of a square is inside of none.
            if all(x.denominator != 1 for x in point):
                over.add((math.floor(point[0]), math.floor(point[1])))
        found += sorted(over - {a, b})
    return found


def over_one_square(squares: list[Square], closed: bool, size: tuple[int, int]) -> int:
    """Return the maximum number of passes over a square that is not a hole."""
    over = passed(squares, closed)
    return max(over.count(square) for square in squares)


def never_passed(squares: list[Square], closed: bool, size: tuple[int, int]) -> int:
    """Count the squares without a pass."""
    return len(set(squares) - set(passed(squares, closed)))


def area(squares: list[Square], closed: bool, size: tuple[int, int]) -> Fraction:
    """Return the sum of the winding numbers of all points, by trapezoids below the moves."""
    return abs(sum((Fraction((b[1] - a[1]) * (a[0] + b[0]), 2) for a, b in segments(squares, closed)), Fraction(0)))


def winding(squares: list[Square], closed: bool, size: tuple[int, int]) -> int:
    """Return the winding number around the middle."""
    row, col = Fraction(size[0] - 1, 2), Fraction(size[1] - 1, 2)
    total = 0
    for a, b in segments(squares, closed):
        if (a[0] < row) != (b[0] < row):
            at = a[1] + (row - a[0]) / (b[0] - a[0]) * (b[1] - a[1])
            total += (at > col) * (1 if b[0] > a[0] else -1)
    return abs(total)


def _of_one_slope(squares: list[Square], closed: bool, size: tuple[int, int]) -> int:
    return max(DRAWN[name](squares, closed, size) for name in ("steep-up", "flat-up", "flat-down", "steep-down"))


def chords(squares: list[Square], closed: bool, size: tuple[int, int]) -> int:
    """Count the unused moves between visited squares."""

    def apart(a: Square, b: Square) -> list[int]:
        return sorted((abs(a[0] - b[0]), abs(a[1] - b[1])))

    made = segments(squares, closed)
    leaps = [apart(*move) for move in made]
    return sum(apart(a, b) in leaps for a, b in combinations(squares, 2)) - len(made)


def lines(squares: list[Square], size: tuple[int, int]) -> list[list[list[int]]]:
    """Return the numbers in each row, in each column, and on both diagonals."""
    number = {square: k for k, square in enumerate(squares, 1)}
    rows = [[number.get((r, c), 0) for c in range(size[1])] for r in range(size[0])]
    columns = [list(column) for column in zip(*rows, strict=True)]
    both = [[row[k] for k, row in enumerate(each)] for each in (rows, rows[::-1])] if size[0] == size[1] else []
    return [rows, columns, both]


def magic(kind: int) -> Callable[[list[Square], bool, tuple[int, int]], int]:
    """Count the rows (0), columns (1) or diagonals (2) with the mean of all numbers."""
    mean = Fraction(1, 2)
    return lambda squares, closed, size: sum(
        Fraction(sum(line), len(line)) == mean * (len(squares) + 1) for line in lines(squares, size)[kind]
    )


def line_spread(squares: list[Square], closed: bool, size: tuple[int, int]) -> int:
    """Return the maximum difference of the sums of two rows, or of two columns."""
    kinds = [list(map(sum, kind)) for kind in lines(squares, size)[:2]]
    return max(max(sums) - min(sums) for sums in kinds)


DRAWN: dict[str, Callable[[list[Square], bool, tuple[int, int]], int]] = {
    "turns": lambda squares, closed, size: turns(squares, closed),
    "straight": angles(179, 180),
    "angle-37": angles(36, 38),
    "angle-53": angles(52, 54),
    "angle-90": angles(89.9, 90.1),
    "angle-127": angles(126, 128),
    "angle-143": angles(142, 144),
    "acute": angles(0, 89.9),
    "obtuse": angles(90.1, 179),
    "in-one-line": in_one_line,
    "steep-up": slopes(1, math.inf),
    "flat-up": slopes(0, 1),
    "flat-down": slopes(-1, 0),
    "steep-down": slopes(-math.inf, -1),
    "of-one-slope": _of_one_slope,
    "in-border": in_border,
    "same-ring": rings_apart(0),
    "next-ring": rings_apart(1),
    "across-rows": across(0),
    "across-columns": across(1),
    "in-quarter": in_quarter,
    "crossings": lambda squares, closed, size: crossings(squares, closed),
    "uncrossed": uncrossed,
    "over-one-square": over_one_square,
    "never-passed": never_passed,
    "area": area,
    "winding": winding,
    "visits": lambda squares, closed, size: len(set(squares)),
    "chords": chords,
    "magic-rows": magic(0),
    "magic-columns": magic(1),
    "magic-diagonals": magic(2),
    "line-spread": line_spread,
}
