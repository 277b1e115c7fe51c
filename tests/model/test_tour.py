"""Tests of tours: valid and invalid input, and derived tours."""

import copy
import pickle
import re
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import reference
from helpers.both_ways import both_ways
from helpers.strategies import TOURED, tours
from knightstour.core.drawing.pictures import draw
from knightstour.core.methods.solve import find_tour
from knightstour.core.model.board import Board, title_of
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.errors import BoardError, InvalidTour
from knightstour.core.model.problem import Problem
from knightstour.core.model.tour import Tour
from knightstour.core.search.rotation import rotation

# W. Beverley, 1848: all rows and all columns have the sum 260.
BEVERLEY = [
    [1, 30, 47, 52, 5, 28, 43, 54],
    [48, 51, 2, 29, 44, 53, 6, 27],
    [31, 46, 49, 4, 25, 8, 55, 42],
    [50, 3, 32, 45, 56, 41, 26, 7],
    [33, 62, 15, 20, 9, 24, 39, 58],
    [16, 19, 34, 61, 40, 57, 10, 23],
    [63, 14, 17, 36, 21, 12, 59, 38],
    [18, 35, 64, 13, 60, 37, 22, 11],
]
SMALL = [[1, 4, 7, 10], [12, 9, 2, 5], [3, 6, 11, 8]]


def as_list(tour: Tour) -> list[tuple[int, int]]:
    return list(tour)


def adjacent(tour: Tour) -> reference.Adjacency:
    return reference.adjacency(reference.spec_of(tour.board))


# ---------------------------------------------------------------- properties


@given(tours())
def test_the_ways_to_write_a_tour_agree(tour: Tour) -> None:
    board = tour.board
    assert tour.start == as_list(tour)[0] == tour[0] and tour.end == as_list(tour)[-1] == tour[-1]
    assert len(tour) == len(board) == len(tour.squares) == len(tour.order)
    assert [divmod(s, board.cols) for s in tour.order.tolist()] == as_list(tour)
    for step, square in enumerate(tour):
        assert tour.numbers[square] == step + 1
    assert {tuple(s) for s in np.argwhere(tour.numbers == 0).tolist()} == board.holes
    assert [board.square(label) for label in tour.labels] == as_list(tour)
    for again in (
        Tour(board, as_list(tour)),
        Tour(board, tour.labels),
        Tour(board, tour.squares.tolist()),
        Tour(board, tour.squares.astype(np.uint8)),
        Tour(
            board, [label if i % 2 else square for i, (label, square) in enumerate(zip(tour.labels, tour, strict=True))]
        ),
        Tour.from_array(tour.order, board),
        Tour.from_array(tour.order.tolist(), board),
        Tour.from_array(tour.numbers, board=board),
        Tour.from_array(tour.numbers.tolist(), board=board),
    ):
        assert again == tour and hash(again) == hash(tour)


def test_one_square_is_an_open_tour() -> None:
    tour = Tour((1, 1), ["a1"])
    assert not tour.is_closed and tour.start == tour.end == (0, 0) and tour.turns == tour.crossings == 0
    assert tour.symmetry == "none" and tour.canonical() == tour and str(tour) == "1" and tour.moves.shape == (0, 2)


def test_the_diagram_is_printed_in_columns_with_dots_for_holes() -> None:
    assert str(Tour.from_array(SMALL)) == " 1  4  7 10\n12  9  2  5\n 3  6 11  8"
    board = Board(1, 3, holes=["b1"], leaper=(0, 2))
    assert str(Tour(board, ["a1", "c1"])) == "1 . 2"
    assert repr(Tour(board, ["a1", "c1"])) == f"<open Tour of {title_of(board)}, a1 to c1>"


