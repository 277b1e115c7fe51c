"""Cases of tours of regular quartes."""

from collections.abc import Iterator
from typing import Any

from knightstour import Problem
from knightstour.lab.objectives.quartes import DEPTH, State, start_state
from reference import Case, Row


def cases() -> Iterator[Case]:
    """Yield magic rows, columns and both, of squares and oblongs, in order and at random; one restarts often."""
    rows, columns = {"magic-rows": 8}, {"magic-columns": 8}
    questions = [
        Problem("8x8", where=rows | columns),
        Problem("8x8", where=rows, start="c2"),
        Problem("8x12", where=rows),
        Problem("12x8", where=columns, end="a1"),
    ]
    for problem in questions:
        for random in (0, 77):
            state = start_state(problem, random, patience=2_000)
            yield Case(f"{problem} {random}", (state,), [(1,), (0,), (30,), (5_000,), (5_000,)])


def seen(state: State, *rest: Any) -> Any:
    """Return the placed quartes, and their sums."""
    laid = 4 * state.counters[DEPTH]
    return (
        state.counters,
        state.path[:laid],
        state.used,
        state.row_places,
        state.col_places,
        state.row_sum,
        state.col_sum,
    )


ROWS = [Row("quartes_step", None, cases, seen)]
