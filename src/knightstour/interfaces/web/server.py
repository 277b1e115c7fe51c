"""The server: it reads requests, and carries them to processes that answer them (here.py, pool.py).

It computes nothing itself. A thread reads a request, which then waits for a process; a client that leaves, and a
question over its time, end theirs. Errors are sent as `{"error", "note", "help"}`, in the words of the command line.
"""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import socket
import sys
import threading
import time
from collections.abc import Collection
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final, NamedTuple

from knightstour.core.machine.calls import Call, WorkerDied
from knightstour.core.model.errors import ProblemError
from knightstour.interfaces.web import answers, api, here
from knightstour.interfaces.web.binding import NotBuilt
from knightstour.interfaces.web.guard import HEADERS, Guard, is_loopback
from knightstour.interfaces.web.modules import STATIC, page_script, page_style, start_page
from knightstour.interfaces.web.pool import Pool, TooBusy, make_lanes
from knightstour.interfaces.web.replies import JSON, NOTHING_HERE, OverTime, event, failure, fault, tables

MAX_BODY_BYTES: Final = 2_000_000
# The server reads this much of what is refused: a client hears the refusal only when it has sent the body.
_MAX_DRAINED_BYTES: Final = 20_000_000
# A client may take this long to send a request, and to take an answer.
_CLIENT_SECONDS: Final = 30.0
_DRAIN_SECONDS: Final = 2.0
_SECONDS_TO_END: Final = 2.0
# Connections at once.
_MAX_CLIENTS: Final = 500
# A question without a stream of events, in which nothing can be said before the answer, waits for a process this long.
_WAIT_SECONDS: Final = 20.0
# Smaller answers are as quick as they are.
_LEAST_COMPRESSED: Final = 1000
_NO_BODY: Final = (204, 304)
_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def listen_on(host: str, port: int, *, allow_remote: bool) -> socket.socket:
    """A socket that listens on the address. allow_remote: whether other computers may reach it.

    Raises ProblemError for an address that cannot be used, or that other computers can reach without allow_remote.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise ProblemError(
            f"there is no address {host!r} here: {error.strerror}", help="leave out --host for this computer only"
        ) from None
    if not is_loopback(str(address[0])) and not allow_remote:
        raise ProblemError(
            f"other computers can reach {host}, and anyone there could use this server",
            help="leave out --host for this computer only, or add --allow-remote",
        )
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        # A port that a server left a moment ago may be taken again; on Windows the option would take it from others.
        if hasattr(socket, "SO_REUSEPORT"):
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(1024)
    except OSError as error:
        bound.close()
        help = "give another one with --port, or --port 0 for any that is free"
        if error.errno == errno.EADDRINUSE:
            raise ProblemError(f"port {port} is taken", help=help) from None
        if error.errno == errno.EACCES:
            raise ProblemError(f"port {port} needs special rights", help=help) from None
        raise ProblemError(f"cannot listen on {host}: {error.strerror}", help="leave out --host") from None
    return bound


class Server(ThreadingHTTPServer):
    """A server on a socket that listens; `serve_forever` runs it. names, is_remote: see Guard."""

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
        self.questions = {f"/api/{name}" for name in api.ROUTES}
        # What is being answered.
        self.asked: set[_Asking] = set()
        self.pool = Pool(make_lanes())
        self._room = threading.Semaphore(_MAX_CLIENTS)
        self.pool.prepare()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer on a thread of its own, or close the connection where there are too many."""
        if self._room.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """What the thread does."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that left amid a request; whatever else it is, is a fault of ours."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def server_close(self) -> None:
        """End all processes, and give up the address; whoever still waits has a moment to hear so."""
        super().server_close()
        self.pool.close()
        deadline = time.monotonic() + _SECONDS_TO_END
        while self.asked and time.monotonic() < deadline:
            time.sleep(0.01)


class _Refused(Exception):
    """A request that is not answered."""

    def __init__(self, status: int, error: str, help: str = "") -> None:
        super().__init__(error)
        self.status, self.error, self.help = status, error, help


class _Gone(OSError):
    """The client has left."""


class _Timed(io.RawIOBase):
    """What comes on a connection, until a deadline."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.deadline = float("inf")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self.connection.settimeout(max(0.001, self.deadline - time.monotonic()))
        try:
            return self.connection.recv_into(buffer)
        finally:
            self.connection.settimeout(_CLIENT_SECONDS)


