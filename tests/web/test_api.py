"""Tests of the plans of the API: the lane and arguments of each call."""

import json

import pytest

from helpers.questions import answer_of
from knightstour.core.model.board import Board
from knightstour.interfaces.web import answers, api
from knightstour.interfaces.web.fields import Json


@pytest.mark.parametrize(
    ("body", "lane"),
    [
        ({"board": "8x8"}, api.QUICK),
        ({"board": "60x60", "closed": True, "method": "explicit"}, api.QUICK),
        ({"board": "8x8", "method": "backtracking"}, api.SEARCH),
        ({"board": "8x8", "minimize": "turns"}, api.SEARCH),
        ({"board": {"rows": 8, "cols": 8, "holes": ["a1", "b1"]}}, api.SEARCH),
    ],
    ids=str,
)
def test_only_what_takes_no_time_waits_in_the_quick_lane(body: dict[str, Json], lane: str) -> None:
    call = api.call_of("solve", body)
    assert isinstance(call, api.Call) and call.lane == lane


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("puzzle", {"board": "6x6", "level": "easy", "seed": 1}),
        ("puzzle/check", {"puzzle": {"board": "5x5", "given": {"a1": 1}}}),
        ("puzzle/hint", {"puzzle": {"board": "5x5", "given": {"a1": 1}}, "state": {}}),
    ],
)
def test_solving_a_puzzle_waits_for_no_search(name: str, body: dict[str, Json]) -> None:
    call = api.call_of(name, body)
    assert isinstance(call, api.Call) and call.lane == api.PUZZLE


def test_boards_in_any_drawing_are_read_with_a_note() -> None:
    expected = Board(3, 4, holes=["a1"])
    for drawing in ("....\n....\n#...", ". . . .\n. . . .\n# . . .", "....\n....\nX...", ["....", "....", "#..."]):
        call = api.call_of("solve", {"board": drawing})
        assert isinstance(call, api.Call)
        asked, *_ = call.arguments
        assert isinstance(asked, answers.SolveRequest) and asked.problem.board == expected
    found = json.loads(answers.solve(asked_about("....\n....\nX...")))
    assert found["read_as"] == ["'X' is a hole, '.' is a square"]
    assert "read_as" not in json.loads(answers.solve(asked_about("3x4")))


def asked_about(board: str) -> answers.SolveRequest:
    call = api.call_of("solve", {"board": board})
    assert isinstance(call, api.Call)
    asked, *_ = call.arguments
    assert isinstance(asked, answers.SolveRequest)
    return asked


def test_without_an_objective_any_tour_will_do() -> None:
    for body, objective in (({}, None), ({"minimize": None}, None), ({"minimize": "crossings"}, "crossings")):
        call = api.call_of("solve", {"board": "8x8", **body})
        assert isinstance(call, api.Call)
        _, wanted, *_ = call.arguments
        assert wanted == objective


@pytest.mark.long
def test_statistics_accept_ranges_or_report_library_errors() -> None:
    body: dict[str, Json] = {"board": "8x8", "closed": True, "where": {"magic-rows": 8, "line-spread": 0}}
    found = answer_of("solve", body)["body"]
    numbers = [[0] * 8 for _ in range(8)]
    for step, (row, col) in enumerate(found["squares"]):
        numbers[row][col] = step + 1
    assert {*map(sum, numbers), *map(sum, zip(*numbers, strict=True))} == {260}
    assert found["where"] == {"line-spread": 0, "magic-rows": 8}
    made = answer_of("puzzle", {"board": "4x7", "where": ["magic-columns=7"], "seed": 1})["body"]
    assert {*map(sum, zip(*made["solution"], strict=True))} == {58}
    for path, wrong, message in [
        ("count/estimate", body, "no field 'where'"),
        ("solve", {"board": "8x8", "where": {"turnz": 1}}, "did you mean 'turns'"),
        ("puzzle", {"board": "8x8", "where": {"turns": [5, 3]}}, "no number of turns is from 5 to 3"),
    ]:
        answer = answer_of(path, wrong)
        assert answer["status"] == 400 and message in answer["body"]["error"]
