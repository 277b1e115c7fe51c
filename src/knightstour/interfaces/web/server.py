"""The server: it takes requests, gives jobs to the workers, and sends their answers and the files of the page.

It computes nothing itself. It reads and checks a request, which then waits for a worker. If the client leaves, the
server ends the client's search. Errors are sent as `{"error", "note", "help"}`, in the words of the command line.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Collection, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from knightstour.core.machine import memory
from knightstour.core.machine.calls import Call, WorkerDied
from knightstour.core.model.budget import Limits
from knightstour.core.model.problem import Problem
from knightstour.interfaces.web import answers, api
from knightstour.interfaces.web.fields import Json, parse_object
from knightstour.interfaces.web.files import Files, send_body
from knightstour.interfaces.web.guard import Guard, is_loopback
from knightstour.interfaces.web.lanes import Lane, TooBusy
from knightstour.interfaces.web.modules import STATIC
from knightstour.interfaces.web.orders import NotBuilt, Order
from knightstour.interfaces.web.replies import JSON, NOTHING_HERE, OverTime, event, failure, fault, tables
from knightstour.interfaces.web.spaces import Spaces

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

Value = TypeVar("Value")

MOST_BODY_BYTES: Final = 2_000_000
# The server reads this much of a body that is too large: a client hears the refusal only when it has sent the body.
_MOST_DRAINED_BYTES = 20_000_000
_BODY_SECONDS = 30.0
# Searches that run at once: more than there are cores, so that short ones need not wait for long ones.
_SEARCHES = 8
_SEARCHES_EACH = 4
_SEARCH_NICENESS = 5
_PUZZLES = 2
# Processes of each lane that start with the server.
_PREPARED = 2
# Loads all that answers need.
_WARM: Final = Call(answers.solve, (answers.Asked(Problem.of("5x5"), "auto", 0, {}, None, Limits()),))
# A search may take this much memory even if less is free.
_LEAST_BYTES = 1 << 30

_WORDS = {
    404: NOTHING_HERE,
    405: "this address does not take requests of this method",
}


def make_lanes() -> dict[str, Lane]:
    """Three lanes of workers: for quick calls, for puzzles, and for searches, which have a lower priority."""
    most_bytes = max(_LEAST_BYTES, memory.available_bytes() // _SEARCHES)
    cores = os.cpu_count() or 1
    return {
        api.QUICK: Lane(max(2, cores), 2, warm=_WARM, waiting=(200, 20), most_bytes=most_bytes),
        api.PUZZLE: Lane(_PUZZLES, _PUZZLES, warm=_WARM, niceness=_SEARCH_NICENESS, most_bytes=most_bytes),
        api.SEARCH: Lane(_SEARCHES, _SEARCHES_EACH, warm=_WARM, niceness=_SEARCH_NICENESS, most_bytes=most_bytes),
    }


def make_app(
    lanes: dict[str, Lane] | None = None, *, names: Collection[str] = (), is_remote: bool = False, static: Path = STATIC
) -> ASGIApp:
    """The application, for any ASGI server. names, is_remote: see Guard. It closes the lanes at its end."""
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.routing import Mount, Route

    lanes = make_lanes() if lanes is None else lanes
    spaces = Spaces(lanes[api.QUICK])

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        preparing = asyncio.create_task(prepare())
        yield
        await spaces.close()
        for lane in lanes.values():
            await lane.close()
        await asyncio.gather(preparing, return_exceptions=True)

    async def prepare() -> None:
        for count in range(1, _PREPARED + 1):
            for lane in lanes.values():
                await lane.prepare(count)

    routes = [
        *(Route(f"/api/{name}", _Table(body), methods=["GET"]) for name, body in tables().items()),
        *(Route(f"/api/{name}", _Door(name, lanes, spaces), methods=["POST"]) for name in api.PLANS),
        Route("/api/{rest:path}", _wrong, methods=["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]),
        Mount("/", Files(static)),
    ]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: _refused, Exception: _refused})
    return Guard(app, names=names, is_remote=is_remote)


class _Table:
    """The application behind an answer that never changes."""

    def __init__(self, body: bytes) -> None:
        self.body = body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send_body(self.body, JSON, scope, receive, send)


def _refused(request: Request, error: Exception) -> Response:
    from starlette.exceptions import HTTPException
    from starlette.responses import JSONResponse

    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = {"Allow": "POST"} if status == 405 else None
    return JSONResponse(fault(_WORDS.get(status, str(error))), status, headers)


async def _wrong(request: Request) -> Response:
    # Without this route Starlette would look for a file of the page, and answer 404 to a wrong method.
    from starlette.exceptions import HTTPException

    raise HTTPException(405 if request.path_params["rest"] in api.PLANS else 404)


class _Refused(Exception):
    """A request that the server does not read to its end."""

    def __init__(self, status: int, error: str, help: str = "") -> None:
        super().__init__(error)
        self.status, self.error, self.help = status, error, help


class _Gone(Exception):
    """The client has left."""


class _Door:
    """The application behind one path of the API."""

    def __init__(self, name: str, lanes: dict[str, Lane], spaces: Spaces) -> None:
        self.name, self.lanes, self.spaces = name, lanes, spaces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from starlette.requests import ClientDisconnect, Request

        events = _Events(send)
        # OSError: the client left while the answer was sent.
        with suppress(_Gone, ClientDisconnect, OSError):
            try:
                job = api.plan(self.name, parse_object(await _body_of(Request(scope, receive))))
                body = await _while_there(receive, self._answer(job, _client_of(scope), events))
            except (_Gone, ClientDisconnect):
                raise
            except Exception as error:
                status, wrong = _failure(error)
                if events.are_open:
                    await events.send("error", wrong, is_last=True)
                else:
                    await send_body(answers.to_bytes(wrong), JSON, scope, receive, send, status)
            else:
                if body is not None:
                    kind = JSON if isinstance(job, Order) else job.media_type
                    await send_body(body, kind, scope, receive, send)

    async def _answer(self, job: api.Job | Order, client: str, events: _Events) -> bytes | None:
        """The body of the answer; None if it was sent as events."""
        if isinstance(job, Order):
            return answers.to_bytes(await self.spaces.report(job, client))
        if job.begin is None:
            body: bytes = await self.lanes[job.lane].run(job.call, client, job.seconds)
            return body

        async def on_part(part: Json) -> None:
            await begin()
            await events.send("batch", part)

        async def begin() -> None:
            if not events.are_open:
                await events.open(job.media_type)
                await events.send("begin", job.begin)

        value = await self.lanes[job.lane].run(job.call, client, job.seconds, on_part)
        await begin()
        await events.send("result", value, is_last=True)
        return None


class _Events:
    """An answer that is sent as events, one after another."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.are_open = False

    async def open(self, media_type: str) -> None:
        """Send the head of the answer."""
        self.are_open = True
        headers = [(b"content-type", media_type.encode())]
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})

    async def send(self, name: str, value: Json, *, is_last: bool = False) -> None:
        """Send an event."""
        await self._send({"type": "http.response.body", "body": event(name, value), "more_body": not is_last})


