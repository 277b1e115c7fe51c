"""The conditions of a question at the command line and in the API: the same words, the same answers and errors."""

from __future__ import annotations

import json

import pytest

import knightstour as kt
from knightstour.core.model.problem import Problem
from knightstour.interfaces.web.api import call_of


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (["--through", "a1-b3"], {"through": ["a1-b3"]}),
        (["--through", "a1-b3,c2-e1"], {"through": ["a1-b3", "c2-e1"]}),
        (["--through", "a1-b3", "--through", "0,0-2,1", "--avoid", "f6-e4"], None),
    ],
)
def test_the_command_line_and_python_find_the_same_tour(run, words, asked):
    asked = asked or {"through": [("a1", "b3"), ((0, 0), (2, 1))], "avoid": [("f6", "e4")]}
    code, out, _ = run("solve", "6x6", *words, "--seed", "1", "--json")
    assert code == 0
    assert json.loads(out)["squares"] == kt.find_tour((6, 6), **asked, rng=1).squares.tolist()


def test_commands_count_list_and_draw_under_conditions(run):
    moves = ["--through", "c4-e3", "--avoid", "b5-d4"]
    count = kt.count_tours((6, 6), closed=True, through=["c4-e3"], avoid=["b5-d4"])
    code, out, err = run("count", "6x6", "--closed", *moves)
    assert (code, out) == (0, f"{count}\n") and "through c4-e3 without b5-d4" in err
    code, out, _ = run("count", "6x6", "--closed", *moves, "--json")
    assert json.loads(out)["through"] == [["c4", "e3"]]
    code, out, _ = run("enumerate", "6x6", "--closed", *moves, "--count")
    assert (code, out) == (0, f"{count}\n")
    code, out, _ = run("sample", "6x6", "--closed", *moves, "-n", "3", "--seed", "1", "--format", "algebraic")
    assert code == 0 and len(out.splitlines()) == 3
    code, out, _ = run("count", "6x6", "--closed", "--symmetry", "90")
    assert (code, out) == (0, "10\n")
    code, out, _ = run("solve", "6x6", "--closed", "--symmetry", "90", "--seed", "1", "--format", "algebraic")
    assert code == 0 and len(out.split()) == 36


def test_what_cannot_be_met_is_impossible_at_the_command_line(run):
    code, out, _ = run("solve", "8x8", "--closed", "--symmetry", "90")
    assert code == 1 and "a quarter turn would lead 16 steps along the tour" in out


@pytest.mark.parametrize("path", ["solve", "trace", "count", "count/plan"])
def test_the_api_reads_the_same_words(path):
    body = {"board": "6x6", "closed": True, "through": [["c4", "e3"], "a1-b3"], "avoid": [[[0, 0], [1, 2]]]}
    call = call_of(path, body)
    problems = [value for value in call.arguments if isinstance(value, Problem)]
    problems += [value.problem for value in call.arguments if hasattr(value, "problem")]
    wanted = Problem.of((6, 6), closed=True, through=["c4-e3", "a1-b3"], avoid=[((0, 0), (1, 2))])
    assert problems == [wanted]


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("solve", {"through": "a1-b3"}, "through must be a list"),
        ("solve", {"through": [1]}, "through: 1 is not a move"),
        ("solve", {"given": [1]}, "given must say the step of each square"),
        ("solve", {"given": {"a1": 99}}, "given: a1 cannot have the step 99"),
        ("solve", {"given": {"a1": {}}}, "given: a1 has no step left"),
        ("solve", {"given": {"a1": [[1]]}}, r"given: a1 cannot have the step \[1\]"),
        ("solve", {"symmetry": 90}, "symmetry must be a text"),
        ("count", {"symmetry": 90}, "symmetry must be a text"),
        ("space/rank", {"avoid": []}, "this request has no field 'avoid'"),
    ],
)
def test_bad_fields_are_one_error(path, body, said):
    with pytest.raises(kt.KnightsTourError, match=said):
        call_of(path, {"board": "6x6", **body})
