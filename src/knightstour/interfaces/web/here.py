"""The API without a server: questions are answered in this process, in the browser of whoever looks at the page.

A worker of the page (static/engine/worker.js) runs Python and calls `answer` for one question after another. Questions,
answers, events and errors are those of the server, from the same table (`api.PLANS`).

There are no other processes here and no files that last. So spaces of all tours are built while the question for them
waits, those of small boards alone, and other processes are not to be had at all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from knightstour.core.model.errors import KnightsTourError
from knightstour.core.model.problem import Problem
from knightstour.interfaces.web import answers, api, many
from knightstour.interfaces.web.fields import Json, parse_object
from knightstour.interfaces.web.orders import NotBuilt, Order, status_of
from knightstour.interfaces.web.replies import JSON, NOTHING_HERE, OverTime, event, failure, fault
from knightstour.lab.counting.spaces.kept import path_of

# Takes a word, and what belongs to it; see `answer`.
Send = Callable[..., None]

# Boards of up to this many squares have their tours numbered here: 6x6 takes 20 seconds at most, 7x7 gigabytes.
MOST_NUMBERED: Final = 36
_BUILD_SECONDS = 120.0
_ELSEWHERE = "install it and ask there: pip install knightstour, then knightstour serve --open"


def answer(name: str, body: bytes, send: Send, *, may_search: bool = True) -> None:
    """Answer a question. Calls send("head", status, media type), send("part", bytes) for each part, send("end").

    Before that it calls send("turn", lane, seconds, body): in which lane of the API the question is, and after how long
    it is to be ended from outside, with that body. If it is a search and may_search is False it calls send("later")
    instead, and nothing else.
    """
    reply = _Reply(send)
    try:
        if name not in api.PLANS:
            reply.whole(404, JSON, answers.to_bytes(fault(NOTHING_HERE)))
        else:
            job = _planned(name, body)
            lane = _lane_of(job)
            if lane == api.SEARCH and not may_search:
                send("later")
                return
            seconds = _BUILD_SECONDS if isinstance(job, Order) else job.seconds
            send("turn", lane, seconds, answers.to_bytes(_late(seconds)))
            _do(job, reply)
    except ModuleNotFoundError as error:
        missing = KnightsTourError(
            f"this needs the package {error.name}, which a browser does not have", help=_ELSEWHERE
        )
        reply.fail(*failure(missing, {}))
    except Exception as error:
        reply.fail(*failure(error, {NotBuilt: 409}))
    send("end")


def ask(name: str, body: str, send: Send, may_search: bool) -> None:
    """The same as `answer`, as JavaScript calls it: the body is a text."""
    answer(name, body.encode(), send, may_search=may_search)


class _Reply:
    """What is sent of one answer."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._is_open = False

    def whole(self, status: int, kind: str, body: bytes) -> None:
        self._send("head", status, kind)
        self._send("part", body)

    def open(self, kind: str, begin: Json) -> None:
        """Begin a stream of events, unless that was done."""
        if not self._is_open:
            self._is_open = True
            self._send("head", 200, kind)
            self.event("begin", begin)

    def event(self, name: str, value: Json) -> None:
        self._send("part", event(name, value))

    def fail(self, status: int, wrong: dict[str, Json]) -> None:
        if self._is_open:
            self.event("error", wrong)
        else:
            self.whole(status, JSON, answers.to_bytes(wrong))


def _planned(name: str, body: bytes) -> api.Job | Order:
    """The job of a question. What asks a space of a small board has it built first."""
    fields = parse_object(body)
    try:
        return api.plan(name, fields)
    except NotBuilt as error:
        if error.problem.board.square_count > MOST_NUMBERED:
            raise
        _build(error.problem)
        return api.plan(name, fields)


def _lane_of(job: api.Job | Order) -> str:
    if isinstance(job, Order):
        return api.SEARCH if job.does == "build" else api.QUICK
    return job.lane


def _do(job: api.Job | Order, reply: _Reply) -> None:
    if isinstance(job, Order):
        reply.whole(200, JSON, answers.to_bytes(_space(job)))
        return
    function, arguments = job.call.function, job.call.arguments
    if job.begin is None:
        reply.whole(200, job.media_type, function(*arguments))
        return

    def emit(value: Json) -> None:
        reply.open(job.media_type, job.begin)
        reply.event("batch", value)

    value = function(*arguments, emit)
    reply.open(job.media_type, job.begin)
    reply.event("result", value)


def _space(order: Order) -> dict[str, Json]:
    """The status of a space. It is built when its question is first asked, so it is never half ready."""
    path = path_of(order.problem)
    if order.problem.board.square_count > MOST_NUMBERED:
        if order.does == "build":
            raise KnightsTourError(
                f"numbering all tours of a board of more than {MOST_NUMBERED} squares does not fit in a browser",
                help=_ELSEWHERE,
            )
        return status_of("absent", note="too many for a browser: knightstour serve numbers them")
    if order.does == "build":
        return status_of("ready", done=1.0, count=_build(order.problem))
    if path.is_file():
        return status_of("ready", done=1.0, count=many.space_count(str(path)))
    return status_of("absent")


def _build(problem: Problem) -> str:
    """Build the space of a question, unless it is there; its number of tours."""
    path = path_of(problem)
    if path.is_file():
        return many.space_count(str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    return many.build_space(problem, str(path), _BUILD_SECONDS, lambda _: None)


def _late(seconds: float) -> dict[str, Json]:
    return failure(OverTime.after(seconds), {})[1]
