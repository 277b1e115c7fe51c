"""Tests of puzzle files of all formats and boards: read as written, or rejected with a reason."""

import json
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers.command_line import Run
from helpers.examples import examples
from knightstour.core.model.board import Board, square_at
from knightstour.core.model.graph_board import CellBoard
from knightstour.lab.puzzles.files import read_puzzles, write_puzzles
from knightstour.lab.puzzles.puzzle import Puzzle, details_of

BOARDS: dict[str, Callable[[], Board]] = {
    "squares": lambda: Board("6x6"),
    "wide": lambda: Board("5x12"),
    "two columns": lambda: Board("5x2:wazir"),
    "holes": lambda: Board("6x6:-a1,a2"),
    "torus": lambda: Board("5x5:torus"),
    "cylinder": lambda: Board("5x6:cylinder"),
    "king": lambda: Board("5x5:king"),
    "wazir": lambda: Board("6x6:wazir:-c3,c4"),
    "mix": lambda: Board("5x5:knight+camel"),
    "hexagon": lambda: Board("hex:3:king"),
    "hexagon of the wazir": lambda: Board("hex:3:wazir"),
    "triangle": lambda: Board("tri:5"),
    "box": lambda: Board("4x4x2:wazir"),
    "box of four sides": lambda: Board("2x3x2x2:wazir"),
    "flat cells": lambda: CellBoard([(r, c) for r in range(4) for c in range(4)], moves="king"),
    "cells with a gap": lambda: CellBoard([(r, c) for r in range(4) for c in range(4) if r != c], moves="king"),
    "cells with vectors": lambda: CellBoard(
        [(r, c) for r in range(3) for c in range(4)], moves=[(0, 1), (0, -1), (1, 0), (-1, 0)]
    ),
    "cells of hexagons": lambda: CellBoard([(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)], moves="wazir", lattice="hexagon"),
    "graph of pairs": lambda: Board.from_graph(nx.grid_2d_graph(4, 4)),
    "graph of numbers": lambda: Board.from_graph(nx.complete_graph(6)),
    "graph of texts": lambda: Board.from_graph(nx.relabel_nodes(nx.cycle_graph(5), dict(enumerate("ab-c,d;e=")))),
}
# The boards that a text cannot hold, and the reason.
NO_TEXT = {name: "text does not support the" for name in BOARDS if "graph" in name or "cells" in name}


def made(name: str) -> Puzzle:
    """Return a puzzle of a board."""
    return kt.make_puzzle(BOARDS[name](), seed=1)


def zip_with_walls() -> Puzzle:
    return kt.make_puzzle("5x5:wazir", kind="zip", clues=5, seed=3)


@pytest.mark.parametrize("name", [*BOARDS, "zip"])
@pytest.mark.parametrize("form", ["p.json", "p.txt", "p.jsonl"])
def test_created_puzzle_is_read_back_unchanged(name: str, form: str, tmp_path: Path) -> None:
    puzzle, path = zip_with_walls() if name == "zip" else made(name), tmp_path / form
    if form == "p.txt" and name in NO_TEXT:
        with pytest.raises(kt.FormatError, match=NO_TEXT[name]):
            puzzle.save(path)
        assert not path.exists()
        return
    puzzle.save(path)
    read = kt.Puzzle.from_file(path)
    assert (read.board, read.given, read.closed) == (puzzle.board, puzzle.given, puzzle.closed)
    assert (details_of(read).order, details_of(read).forbid) == (details_of(puzzle).order, details_of(puzzle).forbid)
    assert read.solve().tours == (puzzle.solution,)
    assert kt.Puzzle.from_file(path, board=puzzle.board) == read
    if form != "p.txt":
        assert read == puzzle
    with pytest.raises(kt.FormatError, match="the file is a puzzle of"):
        kt.Puzzle.from_file(path, board="7x7:zebra")


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    board = BOARDS[draw(st.sampled_from(sorted(BOARDS)))]()
    squares = board.move_graph().squares.tolist()
    numbers = draw(st.lists(st.integers(1, len(squares)), unique=True, max_size=8))
    chosen = [square_at(board, square) for square in draw(st.permutations(squares))]
    if draw(st.booleans()):
        return Puzzle(board, {}, visit_order=chosen[: max(2, len(numbers))])
    return Puzzle(board, dict(zip(chosen, numbers, strict=False)), closed=draw(st.booleans()))


