"""Tests of docs/examples/condition.py, the template of a new condition."""

import json
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest

import knightstour as kt
import make_docs
from helpers.solving import several_tours
from knightstour.core.model.budget import Limits, as_arguments
from knightstour.core.model.condition_check import confirm_answer, fault_of
from knightstour.core.model.condition_table import CONDITIONS
from knightstour.core.model.errors import WrongAnswer
from knightstour.core.model.problem import Problem, keyword_arguments
from knightstour.interfaces.web import api

EXAMPLE = Path(__file__).parents[2] / "docs/examples/condition.py"


@pytest.fixture(autouse=True)
def conditions() -> Iterator[None]:
    """Add its row to the table during a test."""
    runpy.run_path(str(EXAMPLE))
    yield
    del CONDITIONS["turning"]


def turns_everywhere(tour: kt.Tour) -> bool:
    """Repeat the condition by the names of moves."""
    squares = tour.squares.tolist()
    squares += squares[:2] if tour.is_closed else []
    ways = [(r2 - r, c2 - c) for (r, c), (r2, c2) in zip(squares, squares[1:], strict=False)]
    return all(one != other for one, other in zip(ways, ways[1:], strict=False))


def test_it_is_short_enough_to_be_copied() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 60


def test_python_has_it_and_its_answers_are_checked() -> None:
    found = kt.solve("6x6", closed=True, turning=True)  # type: ignore[call-arg]
    assert found.status is kt.Status.FOUND and turns_everywhere(found.tour)
    assert str(found.problem) == "a closed tour of the 6x6 board turning at every square"
    assert found.problem.to_dict()["turning"] is True
    assert Problem("6x6", **keyword_arguments(found.problem)) == found.problem
    plain = list(kt.iter_tours("5x5"))
    those = [tour for tour in plain if turns_everywhere(tour)]
    assert 0 < len(those) < len(plain)
    assert list(kt.iter_tours("5x5", turning=True)) == those  # type: ignore[call-arg]
    assert kt.count("5x5", turning=True) == len(those)  # type: ignore[call-arg]
    assert kt.count("5x5", turning=True, directed=True) == 2 * len(those)  # type: ignore[call-arg]
    problem = Problem("5x5", turning=True)  # type: ignore[call-arg]
    for tour in plain:
        assert (fault_of(problem, tour.order) is None) == turns_everywhere(tour)
    wrong = next(tour for tour in plain if not turns_everywhere(tour))
    with pytest.raises(WrongAnswer, match="a method gave a wrong tour: it goes straight on at"):
        confirm_answer(problem, wrong, "a method")


def test_several_tours_and_none() -> None:
    several = several_tours("5x5", start="a1", turning=True, n=3, unique=True)
    assert len(set(several)) == 3 and all(map(turns_everywhere, several))
    none = kt.solve("3x4", start="a1", turning=True)  # type: ignore[call-arg]
    expected = [tour for tour in kt.iter_tours("3x4", start="a1") if turns_everywhere(tour)]
    assert (none.status is kt.Status.IMPOSSIBLE) == (not expected)
    assert kt.solve("4x4", turning=True).source  # type: ignore[call-arg]
    limits = Limits(nodes=100)
    stopped = kt.solve("7x7", turning=True, **as_arguments(limits))  # type: ignore[call-arg]
    assert stopped.status is kt.Status.UNDECIDED or turns_everywhere(stopped.tour)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: kt.solve("6x6", method="rotation", turning=True), "it does not support a turn at every square"),
        (lambda: kt.solve("6x6", method="clues", turning=True), "it does not support a turn at every square"),
        (
            lambda: kt.certificates.certify_count("5x5", turning=True),
            "the certificate of a count does not support turn",
        ),
        (lambda: kt.solve("5x5", turning=True).certificate(), "a certificate does not support turn"),
        (lambda: kt.solve("6x6", turning="yes"), "turning must be True or False"),
        (lambda: kt.iter_tours("6x6", turnin=True), "iter_tours() got an unexpected keyword argument 'turnin'"),
    ],
)
def test_unsupported_value_is_rejected_by_its_owner(ask: object, said: str) -> None:
    with pytest.raises((kt.KnightsTourError, TypeError)) as refused:
        ask()  # type: ignore[operator]
    assert said in str(refused.value)


def test_the_api_has_it() -> None:
    call = api.call_of("solve", {"board": "6x6", "closed": True, "turning": True})
    assert isinstance(call, api.Call)
    answer = json.loads(call.function(*call.arguments))
    assert answer["status"] == "found" and answer["turning"] is True
    assert turns_everywhere(kt.Tour("6x6", [tuple(square) for square in answer["squares"]]))
    with pytest.raises(kt.ProblemError, match="turning must be true or false, not 7"):
        api.call_of("solve", {"board": "6x6", "turning": 7})


def test_the_documents_have_it() -> None:
    table = make_docs.takes_table()
    assert "| `auto` | all |" in table
    assert [line for line in table.splitlines() if "turn at every square" in line and "`backtracking`" in line]
