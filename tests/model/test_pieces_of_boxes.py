"""Tests of pieces in boxes: the king of a cube, leaps of three numbers, and holes of cells."""

from __future__ import annotations

import itertools
from math import factorial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers.command_line import Run
from knightstour.core.formats.boards import board_from_dict, board_to_dict
from knightstour.core.model import graph_board
from knightstour.core.model.board import most_moves, square_names, title_of
from knightstour.core.model.cells import box, cells_of_shape
from knightstour.core.model.graph_board import CellBoard, GraphBoard
from knightstour.core.model.pieces import PIECES, Piece
from knightstour.core.model.problem import Problem
from knightstour.core.proofs.narrowing import proof_steps

TWO_AXES = [(0, 1), (1, 1)]


def images(leaps: list[tuple[int, ...]], dimension: int) -> set[tuple[int, ...]]:
    """Return the vectors with the sorted coordinates of a leap."""
    sizes = {tuple(sorted((*leap, *[0] * (dimension - len(leap))))) for leap in leaps}
    reach = range(-max(map(max, leaps)), max(map(max, leaps)) + 1)
    return {vector for vector in itertools.product(reach, repeat=dimension) if tuple(sorted(map(abs, vector))) in sizes}


@pytest.mark.parametrize(("dimension", "neighbours"), [(2, 8), (3, 26), (4, 80), (5, 242)])
def test_king_touches_every_cell_around_its_own(dimension: int, neighbours: int) -> None:
    board = kt.CellBoard(box(*[3] * dimension), moves="king")
    middle = (3**dimension - 1) // 2
    assert isinstance(board, GraphBoard) and len(board.graph[middle]) == neighbours == 3**dimension - 1
    assert board.piece.name == "king" and f"({neighbours} neighbours)" in title_of(board)


@pytest.mark.parametrize("word", ["2x2x2", "2x2x2x2"])
def test_king_of_a_small_cube_has_a_complete_graph(word: str) -> None:
    board = kt.Board(f"{word}:king")
    n = len(board)
    assert all(len(near) == n - 1 for near in board.graph or ())
    if n == 8:
        assert kt.count(board, closed=True) == factorial(n - 1) // 2 == 2520


def test_counts_of_kings_in_boxes() -> None:
    assert kt.count("3x3x2:king", closed=True) == 799_606_784
    assert kt.count("2x2x2:0,0,1+0,1,1", closed=True) == 744


@pytest.mark.parametrize(
    ("moves", "leaps"),
    [
        ("king", [(0, 1), (1, 1), (1, 1, 1)]),
        ("0,0,1+0,1,1", TWO_AXES),
        ("1,1,1", [(1, 1, 1)]),
        ("knight+2,1,1", [(1, 1, 2), (1, 2)]),
        (["king", (1, 1, 1)], [(0, 1), (1, 1), (1, 1, 1)]),
        ([(0, 0, 1), (1, 0, 1)], TWO_AXES),
        (TWO_AXES, TWO_AXES),
        ((1, 2, 3), [(1, 2, 3)]),
        ([[0, 1, 2]], [(1, 2)]),
        ("wazir", [(0, 1)]),
        ("knight", [(1, 2)]),
    ],
)
def test_moves_of_a_box_are_images_of_its_leaps(moves: Any, leaps: list[tuple[int, ...]]) -> None:
    board = kt.Board((3, 4, 4), moves=moves)
    assert isinstance(board, CellBoard) and set(board.vectors) == images(leaps, 3) == set(board.piece.vectors)
    assert board == kt.Board(str(board)) == board_from_dict(board_to_dict(board))
    assert list(board.piece.leaps) == leaps


