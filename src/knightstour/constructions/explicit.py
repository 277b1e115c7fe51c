"""The method `explicit`: tours of plain rectangles by construction, and the theorems where there is none.

The constructions are in implicit.py; this writes them out. It answers every question about every rectangle: a few small
boards that follow no rule are searched completely.
"""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np

from knightstour.constructions import filling
from knightstour.constructions.implicit import ImplicitTour, construction, rectangle_tour
from knightstour.machine import memory
from knightstour.model.budget import Budget
from knightstour.model.flat_moves import sealed
from knightstour.model.problem import Problem
from knightstour.model.result import Outcome, Status
from knightstour.model.validation import an
from knightstour.proofs.theorems import rectangle_proof

# The order, and what checking it needs beside: below 2**31 squares a byte a square.
_BYTES_A_SQUARE, _BYTES_BEYOND = 5, 115
# Tours of boards of no more squares than this are kept for those who ask again: 4 MB of them at most.
_MOST_KEPT = 4096


def why_not_explicit(problem: Problem) -> str | None:
    """Why the constructions do not apply, or None."""
    if problem.board.is_rectangle:
        return problem.not_taken()
    return f"constructed tours are for plain knight's rectangles, not for {an(problem.board)}"


def explicit(problem: Problem, budget: Budget, seed: int) -> Outcome:
    """The constructed tour, or the theorem by which there is none. The seed is not used."""
    board = problem.board
    if board.square_count <= _MOST_KEPT:
        kept = _kept_order(problem)
        if kept is not None:
            return _made(np.frombuffer(kept, dtype=np.int32))
    made = rectangle_tour(problem, budget)
    if not isinstance(made, ImplicitTour):
        return replace(made, method="explicit")
    memory.need(
        (_BYTES_A_SQUARE if made.length < 1 << 31 else _BYTES_BEYOND) * made.length,
        f"a tour of {board.rows} x {board.cols} squares as an array",
        "implicit_tour(board) answers for single squares, windows and parts of the diagram at any size, and "
        "stream_tour writes it to a file",
    )
    return _made(sealed(made.order()))


def _made(order: np.ndarray) -> Outcome:
    return Outcome(Status.FOUND, order, method="explicit")


@functools.lru_cache(maxsize=256)
def _kept_order(problem: Problem) -> bytes | None:
    """The order of a small constructed tour, int32, as bytes, which nobody can change; None where none is constructed.

    Each answer made of it is checked again.
    """
    piece = construction(problem) if rectangle_proof(problem) is None else None
    return None if piece is None else filling.small_order(piece.runs(), piece.length, problem.board.cols).tobytes()
