"""Tables, events and errors of the API, for a server and for a page that runs Python in the browser.

Errors are `{"error", "note", "help"}`, with the messages of the command line.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from knightstour.core.machine import memory
from knightstour.core.model.errors import KnightsTourError, in_one_line
from knightstour.interfaces.web import answers
from knightstour.interfaces.web.fields import Json

JSON: Final = "application/json"
NOTHING_HERE: Final = "there is nothing at this address"


class OverTime(KnightsTourError):
    """A call ran longer than its time limit and was stopped."""

    def __init__(self, seconds: float) -> None:
        message = f"there was no answer after {seconds:g} seconds, so the search was stopped"
        super().__init__(message, help="use a smaller board or a longer time limit")


def tables() -> dict[str, bytes]:
    """Return the constant responses to GET requests, by path."""
    return {
        "health": b'{"status":"ok"}',
        "methods": answers.describe_methods(),
        "words": answers.describe_words(),
    }


def event(name: str, value: Json) -> bytes:
    """Return one event of a stream, with its JSON on one line.

    >>> event("batch", [1])
    b'event: batch\\ndata: [1]\\n\\n'
    """
    return b"event: " + name.encode() + b"\ndata: " + answers.to_bytes(value) + b"\n\n"


def fault(error: str, note: str = "", help: str = "", **more: int) -> dict[str, Json]:
    """Return the body of an error response."""
    return {"error": error, "note": note, "help": help, **more}


def failure(error: Exception, statuses: Mapping[type[Exception], int]) -> tuple[int, dict[str, Json]]:
    """Return the status and the body for an error. statuses: status codes of errors other than bad requests."""
    if isinstance(error, KnightsTourError):
        status = next((code for kind, code in statuses.items() if isinstance(error, kind)), 400)
        step = getattr(error, "step", None)
        return status, fault(str(error), error.note, error.help, **({} if step is None else {"step": step}))
    if memory.is_exhausted(error):
        return 500, fault("there is not enough memory for this")
    if isinstance(error, OSError):
        return 500, fault(in_one_line(error))
    return 500, fault(f"this should not have happened: {type(error).__name__}: {error}", help="please report it")
