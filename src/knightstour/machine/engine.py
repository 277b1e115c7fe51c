"""Run one kernel two ways: interpreted first, and compiled once the search turns out to be long.

A kernel module holds plain functions and names them, callees first, in `KERNELS`; those that only other kernels call
may be named in `INNER` too, which halves the time to compile. A search is a NamedTuple of sequences of ints (its
state) and a function `step(state, nodes) -> int` that works on for about `nodes` nodes and returns RUNNING, FOUND or
EXHAUSTED; everything it must remember is in the state, so the next call goes on where it stopped. The state's first
field is `counters`, whose item 0 counts the nodes. Fields named in `NARROW` are int32 when they are arrays.

`drive` begins with lists and the interpreter: a small tour is done before numba would even be imported (0.35 s). When
its `Clock` says so, it turns the lists into int64 arrays and carries on compiled, in the middle of the same search. In
a process that has the kernel compiled already it is compiled from the start. The answer is the same either way, so a
kernel uses only what both ways share: ints below 2**63, sequences of ints by index, `for`, `while`, `if`, and
functions named in its KERNELS.

A search that is watched goes node by node, interpreted, and an observer adds to the budget's trace what each step has
changed in the state. The kernel does not know of it.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from knightstour.machine.kernel_cache import keep_on_disk
from knightstour.model.budget import Budget
from knightstour.model.trace import Trace

RUNNING, FOUND, EXHAUSTED = 0, 1, 2

# Interpret for about as long as compiled code takes to load, then load it: so at most twice the least time is spent.
INTERPRETED_SECONDS = 0.3
# What loading it takes on a slow day, from the disk and when it must be compiled first. Nothing can stop it on the way,
# so with less time left than that the search stays interpreted.
_LOAD_SECONDS = 0.8
_COMPILE_SECONDS = 6.0
# From this many squares on interpreting is not worth starting.
LARGE = 20_000
# A node of a search that looks at the whole board each time takes 0.2 s interpreted on 200x200, so begin with one.
_FIRST_SLICE = 1
_FIRST_COMPILED_SLICE = 64
_SLICE_SECONDS = 0.04
# A watched search adds its number of nodes to the trace each time it has made this many more.
_NODES_COUNTED = 100

# observe(state, status) is called after each node, and makes events of what is new in the state.
Observe = Callable[[Any, int], None]

# Kernels that this process has run compiled.
_loaded: set[ModuleType] = set()


def compiled(kernel: ModuleType) -> SimpleNamespace:
    """The functions of a kernel module compiled by numba, cached on disk. They compile at their first call.

    The logger "knightstour" says so where nothing is on disk yet, since compiling takes some seconds.
    """
    if kernel not in _loaded and not _is_on_disk(kernel):
        _announce(kernel)
    _loaded.add(kernel)
    return _wrapped(kernel)


def is_loaded(kernel: ModuleType) -> bool:
    """Whether this process has the kernel module compiled already."""
    return kernel in _loaded


def _name(kernel: ModuleType) -> str:
    """The last part of a module's name."""
    return kernel.__name__.rpartition(".")[2]


def _announce(kernel: ModuleType) -> None:
    import logging

    text = "compiling the %s kernel (a few seconds, once after installation)"
    logging.getLogger("knightstour").info(text, _name(kernel))


class Clock:
    """Says when interpreted work is to continue compiled: after about as long as compiled code takes to load, unless
    the time limit would come first.

    at_once: whether the work is large enough to be compiled from the start. loaded_after: seconds interpreted in a
    process that has the kernel compiled already.
    """

    def __init__(self, kernel: ModuleType, budget: Budget, *, at_once: bool = False, loaded_after: float = 0.0) -> None:
        self.kernel, self.budget = kernel, budget
        wait = 0.0 if at_once else loaded_after if is_loaded(kernel) else INTERPRETED_SECONDS
        self._due = budget.seconds + wait

    @property
    def is_due(self) -> bool:
        """Whether it is time for compiled code."""
        return self.budget.seconds >= self._due and is_worth_loading(self.kernel, self.budget)

    def load(self) -> SimpleNamespace:
        """The compiled functions of the kernel."""
        return compiled(self.kernel)


def is_worth_loading(kernel: ModuleType, budget: Budget) -> bool:
    """Whether the compiled functions would be there well before the time is up."""
    left = budget.seconds_left
    if is_loaded(kernel) or left >= _COMPILE_SECONDS:
        return True
    return left >= _LOAD_SECONDS and _is_on_disk(kernel)


@functools.cache
def _is_on_disk(kernel: ModuleType) -> bool:
    """Whether an earlier process left the compiled functions behind, or there is nothing to compile."""
    *_, (name, function) = vars(_wrapped(kernel)).items()
    cache = getattr(function, "_cache", None)
    if cache is None:
        return True
    # numba has no folder at all where it can write to none.
    return cache.cache_path is not None and any(Path(cache.cache_path).glob(f"{_name(kernel)}.{name}-*.nbi"))


