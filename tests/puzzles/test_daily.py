"""Tests of daily puzzles and seeds: days keep their puzzles, and seeds have different solutions."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import knightstour as kt
from helpers.command_line import Run
from helpers.questions import answer_of
from knightstour.core.model.errors import ProblemError
from knightstour.lab.puzzles.daily import FIRST_DAY, WEEKDAYS_FROM, dailies_of, daily_of
from knightstour.lab.puzzles.puzzle import details_of

# Twelve days of 2026, three kinds each, as they were made before levels and kinds became part of the seed; and the
# first puzzles of five days after the day from which they depend on the weekday.
KEPT = json.loads((Path(__file__).parents[1] / "data" / "days.json").read_text())


def facts(puzzle: kt.Puzzle) -> dict[str, Any]:
    """Return the squares, numbers, walls and solution of a puzzle."""
    board = puzzle.board
    assert puzzle.solution is not None
    rows = [" ".join(map(str, row)) for row in puzzle.solution.numbers.tolist()]
    if not details_of(puzzle).order:
        return {
            "given": {board.square_name(square): number for square, number in puzzle.given.items()},
            "solution": rows,
        }
    walls = ["-".join(sorted(board.square_name(square) for square in wall)) for wall in puzzle.walls or ()]
    order = [board.square_name(square) for square in details_of(puzzle).order]
    return {"visit_order": order, "walls": sorted(walls), "solution": rows}


@pytest.mark.parametrize("day", KEPT)
def test_the_puzzles_of_the_days_stay_the_same(day: str) -> None:
    assert facts(kt.puzzles.puzzle_of_day(*day.split())) == KEPT[day]


@pytest.mark.parametrize("day", ["2026-02-15 hard", "2026-12-01 other"])
def test_days_have_one_puzzle_in_all_interfaces(day: str, run: Run) -> None:
    puzzle = kt.puzzles.puzzle_of_day(*day.split())
    code, out, _ = run("puzzle", "today", day.split()[0], "--kind", day.split()[1], "--json")
    assert code == 0 and facts(kt.Puzzle.from_text(out)) == KEPT[day]
    daily, seed = daily_of(*day.split())
    asked = {name: value for name, value in daily._asdict().items() if value and name != "in_order"}
    asked |= {"kind": "zip", "clues": daily.in_order} if daily.in_order else {}
    record = answer_of("puzzle", {**asked, "seed": seed, "of_link": True})["body"]
    assert facts(kt.Puzzle.from_text(json.dumps(record))) == facts(puzzle)
    refused = answer_of("puzzle", {**asked, "seed": seed, "of_link": True, "keep": [1]})
    assert refused["status"] == 400 and "keep is not supported" in refused["body"]["error"]


def test_first_puzzles_depend_on_the_weekday() -> None:
    before = [FIRST_DAY + timedelta(days=k) for k in range((WEEKDAYS_FROM - FIRST_DAY).days)]
    assert {dailies_of(day)[0]["first"][::2] for day in before} == {("6x6", "easy", None)}
    assert all(dailies_of(day)[0]["first"].closed == (day.day % 2 == 0) for day in before)
    monday = WEEKDAYS_FROM - timedelta(days=WEEKDAYS_FROM.weekday()) + timedelta(days=7)
    week = [dailies_of(monday + timedelta(days=k))[0]["first"] for k in range(7)]
    boards = ["5x5", "6x6", "6x6", "6x6", "7x7", "8x8", "8x8"]
    levels = ["easy", "easy", "easy", "medium", "medium", "medium", "hard"]
    assert [(daily.board, daily.level) for daily in week] == list(zip(boards, levels, strict=True))
    assert not week[0].closed and not week[4].closed
    for k in range(400):
        three, _ = dailies_of(monday + timedelta(days=k))
        assert len(set(three.values())) == 3


KINDS: list[dict[str, Any]] = [
    *({"level": level} for level in ("easy", "medium", "hard", "expert", None)),
    {"closed": True},
    {"clues": 12},
    {"clues": 13},
    {"pattern": "180"},
    {"pattern": "mirror"},
    {"keep": (1, 36)},
    {"kind": "every", "clues": 6},
    {"kind": "places", "clues": 6},
    {"text": "abcdefghijklmnopqrstuvwxyz0123456789"},
    {"given": {"a1": 5}},
    {"where": {"turns": (25, 36)}},
]


def test_each_level_and_kind_has_its_own_solution() -> None:
    puzzles = [kt.make_puzzle("6x6", seed=5, **kind) for kind in KINDS]
    assert len({puzzle.solution for puzzle in puzzles}) == len(KINDS)
    of_wazir = [
        {"level": "easy"},
        {"level": "medium"},
        {"level": "hard"},
        {"kind": "zip", "clues": 8},
        {"kind": "zip", "clues": 9},
    ]
    assert len({kt.make_puzzle("7x7:wazir", seed=5, **kind).solution for kind in of_wazir}) == len(of_wazir)


def test_a_wish_written_in_another_way_has_the_same_puzzle() -> None:
    import numpy as np

    one = kt.make_puzzle("5x5", clues=8, keep=(1, 25), given={"a1": 1}, seed=3)
    assert one == kt.make_puzzle("5x5", clues=np.int64(8), keep=[25, 1, 25], given={(4, 0): [1]}, seed=3)  # type: ignore[arg-type]
    assert kt.make_puzzle("5x5", level="easy", seed=3) == kt.make_puzzle("5x5", level="easy", keep=[1], seed=3)


@pytest.mark.parametrize(
    ("wish", "same"),
    [
        ({}, {"level": "medium"}),
        ({"pattern": "180"}, {"pattern": "180", "level": "medium"}),
        ({"kind": "every", "clues": 6}, {"kind": "every", "clues": 6, "level": "medium"}),
        ({"clues": 9}, {"clues": 9, "level": "any"}),
        ({"text": "a" * 30}, {"text": "a" * 30, "level": "any"}),
    ],
    ids=str,
)
def test_the_default_level_is_the_same_in_all_interfaces(wish: dict[str, Any], same: dict[str, Any], run: Run) -> None:
    puzzle = kt.make_puzzle("5x6", seed=2, **wish)
    assert puzzle == kt.make_puzzle("5x6", seed=2, **same)
    words = [part for name, value in wish.items() if name in ("pattern", "clues") for part in (f"--{name}", str(value))]
    if not {"kind", "text"} & set(wish):
        code, out, _ = run("puzzle", "5x6", "--seed", "2", "--json", *words)
        assert code == 0 and kt.Puzzle.from_text(out) == puzzle
    record = answer_of("puzzle", {"board": "5x6", "seed": 2, **wish})["body"]
    assert kt.Puzzle.from_text(json.dumps(record)) == puzzle


def test_level_any_equals_none() -> None:
    assert kt.make_puzzle("5x5", level="any", seed=1) == kt.make_puzzle("5x5", level=None, seed=1)


@pytest.mark.parametrize("board", ["1x1", "3x4", "2x3:king", "1x5:wazir"])
def test_boards_without_medium_puzzles_have_an_easier_one_by_default(board: str) -> None:
    puzzle = kt.make_puzzle(board, seed=1)
    assert puzzle.level in ("easy", "medium") and puzzle.solve().is_unique
    if puzzle.level == "easy":
        with pytest.raises(ProblemError, match="no medium puzzle was found"):
            kt.make_puzzle(board, level="medium", seed=1)
