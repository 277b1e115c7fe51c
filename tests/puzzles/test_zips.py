"""Tests of Zips: squares in order and walls, with one solution; created, drawn, written, read and solved."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import knightstour as kt
from helpers import reference
from helpers.command_line import Run
from knightstour.core.drawing.paper import Box, Ring, Stroke, Text
from knightstour.core.model.errors import FormatError, InvalidTour, ProblemError
from knightstour.core.model.graph_board import CellBoard
from knightstour.lab.puzzles.files import puzzle_from_dict, puzzle_to_dict
from knightstour.lab.puzzles.layout import SheetStyle
from knightstour.lab.puzzles.panels import Panel, panel_items, plan_of
from knightstour.lab.puzzles.puzzle import Puzzle, check_solution, details_of
from knightstour.lab.puzzles.sheets import draw_sheet


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    return kt.make_puzzle("5x5:wazir", kind="zip", clues=5, seed=2)


HEXAGON = {(0, 1), (1, 0), (-1, 1), (0, -1), (-1, 0), (1, -1)}


def adjacency(board: kt.Board) -> reference.Adjacency:
    """Return touching squares; hexagons have six neighbours."""
    if not isinstance(board, CellBoard):
        return reference.adjacency(reference.spec_of(board))
    places = {cell: (0, k) for k, cell in enumerate(board.cells)}
    near = {cell: [(cell[0] + row, cell[1] + col) for row, col in HEXAGON] for cell in places}
    return {places[cell]: {places[other] for other in others if other in places} for cell, others in near.items()}


def solutions(puzzle: Puzzle, without: frozenset[Any] = frozenset()) -> list[list[Any]]:
    """Return all solutions of a Zip by plain code. without: removed walls."""
    adjacent = adjacency(puzzle.board)
    for pair in puzzle.walls or ():
        if pair not in without:
            a, b = pair
            adjacent[a].discard(b)
            adjacent[b].discard(a)
    named = list(details_of(puzzle).order)
    tours = reference.all_tours(adjacent, start=named[0], end=named[-1])
    return [tour for tour in tours if [square for square in tour if square in named] == named]


@pytest.mark.parametrize(
    ("board", "count", "seed"),
    [
        ("4x5:wazir", 5, 1),
        ("4x5:wazir", 2, 2),
        ("5x4:wazir:-a1", 4, 3),
        ("3x4:king", 3, 1),
        ("4x4:king:-b2", 4, 2),
        pytest.param("hex:3:wazir", 4, 1, marks=pytest.mark.long),
        ("tri:5:wazir", 3, 2),
        ("tri:4:wazir", 2, 3),
    ],
)
def test_zip_has_one_solution_and_no_needless_wall(board: str, count: int, seed: int) -> None:
    puzzle = kt.make_puzzle(board, kind="zip", clues=count, seed=seed)
    assert puzzle.solution is not None
    assert (len(details_of(puzzle).order), puzzle.given, details_of(puzzle).is_minimal) == (count, {}, True)
    squares = [divmod(s, puzzle.board.cols) for s in puzzle.solution.order.tolist()]
    assert solutions(puzzle) == [squares]
    assert all(len(solutions(puzzle, frozenset({wall}))) > 1 for wall in puzzle.walls or ())
    answer = puzzle.solve()
    assert (answer.is_unique, answer.tours) == (True, (puzzle.solution,))


def test_the_same_seed_gives_the_same_zip(puzzle: Puzzle) -> None:
    assert kt.make_puzzle("5x5:wazir", kind="zip", clues=5, seed=2) == puzzle
    assert kt.make_puzzle("5x5:wazir", kind="zip", clues=5, seed=3) != puzzle


def test_text_and_json_are_read_back(puzzle: Puzzle) -> None:
    read = kt.Puzzle.from_text(puzzle.to_text())
    assert (read.board, details_of(read).order, details_of(read).forbid) == (
        puzzle.board,
        details_of(puzzle).order,
        details_of(puzzle).forbid,
    )
    assert puzzle_from_dict(puzzle_to_dict(puzzle)) == puzzle


@pytest.mark.parametrize("board", ["4x5:king", "hex:3:wazir", "tri:5:wazir", "3x3:fers+wazir"])
def test_zips_of_other_pieces_are_written_drawn_and_printed(board: str) -> None:
    puzzle = kt.make_puzzle(board, kind="zip", clues=4, seed=1)
    assert puzzle_from_dict(puzzle_to_dict(puzzle)) == puzzle
    if not isinstance(puzzle.board, CellBoard):
        read = kt.Puzzle.from_text(puzzle.to_text())
        assert (read.board, details_of(read).order, details_of(read).forbid) == (
            puzzle.board,
            details_of(puzzle).order,
            details_of(puzzle).forbid,
        )
    picture = bytes(kt.draw(puzzle)).decode()
    assert picture.count("<circle") == 4
    walls = [part for part in picture.split("<path ") if 'stroke-linecap="round" stroke-width="4.8"' in part]
    assert [part.split("/>")[0].count("M") for part in walls] == [len(details_of(puzzle).forbid)] and details_of(
        puzzle
    ).forbid
    page = draw_sheet([puzzle], solutions="none").pages[0]
    assert sum(isinstance(item, Ring) for item in page.items) == 4
    assert draw_sheet([puzzle], solutions="last").to_pdf()[:5] == b"%PDF-"


def centres(puzzle: Puzzle) -> dict[Any, tuple[float, float]]:
    return {cell.square: (cell.x, cell.y) for cell in plan_of(puzzle.board).cells}


@pytest.mark.parametrize("board", ["4x5:wazir", "4x5:king", "hex:3:wazir"])
def test_the_walls_of_a_sheet_lie_across_the_forbidden_moves(board: str) -> None:
    puzzle = kt.make_puzzle(board, kind="zip", clues=3, seed=2)
    at, inks = centres(puzzle), SheetStyle().inks
    for wall in puzzle.walls or ():
        panel = Panel(puzzle.board, {}, "", walls=frozenset({wall}))
        bare = panel_items(replace(panel, walls=frozenset()), 0, 0, 10, inks)
        (item,) = [each for each in panel_items(panel, 0, 0, 10, inks) if each not in bare]
        (x, y), (u, v) = (at[square] for square in wall)
        middle = (5 * (x + u), 5 * (y + v))
        if isinstance(item, Box):
            assert middle == pytest.approx((item.x + item.width / 2, item.y + item.height / 2))
            across = (item.width, 0) if item.width > item.height else (0, item.height)
        else:
            assert isinstance(item, Stroke)
            assert middle == pytest.approx(((item.x + item.x_end) / 2, (item.y + item.y_end) / 2))
            across = (item.x_end - item.x, item.y_end - item.y)
        assert across[0] * (u - x) + across[1] * (v - y) == pytest.approx(0) and max(map(abs, across)) > 3


def test_the_solution_of_a_zip_shows_numbers_and_their_order(puzzle: Puzzle) -> None:
    assert puzzle.solution is not None
    _, page = draw_sheet([puzzle], solutions="last").pages
    at = [(item.x, item.y) for item in page.items if isinstance(item, Ring)]
    texts = [item for item in page.items if isinstance(item, Text)]
    found = set()
    for x, y in at:
        inside = [item for item in texts if abs(item.x - x) < 6 and abs(item.y - y) < 6 and item.anchor == "middle"]
        large, small = sorted(inside, key=lambda item: -item.size)
        assert large.is_bold and small.size < large.size / 1.5
        found.add((int(small.text), int(large.text)))
    numbers = puzzle.solution.numbers
    assert found == {(k, int(numbers[square])) for k, square in enumerate(details_of(puzzle).order, 1)}


def test_hints_lead_to_the_solution(puzzle: Puzzle) -> None:
    assert puzzle.solution is not None
    filled: dict[tuple[int, int], int] = {}
    for step in puzzle.hints():
        assert step == puzzle.hint(filled) and step.number is not None
        assert puzzle.solution.numbers[step.square] == step.number
        filled[step.square] = step.number
    assert puzzle.hint(filled) is None
    assert puzzle.level == ""
    with pytest.raises(ProblemError, match="a Zip has no level"):
        puzzle.rate()


def test_pictures_and_sheets_have_rings_and_walls(puzzle: Puzzle) -> None:
    picture = bytes(kt.draw(puzzle)).decode()
    assert picture.count("<circle") == 5
    walls = [part for part in picture.split("<path ") if 'stroke-linecap="round" stroke-width="4.8"' in part]
    assert [part.split("/>")[0].count("M") for part in walls] == [len(details_of(puzzle).forbid)]
    assert bytes(kt.draw(puzzle, "png", style="line"))[:4] == b"\x89PNG"
    sheet = draw_sheet([puzzle], solutions="last")
    assert sheet.to_svg()[0].count("<circle") == 5
    assert sheet.to_pdf().startswith(b"%PDF")
    assert "in their order" in sheet.to_svg()[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# board 3x3:0,1\nin order\n1 . 3\n. . .\n. . 4\n", "are 1, 2, 3, ..., each once"),
        ("# board 3x3:0,1\nin order\n1 . .\n. . .\n. . .\n", "are 1, 2, 3, ..., each once"),
        ("in order\n1 . 2\n. . .\n. . 3\n", "need a piece"),
        ("# board 3x3:0,1\nin order\nwalls a1-c1\n1 . 2\n. . .\n. . 3\n", "a1-c1 is not a move"),
    ],
)
def test_invalid_zip_is_one_error(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        kt.Puzzle.from_text(text)


@pytest.mark.parametrize(
    ("board", "asked", "message"),
    [
        ("6x6", {}, "walls between squares that touch"),
        ("6x6:wazir:torus", {}, "walls between squares that touch"),
        ("6x6:king+1,2", {}, "walls between squares that touch"),
        ("hex:3:king", {}, "walls between squares that touch"),
        ("3x3x3:wazir", {}, "walls, which are not drawn between the layers"),
        ("6x6:wazir", {"closed": True}, "cannot be combined with closed"),
        ("6x6:wazir", {"level": "easy"}, "cannot be combined with level"),
        ("6x6:wazir", {"kind": "zip", "clues": 1}, "clues cannot be 1"),
    ],
)
def test_rejects_invalid_properties_of_zips(board: str, asked: dict[str, Any], message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        kt.make_puzzle(board, **{"kind": "zip", "clues": 5, **asked})


def test_numbers_and_squares_in_order_are_two_puzzles(puzzle: Puzzle) -> None:
    with pytest.raises(ProblemError, match="squares in order"):
        Puzzle("5x5:wazir", {"a1": 1}, visit_order=["a1", "e5"])
    other = kt.find_tour("5x5:wazir", start="a1", end="e5", seed=1)
    with pytest.raises(InvalidTour):
        check_solution(puzzle, other)


def test_the_command_makes_writes_and_solves_one(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "zip.txt"
    code, _, said = run("puzzle", "5x5:wazir", "--kind", "zip", "--clues", "5", "--seed", "2", "-o", str(path))
    assert (code, "5 squares in order and 2 walls" in said) == (0, True)
    assert path.read_text().splitlines()[:2] == ["# board 5x5:0,1", "in order"]
    code, solved, said = run("puzzle", "solve", str(path))
    assert (code, len(solved.splitlines())) == (0, 6)
    assert "exactly one solution" in said