@examples(60)
@given(puzzles())
def test_any_puzzle_is_read_as_it_was_written(puzzle: Puzzle) -> None:
    assert kt.Puzzle.from_text(puzzle.to_text("json")) == puzzle
    try:
        text = puzzle.to_text()
    except kt.FormatError as error:
        assert "text does not support the" in str(error)
    else:
        assert kt.Puzzle.from_text(text) == puzzle


@pytest.mark.parametrize("word", ["6x6", "5x5:king", "hex:3:king", "tri:5", "4x4x2:wazir", "5x5:torus"])
@pytest.mark.parametrize("form", ["p.json", "p.txt"])
def test_command_uses_the_files_board_and_rejects_others(word: str, form: str, tmp_path: Path, run: Run) -> None:
    path = str(tmp_path / form)
    assert run("puzzle", word, "--seed", "1", "-o", path)[0] == 0
    alone = run("puzzle", "solve", path)
    assert alone[0] == 0 and run("puzzle", "solve", path, word)[:2] == alone[:2]
    code, out, err = run("puzzle", "check", path, "6x6:zebra")
    # Rows alone name no piece.
    names_none = (word, form) == ("6x6", "p.txt")
    assert (code == 1 and out.startswith("no solution")) if names_none else (code == 2 and "is a puzzle of" in err)


def test_printed_cell_tour_is_read_back(tmp_path: Path, run: Run) -> None:
    _, out, _ = run("puzzle", "hex:3:king", "--seed", "1")
    heading, *rows = out.splitlines()
    assert heading == "# board hex:3:king" and [len(row.split()) for row in rows] == [3, 4, 5, 4, 3]
    path = tmp_path / "p.txt"
    path.write_text(out.split("\n", 1)[1])
    assert run("puzzle", "check", str(path), "hex:3:king")[1].startswith("exactly one solution")
    # As one row of all cells, which older files have.
    path.write_text(" ".join(out.split()[3:]) + "\n")
    code, out, err = run("puzzle", "check", str(path), "hex:3:king")
    assert code == 0 and out.startswith("exactly one solution") and "one row of all cells" in err
    code, _, err = run("puzzle", "check", str(path), "hex:4:king")
    assert (
        code == 2 and "the hex:4 board for the king (12 neighbours) has 37 cells, but these lines have 19 words" in err
    )
    graph = tmp_path / "g.txt"
    graph.write_text("a b\nb c\nc d\nd a\na c\n")
    for words in ((), ("-o", str(tmp_path / "q.txt"))):
        code, out, err = run("puzzle", str(graph), "--level", "easy", *words)
        assert code == 2 and out == "" and "text does not support the graph of 4 nodes" in err


OLD = [
    (
        '{"board": {"rows": 3, "cols": 4}, "closed": false, "given": {"a3": 1, "a2": 8}, "level": "easy", "seed": 7,'
        ' "is_minimal": true, "solution": [[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]]}',
        Board("3x4"),
        {(0, 0): 1, (1, 0): 8},
    ),
    ('{"board": "3x4", "given": [[0, 0, 1], [1, 0, 8]]}', Board("3x4"), {(0, 0): 1, (1, 0): 8}),
    (
        json.dumps(
            {
                "board": {
                    "rows": 1,
                    "cols": 7,
                    "cells": [[0, -1], [1, -1], [-1, 0], [0, 0], [1, 0], [-1, 1], [0, 1]],
                    "lattice": "hexagon",
                    "leaps": [[0, 1], [1, 1]],
                },
                "given": [[0, 4, 2], [0, 0, [5, 6]]],
            }
        ),
        Board("hex:2:king"),
        {(0, 4): 2, (0, 0): frozenset({5, 6})},
    ),
]


