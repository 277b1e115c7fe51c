"""Check of FOUND: every square once, each a move from the one before, by coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from knightstour.certificates import record
from knightstour.certificates.record import Allowance, Wrong
from knightstour.certificates.rules import Question


def check_tour(question: Question, certificate: Mapping[str, object], allowance: Allowance) -> str:
    """What was checked; Wrong where the squares are not the tour asked for."""
    proof = record.part(certificate, "proof")
    size = question.rows * question.cols
    squares = record.numbers(record.items(proof, "squares"), '"squares"', most=size - 1)
    if len(squares) != question.count:
        raise Wrong(f"squares: there are {len(squares):,}, but the board has {question.count:,}")
    step_of: dict[int, int] = {}
    for step, square in enumerate(squares):
        if square in question.holes:
            raise Wrong(f"squares, step {step}: {square} is a hole")
        if square in step_of:
            raise Wrong(f"squares, step {step}: {square} was visited at step {step_of[square]}")
        step_of[square] = step
    for step, (here, there) in enumerate(pairwise(squares), 1):
        allowance.spend(5)
        if there not in question.reached_from(here):
            raise Wrong(f"squares, step {step}: no move leads from {here} to {there}")
    if question.closed and (len(squares) < 3 or squares[0] not in question.reached_from(squares[-1])):
        raise Wrong("squares: no move leads from the last to the first, so the tour is not closed")
    for name, wanted, square in (("start", question.start, squares[0]), ("end", question.end, squares[-1])):
        if wanted is not None and wanted != square:
            raise Wrong(f"squares: the {name} is {square}, not {wanted}")
    return f"a tour of {len(squares):,} squares"
