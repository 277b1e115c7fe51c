"""Hamiltonian cycle problem of a graph as a CNF formula, for SAT solvers.

Edge k, from 1, has two variables: 2k - 1 from its first node to its second, and 2k for the reverse. Each node is left
once and entered once, and has a position, a binary number: the first node has 0, and an arc to any other node leads to
the next position. So every loop contains the first node. The comments of a file contain the graph.

Sources: A. Johnson, "Quasi-Linear Reduction of Hamiltonian Cycle Problem (HCP) to Satisfiability Problem (SAT)", 2014
(positions by arcs); C. Sinz, "Towards an Optimal CNF Encoding of Boolean Cardinality Constraints", 2005 (at most one).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, count, zip_longest

import numpy as np

from knightstour.core.formats.graphs import board_in, numbered_edges, refuse_edges
from knightstour.core.machine.files import Source
from knightstour.core.model.board import Board, title_of
from knightstour.core.model.errors import FormatError

# Limit on nodes and edges, times digits of a position; each has at least four clauses.
_MOST = 500_000
# Number of arcs above which a chain replaces clauses for every pair.
_PAIRED = 5


def write_cnf(board: Board, *, extra_vertex: bool = False) -> Iterator[str]:
    """Yield the comments, `p cnf VARIABLES CLAUSES`, and a line for each clause."""
    nodes, edges = numbered_edges(board, extra_vertex)
    if (nodes + len(edges)) * _digits(nodes) > _MOST:
        why = f"a graph of {nodes:,} nodes and {len(edges):,} edges has too many clauses"
        raise FormatError(why, help="use the format hcp, for solvers of Hamiltonian cycles")
    pairs = sorted(edges.tolist())
    yield f"c {title_of(board)}: variable 2k - 1 goes along edge k, 2k back\nc graph {nodes} {len(pairs)}\n"
    yield "".join(f"c edge {a + 1} {b + 1}\n" for a, b in pairs)
    number = top = 0
    for clause in _clauses(nodes, pairs):
        number, top = number + 1, max(top, *map(abs, clause), 0)
    yield f"p cnf {top} {number}\n"
    for clause in _clauses(nodes, pairs):
        yield " ".join(map(str, [*clause, 0])) + "\n"


def edges_in_order(board: Board) -> list[list[int]]:
    """Return the edges of a board in the order of their variables, as pairs of nodes from 0."""
    return sorted(numbered_edges(board)[1].tolist())


def variable_count(nodes: int, edges: Sequence[Sequence[int]]) -> int:
    chained = [degree for degree in np.bincount(np.array(edges, dtype=np.int64).ravel()) if degree > _PAIRED]
    return 2 * len(edges) + nodes * (3 * _digits(nodes) - 2) + 2 * int(sum(chained))


def _digits(nodes: int) -> int:
    return max(1, (nodes - 1).bit_length())


def _clauses(nodes: int, edges: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield all clauses. edges: Pairs of nodes from 0."""
    fresh = count(2 * len(edges) + 1)
    digits = range(_digits(nodes))
    places = [[next(fresh) for _ in digits] for _ in range(nodes)]
    yield from ([-digit] for digit in places[0])
    following = []
    for place in places:
        # Each digit of the next position is the digit plus the carry.
        carry, sums = place[0], [-place[0]]
        for digit in place[1:]:
            total, both = next(fresh), next(fresh)
            yield from (
                [-total, digit, carry],
                [-total, -digit, -carry],
                [total, -digit, carry],
                [total, digit, -carry],
            )
            yield from ([-both, digit], [-both, carry], [both, -digit, -carry])
            sums.append(total)
            carry = both
        following.append(sums)
    leaving: list[list[int]] = [[] for _ in range(nodes)]
    entering: list[list[int]] = [[] for _ in range(nodes)]
    for k, (a, b) in enumerate(edges):
        yield [-(2 * k + 1), -(2 * k + 2)]
        for arc, start, end in ((2 * k + 1, a, b), (2 * k + 2, b, a)):
            leaving[start].append(arc)
            entering[end].append(arc)
            for here, after in zip(places[end], following[start], strict=True) if end else ():
                yield from ([-arc, -here, after], [-arc, here, -after])
    for arcs in chain(leaving, entering):
        yield arcs
        if len(arcs) <= _PAIRED:
            yield from ([-a, -b] for a, b in combinations(arcs, 2))
            continue
        so_far = [next(fresh) for _ in arcs]
        yield from ([-arc, mark] for arc, mark in zip(arcs, so_far, strict=True))
        for arc, before, mark in zip(arcs[1:], so_far, so_far[1:], strict=False):
            yield from ([-before, mark], [-before, -arc])


def read_cnf(source: Source) -> Iterator[Board]:
    """Yield the graph in the comments of a formula. Raises FormatError if the clauses differ."""
    refuse_edges(source, "this CNF formula")
    lines = (text.strip() for _, text, _ in source.pieces())
    nodes, pairs, line = 0, list[list[int]](), ""
    for line in lines:
        if not line.startswith("c"):
            break
        words = line.split()[1:]
        numbers = [int(word) for word in words[1:] if word.isdecimal() and len(word) < 10]
        if words[:1] == ["graph"] and len(numbers) == 2:
            nodes = numbers[0]
        elif words[:1] == ["edge"] and len(numbers) == 2:
            pairs.append(numbers)
    if not nodes:
        raise source.fail("this CNF formula is a problem for a SAT solver, not a graph")
    if any(not 1 <= node <= nodes for pair in pairs for node in pair):
        raise source.fail(f"a node is not between 1 and {nodes}")
    board = board_in(source, range(1, nodes + 1), np.array(pairs, dtype=np.int64).reshape(-1, 2) - 1, 1)
    written = (each for piece in write_cnf(board) for each in piece.splitlines() if not each.startswith("c"))
    if any(ours != theirs for ours, theirs in zip_longest(written, chain([line], lines))):
        raise source.fail("these clauses do not match the graph in the comments: is the file truncated?")
    yield board
