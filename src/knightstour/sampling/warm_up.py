"""All kernels compiled before anyone waits for them: for images of containers, and for classes.

Each kernel is compiled by asking a small question that needs it, in a process in which compiling pays at once. So what
lies on the disk afterwards is just what the same questions look for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from knightstour.machine import compiling, engine
from knightstour.machine.sharing import Workers, check_workers, run_pieces
from knightstour.model.arguments import explains_arguments
from knightstour.model.budget import Limits
from knightstour.model.errors import MethodError
from knightstour.model.progress import OnProgress, Reporter


@explains_arguments
def warm_up(*, workers: Workers = 2, on_progress: OnProgress | None = None) -> None:
    """Compile everything that may be compiled, and keep it on the disk, so that no later call waits for it.

    It takes about a minute of processor time, once after installation, and a second when all is there.

    workers: what shares the work: a number of processes, a client of a cluster, or None for this process.
    on_progress: called with a Progress as each kernel is done.

    Raises MethodError where numba is not installed.
    """
    check_workers(workers)
    if not compiling.has_compiler():
        raise MethodError("numba is not installed, and without it nothing is compiled", help="pip install numba")
    report = Reporter(on_progress, "compiling kernels", len(_PIECES))
    report(0)
    with closing(run_pieces(compile_for, [(name,) for name in _PIECES], workers)) as done:
        for k, (_, name) in enumerate(done, 1):
            report(k, name)


def compile_for(name: str) -> str:
    """Ask one of the questions, with all that it needs compiled."""
    with _compiling_at_once():
        _PIECES[name]()
    return name


@contextmanager
def _compiling_at_once() -> Iterator[None]:
    before = engine.INTERPRETED_SECONDS, engine.COMPILE_AFTER
    engine.INTERPRETED_SECONDS = engine.COMPILE_AFTER = 0.0
    try:
        yield
    finally:
        engine.INTERPRETED_SECONDS, engine.COMPILE_AFTER = before


def _count_halves() -> None:
    from knightstour.counting.count import count_tours

    count_tours((5, 6), limits=Limits(seconds=None))


def _space() -> None:
    from knightstour.counting.spaces import by_halves, move_counts
    from knightstour.model.problem import Problem

    space = by_halves.HalvesSpace.build(Problem.of((5, 6), closed=True), threads=1)
    space.numbers(space.links([0, 1]))
    space._word_begins(0)
    move_counts.count_uses(space)


# Those that take longest first, so that two processes end at about the same time.
_PIECES: dict[str, Callable[[], None]] = {
    "tour spaces": _space,
    "counts by halves": _count_halves,
}
