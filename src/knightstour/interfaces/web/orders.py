"""Questions about spaces of all tours, which are built once and kept: what is asked of one, and what is answered.

The server builds spaces in the background (spaces.py); a browser that runs the library, while it waits (here.py).
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from knightstour.core.model.errors import KnightsTourError
from knightstour.core.model.problem import Problem
from knightstour.interfaces.web.fields import Json
from knightstour.lab.counting.spaces.kept import path_of

Does = Literal["status", "build", "cancel"]


class Order(NamedTuple):
    """A request for the status of a question's space; `does` says whether to start or stop building it first."""

    problem: Problem
    does: Does


class NotBuilt(KnightsTourError):
    """The space of a question, `problem`, has not been built."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"the tours are not numbered yet: {problem}", help="ask /api/space/build first")
        self.problem = problem


def ready_path(problem: Problem) -> str:
    """The file of a question's space; NotBuilt if there is none."""
    path = path_of(problem)
    if not path.is_file():
        raise NotBuilt(problem)
    return str(path)


def status_of(state: str, **more: Json) -> dict[str, Json]:
    """The status of a space as JSON; state: absent, building, ready or failed."""
    empty = dict.fromkeys(("done", "states", "seconds", "count", "error", "note"))
    return {"state": state, **empty, **more}
