"""Seconds of processor time, on every machine."""

from __future__ import annotations

import time
from typing import Final

# In a browser (WebAssembly) nobody counts it: the clock of Python for the processor is always at 0 there.
IS_COUNTED: Final = time.get_clock_info("process_time").implementation != "times()" or time.process_time() > 0


def processor_seconds() -> float:
    """Seconds of processor time of this process, from any point in time; seconds by the clock where nobody counts them.

    >>> before = processor_seconds()
    >>> processor_seconds() >= before
    True
    """
    return time.process_time() if IS_COUNTED else time.perf_counter()
