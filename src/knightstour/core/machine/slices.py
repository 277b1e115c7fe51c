"""Long work of kernels, cut into short calls, so that limits, Ctrl-C and progress are handled between them.

*Searches.* A search is a NamedTuple of arrays (its state) and a kernel function `step(state, nodes)` that runs for
about `nodes` nodes and returns RUNNING, FOUND or EXHAUSTED. Its first field is `counters`, whose item 0 counts the
nodes. `drive` calls the function until the search or the budget ends. A watched search runs node by node, and an
observer adds the changes of the state to the budget's trace.

*Ranges.* A function for the items first ... last-1 is called with each of the `ranges`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from knightstour.core.machine.native import BoundFunction, kernel_function
from knightstour.core.model.budget import Budget
from knightstour.core.model.trace import Trace

RUNNING, FOUND, EXHAUSTED = 0, 1, 2

# Seconds per call, for which Ctrl-C and a window wait.
_SECONDS = 0.03
# Nodes of the first call. A node may examine the whole board.
_FIRST_SLICE = 64
_MOST = 1 << 40
# Nodes between two updates of the count in a trace.
_NODES_COUNTED = 100

# observe(state, status) is called after each node, and creates events for the changes in the state, whose fields are
# memoryviews of its arrays.
Observe = Callable[[Any, int], None]


def _next_size(size: int, took: float) -> int:
    """Return the size of the next call, after one of `size` took `took` seconds."""
    if took < _SECONDS / 2:
        # At most four times as much, since the next work may be more expensive.
        return min(_MOST, int(size * min(4.0, _SECONDS / max(took, 1e-9))) + 1)
    return max(1, int(size * _SECONDS / took)) if took > 1.5 * _SECONDS else size


def drive(step: str, state: Any, budget: Budget, *, observe: Observe | None = None) -> int:
    """Run a search until it or the budget ends. step: Name of its kernel function.

    Args:
        observe: Callback that adds events to the budget's trace.

    Returns:
        The status, RUNNING if the budget ended it. The state can be passed again to continue.
    """
    bound = kernel_function(step).bind(state)
    status = RUNNING
    if observe is not None and budget.trace is not None and budget.trace.is_wanted:
        status = _run_watched(bound, state, budget, budget.trace, observe)
    counters = memoryview(state.counters)
    size = _FIRST_SLICE
    while status == RUNNING and not budget.is_spent:
        before, spent = time.perf_counter(), counters[0]
        status = bound(budget.nodes_left(size))
        budget.spend(counters[0] - spent)
        size = _next_size(size, time.perf_counter() - before)
    return status


def _run_watched(bound: BoundFunction, state: Any, budget: Budget, trace: Trace, observe: Observe) -> int:
    """Run the search node by node until an end or limit."""
    state = type(state)(*(memoryview(field) for field in state))
    counters = state.counters
    status = RUNNING
    counted = counters[0]
    while status == RUNNING and not budget.is_spent:
        if not trace.is_wanted:
            # The trace is incomplete.
            trace.dropped += 1
            break
        spent = counters[0]
        status = bound(1)
        budget.spend(counters[0] - spent)
        observe(state, status)
        if counters[0] - counted >= _NODES_COUNTED:
            counted = counters[0]
            trace.add("count", values=(counted,), name="nodes")
    trace.add("count", values=(counters[0],), name="nodes")
    return status


def ranges(count: int, first_size: int = 1024) -> Iterator[tuple[int, int]]:
    """Yield (first, last) of pieces of 0 ... count-1 that take about 0.03 s each.

    >>> list(ranges(10)), list(ranges(0))
    ([(0, 10)], [])
    """
    first, size = 0, first_size
    while first < count:
        last = min(count, first + size)
        before = time.perf_counter()
        yield first, last
        size = _next_size(size, time.perf_counter() - before)
        first = last
