"""solve() along arcs: a question about a directed graph is asked of an undirected one with three nodes for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from knightstour.core.methods.several import OnTour, Several
from knightstour.core.methods.table import checked_method
from knightstour.core.model.budget import Limits
from knightstour.core.model.condition_check import confirm_answer
from knightstour.core.model.errors import MethodError
from knightstour.core.model.one_way import both_ways
from knightstour.core.model.problem import Problem
from knightstour.core.model.progress import OnProgress
from knightstour.core.model.result import Result, Status
from knightstour.core.model.tour import Tour
from knightstour.core.model.validation import flag
from knightstour.core.proofs.one_way import directed_proof


class AskedAlongArcs(NamedTuple):
    """What solve() is asked about a directed graph: its arguments, of which `options` are those of the method."""

    problem: Problem
    method: str
    options: Mapping[str, object]
    rng: int
    limits: Limits | None
    n: int
    unique: bool
    proofs: bool
    workers: Any
    on_tour: OnTour | None
    on_progress: OnProgress | None


def solve_along_arcs(solve: Callable[..., Result], given: Sequence[Any], for_edges: Mapping[str, object]) -> Result:
    """The answer of `solve` for the undirected graph, in the nodes of the directed one.

    given: what AskedAlongArcs holds, in its order. for_edges: what cannot be asked of a directed graph, by name; None
    where it is not.
    """
    for name, value in for_edges.items():
        if value is not None:
            raise MethodError(f"a search along arcs knows no {name}", help=f"leave out {name}")
    asked = AskedAlongArcs(*given)
    problem, method = asked.problem, asked.method
    made = both_ways(problem)
    with made.saying_of_arcs():
        row, _ = checked_method(made.problem, method, asked.options, asked.workers)
        Several(made.problem, method, row, asked.n, asked.unique, asked.on_tour)
        proof = directed_proof(problem) if flag(asked.proofs, "proofs") else None
        if proof is not None:
            return Result(proof.status, problem, (), proof.reason, proof.source, proof.method, asked.rng, 0, 0.0)

        def along(tour: Tour) -> Tour:
            found = Tour.from_order(problem.board, made.order(tour.order))
            confirm_answer(problem, found, "a search along arcs")
            return found

        def take(tour: Tour, is_repeat: bool) -> None:
            if asked.on_tour is not None:
                asked.on_tour(along(tour), is_repeat)

        how = {name: value for name, value in asked._asdict().items() if name not in ("problem", "options", "on_tour")}
        found = solve(made.problem, on_tour=take, **how, **asked.options)
    is_none = found.status is Status.IMPOSSIBLE
    reason, source = made.why_none(found.reason, found.source) if is_none else (made.said(found.reason), found.source)
    return replace(found, problem=problem, tours=tuple(map(along, found.tours)), reason=reason, source=source)
