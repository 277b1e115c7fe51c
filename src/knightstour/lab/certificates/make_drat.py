"""Create proofs that clauses are unsatisfiable, by the SAT solver CaDiCaL; drat.py describes their form."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import TYPE_CHECKING

from knightstour.core.model.budget import Budget
from knightstour.lab.certificates.clauses import Clause, clauses_of, cut_clause, image_moves, variables_of
from knightstour.lab.certificates.drat import ClauseDatabase, read_lines
from knightstour.lab.certificates.images import images_of
from knightstour.lab.certificates.loop_graph import Near, link, loop_graph, pieces_without
from knightstour.lab.certificates.question import question_of
from knightstour.lab.certificates.record import Allowance, TooLong

if TYPE_CHECKING:
    from pysat.solvers import Cadical195

# Maximum number of characters; a certificate by states is often shorter than larger proofs.
_MAX_PROOF = 4_000_000
# Proofs with fewer lines are stored without deletions.
_FEW_LINES = 5_000
_CONFLICTS_AT_ONCE = 2_000
# Steps of the first check, and of the check that omits lines.
_LOOK_STEPS = 30_000_000


def has_solver() -> bool:
    """Whether python-sat is installed."""
    return importlib.util.find_spec("pysat") is not None


def refutation(clauses: list[Clause], budget: Budget) -> str | None:
    """Return the proof that the clauses are unsatisfiable, as text; None if they are satisfiable or the budget ends.

    If unit propagation finds a contradiction, the proof is the empty clause and needs no solver.
    """
    known = ClauseDatabase(Allowance(_LOOK_STEPS, float("inf")))
    try:
        if any(known.add(clause) for clause in clauses):
            return "0"
    except TooLong:
        return None
    lines = _proof_lines(clauses, budget)
    if lines is None:
        return None
    if sum(not line.startswith("d") for line in lines) < _FEW_LINES:
        lines = _shorten_proof(known, lines)
    text = "\n".join(lines)
    return text if len(text) <= _MAX_PROOF else None


def is_satisfiable(solver: Cadical195, budget: Budget) -> bool | None:
    """Whether the solver's clauses are satisfiable; None if the budget ends first."""
    while not budget.is_spent:
        solver.conf_budget(_CONFLICTS_AT_ONCE)
        is_possible: bool | None = solver.solve_limited()
        if is_possible is not None:
            return is_possible
    return None


def _proof_lines(clauses: list[Clause], budget: Budget) -> list[str] | None:
    """Return the solver's proof."""
    if not has_solver():
        return None
    from pysat.solvers import Cadical195

    with Cadical195(bootstrap_with=clauses, with_proof=True) as solver:
        if is_satisfiable(solver, budget) is not False:
            return None
        lines: list[str] = solver.get_proof()
        return lines


def _shorten_proof(clauses: ClauseDatabase, lines: list[str]) -> list[str]:
    """Return the lines up to the contradiction, without deletions and known clauses."""
    kept = []
    try:
        for _, is_deletion, clause in read_lines(lines):
            if is_deletion or any(literal in clauses.true for literal in clause):
                continue
            kept.append(" ".join(map(str, [*clause, 0])))
            if clauses.add(clause):
                break
    except TooLong:
        return lines
    return kept if kept and kept[-1] == "0" else [*kept, "0"]


# ---------------------------------------------------------------- with cuts


def search_for(record: Mapping[str, object], budget: Budget) -> dict[str, object] | None:
    """Return the proof of a certificate, if CaDiCaL is installed and finds one within the budget.

    record: the certificate without its proof.
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
    """Return sets of squares that a tour must leave, which make the clauses unsatisfiable; None if a tour is found.

    The solver finds cycle covers, and each cycle except the longest is such a set, until no cover is left.
    """
    from pysat.solvers import Cadical195

    variable = variables_of(near)
    cuts: list[list[int]] = []
    with Cadical195(bootstrap_with=clauses) as solver:
        while is_satisfiable(solver, budget):
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
    beside: Near = {}
    for a, b in moves:
        link(beside, a, b)
    return sorted(pieces_without(beside, set()), key=len)
