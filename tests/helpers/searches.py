"""Complete searches, whole and divided."""

from typing import Any

from helpers.both_ways import both_ways
from knightstour import Board
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.search.backtracking import Search, TourOrders
from knightstour.core.search.shared_backtracking import SharedOrders

BOARDS: list[tuple[Any, dict[str, Any]]] = [
    ("5x5", {}),
    ("5x5", {"start": "a1"}),
    ("5x5", {"end": "c3"}),
    ("4x5", {"start": "a1", "end": "d4"}),
    ("5x6", {"closed": True}),
    ("5x6", {"closed": True, "start": "c2"}),
    ("3x10", {"closed": True}),
    (Board(3, 4, wrap="torus"), {"closed": True}),
    (Board(2, 5, wrap="cylinder"), {}),
    (Board(2, 4, wrap="klein"), {"start": "a1"}),
    (Board(5, 5, holes=["c3"]), {}),
    (Board(4, 4, leaper=(0, 1)), {"closed": True}),
    (Board(4, 4, leaper=(0, 1)), {"end": "a1"}),
    (Board(3, 6, leaper=(1, 1), wrap="mobius"), {}),
    (Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3], []])), {}),
    ("4x4", {}),
]


def whole(search: Search, limits: Limits) -> tuple[Any, ...]:
    """Return the result of one process."""
    budget = Budget(limits)
    listing = TourOrders(search, budget)
    return list(listing), listing.is_complete, listing.nodes, listing.backs, budget.nodes


def shared(search: Search, limits: Limits, workers: Any = None) -> tuple[Any, ...]:
    """Return the result of the search in branches."""
    budget = Budget(limits)
    listing = SharedOrders(search, budget, workers)
    return list(listing), listing.is_complete, listing.nodes, listing.backs, budget.nodes
