"""The server: requests in, jobs to the workers, answers out; and the files of the page.

Nothing is computed here. A request is read and understood, then it waits for a worker, and if the client leaves
meanwhile its search is ended. What goes wrong is answered as `{"error", "note", "help"}`, in the words of the
command line.
"""

from __future__ import annotations

import asyncio
import json
import mimetypes
import os
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from knightstour.machine import memory
from knightstour.machine.calls import Call, WorkerDied
from knightstour.model.budget import Limits
from knightstour.model.errors import KnightsTourError
from knightstour.model.problem import Problem
from knightstour.web import answers, api
from knightstour.web.fields import parse_object
from knightstour.web.guard import Guard, is_loopback
from knightstour.web.lanes import Lane, OverTime, TooBusy
from knightstour.web.openapi import document
from knightstour.web.spaces import NotBuilt, Order, Spaces

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

STATIC: Final = Path(__file__).parent / "static"
MOST_BODY_BYTES: Final = 2_000_000
# A body that is too large is read on so far, so that whoever sends it can hear why it is refused.
_MOST_DRAINED_BYTES = 20_000_000
_BODY_SECONDS = 30.0
# Searches that run at once: more than there are cores, for a long one must not keep short ones waiting.
_SEARCHES = 8
_SEARCHES_EACH = 4
_SEARCH_NICENESS = 5
# Processes of each lane that are there before anybody asks.
_PREPARED = 2
# Loads all that answers need but compiled kernels.
_WARM: Final = Call(answers.solve, (answers.Asked(Problem.of("5x5"), "auto", 0, {}, None, Limits()),))
# A search has at least so much memory, however little there is.
_LEAST_BYTES = 1 << 30

_WORDS = {
    404: "there is nothing at this address",
    405: "this address is not asked in this way",
}


