"""Tests of the command `serve`: its address, its output, and its end."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from helpers.processes import children, running
from helpers.served import client, posted, served, until
from knightstour.core.model.errors import ProblemError
from knightstour.interfaces.cli import app as cli
from knightstour.interfaces.cli.commands import serve
from knightstour.interfaces.web import server
from knightstour.interfaces.web.server import listen_on

pytestmark = pytest.mark.processes


@contextmanager
def serving(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a server by the command; yield it and its address."""
    command = [sys.executable, "-m", "knightstour", "serve", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            assert said.startswith("knightstour is at http://") and said.endswith("/ (Ctrl-C stops)\n")
            yield process, said.split()[3]
        finally:
            process.kill()


def workers_of(process: subprocess.Popen[str]) -> set[int]:
    return set(children(process.pid))


def rest_of(connection: socket.socket, until: bytes = b"") -> bytes:
    """Read a connection until these bytes or its end."""
    got = b""
    while not (until and until in got) and (chunk := connection.recv(1 << 16)):
        got += chunk
    return got


@pytest.mark.parametrize(("how", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_it_serves_until_a_signal_stops_it_and_leaves_nothing(how: signal.Signals, code: int) -> None:
    with serving() as (process, url), client(url) as web:
        assert web.post("/api/solve", json={"board": "8x8", "closed": True}).json()["status"] == "found"
        assert web.get("/").status_code == 200
        # Running searches do not block it: a watched one, and an earlier one.
        long = {"board": "8x8", "closed": True, "method": "backtracking", "seconds": 30}
        with posted(url, "solve", long) as silent, posted(url, "trace", {**long, "events": 100}) as watched:
            rest_of(watched, b"event: batch")
            workers = workers_of(process)
            assert len(workers) > 1
            process.send_signal(how)
            out, err = process.communicate(timeout=1200)
            assert rest_of(silent).startswith(b"HTTP/1.1 500 ") and b"event: error" in rest_of(watched)
    assert (process.returncode, out, err) == (code, "", "")
    until(lambda: not workers & set(running()))


def test_workers_end_when_the_server_is_killed() -> None:
    with serving() as (process, _):
        workers = until(lambda: len(found := workers_of(process)) > 1 and found)
        process.kill()
        process.wait()
        until(lambda: not workers & set(running()))


def test_a_port_that_is_taken_is_one_clear_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "knightstour", "serve", "--port", str(port)], capture_output=True, text=True
        )
    assert done.returncode == 2 and done.stdout == ""
    assert (
        done.stderr
        == f"error: port {port} is taken\nhelp: use another one with --port, or --port 0 for any that is free\n"
    )


def test_remote_access_prints_a_warning() -> None:
    with serving("--host", "0.0.0.0") as (process, url):
        port = url.rstrip("/").rpartition(":")[2]
        own = socket.gethostname()
        with client(f"http://127.0.0.1:{port}") as web:
            assert web.get("/api/health").status_code == 200
            assert web.get("/api/health", headers={"Host": f"192.168.0.7:{port}"}).status_code == 200
            assert web.get("/api/health", headers={"Host": own}).status_code == 200
            assert web.get("/api/health", headers={"Host": "evil.example"}).status_code == 403
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=1200)
    assert "without a password" in err and "searches" in err


def test_an_address_that_is_not_here_is_one_clear_error() -> None:
    for host, words in (("no.such.host.invalid", "no address"), ("192.0.2.1", "cannot listen")):
        with pytest.raises(ProblemError, match=words):
            listen_on(host, 0)


def test_open_opens_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    class Server:
        def __init__(self, bound: socket.socket, **options: Any) -> None:
            self.bound = bound

        def serve_forever(self) -> None:
            until(lambda: opened)
            raise KeyboardInterrupt

        def server_close(self) -> None:
            self.bound.close()
            opened.append("closed")

    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("signal.signal", lambda *how: None)
    monkeypatch.setattr(serve, "Server", Server)
    done = CliRunner().invoke(cli.group, ["serve", "--port", "0", "--open"], standalone_mode=False)
    assert done.return_value == 130
    assert opened == [done.stdout.split()[3], "closed"]


def test_a_server_can_be_ended_twice_over() -> None:
    for _ in range(2):
        before = set(children(os.getpid()))
        with served() as url:
            assert httpx.get(f"{url}/api/health", verify=False).status_code == 200
        assert set(children(os.getpid())) <= before


def test_unfinished_request_head_is_not_awaited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server._Handler, "timeout", 0.3)
    with served() as url:
        port = int(url.rpartition(":")[2])
        for first in (b"", b"GET /api/health HTTP/1.1\r\nHost: loc"):
            with socket.create_connection(("127.0.0.1", port), timeout=1200) as connection:
                connection.sendall(first)
                assert connection.recv(100) == b""
        # A missing body is reported.
        kind = b"Content-Type: application/json\r\nContent-Length: 9\r\n\r\n"
        head = b"POST /api/solve HTTP/1.1\r\nHost: localhost\r\n" + kind
        with socket.create_connection(("127.0.0.1", port), timeout=1200) as connection:
            connection.sendall(head)
            assert rest_of(connection).startswith(b"HTTP/1.1 408")
