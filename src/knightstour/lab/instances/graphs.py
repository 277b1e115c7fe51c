"""Graphs by their public definitions, as lists of edges: whether each has a Hamiltonian cycle is known by a theorem."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeAlias

Node: TypeAlias = "str | int"
Edges: TypeAlias = "list[tuple[Node, Node]]"


def petersen(n: int, k: int) -> Edges:
    """The generalised Petersen graph G(n, k): an outer cycle of n nodes u, inner ones v in steps of k, and n spokes."""
    edges: Edges = []
    for i in range(n):
        edges += [(f"u{i}", f"u{(i + 1) % n}"), (f"u{i}", f"v{i}"), (f"v{i}", f"v{(i + k) % n}")]
    return edges


def without(edges: Edges, place: int) -> Edges:
    """The graph without one of its nodes: the first to be named is 1, and 0 removes none."""
    nodes = list(dict.fromkeys(node for edge in edges for node in edge))
    return edges if place == 0 else [edge for edge in edges if nodes[place - 1] not in edge]


def flower(n: int) -> Edges:
    """The flower J_n: n stars of three leaves, of which one is on a cycle of n nodes and two are on one of 2n."""
    edges: Edges = []
    for i in range(n):
        edges += [(f"a{i}", f"{x}{i}") for x in "bcd"]
        edges.append((f"b{i}", f"b{(i + 1) % n}"))
    long: list[Node] = [f"{x}{i}" for x in "cd" for i in range(n)]
    return edges + joined(long)


def sheehan(m: int) -> Edges:
    """Return a graph of 2m nodes, m^2 + 1 edges and a single Hamiltonian cycle (as in J. Sheehan, 1977).

    The nodes o_k have edges only to the e_j, so a cycle alternates. e_0 has two edges to them, which a cycle uses; then
    e_1 has two left, and so on.
    """
    edges: Edges = [(f"e{i}", f"e{j}") for i in range(m) for j in range(i)]
    edges += [(f"o{k}", f"e{j}") for k in range(m) for j in range(k, m)]
    return [*edges, (f"o{m - 1}", f"e{0}")]


def cubic(n: int, seed: int) -> tuple[Edges, list[Node]]:
    """A random graph of degree 3 and the cycle that it was made of: a cycle of n nodes, and a matching beside it.

    n: even, at least 4. The matching is drawn again until none of its edges is on the cycle.
    """
    rng = random.Random(seed)
    cycle: list[Node] = list(range(n))
    rng.shuffle(cycle)
    around = {frozenset(edge) for edge in joined(cycle)}
    while True:
        rest = list(range(n))
        rng.shuffle(rest)
        chords: Edges = list(zip(rest[::2], rest[1::2], strict=True))
        if not any(frozenset(edge) in around for edge in chords):
            return joined(cycle) + chords, cycle


def torus(rows: int, cols: int) -> tuple[Edges, list[Node]]:
    """Return the product of two cycles, and a cycle through all: each row is followed by a step down.

    A row traversed to the right ends one column to the left of its start; one traversed to the left, one to the right.
    Enough rows of each kind therefore return to the first column.
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


def joined(nodes: Sequence[Node]) -> Edges:
    """The edges of a cycle through these nodes."""
    return [(nodes[k - 1], nodes[k]) for k in range(len(nodes))]
