"""Check of a tour: every square once, consecutive squares one move apart, and the other conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from knightstour.lab.certificates import record
from knightstour.lab.certificates.images import check_symmetry
from knightstour.lab.certificates.question import Move, Question
from knightstour.lab.certificates.record import Allowance, Wrong


def check_tour(question: Question, certificate: Mapping[str, object], allowance: Allowance) -> str:
    """Return a description of the check; raise Wrong if the squares are not a required tour."""
    squares = squares_of(question, record.items(record.part(certificate, "proof"), "squares"))
    check_squares(question, squares, allowance)
    return f"a tour of {len(squares):,} squares"


def moves_along(question: Question, squares: Sequence[int]) -> frozenset[Move]:
    moves = [*pairwise(squares), *([(squares[-1], squares[0])] if question.closed else [])]
    return frozenset((min(move), max(move)) for move in moves)


def squares_of(question: Question, value: object) -> list[int]:
    """Return the squares of a tour from an entry of a certificate."""
    return record.numbers(value, '"squares"', most=question.rows * question.cols - 1)


def check_squares(question: Question, squares: Sequence[int], allowance: Allowance) -> None:
    """Raise Wrong if these squares, in this order, are not a required tour."""
    if question.leaves and len(squares) < 2:
        raise Wrong(f"squares: there are {len(squares)}, but a tour that skips squares has at least two")
    if not question.leaves and len(squares) != question.count:
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
    _check_conditions(question, squares, step_of)


def _check_conditions(question: Question, squares: Sequence[int], step_of: Mapping[int, int]) -> None:
    made = moves_along(question, squares)
    for a, b in question.require:
        if (a, b) not in made:
            raise Wrong(f"squares: the required move between {a} and {b} is missing")
    for a, b in question.forbid:
        if (a, b) in made:
            raise Wrong(f"squares: the forbidden move between {a} and {b} is used")
    for square, steps in question.given.items():
        if step_of[square] + 1 not in steps:
            raise Wrong(f"squares: {square} has step {step_of[square] + 1}, unlike the given number")
    for one, other in pairwise(question.visit_order):
        if step_of[one] > step_of[other]:
            raise Wrong(f"squares: {other} is visited before {one}, against the order")
    check_symmetry(question, squares)
