"""Checks of constructed tours: as arrays, or for giant boards all seams and many steps.

A piece is anything with `length`, `at(step)`, `rank(square)` and `runs()`.
"""

import itertools
import random
from typing import Any

import numpy as np

from knightstour.core.constructions import filling
from knightstour.core.constructions.pieces import Chain, PlacedPiece, Repeat, ReversedPiece, ShiftedPiece
from knightstour.core.model.board import move_graph
from knightstour.core.model.problem import Problem, end_index, start_index
from knightstour.core.model.result import Outcome, Status

Square = tuple[int, int]


def assert_answers(problem: Problem, outcome: Outcome) -> None:
    """Check that an outcome is a tour of the board that meets the problem."""
    assert outcome.status is Status.FOUND, (problem, outcome.reason)
    assert outcome.order is not None
    order = [int(s) for s in outcome.order]
    moves = move_graph(problem.board)
    near = moves.neighbour_lists()
    assert sorted(order) == moves.squares.tolist()
    assert all(b in near[a] for a, b in itertools.pairwise(order))
    assert not problem.closed or (order[0] in near[order[-1]] and len(order) > 2)
    assert problem.start is None or order[0] == start_index(problem)
    assert problem.end is None or order[-1] == end_index(problem)


def assert_is_tour(
    order: Any, rows: int, cols: int, *, closed: bool = False, start: Square | None = None, end: Square | None = None
) -> None:
    """Check that square numbers are a knight's tour of the rectangle with these ends."""
    order = np.asarray(order)
    what = (rows, cols, closed, start, end)
    assert order.shape == (rows * cols,), what
    assert np.bincount(order, minlength=rows * cols).max() == 1, what
    walk = np.append(order, order[0]) if closed else order
    r, c = np.divmod(walk, cols)
    assert (np.abs(np.diff(r)) * np.abs(np.diff(c)) == 2).all(), what
    assert not closed or len(order) > 2, what
    assert start is None or divmod(int(order[0]), cols) == start, what
    assert end is None or divmod(int(order[-1]), cols) == end, what


def assert_piece_is_tour(piece: Any, rows: int, cols: int, **asked: Any) -> None:
    """Check a piece as an array."""
    assert piece.length == rows * cols
    order = np.empty(rows * cols, dtype=np.int64)
    filling.fill(filling.order_pattern(piece.runs(), cols, 1), order)
    assert_is_tour(order, rows, cols, **asked)


def assert_sampled_tour(
    piece: Any,
    rows: int,
    cols: int,
    *,
    closed: bool = False,
    start: Square | None = None,
    end: Square | None = None,
    samples: int = 100,
    seed: int = 0,
) -> None:
    """Check a large piece around its seams and at random steps and squares."""
    what = (rows, cols, closed, start, end)
    length = rows * cols
    assert piece.length == length, what
    assert start is None or piece.at(0) == start, what
    assert end is None or piece.at(length - 1) == end, what
    rng = random.Random(f"{what} {seed}")
    steps = {0, length - 1} | {rng.randrange(length) for _ in range(samples)}
    steps |= {length >> rng.randrange(1, length.bit_length() + 1) for _ in range(samples // 4)}
    for step in seams(piece, rng):
        steps |= {step % length, (step - 1) % length}
    for _ in range(samples):
        # Pieces meet near the border and near the ends.
        (r0, c0), (r1, c1) = start or (0, 0), end or (0, 0)
        row, col = _somewhere(rng, rows, (r0, r1)), _somewhere(rng, cols, (c0, c1))
        step = piece.rank((row, col))
        assert step is not None and piece.at(step) == (row, col), (what, (row, col))
        steps.add(step)
    for step in steps:
        square = piece.at(step)
        assert 0 <= square[0] < rows and 0 <= square[1] < cols, (what, step)
        assert piece.rank(square) == step, (what, step)
        if step + 1 < length or closed:
            after = piece.at((step + 1) % length)
            assert {abs(square[0] - after[0]), abs(square[1] - after[1])} == {1, 2}, (what, step)


def _somewhere(rng: random.Random, size: int, near: Square) -> int:
    place = rng.choice([0, size - 1, *near, rng.randrange(size)])
    return min(size - 1, max(0, place + rng.randint(-12, 12)))


def seams(piece: Any, rng: random.Random) -> list[int]:
    """Return the first steps of the parts of a nested piece; of repeated parts a few."""
    if isinstance(piece, Chain):
        found = []
        begin = 0
        for part in piece.pieces:
            found += [begin, *(begin + step for step in seams(part, rng))]
            begin += part.length
        return found
    if isinstance(piece, Repeat):
        laps = sorted(lap for lap in {0, 1, piece.count - 1, rng.randrange(piece.count)} if lap < piece.count)
        inner = [0, *seams(piece.piece, rng)]
        return [lap * piece.piece.length + step for lap in laps for step in inner]
    if isinstance(piece, PlacedPiece):
        return seams(piece.piece, rng)
    if isinstance(piece, ReversedPiece):
        return [piece.length - step for step in seams(piece.piece, rng)]
    if isinstance(piece, ShiftedPiece):
        return [0, *((step - piece.shift) % piece.length for step in seams(piece.piece, rng))]
    if hasattr(piece, "piece"):
        return seams(piece.piece, rng)
    return []
