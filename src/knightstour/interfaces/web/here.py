"""The host of the API: it answers one request after another in this process.

The worker of a page that is a folder of files (page/src/engine/worker.js) runs Python and calls `ask`; the processes of
`knightstour serve` call `serve` (server.py). So requests, responses, events and errors are the same.

The tours of a small board are numbered when a request needs them. Numbering for larger boards requires a server, and
so do requests that need packages missing in browsers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from knightstour.core.model.board import square_count
from knightstour.core.model.errors import KnightsTourError
from knightstour.interfaces.web import answers, api, numbering
from knightstour.interfaces.web.api import Call
from knightstour.interfaces.web.binding import NotBuilt
from knightstour.interfaces.web.fields import Json, parse_object
from knightstour.interfaces.web.replies import JSON, NOTHING_HERE, OverTime, event, failure, fault

# Callback for the events of a response: a name and its values; see `answer`.
Send = Callable[..., None]

_BUILD_SECONDS: Final = 120.0
_ELSEWHERE: Final = "install it and ask there: pip install knightstour, then knightstour serve --open"


def answer(name: str, body: bytes, send: Send, *, may_search: bool = True, is_browser: bool = True) -> None:
    """Answer a request. Calls send("head", status, media type), send("part", bytes) for each part, send("end").

    Before that, it calls send("turn", lane, seconds, body): the lane of the call, its time limit, and the body of the
    response if the caller ends it. For a search with may_search=False, it only calls send("later").
    is_browser: whether numbering for large boards is rejected.
    """
    reply = _Reply(send)
    try:
        if name not in api.ROUTES:
            reply.send_all(404, JSON, answers.to_bytes(fault(NOTHING_HERE)))
        else:
            turn = turn_of(name, body, is_browser=is_browser)
            if turn.lane == api.SEARCH and not may_search:
                send("later")
                return
            send("turn", turn.lane, turn.seconds, answers.to_bytes(failure(OverTime(turn.seconds), {})[1]))
            _run_call(turn.make_call(), reply)
    except ModuleNotFoundError as error:
        where = "a browser does not have" if is_browser else "is not installed here"
        missing = KnightsTourError(f"this needs the package {error.name}, which {where}", help=_ELSEWHERE)
        reply.fail(*failure(missing, {}))
    except Exception as error:
        reply.fail(*failure(error, {NotBuilt: 409}))
    send("end")


def ask(name: str, body: str, send: Send, may_search: bool) -> None:
    """Answer a request from JavaScript, with a string as body."""
    answer(name, body.encode(), send, may_search=may_search)


def serve(name: str, body: bytes, emit: Callable[[tuple[object, ...]], None]) -> None:
    """Answer a request in a process of the server. `emit` gets one tuple per event."""
    answer(name, body, lambda *values: emit(values), is_browser=False)


class Turn(NamedTuple):
    """The lane of a request, its time limit, and a function that creates its call."""

    lane: str
    seconds: float
    make_call: Callable[[], Call]


def turn_of(name: str, body: bytes, *, is_browser: bool) -> Turn:
    """Return the turn of a request. Raises KnightsTourError if the request is invalid. is_browser: as for `answer`."""
    fields = parse_object(body)
    try:
        call = api.call_of(name, fields)
    except NotBuilt as error:
        problem = error.problem
        if square_count(problem.board) > api.MAX_NUMBERED_AT_ONCE:
            raise

        def number_first() -> Call:
            numbering.build_space(problem, _BUILD_SECONDS, lambda _: None)
            return api.call_of(name, fields)

        return Turn(api.SEARCH, _BUILD_SECONDS, number_first)
    if is_browser and call.lane == api.NUMBERING:
        words = f"numbering all tours of a board of more than {api.MAX_NUMBERED_AT_ONCE} squares"
        raise KnightsTourError(f"{words} does not fit in a browser", help=_ELSEWHERE)
    return Turn(call.lane, call.seconds, lambda: call)


class _Reply:
    def __init__(self, send: Send) -> None:
        self._send = send
        self._is_open = False

    def send_all(self, status: int, kind: str, body: bytes) -> None:
        self._send("head", status, kind)
        self._send("part", body)

    def open(self, kind: str, first: Json) -> None:
        """Begin a stream of events once."""
        if not self._is_open:
            self._is_open = True
            self._send("head", 200, kind)
            self.event("begin", first)

    def event(self, name: str, value: Json) -> None:
        self._send("part", event(name, value))

    def fail(self, status: int, wrong: dict[str, Json]) -> None:
        if self._is_open:
            self.event("error", wrong)
        else:
            self.send_all(status, JSON, answers.to_bytes(wrong))


def _run_call(call: Call, reply: _Reply) -> None:
    if call.first_event is None:
        reply.send_all(200, call.media_type, call.function(*call.arguments))
        return

    def emit(value: Json) -> None:
        reply.open(call.media_type, call.first_event)
        reply.event("batch", value)

    value = call.function(*call.arguments, emit)
    reply.open(call.media_type, call.first_event)
    reply.event("result", value)
