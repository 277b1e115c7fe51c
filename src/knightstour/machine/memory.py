"""How much memory an answer would take, and whether the machine has it."""

from __future__ import annotations

import contextlib
import os

from knightstour.model.errors import BoardError
from knightstour.model.wording import in_words

# Taken for the free memory where that cannot be read.
_UNKNOWN = 4_000_000_000
# So little is always there, and asking the system takes longer than to answer a question about a small board.
_LITTLE = 1 << 24


def available_bytes() -> int:
    """Memory that can be taken without swapping, in bytes; 4 GB if the system does not say.

    A process with a limit of its own (ulimit -d) has no more than what that leaves.
    """
    return int(min(_free_bytes(), _allowed_bytes()))


def _allowed_bytes() -> float:
    """What the limit of this process leaves."""
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_DATA)[0]
        if limit == resource.RLIM_INFINITY:
            return float("inf")
        with open("/proc/self/status", encoding="ascii") as file:
            taken = next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmData:"))
        return max(0, limit - taken)
    except (ImportError, OSError, ValueError, StopIteration):
        return float("inf")


def _free_bytes() -> int:
    # psutil would say the same, but `solve` asks, and importing it takes 15 ms.
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
    """Return memory that was freed to the system, where the C library would keep it for later."""
    import ctypes

    # Only the GNU library has this.
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def need(bytes_needed: int, what: str, help: str, most: int | None = None) -> None:
    """Raise a BoardError that names the bytes if `what` does not fit into the free memory, or into `most` bytes."""
    if bytes_needed <= (_LITTLE if most is None else min(_LITTLE, most)):
        return
    available = available_bytes() if most is None else min(most, available_bytes())
    if bytes_needed > available:
        raise BoardError(
            f"{what} needs {in_words(bytes_needed)} of memory", note=f"{in_words(available)} is available", help=help
        )
