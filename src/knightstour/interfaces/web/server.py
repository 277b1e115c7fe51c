"""The server of `knightstour serve`: it reads requests, and worker processes answer them (here.py, pool.py).

A thread reads a request and waits for its response. A request ends early if its client disconnects or its time limit
is reached. Each connection has one request. Errors are sent as `{"error", "note", "help"}`, with the messages of the
command line.
"""

from __future__ import annotations

import errno
import functools
import socket
import sys
import time
from collections.abc import Collection
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from knightstour.core.machine.calls import Call, WorkerDied
from knightstour.core.model.errors import ProblemError
from knightstour.interfaces.web import answers, api, here
from knightstour.interfaces.web.binding import NotBuilt
from knightstour.interfaces.web.guard import HEADERS, Guard
from knightstour.interfaces.web.modules import STATIC, page_script, page_style, start_page
from knightstour.interfaces.web.pool import Pool, TooBusy
from knightstour.interfaces.web.replies import JSON, NOTHING_HERE, OverTime, event, failure, fault, tables

MAX_BODY_BYTES: Final = 2_000_000
# Maximum pause of a client while it sends a request or reads a response.
_CLIENT_SECONDS: Final = 30.0
# After the response, the server reads the rest of the request; otherwise the client would lose the response.
_MAX_DRAINED_BYTES: Final = 20_000_000
_DRAIN_SECONDS: Final = 2.0
_SECONDS_TO_END: Final = 2.0
_EVENTS: Final = "text/event-stream"


def listen_on(host: str, port: int) -> socket.socket:
    """Return a socket that listens on the address. Raises ProblemError if the address cannot be used."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise ProblemError(
            f"there is no address {host!r} here: {error.strerror}", help="leave out --host for this computer only"
        ) from None
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        # Allow the port of a server that has just ended. On Windows, the option would take the port from other servers.
        if hasattr(socket, "SO_REUSEPORT"):
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(128)
    except OSError as error:
        bound.close()
        help = "use another one with --port, or --port 0 for any that is free"
        if error.errno == errno.EADDRINUSE:
            raise ProblemError(f"port {port} is taken", help=help) from None
        if error.errno == errno.EACCES:
            raise ProblemError(f"port {port} needs special rights", help=help) from None
        raise ProblemError(f"cannot listen on {host}: {error.strerror}", help="leave out --host") from None
    return bound


class Server(ThreadingHTTPServer):
    """A server on a listening socket; `serve_forever` runs it. names, is_remote: see Guard."""

    daemon_threads = True

    def __init__(
        self, bound: socket.socket, *, names: Collection[str] = (), is_remote: bool = False, static: Path = STATIC
    ) -> None:
        super().__init__(bound.getsockname()[:2], _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = bound
        self.guard = Guard(names, is_remote=is_remote)
        self.files = Files(static)
        self.tables = {f"/api/{name}": body for name, body in tables().items()}
        self.questions = {f"/api/{name}": name for name in api.ROUTES}
        self.pool = Pool()
        # The requests in progress.
        self.handlers: set[_Handler] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a new thread. Close the connection if no thread can be started."""
        try:
            super().process_request(request, client_address)
        except RuntimeError:
            self.shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that disconnect during a request. Any other error is a fault of the server."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def server_close(self) -> None:
        """End all processes and release the address. Unfinished requests get an error."""
        super().server_close()
        self.pool.close()
        deadline = time.monotonic() + _SECONDS_TO_END
        while self.handlers and time.monotonic() < deadline:
            time.sleep(0.01)


class _RefusedRequest(Exception):
    """A request that is not answered."""

    def __init__(self, status: int, error: str, help: str = "") -> None:
        super().__init__(error)
        self.status, self.error, self.help = status, error, help


class _ClientGone(OSError):
    """The client has left."""


