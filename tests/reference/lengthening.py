"""Cases of the search that lengthens uncrossed tours; tests/objectives checks the tours that it finds."""

from collections.abc import Iterator
from typing import Any

from knightstour import Problem
from knightstour.core.model.budget import Budget
from knightstour.lab.objectives import lengthening as kernel
from knightstour.lab.objectives.lengthening import Lengthening, first_uncrossed
from reference import Case, Row


def cases() -> Iterator[Case]:
    """Yield open and closed tours, with fixed ends and excluded squares; up to a goal or a number of nodes."""
    questions = [
        Problem("6x6", closed=True, partial=True),
        Problem("5x7:-c3", partial=True),
        Problem("6x6", start="a1", end="f6", partial=True),
        Problem("8x8", closed=True, start="c3", partial=True),
        Problem("hex:4", partial=True),
    ]
    for problem in questions:
        for seed in (1, 9):
            order, _ = first_uncrossed(problem, Budget())
            assert order is not None
            state = Lengthening(problem, order, seed, 1000).state
            state.counters[kernel.GOAL] = 12 if seed == 1 else 1000
            yield Case(f"{problem} {seed}", (state,), [(1,), (0,), (500,), (20_000,)])


def seen(state: Any, *rest: Any) -> Any:
    """Return the tour, and the longest so far."""
    links = [link for link in zip(state.is_on, state.next, state.previous, strict=True) if link[0]]
    return state.counters, state.best_order, state.crossed, state.is_on, links


ROWS = [Row("lengthening_step", None, cases, seen)]
