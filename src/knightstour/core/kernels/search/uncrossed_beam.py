"""The sweep that keeps the best states only, for long uncrossed tours; uncrossed_beam.cc deals with its places.

It is the sweep of uncrossed.py, on boards of any width: a state is a row of bytes, for each place of the window its
mark (FREE, DONE, or the other end of its path, LOST where that is lost), then for each the bits of its later moves that
are blocked. The place p has the byte p % window. Which states are kept is not the kernel's business.
"""

from typing import NamedTuple

import numpy as np

FREE, MAX_WINDOW, MAX_LATER = 255, 250, 8
# A row of what is known about a state: the moves made; ends of paths; lost ends; the state it came from, from bit 8 on,
# and the later moves that were chosen.
LENGTH, ENDS, LOST, FROM = range(4)
MADE = 4
# Items of `totals`: new states; the moves of the longest whole tour, and where it came from.
COUNT, LONGEST, CAME_FROM = range(3)
TOTALS = 3


class Lines(NamedTuple):
    """The board.

    closed: whether a closed tour is asked for. window: one more than the longest move, in places.
    first: int64 (places + 1,), where the later moves of a place begin in `target`, the places they lead to.
    back_first, back: of each place its moves from earlier ones, in pairs: the earlier place, and the move.
    crossing_first, crossing: of each move those that it crosses and that begin later, in pairs as well.
    near_first, near: of each place the later ones whose moves its own may block or use.
    """

    closed: int
    places: int
    window: int
    first: np.ndarray
    target: np.ndarray
    back_first: np.ndarray
    back: np.ndarray
    crossing_first: np.ndarray
    crossing: np.ndarray
    near_first: np.ndarray
    near: np.ndarray
