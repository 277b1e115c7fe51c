"""Cases of the merging method."""

import itertools
from collections.abc import Iterator
from typing import Any

from helpers.both_ways import both_ways
from knightstour import Board, Problem
from knightstour.core.search import merging as k
from knightstour.core.search.merging import State, start_state
from reference import Case, Row

# Of use only to go on after a rest.
_TO_GO_ON = (
    *(k.CURSOR, k.SEARCHES, k.SEARCHING, k.HEAD, k.TAIL, k.OPEN_TARGETS, k.UNMATCHED, k.MERGED, k.FEWEST),
    *(k.KICKS_SINCE, k.FOCUS, k.FRESH, k.LISTED, k.IS_FIRST),
)


def seen(s: State, *rest: Any) -> Any:
    """Omit internal data and the names of loops."""
    for i in _TO_GO_ON:
        s.counters[i] = 0
    return s.counters, s.squares, s.before, s.after, s.tour


_PROBLEMS = [
    Problem((6, 6), closed=True),
    Problem((5, 5), start="a1"),
    Problem((5, 5), closed=True),  # has no cover
    Problem((5, 7)),
    Problem((8, 8), start="a1", end="h7"),
    Problem((4, 8), closed=True),  # has a cover, but no tour
    Problem((1, 2)),
    Problem(Board(7, 7, holes=["d4"]), closed=True),
    Problem(Board(5, 6, wrap="klein")),
    Problem(Board.from_graph(both_ways([[1, 2], [0, 3], [0, 3], [1, 2]])), closed=True),
]
# Loops too long to be walked round; and boards on which other ways are quicker.
_LARGE = [
    Problem((30, 30), closed=True),
    Problem((10, 420), closed=True),
    Problem(Board(65, 65, wrap="torus"), start="a1"),
    Problem(Board(66, 64, leaper=(2, 3))),
]


def cases() -> Iterator[Case]:
    """Yield boards of all kinds, with all initial loops; some need repairs, some fail."""
    calls = [(0,), *[(1,)] * 30, *[(7,)] * 30, (500,), (500,), (1000,)]
    for problem, randomness in itertools.product(_PROBLEMS, (0, 1, 2)):
        state = start_state(problem, 5, randomness)
        state.counters[k.PATIENCE] = 40
        yield Case(f"{problem} {randomness}", (state,), calls)
    calls = [(4000,), (1,), (5000,), (5000,), (300,), *[(3000,)] * 4]
    for problem in _LARGE:
        yield Case(str(problem), (start_state(problem, 5, 1),), calls)


ROWS = [Row("merging_step", None, cases, seen)]
