"""Calls run side by side, each in a process of its own; the first answer wins and ends the others.

The processes are Python started afresh, so this works from scripts, notebooks and servers alike. They end when their
parent does: each watches the pipe from it.
"""

from __future__ import annotations

import os
import pickle
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO, BinaryIO, TypeVar

from knightstour.machine.calls import HEADER, Call, WorkerDied, end_process, message_of, worker_command
from knightstour.model.errors import MethodError
from knightstour.model.validation import whole_number

T = TypeVar("T")


def first_answer(
    calls: Sequence[Call[T]],
    is_answer: Callable[[T], bool],
    *,
    workers: int | None = None,
    seconds: float = float("inf"),
) -> tuple[int, T] | None:
    """Run the calls in up to `workers` processes (default: one a core) until one gives an answer; then end the rest.

    Returns (number of the call, its value), or None if no value was an answer or the time is over. An exception of a
    call is raised here. WorkerDied if every worker died, MethodError for less than one worker.
    """
    most = (os.cpu_count() or 1) if workers is None else whole_number(workers, "workers", least=1, error=MethodError)
    deadline = time.monotonic() + seconds
    waiting = list(enumerate(calls))[::-1]
    running: dict[int, subprocess.Popen[bytes]] = {}
    received: dict[int, bytearray] = {}
    deaths = 0
    with selectors.DefaultSelector() as selector:
        try:
            while waiting or running:
                while waiting and len(running) < most:
                    k, call = waiting.pop()
                    running[k] = _start(call)
                    received[k] = bytearray()
                    selector.register(_pipe(running[k]), selectors.EVENT_READ, k)
                left = deadline - time.monotonic()
                if left <= 0:
                    return None
                for key, _ in selector.select(min(left, 0.1)):
                    k = key.data
                    chunk = os.read(key.fd, 1 << 20)
                    if chunk:
                        received[k] += chunk
                        continue
                    selector.unregister(key.fileobj)
                    end_process(running.pop(k))
                    message = received.pop(k)
                    if len(message) < HEADER or len(message) < HEADER + int.from_bytes(message[:HEADER], "little"):
                        deaths += 1
                        continue
                    is_error, value = pickle.loads(memoryview(message)[HEADER:])
                    if is_error:
                        raise value
                    if is_answer(value):
                        return k, value
        finally:
            for process in running.values():
                end_process(process)
    if deaths and deaths == len(calls):
        raise WorkerDied("every worker process died before it had an answer", help="is there enough memory?")
    return None


def _pipe(process: subprocess.Popen[bytes]) -> IO[bytes]:
    assert process.stdout is not None
    return process.stdout


def _start(call: Call) -> subprocess.Popen[bytes]:
    message = message_of(call)
    process = subprocess.Popen(worker_command("race", "work()"), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        process.stdin.write(message)
        process.stdin.flush()
    return process


def work() -> None:
    """The other side, in the worker: reads one call from stdin, writes (is it an exception, the value) to stdout."""
    # Ctrl-C goes to the whole group of processes; the parent alone decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, target = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not garble the answer
    size = int.from_bytes(source.read(HEADER), "little")
    data = source.read(size)
    threading.Thread(target=_watch, args=(source,), daemon=True).start()
    try:
        function, arguments = pickle.loads(data)
        message = message_of((False, function(*arguments)))
    except Exception as error:
        message = message_of((True, error))
    sys.stdout.flush()
    with suppress(BrokenPipeError), target:
        target.write(message)
    # At its end Python would wait for the thread that reads, and abort because that does not end.
    os._exit(0)


def _watch(source: BinaryIO) -> None:
    source.read()
    os._exit(1)
