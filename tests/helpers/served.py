"""A real server of the page on a free port, in a thread of the test's process."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from knightstour.interfaces.web.server import Server, listen_on


def client(url: str, **headers: str) -> httpx.Client:
    """Return a client without certificates, which take long to load."""
    return httpx.Client(base_url=url, timeout=1200, headers=headers, verify=False)


@contextmanager
def running(**options: Any) -> Iterator[tuple[str, Server]]:
    """Run a server; yield its address and itself. options: as for Server."""
    server = Server(listen_on("127.0.0.1", 0), **options)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(60)
        assert not thread.is_alive(), "the server did not end"


@contextmanager
def served(**options: Any) -> Iterator[str]:
    """Run a server; yield its address."""
    with running(**options) as (url, _):
        yield url


def posted(url: str, path: str, body: object, **more: str) -> socket.socket:
    """Return a connection after a request. more: further headers."""
    host, port = url.removeprefix("http://").rstrip("/").split(":")
    connection = socket.create_connection((host, int(port)), timeout=1200)
    text = json.dumps(body).encode()
    head = {"Host": f"{host}:{port}", "Content-Type": "application/json", "Content-Length": len(text), **more}
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    connection.sendall(f"POST /api/{path} HTTP/1.1\r\n{lines}\r\n".encode() + text)
    return connection


def raw(url: str, request: bytes, seconds: float = 30) -> bytes:
    """Return the response to these bytes, until the connection closes."""
    host, port = url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=seconds) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        chunks = []
        while chunk := connection.recv(1 << 16):
            chunks.append(chunk)
    return b"".join(chunks)


def until(condition: Any, seconds: float = 120) -> Any:
    """Return the first true value of a function, called repeatedly."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.02)
    return value


def ask(web: httpx.Client, path: str, /, **fields: Any) -> Any:
    answer = web.post(f"/api/{path}", json=fields)
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(web: httpx.Client, path: str, /, status: int = 400, **fields: Any) -> dict[str, Any]:
    answer = web.post(f"/api/{path}", json=fields)
    assert answer.status_code == status, answer.text
    fault = answer.json()
    assert {"error", "note", "help"} <= fault.keys()
    return fault
