"""The moves of a board as arrays, which searches and counts read."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from knightstour.core.model.deadline import no_garbage_sought
from knightstour.core.model.wording import short_repr


@dataclass(frozen=True, slots=True, eq=False)
class MoveGraph:
    """Moves of a board as arrays; square s is `row * cols + col`.

    The neighbours of s are `targets[offsets[s]:offsets[s + 1]]`, in the order of `piece.vectors`; a hole has no
    neighbours.

    Attributes:
        offsets: int64 (size + 1,).
        targets: int64 (2 x number of moves,).
        is_square: bool (size,), False at holes.
    """

    offsets: np.ndarray
    targets: np.ndarray
    is_square: np.ndarray

    def __repr__(self) -> str:
        return short_repr(self, f"{int(self.is_square.sum()):,} squares, {len(self.targets) // 2:,} moves")

    @property
    def squares(self) -> np.ndarray:
        """Numbers of the squares without holes, rising."""
        return np.flatnonzero(self.is_square).astype(np.int64, copy=False)

    @property
    def degrees(self) -> np.ndarray:
        """Number of moves from each square, 0 at holes: int64 (size,)."""
        return np.diff(self.offsets)

    @property
    def tails(self) -> np.ndarray:
        """Source squares of the moves, parallel to `targets`: int64."""
        return np.repeat(np.arange(len(self.is_square)), self.degrees.astype(np.intp))

    def edges(self) -> np.ndarray:
        """Each move once, as (lower, higher): int64 (moves, 2)."""
        keep = self.tails < self.targets
        return np.stack([self.tails[keep], self.targets[keep]], axis=1)

    def neighbour_lists(self) -> list[list[int]]:
        """Return a list of neighbours for each square; plain Python reads lists faster than arrays."""
        flat = self.targets.tolist()
        with no_garbage_sought():
            return [flat[a:b] for a, b in itertools.pairwise(self.offsets.tolist())]


def make_read_only(array: np.ndarray) -> np.ndarray:
    """The array, read-only from now on."""
    array.setflags(write=False)
    return array
