"""Paths as directions of steps: letters U, D, L and R, or N, E, S and W, as printed by puzzle solvers.

The path visits each square of a rectangle, or of the given board, so its outline defines the first square.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from knightstour.core.formats.readings.grids import Offer
from knightstour.core.formats.readings.views import View
from knightstour.core.formats.text import Reading
from knightstour.core.model.board import Board
from knightstour.core.model.geometry import is_flat
from knightstour.core.model.grid_board import GridBoard

_STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1), "N": (-1, 0), "S": (1, 0), "W": (0, -1), "E": (0, 1)}
_LETTERS = re.compile(r"[UDLR]{3,}|[NESW]{3,}")


def directions(view: View, given_board: Board | None) -> Iterator[Offer]:
    """Yield the tour of a text of such letters, optionally with separators."""
    text = re.sub(r"[\s,;>\-]+", "", "".join(line.text for line in view.lines)).upper()
    if not _LETTERS.fullmatch(text) or (
        given_board is not None and not (is_flat(given_board) and isinstance(given_board, GridBoard))
    ):
        return
    steps = np.array([_STEPS[letter] for letter in text], dtype=np.int64)
    squares = np.concatenate([np.zeros((1, 2), dtype=np.int64), np.cumsum(steps, axis=0)])
    squares -= squares.min(axis=0)
    rows, cols = (int(size) + 1 for size in squares.max(axis=0))
    board = given_board if given_board is not None else Board(rows, cols, moves="wazir")
    if (board.rows, board.cols) == (rows, cols):
        said = ("letters of the directions of steps",)
        yield Offer((*view.remarks, *said), [Reading(board, squares, view.lines[0].number)])
