"""A fork of a process whose other threads hold locks, or wait: the child has one thread, and answers."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

# A thread holds every lock of the package and one waits for what no limit counts, at the moment of the fork.
CHILD = """
import contextlib, os, signal, threading
import knightstour as kt
from knightstour.core.model import forks
from knightstour.core.model.budget import CLOCKS

kt.solve((8, 8), closed=True, rng=1)
kt.count_tours("5x5")
held, waiting = threading.Event(), threading.Event()

def hold():
    waiting.wait()
    with contextlib.ExitStack() as stack:
        for lock in list(forks._LOCKS):
            stack.enter_context(lock)
        held.set()
        threading.Event().wait()

def wait():
    with CLOCKS.stopped():
        waiting.set()
        threading.Event().wait()

for work in (hold, wait):
    threading.Thread(target=work, daemon=True).start()
held.wait()
assert len(forks._LOCKS) > 1
child = os.fork()
if not child:
    signal.alarm(60)  # a child that hangs ends by it
    budget = kt.Limits(nodes=10**9, seconds=30)
    assert kt.solve((8, 8), closed=True, rng=2, limits=budget).tour is not None
    assert kt.count_tours("6x6", closed=True, limits=budget) == 9862
    began = CLOCKS.by_clock()
    while CLOCKS.by_clock() == began:  # it stands still only while somebody waits
        pass
    os.write(1, b"answered")
    os._exit(0)
os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 255)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_fork_answers_whatever_other_threads_hold() -> None:
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", CHILD], capture_output=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, b"answered"), done.stderr.decode()
