"""Tours of small rectangles between given ends, found by rotations, mostly in less than a millisecond.

A window is the small part of a big board that holds the given ends; the rest of the board needs no search. The search
is that by rotations, with fixed seeds, so the same window always gets the same path.
"""

from __future__ import annotations

import functools

from knightstour.core.machine import slices
from knightstour.core.machine.native import door
from knightstour.core.model.board import Board, Square, move_graph
from knightstour.core.model.problem import Problem
from knightstour.core.search.rotation import path_of, start_state

# Squares of the largest window; the search time stays about linear up to there.
MAX_SQUARES = 200

# 99.9 % of possible pairs need under 400 steps a square; an impossible pair uses up all of it. Now and
# then a search gets stuck, so the next seed is tried.
_PATIENCE = 3000
_TRIES = 3


@functools.lru_cache(maxsize=4096)
def window_path(
    rows: int,
    cols: int,
    start: Square | None,
    end: Square | None,
    closed: bool = False,
    seed: int = 1,
    patience: int = _PATIENCE,
) -> tuple[Square, ...] | None:
    """A tour of the rows x cols rectangle with these ends, or None if the search gave up (no proof).

    patience: steps of the search for each square, in all tries.

    >>> path = window_path(6, 6, (0, 0), (0, 1))
    >>> len(path), path[0], path[-1]
    (36, (0, 0), (0, 1))
    """
    if rows * cols == 1:
        return ((0, 0),)
    problem = Problem(Board(rows, cols), closed, start, end)
    if move_graph(problem.board).degrees.min() == 0:
        return None
    for k in range(_TRIES):
        state = start_state(problem, seed + k)
        if door("rotation_step")(state, -(-patience // _TRIES) * rows * cols) == slices.FOUND:
            break
    else:
        return None
    return tuple(divmod(s, cols) for s in path_of(problem, state).tolist())
