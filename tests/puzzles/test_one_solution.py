"""Tests that puzzles of every level, kind and board have exactly one solution, by plain recursion."""

from typing import Any

import pytest

import knightstour as kt
from helpers import reference
from knightstour.core.model.board import Board
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.result_errors import NoTour
from knightstour.lab.puzzles.puzzle import details_of
from knightstour.lab.puzzles.reasoning import LEVELS

GRID = Board.from_graph([[1, 3], [0, 2, 4], [1, 5], [0, 4, 6], [1, 3, 5, 7], [2, 4, 8], [3, 7], [4, 6, 8], [5, 7]])
BOARDS: dict[str, Board] = {
    **{word: Board(word) for word in ("5x5", "5x6", "4x5:torus", "3x6:cylinder", "5x5:wazir", "5x5:king")},
    **{word: Board(word) for word in ("5x5:-a1", "3x7", "5x5:king+1,2", "4x6:0,1")},
    **{word: Board(word) for word in ("hex:3:wazir", "hex:3:king", "tri:5:wazir", "2x3x3:king", "3x3x2:knight")},
    "graph": GRID,
}
TEXT = "everyknightseesallsquaresonceonly"
KINDS: dict[str, dict[str, Any]] = {
    "plain": {},
    "closed": {"closed": True},
    "clues": {"clues": 8},
    "keep": {"keep": (1, 5)},
    "every": {"kind": "every", "clues": 5},
    "places": {"kind": "places", "clues": 4},
    "text": {"text": TEXT},
    "180": {"pattern": "180"},
    "mirror": {"pattern": "mirror"},
    "in order": {"kind": "zip", "clues": 4},
}
# Combinations of kinds and boards without puzzles.
_REFUSED = ("puzzle was found", "does not fit", "walls between", "combined with level", "a Zip has walls")


def neighbours(board: Board) -> reference.Adjacency:
    """Return the moves of a board, of squares by definition."""
    if isinstance(board, GridBoard):
        return reference.adjacency(reference.spec_of(board))
    return {(0, k): {(0, other) for other in near} for k, near in enumerate(board.graph)}


def solutions(puzzle: kt.Puzzle) -> list[list[Any]]:
    """Return up to two solutions."""
    adjacent = neighbours(puzzle.board)
    for one, other in puzzle.walls or ():
        adjacent[one].discard(other)
        adjacent[other].discard(one)
    given = {square: {number} if isinstance(number, int) else set(number) for square, number in puzzle.given.items()}
    return reference.numberings(adjacent, given, closed=puzzle.closed, in_order=details_of(puzzle).order)


def check(name: str, kind: str, level: str, seed: int) -> bool:
    """Create a puzzle, and check it; False if the board has none of that kind and level."""
    board, wish = BOARDS[name], dict(KINDS[kind])
    if "text" in wish:
        wish["text"] = wish["text"][: len(board)]
    try:
        puzzle = kt.make_puzzle(board, level=level, seed=seed, **wish)
    except NoTour:
        assert wish.get("closed") or name == "3x3x2:knight"
        return False
    except ProblemError as error:
        assert any(word in str(error) for word in _REFUSED)
        return False
    assert puzzle.solution is not None
    squares = [divmod(square, board.cols) for square in puzzle.solution.order.tolist()]
    assert solutions(puzzle) == [squares]
    if level in LEVELS and not details_of(puzzle).order:
        assert puzzle.level == level == puzzle.rate().level
    return True


@pytest.mark.parametrize("name", ["5x5", "4x5:torus", "5x5:wazir", "hex:3:wazir", "graph"])
def test_puzzles_of_the_default_level_have_one_solution(name: str) -> None:
    assert check(name, "plain", "auto", 1)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", BOARDS)
def test_every_level_and_kind_has_one_solution(name: str, kind: str) -> None:
    made = [check(name, kind, level, seed) for level in ("auto", "any", *LEVELS) for seed in range(2)]
    # The default level always has a puzzle, if the kind suits the board.
    assert made[0] == made[1] == made[2] == made[3]
    assert made[0] or kind in ("closed", "180", "mirror", "in order") or name == "3x3x2:knight"
