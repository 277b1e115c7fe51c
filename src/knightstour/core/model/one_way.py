"""Problems on directed graphs as problems on undirected graphs, so that every search and count supports them.

Each node becomes three in a row, in, mid and out, and an arc joins the out of its tail to the in of its head. A mid has
two edges, so a Hamiltonian cycle contains both, and visits all nodes in one direction, along arcs. An open tour is
closed by an additional node, joined to the in of each possible start and to the out of each possible end: the cycle
leaves that node towards an in, and then each node by its out. So tours of the graph correspond to tours of the problem
one to one. Without that node an undirected path might begin or end at a mid, or between two nodes.

A forbidden arc is removed, and so are all others from the tail and to the head of a required one. Nodes in an order are
their ins and outs in that order, which excludes the reversed cycle.

Source: R. M. Karp, "Reducibility among combinatorial problems", 1972 (directed to undirected Hamiltonian circuits).
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from knightstour.core.model.board import square_count, title_of
from knightstour.core.model.errors import KnightsTourError
from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.problem import Problem, end_index, plural_of, replace_conditions, start_index
from knightstour.core.model.result_errors import LimitReached

# Replaces a reason about nodes that are not in the problem.
NOT_IN_NODES = "the proof is about an undirected graph with three nodes for each node, and is not given in these nodes"


class BothWays(NamedTuple):
    """The question about the undirected graph of three nodes for each. original: the one about the directed graph."""

    original: Problem
    problem: Problem

    def order(self, order: Sequence[int] | np.ndarray) -> np.ndarray:
        """The tour of the directed graph, as numbers of its nodes, of a tour of the undirected one: int64 (n,)."""
        walk, count = np.asarray(order, dtype=np.int64), square_count(self.original.board)
        first = int(np.argmax(walk == 3 * count)) if len(walk) > 3 * count else int(np.argmax(walk % 3 == 0))
        walk = np.roll(walk, -first)
        # Along arcs an in comes right before its mid; from the closing node, first of all.
        is_along = walk[1] % 3 == 0 if len(walk) > 3 * count else walk[1] == walk[0] + 1
        walk = walk if is_along else walk[::-1]
        found = walk[(walk % 3 == 1) & (walk < 3 * count)] // 3
        if not self.original.closed:
            return found
        start = start_index(self.original)
        return np.roll(found, -int(np.argmax(found == (0 if start is None else start))))

    def to_directed_text(self, text: str) -> str:
        """Return a text on the undirected graph as a text on the directed graph."""
        made, original = ((str(each), plural_of(each), title_of(each.board)) for each in (self.problem, self.original))
        for one, other in zip(made, original, strict=True):
            text = text.replace(one, other)
        return text

    def why_none(self, reason: str, source: str) -> tuple[str, str]:
        """Return reason and source for the directed graph, without a proof about other nodes."""
        is_of_nodes = bool(reason) and not source.startswith("exhaustive search")
        return (NOT_IN_NODES, "three nodes for each") if is_of_nodes else (self.to_directed_text(reason), source)

    @contextmanager
    def errors_in_arcs(self) -> Iterator[None]:
        """Within, errors about the undirected graph become errors about the directed one."""
        try:
            yield
        except KnightsTourError as error:
            if isinstance(error, LimitReached):
                error.result = replace(error.result, problem=self.original, tour=None)
            error.args = (self.to_directed_text(error.args[0]), *error.args[1:])
            error.note, error.help = self.to_directed_text(error.note), self.to_directed_text(error.help)
            raise


@functools.lru_cache(maxsize=16)
def both_ways(problem: Problem) -> BothWays:
    """The question, which is about a directed graph, as one about an undirected graph.

    >>> from knightstour.core.model.board import Board
    >>> made = both_ways(Problem(Board.from_graph([("a", "b"), ("b", "a")], directed=True), start="a"))
    >>> made.problem.closed, made.problem.board.graph
    (True, ((1, 5, 6), (0, 2), (1, 3), (4, 2), (3, 5), (4, 0, 6), (0, 5)))
    >>> made.order([6, 5, 4, 3, 2, 1, 0]), made.order([0, 1, 2, 3, 4, 5, 6])
    (array([0, 1]), array([0, 1]))
    """
    assert isinstance(problem.board, GraphBoard)
    labels = problem.board.labels
    graph = arcs_left(problem)
    count = len(graph)
    near: list[list[int]] = [[] for _ in range(3 * count)]
    for node in range(count):
        near[3 * node].append(3 * node + 1)
        near[3 * node + 1] += [3 * node, 3 * node + 2]
        near[3 * node + 2].append(3 * node + 1)
    for tail, heads in enumerate(graph):
        for head in heads:
            near[3 * tail + 2].append(3 * head)
            near[3 * head].append(3 * tail + 2)
    if not problem.closed:
        nodes = range(count)
        start, end = start_index(problem), end_index(problem)
        # A single node is both ends. The tail of a required arc is not the end, and its head is not the start.
        heads_of, tails_of = ({pair[k] for pair in problem.require} for k in (1, 0))
        first = [v for v in nodes if start in (None, v) and (count == 1 or v != end) and v not in heads_of]
        last = [v for v in nodes if end in (None, v) and (count == 1 or v != start) and v not in tails_of]
        ends = [*(3 * node for node in first), *(3 * node + 2 for node in last)]
        near.append(sorted(ends))
        for place in ends:
            near[place].append(3 * count)
    names = [f"{label}{part}" for label in labels for part in (" (in)", "", " (out)")]
    names += [] if problem.closed else ["the ends"]
    board = GraphBoard(names, tuple(map(tuple, near)))
    order = [place for node in problem.visit_order for place in (3 * node, 3 * node + 2)]
    order = ([3 * count] if order and not problem.closed else []) + order
    return BothWays(problem, replace_conditions(Problem(board, closed=True), visit_order=tuple(order)))


def arcs_left(problem: Problem) -> list[list[int]]:
    """The nodes that each node of a directed graph leads to, by arcs that required and forbidden ones leave.

    >>> from knightstour.core.model.board import Board
    >>> board = Board.from_graph([("a", "b"), ("a", "c"), ("b", "c"), ("c", "a")], directed=True)
    >>> arcs_left(Problem(board, require=["a->b"], forbid=["c->a"]))
    [[1], [2], []]
    """
    assert isinstance(problem.board, GraphBoard)
    only = dict(problem.require)
    tail_of = {head: tail for tail, head in problem.require}
    # Two required arcs from one node, or to one, leave none.
    is_clear = len(only) == len(tail_of) == len(problem.require)
    return [
        [
            head
            for head in heads
            if is_clear
            and (tail, head) not in problem.forbid
            and only.get(tail, head) == head
            and tail_of.get(head, tail) == tail
        ]
        for tail, heads in enumerate(problem.board.graph)
    ]
