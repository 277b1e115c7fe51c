"""The processes of a server, which many clients share, and whose turn it is.

Questions wait in lanes, so that quick ones never wait for searches. A lane runs at most `most` at once, each in a
process of its own. The next turn goes to the client with the fewest questions that run, and among equals to the one
whose last turn was longest ago. A client gets a second process, and further ones up to `each`, only while less than
half of the lane is busy: so one client never takes all processes from the others. The system shares the cores; searches
have a lower priority, and each process may take a part of the memory only.

A process that died, or whose question was given up, is replaced.
"""

from __future__ import annotations

import os
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final, NamedTuple

from knightstour.core.machine import memory
from knightstour.core.machine.calls import Call, WorkerDied
from knightstour.core.machine.server_worker import Worker
from knightstour.core.model.errors import KnightsTourError
from knightstour.interfaces.web import api, here

# Searches that run at once: more than there are cores, so that short ones need not wait for long ones.
_SEARCHES: Final = 8
_SEARCHES_EACH: Final = 4
# A search may take this much memory even if less is free.
_LEAST_BYTES: Final = 1 << 30
_MAX_WAITING, _MAX_WAITING_EACH = 100, 20
_SECONDS_A_LOOK: Final = 0.2
_SECONDS_TO_END: Final = 2.0
# Loads all that answers need.
_WARM: Final = (Call(here.serve, ("solve", b'{"board": "5x5"}')), lambda part: None)


class TooBusy(KnightsTourError):
    """Too many questions wait: of this client if `is_own`, else of all clients."""

    def __init__(self, message: str, *, is_own: bool) -> None:
        super().__init__(message, help="try again when some of them have ended")
        self.is_own = is_own


class Kind(NamedTuple):
    """What the processes of some lanes have in common. prepared: how many are kept ready."""

    niceness: int
    most_bytes: int
    prepared: int


class Lane(NamedTuple):
    """most: questions that run at once. each: of one client. what: how they are called to those who wait."""

    most: int
    each: int
    kind: Kind
    what: str