@pytest.mark.parametrize("name", [name for name in PIECES if name != "king"])
def test_non_king_pieces_keep_their_leaps_in_a_box(name: str) -> None:
    assert Piece.of(name, 3).leaps == Piece.of(name).leaps == PIECES[name].leaps


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: kt.Board("8x8:1,1,1"), "not a leaper: (1, 1, 1)"),
        (lambda: kt.Board(8, 8, moves=["king", (1, 1, 1)]), "not a leaper: (1, 1, 1)"),
        (lambda: kt.Board("hex:3:0,0,1"), "not a leaper: (0, 0, 1)"),
        (lambda: kt.Board("2x2x2:1,1,1,1"), "not a leaper: (1, 1, 1, 1)"),
        (lambda: kt.Board("2x2x2:0,0,0"), "no piece leaps (0, 0, 0)"),
        (lambda: kt.CellBoard(box(2, 2, 2), moves=["king", (1, -1, 1)]), "invalid move: 'king'"),
        (lambda: kt.Board("hex:3:queen"), "the queen is not supported on cells, since it slides"),
        (lambda: kt.Board("4x4x4:rook:-a1.1"), "the rook is not supported on cells, since it slides"),
        (lambda: kt.Board("4x4x4:torus"), "the 4x4x4 board has no sides to join"),
        (lambda: kt.Board("4x4x4:-a1"), "the board has no cell 'a1'"),
        (lambda: kt.Board("4x4x4:-a1.5"), "the board has no cell 'a1.5'"),
        (lambda: kt.Board("4x4x4:-a1.1,a1.1:-b1.1"), "duplicate list of holes"),
        (lambda: kt.Board("1x1x2:-a1.1,b1.1"), "the board has no cell left"),
        (lambda: kt.Board("4x4x4:king", moves="wazir"), "the board and moves= contradict each other"),
        (lambda: kt.Board("9x9x9x9x2x2:1,2,3,4,5,6"), "the moves of the 9x9x9x9x2x2 board"),
    ],
)
def test_rejects_invalid_pieces_and_holes_of_boxes(make: Any, said: str) -> None:
    with pytest.raises(kt.BoardError) as caught:
        make()
    assert str(caught.value).startswith(said)


def test_cell_board_has_the_piece_of_its_cells() -> None:
    assert kt.Board("hex:3:wazir").piece.name == "wazir" == kt.Board("tri:4").piece.name
    assert kt.Board("2x3x4").piece.name == "knight" and kt.Board((2, 2, 2), moves=TWO_AXES).piece.name == "wazir+ferz"


def test_json_pairs_keep_neighbours_and_text_means_king() -> None:
    record = board_to_dict(kt.Board("2x2x2:0,1+1,1"))
    assert record["leaps"] == [[0, 1], [1, 1]] and title_of(board_from_dict(record)).endswith("(18 neighbours)")
    tour = kt.parse_tours("# board 2x2x2:king\n1 2 5 6\n3 4 7 8\n")[0]
    assert tour.board == kt.Board("2x2x2:king") and str(tour.board) == "2x2x2:0,0,1+0,1,1+1,1,1"


def test_link_of_the_former_king_names_the_new_word() -> None:
    tour = kt.find_tour("2x3x3:0,1+1,1", seed=1)
    link = tour.to_text("link")
    assert kt.parse_tours(link) == [tour]
    with pytest.raises(kt.FormatError, match="18 neighbours") as caught:
        kt.parse_tours(link.replace("2x3x3:0,1+1,1", "2x3x3:king"))
    assert "write 2x3x3:0,1+1,1" in caught.value.help


# ---------------------------------------------------------------- holes in words

SHAPES = ["2x3x4", "3x3x3", "2x2x2x3", "hex:2", "hex:3", "tri:4", "tri:5"]
BOARDS = ["5x6", "4x4:torus", "6x5:klein"]