def _failure(error: Exception) -> tuple[int, dict[str, Json]]:
    """Status and body of the answer for an error."""
    if isinstance(error, _Refused):
        return error.status, fault(error.error, help=error.help)
    busy = 429 if getattr(error, "is_own", False) else 503
    return failure(error, {TooBusy: busy, NotBuilt: 409, WorkerDied: 500, OverTime: 503})


async def _body_of(request: Request) -> bytes:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise _Refused(415, "the body must be JSON", "send it with Content-Type: application/json")
    # Refused at once, so that nobody sends gigabytes for nothing; without a length it is found while reading.
    length = request.headers.get("content-length", "")
    if length.isdecimal() and (len(length) > 12 or int(length) > _MOST_DRAINED_BYTES):
        raise _Refused(413, f"the request is larger than {MOST_BODY_BYTES:,} bytes")
    chunks: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            async for chunk in request.stream():
                size += len(chunk)
                if size <= MOST_BODY_BYTES:
                    chunks.append(chunk)
                elif size > _MOST_DRAINED_BYTES:
                    break
    except TimeoutError:
        raise _Refused(408, f"the request was not complete after {_BODY_SECONDS:g} seconds") from None
    if size > MOST_BODY_BYTES:
        raise _Refused(413, f"the request is larger than {MOST_BODY_BYTES:,} bytes")
    return b"".join(chunks)


async def _while_there(receive: Receive, work: Coroutine[object, object, Value]) -> Value:
    """The value of some work. If the client leaves, the work is cancelled and _Gone is raised."""

    async def leave() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    task, leaving = asyncio.ensure_future(work), asyncio.ensure_future(leave())
    try:
        await asyncio.wait((task, leaving), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise _Gone
    finally:
        for either in (task, leaving):
            either.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await either


def _client_of(scope: Scope) -> str:
    """The client, for fair turns: on this computer a page or a connection, elsewhere an address."""
    from starlette.datastructures import Headers

    host, port = scope.get("client") or ("", 0)
    if not is_loopback(host):
        return str(host)
    page = Headers(scope=scope).get("x-client")
    return f"{host} {port}" if page is None else f"page {page[:100]}"
