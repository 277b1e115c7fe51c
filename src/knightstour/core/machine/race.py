"""Calls run side by side, each in a worker process; the first answer wins and ends the others.

The processes are Python started afresh, so this works from scripts, notebooks and servers alike. They end when their
parent does: each watches the pipe from it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TypeVar

from knightstour.core.machine.calls import Call, WorkerDied
from knightstour.core.machine.worker_pool import WorkerPool
from knightstour.core.model.errors import MethodError
from knightstour.core.model.validation import whole_number

T = TypeVar("T")


def processes(workers: int | None) -> int:
    """How many processes that are: by default one a core. MethodError for less than one.

    >>> processes(3)
    3
    """
    return (os.cpu_count() or 1) if workers is None else whole_number(workers, "workers", least=1, error=MethodError)


def first_answer(
    calls: Sequence[Call[T]],
    is_answer: Callable[[T], bool],
    *,
    workers: int | None = None,
    seconds: float = float("inf"),
) -> tuple[int, T] | None:
    """Run the calls in up to `workers` processes (default: one a core) until one gives an answer; then end the rest.

    Returns (number of the call, its value), or None if no value was an answer or the time is over. An exception of a
    call is raised here. WorkerDied if every worker died, MethodError for less than one worker.
    """
    most = processes(workers)
    deadline = time.monotonic() + seconds
    lost: list[int] = []
    with (
        closing(WorkerPool(most)) as pool,
        closing(pool.run(enumerate(calls), False, 1, deadline, lost=lost)) as values,
    ):
        for k, value in values:
            if is_answer(value):
                return k, value
    if lost and len(lost) == len(calls):
        raise WorkerDied("every worker process died before it had an answer", help="is there enough memory?")
    return None
