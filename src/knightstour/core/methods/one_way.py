"""Problems on directed graphs: solve() on an undirected graph with more nodes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from knightstour.core.methods.several import TourSearch
from knightstour.core.methods.table import checked_method
from knightstour.core.model.condition_check import confirm_answer
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.one_way import both_ways
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Result, Status
from knightstour.core.model.tour import Tour, tour_of
from knightstour.core.proofs.one_way import directed_proof

if TYPE_CHECKING:
    from knightstour.core.methods.solve import SolveSettings


def solve_along_arcs(
    problem: Problem,
    settings: SolveSettings,
) -> Result:
    """Return the result of `search` for the undirected graph, in nodes of the directed one."""
    from knightstour.core.methods.solve import search

    for name in ("minimize", "maximize", "optimal", "trace"):
        if getattr(settings, name) not in (None, False):
            raise ProblemError(f"a search along arcs does not support {name}", help=f"omit {name}")
    method = settings.method
    made = both_ways(problem)
    with made.errors_in_arcs():
        proofs, options = settings.proofs_and_options()
        row, _ = checked_method(made.problem, method, options, settings.workers)
        TourSearch(made.problem, method, row, settings.n, settings.unique, settings.on_tour)
        proof = directed_proof(problem) if proofs else None
        if proof is not None:
            return Result(proof.status, problem, None, proof.reason, proof.source, proof.method, settings.seed, 0, 0.0)

        def along(tour: Tour) -> Tour:
            found = tour_of(problem.board, made.order(tour.order))
            confirm_answer(problem, found, "a search along arcs")
            return found

        def take(tour: Tour, is_repeat: bool) -> None:
            if settings.on_tour is not None:
                settings.on_tour(along(tour), is_repeat)

        found = search(made.problem, settings._replace(on_tour=take))
    is_none = found.status is Status.IMPOSSIBLE
    reason, source = (
        made.why_none(found.reason, found.source) if is_none else (made.to_directed_text(found.reason), found.source)
    )
    return replace(
        found, problem=problem, tour=None if found.tour is None else along(found.tour), reason=reason, source=source
    )
