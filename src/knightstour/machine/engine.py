"""Run one kernel two ways: interpreted first, and compiled once the work turns out to be long.

A kernel module (compiling.py) holds plain functions of ints and of sequences of ints. There are two ways to use one.

*Doors.* `doors(kernel)` are its functions, to be called with arrays. Each call runs interpreted until compiled code
pays, then compiled; the caller only cuts long work into calls, smaller ones as long as `is_compiled` is false.

*Searches.* A search is a NamedTuple of sequences of ints (its state) and a function `step(state, nodes) -> int` that
works on for about `nodes` nodes and returns RUNNING, FOUND or EXHAUSTED; everything it must remember is in the state,
so the next call goes on where it stopped. The state's first field is `counters`, whose item 0 counts the nodes. `drive`
begins with lists and the interpreter: a small tour is done before numba would even be imported (0.35 s). When its
`Clock` says so, it turns the lists into arrays, int32 for the fields named in the kernel's `NARROW` and int64 for all
others, and carries on compiled, in the middle of the same search.

When compiled code pays is decided in one place, `is_due`: at once where this process has it already; after about as
long as it takes to load where it is on the disk; else after some seconds, in which another process compiles it
(compile_ahead.py), unless the work is known to be so long that waiting for the compiler is the shorter way. Without
numba everything goes on interpreted.

The answer is the same either way, so a kernel uses only what both ways share: ints below 2**63, sequences of ints by
index, `for`, `while`, `if`, and functions named in its KERNELS.

A search that is watched goes node by node, interpreted, and an observer adds to the budget's trace what each step has
changed in the state. The kernel does not know of it.
"""

from __future__ import annotations

import functools
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from knightstour.machine import compiling
from knightstour.machine.compile_ahead import ahead, is_never_here, is_wanted
from knightstour.machine.compiling import Form
from knightstour.model.budget import CLOCKS, Budget
from knightstour.model.trace import Trace

RUNNING, FOUND, EXHAUSTED = 0, 1, 2

# Interpret for about as long as compiled code takes to load, then load it: so at most twice the least time is spent.
INTERPRETED_SECONDS = 0.3
# Where numba is imported already, only the code must be loaded, which takes so much less.
_PART_OF_CODE = 1 / 6
# What is not on the disk is compiled, which takes about as long as this, when it was interpreted for so long.
COMPILE_AFTER = 3.0
# So much longer than that must work be expected to take for someone to wait for the compiler at once.
_LONG = 4
# What loading it takes on a slow day, from the disk and when it must be compiled first. Nothing can stop it on the way,
# so with less time left than that the work stays interpreted.
_LOAD_SECONDS = 0.8
_COMPILE_SECONDS = 6.0
# Looking at the disk costs 0.1 ms, so it is done now and then.
_LOOK_SECONDS = 0.1
# In WebAssembly, where there is one thread, Python has no clock of it.
_clock = getattr(time, "thread_time", time.perf_counter)
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
_loaded = compiling.loaded
# Seconds that searches of a kernel were interpreted in this process.
_interpreted: dict[ModuleType, float] = {}


def compiled(kernel: ModuleType) -> SimpleNamespace:
    """The doors of a kernel module compiled by numba, cached on disk. They compile at their first call.

    The logger "knightstour" says so where nothing is on disk yet, since compiling takes some seconds.
    """
    if kernel not in _loaded and compiling.has_compiler():
        missing = [door.__name__ for door in compiling.doors_of(kernel) if not _was_compiled(kernel, door.__name__)]
        if missing:
            compiling.announce(kernel, missing)
    _loaded.add(kernel)
    return compiling.wrapped(kernel)


def _was_compiled(kernel: ModuleType, door: str) -> bool:
    return compiling.is_on_disk(kernel, door)


def is_loaded(kernel: ModuleType) -> bool:
    """Whether this process has the kernel module compiled already."""
    return kernel in _loaded


# ---------------------------------------------------------------- when compiled code pays


