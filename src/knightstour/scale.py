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
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, BinaryIO, NamedTuple

from knightstour.errors import KnightsTourError


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

    Returns (number of the call, its value), or None if no value was an answer or the time is over. A value that is an
    exception is raised. WorkerDied if every worker died.
    """
    import time

    deadline = time.monotonic() + seconds
    waiting = list(enumerate(calls))[::-1]
    most = workers or os.cpu_count() or 1
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
                    if not received[k]:
                        deaths += 1
                        continue
                    value = pickle.loads(received.pop(k))
                    if isinstance(value, BaseException):
                        raise value
                    if is_answer(value):
                        return k, value
        finally:
            for process in running.values():
                _end(process)
    if deaths == len(calls):
        raise WorkerDied("every worker process died before it had an answer", help="is there enough memory?")
    return None


def _pipe(process: subprocess.Popen[bytes]) -> Any:
    assert process.stdout is not None
    return process.stdout


def _start(call: Call) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-m", "knightstour.scale"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    data = pickle.dumps(call)
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        process.stdin.write(len(data).to_bytes(8, "little") + data)
        process.stdin.flush()
    return process


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with suppress(BrokenPipeError):
        process.communicate()


def _work() -> None:
    """The other side: one call from stdin, its pickled value to stdout."""
    # Ctrl-C goes to the whole group; the parent alone decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, target = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not garble the answer
    size = int.from_bytes(source.read(8), "little")
    function, arguments = pickle.loads(source.read(size))
    threading.Thread(target=_watch, args=(source,), daemon=True).start()
    try:
        value = function(*arguments)
    except Exception as error:
        value = error
    with target:
        pickle.dump(value, target)


def _watch(source: BinaryIO) -> None:
    source.read()
    os._exit(1)


if __name__ == "__main__":
    _work()
