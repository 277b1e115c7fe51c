"""Tests of boards against the definitions of reference.py, and of invalid boards."""

import pickle
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from helpers import reference
from helpers.both_ways import both_ways
from helpers.strategies import LEAPERS, boards
from knightstour.core.model.board import WRAPS, Board, are_moves, move_graph, square_count, title_of
from knightstour.core.model.errors import BoardError, KnightsTourError, MissingPackage
from knightstour.core.model.grid_board import is_rectangle
from knightstour.core.model.names import parse_size, square_name
from knightstour.core.model.pieces import Piece


def moves_of(board: Board) -> dict[tuple[int, int], set[tuple[int, int]]]:
    """Return the move graph in the form of the reference."""
    near = move_graph(board).neighbour_lists()
    return {divmod(s, board.cols): {divmod(t, board.cols) for t in near[s]} for s in move_graph(board).squares.tolist()}


def refusal(function: Any, *args: Any, error: Any = BoardError, **options: Any) -> str:
    """Return the complete text of the expected error."""
    with pytest.raises(error) as caught:
        function(*args, **options)
    return " / ".join([str(caught.value), *getattr(caught.value, "__notes__", [])])


# ---------------------------------------------------------------- moves


@pytest.mark.parametrize("wrap", [None, *WRAPS])
def test_moves_match_the_definition_on_tiny_boards(wrap: str | None) -> None:
    for rows in range(1, 5):
        for cols in range(1, 5):
            for leaper in LEAPERS:
                board = Board(rows, cols, wrap=wrap, leaper=leaper)
                assert moves_of(board) == reference.adjacency(reference.spec_of(board)), board


@pytest.mark.parametrize("wrap", [None, *WRAPS])
def test_are_moves_agrees_with_the_move_graph_on_all_pairs(wrap: str | None) -> None:
    for rows in range(1, 6):
        for cols in range(1, 6):
            for leaper in LEAPERS:
                board = Board(rows, cols, wrap=wrap, leaper=leaper)
                size = rows * cols
                before, after = np.divmod(np.arange(size * size), size)
                expected = np.zeros((size, size), dtype=bool)
                for s, near in enumerate(move_graph(board).neighbour_lists()):
                    expected[s, near] = True
                assert np.array_equal(are_moves(board, before, after), expected.ravel()), board


def test_neighbours_come_in_the_order_of_the_moves() -> None:
    board = Board(5, 5)
    expected = [(2 + dr) * 5 + 2 + dc for dr, dc in Piece.of((1, 2)).vectors]
    assert move_graph(board).neighbour_lists()[12] == expected


def test_the_lists_of_moves_are_read_only() -> None:
    moves = move_graph(Board(5, 5))
    for array in (moves.offsets, moves.targets, moves.is_square):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


@pytest.mark.parametrize("wrap", [None, *WRAPS])
def test_leap_longer_than_board_and_64_bits_works(wrap: str | None) -> None:
    rows, cols = 4, 5
    rounds = 2 * rows * cols * 10**30
    far, near = Board(rows, cols, wrap=wrap, leaper=(1, 2 + rounds)), Board(rows, cols, wrap=wrap, leaper=(1, 2))
    if wrap in ("torus", "klein"):
        assert moves_of(far) == moves_of(near)
    else:
        # Where the rows do not wrap, the long leap can only go round along the columns.
        assert all(moves_of(far)[s] <= moves_of(near)[s] for s in moves_of(near))
    before, after = np.divmod(np.arange(400), 20)
    linked = are_moves(far, before, after).reshape(20, 20)
    assert [np.flatnonzero(line).tolist() for line in linked] == [
        sorted(near) for near in move_graph(far).neighbour_lists()
    ]


# ---------------------------------------------------------------- names


def test_columns_are_named_a_to_z_then_aa() -> None:
    names = [square_name((0, col), 1)[:-1] for col in range(26 + 26 * 26 + 1)]
    letters = string.ascii_lowercase
    assert names == [*letters, *(a + b for a in letters for b in letters), "aaa"]
    assert [square_name((row, 0), 8) for row in range(8)] == [f"a{n}" for n in range(8, 0, -1)]


@given(st.integers(1, 10**30), st.integers(1, 10**30), st.data())
def test_a_name_leads_back_to_its_square(rows: int, cols: int, data: st.DataObject) -> None:
    board = Board(rows, cols)
    square = (data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, cols - 1)))
    name = board.square_name(square)
    assert board.square(name) == board.square(name.upper()) == board.square(f" {name} ") == square
    assert board.square(f"{square[0]},{square[1]}") == board.square(f"({square[0]}, {square[1]})") == square
    assert name in board and square in board


