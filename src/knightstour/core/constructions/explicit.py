"""The method `explicit`: tours of plain rectangles by construction, and the theorems for rectangles without tours.

It decides every problem on a rectangle. The constructions are in implicit.py; this module writes them to arrays.
"""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np

from knightstour.core.constructions import filling
from knightstour.core.constructions.implicit import ImplicitTour, construction, rectangle_tour
from knightstour.core.machine import memory
from knightstour.core.model.board import Board, square_count, title_of
from knightstour.core.model.budget import Budget
from knightstour.core.model.grid_board import is_rectangle
from knightstour.core.model.leaps import make_read_only
from knightstour.core.model.problem import Problem, replace_fields, why_not_supported
from knightstour.core.model.result import Outcome, Status
from knightstour.core.model.validation import an
from knightstour.core.proofs.theorems import rectangle_proof

# Bytes per square of the order, and of its check: one byte below 2**31 squares.
_BYTES_PER_SQUARE, _BYTES_BEYOND = 5, 115
# Limit on the squares of a cached tour: 4 MB in total.
_MAX_KEPT = 4096
# Number of tries for random ends. Half of all pairs have one colour, and small boards have few pairs.
_MAX_DRAWS = 50
_ENDS_DRAWN = 32


def why_not_explicit(problem: Problem) -> str | None:
    """Return the reason why constructions do not support a problem, or None."""
    if is_rectangle(problem.board):
        return why_not_supported(problem)
    return f"constructed tours are for plain knight's rectangles, not for {an(title_of(problem.board))}"


def is_constructed(method: str, problem: Problem) -> bool:
    """Whether a method constructs the tour without a search."""
    return method in ("auto", "explicit") and why_not_explicit(problem) is None


def explicit(problem: Problem, budget: Budget, seed: int) -> Outcome:
    """Return the constructed tour, or the theorem that excludes it.

    The seed 0 gives the tour of `implicit_tour`. On up to 4,096 squares other seeds give rotated or mirrored tours, or
    other ends.
    """
    board = problem.board
    if square_count(board) <= _MAX_KEPT:
        varied = varied_order(problem, seed) if seed else None
        if varied is not None:
            return _outcome(make_read_only(varied))
        kept = _kept_order(problem)
        if kept is not None:
            return _outcome(np.frombuffer(kept, dtype=np.int32))
    made = rectangle_tour(problem, budget)
    if not isinstance(made, ImplicitTour):
        return replace(made, method="explicit")
    memory.require_memory(
        (_BYTES_PER_SQUARE if made.length < 1 << 31 else _BYTES_BEYOND) * made.length,
        f"a tour of {board.rows} x {board.cols} squares as an array",
        "implicit_tour(board) returns squares, windows and parts of the diagram at any size, and stream_tour writes it "
        "to a file",
    )
    return _outcome(make_read_only(made.order()))


def _outcome(order: np.ndarray) -> Outcome:
    return Outcome(Status.FOUND, order, method="explicit")


def varied_order(problem: Problem, seed: int) -> np.ndarray | None:
    """Return the order of a random tour of a small rectangle, int32, or None if none can be constructed.

    The board is rotated or mirrored. Ends that are not given are random, and so are the start and the direction of a
    closed tour.
    """
    import random

    board, chance = problem.board, random.Random(seed)
    grid = np.arange(square_count(board), dtype=np.int32).reshape(board.rows, board.cols)
    turned = np.rot90(grid, chance.randrange(4))
    if chance.random() < 0.5:
        turned = turned[:, ::-1]
    squares = turned.ravel()  # square of the turned board -> square of the board
    place = {int(square): divmod(at, turned.shape[1]) for at, square in enumerate(squares)}
    start, end = (
        None if given is None else place[given[0] * board.cols + given[1]] for given in (problem.start, problem.end)
    )
    inner = Problem(Board(*turned.shape), closed=problem.closed)
    # All seeds share a few pairs of ends, to reuse cached tours.
    which = random.Random(seed % _ENDS_DRAWN)
    for _ in range(_MAX_DRAWS):
        ends = (start, end)
        if not problem.closed:
            first, last = (divmod(which.randrange(len(squares)), turned.shape[1]) for _ in range(2))
            ends = (start or first, end or last)
        kept = (
            _kept_order(replace_fields(inner, start=ends[0], end=ends[1]))
            if problem.closed or ends[0] != ends[1]
            else None
        )
        if kept is None:
            continue
        order = squares[np.frombuffer(kept, dtype=np.int32)]
        if problem.closed and problem.end is None:
            if start is None:
                order = np.roll(order, chance.randrange(len(order)))
            if chance.random() < 0.5:
                order = np.roll(order[::-1], 1)
        return order
    return None


@functools.lru_cache(maxsize=256)
def _kept_order(problem: Problem) -> bytes | None:
    """Return the order of a small constructed tour, int32, or None."""
    piece = construction(problem) if rectangle_proof(problem) is None else None
    return None if piece is None else filling.small_order(piece.runs(), piece.length, problem.board.cols).tobytes()
