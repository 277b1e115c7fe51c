"""What callers give to public functions: bad input of any kind is one of our errors, never a raw one of Python's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import knightstour as kt
from knightstour import given
from knightstour.errors import BoardError, FormatError, InvalidTour, KnightsTourError, ProblemError

TOUR = kt.Tour.from_numbers([[1, 4, 7, 10], [12, 9, 2, 5], [3, 6, 11, 8]])
# Of every kind there is, and hardly any of it fits anywhere.
BAD: list[Any] = [
    *(None, 5, -1, 0, 10**30, 1.5, float("nan"), float("inf"), True, np.True_, np.int64(2)),
    *("x", "", "yes", "a1", b"x", "\0"),
    *([], {}, (1,), [None], (None, None), ("a1", "b2"), {1}, [[1, 2], [3]]),
    *(np.array([1.5]), np.array(3), np.array([[1, 2], [3, 4]]), object(), ..., print, TOUR, kt.Board(3, 4)),
]
BOARD = kt.Board(8, 8)
PUBLIC = {
    "Board rows": lambda bad: kt.Board(bad, 4),
    "Board holes": lambda bad: kt.Board(4, 4, holes=bad),
    "Board wrap": lambda bad: kt.Board(4, 4, wrap=bad),
    "Board leaper": lambda bad: kt.Board(4, 4, leaper=bad),
    "Board.of": kt.Board.of,
    "Board.from_text": kt.Board.from_text,
    "Board.from_file": kt.Board.from_file,
    "Board.from_graph": kt.Board.from_graph,
    "Board.square": BOARD.square,
    "Board.square of a graph": kt.Board.from_graph([[1], [0]]).square,
    "Board.name": BOARD.name,
    "in Board": BOARD.__contains__,
    "move_graph": kt.move_graph,
    "Tour board": lambda bad: kt.Tour(bad, TOUR.squares),
    "Tour squares": lambda bad: kt.Tour((3, 4), bad),
    "Tour.from_order": lambda bad: kt.Tour.from_order((3, 4), bad),
    "Tour.from_numbers": kt.Tour.from_numbers,
    "Tour.from_numbers board": lambda bad: kt.Tour.from_numbers(TOUR.numbers, board=bad),
    "Tour.rotated": TOUR.rotated,
    "Tour.reflected": TOUR.reflected,
    "Tour.shifted": lambda bad: kt.find_tour((5, 6), closed=True).shifted(bad),
    "Problem.of closed": lambda bad: kt.Problem.of((6, 6), closed=bad),
    "Problem.of start": lambda bad: kt.Problem.of((6, 6), start=bad),
    "Limits seconds": lambda bad: kt.Limits(bad),
    "Limits nodes": lambda bad: kt.Limits(nodes=bad),
}


@pytest.mark.parametrize("name", PUBLIC)
def test_bad_input_is_one_of_our_errors(name):
    refused = 0
    for bad in BAD:
        try:
            PUBLIC[name](bad)
        except KnightsTourError as error:
            refused += 1
            assert str(error) and "object at 0x" not in error.help
        except Exception as error:
            pytest.fail(f"{name} of {bad!r}: {type(error).__name__}: {error}")
    assert refused > 3 or name == "in Board"


def test_holes_are_a_list_of_squares():
    for bad in (5, "a1", None):
        with pytest.raises(BoardError, match="holes must be a list"):
            kt.Board(8, 8, holes=bad)


@pytest.mark.parametrize("bad", ["yes", "no", 1, 0, None, []])
def test_closed_is_true_or_false(bad):
    for ask in (kt.Problem.of, kt.solve, kt.find_tour, kt.iter_tours, kt.count_tours, kt.estimate_count, kt.TourSpace):
        with pytest.raises(ProblemError, match="closed must be True or False, not"):
            ask((5, 6), closed=bad)
    for ask in (kt.sample_tours, kt.iter_sample):
        with pytest.raises(ProblemError, match="closed must be True or False, not"):
            ask((5, 6), 3, closed=bad)


def test_flags_of_numpy_are_flags():
    assert kt.Problem.of((5, 6), closed=np.True_).closed is True


def test_a_tour_turns_by_right_angles():
    with pytest.raises(BoardError, match="the angle must be a number, not 'x'"):
        TOUR.rotated("x")
    with pytest.raises(BoardError, match="not 45"):
        TOUR.rotated(45)
    assert TOUR.rotated(-270) == TOUR.rotated(90.0) == TOUR.rotated(90)


def test_a_square_off_the_board_has_no_name():
    for square in [(8, 0), (0, 8), (-1, 0), (0, -5)]:
        with pytest.raises(BoardError, match="not on the board"):
            BOARD.name(square)
    assert kt.Board(8, 8, holes=["a1"]).name((7, 0)) == "a1"


def test_limits_of_another_kind_are_refused_also_where_they_count_as_nothing():
    for bad in (0, "", [], 5):
        with pytest.raises(ProblemError, match="no limits"):
            kt.solve((6, 6), limits=bad)
        with pytest.raises(ProblemError, match="no limits"):
            kt.iter_tours((6, 6), limits=bad)
    with pytest.raises(ProblemError, match="leaves no time"):
        kt.Limits(0)
    assert kt.Limits(float("inf")).seconds == float("inf")


def test_a_path_is_no_number_of_an_open_file():
    with pytest.raises(FormatError, match="not 1"):
        given.path(1)
    assert given.path(Path("a")) == given.path("a") == "a"


def test_what_is_told_back_is_short():
    assert len(given.shown(list(range(10_000)))) == 60
    assert "many digits" in given.shown(10**10_000)
    with pytest.raises(InvalidTour) as wrong:
        kt.Tour((8, 8), 10**10_000)
    assert len(str(wrong.value)) < 120
