"""Worker processes shared out among clients: lanes of a few processes each, with queues that are fair and bounded.

A lane runs at most `most` calls at once, each in a process of its own; the rest wait. Whoever has least running comes
next, and among equals whoever had a turn longest ago. A second call of one client, and further ones up to `each`, are
started only in the first half of the processes, so that one client never takes what a client that has nothing running
would need. The system shares the cores among the processes; those of searches have a lower priority.

Processes are started when too few wait, and until a new one has loaded what it needs, calls go to the others. One stays
when there is nothing to do, the others are ended after a minute. A process that dies loses the one call that it ran;
the next call gets a new one. A call that is given up is stopped, and its place is free again when it has really ended.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, NamedTuple

from knightstour.machine.calls import Call, WorkerDied
from knightstour.machine.server_worker import Worker
from knightstour.model.errors import KnightsTourError

_SECONDS_IDLE: Final = 60.0

OnPart = Callable[[Any], Awaitable[None]]


class TooBusy(KnightsTourError):
    """There is no room left to wait in. `is_own`: for this client, not for all."""

    def __init__(self, message: str, *, is_own: bool) -> None:
        super().__init__(message, help="try again when some of them have ended")
        self.is_own = is_own


class OverTime(KnightsTourError):
    """A call did not end when it should have, and was ended."""


class _Ticket(NamedTuple):
    client: str
    turn: asyncio.Future[Worker]


class Lane:
    """Some worker processes, and who waits for them.

    most: processes. each: calls of one client that run at once. waiting, waiting_each: calls that may wait, of all
    clients and of one. warm: what a process calls first, so that it has loaded what it needs before its turn comes.
    niceness, most_bytes: as for Worker.start.
    """

    def __init__(
        self,
        most: int,
        each: int,
        *,
        warm: Call,
        waiting: int = 100,
        waiting_each: int = 20,
        niceness: int = 0,
        most_bytes: int | None = None,
    ) -> None:
        self.most, self.each = most, each
        self.waiting, self.waiting_each = waiting, waiting_each
        self.warm = warm
        self.niceness, self.most_bytes = niceness, most_bytes
        # Calls that run, or are being stopped, of each client.
        self.running: Counter[str] = Counter()
        self._queue: list[_Ticket] = []
        # When each client that runs or waits had its last turn, counted in turns.
        self._last: dict[str, int] = {}
        self._turns = 0
        # The processes that wait, and when each will be ended; all that work or wait; how many are being started.
        self._idle: dict[Worker, asyncio.TimerHandle] = {}
        self._all: set[Worker] = set()
        self._starting = 0
        self._chores: set[asyncio.Task[None]] = set()
        self._is_closed = False

    async def run(self, call: Call, client: str, seconds: float, on_part: OnPart | None = None) -> Any:
        """The value of the call, made when it is the client's turn; see Worker.run.

        Raises TooBusy at once if too many wait already, OverTime if the call runs for more than `seconds`,
        WorkerDied if its process is killed. Cancel it to give the call up.
        """
        worker = await self._turn(client)
        try:
            async with asyncio.timeout(seconds):
                return await worker.run(call, on_part)
        except TimeoutError:
            raise OverTime(
                f"the answer was not there after {seconds:g} seconds, and was given up",
                help="ask for something smaller",
            ) from None
        finally:
            # Not here and now: stopping takes a moment, and this may have been cancelled.
            self._later(self._give_back(client, worker))

    # -- whose turn it is

    async def _turn(self, client: str) -> Worker:
        if self._is_closed:
            raise WorkerDied("the server is about to end")
        if len(self._queue) >= self.waiting:
            raise TooBusy(f"{len(self._queue)} requests are waiting here already", is_own=False)
        mine = sum(ticket.client == client for ticket in self._queue)
        if mine >= self.waiting_each:
            raise TooBusy(f"{mine} requests of yours are waiting already", is_own=True)
        ticket = _Ticket(client, asyncio.get_running_loop().create_future())
        self._queue.append(ticket)
        self._call_next()
        try:
            return await ticket.turn
        except asyncio.CancelledError:
            if ticket in self._queue:
                self._queue.remove(ticket)
                self._forget(client)
            elif not ticket.turn.cancelled() and ticket.turn.exception() is None:
                self._later(self._give_back(client, ticket.turn.result()))
            raise

    def _call_next(self) -> None:
        """Give those their turn who may begin, as far as there are processes; start one more if there are too few."""
        # One that was given up a moment ago is still in the queue.
        while not self._is_closed and (waiting := [ticket for ticket in self._queue if not ticket.turn.done()]):
            busy = self.running.total()
            ticket = min(waiting, key=lambda ticket: (self.running[ticket.client], self._last.get(ticket.client, 0)))
            mine = self.running[ticket.client]
            if busy >= self.most or (mine and (mine >= self.each or busy >= self.most // 2)):
                # The others have no better claim.
                return
            worker = self._take()
            if worker is None:
                if self._starting < len(self._queue) and len(self._all) + self._starting < self.most:
                    self._starting += 1
                    self._later(self._start())
                return
            self._queue.remove(ticket)
            self.running[ticket.client] += 1
            self._turns += 1
            self._last[ticket.client] = self._turns
            ticket.turn.set_result(worker)

    def _end(self, client: str) -> None:
        self.running[client] -= 1
        self._forget(client)
        self._call_next()

    def _forget(self, client: str) -> None:
        """Know no more of a client that neither runs nor waits."""
        if not self.running[client]:
            del self.running[client]
            if all(ticket.client != client for ticket in self._queue):
                self._last.pop(client, None)

    # -- processes

    async def prepare(self, count: int) -> None:
        """Start processes until there are `count`, unless some cannot be started."""
        for _ in range(count):
            if len(self._all) + self._starting < count and not self._is_closed:
                self._starting += 1
                await self._later(self._start())

    async def _start(self) -> None:
        worker: Worker | None = None
        try:
            worker = await Worker.start(niceness=self.niceness, most_bytes=self.most_bytes)
            self._all.add(worker)
            if not self._is_closed:
                await worker.run(self.warm)
        except Exception as error:
            if worker is not None:
                self._discard(worker)
            # Somebody must hear of it, or all would wait for ever.
            ticket = next((ticket for ticket in self._queue if not ticket.turn.done()), None)
            if ticket is not None:
                self._queue.remove(ticket)
                self._forget(ticket.client)
                ticket.turn.set_exception(error)
        else:
            self._put_back(worker)
        finally:
            self._starting -= 1
        self._call_next()

    def _take(self) -> Worker | None:
        while self._idle:
            # The one that was used last, so that the others grow old.
            worker, timer = self._idle.popitem()
            timer.cancel()
            if worker.is_alive:
                return worker
            self._discard(worker)
        return None

    async def _give_back(self, client: str, worker: Worker) -> None:
        await worker.stop()
        self._put_back(worker)
        self._end(client)

    def _put_back(self, worker: Worker) -> None:
        if worker.is_alive and not self._is_closed:
            self._idle[worker] = asyncio.get_running_loop().call_later(_SECONDS_IDLE, self._thin_out, worker)
        else:
            self._discard(worker)

    def _thin_out(self, worker: Worker) -> None:
        """End a worker that did nothing for a while, unless it is the only one."""
        if len(self._all) > 1:
            del self._idle[worker]
            self._discard(worker)

    def _discard(self, worker: Worker) -> None:
        self._all.discard(worker)
        self._later(worker.close())

    def _later(self, chore: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(chore)
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)
        return task

    async def close(self) -> None:
        """End all processes; what runs or waits fails with WorkerDied."""
        self._is_closed = True
        for timer in self._idle.values():
            timer.cancel()
        for ticket in self._queue:
            if not ticket.turn.done():
                ticket.turn.set_exception(WorkerDied("the server is about to end"))
        self._queue.clear()
        for worker in list(self._all):
            self._discard(worker)
        while self._chores:
            await asyncio.gather(*self._chores, return_exceptions=True)
