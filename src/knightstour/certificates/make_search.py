"""A search by a SAT solver, as a certificate: the sets that a tour must leave, and the solver's proof of the rest."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping

from knightstour.certificates.clauses import Clause, clauses_of
from knightstour.certificates.record import TooLong
from knightstour.certificates.rules import loop_graph, question_of
from knightstour.model.board import move_graph
from knightstour.model.budget import Budget
from knightstour.model.problem import Problem
from knightstour.model.result import Status

# Beyond this a certificate by states is often shorter, and nobody wants to keep the file.
_MOST_PROOF = 4_000_000
# So short a proof is checked at once, and what it deletes need not be said.
_FEW_LINES = 5_000
_CONFLICTS_AT_ONCE = 2_000


def search_for(problem: Problem, record: Mapping[str, object], budget: Budget) -> dict[str, object] | None:
    """The proof of a certificate, if CaDiCaL is there and finds one within the budget."""
    if importlib.util.find_spec("pysat") is None:
        return None
    from knightstour.search.sat import sat, why_not_sat

    near = loop_graph(question_of(record))
    if why_not_sat(problem) is not None or len(near) < 3:
        return None
    try:
        clauses_of(near, [])
    except TooLong:
        return None
    loops: list[list[int]] = []
    if sat(problem, budget, 0, cuts=loops).status is not Status.IMPOSSIBLE:
        return None
    size = problem.board.rows * problem.board.cols
    virtual = [square for square in near if square >= size]
    squares = [*move_graph(problem.board).squares.tolist(), *virtual]
    cuts = [sorted(squares[vertex] for vertex in loop) for loop in loops]
    drat = _drat(clauses_of(near, cuts), budget)
    if drat is not None and len(drat) < _FEW_LINES:
        drat = [line for line in drat if not line.startswith("d")]
    if drat is None or sum(map(len, drat)) > _MOST_PROOF:
        return None
    return {"kind": "search", "cuts": cuts, "drat": "\n".join(drat)}


def _drat(clauses: list[Clause], budget: Budget) -> list[str] | None:
    """The lines of the solver's proof that the clauses contradict each other; None where the budget ends first."""
    from pysat.solvers import Cadical195

    with Cadical195(bootstrap_with=clauses, with_proof=True) as solver:
        while not budget.is_spent:
            solver.conf_budget(_CONFLICTS_AT_ONCE)
            is_possible = solver.solve_limited()
            if is_possible is not None:
                return None if is_possible else solver.get_proof()
    return None