@pytest.mark.parametrize("square", [(3, 0), (0, 4), (-1, 0), (0, -1), "a0", "a4", "e1", "aa1", "0,4", "-1,0"])
def test_a_square_off_the_board_is_refused_with_the_bounds(square: Any) -> None:
    message = refusal(Board(3, 4).square, square)
    assert "not on the board" in message and "rows 0 to 2 and columns 0 to 3" in message and "a1 to d3" in message
    assert square not in Board(3, 4)


@pytest.mark.parametrize(
    ("square", "error"),
    [
        *((value, BoardError) for value in ("", "1a", "a", "a1b2", "0;0", (0,), (0, 0, 0))),
        *((value, TypeError) for value in (None, 5, (0.0, 1.0), b"ab", [0, [1]])),
    ],
)
def test_rejects_invalid_square_and_shows_the_syntax(square: Any, error: type[Exception]) -> None:
    message = refusal(Board(3, 4).square, square, error=error)
    assert "not a square" in message and "a1" in message
    assert square not in Board(3, 4)


def test_a_hole_is_refused_as_a_square() -> None:
    board = Board(3, 4, holes=["a1"])
    assert "hole" in refusal(board.square, (2, 0)) and "a1 is a hole" in refusal(board.square, "a1")
    assert "a1" not in board and (2, 0) not in board and "a2" in board


# ---------------------------------------------------------------- making boards


@given(boards())
def test_a_drawing_leads_back_to_its_board(board: Board) -> None:
    assert Board.from_text(board.to_text(), wrap=board.wrap, moves=board.piece) == board
    assert Board.from_text(board.to_text() + "\n\n", wrap=board.wrap, moves=board.piece) == board


@given(boards())
def test_a_board_is_a_value(board: Board) -> None:
    again = pickle.loads(pickle.dumps(board))
    assert again == board and hash(again) == hash(board) and repr(again) == repr(board)
    namespace: dict[str, Any] = {"Board": Board}
    assert eval(repr(board), namespace) == board
    assert Board(board) is board
    with pytest.raises(AttributeError):
        board.rows = 3  # type: ignore[misc]


def test_holes_are_given_as_pairs_or_names_and_counted_once() -> None:
    board = Board(4, 4, holes=["a1", (0, 3), (3, 0)])
    assert board.holes == {(3, 0), (0, 3)} and len(board) == 14
    assert not is_rectangle(board) and is_rectangle(Board(4, 4))
    assert not is_rectangle(Board(4, 4, wrap="torus")) and not is_rectangle(Board(4, 4, leaper=(2, 3)))


def test_board_repr_describes_it() -> None:
    assert title_of(Board(4, 5)) == "4x5 board"
    assert title_of(Board(4, 5, wrap="torus", holes=["a1"])) == "4x5 torus with 1 hole"
    assert title_of(Board(4, 5, leaper=(2, 3), holes=["a1", "a2"])) == "4x5 board with 2 holes for the zebra"
    assert title_of(Board.from_graph([[1], [0]])) == "graph of 2 nodes"


def refused(words: list[str], ask: Callable[[Any], Any], *things: Any) -> list[Any]:
    """Return valid inputs, and messages of invalid ones."""
    return [pytest.param(ask, thing, words, id=f"{words[0]}-{thing!r}"[:60]) for thing in things]


@pytest.mark.parametrize(
    ("ask", "thing", "words"),
    [
        *refused(["has no square", "at least 1"], lambda v: Board(*v), (0, 5), (5, 0), (-1, 5), (5, -(10**30))),
        *refused(["rows must be a whole number, not {!r}"], lambda v: Board(v, 5), 2.0, "2", None, True, 2 + 0j),
        *refused(
            ["not a board size", "8x8"], Board, "", "8x", "x8", "axb", "8,8", "8 8", "8.0x8", "9" * 5000, "8x8\nx"
        ),
        *refused(["has no square"], parse_size, "0", "0x8", "8x0", "-8x8", "-1"),
        *refused(["not a board", "(rows, cols)"], Board, 7.5, None, (1,), (1, 2, 2.5), {}, object),
        *refused(
            ["unknown wrap", "cylinder, torus, mobius, klein"],
            lambda v: Board(5, 5, wrap=v),
            *("ball", "", "Torus"),
        ),
        *refused(["no piece leaps"], lambda v: Board(5, 5, leaper=v), (0, 0), (-1, 2), (1, -2)),
        *refused(
            ["not a leaper", "the knight"],
            lambda v: Board(5, 5, leaper=v),
            *((1,), (1, 2, 3), "12", 12, (1.0, 2.0), ("1", "2"), (1, float("inf"))),
        ),
        *refused(["no free square"], lambda v: Board(1, 2, holes=v), [(0, 0), (0, 1)]),
        *refused(["no free square"], Board.from_text, "##\n##"),
        *refused(["not on the board"], lambda v: Board(2, 2, holes=v), [(2, 0)]),
        *refused(["not a graph"], Board.from_graph, 5, None, {1: 2}, [1, 2]),
        *refused(["is not a node of the graph"], Board.from_graph, {1: [2]}, [[1]], {1: [[1]]}, [[-1], []]),
    ],
)
def test_rejects_invalid_boards_with_an_explanation(ask: Callable[[Any], Any], thing: Any, words: list[str]) -> None:
    message = refusal(ask, thing, error=(BoardError, TypeError))
    assert all(word.format(thing) in message for word in words) and len(message) < 300


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("\n \n", "empty"),
        ("\n..", "starts with an empty line"),
        ("...\n..", "line 2 and the first line differ in length: 2 and 3 squares"),
        ("..\n...", "line 2 and the first line differ in length: 3 and 2 squares"),
        ("..\n\n..", "line 2 and the first line differ in length: 0 and 2"),
        ("..\n.y", "line 2, column 2: 'y' is neither"),
        ("..\0", "line 1, column 3"),
    ],
)
def test_a_bad_drawing_is_refused_with_the_place(text: str, message: str) -> None:
    assert message in refusal(Board.from_text, text)


