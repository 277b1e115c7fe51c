"""Tests of boards of cells: boxes, hexagons, triangles and others, against plain code and published counts."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers import reference
from knightstour.core.formats.boards import board_from_dict, board_to_dict
from knightstour.core.model.cells import box
from knightstour.core.model.graph_board import CellBoard, GraphBoard
from knightstour.core.model.lattices import LATTICES
from knightstour.core.model.symmetry import symmetries

# Closed tours: boxes by G. P. Jelliss and others, triangles of hexagons as the OEIS has them.
COUNTS = {"2x3x4": 12_132, "2x4x4": 325_092_944}
COUNTS |= {"tri:3": 1, "tri:4": 3, "tri:5": 26, "tri:6": 474, "tri:7": 17_214, "tri:8": 1_371_454}


@pytest.mark.parametrize("word", COUNTS)
def test_closed_tours_are_as_many_as_is_published(word: str) -> None:
    assert kt.count(word, closed=True) == COUNTS[word]


@pytest.mark.parametrize("word", ["3x3x3", "2x2x4", "2x3x3", "2x3x3x3", "hex:3"])
def test_boards_without_closed_tour_have_a_reason(word: str) -> None:
    result = kt.solve(word, closed=True)
    assert result.status is kt.Status.IMPOSSIBLE and result.reason


def distance(lattice: str, a: tuple[int, ...], b: tuple[int, ...]) -> int:
    """Return the squared distance of two cells, with axes at 90 or 60 degrees."""
    steps = [x - y for x, y in zip(a, b, strict=True)]
    return sum(x * x for x in steps) + (steps[0] * steps[1] if lattice == "hexagon" else 0)


# Squared lengths of moves, on squares and in boxes, and on hexagons.
LENGTHS = {"knight": (5, 7), "wazir": (1, 1), "ferz": (2, 3)}


@st.composite
def shapes(draw: st.DrawFn) -> tuple[kt.Board, dict[Any, set[Any]]]:
    """Draw a board of cells, and neighbours by distance."""
    lattice = draw(st.sampled_from(sorted(LATTICES)))
    dimension = 2 if lattice == "hexagon" else draw(st.integers(2, 4))
    cell = st.tuples(*[st.integers(-2, 2)] * dimension)
    cells = draw(st.lists(cell, min_size=1, max_size=11, unique=True))
    piece = draw(st.sampled_from(sorted(LENGTHS)))
    length = LENGTHS[piece][lattice == "hexagon"]
    near = {a: {b for b in cells if distance(lattice, a, b) == length} for a in cells}
    return kt.CellBoard(cells, moves=piece, lattice=lattice), near


@given(shapes())
def test_moves_of_cells_are_those_by_distances(shape: tuple[kt.Board, dict[Any, set[Any]]]) -> None:
    board, near = shape
    assert isinstance(board, GraphBoard)
    ours = {label: {board.labels[k] for _, k in board.neighbors(label)} for label in board.labels}
    assert ours == near


@given(shapes(), st.booleans())
def test_tours_of_cells_match_the_reference(shape: tuple[kt.Board, dict[Any, set[Any]]], closed: bool) -> None:
    board, near = shape
    count = reference.count(near, closed=closed)
    assert kt.count(board, closed=closed) == count
    result = kt.solve(board, closed=closed)
    assert result.status is (kt.Status.FOUND if count else kt.Status.IMPOSSIBLE)
    if result.tour is not None:
        assert reference.is_tour(near, list(result.tour.labels), closed=closed)


@given(shapes())
def test_cells_are_written_and_read_again(shape: tuple[kt.Board, dict[Any, set[Any]]]) -> None:
    board, _ = shape
    assert board_from_dict(board_to_dict(board)) == board
    names = [board.square_name((0, k)) for k in range(len(board))]
    assert [board.square(name) for name in names] == [(0, k) for k in range(len(board))]


@given(shapes())
def test_symmetries_of_cells_keep_distances(shape: tuple[kt.Board, dict[Any, set[Any]]]) -> None:
    board, near = shape
    assert isinstance(board, GraphBoard)
    place = {label: k for k, label in enumerate(board.labels)}
    found = [symmetry.image for symmetry in symmetries(board)]
    assert found[0].tolist() == list(range(len(place)))
    for image in found:
        assert sorted(image.tolist()) == list(range(len(place)))
        assert all(board.labels[image[place[b]]] in near[board.labels[image[place[a]]]] for a in near for b in near[a])


@pytest.mark.parametrize(
    "word",
    ["4x4x4", "2x3x4:0,1+1,1", "2x3x4:0,0,1+0,1,1+1,1,1", "hex:4", "hex:4:king", "tri:5", "tri:5:1,2", "3x3x3x4:1,3"],
)
def test_a_word_is_read_again(word: str) -> None:
    board = kt.Board(word)
    assert str(board) == word and kt.Board(word) == board == eval(repr(board), {"Board": kt.Board})


def test_makers_and_words_make_the_same_boards() -> None:
    assert kt.Board((2, 3, 4)) == kt.Board("2x3x4") == kt.CellBoard(box(2, 3, 4))
    assert kt.Board("hex:4", moves="king") == kt.Board("hex:4:king")
    assert [len(LATTICES[name].isometries(d)) for name, d in (("box", 2), ("box", 3), ("hexagon", 2))] == [8, 48, 12]
    assert [len(kt.Board(w)) for w in ("hex:1", "hex:3", "tri:4", "2x2x2x2")] == [1, 19, 10, 16]


def test_a_plane_box_has_the_moves_of_a_board() -> None:
    flat, cells = kt.Board(5, 6, moves="king"), kt.CellBoard(box(5, 6), moves="king")
    for (row, col), k in zip(cells.cells, range(30), strict=True):
        assert cells.square_name((0, k)) == flat.square_name((row, col))
        assert {divmod(place, 6) for _, place in cells.neighbors(cells.squares[k])} == set(flat.neighbors((row, col)))


def test_own_vectors_are_moves_with_their_reverses() -> None:
    ring = kt.CellBoard([(0, 0), (0, 3), (3, 0), (3, 3)], moves=[(0, 3), (0, -3), (3, 0), (-3, 0)][:4])
    assert kt.solve(ring, closed=True).status is kt.Status.FOUND
    assert kt.count(ring, closed=True) == 1


BAD = {
    "no cell": (lambda: kt.CellBoard([]), "a board without a cell"),
    "doubled": (lambda: kt.CellBoard([(0, 0), (1, 1), (0, 0)]), "the cell (0, 0) is given twice"),
    "two dimensions": (lambda: kt.CellBoard([(0, 0), (0, 0, 1)]), "cells of 2 and of 3 numbers"),
    "must be numbers": (lambda: kt.CellBoard(["a1"]), "invalid cell: 'a1'"),
    "no reverse": (lambda: kt.CellBoard([(0, 0, 0)], moves=[(1, -2, 0)]), "the move (1, -2, 0) has no reverse"),
    "another dimension": (lambda: kt.CellBoard([(0, 0)], moves=[(1, -2, 0)]), "invalid move: (1, -2, 0)"),
    "no lattice": (lambda: kt.CellBoard([(0, 0)], lattice="cube"), "unknown lattice 'cube'"),
    "hexagons in space": (lambda: kt.CellBoard([(0, 0, 0)], lattice="hexagon"), "cells of 3 numbers"),
    "hex6": (lambda: kt.Board("hex6"), "not a board: 'hex6'"),
    "4x4x": (lambda: kt.Board("4x4x"), "not a board: '4x4x'"),
    "hex:6:kng": (lambda: kt.Board("hex:6:kng"), "unknown part of a board: 'kng'; did you mean 'king'?"),
    "too large": (lambda: kt.Board("100x100x100"), "100x100x100 has 1,000,000 cells: too many to list"),
    "far too large": (lambda: kt.Board("hex:1000000000"), "hex:1000000000 has"),
}


@pytest.mark.parametrize("name", BAD)
def test_invalid_cell_board_is_one_clear_error(name: str) -> None:
    ask, said = BAD[name]
    with pytest.raises(kt.BoardError) as caught:
        ask()
    assert str(caught.value).startswith(said) and (caught.value.help or caught.value.note)


@pytest.mark.long
def test_large_coordinates_are_no_other_cells() -> None:
    far = 10**6
    cells = [(s * far, t * far, u * far, 0, 0, v) for s, t, u in itertools.product((0, 1), repeat=3) for v in (0, 1)]
    near = kt.CellBoard(cells, moves="wazir").graph
    assert near is not None and all(len(row) == 1 for row in near)


def test_cell_check_uses_coordinates_alone() -> None:
    board = kt.Board("4x4x4")
    order = np.array(kt.find_tour(board, closed=True).order)
    wrong = order.copy()
    wrong[[3, 7]] = wrong[[7, 3]]
    with pytest.raises(kt.InvalidTour, match="is not a knight's move"):
        kt.Tour.from_array(wrong, board)


def test_one_row_adds_a_lattice(monkeypatch: pytest.MonkeyPatch) -> None:
    # Bricks: squares of which no turn by 90 degrees is an isometry.
    def halves(_: int) -> dict[str, tuple[tuple[int, ...], ...]]:
        signs = itertools.product((1, -1), repeat=2)
        return {"identity" if (r, c) == (1, 1) else f"{r},{c}": ((r, 0), (0, c)) for r, c in signs}

    row = LATTICES["box"]._replace(name="brick", dimension=2, isometries=halves)
    monkeypatch.setitem(LATTICES, "brick", row)
    board = kt.CellBoard(itertools.product(range(4), range(3)), lattice="brick")
    assert isinstance(board, CellBoard) and set(board.vectors) == {(1, 2), (1, -2), (-1, 2), (-1, -2)}
    assert str(kt.draw(board)).count("z") - str(kt.draw(board, style="line")).count("z") == 12


@pytest.mark.parametrize("board", [kt.Board("2x3x4"), kt.Board.from_graph({"a": ["b"], "b": ["a"]})])
def test_board_without_rows_stays_without_rows(board: kt.Board) -> None:
    assert not hasattr(board, "changed")