class _Handler(BaseHTTPRequestHandler):
    """A connection with one request."""

    server: Server
    protocol_version = "HTTP/1.1"
    timeout = _CLIENT_SECONDS
    # Head and body go out together.
    wbufsize = -1
    # State of a request: status and media type of the response, whether it is an open stream of events, and its limits.
    status, kind, is_open = 200, JSON, False
    is_quick, seconds, deadline = True, 0.0, float("inf")
    # Whether the client has ended its sending side.
    is_half_closed = False

    def handle(self) -> None:
        with suppress(OSError):
            super().handle()

    def finish(self) -> None:
        """Send the response, then read until the client closes the connection."""
        with suppress(OSError):
            super().finish()
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(_DRAIN_SECONDS)
            left = _MAX_DRAINED_BYTES
            while left > 0 and (chunk := self.connection.recv(1 << 16)):
                left -= len(chunk)

    def log_message(self, format: str, *args: object) -> None:
        """Write no log."""

    def version_string(self) -> str:
        return "knightstour"

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Return errors of http.server in the form of all other errors."""
        self._send(int(code), JSON, answers.to_bytes(fault(message or "this request cannot be read")))

    def _answer(self) -> None:
        path = self.path.partition("?")[0]
        try:
            refusal = self.server.guard.why_not(self.command, path, self.headers)
            if refusal is not None:
                raise _RefusedRequest(403, refusal, "open the page at its own address")
            name = self.server.questions.get(path)
            body = self.server.tables.get(path)
            file = (JSON, body) if body is not None else self.server.files.get(path)
            if name is None and file is None:
                raise _RefusedRequest(404, NOTHING_HERE)
            if name is not None and self.command == "POST":
                self._ask(name, self._body())
            elif file is not None and self.command != "POST":
                self._send(200, *file)
            else:
                raise _RefusedRequest(405, "this address does not take requests of this method")
        except _RefusedRequest as refused:
            self._send(refused.status, JSON, answers.to_bytes(fault(refused.error, help=refused.help)))

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _answer

    def _body(self) -> bytes:
        kind = str(self.headers.get("content-type", "")).partition(";")[0].strip().lower()
        if kind != "application/json":
            raise _RefusedRequest(415, "the body must be JSON", "send it with Content-Type: application/json")
        lengths = self.headers.get_all("content-length", [])
        if len(lengths) != 1 or not lengths[0].isdecimal() or "transfer-encoding" in self.headers:
            raise _RefusedRequest(411, "the length of the request is missing", "send it with one Content-Length")
        if len(lengths[0]) > 12 or int(lengths[0]) > MAX_BODY_BYTES:
            raise _RefusedRequest(413, f"the request is larger than {MAX_BODY_BYTES:,} bytes")
        try:
            body = self.rfile.read(int(lengths[0]))
        except TimeoutError:
            raise _RefusedRequest(408, f"the client sent nothing for {_CLIENT_SECONDS:g} seconds") from None
        if len(body) < int(lengths[0]):
            raise _ClientGone
        return body

    def _send(self, status: int, kind: str, body: bytes) -> None:
        self._send_head(status, kind, len(body), {"Allow": "POST"} if status == 405 else {})
        if self.command != "HEAD":
            self.wfile.write(body)
        self.wfile.flush()

    def _send_head(self, status: int, kind: str, length: int | None, more: dict[str, str]) -> None:
        self.close_connection = True
        self.send_response(status)
        for name, value in {**HEADERS, "Content-Type": kind, "Cache-Control": "no-store", **more}.items():
            self.send_header(name, value)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.send_header("Connection", "close")
        self.end_headers()

    # -- requests to the API

    def _ask(self, name: str, body: bytes) -> None:
        """Answer a request in a worker process."""
        self.server.handlers.add(self)
        self.parts: list[bytes] = []
        try:
            turn = here.turn_of(name, body, is_browser=False)
            self.is_quick = turn.lane == api.QUICK
            with self.server.pool.worker(self.is_quick, self._check_client) as worker:
                self.seconds, self.deadline = turn.seconds, time.monotonic() + turn.seconds
                worker.run(Call(here.serve, (name, body)), self._handle_part, self._check_client)
            if not self.is_open:
                self._send(self.status, self.kind, b"".join(self.parts))
        except OSError:
            raise
        except Exception as error:
            statuses = {TooBusy: 503, NotBuilt: 409, WorkerDied: 500, OverTime: 503}
            status, wrong = failure(error, statuses)
            if self.is_open:
                self._write_part(event("error", wrong))
            else:
                self._send(status, JSON, answers.to_bytes(wrong))
        finally:
            self.server.handlers.discard(self)

    def _handle_part(self, message: Any) -> None:
        """Handle a part of the response."""
        word, *values = message
        if word == "head":
            self.status, self.kind = values
            if self.kind.startswith(_EVENTS):
                self.is_open = True
                self._send_head(self.status, self.kind, None, {})
        elif word == "part" and self.is_open:
            self._write_part(values[0])
        elif word == "part":
            self.parts += values

    def _write_part(self, part: bytes) -> None:
        self.wfile.write(part)
        self.wfile.flush()

    def _check_client(self) -> None:
        """Raise an error at the time limit or if the client has disconnected."""
        if time.monotonic() > self.deadline:
            raise OverTime(self.seconds)
        # A quick call ends before a new process could start.
        if not self.is_quick and self._has_left():
            raise _ClientGone

    def _has_left(self) -> bool:
        """Whether the client has closed its connection. Data after the request is dropped.

        A client that has closed only its sending side still reads. It gets an interim response or an empty event; a
        closed connection answers with an error.
        """
        if self.is_half_closed:
            return self.connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0
        if self._has_ended():
            if self.request_version < "HTTP/1.1":
                return True
            self.is_half_closed = True
            self._write_part(b":\n\n" if self.is_open else b"HTTP/1.1 102 Processing\r\n\r\n")
        return False

    def _has_ended(self) -> bool:
        self.connection.settimeout(0)
        try:
            return any(not self.connection.recv(1 << 16) for _ in range(_MAX_DRAINED_BYTES >> 16))
        except BlockingIOError:
            return False
        finally:
            self.connection.settimeout(self.timeout)


# The types of the system may be wrong, and browsers reject scripts with another type.
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
# Files that are built from several files.
_MADE: Final = {"index.html": start_page, "app.js": page_script, "page.css": page_style}


class Files:
    """The files of the page. Names are fixed at the start, so that no path leads out of the folder."""

    def __init__(self, static: Path = STATIC) -> None:
        self.static = static
        self.names = {path.relative_to(static).as_posix() for path in static.rglob("*") if path.suffix in _TYPES}

    def get(self, path: str) -> tuple[str, bytes] | None:
        """Return the media type and the bytes of the file at a path of the page, or None."""
        name = path.removeprefix("/") or "index.html"
        if name in _MADE:
            changed = max((self.static / each).stat().st_mtime_ns for each in self.names)
            return _TYPES[Path(name).suffix], _build_file(name, self.static, changed)
        return (_TYPES[Path(name).suffix], (self.static / name).read_bytes()) if name in self.names else None


@functools.lru_cache(maxsize=len(_MADE))
def _build_file(name: str, static: Path, changed: int) -> bytes:
    return _MADE[name](static).encode()
