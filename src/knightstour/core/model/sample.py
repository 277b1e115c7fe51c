"""Random tours in bulk, with how they were drawn."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from knightstour.core.model.board import Board
from knightstour.core.model.exports import page_of, table_of
from knightstour.core.model.problem import Problem, plural_of
from knightstour.core.model.tour import Tour, tour_of
from knightstour.core.model.validation import quoted
from knightstour.core.model.wording import short_repr

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import DTypeLike


@dataclass(frozen=True, eq=False, repr=False)
class Sample:
    """Random checked tours, and the parameters of their drawing. An array of orders for numpy, and a sequence of Tours.

    Attributes:
        orders: Square numbers `row * cols + col` in order of visit, one tour per row: (n, squares), uint8 up to 256
            squares, uint16 up to 65,536, else int32.
        distribution, parameters, seed, offset: The tours depend on these.
        next_offset: The offset that continues after them.
        unique: Whether the tours are distinct.
        repeats: Drawn repeats, with unique only.
        fails: Readings or attempts without a tour.
        steps: Turns of the walk, or squares visited.
        rejected: Drawn tours whose statistics were outside the required ranges.
        acceptance: Fraction of accepted tours, 0 to 1.
        is_exhausted: Whether there are no more distinct tours; `reason` then contains their number, and its proof.
        reason: The limit that ended the drawing, if any.
    """

    orders: np.ndarray = field(repr=False)
    problem: Problem
    distribution: str
    parameters: dict[str, int]
    seed: int
    offset: int = 0
    unique: bool = False
    repeats: int = 0
    fails: int = 0
    steps: int = 0
    is_exhausted: bool = False
    reason: str = ""
    rejected: int = 0
    acceptance: float = 1.0

    @property
    def board(self) -> Board:
        """The board of the tours."""
        return self.problem.board

    @property
    def next_offset(self) -> int:
        """The offset of the tour after the last."""
        return self.offset + len(self.orders)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        if copy or (dtype is not None and np.dtype(dtype) != self.orders.dtype):
            return np.array(self.orders, dtype=dtype)
        return self.orders

    def to_pandas(self) -> pd.DataFrame:
        """`orders` as a pandas DataFrame: a row for each tour, a column for each step, rows named by their offset.

        Raises ProblemError if pandas is not installed.
        """
        return table_of(self.orders, index=range(self.offset, self.next_offset))

    def __repr__(self) -> str:
        unique = "different " if self.unique else ""
        return short_repr(
            self,
            f"{len(self):,} {unique}{plural_of(self.problem)}",
            f", distribution {self.distribution}, seed {self.seed}",
        )

    def _repr_html_(self) -> str:
        return page_of(repr(self), (self[k] for k in range(min(4, len(self)))))

    def __len__(self) -> int:
        return len(self.orders)

    def __getitem__(self, k: int) -> Tour:
        k = operator.index(k)
        if not -len(self.orders) <= k < len(self.orders):
            raise IndexError(f"there is no tour {quoted(k)} here: there are {len(self.orders):,}, counted from 0")
        return tour_of(self.board, self.orders[k])

    def __iter__(self) -> Iterator[Tour]:
        return (self[k] for k in range(len(self)))


def order_type(board: Board) -> type[np.unsignedinteger] | type[np.signedinteger]:
    """The type of square numbers: uint8 up to 256 squares, uint16 up to 65,536, then int32."""
    size = board.rows * board.cols
    return np.uint8 if size <= 1 << 8 else np.uint16 if size <= 1 << 16 else np.int32
