"""Tests of puzzles as text and JSON, and of errors with lines."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers.both_ways import both_ways
from helpers.examples import examples
from knightstour.core.model.board import Board
from knightstour.lab.puzzles.puzzle import Puzzle

BOARDS = [Board(5, 5), Board(4, 6, holes=["b2", "e3"]), Board(5, 6, wrap="torus"), Board(6, 6, leaper=(1, 3))]


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    board = draw(st.sampled_from(BOARDS))
    squares = [divmod(s, board.cols) for s in board.move_graph().squares.tolist()]
    numbers = draw(st.lists(st.integers(1, len(squares)), unique=True, max_size=8))
    chosen = draw(st.permutations(squares))
    return Puzzle(board, dict(zip(chosen, numbers, strict=False)), closed=draw(st.booleans()))


@examples(60)
@given(puzzles())
def test_a_puzzle_is_read_as_it_was_written(puzzle: Puzzle) -> None:
    assert kt.Puzzle.from_text(puzzle.to_text("json")) == puzzle
    assert kt.Puzzle.from_text(puzzle.to_text()) == puzzle


@pytest.mark.parametrize("suffix", ["txt", "json"])
def test_files_are_written_and_read(suffix: str, tmp_path: Path) -> None:
    puzzle = kt.make_puzzle("6x6", closed=True, level="easy", seed=2)
    path = tmp_path / f"puzzle.{suffix}"
    puzzle.save(path)
    read = kt.Puzzle.from_file(path)
    assert (read == puzzle) if suffix == "json" else (read.given == puzzle.given and read.closed)
    puzzle.save(path)


def test_places_of_several_numbers_are_kept_in_json_alone() -> None:
    puzzle = Puzzle("3x4", {"a3": [1, 3], "b1": 2})
    assert str(puzzle).split()[0] == "o"
    assert kt.Puzzle.from_text(puzzle.to_text("json")) == puzzle
    with pytest.raises(kt.FormatError, match="does not support"):
        puzzle.to_text()


def test_nodes_of_a_graph_are_squares_too() -> None:
    board = Board.from_graph(both_ways({"a": ["b", "c"], "b": ["c"], "c": []}))
    puzzle = Puzzle(board, {"b": 2})
    assert kt.Puzzle.from_text(puzzle.to_text("json")) == puzzle
    with pytest.raises(kt.FormatError, match="text does not support the graph"):
        puzzle.to_text()


PLAIN = kt.Puzzle.from_text("1 . .\n. # 3\n")


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        ("1 . .\n. # 3\n", None),
        ("1 0 0\n? # 3\n", "'0' and '?' are unknown squares"),
        ("1 _ .\n? # 3\n", "'.', '?' and '_' are unknown squares"),
        ("1 . .\n. X 3\n", "'X' is a hole"),
        ("1 . .\n. - 3\n", "'-' is a hole"),
        ("1 - -\n- # 3\n", "'-' is an unknown square"),
        ("+---+---+---+\n| 1 |   |   |\n+---+---+---+\n|   | # | 3 |\n+---+---+---+\n", "the frame"),
        ("|1| | |\n| |#|3|\n", "the frame"),
        ("1,,\n,#,3\n", "between ','"),
        ("1;.;.\n.;#;3\n", "between ';'"),
        ("1\t\t\n\t#\t3\n", "between tabs"),
        ('[[1, 0, 0], [0, "#", 3]]', "from brackets"),
        ('[[1, null, null], [null, "#", 3]]', "from brackets"),
        ("[[1, 0, 0],\n ['.', '#', 3]]", "from brackets"),
    ],
)
def test_puzzles_in_other_forms_are_read_with_a_note(text: str, remark: str | None) -> None:
    read = kt.Puzzle.from_text(text)
    assert read == PLAIN
    assert (read.board.read_as == ()) if remark is None else (remark in " ".join(read.board.read_as))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2 -\n4 3 5\n", "'-' may be an unknown square or a hole"),
        ("1 x *\n. . .\n", "ambiguous signs: '*', '.' and 'x'"),
        ("0 . .\n. . 4\n", "0 may be an unknown square, or the first number of a count from 0"),
        ("I T R T\nX O N H\nK G S U\n", "a puzzle of letters cannot be read without its text"),
        (". 1 8 .\n. . . o\no 9 . .\n", "'o' marks a square with several allowed numbers"),
        ("# board 4x4:0,1\n1 .\n. .\n", "the comment names the 4x4 board"),
        ("[[1, 2], 3]", "the rows are not a puzzle"),
    ],
)
def test_rejects_ambiguous_puzzles(text: str, message: str) -> None:
    with pytest.raises(kt.FormatError) as error:
        kt.Puzzle.from_text(text)
    assert message in str(error.value)


def test_leaper_and_wrap_can_accompany_the_text() -> None:
    for leaper, wrap in (((0, 1), None), ((1, 3), "torus")):
        puzzle = kt.Puzzle.from_text("1 . .\n. . 5\n", moves=leaper, wrap=wrap)
        assert puzzle.board == Board(2, 3, leaper=leaper, wrap=wrap)
        # The file contains them.
        assert kt.Puzzle.from_text(puzzle.to_text(), moves=leaper) == puzzle
        for format in ("text", "json"):
            with pytest.raises(kt.FormatError, match="another piece or wrap"):
                kt.Puzzle.from_text(puzzle.to_text(format), moves=(2, 3))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the text contains no puzzle"),
        ("closed\n", "the text contains no puzzle"),
        ("1 . .\n. y .", "2: invalid square of a puzzle: 'y'"),
        ("1 . .\n. .", "2: a row has 2 squares, but the first row has 3"),
        ("1 . .\n. 1 .", "step 1 is at a2 and at b1"),
        ("1 . .\n. 7 .", "b1 cannot have the step 7"),
        ("1 . .\nclosed", "2: invalid square of a puzzle: 'closed'"),
        ("# #\n# #", "no free square"),
        ("-2 .", "square of a puzzle: '-2'"),
        ("9999999 .", "square of a puzzle: '9999999'"),
        ("{", "this is not JSON"),
        ("{}", "not a puzzle as JSON"),
        ('{"board": "3x4"}', "not a puzzle as JSON"),
        ('{"board": "3x4", "given": {"a9": 1}}', "not a puzzle: square a9 is not on the board"),
        ('{"board": "3x4", "given": {"a1": "x"}}', "a1 cannot have the step 'x'"),
        ('{"board": "3x4", "given": [[0, 0, 1], [0, 0, 2]]}', "a square is given twice"),
        ('{"board": "3x4", "given": {}, "level": "nasty"}', "unknown level 'nasty'"),
        ('{"board": "3x4", "given": {}, "text": "abc"}', "the text has 3 letters, but the board has 12 squares"),
        ('{"board": "101x101", "given": {}}', "at most 10,000 squares"),
        (
            '{"board": "3x4", "given": {"a3": 2}, "solution": [[1,4,7,10],[8,11,2,5],[3,6,9,12]]}',
            "the tour has 1 on a3",
        ),
    ],
)
def test_rejects_invalid_puzzles(text: str, message: str) -> None:
    with pytest.raises(kt.FormatError) as error:
        kt.Puzzle.from_text(text)
    assert message in str(error.value)


def test_an_error_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "puzzle.txt"
    path.write_text("1 . .\n. ? y\n")
    with pytest.raises(kt.FormatError, match=r"puzzle\.txt:2: invalid square of a puzzle: 'y'"):
        kt.Puzzle.from_file(path)
    path.write_bytes(b"\x00\x01")
    with pytest.raises(kt.FormatError, match="binary data"):
        kt.Puzzle.from_file(path)


def test_json_matches_its_documentation() -> None:
    puzzle = kt.make_puzzle("5x6", closed=True, seed=3)
    record = json.loads(puzzle.to_text("json"))
    assert list(record) == ["format", "board", "closed", "given", "level", "score", "seed", "is_minimal", "solution"]
    assert record["format"] == "knightstour puzzle 1" and record["board"] == "5x6"
    assert record["score"] == puzzle.rate().score
    assert record["given"] == {puzzle.board.square_name(square): number for square, number in puzzle.given.items()}
