"""The error of an empty tour space."""

from __future__ import annotations

from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Result, Status
from knightstour.core.model.result_errors import NoTour
from knightstour.core.proofs.arguments import known_proof


def no_tours_error(problem: Problem) -> NoTour:
    """Return the error that explains why a problem has no tour, for an empty space."""
    proof = known_proof(problem)
    reason, source = ("all were counted", "exact count") if proof is None else (proof.reason, proof.source)
    return NoTour(Result(Status.IMPOSSIBLE, problem, None, reason, source, "count", 0, 0, 0.0))
