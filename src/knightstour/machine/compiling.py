"""Compiled forms of kernels: what makes them, whether they are on the disk, and what they were compiled for.

A kernel module holds plain functions and names them, callees first, in `KERNELS`; those that only other kernels call
may be named in `INNER` too, which halves the time to compile. The others are its *doors*. numba compiles a door once
for each *form* of its arguments: their types, the layout of arrays. It keeps what it compiled on the disk; beside it
lies an empty file for each door and form that is there whole, so that one can know without importing numba (0.35 s).
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import importlib.util
import logging
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from knightstour.machine.kernel_cache import keep_on_disk
from knightstour.model.budget import CLOCKS
from knightstour.model.preparing import no_garbage_sought

# What the forms of the arguments of a call are sent as and written as: nested tuples of words and numbers.
Form = tuple[Any, ...]

# Kernels that this process has run compiled.
loaded: set[ModuleType] = set()

log = logging.getLogger("knightstour")


@functools.cache
def has_compiler() -> bool:
    """Whether numba is installed. Without it all answers are found interpreted."""
    return importlib.util.find_spec("numba") is not None


# Emptied by whoever says it; threads may come at once.
_unsaid = ["it is slow"]
_unsaid_of_compiling = ["someone waits"]


def _take(words: list[str]) -> bool:
    """Whether there was something left to say."""
    try:
        words.pop()
    except IndexError:
        return False
    return True


def say_that_it_is_slow() -> None:
    """Log, once, that there is no compiler where it would pay."""
    if _take(_unsaid):
        log.warning("numba is not installed, so this is interpreted, up to 100 times slower: pip install numba")


def name_of(kernel: ModuleType) -> str:
    """The last part of a module's name."""
    return kernel.__name__.rpartition(".")[2]


def doors_of(kernel: ModuleType) -> tuple[FunctionType, ...]:
    """The functions of a kernel module that Python may call."""
    inner = getattr(kernel, "INNER", ())
    return tuple(function for function in kernel.KERNELS if function not in inner)


@functools.cache
def wrapped(kernel: ModuleType) -> SimpleNamespace:
    """The doors as numba has them: each is compiled at its first call. Without numba, the plain functions."""
    if not has_compiler():
        return SimpleNamespace(**{function.__name__: function for function in doors_of(kernel)})
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
            keep_on_disk(made, functools.partial(note_on_disk, kernel, function.__name__))
        scope[function.__name__] = made
    found = SimpleNamespace(**{function.__name__: scope[function.__name__] for function in doors_of(kernel)})
    _drop_outdated(kernel, found)
    return found


def _drop_outdated(kernel: ModuleType, found: SimpleNamespace) -> None:
    """Remove what was compiled from other sources; numba looks at one file of them."""
    folder = _folder_of(getattr(found, doors_of(kernel)[-1].__name__))
    if folder is None:
        return
    stamp = folder / f"{name_of(kernel)}.sources"
    with contextlib.suppress(OSError):
        if not stamp.exists() or stamp.read_text(encoding="ascii") != _stamp(kernel):
            for kind in ("nbi", "nbc", "compiled"):
                for path in folder.glob(f"{name_of(kernel)}.*.{kind}"):
                    path.unlink(missing_ok=True)
            folder.mkdir(parents=True, exist_ok=True)
            stamp.write_text(_stamp(kernel), encoding="ascii")


# ---------------------------------------------------------------- forms of arguments


def form_of(value: object) -> Form:
    """The form of an argument. Lists become arrays of int64, as in `engine.as_arrays`.

    >>> form_of((np.zeros((2, 3), dtype=np.int8), 7))
    ('tuple', ('array', '|i1', 2, 'C', True), ('value', 7))
    """
    if isinstance(value, list):
        return ("array", np.dtype(np.int64).str, 1, "C", True)
    if isinstance(value, np.ndarray):
        layout = "C" if value.flags.c_contiguous else "F" if value.flags.f_contiguous else "A"
        return ("array", value.dtype.str, value.ndim, layout, value.flags.writeable)
    if isinstance(value, tuple):
        fields = tuple(form_of(item) for item in value)
        kind = type(value)
        return ("tuple", *fields) if kind is tuple else ("named", kind.__module__, kind.__qualname__, *fields)
    if isinstance(value, np.generic):
        return ("scalar", value.dtype.str)
    return ("value", type(value)(7) if isinstance(value, (bool, int, float)) else value)


