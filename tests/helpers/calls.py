"""Functions that workers are sent."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


def stubborn(seconds: float, emit: Callable[[Any], None]) -> None:
    end = time.monotonic() + seconds
    is_told = False
    while (left := end - time.monotonic()) > 0:
        try:
            if not is_told:
                is_told = True
                emit("started")
            time.sleep(left)
        except KeyboardInterrupt:
            continue
