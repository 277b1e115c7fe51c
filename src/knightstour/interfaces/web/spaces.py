"""Spaces of all tours, built in the background and kept in files, so that each is built once.

The server builds one space at a time, the smallest board first, in a process of its own with low priority. It
goes on after the client that asked has left. A client can stop it, unless another client waits for the same space: one
that has asked for the status more than once, the last time a moment ago. The file of a space is in the user's cache
folder, and its name is made from the question. When the files take too much room, the oldest are deleted.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from knightstour.core.machine.calls import Call
from knightstour.core.machine.server_worker import Worker
from knightstour.core.model.errors import FormatError, KnightsTourError
from knightstour.core.model.problem import Problem
from knightstour.interfaces.web import many
from knightstour.interfaces.web.fields import Json
from knightstour.interfaces.web.lanes import Lane, TooBusy
from knightstour.interfaces.web.orders import Order, status_of
from knightstour.lab.counting.spaces.kept import path_of

_NICENESS = 10
# Larger boards are not numbered in any case.
_MOST_SQUARES_OF_NEEDS: Final = 100
_MOST_WAITING = 20
_BUILD_SECONDS = 2 * 3600.0
_MOST_CACHE_BYTES: Final = 20_000_000_000
_COUNT_SECONDS = 30.0
# A page that waits asks twice a second.
_SECONDS_WAITING: Final = 5.0
_MOST_SEEN: Final = 100


@dataclass(eq=False)
class _Building:
    """A space that is being built or waits for it.

    needs: what it takes, in words, or None. made: what is made so far, in words; done: which part of the work that is,
    from 0 to 1, or None. error: why it failed. count: number of its tours, when it is done. started: when the work
    started, or None while it waits. task: the task that builds it; is_stopped: whether a client stopped it. seen: how
    often each client asked for the status, and when it did so last.
    """

    problem: Problem
    needs: str | None
    started: float | None = None
    made: str = ""
    done: float | None = None
    task: asyncio.Task[str] | None = None
    is_stopped: bool = False
    seen: dict[str, tuple[int, float]] = field(default_factory=dict)
    error: KnightsTourError | None = None
    count: str | None = None

    def report(self) -> dict[str, Json]:
        """Its status, while it is not done."""
        if self.error is not None:
            return status_of("failed", error=str(self.error), note=self.error.note)
        seconds = 0.0 if self.started is None else time.monotonic() - self.started
        done = None if self.done is None else round(self.done, 4)
        return status_of("building", done=done, made=self.made, seconds=round(seconds, 1), note=self.needs)

    def see(self, client: str) -> None:
        """Note that a client asked for the status."""
        if len(self.seen) >= _MOST_SEEN:
            del self.seen[min(self.seen, key=lambda other: self.seen[other][1])]
        self.seen[client] = (self.seen.get(client, (0, 0.0))[0] + 1, time.monotonic())

    def is_awaited_by_others(self, client: str) -> bool:
        """Whether another client waits for it."""
        since = time.monotonic() - _SECONDS_WAITING
        return any(other != client and times > 1 and last > since for other, (times, last) in self.seen.items())


class Spaces:
    """The spaces of a server. lane: the workers that read their files."""

    def __init__(self, lane: Lane) -> None:
        self._lane = lane
        self._buildings: dict[Path, _Building] = {}
        self._waiting: list[_Building] = []
        # One at a time: each may take most of the memory.
        self._builder: asyncio.Task[None] | None = None
        # What numbering takes, in words, for questions that were asked.
        self._needs: dict[Path, str] = {}

    async def report(self, order: Order, client: str) -> dict[str, Json]:
        """Do what the order says; returns the status as JSON: absent, building, ready or failed."""
        path = path_of(order.problem)
        building = self._buildings.get(path)
        if building is not None and building.error is not None and order.does == "build":
            del self._buildings[path]
        elif building is not None and building.count is None:
            if order.does == "cancel" and building.error is None:
                if building.is_awaited_by_others(client):
                    return {**building.report(), "note": "somebody else waits for them too, so it goes on"}
                await self._stop(path, building)
                return status_of("absent")
            building.see(client)
            return building.report()
        count = await self._count(path, client)
        if count is not None:
            return status_of("ready", done=1.0, count=count)
        needs = await self._needs_of(order.problem, path, client)
        if order.does != "build":
            return status_of("absent", note=needs)
        # Another client may have started it meanwhile.
        building = self._buildings.get(path)
        if building is None or building.count is not None:
            building = self._begin(order.problem, path, needs)
        building.see(client)
        return building.report()

    async def _needs_of(self, problem: Problem, path: Path, client: str) -> str | None:
        """What numbering takes, in words, if that is much."""
        if path not in self._needs and problem.board.square_count <= _MOST_SQUARES_OF_NEEDS:
            words: str = await self._lane.run(Call(many.space_needs, (problem,)), client, _COUNT_SECONDS)
            if len(self._needs) >= _MOST_SEEN:
                self._needs.clear()
            self._needs[path] = words
        return self._needs.get(path) or None

    async def _stop(self, path: Path, building: _Building) -> None:
        """Stop building a space, and forget that a client asked for it."""
        building.is_stopped = True
        self._buildings.pop(path, None)
        if building in self._waiting:
            self._waiting.remove(building)
        elif building.task is not None:
            building.task.cancel()
            await asyncio.wait([building.task])
        # Delete the unfinished file.
        for file in path.parent.glob(f".{path.name[:100]}.*.part"):
            with suppress(OSError):
                file.unlink()

    async def _count(self, path: Path, client: str) -> str | None:
        """Number of tours of a space that is ready, or None."""
        if not path.is_file():
            return None
        known = self._buildings.get(path)
        if known is not None:
            return known.count
        try:
            count: str = await self._lane.run(Call(many.space_count, (str(path),)), client, _COUNT_SECONDS)
        except FormatError:
            # The file is damaged, or of another version, and has to be built again.
            return None
        return count

    def _begin(self, problem: Problem, path: Path, needs: str | None) -> _Building:
        if len(self._waiting) >= _MOST_WAITING:
            raise TooBusy(f"{len(self._waiting)} other boards wait to have their tours numbered", is_own=False)
        building = self._buildings[path] = _Building(problem, needs)
        self._waiting.append(building)
        if self._builder is None or self._builder.done():
            self._builder = asyncio.create_task(self._build_all())
        return building

    async def _build_all(self) -> None:
        while self._waiting:
            # The smallest board first, since it takes by far the shortest time.
            building = min(self._waiting, key=lambda building: building.problem.board.square_count)
            self._waiting.remove(building)
            building.task = asyncio.create_task(self._build(building))
            try:
                building.count = await building.task
            except asyncio.CancelledError:
                # Unless a client stopped this space, the server is about to end.
                if not building.is_stopped:
                    raise
            except KnightsTourError as error:
                building.error = error
            except Exception as error:
                building.error = KnightsTourError(f"this should not have happened: {type(error).__name__}: {error}")

    async def _build(self, building: _Building) -> str:
        path = path_of(building.problem)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _make_room(path.parent)
        except OSError as error:
            raise KnightsTourError(f"{path.parent} cannot be written: {error.strerror}") from None
        building.started = time.monotonic()

        async def on_part(part: tuple[str, float | None]) -> None:
            building.made, building.done = part

        worker = await Worker.start(niceness=_NICENESS)
        try:
            call = Call(many.build_space, (building.problem, str(path), _BUILD_SECONDS))
            count: str = await worker.run(call, on_part)
        finally:
            await worker.close()
        return count

    async def close(self) -> None:
        """Stop building all spaces."""
        self._waiting.clear()
        if self._builder is not None:
            self._builder.cancel()
            await asyncio.gather(self._builder, return_exceptions=True)


def _make_room(folder: Path) -> None:
    """Delete the oldest files until all together are small enough."""
    files = sorted((file.stat().st_mtime, file.stat().st_size, file) for file in folder.glob("*.space"))
    total = sum(size for _, size, _ in files)
    for _, size, file in files:
        if total <= _MOST_CACHE_BYTES:
            return
        with suppress(OSError):
            file.unlink()
        total -= size
