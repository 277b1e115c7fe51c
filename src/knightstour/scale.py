"""The one room that knows processes: run calls side by side and take the first answer.

Each call runs in a Python process of its own, started afresh, so it works from scripts, notebooks and servers alike.
Workers end when their parent does: each watches the pipe from it.
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
from typing import Any, BinaryIO, NamedTuple

from knightstour.errors import KnightsTourError, MethodError


class Call(NamedTuple):
    """A function of some module's top level and its arguments; both and the result must be picklable."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]


class WorkerDied(KnightsTourError):
    """A worker process ended without an answer: it was killed, or out of memory."""


def first_answer(
    calls: Sequence[Call],
    is_answer: Callable[[Any], bool],
    *,
    workers: int | None = None,
    seconds: float = float("inf"),
) -> tuple[int, Any] | None:
    """Run the calls in up to `workers` processes (default: one a core) until one gives an answer; then end the rest.

    Returns (number of the call, its value), or None if no value was an answer or the time is over. An exception of a
    call is raised here. WorkerDied if every worker died, MethodError for less than one worker.
    """
    most = (os.cpu_count() or 1) if workers is None else workers
    if not isinstance(most, int) or most < 1:
        raise MethodError(f"{workers!r} workers do no work", help="give a whole number, 1 or more")
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
                    _end(running.pop(k))
                    message = received.pop(k)
                    if len(message) < _HEADER or len(message) < _HEADER + int.from_bytes(message[:_HEADER], "little"):
                        deaths += 1
                        continue
                    is_error, value = pickle.loads(memoryview(message)[_HEADER:])
                    if is_error:
                        raise value
                    if is_answer(value):
                        return k, value
        finally:
            for process in running.values():
                _end(process)
    if deaths and deaths == len(calls):
        raise WorkerDied("every worker process died before it had an answer", help="is there enough memory?")
    return None


def _pipe(process: subprocess.Popen[bytes]) -> Any:
    assert process.stdout is not None
    return process.stdout


# Both ways a message begins with its length, so that one cut off by a death is noticed.
_HEADER = 8


def _message(value: Any) -> bytes:
    data = pickle.dumps(value)
    return len(data).to_bytes(_HEADER, "little") + data


def _start(call: Call) -> subprocess.Popen[bytes]:
    message = _message(call)
    # The worker finds modules where this process does.
    program = f"import sys; sys.path[:] = {sys.path!r}; from knightstour.scale import work; work()"
    process = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        process.stdin.write(message)
        process.stdin.flush()
    return process


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with suppress(BrokenPipeError):
        process.communicate()


def work() -> None:
    """The other side, in the worker: one call from stdin, (is it an exception, the value) to stdout."""
    # Ctrl-C goes to the whole group; the parent alone decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, target = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not garble the answer
    size = int.from_bytes(source.read(_HEADER), "little")
    data = source.read(size)
    threading.Thread(target=_watch, args=(source,), daemon=True).start()
    try:
        function, arguments = pickle.loads(data)
        message = _message((False, function(*arguments)))
    except Exception as error:
        message = _message((True, error))
    with target:
        target.write(message)


def _watch(source: BinaryIO) -> None:
    source.read()
    os._exit(1)
