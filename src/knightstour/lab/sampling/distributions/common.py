"""Common parts of the distributions: a block of tours, the squares of a board without holes, and the stop signal."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from knightstour.core.model.board import move_graph
from knightstour.core.model.problem import Problem, end_index, start_index
from knightstour.core.model.result import Result, Status
from knightstour.core.model.result_errors import LimitReached
from knightstour.core.model.sample import order_type
from knightstour.core.model.symmetry import symmetries

# Maximum number of cached symmetries of a board; only wrapped boards have more.
_MAX_IMAGES = 1024
_MAX_IMAGE_ITEMS = 1 << 22
# Work between two checks of the time, in squares: some milliseconds.
SLICE = 1 << 22
PATIENCE_SQUARES = 1 << 32


class DistributionStopped(Exception):
    """A distribution has stopped before its block was complete."""


class Stop:
    """Stop signal for distributions, set by the caller or by the timeout. seconds_left: until the timeout."""

    def __init__(self, seconds_left: Callable[[], float] = lambda: float("inf")) -> None:
        self._seconds_left = seconds_left
        self._is_asked = False

    def set(self) -> None:
        self._is_asked = True

    def check(self) -> None:
        """Raise DistributionStopped if the signal is set or the time is over."""
        if self._is_asked or self._seconds_left() <= 0:
            raise DistributionStopped


class Block(NamedTuple):
    """Tours of one block, and their cost: number of failed attempts, and of all steps.

    rejected: number of tours that do not meet the conditions. why_fewer: reason why there are fewer tours.
    """

    orders: np.ndarray
    fails: int
    steps: int
    rejected: int = 0
    why_fewer: str = ""


class Draw(Protocol):
    """A distribution for a problem: draw(seed, count, stop) -> Block. parameters: with their defaults."""

    parameters: dict[str, int]

    def __call__(self, seed: int, count: int, stop: Stop, /) -> Block: ...


class Squares(NamedTuple):
    """Moves of the board, with squares numbered without holes. place: inverse of `labels`, the board's numbers."""

    labels: np.ndarray
    place: np.ndarray
    offsets: np.ndarray
    near: np.ndarray
    images: np.ndarray


def squares_of(problem: Problem) -> Squares:
    moves = move_graph(problem.board)
    labels = moves.squares
    place = np.full(len(moves.is_square), -1, dtype=np.int64)
    place[labels] = np.arange(len(labels))
    offsets = np.concatenate([[0], np.cumsum(moves.degrees[labels])])
    return Squares(labels, place, offsets, place[moves.targets], _images(problem, labels))


def _images(problem: Problem, labels: np.ndarray) -> np.ndarray:
    fixed = [s for s in (start_index(problem), end_index(problem)) if s is not None and not problem.closed]
    rows: list[np.ndarray] = []
    for symmetry in symmetries(problem.board):
        if len(rows) >= _MAX_IMAGES or (rows and len(rows) * len(labels) >= _MAX_IMAGE_ITEMS):
            break
        image = symmetry.image
        if all(image[s] == s for s in fixed):
            rows.append(image[labels])
    return np.array(rows, dtype=order_type(problem.board))


def random_state(seed: int) -> int:
    """Return a state of the kernels' random generator."""
    return seed % ((698769069 << 32) - 2) + 1


def gave_up_error(problem: Problem, reason: str, seed: int, steps: int) -> LimitReached:
    return LimitReached(Result(Status.UNDECIDED, problem, None, reason, "", "sampling", seed, steps, 0.0))