def is_due(
    kernel: ModuleType,
    door: str,
    form: Callable[[], Form] | None,
    worked: float,
    *,
    expected: float = 0.0,
    left: float = float("inf"),
    together: float = 0.0,
) -> bool:
    """Whether a door that was interpreted for `worked` seconds is to go on compiled now. This is the one rule.

    form: gives the form of its arguments; None where that is not known, so that nothing compiles in the background.
    expected: seconds for which it would probably go on interpreted. left: seconds until the time limit.
    together: seconds that all doors of this process were interpreted: where many take a little each, another process
        compiles them for the next time.
    """
    wait = INTERPRETED_SECONDS * (_PART_OF_CODE if "numba" in sys.modules else 1)
    if worked + expected < wait:
        return False
    if not compiling.has_compiler():
        compiling.say_that_it_is_slow()
        return False
    if left < _LOAD_SECONDS:
        return False
    if compiling.is_on_disk(kernel, door, None if form is None else form()):
        return True
    if worked + expected < COMPILE_AFTER:
        if together >= COMPILE_AFTER and form is not None and is_wanted():
            ahead(kernel, door, form())
        return False
    has_time = left >= _COMPILE_SECONDS
    is_long = expected >= _LONG * COMPILE_AFTER and not is_never_here()
    if form is None or not is_wanted() or (has_time and is_long):
        return has_time
    # If it is over and there is nothing on the disk, no folder can be written to.
    return ahead(kernel, door, form()).is_over and has_time


class Clock:
    """Says when interpreted work is to continue compiled; see `is_due`.

    door: of the kernel, and form: gives that of its arguments. at_once: whether the work is large enough to be compiled
    from the start. loaded_after: seconds interpreted in a process that has the kernel compiled already.
    """

    def __init__(
        self,
        kernel: ModuleType,
        budget: Budget,
        *,
        door: str = "step",
        form: Callable[[], Form] | None = None,
        at_once: bool = False,
        loaded_after: float = 0.0,
    ) -> None:
        self.kernel, self.budget, self.door, self.form = kernel, budget, door, form
        self.at_once, self.loaded_after = at_once, loaded_after
        self._began = budget.seconds
        self._looked = float("-inf")

    @property
    def worked(self) -> float:
        """Seconds since the clock was made."""
        return self.budget.seconds - self._began

    @property
    def is_due(self) -> bool:
        """Whether it is time for compiled code."""
        worked = self.worked
        if is_loaded(self.kernel):
            return self.at_once or worked >= self.loaded_after
        expected = float("inf") if self.at_once else 0.0
        before = _interpreted.get(self.kernel, 0.0)
        if not self.at_once and worked + before < INTERPRETED_SECONDS * _PART_OF_CODE:
            return False
        if worked - self._looked < min(_LOOK_SECONDS, INTERPRETED_SECONDS):
            return False
        self._looked = worked
        left = self.budget.seconds_left
        return is_due(self.kernel, self.door, self.form, worked + before, expected=expected, left=left)

    def stop(self) -> None:
        """Interpreted work is over: what it took counts for the next that this process does."""
        _interpreted[self.kernel] = _interpreted.get(self.kernel, 0.0) + self.worked

    def load(self) -> SimpleNamespace:
        """The compiled functions of the kernel."""
        found = compiled(self.kernel)
        if self.form is not None:
            compiling.compile_door(self.kernel, self.door, self.form())
        return found


# ---------------------------------------------------------------- doors


class Door:
    """A function of a kernel module: interpreted until compiled code pays, and then compiled. Threads may share it.

    expected: seconds for which the question at hand would probably go on to keep it busy, interpreted.
    """

    # Seconds that all doors of this process were interpreted.
    together = 0.0

    def __init__(self, kernel: ModuleType, plain: FunctionType) -> None:
        self.kernel, self.name = kernel, plain.__name__
        # A kernel module may have another function that does the same, and is quicker interpreted.
        quicker = getattr(kernel, "INTERPRETED", {}).get(plain)
        self._plain: Callable[..., Any] = quicker or (lambda *arguments: plain(*map(_plain, arguments)))
        self.expected = 0.0
        self._fast: Callable[..., Any] | None = None
        self._worked = 0.0
        self._look_at = 0.0

    @property
    def is_compiled(self) -> bool:
        """Whether calls run compiled by now."""
        return self._fast is not None

    def __call__(self, *arguments: Any) -> Any:
        if self._fast is None:
            if self._worked + self.expected >= self._look_at:
                self._look(arguments)
            if self._fast is None:
                return self._interpreted(arguments)
        return self._fast(*arguments)

    def _interpreted(self, arguments: tuple[Any, ...]) -> Any:
        started = _clock()
        try:
            # Kernels reckon modulo 2^64 where they must, and compiled code does not warn of it.
            with np.errstate(over="ignore"):
                result = self._plain(*arguments)
        finally:
            took = _clock() - started
            self._worked += took
            Door.together += took
            self.expected = max(0.0, self.expected - took)
        if took >= INTERPRETED_SECONDS:
            # There may be no next call here, but there may be one in another process.
            self._is_due(functools.partial(compiling.form_of, arguments))
        return result

    def _is_due(self, form: Callable[[], Form]) -> bool:
        return is_due(self.kernel, self.name, form, self._worked, expected=self.expected, together=Door.together)

    def _look(self, arguments: tuple[Any, ...]) -> None:
        """Go on compiled, if that is due."""
        self._look_at = self._worked + _LOOK_SECONDS
        form = functools.partial(compiling.form_of, arguments)
        if not self._is_due(form):
            return
        with _interrupts_kept():
            if not compiling.is_on_disk(self.kernel, self.name, form()):
                compiling.announce(self.kernel, [self.name])
            compiling.compile_door(self.kernel, self.name, form())
        _loaded.add(self.kernel)
        self._fast = getattr(compiling.wrapped(self.kernel), self.name)


