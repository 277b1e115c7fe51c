"""Cases of the merging of large flat boards."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from knightstour import Problem
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.search import flat_merging as k
from knightstour.core.search.flat_merging import CURSOR, NODES, PHASE, SMALL, FlatMerging, State
from reference import Case, Row


def seen(s: State, *rest: Any) -> Any:
    """Return the links and the results of a phase; for each label its root."""
    c, phase = s.counters, s.counters[PHASE]
    for i in (CURSOR, k.HEAD, k.TAIL, k.AT, k.BACK):
        c[i] = 0
    if phase == k.FIT:
        return c, s.ways, s.place, s.via[: c[SMALL]]
    left = {k.WALK: s.queue[: c[k.WALKED]], k.COUNT: s.reached}.get(phase)
    return c, s.ways, [_root_of(s.label, a) for a in range(len(s.label))], left


def _root_of(label: list[int], s: int) -> int:
    while label[s] != s:
        s = label[s]
    return s


class _Recorded(FlatMerging):
    """Copies the state before each phase."""

    def __init__(self, problem: Problem, seed: int) -> None:
        super().__init__(problem, Budget(Limits(seconds=None)), seed)
        self.states: list[State] = []

    def is_done(self, phase: int) -> bool:
        copies = State(*map(np.copy, self.state))
        copies.counters[NODES], copies.counters[PHASE], copies.counters[CURSOR] = 0, phase, 0
        self.states.append(copies)
        return super().is_done(phase)


_PROBLEMS = [
    Problem((12, 12), closed=True),
    Problem((13, 11)),
    Problem((9, 9), start="a1"),
    Problem((14, 15), start="a1", end="b1"),
    Problem((12, 12), start="a1", end="c1"),  # no path leads there
    Problem((11, 13), start="a1", end="b2"),
    Problem((26, 24)),
]
# With seeds by which loops are left over that are fitted in by each way there is.
_TO_FIT_IN = [
    (Problem((12, 12), closed=True), 4),
    (Problem((20, 20), closed=True), 0),
    (Problem((20, 20), closed=True), 1),
    (Problem((21, 21)), 0),
    (Problem((21, 21)), 3),
    (Problem((21, 21)), 4),
    (Problem((21, 21), start="a1"), 2),
    (Problem((21, 30), start="a1"), 10),
]


def cases() -> Iterator[Case]:
    """Yield each phase of several boards."""
    for problem, seed in [*((problem, 0) for problem in _PROBLEMS), *_TO_FIT_IN]:
        recorded = _Recorded(problem, seed)
        recorded.tour()
        for state in recorded.states:
            phase = int(state.counters[PHASE])
            if phase == k.FIT or (problem, seed) not in _TO_FIT_IN:
                yield Case(f"{problem} {seed} {phase}", (state,), [(1,), (1,), (5,), *[(400,)] * 3])


ROWS = [Row("flat_merging_step", None, cases, seen)]
