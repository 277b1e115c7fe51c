"""The address where the server listens, and the server that runs on it."""

from __future__ import annotations

import asyncio
import errno
import functools
import socket
from typing import TYPE_CHECKING, Any

from knightstour.core.model.errors import ProblemError
from knightstour.interfaces.web.guard import is_loopback

if TYPE_CHECKING:
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol

    from knightstour.interfaces.web.lanes import Lane


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
    # asyncio sends data at once only if the protocol is named; otherwise head and body would wait for each other.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
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


# A client may take this long to send the head of a request.
_HEAD_SECONDS = 30.0


@functools.cache
def _protocol() -> type[H11Protocol]:
    """uvicorn's protocol of connections, but one that closes a connection on which no request becomes complete."""
    import h11
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Protocol(H11Protocol):
        _late: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            self._unwatch()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.conn.their_state is not h11.IDLE:
                self._unwatch()
            elif self._late is None:
                self._watch()

        def _watch(self) -> None:
            self._late = self.loop.call_later(_HEAD_SECONDS, self._close_if_late)

        def _unwatch(self) -> None:
            if self._late is not None:
                self._late.cancel()
                self._late = None

        def _close_if_late(self) -> None:
            self._late = None
            # A request that came meanwhile is answered first; uvicorn closes what is idle after an answer.
            if self.conn.their_state is h11.IDLE and (self.cycle is None or self.cycle.response_complete):
                self.transport.close()

    return Protocol


def make_server(lanes: dict[str, Lane] | None = None, **options: Any) -> uvicorn.Server:
    """A server of `make_app(lanes, **options)`; it runs with `run([socket])`, and `should_exit` ends it."""
    import uvicorn

    from knightstour.interfaces.web.server import make_app, make_lanes

    own = make_lanes() if lanes is None else lanes

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            # First of all, so that the server does not wait for searches.
            for lane in own.values():
                await lane.close()
            await super().shutdown(sockets)

    config = uvicorn.Config(
        make_app(own, **options),
        http=_protocol(),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        limit_concurrency=1000,
        timeout_graceful_shutdown=2,
    )
    return Server(config)
