"""Tests of conditions in all notations, and of invalid ones."""

import inspect
import re

import numpy as np
import pytest

import knightstour as kt
from helpers.both_ways import both_ways
from helpers.public import PUBLIC
from knightstour.core.model.condition_table import CONDITIONS, QuestionArguments, question_names
from knightstour.core.model.conditions import name_of_move
from knightstour.core.model.problem import Problem, condition_names, keyword_arguments, plural_of

GRAPH = kt.Board.from_graph(both_ways({"x": ["y-z", "w"], "y-z": ["w"], "w": []}))


@pytest.mark.parametrize(
    "moves",
    [
        [("a1", "b3")],
        [("b3", "a1")],
        ["a1-b3"],
        ["b3 - a1"],
        [((7, 0), (5, 1))],
        [["a1", (5, 1)]],
        np.array([[[7, 0], [5, 1]]]),
        pytest.param({("a1", "b3"), ("b3", "a1")}, id="a set"),
    ],
    ids=str,
)
@pytest.mark.parametrize("word", ["require", "forbid"])
def test_a_move_may_be_written_in_several_ways(word, moves):
    problem = Problem((8, 8), **{word: iter(moves)})
    assert getattr(problem, word) == frozenset({(41, 56)})
    assert condition_names(problem) == {word}
    assert Problem("8x8", **keyword_arguments(problem)) == problem


def test_a_move_of_a_graph_is_named_by_its_nodes():
    assert Problem(GRAPH, require=["x-y-z"]).require == Problem(GRAPH, require=[("y-z", "x")]).require
    assert name_of_move(GRAPH, (0, 1)) == "x-y-z"
    numbers = kt.Board.from_graph(both_ways([[1, 2], [2], []]))
    assert Problem(numbers, forbid=["0-2"]).forbid == Problem(numbers, forbid=[(2, 0)]).forbid == {(0, 2)}


@pytest.mark.parametrize(
    ("value", "steps"),
    [
        (16, {16}),
        ("16", {16}),
        (range(16, 19), {16, 17, 18}),
        ("16..18, 30", {16, 17, 18, 30}),
        ("16-18,30", {16, 17, 18, 30}),
        ([3], {3}),
        ("not 5", {*range(1, 65)} - {5}),
        (" not 3-62, 64", {1, 2, 63}),
    ],
)
def test_step_can_be_a_number_a_range_or_a_list(value, steps):
    problem = Problem((8, 8), closed=True, given={"c5": value})
    assert problem.given == ((26, frozenset(steps)),)
    assert Problem("8x8", **keyword_arguments(problem)) == problem


def test_given_numbers_may_be_texts_as_at_the_command_line():
    assert Problem((8, 8), given=["c5=16..18, 30", "a1=7", "0,1=not 9"]) == Problem(
        (8, 8), given={"c5": "16..18,30", "a1": 7, (0, 1): "not 9"}
    )


