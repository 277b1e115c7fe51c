"""Graphs by their published definitions, as lists of edges. A theorem decides whether each has a Hamiltonian cycle."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeAlias

Node: TypeAlias = "str | int"
Edges: TypeAlias = "list[tuple[Node, Node]]"


def petersen(n: int, k: int) -> Edges:
    """Return the generalised Petersen graph G(n, k): an outer cycle u, inner edges v in steps of k, and n spokes."""
    edges: Edges = []
    for i in range(n):
        edges += [(f"u{i}", f"u{(i + 1) % n}"), (f"u{i}", f"v{i}"), (f"v{i}", f"v{(i + k) % n}")]
    return edges


def without(edges: Edges, place: int) -> Edges:
    """Return the graph without a node, counted from 1 in order of first appearance; 0 removes no node."""
    nodes = list(dict.fromkeys(node for edge in edges for node in edge))
    return edges if place == 0 else [edge for edge in edges if nodes[place - 1] not in edge]


def flower(n: int) -> Edges:
    """Return the flower J_n: n stars with three leaves; the leaves form a cycle of n nodes and a cycle of 2n nodes."""
    edges: Edges = []
    for i in range(n):
        edges += [(f"a{i}", f"{x}{i}") for x in "bcd"]
        edges.append((f"b{i}", f"b{(i + 1) % n}"))
    long: list[Node] = [f"{x}{i}" for x in "cd" for i in range(n)]
    return edges + cycle_edges(long)


def sheehan(m: int) -> Edges:
    """Return a graph of 2m nodes, m^2 + 1 edges and a single Hamiltonian cycle (as in J. Sheehan, 1977).

    The nodes o_k have edges only to the e_j, so a cycle alternates between them. The cycle uses both edges of e_0 to
    them. Then e_1 has only two left, and so on.
    """
    edges: Edges = [(f"e{i}", f"e{j}") for i in range(m) for j in range(i)]
    edges += [(f"o{k}", f"e{j}") for k in range(m) for j in range(k, m)]
    return [*edges, (f"o{m - 1}", f"e{0}")]


def cubic(n: int, seed: int) -> tuple[Edges, list[Node]]:
    """Return a random graph of degree 3, built from a cycle of n nodes and a perfect matching, and the cycle.

    n is even and at least 4. The matching is drawn again until it shares no edge with the cycle.
    """
    rng = random.Random(seed)
    cycle: list[Node] = list(range(n))
    rng.shuffle(cycle)
    around = {frozenset(edge) for edge in cycle_edges(cycle)}
    while True:
        rest = list(range(n))
        rng.shuffle(rest)
        chords: Edges = list(zip(rest[::2], rest[1::2], strict=True))
        if not any(frozenset(edge) in around for edge in chords):
            return cycle_edges(cycle) + chords, cycle


def torus(rows: int, cols: int) -> tuple[Edges, list[Node]]:
    """Return the product of two cycles, and a Hamiltonian cycle: row by row, with a step down after each row.

    A row traversed to the right shifts the column by one to the left, and a row traversed to the left by one to the
    right. Enough rows of each kind return to the first column.
    """
    edges: Edges = []
    for r in range(rows):
        for c in range(cols):
            edges += [(r * cols + c, r * cols + (c + 1) % cols), (r * cols + c, (r + 1) % rows * cols + c)]
    is_turned = rows % 2 == 1 and (cols % 2 == 0 or cols > rows)
    down, across = (cols, rows) if is_turned else (rows, cols)
    to_right = down // 2 if down % 2 == 0 else (down + across) // 2
    cycle: list[Node] = []
    place = 0
    for line in range(down):
        step = 1 if line < to_right else -1
        walked = [(place + step * k) % across for k in range(across)]
        cycle += [at * cols + line if is_turned else line * cols + at for at in walked]
        place = walked[-1]
    return edges, cycle


def cycle_edges(nodes: Sequence[Node]) -> Edges:
    """Return the edges of a cycle through these nodes."""
    return [(nodes[k - 1], nodes[k]) for k in range(len(nodes))]
