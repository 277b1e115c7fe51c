"""Cases of backtracking."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from helpers.both_ways import both_ways
from knightstour import Board, Problem
from knightstour.core.search.backtracking import (
    BASE,
    CAPACITY,
    CERTAIN,
    DEPTH,
    FEWEST,
    FIRST,
    FRESH,
    HELD,
    PRUNE,
    QUEUED,
    START,
    TOTAL,
    TRAIL,
    Search,
    State,
)
from knightstour.core.search.shared_backtracking import Branch, search_branch
from reference import Case, Row

# Orders of moves, and whether both directions count.
ORDERS = (("classic", False), ("lexicographic", False), ("warnsdorff", True))
PRUNES = ("none", "all", "stranded", "closing", "forced", "connectivity", "islands", "forced,islands")


def _searches() -> Iterator[tuple[str, Search]]:
    for problem in (
        Problem((3, 4)),
        Problem((4, 4)),  # has none
        Problem((5, 6), closed=True),
        Problem((5, 5), start="a1"),
        Problem((5, 5), start="a1", end="c3"),
        Problem((4, 5), end="b1"),
        Problem(Board(4, 5, wrap="torus", holes=["b2"]), closed=True),
        Problem(Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3, 4], [4], [0]]))),
    ):
        for prune, (move_order, directed) in itertools.product(PRUNES, ORDERS):
            name = f"{problem} {prune} {move_order}"
            yield name, Search(problem, 3, move_order, prune, directed)


def cases() -> Iterator[Case]:
    """Yield all prunings on boards of all kinds; a search may continue after a tour."""
    for name, search in _searches():
        state = search.begin(2)
        state.counters[CAPACITY] = 2
        yield Case(name, (state,), [(0,), *[(1,)] * 10, (7,), (30,), (300,)])


def walks() -> Iterator[Case]:
    """Yield branches as cut by pieces of a search."""
    for name, search in _searches():
        for nodes in (9, 30):
            for branch in search_branch(search, Branch(), nodes, 100, True).rest[::3]:
                walk = np.array(branch.walk, dtype=np.int64)
                yield Case(f"{name} {nodes}", (search.begin(1), walk, branch.base, branch.waiting))


def seen(s: State, *rest: Any) -> Any:
    """Return the path, its waiting moves, the tours, and the state of the edges."""
    c, depth = s.counters, s.counters[DEPTH]
    is_lean = not c[PRUNE] and not c[FEWEST]
    has_ended = depth == c[BASE] and s.left[depth] == 0 and not is_lean
    c[TRAIL] = c[QUEUED] = 0
    # A search that ends at its root may do so amid a contradiction.
    c[CERTAIN] *= not has_ended
    path, left = s.path[: depth + 1], s.left[: depth + 1]
    if c[FRESH]:
        left[depth] = 0
    if is_lean and c[START] >= 0:
        left[0] = 0
    pairs = zip(path, left, strict=True)
    choices = [] if is_lean else [s.choices[s.offsets[x] : s.offsets[x] + count] for x, count in pairs]
    tours = s.tours[: c[HELD] * (c[TOTAL] - c[FIRST])]
    return c, path, left, choices, tours, [] if has_ended or is_lean else s.edge


ROWS = [Row("backtracking_step", None, cases, seen), Row("backtracking_follow", None, walks, seen)]
