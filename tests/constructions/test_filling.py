"""Tests of arrays of constructed tours, compared with single squares."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.random_pieces import pieces
from knightstour.core.constructions import filling
from knightstour.core.constructions.implicit import implicit_tour
from knightstour.core.constructions.pieces import Path, Piece, Repeat
from knightstour.core.constructions.runs import Run

BOARDS: list[tuple[tuple[int, int], dict[str, Any]]] = [
    ((5, 5), {}),
    ((6, 6), {"closed": True}),
    ((3, 10), {"closed": True}),
    ((31, 3), {}),
    ((3, 120), {"start": (0, 0), "end": (1, 100)}),
    ((4, 5), {}),
    ((4, 101), {"start": (0, 5), "end": (3, 61)}),
    ((100, 4), {"start": (0, 0)}),
    ((40, 42), {"closed": True}),
    ((50, 37), {"closed": True, "start": (17, 5)}),
    ((41, 43), {"start": (20, 20)}),
    ((60, 71), {"start": (7, 7), "end": (8, 7)}),
    ((71, 60), {"start": (50, 3), "end": (5, 57)}),
    ((9, 200), {"start": (3, 190), "end": (4, 10)}),
    ((200, 7), {"start": (3, 3), "end": (190, 3)}),
]


def in_plain_words(board: tuple[int, int], asked: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Return (order, numbers), square by square."""
    tour = implicit_tour(board, **asked)
    order = np.array([r * board[1] + c for r, c in map(tour.square_at, range(tour.length))])
    numbers = np.zeros(tour.length, dtype=np.int64)
    numbers[order] = np.arange(1, tour.length + 1)
    return order, numbers.reshape(board)


@pytest.mark.long
@pytest.mark.parametrize(("board", "asked"), BOARDS, ids=str)
def test_order_and_numbers_match_single_steps(board: tuple[int, int], asked: dict[str, Any]) -> None:
    tour = implicit_tour(board, **asked)
    order, numbers = in_plain_words(board, asked)
    assert np.array_equal(tour.order(), order) and np.array_equal(tour.numbers(), numbers)
    assert tour.order().dtype == tour.numbers().dtype == np.int32
    # And any rectangle of the diagram is cut out of the whole.
    rng = np.random.default_rng(7)
    for _ in range(20):
        (top, bottom), (left, right) = (np.sort(rng.integers(0, side + 1, 2)).tolist() for side in board)
        part = tour.numbers(slice(top, bottom), slice(left, right), out=np.full((bottom - top, right - left), -1))
        assert np.array_equal(part, numbers[top:bottom, left:right])
    assert np.array_equal(tour.numbers(slice(-2, None), slice(None, 3)), numbers[-2:, :3])


@given(pieces(), st.integers(-9, 9), st.integers(1, 12), st.integers(1, 12))
def test_pieces_of_any_shape_are_filled_in(piece: Piece, corner: int, height: int, width: int) -> None:
    # Not only pieces that are used: laps that leave gaps, interlock, or are nested four deep.
    squares = [piece.at(step) for step in range(piece.length)]
    out = np.full(piece.length, -1, dtype=np.int64)
    filling.fill(filling.order_pattern(piece.runs(), 1000, 1), out)
    assert out.tolist() == [1000 * r + c for r, c in squares]
    pairs = np.full(2 * piece.length, -1, dtype=object)
    filling.fill(filling.squares_pattern(piece.runs(), object), pairs)
    assert pairs.tolist() == [x for square in squares for x in square]
    top, left = piece.bounds[0] + corner, piece.bounds[2] - corner // 2
    for dtype in (np.int64, object):
        grid = np.zeros((height, width), dtype=dtype)
        pattern = filling.numbers_pattern(piece.runs(), top, top + height, left, left + width, dtype)
        filling.fill(pattern, grid.reshape(-1))
        steps = {square: step + 1 for step, square in enumerate(squares)}
        expected = [[steps.get((top + r, left + c), 0) for c in range(width)] for r in range(height)]
        assert grid.tolist() == expected


@given(st.integers(-4, 4), st.integers(-4, 4), st.integers(1, 6), st.integers(1, 6))
def test_a_clipped_run_keeps_all_laps_that_matter(down: int, right: int, count: int, size: int) -> None:
    (run,) = Repeat(Path([(0, 0), (2, 1), (1, 3)]), count, (down, right)).runs()
    inside = {(r, c, step) for r, c, step in laid_out(run) if 0 <= r < size and 0 <= c < size}
    clipped = run.clip(0, size, 0, size)
    kept = set() if clipped is None else laid_out(clipped)
    assert inside <= kept <= laid_out(run)


def laid_out(run: Run) -> set[tuple[int, int, int]]:
    """Return (row, col, step) of every square of every lap."""
    return {
        (single.row + r, single.col + c, single.begin + k)
        for single in run.unroll(list(range(len(run.laps))))
        for k, (r, c) in enumerate(zip(single.rows.tolist(), single.cols.tolist(), strict=True))
    }


@pytest.mark.parametrize(
    ("board", "asked"),
    [
        ((20000, 20000), {"closed": True}),
        ((20000, 20001), {"start": (6000, 4001), "end": (13000, 17002)}),
        ((10**9, 10**9), {"closed": True, "start": (5, 5)}),
        ((3, 10**12), {"closed": True}),
        ((10**12, 3), {"start": (0, 0), "end": (10**11, 1)}),
        ((4, 10**12), {"start": (0, 5), "end": (3, 10**11 + 1)}),
        ((10**8 + 1, 7), {}),
    ],
    ids=str,
)
def test_part_of_a_diagram_uses_few_patterns_at_any_cut(board: tuple[int, int], asked: dict[str, Any]) -> None:
    runs = list(implicit_tour(board, **asked)._piece.runs())
    for top in (0, 400, 401, board[0] // 2, board[0] - 300):
        for left in (0, 1, 3, board[1] // 2, board[1] - 3):
            corner = max(0, top), max(0, left)
            size = min(300, board[0]), min(300, board[1])
            pattern = filling.numbers_pattern(
                runs, corner[0], corner[0] + size[0], corner[1], corner[1] + size[1], np.int64
            )
            assert len(pattern.items) < 700