@pytest.mark.parametrize(("text", "board", "given_numbers"), OLD, ids=["squares", "rows and columns", "cells"])
def test_files_of_older_versions_are_read(text: str, board: Board, given_numbers: dict[object, object]) -> None:
    puzzle = kt.Puzzle.from_text(text)
    assert puzzle.board == board and puzzle.given == given_numbers


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"format": "knightstour certificate 1", "board": "3x4", "given": {}}', "unknown format: 'knightstour certif"),
        ('{"format": "knightstour puzzle 1", "board": "3x4", "given": [[0, 0, 1]]}', "given must be an object"),
        ('{"board": "hex:2:king", "given": [[1, 4, 2]]}', "has no square [1, 4]"),
        ('{"board": "hex:2:king", "given": [[0, 7, 2]]}', "has no square [0, 7]"),
        ('{"board": "3x4", "given": {}, "score": "ten"}', "score must be a whole number"),
        ('{"board": "3x4", "given": {}, "difficulty": 3}', "difficulty"),
        ('{"board": "3x4", "given": {}}\n{"board": "3x4", "given": {"a9": 1}}\n', "2: not a puzzle: square a9"),
        ('{"board": "3x4", "given": {}}\n{"board": "3x4", "given": }\n', "2: this is not JSON"),
        ('[{"board": "3x4", "given": {}}, {"board": "3x4", "given": {}}]', "expected one puzzle, found 2"),
    ],
)
def test_rejects_invalid_puzzle_records(text: str, message: str) -> None:
    with pytest.raises(kt.FormatError) as error:
        kt.Puzzle.from_text(text)
    assert message in str(error.value)


def test_rejects_duplicate_names_of_nodes() -> None:
    puzzle = Puzzle(Board.from_graph([(1, "1"), ("1", 2)]), {})
    with pytest.raises(kt.FormatError, match="two nodes of the graph have the name '1'"):
        puzzle.to_text("json")


def test_many_puzzles_are_a_file_of_json_lines(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "all.jsonl"
    puzzles = [kt.make_puzzle("5x5", seed=1), kt.make_puzzle("hex:3:king", seed=1), zip_with_walls()]
    write_puzzles(path, puzzles)
    assert read_puzzles(path) == puzzles and len(path.read_text().splitlines()) == 3
    with pytest.raises(kt.FormatError, match="expected one puzzle, found 3"):
        kt.Puzzle.from_file(path)
    with pytest.raises(kt.FormatError, match="JSON Lines"):
        write_puzzles(tmp_path / "all.txt", puzzles)
    code, out, _ = run("puzzle", "check", str(path))
    assert code == 0 and out.count("exactly one solution") == 3
    code, out, _ = run("puzzle", "check", str(path), "--json")
    assert [json.loads(line)["is_unique"] for line in out.splitlines()] == [True] * 3
    code, out, _ = run("puzzle", "solve", str(path), "--json")
    assert code == 0 and len(out.splitlines()) == 3
    more = tmp_path / "more.jsonl"
    code, out, err = run("puzzle", "5x5", "5x6", "-n", "2", "--seed", "1", "-o", str(more))
    assert code == 0 and out == "" and "more.jsonl: 4 puzzles" in err
    assert [str(puzzle.board) for puzzle in read_puzzles(more)] == ["5x5", "5x5", "5x6", "5x6"]
    with more.open("a") as file:
        file.write('{"board": "3x4", "given": {"a3": 1, "b3": 2}}\n')
    assert run("puzzle", "check", str(more))[0] == 1