@st.composite
def words_with_holes(draw: st.DrawFn) -> tuple[str, list[str], str]:
    """Draw a shape, names of holes, and a piece."""
    shape = draw(st.sampled_from([*SHAPES, *BOARDS]))
    board = kt.Board(shape)
    names = [board.square_name(square) for square in board.squares]
    holes = draw(st.lists(st.sampled_from(names), max_size=len(names) // 3, unique=True))
    return shape, holes, draw(st.sampled_from(["king", "wazir", "knight", "1,2+0,1"]))


@given(words_with_holes())
def test_words_with_holes_are_read_again(asked: tuple[str, list[str], str]) -> None:
    shape, holes, piece = asked
    parts = [f"-{','.join(holes)}"] if holes else []
    board = kt.Board(":".join([shape, *parts, piece]))
    whole = kt.Board(f"{shape}:{piece}")
    again = kt.Board(str(board))
    assert board == again == kt.Board(str(board)) == kt.Board(shape, holes=holes, moves=piece)
    names = [board.square_name(square) for square in board.squares]
    assert names == [again.square_name(square) for square in again.squares]
    assert names == [name for square in whole.squares if (name := whole.square_name(square)) not in holes]
    assert all(name not in board for name in holes) and len(board) == len(whole) - len(holes)
    assert eval(repr(board), {"Board": kt.Board}) == board
    assert board_from_dict(board_to_dict(board)) == board


@given(words_with_holes(), st.sampled_from(["grid", "algebraic", "json", "link", "csv"]))
def test_tours_of_boards_with_holes_are_read_again(asked: tuple[str, list[str], str], form: str) -> None:
    shape, holes, piece = asked
    tour = kt.solve(kt.Board(shape, holes=holes, moves=piece), max_nodes=2_000).tour
    # The format csv has rows and columns, which boards of cells lack.
    if tour is not None and not (form == "csv" and isinstance(tour.board, kt.CellBoard)):
        assert kt.parse_tours(tour.to_text(form), board=None if form != "csv" else tour.board) == [tour]


def test_cells_left_out_of_a_shape_keep_their_names() -> None:
    board = kt.Board("3x3x3:-" + ",".join(square_names(kt.Board("3x3x3"))[:9]))
    assert board.square_name((0, 0)) == "a3.2" and kt.Board(str(board)).square_name((0, 0)) == "a3.2"
    ring = kt.CellBoard(set(cells_of_shape("hex:2")) - {(0, 0)}, lattice="hexagon", moves="wazir")
    assert kt.count(ring, closed=True) == 1
    ordered = [cell for cell in cells_of_shape("hex:2") if cell != (0, 0)]
    assert str(kt.CellBoard(ordered, lattice="hexagon", moves="wazir")) == "hex:2:0,1:-b2"


def test_a_word_makes_its_board_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    near = graph_board.near
    monkeypatch.setattr(graph_board, "near", lambda *cells: made.append(cells) or near(*cells))
    assert len(kt.Board("hex:5:wazir:-a5")) == 60 and len(made) == 1


def test_repr_of_cells_describes_squares() -> None:
    assert repr(kt.Board("hex:2")) == "Board('hex:2')  # 7 cells: squares (0, 0) to (0, 6), b3 to b1"


@pytest.mark.parametrize("piece", ["king", "wazir", "0,1+1,1"])
def test_facts_and_certificates_state_the_number_of_neighbours(piece: str, run: Run) -> None:
    neighbours = {"king": 26, "wazir": 6, "0,1+1,1": 18}[piece]
    code, out, _ = run("facts", f"2x2x2:{piece}")
    assert code == 0 and f"({neighbours} neighbours)" in out
    code, _, err = run("count", f"2x2x2:{piece}", "--closed")
    assert code == 0 and f"({neighbours} neighbours)" in err


def test_dense_boards_are_searched_before_long_arguments() -> None:
    leaps = [(a, b) for a in range(30) for b in range(a, 30) if b]
    board = kt.Board(30, 30, moves=leaps)
    assert most_moves(board) == 900 * 899
    assert proof_steps(Problem(board, closed=True)) is None
