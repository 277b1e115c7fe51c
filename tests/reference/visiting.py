"""Cases of successive tours of a network."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from helpers.both_ways import both_ways
from knightstour import Board, Problem
from knightstour.core.model.board import move_graph
from knightstour.core.model.problem import end_index, start_index
from knightstour.lab.counting.spaces import visiting
from knightstour.lab.counting.spaces.by_states import WaySpace
from knightstour.lab.counting.spaces.visiting import DEPTH, Chain, Network, Question
from reference import Case, Row


def seen(network: Network, chain: Chain, question: Question, orders: Any, *tours: int) -> Any:
    depth = chain.counters[DEPTH]
    return depth, chain.way[: depth + 1], orders


def cases() -> Iterator[Case]:
    graph = Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3, 4], [4], [0]]))
    problems = [
        Problem((3, 7)),
        Problem((3, 10), closed=True),
        Problem((5, 5), start="a1", end="c3"),
        Problem((3, 7), start="a1"),
        Problem((3, 7), end="a1"),
        Problem(graph),
    ]
    for problem in problems:
        space = WaySpace.build(problem)
        squares = move_graph(problem.board).squares.astype(np.int64)
        begin = int(squares[0]) if problem.closed else start_index(problem)
        ends = (-1 if square is None else square for square in (begin, end_index(problem)))
        first, end = ends
        for number, dtype in itertools.product({0, space.count // 2}, (np.uint8, np.uint16, np.int32)):
            question = Question(first, end, int(problem.closed), squares)
            orders = np.zeros((40, len(squares)), dtype=dtype)
            arguments = (*visiting.chain_at(space, number), question, orders)
            yield Case(f"{problem} from {number}", arguments, [(0,), (1,)])
            yield Case(f"{problem} from {number}, all", (*visiting.chain_at(space, number), question, orders), [(40,)])


ROWS = [Row("visiting_write_orders", None, cases, seen)]
