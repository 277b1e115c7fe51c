"""What goes out of the API wherever it runs, in a server or in the visitor's own browser: tables, events and errors.

Errors are `{"error", "note", "help"}`, in the words of the command line.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from knightstour.core.machine import memory
from knightstour.core.model.errors import KnightsTourError
from knightstour.interfaces.web import answers
from knightstour.interfaces.web.fields import Json

JSON: Final = "application/json"
NOTHING_HERE: Final = "there is nothing at this address"


class OverTime(KnightsTourError):
    """A call ran longer than its time limit and was stopped."""

    def __init__(self, seconds: float) -> None:
        message = f"there was no answer after {seconds:g} seconds, so the search was stopped"
        super().__init__(message, help="ask for something smaller")


def tables() -> dict[str, bytes]:
    """The answers to GET, which never change, by their paths."""
    return {
        "health": b'{"status":"ok"}',
        "methods": answers.describe_methods(),
        "words": answers.describe_words(),
    }


def event(name: str, value: Json) -> bytes:
    """One event of a stream; its JSON is one line.

    >>> event("batch", [1])
    b'event: batch\\ndata: [1]\\n\\n'
    """
    return b"event: " + name.encode() + b"\ndata: " + answers.to_bytes(value) + b"\n\n"


def fault(error: str, note: str = "", help: str = "", **more: int) -> dict[str, Json]:
    """The body of an answer that is none."""
    return {"error": error, "note": note, "help": help, **more}


def failure(error: Exception, statuses: Mapping[type[Exception], int]) -> tuple[int, dict[str, Json]]:
    """Status and body of the answer for an error. statuses: of those that are no bad request."""
    if isinstance(error, KnightsTourError):
        status = next((code for kind, code in statuses.items() if isinstance(error, kind)), 400)
        step = getattr(error, "step", None)
        return status, fault(str(error), error.note, error.help, **({} if step is None else {"step": step}))
    if memory.is_exhausted(error):
        return 500, fault("there is not enough memory for this")
    return 500, fault(f"this should not have happened: {type(error).__name__}: {error}", help="please report it")
