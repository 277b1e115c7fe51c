"""Tests of informal notations of puzzles: read correctly, or rejected with advice."""

import pytest

import knightstour as kt
from helpers.command_line import Run
from knightstour.core.model.board import Board
from knightstour.lab.puzzles.puzzle import Puzzle, details_of

THREE = kt.Puzzle.from_text("# board 3x3:wazir\n1 . .\n. . .\n. . 9")
FOUR = kt.Puzzle.from_text("# board 4x2:wazir\n1 .\n. .\n. .\n. 8")
ROWS = "1 0 0\n0 0 0\n0 0 9\n"
LISTS = "[[1, 0, 0], [0, 0, 0], [0, 0, 9]]"


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        (f"3\n{ROWS}", "ignored above the rows, since it counts them: '3'"),
        (f"3 3\n\n{ROWS}", "'3 3'"),
        (f"3x3\n{ROWS}", "'3x3'"),
        (f"3\n3\n{ROWS}", "'3' and '3'"),
        (f"1\n\n3 3\n{ROWS}", "'1' and '3 3'"),
        (f"3 2\n{ROWS}", "'3 2'"),
        (f"n = 3; m = 3;\n{ROWS}", "'n = 3; m = 3;'"),
        (f"rows: 3\ncols: 3\n{ROWS}", "'rows: 3' and 'cols: 3'"),
        ("3\n1,0,0\n0,0,0\n0,0,9\n", "'3'"),
        ("3,3\n1,0,0\n0,0,0\n0,0,9\n", "'3,3'"),
        ("1 | 0 | 0\n0|0 |0\n 0 |0| 9\n", "between bars"),
        ("1 | |\n---+---+---\n | | \n---+---+---\n | | 9\n", "between bars"),
        (f"board = {LISTS}\nprint(solve(board))\n", "the words around them are ignored"),
        (f"import numpy as np\nboard = np.array({LISTS})\n", "the words around them are ignored"),
        ("int grid[3][3] = {\n {1,0,0},\n {0,0,0},\n {0,0,9}\n};\n", "the words around them are ignored"),
        ("n = 3; m = 3;\nclue = [| 1, 0, 0\n       | 0,0,0\n       | 0,0,9 |];\n", "the words around them"),
        ("array[1..n, 1..n] of int: clue = [| 1, 0, 0 | 0,0,0 | 0,0,9 |];\n", "the words around them"),
        ("A = [1 0 0; 0 0 0; 0 0 9];\n", "the words around them are ignored"),
        ("[1, 0, 0;\n 0, 0, 0;\n 0, 0, 9]\n", "from brackets"),
        ("[1, 0, 0],\n[0, 0, 0],\n[0, 0, 9]", "from brackets"),
        ("1 -1 -1\n-1 -1 -1\n-1 -1 9\n", "'-1' is an unknown square"),
    ],
)
def test_headings_bars_and_brackets_are_read_with_a_note(text: str, remark: str) -> None:
    read = kt.Puzzle.from_text(text, moves="wazir")
    assert read == THREE and remark in " ".join(read.board.read_as)


def test_counts_above_two_columns_require_a_known_board() -> None:
    text = "4 2\n1 0\n0 0\n0 0\n0 8\n"
    with pytest.raises(kt.FormatError, match="may count the rows below it, or be a row"):
        kt.Puzzle.from_text(text, moves="wazir")
    assert kt.Puzzle.from_text(text, board="4x2:wazir") == FOUR
    assert kt.Puzzle.from_text(f"# board 5x2:wazir\n{text}").board == Board("5x2:wazir")