def value_of(form: Form) -> Any:
    """A value of a form; an array is as small as can be."""
    kind, *rest = form
    if kind == "array":
        dtype, dimensions, layout, is_writable = rest
        array: np.ndarray = np.zeros((4,) * dimensions, dtype=dtype, order="F" if layout == "F" else "C")
        if layout == "A":
            array = array[..., ::2]
        array.flags.writeable = is_writable
        return array
    if kind == "tuple":
        return tuple(map(value_of, rest))
    if kind == "named":
        named = getattr(importlib.import_module(rest[0]), rest[1])
        return named(*map(value_of, rest[2:]))
    return np.zeros(1, dtype=rest[0])[0] if kind == "scalar" else rest[0]


# ---------------------------------------------------------------- what is on the disk


@functools.cache
def _stamp(kernel: ModuleType) -> str:
    """What compiled code depends on: the sources, and the versions of numba and of Python."""
    digest = hashlib.sha256(sys.version.encode())
    found = importlib.util.find_spec("numba") if has_compiler() else None
    if found is not None and found.origin is not None:
        # This file names the version, and importlib.metadata takes 40 ms to be imported.
        digest.update(Path(found.origin).with_name("_version.py").read_bytes())
    for file in sorted({function.__code__.co_filename for function in kernel.KERNELS} | {str(kernel.__file__)}):
        digest.update(Path(file).read_bytes())
    return digest.hexdigest()[:16]


def _mark(kernel: ModuleType, door: str, form: Form | None) -> str:
    """The name of the file that says that a door is compiled for a form, or for any."""
    which = "any" if form is None else hashlib.sha256(repr(form).encode()).hexdigest()[:16]
    return f"{name_of(kernel)}.{door}.{_stamp(kernel)}.{which}.compiled"


def _index(kernel: ModuleType, door: str) -> str:
    """A pattern for numba's file about a door, which has the name of the file that the door comes from."""
    source = next(function for function in kernel.KERNELS if function.__name__ == door)
    return f"{Path(source.__code__.co_filename).stem}.{door}-*.nbi"


def _folders(kernel: ModuleType) -> Iterator[Path]:
    """Where numba may keep what it compiles of a kernel module."""
    own = Path(str(kernel.__file__)).parent
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if not chosen:
        yield own / "__pycache__"
        chosen = str(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "numba")
    with contextlib.suppress(OSError):
        yield from Path(chosen).glob(f"{own.name}_*")


def is_on_disk(kernel: ModuleType, door: str, form: Form | None = None) -> bool:
    """Whether a door was compiled before, for arguments of this form, or of any."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return True
    with contextlib.suppress(OSError):
        for folder in _folders(kernel):
            if (folder / _mark(kernel, door, form)).exists() and any(folder.glob(_index(kernel, door))):
                return True
    return False


def note_on_disk(kernel: ModuleType, door: str, form: Form | None = None) -> None:
    """Write down that a door is compiled for a form, where numba has kept it."""
    folder = cache_folder(kernel, door)
    if folder is not None:
        with contextlib.suppress(OSError):
            if any(folder.glob(_index(kernel, door))):
                (folder / _mark(kernel, door, form)).touch()


def cache_folder(kernel: ModuleType, door: str) -> Path | None:
    """Where numba keeps the code of a door; None where it can write nowhere."""
    return _folder_of(getattr(wrapped(kernel), door, None))


def _folder_of(dispatcher: object) -> Path | None:
    # numba has no folder at all where it can write to none.
    folder = getattr(getattr(dispatcher, "_cache", None), "cache_path", None)
    return None if folder is None else Path(folder)


def compile_door(kernel: ModuleType, door: str, form: Form) -> None:
    """Compile a door for arguments of a form, or load it from the disk; it is not called. No limit counts this time."""
    with CLOCKS.stopped():
        import numba

        made = getattr(wrapped(kernel), door)
        if hasattr(made, "compile"):
            # numba makes a million objects: looking through them takes 12 % of its time.
            with no_garbage_sought():
                made.compile(tuple(numba.typeof(value) for value in value_of(form)))
    if hasattr(made, "compile"):
        note_on_disk(kernel, door, form)
        # It may have come from the disk, where another kernel that has this function left it.
        note_on_disk(kernel, door)


# Seconds that a door of these kernels takes to be compiled where a million additions in Python take 0.05 s; those of
# others take one to five.
_SECONDS: dict[str, int] = {}


def announce(kernel: ModuleType, doors: Iterable[str]) -> None:
    """Log that someone waits for a compiler now: the first time as a warning, if somebody sits at a terminal."""
    seconds = _SECONDS.get(name_of(kernel))
    how_long = "a few seconds" if seconds is None else f"about {seconds} s"
    is_seen = sys.stderr is not None and sys.stderr.isatty() and _take(_unsaid_of_compiling)
    text = "compiling %s of the %s kernel (%s, once after installation)"
    log.log(logging.WARNING if is_seen else logging.INFO, text, ", ".join(doors), name_of(kernel), how_long)
