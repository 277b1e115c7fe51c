"""A search by a SAT solver, as a certificate: the sets that a tour must leave, and the solver's proof of the rest."""

from __future__ import annotations

from collections.abc import Mapping

from knightstour.core.model.budget import Budget
from knightstour.lab.certificates.clauses import Clause, clauses_of, cut_clause, image_moves, variables_of
from knightstour.lab.certificates.images import images_of
from knightstour.lab.certificates.loop_graph import Near, link, loop_graph, pieces_without
from knightstour.lab.certificates.make_drat import decided, has_solver, refutation
from knightstour.lab.certificates.question import question_of
from knightstour.lab.certificates.record import TooLong


def search_for(record: Mapping[str, object], budget: Budget) -> dict[str, object] | None:
    """The proof of a certificate, if CaDiCaL is there and finds one within the budget.

    record: the question as a certificate has it.
    """
    if not has_solver():
        return None
    question = question_of(record)
    near = loop_graph(question)
    if len(near) < 3:
        return None
    images = image_moves(question, near, images_of(question))
    try:
        cuts = _cuts(near, clauses_of(near, [], images), budget)
        drat = None if cuts is None else refutation(clauses_of(near, cuts, images), budget)
    except TooLong:
        return None
    return None if drat is None else {"kind": "search", "cuts": cuts, "drat": drat}


def _cuts(near: Near, clauses: list[Clause], budget: Budget) -> list[list[int]] | None:
    """Sets of squares that a tour must leave, with which the clauses cannot be met; None where a tour is found.

    The solver covers the graph by loops, and each of them but the largest is such a set, until there is no cover left.
    """
    from pysat.solvers import Cadical195

    variable = variables_of(near)
    cuts: list[list[int]] = []
    with Cadical195(bootstrap_with=clauses) as solver:
        while decided(solver, budget):
            model = solver.get_model()
            taken = [move for move, name in variable.items() if model[name - 1] > 0]
            loops = _loops(taken)
            if len(loops) == 1:
                return None
            for loop in loops[:-1]:
                cuts.append(sorted(loop))
                solver.add_clause(cut_clause(near, variable, loop))
        return None if budget.is_spent else cuts


def _loops(moves: list[tuple[int, int]]) -> list[set[int]]:
    """The squares of each loop of a cover, the largest loop last."""
    beside: Near = {}
    for a, b in moves:
        link(beside, a, b)
    return sorted(pieces_without(beside, set()), key=len)