def test_open_diagram_with_zeros_has_holes_if_the_board_has() -> None:
    diagram = [[1, 0, 3], [0, 0, 0], [0, 2, 0]]
    with pytest.raises(InvalidTour, match="only 3 of 9 squares have a number, and 0 is on the others") as caught:
        Tour.from_array(diagram)
    assert caught.value.step == 3 and "give the board: FILE 3x3" in caught.value.help
    tour = Tour.from_array(diagram, board="3x3:-b3,a2,b2,c2,a1,c1")
    assert tour.board.holes == {(0, 1), (1, 0), (1, 1), (1, 2), (2, 0), (2, 2)}
    assert as_list(tour) == [(0, 0), (2, 1), (0, 2)]


def test_the_nodes_of_a_graph_are_toured_by_name() -> None:
    board = Board.from_graph(both_ways({"x": ["y"], "y": ["z"], "z": ["x"]}))
    tour = Tour(board, ["y", "z", "x"])
    assert tour.is_closed and tour.labels == ["y", "z", "x"] and str(tour) == "y z x"
    assert tour.symmetry == "none" and tour.rotated(0) == tour and tour.reversed().labels == ["x", "z", "y"]
    assert tour.canonical() == Tour(board, ["z", "x", "y"]).canonical() == tour.reversed().canonical()
    assert "y to x" in repr(tour)
    assert tour.magic == ""
    with pytest.raises(InvalidTour, match="x to y is not an edge of the graph") as caught:
        Tour(Board.from_graph({"x": [], "y": []}), ["x", "y"])
    assert caught.value.step == 1


# ---------------------------------------------------------------- errors


@given(tours(), st.data())
def test_first_wrong_step_is_named_for_any_fault(tour: Tour, data: st.DataObject) -> None:
    board = tour.board
    squares: list[Any] = as_list(tour)
    for _ in range(data.draw(st.integers(1, 3))):
        step = data.draw(st.integers(0, len(squares) - 1))
        damage = data.draw(st.sampled_from(["drop", "replace", "swap", "off", "hole"]))
        if damage == "drop":
            del squares[step:]
        elif damage == "replace":
            squares[step] = squares[data.draw(st.integers(0, len(squares) - 1))]
        elif damage == "swap":
            other = data.draw(st.integers(0, len(squares) - 1))
            squares[step], squares[other] = squares[other], squares[step]
        elif damage == "off":
            squares[step] = data.draw(st.sampled_from([(-1, 0), (0, -1), (board.rows, 0), (0, board.cols), (9999, -7)]))
        elif board.holes:
            squares[step] = data.draw(st.sampled_from(sorted(board.holes)))
        if not squares:
            break
    fault = reference.tour_fault(adjacent(tour), squares)
    if fault is None:
        assert list(Tour(board, squares)) == squares
        return
    step, what = fault
    # As pairs, as an array, and with the squares before the fault given by name.
    mixed = [board.square_name(s) if i < step and s in board else s for i, s in enumerate(squares)]
    for given_as in (squares, np.array(squares).reshape(-1, 2), mixed):
        with pytest.raises(InvalidTour) as caught:
            Tour(board, given_as)
        assert caught.value.step == step
        message = str(caught.value)
        if what == "off":
            assert re.search(r"is not on the|is a hole", message)
        elif what == "repeat":
            assert "visited before, at step" in message
        elif what == "illegal":
            assert "move" in message
        else:
            assert "squares are visited" in message or "no square is visited" in message
        if what != "missing":
            assert message.startswith(f"step {step} (number {step + 1}): ")


