"""Objective "most-visits": compared with the longest paths and cycles of a library, and with published lengths."""

from typing import Any

import networkx as nx
import pytest

import knightstour as kt
from helpers.examples import mostly_long
from helpers.solving import solve_several
from knightstour.core.model.budget import Budget
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.problem import Problem, end_index, start_index
from knightstour.core.model.result import Status
from knightstour.lab.counting import matchings
from knightstour.lab.objectives.longest_where import most_squares

QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("3x3", {}),
    ("3x4", {"closed": True}),
    ("3x4", {"closed": True, "start": "a1"}),
    ("3x4", {"closed": True, "forbid": ["a1-b3"]}),
    ("4x4", {"closed": True}),
    ("4x4", {"start": "a1", "end": "d4"}),
    ("4x4", {"start": "a1", "end": "d3"}),
    ("3x5:-c2", {"end": "a1"}),
    ("3x5:-a1,e3", {}),
    ("4x4:wazir:-a1", {"closed": True}),
    ("3x3:torus:-a1,b3", {"closed": True}),
    ("2x2x3", {"start": "a1.1"}),
]


def longest(problem: Problem) -> int:
    """Return the maximum number of squares of a path or cycle, by a library that lists all; 0 without one."""
    moves = problem.board.move_graph()
    graph = nx.Graph(list(zip(moves.tails.tolist(), moves.targets.tolist(), strict=True)))
    graph.remove_edges_from(problem.forbid)
    start, end = start_index(problem), end_index(problem)
    if problem.closed:
        return max((len(cycle) for cycle in nx.simple_cycles(graph) if start in (None, *cycle)), default=0)
    starts, ends = ([*graph] if s is None else [s] for s in (start, end))
    paths = (path for a in starts for b in ends if a != b for path in nx.all_simple_paths(graph, a, b))
    return max(map(len, paths), default=0)


@pytest.mark.parametrize(("board", "asked"), mostly_long(QUESTIONS, 2))
def test_the_proved_one_is_the_longest(board: str, asked: dict[str, Any]) -> None:
    problem = Problem(board, partial=True, **asked)
    result = kt.solve(problem, maximize="visits", optimal=True, seed=1)
    most = longest(problem)
    assert result.status is Status.FOUND and result.tour is not None
    assert len(result.tour) == most == result.bound <= most_squares(problem)[0]
    assert len(result.to_dict()["unvisited"]) == len(problem.board) - most
    assert "this one is optimal" in result.reason and result.source
    assert kt.certificates.verify(result.certificate()).is_right


@pytest.mark.parametrize(
    ("board", "asked"),
    [case for case in QUESTIONS if matchings.why_not_dense(Problem(case[0], partial=True, **case[1])) is None],
)
def test_matchings_know_its_length(board: str, asked: dict[str, Any]) -> None:
    problem = Problem(board, partial=True, **asked)
    assert matchings.most_squares(problem, Budget())[0] == longest(problem)


def test_search_lengthens_if_no_tour_meets_the_bound() -> None:
    result = kt.solve("4x8:-b2,c3,f1", partial=True, start="a1", maximize="visits", seed=3)
    assert result.tour is not None and len(result.tour) >= 20 and result.tour.start == (3, 0)
    assert (result.bound is not None and "it visits" in result.reason) or "optimal" in result.reason


@pytest.mark.long
def test_a_proof_by_matchings_gives_the_tour_too() -> None:
    # The longest closed tour of 4 x n skips squares, since no tour visits all.
    result = kt.solve("4x8", closed=True, partial=True, maximize="visits", optimal=True, seed=1)
    assert result.status is Status.FOUND and result.bound == matchings.most_squares(result.problem, Budget())[0]


def test_missing_requirement_is_reported() -> None:
    with pytest.raises(ProblemError, match="requires partial=True"):
        kt.solve("6x6", maximize="visits")
    with pytest.raises(ProblemError, match="does not support"):
        kt.solve("6x6", partial=True, maximize="visits", method="exact")
    with pytest.raises(ProblemError, match="several tours cannot be improved"):
        solve_several("6x6", partial=True, maximize="visits", n=2)
    none = kt.solve("2x2", closed=True, partial=True, maximize="visits", optimal=True)
    assert none.status is Status.IMPOSSIBLE
