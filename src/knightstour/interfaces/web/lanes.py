"""Lanes of worker processes that many clients share, each with a fair and bounded queue.

A lane runs at most `most` calls at once, each in a process of its own; the other calls wait. The next turn goes to the
client with the fewest running calls, and among equals to the one whose last turn was longest ago. A client gets a
second process, and further ones up to `each`, only while less than half of the processes are busy. So one client never
takes all processes from the others. The system shares the cores among the processes; searches have a lower priority.

A lane starts a process when a call waits and no process is idle; until the new process is ready, calls go to the other
processes. An idle process ends after a minute, except the last one. If a process dies, or a call ends with an error
that is not one of ours, only that call is lost, and the next one gets a new process. A call that its client gives up is
stopped, and its process is free when the call has ended.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, NamedTuple

from knightstour.core.machine.calls import Call, WorkerDied
from knightstour.core.machine.server_worker import Worker
from knightstour.core.model.errors import KnightsTourError
from knightstour.interfaces.web.replies import OverTime

_SECONDS_IDLE: Final = 60.0

OnPart = Callable[[Any], Awaitable[None]]


class TooBusy(KnightsTourError):
    """Too many calls wait: of this client if `is_own`, else of all clients."""

    def __init__(self, message: str, *, is_own: bool) -> None:
        super().__init__(message, help="try again when some of them have ended")
        self.is_own = is_own


class _Ticket(NamedTuple):
    client: str
    turn: asyncio.Future[Worker]


class Lane:
    """Some worker processes, and the calls that wait for them.

    most: processes. each: calls of one client that run at once. waiting: calls that may wait, of all clients and of
    one. warm: the first call of each process, which loads what later calls need. niceness, most_bytes: as for
    Worker.start.
    """

    def __init__(
        self,
        most: int,
        each: int,
        *,
        warm: Call,
        waiting: tuple[int, int] = (100, 20),
        niceness: int = 0,
        most_bytes: int | None = None,
    ) -> None:
        self.most, self.each = most, each
        self.waiting, self.waiting_each = waiting
        self.warm = warm
        self.niceness, self.most_bytes = niceness, most_bytes
        # How many calls of each client run or are being stopped.
        self.running: Counter[str] = Counter()
        self._queue: list[_Ticket] = []
        # When each client that runs or waits had its last turn, counted in turns.
        self._last: dict[str, int] = {}
        self._turns = 0
        # The idle processes, each with the timer that ends it; all idle and busy ones; how many are being started.
        self._idle: dict[Worker, asyncio.TimerHandle] = {}
        self._all: set[Worker] = set()
        self._starting = 0
        self._chores: set[asyncio.Task[None]] = set()
        self._is_closed = False

    async def run(self, call: Call, client: str, seconds: float, on_part: OnPart | None = None) -> Any:
        """Wait for the client's turn and make the call; returns its value. on_part: see Worker.run.

        Raises TooBusy at once if too many calls wait already, OverTime if the call runs for more than `seconds`,
        WorkerDied if its process is killed. Cancelling gives the call up.
        """
        worker = await self._turn(client)
        try:
            async with asyncio.timeout(seconds):
                return await worker.run(call, on_part)
        except TimeoutError:
            raise OverTime.after(seconds) from None
        except Exception as error:
            # What ended with an error that nobody foresaw may have left its process in any state.
            if not worker.is_busy and not isinstance(error, KnightsTourError):
                worker.kill()
            raise
        finally:
            # In a task of its own: stopping takes a moment, and this task may have been cancelled.
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
        """Give idle processes to the tickets whose turn it is; start one more process if there are too few."""
        # A ticket that was cancelled a moment ago is still in the queue.
        while not self._is_closed and (waiting := [ticket for ticket in self._queue if not ticket.turn.done()]):
            busy = self.running.total()
            ticket = min(waiting, key=lambda ticket: (self.running[ticket.client], self._last.get(ticket.client, 0)))
            mine = self.running[ticket.client]
            if busy >= self.most or (mine and (mine >= self.each or busy >= self.most // 2)):
                # Then no other ticket may begin either.
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
        """Forget a client that has no call running or waiting."""
        if not self.running[client]:
            del self.running[client]
            if all(ticket.client != client for ticket in self._queue):
                self._last.pop(client, None)

    # -- processes

    async def prepare(self, count: int) -> None:
        """Start processes until there are `count`. One that cannot be started is left out."""
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
            # A ticket must get the error, or all would wait for ever.
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
            # Take the one that was used last, so that the others reach their minute and end.
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
        """End a worker that was idle for a minute, unless it is the only one."""
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
        """End all processes; calls that run or wait raise WorkerDied."""
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
