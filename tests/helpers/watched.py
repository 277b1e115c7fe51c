"""Searches to watch: each method with steps, on a 6x6 board that it solves fast."""

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
    """Return a short name for a part of a row."""
    return value if isinstance(value, str) else "-".join(map(str, value.values())) or "plain"


def last_view(events: Iterable[Event], board: BoardLike) -> View:
    """Return the view after all events."""
    view = View(board)
    for event in events:
        view.apply(event)
    return view