class _Handler(BaseHTTPRequestHandler):
    """A connection, and one request after another on it."""

    server: Server
    protocol_version = "HTTP/1.1"
    timeout = _CLIENT_SECONDS
    disable_nagle_algorithm = True
    # Head and body go out together.
    wbufsize = -1

    def setup(self) -> None:
        super().setup()
        self._incoming = _Timed(self.connection)
        self.rfile = io.BufferedReader(self._incoming)

    def handle_one_request(self) -> None:
        self._incoming.deadline = time.monotonic() + _CLIENT_SECONDS
        super().handle_one_request()

    def handle(self) -> None:
        # A client that left hears nothing.
        with suppress(OSError):
            super().handle()

    def log_message(self, format: str, *args: object) -> None:
        """Write no log."""

    def version_string(self) -> str:
        return "knightstour"

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What http.server refuses, in the form of all other errors."""
        self.close_connection = True
        self.send(int(code), JSON, answers.to_bytes(fault(message or "this request cannot be read")))

    def _answer(self) -> None:
        path = self.path.partition("?")[0]
        try:
            refusal = self.server.guard.why_not(self.command, path, self.headers)
            if refusal is not None:
                raise _Refused(403, refusal, "open the page at its own address")
            if self.command in ("GET", "HEAD"):
                self._get(path)
            elif self.command == "POST" and path in self.server.questions:
                _Asking(self, path.removeprefix("/api/")).answer(self._body())
            else:
                raise self._wrong(path)
        except _Refused as refused:
            self.close_connection = True
            self.send(refused.status, JSON, answers.to_bytes(fault(refused.error, help=refused.help)))
            self._drain()

    def _wrong(self, path: str) -> _Refused:
        server = self.server
        if path in server.questions or path in server.tables or server.files.get(path) is not None:
            return _Refused(405, "this address does not take requests of this method")
        return _Refused(404, NOTHING_HERE)

    def _drain(self) -> None:
        """Read what the client still sends: to close the connection before that would take the answer from it."""
        self.connection.shutdown(socket.SHUT_WR)
        self._incoming.deadline = time.monotonic() + _DRAIN_SECONDS
        left = _MAX_DRAINED_BYTES
        while left > 0 and (chunk := self.rfile.read1(1 << 16)):
            left -= len(chunk)

    def _get(self, path: str) -> None:
        if path in self.server.tables:
            self.send(200, JSON, self.server.tables[path])
            return
        file = self.server.files.get(path)
        if file is None:
            raise self._wrong(path)
        known = str(self.headers.get("if-none-match", "")).split(",")
        if file.tag in (tag.strip() for tag in known):
            self.send(304, file.kind, b"", tag=file.tag)
        else:
            self.send(200, file.kind, file.body, tag=file.tag, small=file.small)

    def _body(self) -> bytes:
        kind = str(self.headers.get("content-type", "")).partition(";")[0].strip().lower()
        if kind != "application/json":
            raise _Refused(415, "the body must be JSON", "send it with Content-Type: application/json")
        lengths = self.headers.get_all("content-length", [])
        if len(lengths) != 1 or not lengths[0].isdecimal() or "transfer-encoding" in self.headers:
            raise _Refused(411, "the request does not say how long it is", "send it with one Content-Length")
        if len(lengths[0]) > 12 or int(lengths[0]) > MAX_BODY_BYTES:
            raise _Refused(413, f"the request is larger than {MAX_BODY_BYTES:,} bytes")
        try:
            body = self.rfile.read(int(lengths[0]))
        except TimeoutError:
            raise _Refused(408, f"the request was not complete after {_CLIENT_SECONDS:g} seconds") from None
        if len(body) < int(lengths[0]):
            raise _Gone
        return body

    def send(self, status: int, kind: str, body: bytes, *, tag: str = "", small: bytes | None = None) -> None:
        """Send an answer, compressed where the client takes that and it is worth it: texts, and not the smallest."""
        is_text = kind.startswith(("text/", "application/json", "image/svg"))
        headers = {"ETag": tag} if tag else {}
        if is_text:
            headers["Vary"] = "Accept-Encoding"
            if len(body) >= _LEAST_COMPRESSED and self._accepts_gzip():
                body = gzip.compress(body, 6) if small is None else small
                headers["Content-Encoding"] = "gzip"
        if status not in _NO_BODY:
            headers["Content-Length"] = str(len(body))
        if status == 405:
            headers["Allow"] = "POST"
        self.send_head(status, kind, headers)
        if self.command != "HEAD":
            self.wfile.write(body)
        self.wfile.flush()

    def send_head(self, status: int, kind: str, headers: dict[str, str]) -> None:
        """Send the head of an answer."""
        self.send_response(status)
        # The page asks each time whether its files are still the same, which it sees from their tags.
        is_api = getattr(self, "path", "").startswith("/api/")
        more = {"Content-Type": kind, "Cache-Control": "no-store" if is_api else "no-cache"}
        if self.close_connection:
            more["Connection"] = "close"
        for name, value in {**HEADERS, **more, **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def _accepts_gzip(self) -> bool:
        for part in str(getattr(self, "headers", {}).get("accept-encoding", "")).lower().split(","):
            name, _, quality = part.strip().partition(";")
            if name.strip() in ("gzip", "*"):
                return quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
        return False

    def has_left(self) -> bool:
        """Whether the client has closed its connection."""
        self.connection.settimeout(0)
        try:
            return not self.connection.recv(1, socket.MSG_PEEK)
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            return True
        finally:
            self.connection.settimeout(_CLIENT_SECONDS)

    @property
    def client(self) -> str:
        """The client, for fair turns: on this computer a page or a connection, elsewhere an address."""
        host, port = self.client_address[:2]
        if not is_loopback(str(host)):
            return str(host)
        page = self.headers.get("x-client")
        return f"{host} {port}" if page is None else f"page {page[:100]}"


for _method in _METHODS:
    setattr(_Handler, f"do_{_method}", _Handler._answer)


class _Asking:
    """A question on its way to a process, and the answer on its way back."""

    def __init__(self, handler: _Handler, name: str) -> None:
        self.handler, self.name = handler, name
        self.status, self.kind, self.body = 200, JSON, bytearray()
        self.is_open = False
        self.lane = api.QUICK
        self.seconds = self.deadline = float("inf")

    def answer(self, body: bytes) -> None:
        """Send the answer."""
        asked = self.handler.server.asked
        asked.add(self)
        try:
            self._ask(body)
            if not self.is_open:
                self.handler.send(self.status, self.kind, bytes(self.body))
        except OSError:
            raise
        except Exception as error:
            self._fail(error)
        finally:
            asked.discard(self)

    def _ask(self, body: bytes) -> None:
        """Have the question answered, when it is its turn."""
        turn = here.turn_of(self.name, body, is_browser=False)
        self.lane = turn.lane
        with self.handler.server.pool.worker(turn.lane, self.handler.client, self._wait) as worker:
            self.seconds, self.deadline = turn.seconds, time.monotonic() + turn.seconds
            worker.run(Call(here.serve, (self.name, body)), self._take, self._look)

    def _take(self, said: Any) -> None:
        """What the process sends of the answer; see `here.answer`."""
        word, *values = said
        if word == "head":
            self.status, self.kind = values
            if self.kind.startswith("text/event-stream"):
                self._open()
        elif word == "part" and self.is_open:
            self._tell(values[0] if self.status == 200 else b"event: error\ndata: " + values[0] + b"\n\n")
        elif word == "part":
            self.body += values[0]

    def _open(self) -> None:
        """Begin a stream of events; the end of the connection is its end."""
        if not self.is_open:
            self.is_open = self.handler.close_connection = True
            self.handler.send_head(200, "text/event-stream; charset=utf-8", {})

    def _tell(self, part: bytes) -> None:
        self.handler.wfile.write(part)
        self.handler.wfile.flush()

    def _wait(self, seconds: float, why: str) -> None:
        """While it is not the client's turn: say so where the answer is a stream, else refuse after a while."""
        self._look()
        if self.lane == api.NUMBERING:
            self._open()
            self._tell(event("batch", {"waits": why, "seconds": round(seconds, 1)}))
        elif seconds > _WAIT_SECONDS:
            raise TooBusy(f"{why} here, and this one waited {_WAIT_SECONDS:g} seconds for its turn", is_own=False)

    def _look(self) -> None:
        if time.monotonic() > self.deadline:
            raise OverTime(self.seconds)
        # What is answered in a moment is not worth a new process.
        if self.lane != api.QUICK and self.handler.has_left():
            raise _Gone

    def _fail(self, error: Exception) -> None:
        busy = 429 if getattr(error, "is_own", False) else 503
        status, wrong = failure(error, {TooBusy: busy, NotBuilt: 409, WorkerDied: 500, OverTime: 503})
        if self.is_open:
            self._tell(event("error", wrong))
        else:
            self.handler.send(status, JSON, answers.to_bytes(wrong))


