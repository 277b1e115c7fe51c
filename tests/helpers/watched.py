"""Searches to watch: each way a method with steps has of telling them, on a board of 6x6 that it solves at once."""

from collections.abc import Iterable
from typing import Any, Final

from knightstour.core.model.board import BoardLike
from knightstour.core.model.trace import Event, View

WATCHED: Final[list[tuple[str, dict[str, Any], dict[str, Any]]]] = [
    ("backtracking", {"start": "a1"}, {}),
    ("backtracking", {"start": "a1"}, {"prune": "all"}),
    ("backtracking", {"start": "a1"}, {"move_order": "warnsdorff"}),
    ("warnsdorff", {"closed": True}, {"ties": "random"}),
    ("rotation", {"closed": True}, {}),
    ("rotation", {"start": "a1", "end": "f1"}, {}),
    ("merge", {"closed": True}, {}),
    ("merge", {}, {"randomness": 0}),
    ("sat", {"closed": True}, {}),
    ("sat", {}, {}),
    ("annealing", {"closed": True}, {}),
    ("annealing", {}, {"cover": "random"}),
    ("genetic", {}, {}),
    ("genetic", {}, {"kind": "bits"}),
    ("neural", {"closed": True}, {}),
    ("neural+merge", {"closed": True}, {}),
]


def watched_id(value: object) -> str:
    """A short name for a part of a row."""
    return value if isinstance(value, str) else "-".join(map(str, value.values())) or "plain"


def last_view(events: Iterable[Event], board: BoardLike) -> View:
    """The view after all events."""
    view = View(board)
    for event in events:
        view.apply(event)
    return view
