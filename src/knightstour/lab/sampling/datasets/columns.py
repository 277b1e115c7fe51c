"""The columns of a data set that hold facts of its tours: which there are, and which a question can have.

The rows of STATISTICS are measured as `measure_tours` does, each tour as it is, closed or open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np

from knightstour.core.model.board import Board
from knightstour.core.model.errors import BoardError, MethodError
from knightstour.core.model.problem import Problem
from knightstour.core.model.validation import one_of
from knightstour.lab.sampling.datasets import packing
from knightstour.lab.statistics.measure import measure_tours
from knightstour.lab.statistics.table import STATISTICS, statistic_named

_PLACES: Final = {
    "number": "place in the stream of the seed, from 0",
    "rank": "number among all tours of the question, from 1; small boards",
}
# The columns that a data set may have besides those of each; and a statistic of squares or moves that its name gives.
COLUMNS: Final[Mapping[str, str]] = {
    "symmetry": "symmetry class",
    **{name: STATISTICS[name].summary for name in ("turns", "crossings")},
    **_PLACES,
    **{name: row.summary for name, row in STATISTICS.items()},
}


def is_measured(name: str) -> bool:
    """Whether the column holds a statistic."""
    return name != "symmetry" and name not in _PLACES


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """The columns, each once, in the order of the table; then those of squares or moves."""
    asked = set(names)
    return (*(name for name in COLUMNS if name in asked), *sorted(asked - set(COLUMNS)))


def check_columns(names: Iterable[str], problem: Problem) -> None:
    """Raise a MethodError, ProblemError or BoardError for columns that the question cannot have."""
    for name in names:
        if isinstance(name, str) and "=" in name:
            statistic_named(name).check(problem.board, problem.closed)
        elif is_measured(one_of(name, COLUMNS, "column", error=MethodError)):
            STATISTICS[name].check(problem.board, problem.closed)
        elif name == "symmetry" and (excuse := packing.why_no_symmetry(problem.board)):
            raise BoardError(excuse, help=f"leave out the column {name}")


def measured(names: Iterable[str], orders: np.ndarray, board: Board) -> dict[str, np.ndarray]:
    """The values of those columns that hold measured statistics: uint32 (n,) for each."""
    wanted = [name for name in names if is_measured(name)]
    if not wanted:
        return {}
    # measure_tours measures as many at a time as the memory of the processor holds.
    return {name: values.astype(np.uint32) for name, values in measure_tours(orders, wanted, board).items()}
