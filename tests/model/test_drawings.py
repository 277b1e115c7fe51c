"""Tests of drawn boards, and of ambiguous drawings."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import knightstour as kt
from helpers.command_line import Run
from knightstour.core.model.board import Board
from knightstour.core.model.errors import BoardError

# ..../.#../..../....
HOLED = Board(4, 4, holes=[(1, 1)])


@pytest.mark.parametrize(
    ("drawing", "remark"),
    [
        ("....\n.#..\n....\n....\n", None),
        (". . . .\n. # . .\n. . . .\n. . . .\n", "spaces between the squares"),
        (". . . .\n. X . .\n. . . .\n. . . .\n", "'X' is a hole"),
        (".\t.\t.\t.\n.\t#\t.\t.\n.\t.\t.\t.\n.\t.\t.\t.\n", "spaces between the squares"),
        (". . . .\n.   . .\n. . . .\n. . . .\n", "a blank is a hole"),
        ("....\n.X..\n....\n....", "'X' is a hole, '.' is a square"),
        ("....\n.x..\n....\n....", "'x' is a hole"),
        ("....\n.*..\n....\n....", "'*' is a hole"),
        ("....\n.-..\n....\n....", "'-' is a hole"),
        ("....\n._..\n....\n....", "'_' is a hole"),
        ("....\n.\u2588..\n....\n....", "is a hole"),
        ("....\n. ..\n....\n....", "a blank is a hole"),
        ("oooo\noXoo\noooo\noooo", "'X' is a hole, 'o' is a square"),
        ("OOOO\nO#OO\nOOOO\nOOOO", "'O' is a square"),
        ("    ....\n    .#..\n    ....\n    ....", "indentation"),
        ("+----+\n|....|\n|.#..|\n|....|\n|....|\n+----+", "the frame"),
        ("|.|.|.|.|\n|.| |.|.|\n|.|.|.|.|\n|.|.|.|.|", "the frame"),
        (["....", ".#..", "....", "...."], None),
        (["....", ".X..", "....", "...."], "'X' is a hole"),
    ],
)
def test_drawings_are_read_with_a_note(drawing: Any, remark: str | None) -> None:
    board = Board.from_text(drawing)
    assert board == HOLED
    assert (board.read_as == ()) if remark is None else (remark in " ".join(board.read_as))


@pytest.mark.parametrize("holes_are", [0, "0", False])
def test_holes_are_selects_the_sign(holes_are: Any) -> None:
    for drawing in ("1111\n1011\n1111\n1111", "1 1 1 1\n1 0 1 1\n1 1 1 1\n1 1 1 1", ["1111", "1011", "1111", "1111"]):
        assert Board.from_text(drawing, holes_are=holes_are) == HOLED
    squares = np.ones((4, 4), dtype=int)
    squares[1, 1] = 0
    assert Board.from_text(squares, holes_are=holes_are) == HOLED
    assert Board.from_text(squares.astype(bool)) == HOLED
    assert Board.from_text(1 - squares, holes_are=1) == HOLED
    assert Board.from_text("####\n# ##\n####\n####", holes_are=" ") == HOLED


@pytest.mark.parametrize(
    ("drawing", "message"),
    [
        ("0100\n0000", "which sign is a hole: '0', '1'"),
        ("####\n#XX#", "which sign is a hole: '#', 'X'"),
        ("## #\n####", "which sign is a hole: a blank, '#'"),
        (".o.\n...", "which sign is a hole: '.', 'o'"),
        (".#X\n...", "which sign is a hole: '#', '.', 'X'"),
        ("XXX\nXXX", "which sign is a hole: 'X'"),
        ("..7\n...", "line 1, column 3: '7' is neither '.' (square) nor '#' (hole)"),
        ("S..\n..#\n...", "'S' at a3 marks the start of a tour, which is no part of a board"),
        ("...\n..#\n.E.", "'E' at b1 marks the end of a tour, which is no part of a board"),
        ("3x4\n...\n..#\n...", "the size above the drawing is 3 x 4, and the drawing has 3 rows and 3 columns"),
        ("|..|\n....", "line 2 has no bars"),
        (np.array([[1, 0], [0, 1]]), "which sign is a hole: '0', '1'"),
        (np.array([[1, 2]]), "booleans, or 0 and 1"),
        (np.ones(3, dtype=bool), "rows and columns"),
        ([], "not a drawing"),
        (["..", 3], "not a drawing"),
    ],
    ids=str,
)
def test_a_drawing_that_may_mean_two_boards_is_refused(drawing: Any, message: str) -> None:
    with pytest.raises(BoardError) as error:
        Board.from_text(drawing)
    assert message in str(error.value) and (error.value.help or "rows and columns" in message)


@pytest.mark.parametrize("size", ["2 3", "2x3", "2, 3", "2 \u00d7 3"])
def test_a_size_above_a_drawing_is_held_against_it(size: str, tmp_path: Path) -> None:
    board = Board(2, 3, holes=["c2"])
    (tmp_path / "b.txt").write_text(f"{size}\n..#\n...\n")
    for read in (Board.from_text(f"{size}\n..#\n..."), Board.from_file(tmp_path / "b.txt")):
        assert read == board and read.read_as == ("the size above the drawing is left out",)
    assert Board.from_text("1 0\n1 1", holes_are=0) == Board(2, 2, holes=["b2"])


def test_wrong_signs_for_holes_are_refused() -> None:
    for holes_are, message in (("ab", "not one sign"), (7, "has no sign '7'"), (1.5, "must be a sign")):
        with pytest.raises(TypeError if holes_are == 1.5 else BoardError, match=message):
            Board.from_text("0101\n1111", holes_are=holes_are)  # type: ignore[arg-type]
    with pytest.raises(BoardError, match="several signs besides the holes"):
        Board.from_text("0.1", holes_are="1")


def test_an_inverted_drawing_gets_a_remark() -> None:
    # The ring was meant: its eight squares are joined by moves.
    board = Board.from_text("###\n#.#\n###")
    assert len(board) == 1
    assert "1 of 9; if '#' is the square, the board has 8 squares that moves join" in board.read_as[0]
    # Here the holes are no board that moves join, or the fewer.
    assert Board.from_text("##\n#.").read_as == ()
    assert Board.from_text("...\n.#.\n...").read_as == ()


@pytest.mark.parametrize("drawing", ["XXXOX\nXXXXX\nXXOXX\nXXXXX", "xxxx\nxoox\nxxxx", "*****O", "O_____"])
def test_letters_of_holes_that_may_be_squares_are_ambiguous(drawing: str) -> None:
    signs = sorted(set(drawing) - {"\n"})
    with pytest.raises(BoardError, match="which sign is a hole") as caught:
        Board.from_text(drawing, moves="wazir")
    assert "is it drawn the other way round" in (caught.value.note or "") and "FILE:-SIGN" in caught.value.help
    boards = [Board.from_text(drawing, moves="wazir", holes_are=sign) for sign in signs]
    assert [len(board) for board in boards] == [drawing.count(sign) for sign in reversed(signs)]


def test_the_command_line_reads_drawings(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "board.txt"
    path.write_text("....\n.X..\n....\n....\n")
    code, out, err = run("facts", str(path), "--json")
    assert code == 0 and json.loads(out)["facts"]["squares"] == 15
    assert "note: 'X' is a hole, '.' is a square" in err and json.loads(out)["read_as"] == [
        "'X' is a hole, '.' is a square"
    ]
    path.write_text("1111\n1011\n1111\n1111\n")
    code, out, err = run("solve", str(path))
    assert (code, out) == (2, "") and "FILE:-SIGN" in err
    code, out, _ = run("facts", f"{path}:-0", "--json")
    assert json.loads(out)["facts"]["squares"] == 15
    path.write_text(". . . .\n. X . .\n. . . .\n. . . .\n")
    code, out, err = run("facts", f"{path}:-a1,b1", "--json")
    assert json.loads(out)["facts"]["squares"] == 13 and "spaces between" in err
    assert run("facts", f"{path}:torus:2,3", "--json")[0] == 0
    for word in ("8x8:-0", f"edges:{path}:-0", f"{path}:-b3", f"{path}:sphere"):
        assert run("solve", word)[0] == 2, word


def test_arrays_are_drawings_and_matrices(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "x.npy"
    squares = np.ones((4, 5), dtype=bool)
    squares[1, 1] = False
    np.save(path, squares)
    assert json.loads(run("facts", str(path), "--json")[1])["facts"]["squares"] == 19
    ring = np.roll(np.eye(6, dtype=int), 1, axis=1)
    np.save(path, ring + ring.T)
    code, out, err = run("solve", str(path), "--closed", "--json")
    assert code == 0 and len(json.loads(out)["squares"]) == 6 and "adjacency matrix" in err
    np.save(path, (ring + ring.T).astype(bool))
    code, _, err = run("solve", str(path), "--closed")
    assert code == 2 and "may be an adjacency matrix, or the drawing" in err
    assert run("solve", f"matrix:{path}", "--closed")[0] == 0
    np.save(path, np.arange(12).reshape(3, 4))
    code, _, err = run("solve", str(path))
    assert code == 2 and "array is not a board" in err


# ---------------------------------------------------------------- lists, brackets and files

RING = {(1, 1), (1, 2)}
GRID = [[0, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 0]]


@pytest.mark.parametrize(
    "rows",
    [
        GRID,
        [tuple(row) for row in GRID],
        [[bool(x) for x in row] for row in GRID],
        [["01"[x] for x in row] for row in GRID],
        str(GRID),
        str(GRID).replace("],", "],\n"),
        str(np.array(GRID)),
        "int grid[3][4] = " + str(GRID).replace("[", "{").replace("]", "}") + ";",
        "grid = np.array(" + str(GRID) + ")",
        str([[bool(x) for x in row] for row in GRID]),
    ],
    ids=str,
)
def test_rows_in_lists_and_brackets_are_drawings(rows: Any) -> None:
    assert kt.Board.from_text(rows, holes_are=1).holes == RING
    assert len(kt.Board.from_text(rows, holes_are=0)) == 2
    if not str(rows).count("True"):
        with pytest.raises(kt.BoardError, match="does not say which sign is a hole") as caught:
            kt.Board(rows) if isinstance(rows, list) else kt.Board.from_text(rows)
        assert "holes_are" in caught.value.help


def test_true_is_a_square_in_lists() -> None:
    assert kt.Board([[True, False], [True, True]]).holes == {(0, 1)}
    assert kt.Board.from_text("[[True, False], [True, True]]").holes == {(0, 1)}
    assert kt.Board([[".", "#"], [".", "."]]).holes == {(0, 1)}


@pytest.mark.parametrize("rows", [[[0, 2], [1, 1]], [[1, 2], [0], [0]], [[0.5]], [[], []]])
def test_rejects_lists_that_draw_no_board(rows: Any) -> None:
    with pytest.raises(kt.BoardError):
        kt.Board(rows)


@pytest.mark.parametrize(
    ("behind", "board"),
    [
        ("", kt.Board(3, 4, holes=RING)),
        (":king", kt.Board(3, 4, holes=RING, moves="king")),
        (":torus", kt.Board(3, 4, holes=RING, wrap="torus")),
        (":wazir:-a1,d3:torus", kt.Board(3, 4, holes={*RING, (2, 0), (0, 3)}, moves="wazir", wrap="torus")),
    ],
)
def test_parts_may_follow_the_name_of_a_drawing(tmp_path: Path, behind: str, board: kt.Board) -> None:
    path = tmp_path / "shape.txt"
    path.write_text("....\n.##.\n....\n")
    assert kt.Board.from_file(f"{path}{behind}") == board
    (tmp_path / "bits.txt").write_text(str(GRID))
    assert kt.Board.from_file(f"{tmp_path}/bits.txt:-1{behind}") == board
    odd = tmp_path / "odd:torus"
    odd.write_text("...\n")
    assert kt.Board.from_file(odd) == kt.Board(1, 3)
    with pytest.raises(kt.BoardError, match="contradict each other"):
        kt.Board.from_file(f"{path}:king", moves="wazir")
    with pytest.raises(kt.BoardError, match="unknown part of a board: 'qeen'"):
        kt.Board.from_file(f"{path}:qeen")


@pytest.mark.parametrize("word", ["heart.txt", "heart.txt:king", "maps/heart", "photo.png:80:closed"])
def test_board_opens_no_file_and_names_from_file(word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "heart.txt").write_text("...\n")
    monkeypatch.chdir(tmp_path)
    for make in (kt.Board, kt.make_puzzle):
        with pytest.raises(kt.BoardError, match="not a board size") as caught:
            make(word)  # type: ignore[operator]
        assert f"Board.from_file({word!r})" in caught.value.help


def test_path_object_is_read_as_a_board(tmp_path: Path) -> None:
    path = tmp_path / "heart.txt"
    path.write_text("#..#\n....\n")
    board = kt.Board(2, 4, holes=["a2", "d2"])
    assert kt.Board(path) == board and kt.Board(path, moves="king") == board.replace(moves="king")
    assert kt.solve(path).problem.board == board
    with pytest.raises(kt.BoardError, match="its own size and holes"):
        kt.Board(path, holes=["a1"])


def test_replace_keeps_other_attributes() -> None:
    board = kt.Board(4, 5, holes=["a1"], wrap="torus", moves="king")
    assert board.replace() == board and str(board.replace(holes=(), wrap=None)) == "4x5:king"
    assert str(board.replace(rows=6, moves="knight")) == "6x5:torus:-a3"
