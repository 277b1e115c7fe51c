"""A new condition: copy this file. A row of CONDITIONS makes it a condition everywhere.

Once the row is in the table, `kt.solve(board, turning=True)`, the field "turning" of the API, JSON and the table of
docs/conditions.md have it. Nothing else has to change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from knightstour.core.model.board import Board
from knightstour.core.model.condition_table import CONDITIONS, LISTED, Condition
from knightstour.core.model.problem import Problem
from knightstour.core.model.validation import flag


class Turning(Condition[bool]):
    """A turn at every square. No search supports it, so each tour of the list of all tours is checked."""

    name, words, way, normal = "turning", "a turn at every square", LISTED, bool
    help, metavar = "The tour must turn at every square: no two moves in a row have one direction.", ""
    schema: ClassVar[Mapping[str, Any]] = {
        "type": "boolean",
        "description": "whether no two moves in a row may have one direction",
    }

    def read(self, board: Board, written: object) -> bool:
        return False if written is None else flag(written, self.name)

    def write(self, value: bool, square: Callable[[int], object]) -> bool:
        return value

    def describe(self, board: Board, value: bool) -> str:
        return "turning at every square"

    def fault(self, problem: Problem, value: bool, order: np.ndarray, step: np.ndarray) -> str | None:
        # This alone decides which tours are answers, so it uses the squares and nothing that found them.
        places = np.stack(np.divmod(order, problem.board.cols), axis=1)
        if problem.closed:
            places = np.concatenate([places, places[:2]])
        moves = np.diff(places, axis=0)
        straight = (moves[1:] == moves[:-1]).all(axis=1)
        if not straight.any():
            return None
        row, col = places[int(np.argmax(straight)) + 1].tolist()
        return f"it goes straight on at {problem.board.square_name((row, col))}"


CONDITIONS["turning"] = Turning()
