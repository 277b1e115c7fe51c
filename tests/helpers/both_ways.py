"""Lists of neighbours for tests, where each edge needs to be written once."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any


def both_ways(graph: Mapping[Any, Iterable[Any]] | Sequence[Iterable[int]]) -> dict[Hashable, list[Any]]:
    """The same neighbours as a mapping, each edge named at both ends; neighbours that are no nodes stay as they are."""
    near = {node: list(others) for node, others in (graph.items() if isinstance(graph, Mapping) else enumerate(graph))}
    for node in list(near):
        for other in list(near[node]):
            if other in near and node not in near[other]:
                near[other].append(node)
    return near
