"""Tests of all kernels under GCC's sanitizers, which detect invalid pointers and freed arrays."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from knightstour.core.kernels import builder

pytestmark = pytest.mark.long


def library(name: str) -> Path | None:
    """A library built by GCC."""
    if not shutil.which("gcc"):
        return None
    done = subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    path = Path(done.stdout.strip())
    return path if path.is_absolute() and path.exists() else None


def under_the_sanitizers(*words: str) -> subprocess.CompletedProcess[str]:
    """Run Python code with the sanitized library."""
    found = [library(name) for name in ("libasan.so", "libubsan.so")]
    if None in found or not builder.is_checkout():
        pytest.skip("the sanitizers of GCC are not here")
    environment = {
        **os.environ,
        "KNIGHTSTOUR_NATIVE": "sanitized",
        "LD_PRELOAD": " ".join(map(str, found)),
        "ASAN_OPTIONS": "detect_leaks=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    return subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True, cwd=builder.ROOT)


def test_the_sanitizers_find_nothing_in_any_kernel() -> None:
    command = ("-m", "pytest", "-n", "0", "-q", "-p", "no:cacheprovider", "-m", "not slow")
    done = under_the_sanitizers(*command, "tests/kernels/test_kernels.py")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


BEYOND_AN_ARRAY = """
import ctypes
import numpy as np
from knightstour.core.machine.native import library
order, joined, seen = np.full(2, 2, dtype=np.uint8), np.zeros(4, dtype=np.bool_), np.zeros(2, dtype=np.int32)
# Past all checks of Python's: the words of orders, first, last, question, moves, seen. There is no square 2.
words = np.array([order.ctypes.data, 2, 1, 0, 1, 2, 0, -1, -1, joined.ctypes.data, 4, 3, seen.ctypes.data, 2])
put = library().check_rows_first_fault_call
put.argtypes = [ctypes.c_void_p]
put(words.ctypes.data)
"""


def test_the_sanitizers_would_find_something() -> None:
    done = under_the_sanitizers("-c", BEYOND_AN_ARRAY)
    assert done.returncode != 0 and "AddressSanitizer" in done.stderr and "check_rows.cc" in done.stderr, done.stderr