SIGNS = [
    # text, the holes by name; None for a question
    ("_ 2 .\n_ 6 .\n_ _ _\n", ["c2", "c3"], "the number 6"),
    ("0 2 .\n0 6 .\n0 0 0\n", ["c2", "c3"], "the number 6"),
    ("__ 02 ..\n__ 06 ..\n__ __ __\n", ["c2", "c3"], "'..' is a hole; squares with '__' are unknown"),
    ("__ 2 ##\n__ 6 ##\n__ __ __\n", ["c2", "c3"], ""),
    ("XX 2 #\nXX 4 #\nXX XX XX\n", ["c2", "c3"], "'XX' is an unknown square"),
    ("x 2 .\nx 7 .\nx x x\n", ["c2", "c3"], "the number 7"),
    ("0 2 -1\n0 6 -1\n0 0 0\n", ["c2", "c3"], "'-1' is a hole"),
    (". 2 x\n. 4 x\n. . .\n", ["c2", "c3"], "'x' is a hole"),
    ("_ 2 .\n? 9 .\n_ _ _\n", [], "are unknown squares"),
    ("_ 2 .\n_ 9 .\n_ _ _\n", [], "'.' and '_' are unknown squares"),
    ("_ 2 .\n_ 4 .\n_ _ _\n", None, "ambiguous signs: '.' and '_'"),
    ("0 2 .\n0 3 .\n. 0 .\n", None, "ambiguous signs: '.' and '0'"),
    ("x 2 *\nx 3 *\nx x *\n", None, "ambiguous signs: '*' and 'x'"),
    ("_ 2 .\n? 4 .\n_ _ _\n", None, "ambiguous signs"),
    ("# 2 .\n# 4 x\n. . .\n", None, "ambiguous signs: '.' and 'x'"),
    (" | 2 | .\n | 4 | .\n | | 5\n", None, "ambiguous signs: '.' and a blank"),
]


@pytest.mark.parametrize(("text", "holes", "said"), SIGNS)
def test_ambiguous_signs_are_a_hole_or_rejected(text: str, holes: list[str] | None, said: str) -> None:
    if holes is None:
        with pytest.raises(kt.FormatError) as error:
            kt.Puzzle.from_text(text, moves="king")
        assert said in str(error.value) and "#" in error.value.help
    else:
        read = kt.Puzzle.from_text(text, moves="king")
        assert read.board == Board("3x3:king").replace(holes=holes) and said in " ".join(read.board.read_as)


def test_one_line_of_all_squares_is_read_row_by_row() -> None:
    line = "1 . . . 5 . 3 . 9"
    read = kt.Puzzle.from_text(line, board="3x3:wazir")
    assert read == kt.Puzzle.from_text("1 . .\n. 5 .\n3 . 9\n", moves="wazir")
    assert "one line of all squares is read row by row" in read.board.read_as
    for board in ("3x4:wazir", "1x8:wazir"):
        with pytest.raises(kt.FormatError, match="1 rows and 9 columns, not of"):
            kt.Puzzle.from_text(line, board=board)


@pytest.mark.parametrize(("count", "size"), [(9, "3x3"), (12, "ROWSxCOLS")])
def test_one_line_without_a_board_is_rejected(count: int, size: str) -> None:
    with pytest.raises(kt.FormatError, match=f"one line of {count} squares") as error:
        kt.Puzzle.from_text("1" + " ." * (count - 1))
    assert f"FILE {size}:wazir" in error.value.help


# A Zip of 6x6 with one solution.
ZIP = "6 0 0 0 0 5\n0 0 0 0 0 0\n0 7 1 8 2 0\n0 0 0 0 0 0\n3 0 0 0 0 4\n0 0 0 0 0 0\n"
ZIP_LISTS = "[" + ",".join(f"[{','.join(row.split())}]" for row in ZIP.splitlines()) + "]"


@pytest.mark.parametrize("text", [ZIP, ZIP.replace("0", "."), ZIP_LISTS, f"6\n{ZIP}", f"grid = {ZIP_LISTS}"])
def test_numbers_that_fit_a_zip_require_a_choice(text: str) -> None:
    with pytest.raises(kt.FormatError, match="as squares in order there is one") as error:
        kt.Puzzle.from_text(text, moves="wazir")
    assert "add the line `in order`" in error.value.help
    with pytest.raises(kt.FormatError, match="as squares that the wazir visits in order there is one") as error:
        kt.Puzzle.from_text(text)
    assert "6x6:wazir" in error.value.help
    read = kt.Puzzle.from_text(f"in order\n{text}", moves="wazir")
    assert read.given == {} and len(details_of(read).order) == 8
    assert read.solve().is_unique


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("-- -- -- --\n12 -- 01 --\n-- 16 -- --\n-- 14 -- 06\n", ["king"]),
        ("1 . .\n. . .\n. . 9\n", ["king", "wazir"]),
        ("1 . 3\n. . .\n. . 9\n", ["king", "wazir"]),
    ],
)
def test_text_with_two_possible_pieces_requires_a_choice(text: str, pieces: list[str], run: Run) -> None:
    with pytest.raises(kt.FormatError, match="as numbers for a knight there is no solution") as error:
        kt.Puzzle.from_text(text)
    assert [piece for piece in ("king", "wazir") if f":{piece}" in error.value.help] == pieces
    for piece in pieces:
        assert kt.Puzzle.from_text(text, moves=piece).solve().tours
    assert str(kt.Puzzle.from_text(text, moves="knight").solve()).startswith("no solution")


