"""Counts of directed graphs, by an undirected graph with three nodes per node."""

from __future__ import annotations

from dataclasses import replace

from knightstour.core.methods.enumeration import iter_counts
from knightstour.core.model.budget import Limits, as_arguments
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.literals import CountMethod
from knightstour.core.model.one_way import BothWays, both_ways
from knightstour.core.model.problem import Problem
from knightstour.core.proofs.one_way import directed_proof
from knightstour.lab.counting.count import CountResult
from knightstour.lab.counting.plan import CountPlan
from knightstour.lab.counting.settings import CountSettings


def count_along_arcs(problem: Problem, settings: CountSettings, directed: bool, up_to_symmetry: bool) -> CountResult:
    """Count the tours of a directed graph; each has one direction and counts once."""
    from knightstour.lab.counting.count import count_problem

    made = _to_undirected(problem, settings.checkpoint, problem.symmetry is not None or up_to_symmetry)
    if problem.partial:
        listed = iter_counts(
            problem, **as_arguments(settings.limits), on_progress=settings.on_progress, workers=settings.cluster
        )
        return CountResult(sum(listed), problem, directed, method="enumeration")
    proof = directed_proof(problem)
    if proof is not None:
        return CountResult(0, problem, directed, method="proof", reason=proof.reason, source=proof.source)
    with made.errors_in_arcs():
        found = count_problem(made.problem, settings=settings)
    reason, source = made.why_none(found.reason, found.source)
    return found._replace(problem=problem, directed=directed, reason=reason, source=source)


def plan_along_arcs(
    problem: Problem,
    limits: Limits | None,
    checkpoint: object,
    up_to_symmetry: bool,
    method: CountMethod,
) -> CountPlan:
    """Plan a count of the tours of a directed graph."""
    from knightstour.lab.counting.plan import plan

    made = _to_undirected(problem, checkpoint, up_to_symmetry)
    if problem.partial:
        raise ProblemError("open-ended tours of directed graphs are listed, with no plan", help="count them")
    with made.errors_in_arcs():
        found = plan(made.problem, **as_arguments(limits), method=method)
    reason, source = made.why_none(found.reason, found.source)
    return replace(found, problem=problem, reason=reason, source=source)


def _to_undirected(problem: Problem, checkpoint: object, is_by_symmetry: bool) -> BothWays:
    """Raise an error for unsupported conditions."""
    if is_by_symmetry:
        raise ProblemError("no symmetries of a directed graph are known", help="count all its tours")
    if checkpoint is not None:
        raise ProblemError("a count of directed graphs supports no checkpoints", help="omit the checkpoint")
    return both_ways(problem)