def make_lanes() -> dict[str, Lane]:
    """The lanes of the API on this computer."""
    free, cores = memory.available_bytes(), os.cpu_count() or 1
    part = max(_LEAST_BYTES, free // _SEARCHES)
    quick, long = Kind(0, part, max(2, cores)), Kind(5, part, max(2, cores))
    return {
        api.QUICK: Lane(max(2, cores), 2, quick, "quick questions are answered"),
        api.PUZZLE: Lane(2, 2, long, "puzzles are made or solved"),
        api.SEARCH: Lane(_SEARCHES, _SEARCHES_EACH, long, "searches run"),
        api.NUMBERING: Lane(1, 1, Kind(10, max(_LEAST_BYTES, free // 2), 0), "board has its tours numbered"),
    }


class _Ticket:
    """A place in the queue of a lane."""

    def __init__(self, client: str) -> None:
        self.client = client


class Pool:
    """The processes. lanes: by name."""

    def __init__(self, lanes: dict[str, Lane]) -> None:
        self.lanes = lanes
        # How many questions of each client run, by lane.
        self.running: dict[str, Counter[str]] = {name: Counter() for name in lanes}
        self._waiting: dict[str, list[_Ticket]] = {name: [] for name in lanes}
        # When each client had its last turn, counted in turns.
        self._last: dict[str, int] = {}
        self._idle: dict[Kind, list[Worker]] = defaultdict(list)
        self._all: set[Worker] = set()
        self._is_closed = False
        self._changed = threading.Condition()
        # One process after another is made ready: questions that were given up would else start one each.
        self._preparing = threading.Lock()

    @contextmanager
    def worker(self, name: str, client: str, on_wait: Callable[[float, str], None]) -> Iterator[Worker]:
        """A process of a lane, when it is the client's turn; afterwards it is there for others.

        on_wait: called several times a second until then, with the seconds so far and what is waited for; it may raise.
        Raises TooBusy at once if too many wait already, and WorkerDied if the server ends.
        """
        kind = self.lanes[name].kind
        self._await_turn(name, client, on_wait)
        try:
            worker = self._taken(kind)
            try:
                yield worker
            finally:
                self._give_back(kind, worker)
        finally:
            with self._changed:
                self.running[name] -= Counter([client])
                self._changed.notify_all()

    # -- whose turn it is

    def _await_turn(self, name: str, client: str, on_wait: Callable[[float, str], None]) -> None:
        ticket, since = _Ticket(client), time.monotonic()
        with self._changed:
            self._check_room(self._waiting[name], client)
            self._waiting[name].append(ticket)
        try:
            while not self._is_turn(name, ticket):
                on_wait(time.monotonic() - since, f"{self.running[name].total()} {self.lanes[name].what}")
        finally:
            with self._changed:
                self._waiting[name].remove(ticket)
                self._changed.notify_all()

    def _check_room(self, waiting: list[_Ticket], client: str) -> None:
        mine = sum(ticket.client == client for ticket in waiting)
        if mine >= _MAX_WAITING_EACH:
            raise TooBusy(f"{mine} requests of yours are waiting already", is_own=True)
        if len(waiting) >= _MAX_WAITING:
            raise TooBusy(f"{len(waiting)} requests are waiting here already", is_own=False)

    def _is_turn(self, name: str, ticket: _Ticket) -> bool:
        """Whether the ticket's turn has come, within a moment; then it is noted as running."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or self._next(name) is ticket, _SECONDS_A_LOOK)
            if self._is_closed:
                raise WorkerDied("the server is about to end")
            if self._next(name) is not ticket:
                return False
            self.running[name][ticket.client] += 1
            if len(self._last) >= 1000:
                self._last.clear()
            self._last[ticket.client] = max(self._last.values(), default=0) + 1
            return True

    def _next(self, name: str) -> _Ticket | None:
        """The ticket whose turn it is, if any."""
        lane, running = self.lanes[name], self.running[name]
        ticket = min(self._waiting[name], key=lambda each: (running[each.client], self._last.get(each.client, 0)))
        busy, mine = running.total(), running[ticket.client]
        is_full = busy >= lane.most or (mine and (mine >= lane.each or busy >= lane.most // 2))
        return None if is_full else ticket

    # -- processes

    def prepare(self) -> None:
        """Start the processes that are kept ready, in the background."""
        threading.Thread(target=self._prepare, daemon=True).start()

    def _prepare(self) -> None:
        kinds = {lane.kind for lane in self.lanes.values()}
        # A process that cannot be started is left out; the request that needs it gets the error.
        with suppress(KnightsTourError), self._preparing:
            for kind in sorted(kinds, key=lambda kind: kind.niceness):
                while len(self._idle[kind]) < kind.prepared and not self._is_closed:
                    worker = self._start(kind)
                    try:
                        worker.run(*_WARM)
                    finally:
                        self._give_back(kind, worker)

    def _start(self, kind: Kind) -> Worker:
        try:
            worker = Worker(niceness=kind.niceness, most_bytes=kind.most_bytes)
        except OSError as error:
            raise KnightsTourError("no other process can be started here", note=str(error)) from error
        with self._changed:
            self._all.add(worker)
        if self._is_closed:
            self._drop(worker)
            raise WorkerDied("the server is about to end")
        return worker

    def _taken(self, kind: Kind) -> Worker:
        while True:
            with self._changed:
                worker = self._idle[kind].pop() if self._idle[kind] else None
            if worker is None:
                return self._start(kind)
            if worker.is_alive:
                return worker
            self._drop(worker)

    def _give_back(self, kind: Kind, worker: Worker) -> None:
        with self._changed:
            is_kept = worker.is_alive and len(self._idle[kind]) < kind.prepared and not self._is_closed
            if is_kept:
                self._idle[kind].append(worker)
        if not is_kept:
            self._drop(worker)
            if len(self._idle[kind]) < kind.prepared:
                self.prepare()

    def _drop(self, worker: Worker) -> None:
        worker.kill()
        with self._changed:
            self._all.discard(worker)

    def close(self) -> None:
        """End all processes; what runs or waits raises WorkerDied, and has a moment to say so."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
            workers = list(self._all)
        for worker in workers:
            self._drop(worker)
        with self._changed:
            self._changed.wait_for(
                lambda: not any(self._waiting.values()) and not any(map(Counter.total, self.running.values())),
                _SECONDS_TO_END,
            )
