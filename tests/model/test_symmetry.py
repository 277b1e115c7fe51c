"""Tests of symmetries of boards and tours against the reference, which tries all maps; and of classes."""

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers import reference
from helpers.examples import examples
from helpers.strategies import boards, tours
from knightstour.core.model import symmetry
from knightstour.core.model.board import WRAPS, Board, are_moves, move_graph
from knightstour.core.model.symmetry import (
    TURN_NAMED,
    TURNS,
    Symmetry,
    symmetries,
    turned_board,
    turned_square,
    turned_squares,
)
from knightstour.core.model.tour import Tour


def closed_tours(rows: int, cols: int) -> list[Tour]:
    return [Tour((rows, cols), t) for t in reference.closed_tours(reference.adjacency(reference.Spec(rows, cols)))]


@pytest.fixture(scope="module")
def five_by_six() -> list[Tour]:
    return closed_tours(5, 6)


# ---------------------------------------------------------------- of boards


def images(board: Board) -> list[tuple[tuple[int, int], ...]]:
    return [tuple(divmod(s, board.cols) for s in sym.image.tolist()) for sym in symmetries(board)]


@pytest.mark.long
@pytest.mark.parametrize("wrap", [None, *WRAPS])
def test_symmetries_of_small_boards_are_complete_and_distinct(wrap: str | None) -> None:
    for rows, cols in [*itertools.product(range(1, 5), repeat=2), (2, 5), (5, 2), (5, 3)]:
        board = Board(rows, cols, wrap=wrap)
        expected = reference.symmetry_maps(reference.spec_of(board))
        found = images(board)
        assert set(found) == set(expected) and len(found) == len(expected), board
        if min(rows, cols) > 2:
            assert [sym.name for sym in symmetries(board)] == [expected[image] for image in found], board


@examples(30)
@given(boards(most_side=4, leapers=[(1, 2)]))
def test_holes_leave_the_symmetries_that_keep_them(board: Board) -> None:
    assert set(images(board)) == set(reference.symmetry_maps(reference.spec_of(board)))


@given(boards(most_side=5))
def test_symmetries_keep_moves_and_the_first_is_the_identity(board: Board) -> None:
    edges = move_graph(board).edges()
    for i, sym in enumerate(symmetries(board)):
        image = sym.image
        assert (i == 0) == (sym.name == "identity")
        assert sorted(image.tolist()) == list(range(board.rows * board.cols))
        assert are_moves(board, image[edges[:, 0]], image[edges[:, 1]]).all()
        assert [sym.takes(divmod(s, board.cols)) for s in range(len(image))] == [
            divmod(s, board.cols) for s in image.tolist()
        ]


def test_a_graph_has_only_the_identity() -> None:
    assert [s.name for s in symmetries(Board.from_graph([[1], [0]]))] == ["identity"]


@given(st.integers(1, 9), st.integers(1, 9), st.data())
def test_eight_rotations_match_the_reference(rows: int, cols: int, data: st.DataObject) -> None:
    square = (data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, cols - 1)))
    for (quarters, mirrored), name in reference.EIGHT.items():
        turn = TURN_NAMED[name]
        there = turned_square(square, turn, rows, cols)
        assert there == reference.turned(square, rows, cols, quarters, mirrored)
        assert turned_squares(np.array([square]), turn, rows, cols).tolist() == [list(there)]
    assert len(TURNS) == 8


@given(boards(wraps=(None, "torus")))
def test_a_turned_board_is_the_board_turned(board: Board) -> None:
    for (quarters, mirrored), name in reference.EIGHT.items():
        expected = reference.turned_spec(reference.spec_of(board), quarters, mirrored)
        assert reference.spec_of(turned_board(board, TURN_NAMED[name])) == expected


# ---------------------------------------------------------------- of tours


@examples(25)
@given(tours())
def test_symmetries_of_a_tour_match_the_reference(tour: Tour) -> None:
    expected = reference.tour_symmetries(reference.spec_of(tour.board), list(tour), tour.is_closed)
    assert sorted(tour.symmetries) == expected


def test_straight_walk_around_torus_has_translations() -> None:
    # All seven squares in order: every shift and every mirror image is the same tour.
    board = Board(1, 7, wrap="torus")
    tour = Tour(board, [(0, c) for c in range(7)])
    assert {"shift (0, 1)", "shift (0, 6)", "180"} <= set(tour.symmetries) and len(tour.symmetries) == 13


def test_few_torus_symmetries_are_tested_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    monkeypatch.setattr(symmetry, "Symmetry", lambda *given: made.append(given) or Symmetry(*given))
    flat = kt.find_tour((60, 50), closed=True)
    assert Tour(Board(60, 50, wrap="torus"), flat.squares).symmetries == flat.symmetries
    assert len(made) < 20


def test_the_symmetry_class_has_a_short_name(five_by_six: list[Tour]) -> None:
    assert Counter(tour.symmetry for tour in five_by_six) == {"none": 4, "vertical": 4}
    turned = Counter(
        (tour.symmetry, *sorted(tour.symmetries)) for tour in kt.iter_tours("6x6", closed=True, symmetry="180")
    )
    assert turned == {("180", "180"): 68, ("90", "180", "270", "90"): 10}
    # An open tour walked from its end counts as the same tour.
    assert Tour(Board(1, 5, leaper=(0, 1)), [(0, c) for c in range(5)]).symmetry == "180"


