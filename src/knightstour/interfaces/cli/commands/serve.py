"""`knightstour serve`: the page in the browser."""

from __future__ import annotations

import signal
import socket
import sys
import threading
import webbrowser

import click

from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.option import Whole, option
from knightstour.interfaces.web.guard import is_loopback
from knightstour.interfaces.web.server import Server, listen_on

# Exit code that a shell uses for this signal.
_TERMINATED = 143


@click.command("serve", cls=Command)
@option("--open", "opens", is_flag=True, help="Open it in the browser.")
@option(
    "--port",
    type=Whole(0, 65535),
    metavar="N",
    default=8000,
    help="Port (default: 8000; 0: any free port).",
)
@option(
    "--host",
    default="127.0.0.1",
    metavar="ADDRESS",
    help="Address to listen on; 0.0.0.0 accepts other computers.",
)
def command(*, opens: bool, port: int, host: str) -> int:
    """Start the page on this computer and print its address.

    \b
    $ knightstour serve --open
    """
    bound = listen_on(host, port)
    shown, taken = bound.getsockname()[:2]
    is_remote = not is_loopback(shown)
    if is_remote:
        console.print_message(
            "note", "every computer that reaches this one can use the page, without a password or encryption:"
        )
        console.print_message(
            "note", "it can start searches, 4 at once and 30 s each, which take processors and memory"
        )
        reached = socket.gethostname()
    else:
        reached = f"[{shown}]" if ":" in shown else shown
    url = f"http://{reached}:{taken}/"
    server = Server(bound, names=[socket.gethostname(), host] if is_remote else [], is_remote=is_remote)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(_TERMINATED))
    try:
        print(f"knightstour is at {url} (Ctrl-C stops)", flush=True)
        if opens:
            # Some browsers return only when they are closed.
            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
        server.serve_forever()
    except KeyboardInterrupt:
        return console.INTERRUPTED
    finally:
        server.server_close()
    return console.FOUND