def test_each_fault_is_reported_in_plain_words() -> None:
    good = ["a3", "c2", "a1", "b3", "d2", "b1", "c3", "a2", "c1", "d3", "b2", "d1"]
    board = Board(3, 4)

    def fault(squares: Any, on: Board = board) -> str:
        with pytest.raises(InvalidTour) as caught:
            Tour(on, squares)
        return str(caught.value)

    assert fault(good[:11]) == "only 11 of 12 squares are visited; d1 is not"
    assert (
        fault([*good[:5], "a1", *good[6:]]) == "step 5 (number 6): square a1 was visited before, at step 2 (number 3)"
    )
    assert fault([*good[:5], "d1", *good[6:]]) == "step 5 (number 6): d2 to d1 is not a knight's move"
    assert fault([(0, 0), (3, 1)]) == "step 1 (number 2): square (3, 1) is not on the 3x4 board"
    assert fault(["a3", "e9"]) == "step 1 (number 2): square e9 is not on the board"
    assert fault(["a3", "??"]) == "step 1 (number 2): not a square: '??'"
    assert fault(["a3", "c2"], Board(3, 4, holes=["c2"])) == "step 1 (number 2): square c2 is a hole of the board"
    assert fault([(0, 0), (1, 2)], Board(3, 4, holes=["c2"])) == "step 1 (number 2): square c2 is a hole of the board"
    assert fault(["a3", "c2"], Board(3, 4, leaper=(1, 3))) == "step 1 (number 2): a3 to c2 is not a camel's move"
    assert fault([]) == "no square is visited; the board has 12"
    assert "step 12" in fault([*good, "a3"])


@pytest.mark.parametrize(
    "squares", [np.arange(12), np.zeros((2, 3), dtype=int), np.zeros((12, 2)), [(0, (1, 2))], [None]]
)
def test_rejects_invalid_square_lists(squares: Any) -> None:
    with pytest.raises(InvalidTour):
        Tour((3, 4), squares)


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ([[1, 2], [3]], "differ in length"),
        ([["a"]], "whole numbers"),
        ([[1.5]], "whole numbers"),
        ([[]], "whole numbers"),
        ([1, 2], "square numbers require a board"),
        ([[2]], "number 1 is missing from the grid: the first is 2"),
        ([[-2, 1]], "number -2 at row 0, column 0, but this grid counts from 1"),
        ([[1, 4, 7, 10], [12, 9, 2, 5], [3, 6, 13, 8]], "number 11 is missing from the grid: after 10 comes 12"),
        ([[1, 4, 7, 10], [12, 9, 2, 5], [3, 6, 5, 8]], "number 5 is there twice, at d2 (row 1, column 3) and c1"),
        ([[1, 4, 7, 10], [12, 9, 2, 5], [3, 6, 8, 11]], "step 7 (number 8): c3 to c1 is not a knight's move"),
    ],
)
def test_a_bad_diagram_is_refused_with_the_number(numbers: Any, message: str) -> None:
    with pytest.raises(InvalidTour, match=re.escape(message)):
        Tour.from_array(numbers)


def test_a_diagram_of_another_size_than_the_board_is_refused() -> None:
    with pytest.raises(InvalidTour, match="the diagram is 3x4, the board 4x3"):
        Tour.from_array(SMALL, board=(4, 3))


def test_a_diagram_without_numbers_visits_no_square() -> None:
    with pytest.raises(InvalidTour, match="this diagram has no number"):
        Tour.from_array(np.zeros((3, 4), dtype=int), board=(3, 4))


def test_rejects_giant_board_with_too_few_squares_immediately() -> None:
    for board in (Board(10**100, 10**100), Board(10**6, 10**6), Board(1, 10**30, wrap="klein")):
        for squares in ([], [(0, 0), (1, 2)], ["a1", "b3"], np.array([[0, 0]])):
            with pytest.raises(InvalidTour, match=r"^only \d of ([\d,]+|10+\.{3} \(201 digits\)) squares are visited$"):
                Tour(board, squares)
        with pytest.raises(InvalidTour, match=r"^only 2 of"):
            Tour.from_array([0, 5], board)


# ---------------------------------------------------------------- as a value


def test_a_tour_cannot_be_changed() -> None:
    source = np.array(list(Tour.from_array(SMALL)), dtype=np.int32)
    tour = Tour((3, 4), source)
    source[0] = 9
    view = Tour((3, 4), np.array(list(Tour.from_array(SMALL)), dtype=np.int32)[::-1])
    for made in (tour, view, tour.reversed(), tour.rotated(90), pickle.loads(pickle.dumps(tour))):
        assert made.squares.dtype == np.int32 and not made.squares.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            made.squares[0, 0] = 5
    assert tour == Tour.from_array(SMALL)
    with pytest.raises(AttributeError):
        tour.board = Board(3, 4)  # type: ignore[misc]
    numbers = tour.numbers
    numbers[0, 0] = 77
    assert tour.numbers[0, 0] == 1 and tour.numbers.dtype == np.int32


