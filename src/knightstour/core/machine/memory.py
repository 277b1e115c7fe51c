"""Memory needed for a result, and available memory."""

from __future__ import annotations

import contextlib
import errno
import os

from knightstour.core.model.errors import BoardError
from knightstour.core.model.wording import in_words

# Assumed free memory, in bytes, if unknown.
_UNKNOWN = 4_000_000_000
# Assumed to be available: a check would take longer than a problem on a small board.
_LITTLE = 1 << 24
# Messages of Python and the loader for lack of memory.
_NO_MORE = ("can't start new thread", "failed to map segment", "annot allocate memory")


def available_bytes() -> int:
    """Return the memory available without swapping and within process limits, in bytes; 4 GB if unknown."""
    return int(min(_free_bytes(), _allowed_bytes()))


def _allowed_bytes() -> float:
    """Return the memory left by resource limits."""
    left = float("inf")
    try:
        import resource

        for name, taken_as in (("RLIMIT_DATA", "VmData:"), ("RLIMIT_AS", "VmSize:")):
            limit = resource.getrlimit(getattr(resource, name))[0]
            if limit == resource.RLIM_INFINITY:
                continue
            with open("/proc/self/status", encoding="ascii") as file:
                taken = next(int(line.split()[1]) * 1024 for line in file if line.startswith(taken_as))
            left = min(left, max(0, limit - taken))
    except (ImportError, AttributeError, OSError, ValueError, StopIteration):
        pass
    return left


def is_exhausted(error: BaseException) -> bool:
    """Whether an error is caused by a lack of memory.

    >>> is_exhausted(MemoryError()), is_exhausted(RuntimeError("can't start new thread")), is_exhausted(OSError())
    (True, True, False)
    """
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, MemoryError) or (isinstance(cause, OSError) and cause.errno == errno.ENOMEM):
            return True
        if isinstance(cause, RuntimeError | ImportError | OSError) and any(words in str(cause) for words in _NO_MORE):
            return True
        cause = cause.__cause__ or cause.__context__
    return False


def _free_bytes() -> int:
    # Importing psutil would take 15 ms.
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (ValueError, OSError, AttributeError):
        return _UNKNOWN


def give_back() -> None:
    """Return freed memory to the system."""
    import ctypes

    # Only the GNU library supports this.
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def require_memory(bytes_needed: int, noun: str, help: str, most: int | None = None) -> None:
    """Raise BoardError if `what` does not fit into the free memory, or into `most` bytes."""
    if bytes_needed <= (_LITTLE if most is None else min(_LITTLE, most)):
        return
    available = available_bytes() if most is None else min(most, available_bytes())
    if bytes_needed > available:
        raise BoardError(
            f"{noun} needs {in_words(bytes_needed)} of memory", note=f"{in_words(available)} is available", help=help
        )
