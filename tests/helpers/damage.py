"""Damaged files, and waits for conditions."""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path


def wait_until(is_so: Callable[[], object], process: subprocess.Popen[str] | None = None, seconds: float = 120) -> bool:
    """Wait for a condition; return False if the process ended before."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if is_so():
            return True
        if process is not None and process.poll() is not None:
            return False
        time.sleep(0.01)
    raise AssertionError("this did not come about in time")


def flip_a_bit(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 4
    path.write_bytes(bytes(data))


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


DAMAGES = {"flipped": flip_a_bit, "truncated": cut_short, "missing": Path.unlink, "empty": lambda p: p.write_bytes(b"")}
