"""The tours of a network, one after the other, from the definition: the chains of ways in order."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from helpers.both_ways import both_ways
from knightstour import Board, Problem
from knightstour.core.kernels.counting.visiting import DEPTH, Chain, Network, Question
from knightstour.core.model.board import move_graph
from knightstour.lab.counting.spaces import visiting
from knightstour.lab.counting.spaces.by_states import WaySpace
from reference import Case, Row


def _chains(network: Network, t: int = 0, state: int = 0) -> Iterator[list[int]]:
    """All chains from a state of layer t on, as ways."""
    at = network.offset_at[t] + state
    for way in range(network.way_at[t] + network.offsets[at], network.way_at[t] + network.offsets[at + 1]):
        if network.targets[way] < 0:
            yield [way]
        else:
            yield from ([way, *rest] for rest in _chains(network, t + 1, network.targets[way]))


def _order(network: Network, chain: list[int], question: Question) -> list[int]:
    near: dict[int, list[int]] = {v: [] for v in question.squares}
    for t, way in enumerate(chain):
        for u in network.picked[network.picked_at[t] + network.codes[way]]:
            if u >= 0:
                near[network.order[t]].append(u)
                near[u].append(network.order[t])
    ends = [v for v in question.squares if len(near[v]) < 2 and v != question.end]
    order = [question.first if question.first >= 0 else ends[0]]
    while len(order) < len(near):
        order.append(min(u for u in near[order[-1]] if u not in order))
    return order


def write_orders(network: Network, chain: Chain, question: Question, orders: list[list[int]], tours: int) -> int:
    if chain.counters[DEPTH] < 0:
        return 0
    # The next tour is the first whose ways are not before those that are to be taken.
    here = [chain.way[t] + (t == chain.counters[DEPTH] and chain.taken[t]) for t in range(chain.counters[DEPTH] + 1)]
    left = (each for each in _chains(network) if each >= here)
    made = list(itertools.islice(left, tours))
    for row, each in enumerate(made):
        orders[row] = _order(network, each, question)
    last = len(made) < tours or not tours
    if made:
        # Where the kernel rests: the last way of the last tour is taken.
        for t in range(len(chain.way)):
            chain.taken[t] = int(t < len(made[-1]))
        for t, way in enumerate(made[-1]):
            chain.way[t] = way
        chain.counters[DEPTH] = len(made[-1]) - 1
    if last and tours:
        chain.counters[DEPTH] = -1
    return len(made)


def seen(network: Network, chain: Chain, question: Question, orders: Any, *tours: int) -> Any:
    depth = chain.counters[DEPTH]
    return depth, chain.way[: depth + 1], orders


def cases() -> Iterator[Case]:
    graph = Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3, 4], [4], [0]]))
    problems = [
        Problem.of((3, 7)),
        Problem.of((3, 10), closed=True),
        Problem.of((5, 5), start="a1", end="c3"),
        Problem.of((3, 7), start="a1"),
        Problem.of((3, 7), end="a1"),
        Problem.of(graph),
    ]
    for problem in problems:
        space = WaySpace.build(problem)
        squares = move_graph(problem.board).squares.astype(np.int64)
        begin = int(squares[0]) if problem.closed else problem.start_index
        ends = (-1 if square is None else square for square in (begin, problem.end_index))
        first, end = ends
        for number, dtype in itertools.product({0, space.count // 2}, (np.uint8, np.uint16, np.int32)):
            question = Question(first, end, int(problem.closed), squares)
            orders = np.zeros((40, len(squares)), dtype=dtype)
            arguments = (*visiting.chain_at(space, number), question, orders)
            yield Case(f"{problem} from {number}", arguments, [(0,), (1,)])
            yield Case(f"{problem} from {number}, all", (*visiting.chain_at(space, number), question, orders), [(40,)])


ROWS = [Row("visiting_write_orders", write_orders, cases, seen)]
