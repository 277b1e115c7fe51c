"""A new condition: copy this file. A row of CONDITIONS makes it a condition everywhere.

Once the row is in the table, `kt.solve(board, turning=True)`, `knightstour solve --turning`, the field "turning" of the
API, JSON and the table of docs/conditions.md have it. Nothing else has to change.
"""

from __future__ import annotations

import numpy as np

from knightstour.core.model.board import Board
from knightstour.core.model.condition_table import CONDITIONS, LISTED, Condition
from knightstour.core.model.problem import Problem
from knightstour.core.model.validation import flag


def fault(problem: Problem, turning: bool, order: np.ndarray, step: np.ndarray) -> str | None:
    """Where a tour does not turn, as a sentence; None for one that turns everywhere.

    `order` are the square numbers of the tour, `step` the step of each square. This alone decides who is an answer, so
    it looks at the squares and at nothing that found them.
    """
    places = np.stack(np.divmod(order, problem.board.cols), axis=1)
    if problem.closed:
        places = np.concatenate([places, places[:2]])
    moves = np.diff(places, axis=0)
    straight = (moves[1:] == moves[:-1]).all(axis=1)
    if not straight.any():
        return None
    row, col = places[int(np.argmax(straight)) + 1].tolist()
    return f"it goes straight on at {problem.board.name((row, col))}"


def read(board: Board, written: object, name: str) -> bool:
    """The value in normal form, of what was written; an error that says what is wrong with it."""
    return False if written is None else flag(written, name)


CONDITIONS["turning"] = Condition(
    "turning",
    words="a turn at every square",
    # No search knows of it, so all tours are listed, and each is looked at.
    way=LISTED,
    read=read,
    normal=bool,
    written=lambda turning, square: turning,
    said=lambda board, turning: "turning at every square",
    fault=fault,
    help="The tour must turn at every square: no two moves in a row have one direction.",
    metavar="",
    example="",
    schema={"type": "boolean", "description": "whether no two moves in a row may have one direction"},
)
