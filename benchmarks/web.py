"""How soon the server answers 30 clients at once, alone and beside a client that asks for the hardest searches.

    python benchmarks/web.py [--clients N] [--requests N]

Starts a server of its own on loopback. Times are wall-clock, as clients see them; each has a connection of its own and
asks again as soon as it has its answer, so all are there at once all the time. The clients run in one process beside
the server and take about as much of the processors as it does; other work on the machine makes all times longer, so the
processor time of the server and its workers for each request is given too (on Linux, in steps of 10 ms in all).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
from measure import yardstick

CLOSED: dict[str, Any] = {"board": "8x8", "closed": True}
SEARCHED: dict[str, Any] = {**CLOSED, "method": "rotation"}
# Searches that never end by themselves.
ENDLESS: dict[str, Any] = {**CLOSED, "method": "backtracking", "seconds": 30}
CROWD = 40


@contextlib.contextmanager
def server() -> Iterator[tuple[str, int]]:
    """The address of a server that runs meanwhile, and its process number."""
    command = [sys.executable, "-m", "knightstour", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[3], process.pid
        finally:
            process.terminate()


def processor_seconds(server: int) -> float:
    """Processor time that a server and its workers have taken; 0 where the system does not say."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if server in (int(stat.parent.name), int(fields[1])):
            ticks += int(fields[11]) + int(fields[12])
    return ticks / 100


def session(url: str, name: str) -> httpx.AsyncClient:
    """A client with one connection. Nothing is encrypted here, and reading all certificates takes long."""
    return httpx.AsyncClient(base_url=url, timeout=60, headers={"X-Client": name}, verify=False)


async def ask(client: httpx.AsyncClient, question: dict[str, Any], requests: int, times: list[float]) -> int:
    """Ask one request after another and add the seconds of each to `times`; return the number that failed."""
    lost = 0
    for k in range(requests):
        started = time.perf_counter()
        answer = await client.post("/api/solve", json={**question, "seed": k})
        times.append(time.perf_counter() - started)
        lost += answer.status_code != 200 or answer.json()["status"] != "found"
    return lost


async def crowd(url: str, pid: int, question: dict[str, Any], count: int, requests: int, y: float = 1.0) -> str:
    """What this number of clients saw, as the cells of a row. Each asks once before the clock starts."""
    times: list[float] = []
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(session(url, f"client {k}")) for k in range(count)]
        await asyncio.gather(*(ask(client, question, 1, []) for client in clients))
        taken = processor_seconds(pid)
        lost = await asyncio.gather(*(ask(client, question, requests, times) for client in clients))
        taken = processor_seconds(pid) - taken
    times.sort()
    worst = times[int(0.99 * len(times))]
    median, each = statistics.median(times), taken / len(times)
    return f"{len(times):,} | {median * 1e3:.0f} | {worst * 1e3:.0f} | {sum(lost)} | {each * 1e3:.2f} | {each / y:.3f}"


async def beside_the_hardest(url: str, pid: int, question: dict[str, Any], clients: int, requests: int) -> str:
    """The same while one client asks for more endless searches than may run at once."""

    async def hog() -> None:
        async with session(url, "greedy") as client:
            await client.post("/api/solve", json=ENDLESS)

    greedy = [asyncio.create_task(hog()) for _ in range(12)]
    await asyncio.sleep(2)
    row = await crowd(url, pid, question, clients, requests)
    for task in greedy:
        task.cancel()
    await asyncio.gather(*greedy, return_exceptions=True)
    await asyncio.sleep(1)
    return row


def first_answer() -> float:
    """Seconds from the start of the program to the first answer."""
    started = time.perf_counter()
    with server() as (url, _):
        httpx.post(f"{url}api/solve", json=CLOSED, timeout=60).raise_for_status()
        return time.perf_counter() - started


async def measure(url: str, pid: int, clients: int, requests: int) -> None:
    """Print the rows of the table."""
    y = yardstick()
    await crowd(url, pid, SEARCHED, 2, 5)
    for name, question in (("constructed", CLOSED), ("searched by rotation", SEARCHED)):
        print(f"| {name} | {await crowd(url, pid, question, clients, requests, y)} |", flush=True)
        row = await beside_the_hardest(url, pid, question, clients, requests)
        # The processor time is that of the endless searches.
        print(f"| {name}, beside 12 endless searches of one client | {row.rsplit('|', 2)[0]}| | |", flush=True)


def main() -> None:
    """Measure and print Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=30)
    parser.add_argument("--requests", type=int, default=CROWD, help="of each client, one after another")
    options = parser.parse_args()
    print(f"## The server, {options.clients} clients at once asking for closed tours of 8x8\n")
    print("| tours | requests | median ms | 99th percentile ms | lost | processor ms a request | y |")
    print("|---|---|---|---|---|---|---|")
    with server() as (url, pid):
        asyncio.run(measure(url, pid, options.clients, options.requests))
    starts = [first_answer() for _ in range(3)]
    print(f"\nFirst answer {statistics.median(starts):.2f} s after the program was started.")


if __name__ == "__main__":
    main()