@given(tours())
def test_a_tour_survives_pickling_and_copying(tour: Tour) -> None:
    for again in (pickle.loads(pickle.dumps(tour)), copy.copy(tour), copy.deepcopy(tour)):
        assert again == tour and hash(again) == hash(tour) and again.board == tour.board


def test_tours_are_equal_by_board_and_order() -> None:
    tour = Tour.from_array(SMALL)
    assert tour == Tour.from_array(SMALL) and tour != tour.reversed() and tour != tour.rotated(180)
    assert tour != Tour(Board(3, 4, wrap="cylinder"), as_list(tour)) and tour != SMALL
    assert len({tour, Tour.from_array(SMALL), tour.reversed()}) == 2


def test_a_tour_is_an_array_of_its_squares() -> None:
    tour = Tour.from_array(SMALL)
    assert np.asarray(tour) is tour.squares
    copied = np.array(tour)
    assert np.array_equal(copied, tour.squares) and copied.flags.writeable
    assert np.asarray(tour, dtype=float).dtype == float and np.array(tour, dtype=np.int8).dtype == np.int8
    assert tour.__array__(copy=False) is tour.squares
    with pytest.raises(ValueError, match="copy"):
        tour.__array__(dtype=np.int64, copy=False)


def test_several_squares_are_indexed_as_an_array() -> None:
    tour = Tour.from_array(SMALL)
    assert tour[np.int64(1)] == (1, 2)
    with pytest.raises(TypeError):
        tour[0:2]  # type: ignore[index]
    with pytest.raises(IndexError):
        tour[12]


def test_notebooks_show_pictures_of_tours_and_boards() -> None:
    tour = Tour.from_array([[1, -1, 3], [-1, -1, -1], [-1, 2, -1]])
    assert tour._repr_svg_() == str(draw(tour))
    for board in (tour.board, Board(8, 8), Board(4, 5, wrap="torus"), Board(10, 10, leaper=(2, 3))):
        picture = board._repr_svg_()
        assert picture == str(draw(board)) and ElementTree.fromstring(picture).tag.endswith("svg")


def test_notebooks_show_the_text_of_graphs_and_of_large_boards() -> None:
    graph = Board.from_graph([[1], [0]])
    assert graph._repr_svg_() is None and Tour(graph, [0, 1])._repr_svg_() is None
    assert Board(10**100, 10**100)._repr_svg_() is None
    assert Board(101, 100)._repr_svg_() is None and Board(100, 100)._repr_svg_() is not None
    # Notebooks prefer HTML to SVG.
    assert not hasattr(Tour, "_repr_html_") and not hasattr(Board, "_repr_html_")


# ---------------------------------------------------------------- tours from a tour


@given(tours())
def test_turned_and_mirrored_tours_are_tours(tour: Tour) -> None:
    board = tour.board
    ways: list[Tour] = [tour.rotated(0), tour.rotated(180), tour.reversed()]
    ways += [tour.reflected("vertical"), tour.reflected("horizontal")]
    if board.wrap in (None, "torus"):
        ways += [tour.rotated(90), tour.rotated(-90), tour.reflected("diagonal"), tour.reflected("antidiagonal")]
    for image in ways:
        assert reference.is_tour(adjacent(image), as_list(image))
        assert image.is_closed == tour.is_closed
        assert sorted(image.symmetries) == sorted(tour.symmetries) or board.wrap is not None or image.board != board


