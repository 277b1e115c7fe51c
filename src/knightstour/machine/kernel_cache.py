"""Compiled kernels on the disk, safe for processes that compile the same kernel at the same time.

numba keeps an index and data files for each function, and replaces each file as a whole. But to save a function it
reads the index, takes the next free number for the data and writes both. Two processes that do so at once take the same
number, and the index of one leads to the code of the other, which may be for arguments of other types: a process that
loads it crashes. So here one process saves at a time. A cache that cannot be read or written is no error: the functions
are compiled again.
"""

from __future__ import annotations

import functools
import logging
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from knightstour.machine.files import alone


class _Cache(Protocol):
    """What is used of a numba cache. A signature and a target are numba's own objects."""

    cache_path: str
    load_overload: Callable[[object, object], object | None]
    save_overload: Callable[[object, object], None]


class Dispatcher(Protocol):
    """What is used of a function that numba compiles."""

    _cache: _Cache

    def enable_caching(self) -> None: ...


@functools.cache
def _say_once() -> None:
    logging.getLogger("knightstour").warning(
        "no folder for compiled code can be written to, so it is compiled each time: set NUMBA_CACHE_DIR"
    )


def keep_on_disk(dispatcher: Dispatcher, when_saved: Callable[[], None] = lambda: None) -> None:
    """Have the compiled forms of a function saved on the disk and loaded from there, where that is possible.

    when_saved: called when one was saved.
    """
    try:
        dispatcher.enable_caching()
    except (RuntimeError, OSError):
        _say_once()
        return
    cache = dispatcher._cache
    load, save = cache.load_overload, cache.save_overload

    def load_if_sound(signature: object, target: object) -> object | None:
        try:
            return load(signature, target)
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            return None

    def save_alone(signature: object, compiled: object) -> None:
        try:
            with alone(Path(cache.cache_path) / ".knightstour.lock"):
                save(signature, compiled)
            when_saved()
        except OSError as error:
            logging.getLogger("knightstour").debug("a compiled kernel is not kept: %s", error)

    cache.load_overload, cache.save_overload = load_if_sound, save_alone
