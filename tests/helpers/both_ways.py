"""Lists of neighbours for tests, with each edge written once."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any


def both_ways(graph: Mapping[Any, Iterable[Any]] | Sequence[Iterable[int]]) -> dict[Hashable, list[Any]]:
    """Return the neighbours as a mapping with each edge at both ends; unknown nodes are kept."""
    near = {node: list(others) for node, others in (graph.items() if isinstance(graph, Mapping) else enumerate(graph))}
    for node in list(near):
        for other in list(near[node]):
            if other in near and node not in near[other]:
                near[other].append(node)
    return near
