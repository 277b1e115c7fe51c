"""The method `explicit`: tours of plain rectangles by construction, and the theorems where there is none.

The constructions are in implicit.py; this writes them out. It answers every question about every rectangle: a few small
boards that follow no rule are searched completely.
"""

from __future__ import annotations

from knightstour.constructions.implicit import ImplicitTour, rectangle_tour
from knightstour.machine import memory
from knightstour.model.budget import Budget
from knightstour.model.problem import Problem
from knightstour.model.result import Outcome, found
from knightstour.model.validation import an

# The order, and what making a Tour of it and checking it needs beside.
_BYTES_A_SQUARE = 115


def why_not_explicit(problem: Problem) -> str | None:
    """Why the constructions do not apply, or None."""
    if problem.board.is_rectangle:
        return None
    return f"constructed tours are for plain knight's rectangles, not for {an(problem.board)}"


def explicit(problem: Problem, budget: Budget, seed: int) -> Outcome:
    """The constructed tour, or the theorem by which there is none. The seed is not used."""
    board = problem.board
    made = rectangle_tour(problem, budget)
    if not isinstance(made, ImplicitTour):
        return made
    memory.need(
        _BYTES_A_SQUARE * made.length,
        f"a tour of {board.rows} x {board.cols} squares as an array",
        "implicit_tour(board) answers for single squares, windows and parts of the diagram at any size, and "
        "stream_tour writes it to a file",
    )
    return found(made.order())