# ---------------------------------------------------------------- canonical forms


@pytest.mark.long
@examples(12)
@given(tours(), st.booleans())
def test_the_canonical_form_is_the_least_image(tour: Tour, is_left_open: bool) -> None:
    closed = False if is_left_open else None
    is_closed = tour.is_closed and not is_left_open
    rows, cols, holes, squares = reference.canonical(reference.spec_of(tour.board), list(tour), is_closed)
    form = tour.canonical(closed=closed)
    assert (form.board.rows, form.board.cols) == (rows, cols)
    assert sorted(form.board.holes) == holes and list(form) == squares
    assert form.board.wrap == tour.board.wrap and form.board.piece.leaper == tour.board.piece.leaper
    assert form.canonical(closed=closed) == form and (is_left_open or form.is_closed == tour.is_closed)


@examples(25)
@given(tours(), st.data())
def test_all_images_have_one_canonical_form(tour: Tour, data: st.DataObject) -> None:
    bare = Board(tour.board.rows, tour.board.cols, wrap=tour.board.wrap, leaper=tour.board.piece.leaper)
    sym = data.draw(st.sampled_from(list(symmetries(bare))))
    holes = [sym.takes(hole) for hole in tour.board.holes]
    board = Board(bare.rows, bare.cols, holes=holes, wrap=bare.wrap, leaper=bare.piece.leaper)
    image = Tour.from_array(sym.image[tour.order], board)
    if tour.is_closed:
        image = image.shifted(data.draw(st.integers(0, len(tour))))
    if data.draw(st.booleans()):
        image = image.reversed()
    assert image.canonical() == tour.canonical()


def test_rejects_open_tour_as_closed() -> None:
    with pytest.raises(kt.ProblemError, match="this tour is open"):
        kt.find_tour("3x4").canonical(closed=True)
    with pytest.raises(TypeError, match="closed must be True or False"):
        kt.find_tour("3x4").canonical(closed="no")  # type: ignore[arg-type]


def test_eight_closed_5x6_tours_form_three_classes(five_by_six: list[Tour], published: Any) -> None:
    (row,) = [row for row in published["classes"] if row["board"] == [5, 6]]
    forms = {tour.canonical() for tour in five_by_six}
    assert len(five_by_six) == 8 and len(forms) == row["count"]
    assert Counter(form.symmetry for form in forms) == row["by_symmetry"]
    # Standing up they are the same tours.
    assert {tour.rotated(90).canonical() for tour in five_by_six} == forms


@pytest.mark.slow
def test_all_closed_6x6_tours_make_the_published_classes(published: Any) -> None:
    (row,) = [row for row in published["classes"] if row["board"] == [6, 6]]
    every = closed_tours(6, 6)
    assert len(every) == 9862
    forms = {tour.canonical() for tour in every}
    assert len(forms) == row["count"] == 1245
    assert Counter(form.symmetry for form in forms) == row["by_symmetry"]
    # A class has 8 tours, 4 with the half turn, 2 with the quarter turn.
    assert Counter(tour.symmetry for tour in every) == {"none": 8 * 1223, "180": 4 * 17, "90": 2 * 5}


# ---------------------------------------------------------------- names


def names_of_all(board: kt.typing.BoardLike) -> Counter[str]:
    """Return the number of closed tours of a board by symmetry."""
    return Counter(tour.symmetry_name for tour in kt.iter_tours(board, closed=True))


@pytest.mark.parametrize(
    ("board", "names"), [("5x6", {"none": 4, "Sulian": 4}), ("3x10", {"none": 8, "Sulian": 4, "Bergholtian": 4})]
)
def test_symmetric_closed_tours_have_the_names_of_jelliss(board: str, names: dict[str, int]) -> None:
    assert names_of_all(board) == names


@pytest.mark.long
def test_bergholts_tours_pass_twice_through_the_centre_and_eulers_never() -> None:
    half_turned = list(kt.iter_tours("6x6", closed=True, symmetry="180"))
    assert Counter(tour.symmetry_name for tour in half_turned) == {"Eulerian": 68, "birotary": 10}
    for listed, times in ((kt.iter_tours("3x10", closed=True), 2), (half_turned, 0)):
        for tour in listed:
            if tour.symmetry == "180":
                steps = tour.squares + np.roll(tour.squares, -1, axis=0)
                centre = (tour.board.rows - 1, tour.board.cols - 1)
                assert np.count_nonzero((steps == centre).all(axis=1)) == times


def test_murrays_tours_are_their_own_mirror_images_walked_backwards() -> None:
    # The axis goes through two squares: the two that a reflection can keep in their places.
    board = kt.Board(6, 7, holes=[(1, 3), (2, 3), (4, 3), (5, 3)])
    assert names_of_all(board) == {"none": 42, "Murraian": 6}
    for tour in kt.iter_tours(board, closed=True):
        if tour.symmetry_name == "Murraian":
            walk = [tuple(square) for square in tour.squares.tolist()]
            images = [(row, 6 - col) for row, col in reversed(walk)]
            first = images.index(walk[0])
            assert images[first:] + images[:first] == walk


def test_open_tours_are_called_by_their_symmetry() -> None:
    assert {(tour.symmetry, tour.symmetry_name) for tour in kt.iter_tours("3x4")} == {("none", "none"), ("180", "180")}