def test_first_and_last_steps_become_ends_and_moves():
    problem = Problem((8, 8), given={"b3": 2, "a1": 1, "h7": 64, (3, 6): 63})
    assert (problem.start, problem.end, problem.given) == ((7, 0), (1, 7), ())
    assert problem.require == {(41, 56), (15, 30)}
    assert Problem((8, 8), given={"a1": 1}) == Problem((8, 8), start="a1")
    # The step of a square in between is more than a move, and a closed tour has a direction.
    assert Problem((8, 8), given={"b3": 3, "a1": 1}).given
    assert Problem((8, 8), closed=True, given={"a1": 1}).given
    assert Problem((8, 8), given={"a1": [1, 2]}).given


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"require": [("a1", "b4")]}, "require: a1-b4 is not a move of the 8x8 board"),
        ({"forbid": ["a1-a1"]}, "forbid: a1-a1 is not a move"),
        ({"require": ["a1-z9"]}, "square z9 is not on the board"),
        ({"require": "a1-b4"}, "require: a1-b4 is not a move of the 8x8 board"),
        ({"require": ["a1-b3"], "forbid": ["b3-a1"]}, "the move a1-b3 is both required and forbidden"),
        ({"given": {"a1": 0}}, "given: a1 cannot have the step 0"),
        ({"given": {"a1": 65}}, "given: a1 cannot have the step 65"),
        ({"given": {"a1": range(1, 10**12)}}, "given: a1 cannot have the step 65"),
        ({"given": {"a1": []}}, "given: a1 has no step left"),
        ({"given": {"a1": 3, "b1": 3}}, "given: step 3 is at a1 and at b1"),
        ({"given": {"a1": 3, (7, 0): 4}}, "given: a1 is named twice"),
        ({"given": {"i9": 3}}, "square i9 is not on the board"),
        ({"given": ["a1"]}, "given: 'a1' names no step"),
        ({"given": {"a1": "not"}}, "given: a1 cannot have the step 'not'"),
        ({"given": {"a1": "not 1-64"}}, "given: a1 has no step left"),
        ({"given": {"a1": 1}, "start": "b1"}, "the start is b1, but step 1 is given at a1"),
        ({"given": {"a1": 64}, "end": "b1"}, "the end is b1, but step 64 is given at a1"),
        ({"symmetry": "45"}, "the 8x8 board has no symmetry '45'"),
        ({"symmetry": "180", "given": {"a1": 7}}, "a symmetric tour cannot be combined with given numbers"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_meaningless_input_is_one_clear_error(asked, said):
    with pytest.raises((kt.ProblemError, kt.BoardError), match=re.escape(said)):
        kt.solve((8, 8), **asked)


@pytest.mark.parametrize(
    "asked",
    [{"forbid": 7}, {"given": {"a1": 2.5}}, {"given": "a1=1"}, {"partial": "most"}, {"symmetry": 3.5}, {"where": 5}],
    ids=str,
)
def test_condition_of_a_wrong_type_is_named(asked):
    with pytest.raises(TypeError, match=next(iter(asked))):
        kt.solve((8, 8), **asked)


def test_a_symmetry_has_all_its_names():
    assert Problem((1, 4), symmetry="vertical").symmetry == Problem((1, 4), symmetry="180").symmetry
    assert Problem((6, 6), closed=True, symmetry="Quaternary").symmetry == "birotary"
    torus = kt.Board(5, 5, wrap="torus")
    assert Problem(torus, symmetry="180 + shift (0, 1)").symmetry == "180 + shift (0, 1)"
    with pytest.raises(kt.ProblemError, match="on a torus symmetric tours have no such names as Eulerian"):
        Problem(torus, closed=True, symmetry="Eulerian")
    with pytest.raises(kt.ProblemError, match="has no birotary tour, since it has no symmetry 90"):
        Problem((5, 6), closed=True, symmetry="birotary")
    with pytest.raises(kt.ProblemError, match="has no symmetry '180'"):
        Problem(GRAPH, symmetry="180")


def test_a_hole_has_no_moves_and_no_steps():
    board = kt.Board(8, 8, holes=["b3"])
    for asked in ({"require": ["a1-b3"]}, {"given": {"b3": 2}}):
        with pytest.raises(kt.BoardError, match="square b3 is a hole"):
            Problem(board, **asked)


def test_condition_keywords_match_the_table():
    assert {*QuestionArguments.__annotations__} == {*question_names()}
    assert all(name == row.name for name, row in CONDITIONS.items())
    for function in (kt.solve, kt.find_tour, kt.iter_tours, kt.count, kt.sample, kt.compare, kt.plan):
        shown = inspect.signature(function).parameters
        assert [shown[name].default for name in ("closed", "start", "end")] == [False, None, None]
        assert shown["conditions"].kind is inspect.Parameter.VAR_KEYWORD


def test_docstrings_name_all_conditions():
    functions = {each for each in PUBLIC.values() if inspect.isfunction(each) or inspect.ismethod(each)}
    functions = {each for each in functions if "conditions" in inspect.signature(each).parameters}
    assert {kt.solve, kt.plan} <= functions
    for function in functions | {Problem}:
        missing = {"partial", *CONDITIONS} - {*re.findall(r"\w+", function.__doc__)}
        assert not missing, function.__qualname__


@pytest.mark.parametrize("row", CONDITIONS.values(), ids=lambda row: row.name)
def test_the_example_of_a_row_is_read(row):
    parts = row.example.split()
    assert condition_names(Problem("8x8", **{row.name: parts if len(parts) > 1 else row.example})) == {row.name}


def test_no_signature_hides_a_default():
    for name, value in PUBLIC.items():
        if inspect.isfunction(value):
            hidden = [each.name for each in inspect.signature(value).parameters.values() if each.default is ...]
            assert not hidden, name
    look = inspect.signature(kt.draw).parameters
    assert (look["style"].default, look["theme"].default) == ("board", "auto")
    assert inspect.signature(kt.sample).parameters["distribution"].default == "backbite"


def test_rejects_conditions_beside_a_problem():
    problem = Problem((8, 8), forbid=["a1-b3"])
    assert kt.solve(problem).problem is problem
    for asked in ({"forbid": ["a1-b3"]}, {"given": {"a1": 1}}, {"symmetry": "180"}):
        with pytest.raises(kt.ProblemError, match="cannot be combined with a Problem"):
            kt.solve(problem, **asked)


def test_the_question_is_written_in_words_and_as_json():
    asked = {
        "closed": True,
        "given": {"h1": [5, 3]},
        "require": ["a1-b3"],
        "forbid": ["c2-a1", "d4-e6", "d4-f5", "d4-b5"],
    }
    problem = Problem((8, 8), **asked)
    assert str(problem) == "a closed tour of the 8x8 board through a1-b3 without 4 forbidden moves with 1 given number"
    record = problem.to_dict()
    assert record["given"] == {"h1": [3, 5]}
    assert record["require"] == [["b3", "a1"]]
    assert "symmetry" not in record
    assert str(Problem((6, 6), symmetry="90")) == "an open tour of the 6x6 board with symmetry 90"
    some = Problem("8x8", closed=True, partial=True)
    assert (str(some), plural_of(some)) == tuple(
        f"{n} of some squares of the 8x8 board" for n in ("a closed tour", "closed tours")
    )