@functools.cache
def _wrapped(kernel: ModuleType) -> SimpleNamespace:
    """The compiled functions that Python may call."""
    import numba

    # Functions of other kernel modules find their own globals here, too.
    scope: dict[str, Any] = {}
    for home in dict.fromkeys(function.__module__ for function in kernel.KERNELS):
        scope.update(vars(importlib.import_module(home)))
    scope.update(vars(kernel))
    for function in kernel.KERNELS:
        # A copy with its own globals, so that the plain functions stay plain and compiled ones call compiled ones.
        copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
        copy.__qualname__ = function.__qualname__
        # What is taken from another kernel module is compiled along with this one, and cached under its name.
        copy.__module__ = kernel.__name__
        # The wrapper for calls from Python takes as long to compile as the function; inner functions need none.
        inner = function in getattr(kernel, "INNER", ())
        options: dict[str, Any] = {"no_cpython_wrapper": inner, "no_cfunc_wrapper": inner}
        made = numba.njit(nogil=True, **options)(copy)
        if made is not copy:  # numba may be switched off
            keep_on_disk(made)
        scope[function.__name__] = made
    _drop_outdated(kernel, scope[kernel.KERNELS[-1].__name__])
    outer = [f.__name__ for f in kernel.KERNELS if f not in getattr(kernel, "INNER", ())]
    return SimpleNamespace(**{name: scope[name] for name in outer})


def _drop_outdated(kernel: ModuleType, dispatcher: Any) -> None:
    """Remove compiled functions older than a file that the module takes functions from; numba looks at one file."""
    folder = getattr(getattr(dispatcher, "_cache", None), "cache_path", None)
    sources = {f.__code__.co_filename for f in kernel.KERNELS} - {kernel.__file__}
    if folder is None or not sources:
        return
    with contextlib.suppress(OSError):
        newest = max(os.path.getmtime(source) for source in sources)
        for path in Path(folder).glob(f"{_name(kernel)}.*.nb?"):
            if path.stat().st_mtime < newest:
                path.unlink(missing_ok=True)


def state_of(kind: Callable[..., Any], fields: Iterable[Any], squares: int) -> Any:
    """The state of a search, from int64 arrays of its own: as lists on small boards. squares: of the board."""
    return kind(*(fields if squares >= LARGE else (field.tolist() for field in fields)))


def as_arrays(state: Any, kernel: ModuleType | None = None) -> Any:
    """The same state with arrays for its lists: int64, or as the kernel names them in NARROW, int32."""
    narrow = getattr(kernel, "NARROW", ())
    types = (np.int32 if name in narrow else np.int64 for name in type(state)._fields)
    return type(state)(*(np.asarray(field, dtype=dtype) for field, dtype in zip(state, types, strict=True)))


@contextmanager
def _interrupts_kept() -> Iterator[None]:
    """Ctrl-C within the block is raised at its end: a compiler at work may swallow it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    seen: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if seen:
        raise KeyboardInterrupt


def drive(
    kernel: ModuleType, state: Any, budget: Budget, *, start_compiled: bool = False, observe: Observe | None = None
) -> tuple[int, Any]:
    """Run the search `step` of a kernel module until it ends or the budget does.

    observe: adds what happens to the budget's trace, for as long as the trace is wanted.

    Returns (status, state): RUNNING if the budget ended it. The state returned may be a converted copy of the one
    given; give it back to go on.
    """
    step = kernel.step
    if observe is not None and budget.trace is not None and budget.trace.is_wanted:
        status, state = _watched(step, state, budget, budget.trace, observe)
        if status != RUNNING or budget.is_spent:
            return status, state
    is_compiled = False
    clock = Clock(kernel, budget, at_once=start_compiled)
    slice_nodes = _FIRST_SLICE
    spent = int(state.counters[0])
    while True:
        if not is_compiled and clock.is_due:
            with _interrupts_kept():
                step = clock.load().step
                state = as_arrays(state, kernel)
                step(state, 0)  # compiles or loads now, outside the timing of slices
            is_compiled = True
            slice_nodes = max(slice_nodes, _FIRST_COMPILED_SLICE)
        if budget.is_spent:
            return RUNNING, state
        before = budget.seconds
        status = int(step(state, budget.nodes_left(slice_nodes)))
        now = int(state.counters[0])
        budget.spend(now - spent)
        spent = now
        if status != RUNNING:
            return status, state
        took = budget.seconds - before
        if took < _SLICE_SECONDS / 2:
            slice_nodes = min(slice_nodes * 2, 1 << 40)
        elif took > _SLICE_SECONDS * 2:
            slice_nodes = max(slice_nodes // 2, 1)


def _watched(
    step: Callable[[Any, int], int], state: Any, budget: Budget, trace: Trace, observe: Observe
) -> tuple[int, Any]:
    """Run the search node by node until it ends, the budget does, or the trace has enough."""
    state = _as_lists(state)
    status = RUNNING
    spent = counted = state.counters[0]
    while status == RUNNING and not budget.is_spent:
        if not trace.is_wanted:
            # The rest is not traced; the mark says that the trace is incomplete.
            trace.dropped += 1
            break
        status = int(step(state, 1))
        now = state.counters[0]
        budget.spend(now - spent)
        spent = now
        observe(state, status)
        if now - counted >= _NODES_COUNTED:
            trace.add("count", values=(now,), name="nodes")
            counted = now
    trace.add("count", values=(spent,), name="nodes")
    return status, state


def _as_lists(state: Any) -> Any:
    """The same state with lists for its arrays: interpreted, these are quicker."""
    return type(state)(*(field.tolist() if isinstance(field, np.ndarray) else field for field in state))