def test_turning_is_clockwise_and_mirrors_are_named_by_their_line() -> None:
    tour = Tour.from_array(SMALL)
    assert np.array_equal(tour.rotated(90).numbers, np.rot90(SMALL, -1))
    assert np.array_equal(tour.rotated(270).numbers, np.rot90(SMALL))
    assert np.array_equal(tour.reflected("vertical").numbers, np.fliplr(SMALL))
    assert np.array_equal(tour.reflected("horizontal").numbers, np.flipud(SMALL))
    assert np.array_equal(tour.reflected("diagonal").numbers, np.transpose(SMALL))
    assert np.array_equal(tour.reflected("antidiagonal").numbers, np.transpose(np.rot90(SMALL, 2)))


@given(tours(closed=True), st.integers(-100, 100))
def test_a_closed_tour_begins_anywhere(tour: Tour, steps: int) -> None:
    shifted = tour.shifted(steps)
    assert shifted.start == tour[steps % len(tour)] and shifted.is_closed
    assert shifted.shifted(-steps) == tour and shifted.canonical() == tour.canonical()


def test_an_open_tour_does_not_begin_elsewhere() -> None:
    with pytest.raises(InvalidTour, match="only a closed tour"):
        Tour.from_array(SMALL).shifted(1)


def test_odd_angles_and_axes_are_refused() -> None:
    tour = Tour.from_array(SMALL)
    with pytest.raises(BoardError, match="multiples of 90 degrees, not 45"):
        tour.rotated(45)
    with pytest.raises(BoardError, match="unknown axis 'x'"):
        tour.reflected("x")


def test_boards_joined_left_to_right_reject_quarter_turns() -> None:
    for board in TOURED:
        if board.wrap not in (None, "torus"):
            outcome = rotation(Problem(board), Budget(Limits(nodes=10_000)), 1)
            assert outcome.order is not None
            tour = Tour.from_array(outcome.order, board)
            with pytest.raises(BoardError, match=f"a {board.wrap} joins left to right"):
                tour.rotated(90)
            with pytest.raises(BoardError, match=f"a {board.wrap} joins left to right"):
                tour.reflected("diagonal")


# ---------------------------------------------------------------- sums


def test_beverleys_tour_is_magic_and_not_diagonally_magic() -> None:
    tour = Tour.from_array(BEVERLEY)
    assert tour.magic == "magic"
    assert all(image.magic == "magic" for image in (tour.rotated(90), tour.reflected("diagonal"), tour.reversed()))
    assert Tour.from_array(SMALL).magic == ""


def test_rows_alone_or_columns_alone_make_a_tour_semimagic() -> None:
    ring = Tour.from_array([[1, 2, 3, 4], [8, 7, 6, 5]], board=Board(2, 4, leaper=(0, 1)))
    assert ring.magic == ring.rotated(90).magic == "semi"


def test_diagonally_magic_tour_has_the_diagonal_sums() -> None:
    # Number 5a + b + 1 is there a times (2, 2) and b times (1, 2) from (2, 0), round the torus: each row, column and
    # broken diagonal has all a and all b, but for the main one, on which b is 2, the middle.
    squares = [((2 + 2 * a + b) % 5, (2 * a + 2 * b) % 5) for a in range(5) for b in range(5)]
    tour = Tour(Board(5, 5, wrap="torus"), squares)
    assert tour.magic == "diagonal" and tour.numbers[0].sum() == 65
    moved = Tour(tour.board, [((r + 1) % 5, c) for r, c in squares])
    assert moved.magic == "magic"
    assert Tour((1, 1), [(0, 0)]).magic == "diagonal"


def test_missing_step_raises_an_index_error() -> None:
    tour = find_tour("3x4")
    for step in (12, -13):
        with pytest.raises(IndexError, match="there is no step") as error:
            tour[step]
        assert isinstance(error.value, IndexError)
    assert tour[-1] == tour.end


def test_rejects_squares_numbered_from_1_with_help() -> None:
    with pytest.raises(InvalidTour, match="is not on the 3x4 board") as caught:
        Tour((3, 4), Tour.from_array(SMALL).squares + 1)
    assert caught.value.help == "counted from 0 these squares are a tour: take 1 from each row and column"