def test_a_drawing_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_bytes(b"\xef\xbb\xbf#..#\r\n....\r\n")
    assert Board.from_file(path, wrap="torus") == Board(2, 4, holes=[(0, 0), (0, 3)], wrap="torus")


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "empty"), (b"..\n.", "line 2"), (b"\x80\xff\x00\x01", "binary data")],
)
def test_a_bad_file_is_refused_by_name(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "board.txt"
    path.write_bytes(content)
    refused = refusal(Board.from_file, path, error=KnightsTourError)
    assert message in refused and str(path) in refused


# ---------------------------------------------------------------- giants


def test_a_giant_board_is_cheap() -> None:
    board = Board(10**100, 10**100, holes=["a1"])
    assert square_count(board) == 10**200 - 1
    assert board.square((7, 10**99)) in board and "a1" not in board
    assert board.square(board.square_name((5, 10**98))) == (5, 10**98)
    assert pickle.loads(pickle.dumps(board)) == board and str(board) and repr(board) and hash(board)


def test_the_moves_of_a_giant_board_are_refused_at_once() -> None:
    message = refusal(move_graph, Board(10**100, 1))
    assert "too many to list" in message and "50,000,000" in message


# ---------------------------------------------------------------- graphs


@given(boards())
def test_a_board_goes_to_networkx_and_back(board: Board) -> None:
    graph = board.to_networkx()
    assert {s: set(graph[s]) for s in graph} == reference.adjacency(reference.spec_of(board))
    back = Board.from_graph(graph)
    labels = back.labels
    assert labels is not None and set(labels) == set(graph)
    assert {(0, i): {(0, t) for t in near} for i, near in enumerate(move_graph(back).neighbour_lists())} == {
        (0, labels.index(s)): {(0, labels.index(t)) for t in graph[s]} for s in graph
    }
    assert networkx.utils.graphs_equal(back.to_networkx(), graph)


@given(st.integers(1, 8), st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7))))
def test_adjacency_list_can_name_an_edge_at_either_end(count: int, pairs: list[tuple[int, int]]) -> None:
    pairs = [(a % count, b % count) for a, b in pairs]
    lists: list[list[int]] = [[] for _ in range(count)]
    for a, b in pairs:
        lists[a].append(b)
    assume(count == 1 or any(len(near) != count for near in lists))  # which might be a matrix
    board = Board.from_graph(both_ways(lists))
    expected = {frozenset(p) for p in pairs if p[0] != p[1]}
    assert {frozenset(e) for e in move_graph(board).edges().tolist()} == expected
    same = Board.from_graph(both_ways({f"n{a}": [f"n{b}" for b in near] for a, near in enumerate(lists)}))
    assert same.graph == board.graph and same.square("n0") == (0, 0) and same.square_name((0, 0)) == "n0"
    before, after = np.divmod(np.arange(count * count), count)
    joined = are_moves(board, before, after).reshape(count, count)
    assert {frozenset(p) for p in np.argwhere(joined).tolist()} == expected


def test_nodes_are_squares_under_any_label() -> None:
    board = Board.from_graph(both_ways({("x", 1): [None], None: ["b"], "b": []}))
    assert [board.square(node) for node in (("x", 1), None, "b", (0, 2))] == [(0, 0), (0, 1), (0, 2), (0, 2)]
    assert "b" in board and "c" not in board


def test_missing_networkx_error_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "networkx", None)
    assert "pip install" in refusal(Board(3, 3).to_networkx, error=MissingPackage)
