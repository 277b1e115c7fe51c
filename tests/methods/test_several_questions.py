"""Tests of many requests to a constructed tour at once: equal to single requests, at any size."""

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.random_pieces import pieces
from knightstour.core.constructions.implicit import implicit_tour
from knightstour.core.constructions.pieces import Piece
from knightstour.core.machine import memory
from knightstour.core.model.errors import BoardError

GIANTS: list[tuple[tuple[int, int], dict[str, Any]]] = [
    ((10**9, 10**9), {"closed": True}),
    ((10**9, 10**9), {"start": (5 * 10**8, 3), "end": (8, 8 * 10**8)}),
    ((10**9 + 1, 10**9 + 1), {}),
    ((3, 10**12), {"closed": True}),
    ((10**12 + 1, 3), {"start": (0, 0), "end": (10**12, 2)}),
    ((4, 10**12), {"start": (0, 5), "end": (3, 10**11 + 1)}),
    ((7, 10**15), {"closed": True, "start": (3, 10**14)}),
    ((10**10, 10**10), {"closed": True}),
    ((10**40, 12), {"start": (10**39, 0), "end": (10**38, 1)}),
    ((10**100, 10**100), {"closed": True}),
]


@given(pieces(), st.data())
def test_slice_of_a_piece_is_the_piece_between_two_steps(piece: Piece, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, piece.length - 1))
    stop = data.draw(st.integers(start + 1, piece.length))
    part = piece.part(start, stop)
    assert part.length == stop - start
    assert [part.at(k) for k in range(part.length)] == [piece.at(step) for step in range(start, stop)]
    assert all(part.rank(piece.at(step)) == step - start for step in range(start, stop))


@pytest.mark.parametrize(("board", "asked"), GIANTS, ids=str)
def test_windows_and_rectangles_of_giants_are_exact(board: tuple[int, int], asked: dict[str, Any]) -> None:
    tour = implicit_tour(board, **asked)
    rng = random.Random(4)
    for start in (0, tour.length - 300, rng.randrange(tour.length - 300)):
        window = tour.window(start, start + 300)
        assert [tuple(square) for square in window.tolist()] == [tour.square_at(start + k) for k in range(300)]
    for _ in range(3):
        top, left = (rng.choice([0, max(0, side - 9), rng.randrange(side)]) for side in board)
        numbers = tour.numbers(slice(top, top + 9), slice(left, left + 11))
        assert numbers.shape == (min(9, board[0] - top), min(11, board[1] - left))
        for (r, c), number in np.ndenumerate(numbers):
            assert number == tour.index_of((top + r, left + c)) + 1


def test_all_windows_of_a_board_together_are_its_tour() -> None:
    tour = implicit_tour((30, 31), start=(3, 4), end=(20, 8))
    squares = [tour.square_at(step) for step in range(tour.length)]
    assert list(tour) == squares
    assert tour.window(7, 7).shape == (0, 2)


def test_arrays_given_are_written_into() -> None:
    tour = implicit_tour((8, 9), closed=True)
    for dtype in (np.int32, np.int64):
        numbers = np.empty((2, 9), dtype=dtype)
        assert tour.numbers(slice(3, 5), out=numbers) is numbers
        assert np.array_equal(numbers, tour.numbers()[3:5])


@pytest.mark.parametrize(
    ("question", "error"),
    [
        (lambda tour: tour.window(5, 73), IndexError),
        (lambda tour: tour.window(6, 5), IndexError),
        (lambda tour: tour.numbers(slice(0, 8, 2)), BoardError),
        (lambda tour: tour.numbers(out=np.empty((9, 8), dtype=np.int32)), BoardError),
        (lambda tour: tour.numbers(out=np.empty((8, 9), dtype=np.int8)), BoardError),
        (lambda tour: tour.numbers(out=np.empty((8, 18), dtype=np.int64)[:, ::2]), BoardError),
    ],
)
def test_rejects_invalid_arguments(question: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        question(implicit_tour((8, 9)))


def test_rejects_arrays_beyond_memory_with_their_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 10**9)
    tour = implicit_tour((10**5, 10**5))
    for question in (tour.order, tour.numbers, lambda: tour.window(0, tour.length)):
        with pytest.raises(BoardError, match=r"needs (80|160) GB of memory") as caught:
            question()
        assert caught.value.note == "1 GB is available"
        assert "window(start, stop)" in caught.value.help
    with pytest.raises(BoardError, match=r"needs 4\.?0?e\+201 bytes"):
        implicit_tour((10**100, 10**100)).numbers()
