"""The space of a question as the commands need it: from a file of their own, or as TourSpace keeps it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Unpack

from knightstour.core.model.errors import FormatError, NoTour
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Result, Status
from knightstour.core.proofs.arguments import known_proof
from knightstour.lab.counting.settings import CountOptions
from knightstour.lab.counting.spaces.tour_space import TourSpace


def space_of(
    problem: Problem, path: str | os.PathLike[str] | None = None, **options: Unpack[CountOptions]
) -> TourSpace:
    """The space of a question: from the file `path`, which is made if it is not there; without it as TourSpace has it.

    limits, threads, on_progress: as for TourSpace.
    Raises what TourSpace does; FormatError where `path` holds the space of another question.
    """
    if path is None:
        return TourSpace(problem, **options)
    if Path(path).exists():
        space = TourSpace.open(path)
        if space.problem != problem:
            raise FormatError(f"holds another space: {space.problem}", path=os.fspath(path), help="name another file")
        return space
    space = TourSpace(problem, keep=False, **options)
    space.save(path)
    return space


def no_tours_error(problem: Problem) -> NoTour:
    """The error that says why a question has no tour, when its space is empty."""
    proof = known_proof(problem)
    reason, source = ("all were counted", "exact count") if proof is None else (proof.reason, proof.source)
    return NoTour(Result(Status.IMPOSSIBLE, problem, (), reason, source, "count", 0, 0, 0.0))
