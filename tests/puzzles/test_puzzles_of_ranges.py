"""Tests of puzzles with statistics in ranges, such as an incomplete magic tour."""

from typing import Any

import pytest

import knightstour as kt

MAGIC = {"magic-rows": 8, "magic-columns": 8}


@pytest.mark.long
def test_magic_tour_is_completed_in_exactly_one_way() -> None:
    puzzle = kt.make_puzzle("8x8", where=MAGIC, level="medium", seed=1)
    assert puzzle.solution is not None and puzzle.solution.magic == "magic" and puzzle.level == "medium"
    answer = puzzle.solve()
    assert answer.is_unique and answer.tours[0] == puzzle.solution
    assert kt.make_puzzle("8x8", where=MAGIC, level="medium", seed=2).solution != puzzle.solution


@pytest.mark.long
def test_small_boards_have_different_ones() -> None:
    puzzles = [kt.make_puzzle("4x7", where={"magic-columns": 7}, seed=seed) for seed in range(4)]
    assert all(puzzle.solution is not None and puzzle.solution.magic == "semi" for puzzle in puzzles)
    assert len({puzzle.solution for puzzle in puzzles}) > 1 and all(each.solve().is_unique for each in puzzles)


def test_numbers_may_be_given_besides() -> None:
    puzzle = kt.make_puzzle("6x6", where={"turns": (30, 31)}, given={"a6": 24, "b6": 3}, seed=1)
    solution = puzzle.solution
    assert solution is not None and 30 <= solution.turns <= 31 and solution.numbers[0, :2].tolist() == [24, 3]
    assert puzzle.given[0, 0] == 24 and puzzle.solve().is_unique


@pytest.mark.parametrize(
    ("board", "asked", "error", "message"),
    [
        ("6x6", {"where": {"line-spread": 0}}, kt.NoTour, "odd number"),
        ("6x6", {"where": {"turns": 3}, "closed": True}, kt.NoTour, "have turns=18 at least"),
        ("6x6", {"where": {"turnz": 3}}, kt.ProblemError, "did you mean 'turns'"),
        ("7x7:wazir", {"where": {"turns": 30}, "kind": "zip", "clues": 4}, kt.ProblemError, "combined with where"),
    ],
)
def test_rejects_meaningless_input(board: str, asked: dict[str, Any], error: type, message: str) -> None:
    with pytest.raises(error) as raised:
        kt.make_puzzle(board, **asked, seed=1)
    assert message in str(raised.value)