def _plain(value: Any) -> Any:
    """An argument as interpreted code takes it.

    Sums of NumPy's short integers are short, too, and those of compiled code are not. A memoryview gives Python's.
    """
    if isinstance(value, np.ndarray):
        return value.data if value.dtype.kind in "iu" and value.dtype.itemsize < 8 else value
    if isinstance(value, tuple):
        items = map(_plain, value)
        return tuple(items) if type(value) is tuple else type(value)(*items)
    return value


@functools.cache
def doors(kernel: ModuleType) -> SimpleNamespace:
    """The functions of a kernel module that Python may call, each a Door."""
    return SimpleNamespace(**{door.__name__: Door(kernel, door) for door in compiling.doors_of(kernel)})


def expect(kernel: ModuleType, seconds: float, *names: str) -> None:
    """Say for how long the question at hand would keep the doors of a kernel, or those named, busy, interpreted."""
    found = vars(doors(kernel))
    for name in names or found:
        found[name].expected = seconds


# ---------------------------------------------------------------- searches


def state_of(kind: Callable[..., Any], fields: Iterable[Any], squares: int) -> Any:
    """The state of a search, from int64 arrays of its own: as lists on small boards. squares: of the board."""
    return kind(*(fields if squares >= LARGE else (field.tolist() for field in fields)))


def as_arrays(state: Any, kernel: ModuleType | None = None) -> Any:
    """The same state with arrays for its lists: int64, or as the kernel names them in NARROW, int32."""
    narrow = getattr(kernel, "NARROW", ())
    types = (np.int32 if name in narrow else np.int64 for name in type(state)._fields)
    return type(state)(*(np.asarray(field, dtype=dtype) for field, dtype in zip(state, types, strict=True)))


def _form_of(state: Any, kernel: ModuleType) -> Form:
    """The form of what `step` will be called with, without making the arrays."""
    return compiling.form_of((as_arrays(type(state)(*(field[:0] for field in state)), kernel), 0))


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
    clock = Clock(kernel, budget, form=lambda: _form_of(state, kernel), at_once=start_compiled)
    slice_nodes = _FIRST_SLICE
    spent = int(state.counters[0])
    status = RUNNING
    while True:
        if not is_compiled and clock.is_due:
            clock.stop()
            with CLOCKS.stopped(), _interrupts_kept():
                step = clock.load().step
                state = as_arrays(state, kernel)
                step(state, 0)  # compiles or loads now, outside the timing of slices
            is_compiled = True
            slice_nodes = max(slice_nodes, _FIRST_COMPILED_SLICE)
        if budget.is_spent:
            break
        before = budget.seconds
        status = int(step(state, budget.nodes_left(slice_nodes)))
        now = int(state.counters[0])
        budget.spend(now - spent)
        spent = now
        if status != RUNNING:
            break
        took = budget.seconds - before
        if took < _SLICE_SECONDS / 2:
            slice_nodes = min(slice_nodes * 2, 1 << 40)
        elif took > _SLICE_SECONDS * 2:
            slice_nodes = max(slice_nodes // 2, 1)
    if not is_compiled:
        clock.stop()
    return status, state


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