# The types of the system may be wrong, and browsers refuse scripts that have another type.
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
_START: Final = "index.html"
# What is made of many files.
_MADE: Final = {_START: start_page, "app.js": page_script, "page.css": page_style}


class Sent(NamedTuple):
    """A file as it is sent: body, the same compressed, its tag, and its type."""

    body: bytes
    small: bytes
    tag: str
    kind: str


class Files:
    """The files of a folder; one that changes meanwhile is read again.

    Names are those that were there at the start, so no path leads out of the folder.
    """

    def __init__(self, static: Path = STATIC) -> None:
        self.static = static
        self._names = {path.relative_to(static).as_posix() for path in static.rglob("*") if path.suffix in _TYPES}
        # A folder without the page's script is sent as it is.
        self._made = _MADE if _MADE.keys() - {"page.css"} <= self._names else {}
        self._names |= self._made.keys()
        self._held: dict[str, tuple[int, Sent]] = {}

    def get(self, path: str) -> Sent | None:
        """The file at a path of the page, if there is one."""
        name = path.removeprefix("/") or _START
        if name not in self._names:
            return None
        file = self.static / name
        parts = [self.static / each for each in self._names - {"page.css"}] if name in self._made else [file]
        changed = max(part.stat().st_mtime_ns for part in parts)
        held = self._held.get(name)
        if held is None or held[0] != changed:
            body = self._made[name](self.static).encode() if name in self._made else file.read_bytes()
            # Weak: the compressed body is another one, and means the same.
            tag = f'W/"{hashlib.sha256(body).hexdigest()[:20]}"'
            held = self._held[name] = changed, Sent(body, gzip.compress(body, 9, mtime=0), tag, _TYPES[file.suffix])
        return held[1]
