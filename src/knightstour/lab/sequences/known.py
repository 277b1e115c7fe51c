"""Numbers of tours that are known from elsewhere: the terms that the OEIS shows, and those of known.toml.

They are the answer, with their source, where a count is infeasible. No count reads them.
"""

from __future__ import annotations

import functools
import tomllib
from importlib import resources
from typing import NamedTuple

from knightstour.core.model.board import Board
from knightstour.core.model.problem import Problem
from knightstour.lab.sequences.families import sides
from knightstour.lab.sequences.table import find_sequences


class Known(NamedTuple):
    """A number of tours that was not counted here. reason: why that is the answer. source: where it is from."""

    tours: int
    reason: str
    source: str


def known_number(
    problem: Problem, *, directed: bool = False, symmetry: str | None = None, up_to_symmetry: bool = False
) -> Known | None:
    """The number of tours of a question where it is known; None for others, and for questions with ends or conditions.

    directed, symmetry, up_to_symmetry: as for count_tours.

    >>> known_number(Problem.of((9, 8), closed=True)).source
    'OEIS A193055, a(9)'
    >>> known_number(Problem.of((10, 9), closed=True)).tours
    19381952998732022416892
    >>> known_number(Problem.of((10, 10), closed=True)) is None
    True
    """
    if (problem.start, problem.end) != (None, None) or problem.asked or problem.leaves_squares:
        return None
    for place in find_sequences(problem, directed=directed, symmetry=symmetry, up_to_symmetry=up_to_symmetry):
        if place.value is not None:
            source = f"OEIS {place.sequence.number}, a({place.n})"
            return Known(place.value, "this number is published, and was not counted here", source)
    if directed:
        # A tour walked backwards is another one.
        one_way = known_number(problem, symmetry=symmetry, up_to_symmetry=up_to_symmetry)
        return None if one_way is None else one_way._replace(tours=2 * one_way.tours)
    if symmetry is not None or up_to_symmetry or not problem.board.is_rectangle:
        return None
    return _counted_before().get((sides(problem.board), problem.closed))


@functools.cache
def _counted_before() -> dict[tuple[tuple[int, int], bool], Known]:
    """The numbers of known.toml, by the sides of the board and whether closed tours are counted."""
    text = resources.files("knightstour.lab.sequences").joinpath("known.toml").read_text(encoding="utf-8")
    return {
        (sides(Board.of(row["board"])), row["closed"]): Known(int(row["tours"]), row["how"], row["source"])
        for row in tomllib.loads(text)["number"]
    }