def make_lanes() -> dict[str, Lane]:
    """The worker processes: some for what is quick, others for searches, with lower priority and little memory."""
    most_bytes = max(_LEAST_BYTES, memory.available_bytes() // _SEARCHES)
    cores = os.cpu_count() or 1
    return {
        api.QUICK: Lane(max(2, cores), 2, warm=_WARM, waiting=200, most_bytes=most_bytes),
        api.SEARCH: Lane(_SEARCHES, _SEARCHES_EACH, warm=_WARM, niceness=_SEARCH_NICENESS, most_bytes=most_bytes),
    }


def make_app(
    lanes: dict[str, Lane] | None = None, *, names: Collection[str] = (), is_remote: bool = False, static: Path = STATIC
) -> ASGIApp:
    """The application, for any ASGI server. names, is_remote: see Guard. It closes the lanes at its end."""
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.responses import Response
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles

    lanes = make_lanes() if lanes is None else lanes
    spaces = Spaces(lanes[api.QUICK])
    # What the system believes may be wrong, and a browser takes no script of another type.
    for suffix, kind in ((".js", "text/javascript"), (".css", "text/css"), (".svg", "image/svg+xml")):
        mimetypes.add_type(kind, suffix)

    def given(body: bytes) -> Any:
        async def get(request: Request) -> Response:
            return Response(body, media_type="application/json")

        return get

    def refused(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        headers = {"Allow": "POST"} if status == 405 else None
        return Response(_fault(_WORDS.get(status, str(error))), status, headers, media_type="application/json")

    async def wrong(request: Request) -> Response:
        # Else Starlette would look through the files of the page, and call a wrong method a wrong address.
        raise HTTPException(405 if request.path_params["rest"] in api.PLANS else 404)

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
        Route("/api/health", given(b'{"status":"ok"}')),
        Route("/api/methods", given(answers.describe_methods())),
        Route("/api/laws", given(answers.describe_laws())),
        Route("/api/objectives", given(answers.describe_objectives())),
        Route("/api/drawing", given(answers.describe_drawing())),
        Route("/api/openapi.json", given(answers.to_bytes(document()))),
        *(Route(f"/api/{name}", _Door(name, lanes, spaces), methods=["POST"]) for name in api.PLANS),
        Route("/api/{rest:path}", wrong, methods=["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]),
        Mount("/", StaticFiles(directory=static, html=True, check_dir=False)),
    ]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: refused, Exception: refused})
    return Guard(app, names=names, is_remote=is_remote)


def _fault(error: str, note: str = "", help: str = "", **more: Any) -> bytes:
    return json.dumps({"error": error, "note": note, "help": help, **more}).encode()


class _Refused(Exception):
    """A request that is not even read to its end."""

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

        answer = _Answer(send)
        try:
            try:
                body = parse_object(await _body_of(Request(scope, receive)))
                job = api.plan(self.name, body)
                client = _client_of(scope)
                if isinstance(job, Order):
                    report = await _while_there(receive, self.spaces.report(job, client))
                    await answer.whole(200, "application/json", answers.to_bytes(report))
                    return
                value = await _while_there(receive, self._run(job, client, answer))
            except (_Gone, ClientDisconnect):
                return
            except Exception as error:
                await answer.fail(error)
            else:
                if job.begin is None:
                    await answer.whole(200, job.media_type, value)
                else:
                    await answer.event("result", value)
                    await answer.end()
        except OSError:
            # It left while it was answered.
            return

    async def _run(self, job: api.Job, client: str, answer: _Answer) -> Any:
        lane = self.lanes[job.lane]
        if job.begin is None:
            return await lane.run(job.call, client, job.seconds)

        async def on_part(part: Any) -> None:
            await begin()
            await answer.event("batch", part)

        async def begin() -> None:
            if not answer.is_begun:
                await answer.begin(job.media_type)
                await answer.event("begin", job.begin)

        value = await lane.run(job.call, client, job.seconds, on_part)
        await begin()
        return value


class _Answer:
    """What is sent: one whole body, or events one after another."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.is_begun = False

    async def whole(self, status: int, media_type: str, body: bytes) -> None:
        headers = [(b"content-type", media_type.encode()), (b"content-length", str(len(body)).encode())]
        await self._send({"type": "http.response.start", "status": status, "headers": headers})
        await self._send({"type": "http.response.body", "body": body})

    async def begin(self, media_type: str) -> None:
        self.is_begun = True
        headers = [(b"content-type", media_type.encode())]
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})

    async def event(self, name: str, value: Any) -> None:
        # One line: JSON text has no line ends of its own.
        body = b"event: " + name.encode() + b"\ndata: " + answers.to_bytes(value) + b"\n\n"
        await self._send({"type": "http.response.body", "body": body, "more_body": True})

    async def end(self) -> None:
        await self._send({"type": "http.response.body", "body": b""})

    async def fail(self, error: Exception) -> None:
        """Send an error, as an answer of its own or as the last event."""
        status, body = _failure(error)
        if self.is_begun:
            await self.event("error", json.loads(body))
            await self.end()
        else:
            await self.whole(status, "application/json", body)


def _failure(error: Exception) -> tuple[int, bytes]:
    """Status and body for what went wrong."""
    if isinstance(error, _Refused):
        return error.status, _fault(error.error, help=error.help)
    if isinstance(error, KnightsTourError):
        if isinstance(error, TooBusy):
            status = 429 if error.is_own else 503
        elif isinstance(error, NotBuilt):
            status = 409
        else:
            status = 500 if isinstance(error, WorkerDied | OverTime) else 400
        step = getattr(error, "step", None)
        return status, _fault(str(error), error.note, error.help, **({} if step is None else {"step": step}))
    if isinstance(error, MemoryError):
        return 500, _fault("there is not enough memory for this")
    return 500, _fault(f"this should not have happened: {type(error).__name__}: {error}", help="please report it")


async def _body_of(request: Request) -> bytes:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise _Refused(415, "the body must be JSON", "send it with Content-Type: application/json")
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


async def _while_there(receive: Receive, work: Any) -> Any:
    """The value of some work, which is cancelled when the client leaves; then _Gone is raised."""

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
    """Who asks, for sharing out: on this computer each page or connection, elsewhere each address."""
    host, port = scope.get("client") or ("", 0)
    if not is_loopback(host):
        return str(host)
    for name, value in scope["headers"]:
        if name == b"x-client":
            return f"page {value[:100].decode('latin1')}"
    return f"{host} {port}"
