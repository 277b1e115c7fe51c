"""Tours between two given squares, on boards of all shapes: for every pair that no theorem excludes there is one."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import reference
from helpers.checks import assert_piece_is_tour, assert_sampled_tour
from knightstour.core.constructions.endpoints import Hang, Window, _intervals, _Sizes, tour_between
from knightstour.core.constructions.four_rows import _RUN, _THREAD, _THREAD_CUT, _class_of, four_row_tour, strip_path
from knightstour.core.constructions.implicit import _is_irregular
from knightstour.core.constructions.windows import window_path
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Status
from knightstour.core.proofs.theorems import rectangle_proof
from knightstour.core.search.frontier.exact import exact

Square = tuple[int, int]


def is_excluded(rows: int, cols: int, start: Square, end: Square) -> bool:
    return start == end or rectangle_proof(Problem(Board(rows, cols), False, start, end)) is not None


def pairs(rows: int, cols: int) -> Iterator[tuple[Square, Square]]:
    """All pairs that no theorem excludes, without most of those that are mirror images of others."""
    squares = [(r, c) for r in range(rows) for c in range(cols)]
    for start in squares:
        if 2 * start[0] < rows + 1 and 2 * start[1] < cols + 1:
            for end in squares:
                if not is_excluded(rows, cols, start, end):
                    yield start, end


def assert_tour_between(rows: int, cols: int, start: Square, end: Square) -> None:
    piece = tour_between(rows, cols, start, end)
    assert piece is not None, (rows, cols, start, end)
    if rows * cols <= 40_000:
        assert_piece_is_tour(piece, rows, cols, start=start, end=end)
    else:
        assert_sampled_tour(piece, rows, cols, start=start, end=end, samples=30)


# ---------------------------------------------------------------- random questions


def sides(most: int) -> st.SearchStrategy[int]:
    return st.one_of(st.integers(3, 8), st.integers(3, 40), st.integers(3, most))


@st.composite
def questions(draw: st.DrawFn, short: int, long: int) -> tuple[int, int, Square, Square]:
    """A board that is long enough to follow the rules, and two squares: near each other, near sides, or anywhere."""
    rows, cols = draw(sides(short)), draw(sides(long))
    if _is_irregular(rows, cols):
        cols += 14
    start = (draw(near_sides(rows)), draw(near_sides(cols)))
    if draw(st.booleans()):
        end = (draw(near_sides(rows)), draw(near_sides(cols)))
    else:
        end = tuple(
            min(size - 1, max(0, place + draw(st.integers(-20, 20))))
            for size, place in zip((rows, cols), start, strict=True)
        )
    # One step aside gives most ends the other colour, or the right one.
    step = draw(st.sampled_from([(0, 1), (0, -1), (1, 0), (-1, 0)]))
    for shift in ((0, 0), step):
        shifted = (end[0] + shift[0], end[1] + shift[1])
        if 0 <= shifted[0] < rows and 0 <= shifted[1] < cols and not is_excluded(rows, cols, start, shifted):
            end = shifted
            break
    if draw(st.booleans()):
        return cols, rows, start[::-1], end[::-1]
    return rows, cols, start, end


def near_sides(size: int) -> st.SearchStrategy[int]:
    return st.one_of(
        st.integers(0, size - 1), st.integers(0, min(size - 1, 15)), st.integers(max(0, size - 16), size - 1)
    )


@given(questions(40, 2000) | questions(10**100, 10**100))
def test_random_pairs_on_boards_of_all_shapes_and_on_giant_ones(question: tuple[int, int, Square, Square]) -> None:
    if not is_excluded(*question):
        assert_tour_between(*question)


@pytest.mark.long
@pytest.mark.parametrize("rows", [3, 4, 5, 6, 7, 8, 10**9 + 1])
def test_corners_of_boards_that_are_very_long(rows: int) -> None:
    for cols in range(10**12, 10**12 + 24):
        corners = [(r, c) for r in (0, rows - 1) for c in (0, cols - 1)]
        for start in corners:
            for end in corners:
                if not is_excluded(rows, cols, start, end):
                    piece = tour_between(rows, cols, start, end)
                    assert piece is not None
                    assert_sampled_tour(piece, rows, cols, start=start, end=end, samples=2)


# ---------------------------------------------------------------- all questions


@pytest.mark.long
@pytest.mark.parametrize(("rows", "cols"), [(3, 14), (4, 15), (5, 7), (5, 8), (6, 6), (7, 8)])
def test_every_pair_of_small_boards(rows: int, cols: int) -> None:
    for start, end in pairs(rows, cols):
        assert_tour_between(rows, cols, start, end)


@pytest.mark.parametrize("size", [(15, 15), (16, 15), (9, 31), (5, 16), (5, 44), (3, 21), (3, 24), (3, 97), (27, 26)])
def test_pairs_sampled_from_boards_that_are_cut_up(size: tuple[int, int]) -> None:
    rng = random.Random(f"{size}")
    rows, cols = size
    for _ in range(40):
        start = (rng.randrange(rows), rng.randrange(cols))
        end = (rng.randrange(rows), rng.randrange(cols))
        if not is_excluded(rows, cols, start, end):
            assert_tour_between(rows, cols, start, end)


@pytest.mark.slow
@pytest.mark.parametrize("rows", range(3, 17))
def test_every_pair_of_every_board_to_16x16(rows: int) -> None:
    for cols in range(rows, 17):
        if not _is_irregular(rows, cols):
            for start, end in pairs(rows, cols):
                assert_tour_between(rows, cols, start, end)


@pytest.mark.slow
@pytest.mark.parametrize("rows", [3, 4, 5])
def test_every_pair_of_thin_boards_to_40_columns(rows: int) -> None:
    for cols in range(14, 41):
        for start, end in pairs(rows, cols):
            assert_tour_between(rows, cols, start, end)


# ---------------------------------------------------------------- the parts


@pytest.mark.parametrize(("rows", "cols"), [(5, 7), (6, 6), (6, 9), (8, 8), (3, 12)])
def test_a_block_hangs_on_any_corner_of_a_window_that_is_no_end(rows: int, cols: int) -> None:
    rng = random.Random(rows * cols)
    moves = reference.adjacency(reference.Spec(rows + 40, cols + 40))
    corners = {
        (0, 0): [((-1, 0), (0, 1)), ((0, -1), (1, 0))],
        (0, cols - 1): [((-1, 0), (0, -1)), ((0, 1), (1, 0))],
        (rows - 1, 0): [((1, 0), (0, 1)), ((0, -1), (-1, 0))],
        (rows - 1, cols - 1): [((1, 0), (0, -1)), ((0, 1), (-1, 0))],
    }
    for corner, ways in corners.items():
        for outward, along in ways:
            if rows == 3 and outward[0]:
                continue  # fringes are for the short sides
            length, depth = (3, 8) if rows == 3 else (rows if along[0] else cols, 6)
            inside = [(r, c) for r in range(rows) for c in range(cols) if (r, c) != corner]
            start, end = rng.sample(inside, 2)
            while is_excluded(rows, cols, start, end):
                start, end = rng.sample(inside, 2)
            squares = list(window_path(rows, cols, start, end) or ())
            assert squares
            at, piece = Hang(corner, outward, along, length, depth).hung_on(squares)
            block = [piece.at(step) for step in range(piece.length)]
            walk = [(r + 20, c + 20) for r, c in [*squares[:at], *block, *squares[at:]]]
            area = {s: moves[s] for s in walk}
            assert reference.is_tour(area, walk), (corner, outward)
            assert len(walk) == rows * cols + length * depth


def test_intervals_hold_both_places_and_leave_nothing_or_whole_units_outside() -> None:
    sizes = _Sizes(step=2, gap=6, slack=8, most=14)
    for length in range(6, 40):
        for low in range(0, length, 3):
            for high in range(low, min(length, low + 12), 2):
                found = _intervals(length, low, high, 6, sizes)
                assert found == sorted(found, key=lambda x: x[1] - x[0])
                for begin, stop in found:
                    assert begin <= low <= high < stop <= length
                    assert 6 <= stop - begin <= 14
                    assert all(x == 0 or (x >= 6 and x % 2 == 0) for x in (begin, length - stop))


def test_a_window_gives_its_path_in_the_squares_of_the_board() -> None:
    window = Window(10, 16, 20, 27, (10, 20), (15, 26))
    assert window.is_possible()
    squares = window.squares()
    assert squares is not None and (squares[0], squares[-1]) == ((10, 20), (15, 26))
    assert set(squares) == {(r, c) for r in range(10, 16) for c in range(20, 27)}
    piece = window.piece()
    assert piece is not None and [piece.at(step) for step in range(42)] == squares


@pytest.mark.parametrize("end", [(12, 22), (10, 20), (13, 21)])
def test_a_window_with_ends_of_the_wrong_colour_or_equal_is_not_possible(end: Square) -> None:
    assert not Window(10, 16, 20, 27, (10, 20), end).is_possible()


@pytest.mark.parametrize(
    "asked", [{}, {"start": (2, 3)}, {"end": (4, 1)}, {"start": (0, 0), "end": (0, 1)}, {"closed": True}]
)
def test_a_window_path_has_the_ends_asked_for_and_is_always_the_same(asked: dict[str, Any]) -> None:
    question = {"start": None, "end": None, **asked}
    path = window_path(6, 7, **question)
    assert path is not None and path == window_path.__wrapped__(6, 7, **question)
    assert reference.is_tour(reference.adjacency(reference.Spec(6, 7)), list(path), **asked)


def test_a_window_without_a_path_is_given_up() -> None:
    assert window_path(1, 1, None, None) == ((0, 0),)
    for size in ((2, 2), (3, 3), (1, 5), (3, 5), (4, 4)):
        assert window_path(*size, None, None, patience=20) is None
    assert window_path(5, 6, (0, 0), (0, 2), patience=20) is None


# ---------------------------------------------------------------- four rows


def outer_pairs(cols: int) -> list[tuple[Square, Square]]:
    """All pairs of outer squares of unlike colour, those that are mirror images of others left out."""
    outer = [(r, c) for r in (0, 3) for c in range(cols)]
    return [
        (a, b) for a in outer for b in outer if sum(a) % 2 != sum(b) % 2 and a < b and a[0] == 0 and 2 * a[1] < cols
    ]


def strip(cols: int) -> reference.Adjacency:
    """The class strip: outer (0, c) and inner (1, c'), joined where the columns differ by 1 or 2."""
    return {(v, c): {(1 - v, c + d) for d in (-2, -1, 1, 2) if 0 <= c + d < cols} for v in (0, 1) for c in range(cols)}


@pytest.mark.parametrize("cols", range(1, 12))
def test_a_class_is_a_strip(cols: int) -> None:
    moves = reference.adjacency(reference.Spec(4, cols))
    for square, near in moves.items():
        inner, col = square[0] in (1, 2), square[1]
        mine = {(int(s[0] in (1, 2)), s[1]) for s in near if _class_of(s) == _class_of(square)}
        assert mine == strip(cols)[int(inner), col]
        # Moves to the other class go from inner to inner squares, two columns on.
        others = [s for s in near if _class_of(s) != _class_of(square)]
        assert all(inner and s[0] in (1, 2) and abs(s[1] - col) == 2 for s in others)


def test_the_tiles_are_paths_of_the_strip_that_join_their_copies() -> None:
    assert reference.is_tour(strip(3), list(_THREAD)) and reference.is_tour(strip(3), list(_RUN))
    far = strip(6)
    assert (0, 3) in far[_RUN[-1]]
    # The next thread goes from (0, 3) to (1, 4), or back, between the two squares at the cut.
    before, after = _THREAD[_THREAD_CUT - 1], _THREAD[_THREAD_CUT]
    assert {(0, 3), (1, 4)} <= far[before] | far[after]
    assert ((1, 4) in far[before] and (0, 3) in far[after]) or ((0, 3) in far[before] and (1, 4) in far[after])


@pytest.mark.parametrize(
    "cols", [*range(7, 20), *(pytest.param(cols, marks=pytest.mark.slow) for cols in range(20, 61))]
)
def test_every_pair_of_outer_squares_of_unlike_colour_has_a_tour(cols: int) -> None:
    for start, end in outer_pairs(cols):
        piece = four_row_tour(cols, start, end)
        assert piece is not None, (cols, start, end)
        assert_piece_is_tour(piece, 4, cols, start=start, end=end)


@pytest.mark.parametrize("cols", [3, 4, 5, 6])
def test_on_small_boards_what_is_found_is_a_tour_and_where_none_is_found_there_is_none(cols: int) -> None:
    for start, end in outer_pairs(cols):
        piece = four_row_tour(cols, start, end)
        if piece is not None:
            assert_piece_is_tour(piece, 4, cols, start=start, end=end)
        else:
            outcome = exact(Problem(Board(4, cols), False, start, end), Budget(), 0)
            assert outcome.status is Status.IMPOSSIBLE, (cols, start, end)


@pytest.mark.parametrize(
    ("start", "end"), [((1, 0), (0, 0)), ((0, 0), (2, 3)), ((0, 0), (0, 2)), ((0, 1), (3, 0)), ((1, 1), (2, 5))]
)
def test_no_tour_is_made_from_an_inner_square_or_between_squares_of_one_colour(start: Square, end: Square) -> None:
    assert four_row_tour(30, start, end) is None


def columns(cols: int) -> st.SearchStrategy[int]:
    return st.one_of(
        st.integers(0, min(40, cols - 1)), st.integers(0, cols - 1), st.integers(max(0, cols - 40), cols - 1)
    )


@st.composite
def four_row_questions(draw: st.DrawFn, most: int) -> tuple[int, Square, Square]:
    cols = draw(st.one_of(st.integers(7, 60), st.integers(7, most)))
    start = (draw(st.sampled_from([0, 3])), draw(columns(cols)))
    other = draw(columns(cols))
    # The end's row is the one that gives it the other colour.
    end = next((r, other) for r in (0, 3) if (r + other) % 2 != sum(start) % 2)
    return cols, start, end


@given(four_row_questions(2000))
def test_random_pairs_on_long_boards(question: tuple[int, Square, Square]) -> None:
    cols, start, end = question
    piece = four_row_tour(cols, start, end)
    assert piece is not None
    assert_piece_is_tour(piece, 4, cols, start=start, end=end)


@given(four_row_questions(10**100))
def test_random_pairs_of_giant_boards_of_four_rows(question: tuple[int, Square, Square]) -> None:
    cols, start, end = question
    piece = four_row_tour(cols, start, end)
    assert piece is not None
    assert_sampled_tour(piece, 4, cols, start=start, end=end, samples=30)


@pytest.mark.parametrize("width", range(1, 7))
def test_a_window_is_found_just_where_the_strip_has_a_path(width: int) -> None:
    adjacent = strip(width)
    for a in range(width):
        for x in range(width):
            path = strip_path(width, (0, a), (1, x))
            if path is not None:
                assert reference.is_tour(adjacent, list(path), start=(0, a), end=(1, x))
            else:
                assert not reference.has_tour(adjacent, start=(0, a), end=(1, x))
