"""The SAT solver: its clauses compared with the definition, its proofs with a full search, and its tours."""

import itertools

import networkx as nx
import pytest

from helpers.both_ways import both_ways
from helpers.checks import assert_answers
from helpers.strategies import QUESTIONS
from knightstour.core.methods.solve import solve
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.cycle_graph import cycle_graph
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.problem import Problem, without_conditions
from knightstour.core.model.result import Status
from knightstour.core.search import sat as room
from knightstour.core.search.sat import sat, why_not_sat

pytest.importorskip("pysat")


@pytest.mark.parametrize("kind", QUESTIONS)
@pytest.mark.parametrize("size", [(6, 6), (7, 8)])
def test_all_kinds_of_questions_are_answered(size, kind):
    problem = Problem(size, **kind)
    outcome = sat(problem, Budget(), seed=3)
    assert_answers(problem, outcome)
    assert outcome.counters["rounds"] > 0 and outcome.counters["clauses"] > 100


def test_solver_proves_impossibility_alone():
    # Every 4x4 board has covers by loops, but no single loop; colours do not show that.
    outcome = sat(Problem((4, 4), closed=True), Budget(), seed=1)
    assert outcome.status is Status.IMPOSSIBLE and "CaDiCaL" in outcome.source and outcome.counters["conflicts"] >= 0
    assert outcome.counters["cuts"] > 0 and f"{outcome.counters['cuts']} loops" in outcome.reason


def test_colours_are_counted_before_the_solver_runs():
    outcome = sat(Problem((7, 7), closed=True), Budget(), seed=1)
    assert outcome.status is Status.IMPOSSIBLE and outcome.source == "colour argument" and not outcome.counters


def test_clauses_hold_for_exactly_two_moves_per_vertex():
    hub = Board.from_graph(both_ways({0: range(1, 15), **{k: [k + 1] for k in range(1, 14)}, 14: []}))
    problem = Problem(hub, closed=True)
    graph = cycle_graph(problem)
    variables = room._variables(graph, 5)
    assert sorted(set(variables.tolist())) == list(range(1, len(variables) // 2 + 1))
    clauses = list(room._degree_clauses(graph, variables))
    small = variables[graph.offsets[5] : graph.offsets[6]].tolist()
    own = [clause for clause in clauses if {abs(x) for x in clause} <= set(small)]
    for taken in itertools.product([False, True], repeat=len(small)):
        value = dict(zip(small, taken, strict=True))
        meets = all(any(value[abs(x)] == (x > 0) for x in clause) for clause in own)
        assert meets == (sum(taken) == 2)
    # The hub has 14 moves and so a counter; the solver must select two.
    assert_answers(problem, sat(problem, Budget(), seed=1))


def test_a_limit_of_nodes_is_kept():
    hard = Board(6, 8, holes=[(4, 0)], wrap="mobius", leaper=(2, 3))
    outcome = sat(Problem(hard), Budget(Limits(nodes=50)), seed=1)
    assert outcome.status is Status.UNDECIDED and "50 nodes" in outcome.reason and outcome.counters["conflicts"] <= 60


def test_search_resumes_with_learnt_clauses():
    problem = Problem((10, 10), closed=True, forbid=["a1-b3"])
    with room.SatTurns() as turns:
        parts = [turns.go_on(without_conditions(problem), Budget(Limits(nodes=1)), seed) for seed in range(3)]
        last = turns.go_on(without_conditions(problem), Budget(), 9)
        again = turns.go_on(without_conditions(problem), Budget(), 9)
    rounds = [part.counters["rounds"] for part in parts]
    assert rounds == sorted(rounds) and last.counters["clauses"] == parts[0].counters["clauses"]
    assert last.status is again.status is Status.FOUND and last.counters["rounds"] > rounds[0]
    # A decided problem starts again, so that another seed may find another tour.
    assert again.order.tolist() == sat(without_conditions(problem), Budget(), 9).order.tolist()


def test_missing_solver_error_names_the_package(monkeypatch):
    monkeypatch.setattr(room.importlib.util, "find_spec", lambda name: None)
    assert "pip install" in why_not_sat(Problem((8, 8)))
    with pytest.raises(ProblemError, match="does not apply: it needs python-sat"):
        solve((8, 8), method="sat")


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "graph",
    [nx.complete_graph(14), nx.complete_graph(20), nx.complete_bipartite_graph(13, 13)],
    ids=["14", "20", "13,13"],
)
def test_dense_graphs_have_two_moves_at_every_square(graph, closed, seed):
    problem = Problem(Board.from_graph(graph), closed=closed)
    outcome = sat(problem, Budget(), seed=seed)
    assert outcome.status is Status.FOUND
    assert_answers(problem, outcome)