def test_puzzle_without_solution_in_any_reading_is_accepted() -> None:
    spoilt = kt.Puzzle.from_text("1 . . .\n. . . .\n. . . .\n. . . 3\n")
    assert spoilt == Puzzle("4x4", {"a4": 1, "d1": 3})
    assert str(spoilt.solve()).startswith("no solution")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 0 0\n0 0 0\n0 0\n0 0 9\n", "3: a row has 2 squares, but most rows have 3"),
        ("1 .\n. . .\n. . .\n. . 9\n", "1: a row has 2 squares, but most rows have 3"),
        (f"5\n{ROWS}", "1: the first line, '5', does not match the lines below: 3 rows of 3 squares"),
        (f"3 4\n{ROWS}", "1: the first line, '3 4', does not match"),
        (f"Puzzle 1:\n{ROWS}", "1: invalid square of a puzzle: 'Puzzle'"),
        ("3\n4\n1 1 7\n1 3 9\n3 1 1\n3 3 3\n", "3: these lines of three numbers may be row, column and number"),
        ("1,1,7\n1,3,9\n3,1,1\n3,3,3\n", "1: these lines of three numbers may be row, column and number"),
        ("1 2 | 3 4\n8 7 | 6 5\n", "1: ambiguous bars between squares, perhaps walls"),
        ("1 2 | 3 4\n8 7 6 5\n", "1: ambiguous bars between squares, perhaps walls"),
        (f"size = 4\nboard = {LISTS}", "unused number next to the rows: 4"),
        (f"closed = True\nboard = {LISTS}", "'closed' next to the rows may be a condition of the puzzle"),
        (f"{LISTS}\n{LISTS}", "there is a second list of rows"),
        ("board = [[1, 0, 0],\n [0, 0],\n [0, 0, 9]]", "2: a row has 2 squares, but most rows have 3"),
        ("A1 . .\n. . .\n. . 9\n", "1: invalid square of a puzzle: 'A1'"),
        ("walls a1-b1\n1 .\n. 4\n", "1: only a Zip has walls"),
        (f"{ROWS}# board 3x3:wazir\n", "4: a comment below the rows names a board"),
        (f"# board 3x3\n# board 3x3:wazir\n{ROWS}", "2: a second comment names a board"),
        (
            f"# board hex:2:king\n{ROWS}",
            "the hex:2 board for the king (12 neighbours) has 7 cells, but these lines have 9 words",
        ),
        ("# board hex:2:king\n1 .\n. . .\n# .\n", "holes are not supported on the hex:2 board"),
    ],
)
def test_rejects_leftover_text_with_its_line(text: str, message: str) -> None:
    with pytest.raises(kt.FormatError) as error:
        kt.Puzzle.from_text(text, moves=None if "# board" in text else "wazir")
    assert message in str(error.value)


def test_an_order_of_squares_and_walls_take_rows_and_columns(run: Run) -> None:
    solve = ("solve", "6x6:wazir", "--seed", "1", "--visit-order")
    code, out, _ = run(*solve, "0,0;2,3;5,0", "--forbid", "0,0-0,1;1,1-1,2")
    assert code == 0 and out == run(*solve, "a6,d4,a1", "--forbid", "a6-b6,b5-c5")[1]
    text = "in order\nwalls 0,0-0,1; 1,1-1,2\n1 . .\n. . .\n. . 2\n"
    named = "in order\nwalls a3-b3, b2-c2\n1 . .\n. . .\n. . 2\n"
    assert kt.Puzzle.from_text(text, moves="wazir") == kt.Puzzle.from_text(named, moves="wazir")


def test_comments_above_the_rows_are_omitted_with_a_note() -> None:
    puzzle = kt.Puzzle.from_text("# Hidato 17\n// from a book\n1 . .\n. . .\n. . 9\n", moves="king")
    assert puzzle.given == {(0, 0): 1, (2, 2): 9} and any("Hidato 17" in remark for remark in puzzle.board.read_as)
