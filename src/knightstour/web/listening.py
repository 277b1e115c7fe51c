"""What `knightstour serve` does: finds a place to listen, says where it is, and serves until it is told to stop."""

from __future__ import annotations

import errno
import socket
import threading
import webbrowser
from typing import TYPE_CHECKING, Any

from knightstour import console
from knightstour.errors import ProblemError
from knightstour.web.guard import is_loopback

if TYPE_CHECKING:
    import uvicorn

    from knightstour.web.workers import Lane


def listen_on(host: str, port: int, *, allow_remote: bool) -> socket.socket:
    """A socket that is bound to the address, if nobody else has it. ProblemError for an address that cannot be used.

    An address that other computers can reach needs allow_remote.
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
    # With the protocol named, asyncio sends what there is at once; else head and body would wait for each other.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        # A port that was left a moment ago may be taken again; on Windows the option would take it from others.
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
            raise ProblemError(f"port {port} is not for everyone", help=help) from None
        raise ProblemError(f"cannot listen on {host}: {error.strerror}", help="leave out --host") from None
    return bound


def serve(host: str, port: int, *, allow_remote: bool = False, opens: bool = False) -> int:
    """Serve until Ctrl-C; returns the exit code. The address is printed when the page can be opened."""
    bound = listen_on(host, port, allow_remote=allow_remote)
    shown, taken = bound.getsockname()[:2]
    is_remote = not is_loopback(shown)
    if is_remote:
        console.say("note", "every computer that reaches this one can use the page, without a password or encryption:")
        console.say("note", "it can start searches, 8 at once and 30 s each, which take processors and memory")
        reached = socket.gethostname()
    else:
        reached = f"[{shown}]" if ":" in shown else shown
    url = f"http://{reached}:{taken}/"
    try:
        server = make_server(names=[socket.gethostname(), host] if is_remote else [], is_remote=is_remote)
        print(f"knightstour is at {url} (Ctrl-C stops)", flush=True)
        if opens:
            # Some browsers come back only when they are closed.
            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
        server.run([bound])
    except KeyboardInterrupt:
        return console.INTERRUPTED
    finally:
        bound.close()
    return console.FOUND


def make_server(lanes: dict[str, Lane] | None = None, **options: Any) -> uvicorn.Server:
    """A server of `make_app(lanes, **options)`; it runs with `run([socket])`, and `should_exit` ends it."""
    import uvicorn

    from knightstour.web.server import make_app, make_lanes

    own = make_lanes() if lanes is None else lanes

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            # First of all, so that nobody waits for a search that is not wanted any more.
            for lane in own.values():
                await lane.close()
            await super().shutdown(sockets)

    config = uvicorn.Config(
        make_app(own, **options),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        limit_concurrency=1000,
        timeout_graceful_shutdown=2,
    )
    return Server(config)
